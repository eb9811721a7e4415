package journal

import (
	"encoding/json"

	bolt "go.etcd.io/bbolt"

	"tabwright/host/native/wire"
)

// OutcomeUnknown is the outcome of a step whose act began and of which nobody
// knows what came.
const OutcomeUnknown = "unknown"

// StartAct records an act before its input is sent; it is on disk when this
// returns.
func (j *Journal) StartAct(task string, a Act) error {
	raw, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return j.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketActs).Put([]byte(task), raw) })
}

// FinishAct takes the record away once the outcome is known. The event of a
// step's result has done that already; then nothing is written.
func (j *Journal) FinishAct(task string) error {
	if _, ok, err := j.Unfinished(task); err != nil || !ok {
		return err
	}
	return j.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketActs).Delete([]byte(task)) })
}

// Unfinished gives the act of a task that started and did not finish: its
// outcome is unknown and it must not be blindly repeated.
func (j *Journal) Unfinished(task string) (a Act, ok bool, err error) {
	err = j.db.View(func(tx *bolt.Tx) error {
		raw := tx.Bucket(bucketActs).Get([]byte(task))
		if raw == nil {
			return nil
		}
		ok = true
		return json.Unmarshal(raw, &a)
	})
	return a, ok, err
}

// Doubts gives the acts of a task whose outcome could not be found out, oldest
// first, until Settle or a later result of the same step.
func (j *Journal) Doubts(task string) (out []Act, err error) {
	prefix := doubtKey(task, 0)[:len(task)+1]
	err = j.db.View(func(tx *bolt.Tx) error {
		c := tx.Bucket(bucketDoubts).Cursor()
		for k, raw := c.Seek(prefix); k != nil && hasPrefix(k, prefix); k, raw = c.Next() {
			var a Act
			if err := json.Unmarshal(raw, &a); err != nil {
				return err
			}
			out = append(out, a)
		}
		return nil
	})
	return out, err
}

// Settle ends the doubt about a step: the user has answered for it.
func (j *Journal) Settle(task string, step int) error {
	return j.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(bucketDoubts).Delete(doubtKey(task, step)) })
}

// endAct is what a step's result means for the act of it: it is finished, or it
// stays as a doubt.
func endAct(tx *bolt.Tx, task string, s *wire.StepInfo) error {
	acts, doubts := tx.Bucket(bucketActs), tx.Bucket(bucketDoubts)
	raw := acts.Get([]byte(task))
	var a Act
	if raw != nil {
		if err := json.Unmarshal(raw, &a); err != nil {
			return err
		}
	}
	if s.Outcome != OutcomeUnknown {
		if err := doubts.Delete(doubtKey(task, s.N)); err != nil {
			return err
		}
	} else if raw != nil && a.Step == s.N {
		if err := doubts.Put(doubtKey(task, s.N), append([]byte(nil), raw...)); err != nil {
			return err
		}
	}
	if raw == nil {
		return nil
	}
	return acts.Delete([]byte(task))
}

func doubtKey(task string, step int) []byte {
	return eventKey(task, uint64(step)) //nolint:gosec // a hook's number is below zero, and sorts last
}
