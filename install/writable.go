package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Writable says why nothing could be written into a folder: it is tried, in the
// folder itself or, where that is yet to be made, in the nearest one above it.
func Writable(dir string) error {
	at := dir
	st, err := os.Stat(at)
	for (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		st, err = os.Stat(at)
	}
	if err == nil && !st.IsDir() {
		err = &fs.PathError{Op: "open", Path: at, Err: syscall.ENOTDIR}
	}
	if err == nil {
		err = tryWrite(at)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	switch {
	case err == nil:
		return nil
	case at == dir:
		return fmt.Errorf("%s: %w", dir, err)
	}
	return fmt.Errorf("%s can't be made, for %s: %w", dir, at, err)
}

func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".tabwright-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("room?"))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
