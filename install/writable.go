package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// WriteError says why a folder can't be written to.
type WriteError struct {
	Dir string // the folder
	At  string // where it was tried: Dir, or the nearest folder above it that exists
	Err error
}

// Error returns both folders and the cause.
func (e *WriteError) Error() string {
	if e.At == e.Dir {
		return fmt.Sprintf("%s: %v", e.Dir, e.Err)
	}
	return fmt.Sprintf("%s can't be made, for %s: %v", e.Dir, e.At, e.Err)
}

// Unwrap returns the cause.
func (e *WriteError) Unwrap() error { return e.Err }

// Writable returns a *WriteError if a folder can't be written to. It tries that in
// the folder, or, if it does not exist, in the nearest one above it.
func (o Options) Writable(dir string) error {
	at := dir
	st, err := os.Stat(at)
	for (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		st, err = os.Stat(at)
	}
	if err == nil && !st.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		try := o.TryWrite
		if try == nil {
			try = tryWrite
		}
		err = try(at)
	}
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &WriteError{Dir: dir, At: at, Err: err}
}

func tryWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".tabwright-*")
	if err != nil {
		return err
	}
	_, err = f.Write([]byte("room?"))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
