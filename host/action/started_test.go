package action

import (
	"context"
	"errors"
	"testing"
	"time"

	"tabwright/safety"
)

// slowDiary is a Watcher whose disk answers when it is let.
type slowDiary struct{ disk chan error }

func (d slowDiary) OnActStart(context.Context, Call, string, string, safety.Level) error {
	return <-d.disk
}
func (slowDiary) Notify(context.Context, string, map[string]string) {}

// The act is written while its guard is put up, and no input is sent before it
// is on disk, or where it can't be.
func TestInputWaitsForTheDisk(t *testing.T) {
	for _, call := range []struct{ name, params string }{
		{"click", `{"selector":"#n1"}`}, {"type", `{"selector":"#n2","text":"ab"}`}, {"pressKey", `{"key":"a"}`},
	} {
		for _, bad := range []error{nil, errors.New("no space left on device")} {
			r := newRig(t, node(1, "button", "Count"), node(2, "textbox", "Note"))
			r.main.focus = 2
			d := slowDiary{make(chan error)}
			r.o.Watcher = d
			armed := make(chan struct{}, 1)
			r.main.onCall = func(fn string) {
				if fn == "arm" {
					armed <- struct{}{}
				}
			}
			got := make(chan Result, 1)
			go func() { got <- r.do(call.name, call.params) }()
			select {
			case <-armed:
			case <-time.After(5 * time.Second):
				t.Fatalf("%s: the guard waits for the disk", call.name)
			}
			if sent := r.tab.log(); sent != "" {
				t.Errorf("%s: sent %q before the act was on disk", call.name, sent)
			}
			d.disk <- bad
			res := <-got
			if (bad == nil) != (res.Err == nil) || res.Sent != (bad == nil) || (r.tab.log() == "") != (bad != nil) {
				t.Errorf("%s, disk %v: error %v, sent %v %q", call.name, bad, res.Err, res.Sent, r.tab.log())
			}
			if r.main.called("arm") != r.main.called("disarm") {
				t.Errorf("%s: %d guards put up, %d taken away", call.name, r.main.called("arm"), r.main.called("disarm"))
			}
		}
	}
}
