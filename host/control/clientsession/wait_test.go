package clientsession

import (
	"context"
	"sync"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// cards keeps what is recorded of questions.
type cards struct {
	mu   sync.Mutex
	kept []wire.Event
	open chan struct{}
}

func (c *cards) Emit(ev wire.Event) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = append(c.kept, ev)
	if ev.Type == wire.EvConfirmRequest {
		close(c.open)
	}
	return nil
}

func (*cards) Delta(string, string)       {}
func (*cards) StartAct(journal.Act) error { return nil }
func (*cards) FinishAct() error           { return nil }

// A program's question waits 120 s, and running out is a no that is recorded.
func TestAProgramsQuestionRunsOut(t *testing.T) {
	rec := &cards{open: make(chan struct{})}
	s := &Session{desk: agent.NewUserChannel(rec)}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-rec.open
		cancel() // the time is over
	}()
	began := time.Now()
	answer, err := confirmer{s}.Confirm(ctx, action.Card{Action: "click", Target: `button "Pay"`})
	if err != nil || answer.Allow || answer.By != "limit" {
		t.Errorf("%+v, %v", answer, err)
	}
	if len(rec.kept) != 2 || rec.kept[1].Type != wire.EvConfirmResult || rec.kept[1].Confirm.Answer != "expired" {
		t.Fatalf("recorded: %+v", rec.kept)
	}
	if left := time.UnixMilli(rec.kept[0].Confirm.Expires).Sub(began); left < 119*time.Second || left > 125*time.Second {
		t.Errorf("the card runs out after %s", left)
	}
}
