//go:build !linux

package install

// replaceDir puts the folder fresh at dir.
func replaceDir(fresh, dir string) error { return replaceDirInSteps(fresh, dir) }
