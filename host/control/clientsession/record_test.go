package clientsession

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// slowRecord is a journal whose disk answers when it is let.
type slowRecord struct {
	mu    sync.Mutex
	order []string
	disk  chan error
}

func (r *slowRecord) Emit(ev wire.Event) error {
	var err error
	if ev.Type == wire.EvToolCall {
		err = <-r.disk
	}
	r.add(string(ev.Type))
	return err
}

func (r *slowRecord) Delta(string, string) {}

func (r *slowRecord) StartAct(journal.Act) error {
	r.add("act")
	return nil
}

func (r *slowRecord) FinishAct() error { return nil }

func (r *slowRecord) add(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.order = append(r.order, what)
}

// The start of a step is written while the page is looked at, and yet nothing
// of the step is recorded before it; where it can't be written, nothing is sent.
func TestStepBeginsOnDiskBeforeItsAct(t *testing.T) {
	for _, bad := range []error{nil, errors.New("no space left on device")} {
		slow := &slowRecord{disk: make(chan error)}
		r := &record{s: &Session{}, next: slow}
		r.begin(wire.Event{Type: wire.EvToolCall})
		got := make(chan error, 1)
		go func() { got <- r.StartAct(journal.Act{}) }()
		select {
		case err := <-got:
			t.Fatalf("the act is recorded before the step it is a part of (%v)", err)
		case slow.disk <- bad:
		}
		if err := <-got; !errors.Is(err, bad) {
			t.Fatalf("StartAct gave %v where the disk gave %v", err, bad)
		}
		want := []string{"tool_call"}
		if bad == nil {
			want = append(want, "act")
		}
		if !slices.Equal(slow.order, want) {
			t.Fatalf("recorded %v, want %v", slow.order, want)
		}
	}
}

// The end of a step that only looked is written behind the answer, in its order,
// and no more than two such steps are on their way.
func TestLooksAreRecordedBehindTheAnswer(t *testing.T) {
	slow := &slowRecord{disk: make(chan error)}
	r := &record{s: &Session{}, next: slow}
	step := func() {
		r.begin(wire.Event{Type: wire.EvToolCall})
		r.emitLook(wire.Event{Type: wire.EvToolResult})
	}
	step() // comes back while the disk has written nothing
	second := make(chan struct{})
	go func() {
		defer close(second)
		step()
	}()
	select {
	case <-second:
		t.Fatal("a second step ended while nothing of the first was on disk")
	case <-time.After(50 * time.Millisecond):
	}
	slow.disk <- nil
	<-second
	slow.disk <- nil
	r.begin(wire.Event{Type: wire.EvToolCall})
	slow.disk <- nil
	if err := r.StartAct(journal.Act{}); err != nil {
		t.Fatal(err)
	}
	if !r.hasActed() {
		t.Error("a step that acts counts as one that looks")
	}
	want := []string{"tool_call", "tool_result", "tool_call", "tool_result", "tool_call", "act"}
	if !slices.Equal(slow.order, want) {
		t.Fatalf("recorded %v, want %v", slow.order, want)
	}
}
