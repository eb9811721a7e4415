//go:build unix

package config

import "os"

// openShared opens a file to append to, which may be renamed while it is open.
func openShared(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}
