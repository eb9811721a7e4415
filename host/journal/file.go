package journal

import (
	"errors"
	"os"
	"sync"

	bolt "go.etcd.io/bbolt"
)

// file is the open database, which can be exchanged for a rewritten one while
// others use it.
type file struct {
	path string
	mu   sync.RWMutex // written only to exchange db
	db   *bolt.DB
}

// openFile opens path and locks it. A process that waited for the lock may get
// that of a file which was rewritten meanwhile and has no name any more: then
// it opens again.
func openFile(path string) (*file, error) {
	for range 3 {
		var opened os.FileInfo
		db, err := bolt.Open(path, 0o600, &bolt.Options{
			Timeout: lockWait,
			OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
				f, err := os.OpenFile(name, flag, mode)
				if err == nil {
					opened, err = f.Stat()
				}
				return f, err
			},
		})
		if err != nil {
			return nil, err
		}
		if named, err := os.Stat(path); err == nil && os.SameFile(opened, named) {
			return &file{path: path, db: db}, nil
		}
		if err := db.Close(); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("another process exchanges it again and again")
}

// View reads in a transaction.
func (f *file) View(fn func(*bolt.Tx) error) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.db.View(fn)
}

// Update writes in a transaction, which is on disk when this returns.
func (f *file) Update(fn func(*bolt.Tx) error) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.db.Update(fn)
}

// Stats are bolt's counts since the file was opened or rewritten.
func (f *file) Stats() bolt.Stats {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.db.Stats()
}

// Close waits for the transactions that are open.
func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.db.Close()
}

// rewrite writes what the file holds into a new one, which takes its place:
// bolt leaves what was deleted in pages that it may use again some day. The new
// file is locked before it has the name. If it fails, the old one stays in use.
func (f *file) rewrite() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := f.path + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	db, err := bolt.Open(next, 0o600, &bolt.Options{Timeout: lockWait, NoSync: true})
	if err != nil {
		return err
	}
	err = bolt.Compact(db, f.db, rewriteTx)
	if err == nil {
		err = db.Sync()
	}
	if err != nil {
		return errors.Join(err, db.Close(), os.Remove(next))
	}
	db.NoSync = false
	return f.exchange(db, next)
}

// rewriteTx is how many bytes are copied in one transaction.
const rewriteTx = 4 << 20
