package action

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tabwright/host/browser"
)

// The page that a task's tab was opened at is waited for, and is an error where it
// can't be loaded: nobody is asked what to do with a page that is not there.
func TestThePageThatATabWasOpenedAt(t *testing.T) {
	const at = "https://shop.test/"
	refused := &browser.NavError{URL: at, Text: "net::ERR_CONNECTION_REFUSED"}
	for _, c := range []struct {
		name  string
		set   func(*rig)
		fails string // empty: it is looked at
		sent  string
	}{
		{"it is there", func(*rig) {}, "", ""},
		{"it can't be loaded", func(r *rig) { r.tab.failed, r.tab.stays = at, refused }, "ERR_CONNECTION_REFUSED", "navigate(" + at + ")"},
		{"it loads the second time", func(r *rig) { r.tab.failed = at }, "", "navigate(" + at + ")"},
		{"it comes late", func(r *rig) {
			r.main.url = "about:blank"
			n := 0
			r.tab.onOpened = func() bool {
				if n++; n == 2 {
					r.main.url = at
				}
				return n == 2
			}
		}, "", ""},
		{"it never comes", func(r *rig) {
			r.main.url = "about:blank"
			r.tab.onOpened = func() bool { return false }
		}, "no page came in ", ""},
		{"it is a file", func(r *rig) {
			r.main.url = "about:blank"
			r.tab.onOpened = func() bool { return false }
			r.tab.state.Downloads = []browser.Download{{URL: at}}
		}, "", ""},
		{"it loads without an end", func(r *rig) { r.tab.onOpened = func() bool { return false } }, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.o.Opened = true
			c.set(r)
			_, err := r.Observe(context.Background(), ObserveOptions{})
			var ae *Error
			switch {
			case c.fails == "" && err != nil:
				t.Error(err)
			case c.fails != "" && (!errors.As(err, &ae) || ae.Code != NavigationFailed || !strings.Contains(ae.Message, c.fails)):
				t.Errorf("%v", err)
			}
			if r.tab.log() != c.sent {
				t.Errorf("sent %q, want %q", r.tab.log(), c.sent)
			}
			if _, err := r.Observe(context.Background(), ObserveOptions{}); c.fails == "" && err != nil {
				t.Errorf("the next look: %v", err)
			}
		})
	}
}
