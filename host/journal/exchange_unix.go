//go:build unix

package journal

import (
	"errors"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// exchange puts the file next, which is open as db, in the place of the one in use.
func (f *file) exchange(db *bolt.DB, next string) error {
	if err := os.Rename(next, f.path); err != nil {
		return errors.Join(err, db.Close(), os.Remove(next))
	}
	old := f.db
	f.db = db
	return errors.Join(old.Close(), syncFolder(filepath.Dir(f.path)))
}

// syncFolder makes a new name in a folder outlast a loss of power.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
