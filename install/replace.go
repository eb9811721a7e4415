package install

import (
	"errors"
	"os"
)

// replaceDirInSteps moves the old folder away, the new one in, and removes the
// old one; if the second step fails the old one comes back.
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
