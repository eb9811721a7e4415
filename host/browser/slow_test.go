package browser_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"tabwright/host/browser/relay"
)

// holding keeps the first answers of a command from coming until they are given up.
type holding struct {
	relay.Caller
	method string
	left   atomic.Int32
}

func (h *holding) Call(ctx context.Context, method string, params, result any) error {
	text, err := json.Marshal(params)
	if err == nil && strings.Contains(string(text), `"`+h.method+`"`) && h.left.Add(-1) >= 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	return h.Caller.Call(ctx, method, params, result)
}

// A tab that was just opened, on a machine that takes its time, is under no dialog.
func TestSlowAttachIsNoDialog(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	s := newSite(t, map[string]string{"/": "one"})
	h := &holding{method: "Page.enable"}
	d, _ := connectRelayBy(t, func(c relay.Caller) relay.Caller {
		h.Caller = c
		return h
	})
	h.left.Store(1)
	tab := openTab(t, d, "")
	if got := tab.Dialog(); got != nil {
		t.Errorf("an empty tab is under %+v", *got)
	}
	if err := tab.Navigate(ctxFor(t), s.url("a.test", "/")); err != nil {
		t.Error(err)
	}
	if h.left.Load() > 0 {
		t.Error("nothing was held up")
	}
}
