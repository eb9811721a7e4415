package browser

import (
	"net/url"
	"strings"
	"time"
)

// Messages over a WebSocket have no end that Chrome reports, unlike requests. The answer to
// a message counts as complete when the socket was silent for socketQuiet.
const (
	// socketAnswer is how long the first answer may take.
	socketAnswer = 500 * time.Millisecond
	socketQuiet  = 250 * time.Millisecond
	// socketTime is the longest wait for all answers: some sockets are never silent.
	socketTime = 1500 * time.Millisecond
)

// maxForeign bounds how many sockets of other sites are known.
const maxForeign = 100

// socketEvent has the fields of Network.webSocketCreated, webSocketFrameSent and
// webSocketFrameReceived that are used here.
type socketEvent struct {
	ID  string `json:"requestId"`
	URL string `json:"url"` // of a new one
}

// talk is what a page said over its WebSockets since Listen.
type talk struct{ sent, last, heard time.Time }

// socketOpens notes sockets to other sites: they carry chats for support and statistics.
func (t *Tab) socketOpens(_ string, p socketEvent) bool {
	if f := t.frames[t.main]; f != nil && len(t.foreign) < maxForeign && domainOf(p.URL) != domainOf(f.url) {
		if t.foreign == nil {
			t.foreign = map[string]bool{}
		}
		t.foreign[p.ID] = true
	}
	return false
}

// domainOf returns the last two labels of an address's host.
func domainOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	labels := strings.Split(u.Hostname(), ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}

func (t *Tab) socketSends(session string, p socketEvent) bool {
	return t.noteTalk(session, p, func(said *talk) bool {
		if said.last = time.Now(); said.sent.IsZero() {
			said.sent = said.last
		}
		return true
	})
}

func (t *Tab) socketHears(session string, p socketEvent) bool {
	return t.noteTalk(session, p, func(said *talk) bool {
		if said.sent.IsZero() {
			return false
		}
		said.heard = time.Now()
		return true
	})
}

// noteTalk notes a message in all watches that listen; t.mu is held.
func (t *Tab) noteTalk(session string, p socketEvent, note func(*talk) bool) (noted bool) {
	if session != "" || t.foreign[p.ID] {
		return false
	}
	for w := range t.watches {
		if w.requests != nil && note(&w.said) {
			noted = true
		}
	}
	return noted
}

// left returns how much longer answers may come.
func (s talk) left() time.Duration {
	if s.sent.IsZero() {
		return 0
	}
	left := socketAnswer - time.Since(s.last)
	if !s.heard.Before(s.last) {
		left = socketQuiet - time.Since(s.heard)
	}
	return max(0, min(left, socketTime-time.Since(s.sent)))
}
