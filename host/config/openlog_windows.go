package config

import (
	"os"

	"golang.org/x/sys/windows"
)

// openShared opens a file to append to, which may be renamed while it is open:
// Windows allows it only if each who has it open does, and os.OpenFile does not.
// Without FILE_WRITE_DATA each write goes to the end, as with O_APPEND.
func openShared(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.FILE_GENERIC_WRITE&^windows.FILE_WRITE_DATA|windows.FILE_READ_ATTRIBUTES,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
