package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceDirInSteps renames the old folder, puts the new one in place, and
// removes the old one. If the second step fails, it restores the old one.
func replaceDirInSteps(fresh, dir string) error {
	old := fresh + ".old"
	err := os.Rename(dir, old)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	hadOld := err == nil
	if err := os.Rename(fresh, dir); err != nil {
		if hadOld {
			err = errors.Join(err, os.Rename(old, dir))
		}
		return err
	}
	if hadOld {
		return os.RemoveAll(old)
	}
	return nil
}

// replaceFiles moves the files of the folder fresh to their places in dir, and
// then removes the files of dir that fresh does not have.
func replaceFiles(fresh, dir string) error {
	keep := map[string]bool{}
	err := filepath.WalkDir(fresh, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(fresh, path)
		if err != nil {
			return err
		}
		keep[rel] = true
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, rel), 0o755)
		}
		return os.Rename(path, filepath.Join(dir, rel))
	})
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		switch {
		case err != nil || keep[rel]:
			return err
		case !d.IsDir():
			return os.Remove(path)
		}
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return fs.SkipDir
	})
}
