package journal

import (
	"bytes"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"tabwright/host/native/wire"
)

// Prune removes the oldest tasks with all their events until at most keep are
// left: a journal that only grows would slow every start. Tasks under way stay.
func (j *Journal) Prune(keep int) error {
	tasks, err := j.Tasks(1 << 30)
	if err != nil || len(tasks) <= keep {
		return err
	}
	var old []string
	for _, t := range tasks[keep:] { // newest first
		if Ended(t.State) {
			old = append(old, t.Task)
		}
	}
	return j.take(old)
}

// Remove takes tasks with all their events out, and the titles of conversations
// of which nothing is left. A moment later nothing of them is in the file.
func (j *Journal) Remove(tasks ...string) error {
	if len(tasks) == 0 {
		return nil
	}
	// Marked first, so that a program that ends in the middle makes it good.
	if err := j.db.Update(markWipe); err != nil {
		return err
	}
	defer j.wipe.soon(j)
	return j.take(tasks)
}

func (j *Journal) take(tasks []string) error {
	for _, id := range tasks {
		if err := j.db.Update(func(tx *bolt.Tx) error { return removeTask(tx, id) }); err != nil {
			return fmt.Errorf("remove task %s: %w", id, err)
		}
	}
	if len(tasks) == 0 {
		return nil
	}
	left, err := j.Tasks(1 << 30)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, t := range left {
		known[t.Conversation] = true
	}
	return j.db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucketTitles)
		var gone [][]byte
		if err := b.ForEach(func(k, _ []byte) error {
			if !known[string(k)] {
				gone = append(gone, bytes.Clone(k))
			}
			return nil
		}); err != nil {
			return err
		}
		for _, k := range gone {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetTitle gives a conversation a title; an empty one takes it away.
func (j *Journal) SetTitle(conversation, title string) error {
	return j.db.Update(func(tx *bolt.Tx) error {
		if title == "" {
			return tx.Bucket(bucketTitles).Delete([]byte(conversation))
		}
		return tx.Bucket(bucketTitles).Put([]byte(conversation), []byte(title))
	})
}

// Titles gives the titles that the user gave, by conversation.
func (j *Journal) Titles() (map[string]string, error) {
	out := map[string]string{}
	err := j.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(bucketTitles).ForEach(func(k, v []byte) error {
			out[string(k)] = string(v)
			return nil
		})
	})
	return out, err
}

// Last gives the newest event of a task; ok is false where it has none.
func (j *Journal) Last(t Task) (ev wire.Event, ok bool, err error) {
	err = j.db.View(func(tx *bolt.Tx) error {
		raw := tx.Bucket(bucketEvents).Get(eventKey(t.Task, t.Seq))
		if raw == nil {
			return nil
		}
		ok = true
		return json.Unmarshal(raw, &ev)
	})
	return ev, ok, err
}

func removeTask(tx *bolt.Tx, id string) error {
	events := tx.Bucket(bucketEvents)
	prefix := append([]byte(id), 0)
	if err := dropGlobal(tx.Bucket(bucketGlobal), prefix); err != nil {
		return err
	}
	doubts := tx.Bucket(bucketDoubts).Cursor()
	for k, _ := doubts.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = doubts.Seek(prefix) {
		if err := doubts.Delete(); err != nil {
			return err
		}
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
