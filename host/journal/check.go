package journal

import (
	"errors"
	"fmt"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterr "go.etcd.io/bbolt/errors"
)

// ErrDamaged says that a journal can't be read; Open begins a new one then.
var ErrDamaged = errors.New("the journal is damaged")

// Check says why the journal at path could not be opened, and changes nothing. One
// that another process has open is whole.
func Check(path string) error {
	st, err := os.Stat(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", path)
	}
	if err == nil && st.Size() == 0 {
		return nil // as a process leaves it that was killed right away
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{ReadOnly: true, Timeout: 50 * time.Millisecond})
	switch {
	case err == nil:
		return db.Close()
	case errors.Is(err, bolterr.ErrTimeout):
		return nil
	case damaged(err):
		return fmt.Errorf("%s: %w", path, errors.Join(ErrDamaged, err))
	}
	return fmt.Errorf("open journal %s: %w", path, err)
}

// damaged says that a file holds no journal that could be read.
func damaged(err error) bool {
	return errors.Is(err, bolterr.ErrInvalid) || errors.Is(err, bolterr.ErrChecksum) || errors.Is(err, bolterr.ErrVersionMismatch)
}
