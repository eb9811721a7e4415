//go:build !linux

package install

import (
	"os"
	"runtime"
)

// replaceDir puts the folder fresh at dir. Windows does not rename a folder in
// which a file is open; then the files are replaced one by one.
func replaceDir(fresh, dir string) error {
	err := replaceDirInSteps(fresh, dir)
	if _, e := os.Lstat(fresh); err == nil || runtime.GOOS != "windows" || e != nil {
		return err
	}
	return replaceFiles(fresh, dir)
}
