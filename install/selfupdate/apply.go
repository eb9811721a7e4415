package selfupdate

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Bounds of an archive and of the program in it, in bytes, and of the download.
const (
	archiveBytes = 200 << 20
	programBytes = 400 << 20
	archiveWait  = 10 * time.Minute
)

// Apply replaces program by that of the release. The old one stays until the new
// one is complete, and running processes run on.
func (r Release) Apply(ctx context.Context, program string) error {
	f, ok := r.Here()
	if !ok {
		return errors.New("the release has no file for this platform")
	}
	ctx, cancel := context.WithTimeout(ctx, archiveWait)
	defer cancel()
	body, err := get(ctx, f.URL)
	if err != nil {
		return err
	}
	defer body.Close()
	archive, err := io.ReadAll(io.LimitReader(body, archiveBytes))
	if err != nil {
		return fmt.Errorf("read %s: %w", f.URL, err)
	}
	if sum := sha256.Sum256(archive); !strings.EqualFold(hex.EncodeToString(sum[:]), f.SHA256) {
		return fmt.Errorf("%s is not what the feed says: its SHA-256 is another", f.URL)
	}
	err = unpack(archive, program)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s was not replaced: %w; run this as a user who may write into its folder", program, err)
	case err != nil:
		return fmt.Errorf("%s was not replaced: %w", program, err)
	}
	return nil
}

// unpack replaces program by the one in an archive.
func unpack(archive []byte, program string) error {
	from, err := inArchive(archive)
	if err != nil {
		return err
	}
	to, err := os.CreateTemp(filepath.Dir(program), ".tabwright-new-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(to.Name()) }() // no longer there when it was renamed
	n, err := io.Copy(to, io.LimitReader(from, programBytes+1))
	if n > programBytes {
		err = errors.New("the program in the archive is too large")
	}
	if err = errors.Join(err, to.Chmod(0o755), to.Close()); err != nil {
		return err
	}
	old := program + ".old"
	_ = os.Remove(old)
	if err := os.Rename(program, old); err != nil { // Windows does not replace a running program, but renames it
		return err
	}
	if err := os.Rename(to.Name(), program); err != nil {
		return errors.Join(err, os.Rename(old, program))
	}
	_ = os.Remove(old) // on Windows the next update removes it
	return nil
}

// inArchive returns the program in an archive, a .tar.gz or .zip.
func inArchive(archive []byte) (io.Reader, error) {
	is := func(name string) bool {
		base := path.Base(name)
		return base == "tabwright" || base == "tabwright.exe"
	}
	if z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive))); err == nil {
		for _, f := range z.File {
			if is(f.Name) && f.Mode().IsRegular() {
				return f.Open()
			}
		}
		return nil, errors.New("no program in the archive")
	}
	gz, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	for t := tar.NewReader(gz); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil, errors.New("no program in the archive")
		}
		if err != nil {
			return nil, fmt.Errorf("read the archive: %w", err)
		}
		if is(h.Name) && h.Typeflag == tar.TypeReg {
			return t, nil
		}
	}
}
