package agent

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// sharedHands are hands beside a user, who uses the tab once, while the model
// decides.
type sharedHands struct {
	fakeHands
	used atomic.Int32
	done chan struct{} // closed when they are still
}

func (h *sharedHands) AwaitUserIdle(ctx context.Context, waiting func()) (bool, error) {
	if h.used.Add(1) > 1 {
		return false, nil
	}
	waiting()
	select {
	case <-h.done:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// TestAPersonInTheTabGoesFirst: the task pauses until they are still, and what
// was decided meanwhile is not done: the page is looked at again.
func TestAPersonInTheTabGoesFirst(t *testing.T) {
	rec := newRecord()
	m := &fakeModel{script: script{calls(act("click", `{"index":1}`)), calls(act("click", `{"index":2}`)), done("ok")}}
	var clicked []string
	h := &sharedHands{done: make(chan struct{})}
	h.do = func(_ context.Context, c action.Call) action.Result {
		clicked = append(clicked, string(c.Params))
		return action.Result{Text: "OK", PageRev: 1}
	}
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{Text: "x", Model: m, Executor: h, Record: rec, User: NewUserChannel(rec)})
	}()
	if ev := rec.await(t, wire.EvPaused); !strings.Contains(ev.Text, "using the tab") {
		t.Errorf("it says %q", ev.Text)
	}
	close(h.done)
	rec.await(t, wire.EvResumed)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if len(clicked) != 1 || clicked[0] != `{"index":2}` {
		t.Errorf("done on a page that had changed: %v", clicked)
	}
	told := ""
	for _, msg := range m.reqs[1].Messages {
		told += msg.PlainText() + "\n"
	}
	if !strings.Contains(told, "the user used the tab") {
		t.Errorf("the model was told\n%s", told)
	}
}

// TestStopWhileThePersonUsesTheTab ends the task at once.
func TestStopWhileThePersonUsesTheTab(t *testing.T) {
	rec := newRecord()
	m := &fakeModel{script: script{calls(act("click", `{"index":1}`))}}
	h := &sharedHands{done: make(chan struct{})}
	ctx, stop := context.WithCancelCause(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Text: "x", Model: m, Executor: h, Record: rec, User: NewUserChannel(rec)})
	}()
	rec.await(t, wire.EvPaused)
	stop(ErrStopped)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	rec.await(t, wire.EvCancelled)
}
