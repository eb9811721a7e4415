package journal

import (
	"context"
	"fmt"
	"sync"

	"tabwright/host/native/wire"
)

// backlog is how many events a reader may lag behind before it is cut off; a
// reader that is cut off asks again from the last number it has.
const backlog = 4096

type sub struct {
	task string
	ch   chan wire.Event
	once sync.Once
}

// push hands an event over, and is false when the reader lags too far behind.
func (s *sub) push(ev wire.Event) bool {
	if s.task != "" && s.task != ev.Task {
		return true
	}
	select {
	case s.ch <- ev:
		return true
	default:
		return false
	}
}

func (s *sub) end() { s.once.Do(func() { close(s.ch) }) }

// Follow gives a task's events after seq (all tasks' after the broker-wide
// number when task is empty): first those that stand, then each as it comes,
// with none lost or doubled between the two. The channel is closed when ctx
// ends, the journal closes, or the reader lags more than 4096 events behind.
func (j *Journal) Follow(ctx context.Context, task string, after uint64) (old []wire.Event, live <-chan wire.Event, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if task == "" {
		old, err = j.All(after)
	} else {
		old, err = j.Events(task, after)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("follow: %w", err)
	}
	s := &sub{task: task, ch: make(chan wire.Event, backlog)}
	j.subs[s] = struct{}{}
	context.AfterFunc(ctx, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.drop(s)
	})
	return old, s.ch, nil
}

// drop ends a subscription; the caller holds mu.
func (j *Journal) drop(s *sub) {
	delete(j.subs, s)
	s.end()
}
