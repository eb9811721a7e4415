package journal

import (
	"bytes"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// Prune removes the oldest tasks with all their events until at most keep are
// left: a journal that only grows would slow every start. Tasks under way stay.
func (j *Journal) Prune(keep int) error {
	tasks, err := j.Tasks(1 << 30)
	if err != nil || len(tasks) <= keep {
		return err
	}
	for _, t := range tasks[keep:] { // newest first
		if !Ended(t.State) {
			continue
		}
		if err := j.db.Update(func(tx *bolt.Tx) error { return removeTask(tx, t.Task) }); err != nil {
			return fmt.Errorf("remove old task %s: %w", t.Task, err)
		}
	}
	return nil
}

func removeTask(tx *bolt.Tx, id string) error {
	events := tx.Bucket(bucketEvents)
	prefix := append([]byte(id), 0)
	if err := dropGlobal(tx.Bucket(bucketGlobal), prefix); err != nil {
		return err
	}
	c := events.Cursor()
	// Seek anew after each: deleting moves a bolt cursor on.
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Seek(prefix) {
		if err := c.Delete(); err != nil {
			return err
		}
	}
	if err := tx.Bucket(bucketActs).Delete([]byte(id)); err != nil {
		return err
	}
	return tx.Bucket(bucketTasks).Delete([]byte(id))
}

// dropGlobal removes the broker-wide numbers of a task's events. Tasks overlap,
// so each number is looked at; the oldest come first.
func dropGlobal(b *bolt.Bucket, prefix []byte) error {
	var gone [][]byte
	c := b.Cursor()
	for k, v := c.First(); k != nil; k, v = c.Next() {
		if bytes.HasPrefix(v, prefix) {
			gone = append(gone, bytes.Clone(k))
		}
	}
	for _, k := range gone {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
