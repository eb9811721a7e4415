package journal

import (
	"errors"
	"os"

	bolt "go.etcd.io/bbolt"
)

// exchange puts the file next, which is open as db, in the place of the one in use.
// Windows renames no file that is mapped, so both are closed for it, and what then
// has the name is opened.
func (f *file) exchange(db *bolt.DB, next string) error {
	err := errors.Join(db.Close(), f.db.Close())
	if err == nil {
		err = os.Rename(next, f.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(next))
	}
	again, openErr := openFile(f.path)
	if openErr == nil {
		f.db = again.db
	}
	return errors.Join(err, openErr)
}
