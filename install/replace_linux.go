package install

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// replaceDir puts the folder fresh at dir. If dir exists, the two are exchanged
// in one step, so that for Chrome the folder is never missing; fresh is then
// the old folder.
func replaceDir(fresh, dir string) error {
	err := os.Rename(fresh, dir)
	if err == nil {
		return nil
	}
	if _, e := os.Lstat(dir); e != nil {
		return err
	}
	err = unix.Renameat2(unix.AT_FDCWD, fresh, unix.AT_FDCWD, dir, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return replaceDirInSteps(fresh, dir) // not every file system can exchange
	}
	return err
}
