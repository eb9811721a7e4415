package journal

import (
	"bytes"
	"errors"

	bolt "go.etcd.io/bbolt"
)

var bucketFlows = []byte("flows") // id → a workflow's state

// ErrNoFlow is the error for an id that the journal holds no workflow of.
var ErrNoFlow = errors.New("no such workflow")

// KeptFlows is how many workflows stay; the oldest go.
const KeptFlows = 200

// PutFlow writes a workflow's state; it is on disk when this returns.
func (j *Journal) PutFlow(id string, state []byte) error {
	return j.db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucketFlows)
		if err != nil {
			return err
		}
		if b.Get([]byte(id)) == nil && b.Stats().KeyN >= KeptFlows {
			k, _ := b.Cursor().First() // ids sort by time
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return b.Put([]byte(id), state)
	})
}

// Flow gives a workflow's state.
func (j *Journal) Flow(id string) (state []byte, err error) {
	err = j.db.View(func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucketFlows); b != nil {
			state = bytes.Clone(b.Get([]byte(id)))
		}
		if state == nil {
			return ErrNoFlow
		}
		return nil
	})
	return state, err
}

// RemoveFlows takes workflows' states out; a moment later nothing of them is in
// the file.
func (j *Journal) RemoveFlows(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	defer j.wipe.soon(j)
	return j.db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketFlows)
		if b == nil {
			return nil
		}
		if err := markWipe(tx); err != nil {
			return err
		}
		for _, id := range ids {
			if err := b.Delete([]byte(id)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Flows gives the states of the newest workflows first, at most limit of them.
func (j *Journal) Flows(limit int) ([][]byte, error) {
	var out [][]byte
	err := j.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketFlows)
		if b == nil {
			return nil
		}
		c := b.Cursor()
		for k, v := c.Last(); k != nil && len(out) < limit; k, v = c.Prev() {
			out = append(out, bytes.Clone(v))
		}
		return nil
	})
	return out, err
}
