package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"
)

// KeysHealth is what there is to know of the stored keys, and none of them.
type KeysHealth struct {
	File  string // where keys are kept without a keyring
	Ring  bool   // the keyring of the operating system answers
	InUse bool   // the file holds a key
	Open  bool   // others may read the file
	Err   error  // why the file can't be used
}

// ringPatience bounds a question to the keyring that nobody waits for.
const ringPatience = 3 * time.Second

// CheckKeys looks at the places of the keys, and changes nothing.
func CheckKeys() KeysHealth {
	k := &keyStore{ring: osRing{}, file: filepath.Join(Dirs().Config, "keys.json"), patience: ringPatience}
	h := KeysHealth{File: k.file}
	err := k.onRing(func() error {
		_, err := k.ring.Get(service, "doctor")
		return err
	})
	h.Ring = err == nil || err == keyring.ErrNotFound //nolint:errorlint // as onRing gives it
	all, err := k.read()
	h.InUse, h.Err = len(all) > 0, err
	if st, e := os.Stat(k.file); e == nil && st.Mode().IsRegular() && runtime.GOOS != "windows" {
		h.Open = st.Mode().Perm()&0o077 != 0
	}
	return h
}

// MendKeys keeps others from the file of the keys, and gives one that can't be
// used another name.
func MendKeys() error {
	h := CheckKeys()
	if _, err := os.Lstat(h.File); err != nil {
		return err
	}
	if h.Err != nil {
		return os.Rename(h.File, keptName(h.File))
	}
	return os.Chmod(h.File, fs.FileMode(0o600))
}
