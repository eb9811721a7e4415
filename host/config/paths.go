package config

import (
	"os"
	"path/filepath"
	"runtime"
)

// Paths are the places of Tabwright on this computer.
type Paths struct {
	Config string // folder of the settings
	File   string // the settings
	Data   string // the extension, the journal
	State  string // logs
}

// Dirs looks the places up: the XDG folders, on macOS ~/Library/Application
// Support. It reads the environment each time, so that a test or a launcher
// that changes it is obeyed. Nothing is created.
func Dirs() Paths {
	home, _ := os.UserHomeDir()
	base := func(env, linux string) string {
		if v := os.Getenv(env); filepath.IsAbs(v) { // relative ones are to be disregarded, says the specification
			return filepath.Join(v, "tabwright")
		}
		if runtime.GOOS == "darwin" {
			return filepath.Join(home, "Library", "Application Support", "tabwright")
		}
		return filepath.Join(home, filepath.FromSlash(linux), "tabwright")
	}
	p := Paths{
		Config: base("XDG_CONFIG_HOME", ".config"),
		Data:   base("XDG_DATA_HOME", ".local/share"),
		State:  base("XDG_STATE_HOME", ".local/state"),
	}
	p.File = filepath.Join(p.Config, "config.yaml")
	return p
}

// writePrivate writes a file that only its owner may read, beside the old one
// and then over it, so that no reader sees half a file.
func writePrivate(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// The file of a user who keeps it elsewhere and links to it stays there.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // made with 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if e := f.Sync(); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
