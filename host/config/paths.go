package config

import (
	"os"
	"path/filepath"

	"tabwright/install/folders"
)

// Paths are the places of Tabwright on this computer.
type Paths struct {
	Config string // folder of the settings
	File   string // the settings
	Data   string // the extension, the journal
	State  string // logs
}

// Dirs looks the places up, in the environment of this moment. Nothing is
// created.
func Dirs() Paths {
	f := folders.Here()
	p := Paths{
		Config: filepath.Join(f.Config, "tabwright"),
		Data:   filepath.Join(f.Data, "tabwright"),
		State:  filepath.Join(f.State, "tabwright"),
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
