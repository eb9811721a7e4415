package journal

import (
	"encoding/binary"

	bolt "go.etcd.io/bbolt"
)

// HighWater gives the highest index ever given in a tab (profile and tab id
// make the key), 0 for none.
func (j *Journal) HighWater(tab string) (n int, err error) {
	err = j.db.View(func(tx *bolt.Tx) error {
		if raw := tx.Bucket(bucketMarks).Get([]byte(tab)); len(raw) == 8 {
			n = int(binary.BigEndian.Uint64(raw)) //nolint:gosec // written by SetHighWater from an int
		}
		return nil
	})
	return n, err
}

// SetHighWater raises a tab's mark; it never falls.
func (j *Journal) SetHighWater(tab string, n int) error {
	return j.db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketMarks)
		if raw := b.Get([]byte(tab)); len(raw) == 8 && binary.BigEndian.Uint64(raw) >= uint64(n) { //nolint:gosec // n is a count
			return nil
		}
		return b.Put([]byte(tab), binary.BigEndian.AppendUint64(nil, uint64(n))) //nolint:gosec // n is a count
	})
}
