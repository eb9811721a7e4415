package journal

import (
	"fmt"

	bolt "go.etcd.io/bbolt"

	"tabwright/host/native/wire"
)

// interruptAll marks what was under way as interrupted and open cards as void.
func (j *Journal) interruptAll() error {
	tasks, err := j.Tasks(1 << 30)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if Ended(t.State) {
			continue
		}
		if err := j.interrupt(t); err != nil {
			return fmt.Errorf("mark task %s interrupted: %w", t.Task, err)
		}
	}
	return nil
}

func (j *Journal) interrupt(t Task) error {
	if t.State == wire.TaskConfirming {
		if err := j.voidCard(t.Task); err != nil {
			return err
		}
	}
	return j.db.Update(func(tx *bolt.Tx) error {
		t, err := getTask(tx, t.Task)
		if err != nil {
			return err
		}
		t.State, t.Resumable = wire.TaskInterrupted, t.Kind == ""
		return putTask(tx, t)
	})
}

func (j *Journal) voidCard(task string) error {
	evs, err := j.Events(task, 0)
	if err != nil {
		return err
	}
	for i := len(evs) - 1; i >= 0; i-- {
		if evs[i].Type == wire.EvConfirmRequest {
			c := *evs[i].Confirm
			c.Answer, c.By = "void", "restart"
			_, err := j.Append(wire.Event{Task: task, Type: wire.EvConfirmResult, Confirm: &c})
			return err
		}
	}
	return nil
}
