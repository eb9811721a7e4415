package browser

import (
	"context"
	"encoding/base64"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// What a press does is certain only when the page sends a request. So if the names
// in a page do not show what an act does, the requests during the act are held
// until they are allowed: those of scripts (fetch, XHR, beacons) and of documents,
// in every frame and dedicated worker, and the messages of WebSockets (messages.go). Not seen are
// requests of shared and service workers, and WebSockets of workers.

// Held is a request that waits for AnswerHeld. The watch's Close stops it.
type Held struct {
	ID     string // of Fetch.requestPaused
	Method string // "SEND" for a message
	URL    string
	Type   string // "XHR", "Fetch", "Ping", "Document" or MessageType
	Mime   string // the body's content type
	Body   string // as Chrome reports it: without the contents of files
	Before string // the JSON that the page sent there before; empty if none is known
	sent   string // its id among the tab's sent bodies

	session string
	hold    *messageHold // of a message
	n       int          // of a message in its hold
}

// maxHeld is how many requests are held at once; further ones are stopped.
const maxHeld = 32

// Hold holds the requests for which asks returns true, from when ready returns
// until Close. asks runs on the goroutine that reads the connection or on one that
// reads messages, several at once: it must not call the tab or wait.
func (w *Watch) Hold(ctx context.Context, asks func(Held) bool) (ready func()) {
	t := w.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.asks == nil {
		t.wide.users++
	}
	w.asks = asks
	return t.use(ctx, &t.wide, t.liveSessions())
}

// isHolding reports whether the requests of scripts are paused.
func (t *Tab) isHolding() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.wide.is()
}

// liveSessions returns the sessions of the tab's frames; t.mu is held.
func (t *Tab) liveSessions() []cdp.Session {
	var out []cdp.Session
	for _, s := range t.sessions {
		out = append(out, s.cdp)
	}
	return out
}

// pattern is DevTools' Fetch.RequestPattern.
type pattern struct {
	URL   string `json:"urlPattern"`
	Type  string `json:"resourceType"`
	Stage string `json:"requestStage"`
}

// patterns returns the params of Fetch.enable that pause the requests of documents,
// and, if scripts is true, those of scripts.
func patterns(scripts bool) map[string]any {
	out := []pattern{{"*", "Document", "Request"}}
	if scripts {
		for _, kind := range []string{"XHR", "Fetch", "Ping"} {
			out = append(out, pattern{"*", kind, "Request"})
		}
	}
	return map[string]any{"patterns": out}
}

// holdTime is how long abandoned waits.
const holdTime = 2 * time.Second

func catchRequests(ctx context.Context, s cdp.Session, on bool) error {
	return s.Call(ctx, "Fetch.enable", patterns(on), nil)
}

// stopHolding stops the requests that this watch holds. When no watch holds any more,
// requests are not paused. t.mu is held.
func (w *Watch) stopHolding() {
	t := w.tab
	if w.asks == nil {
		return
	}
	w.asks = nil
	for _, h := range w.state.Held {
		t.abandon(h)
	}
	w.state.Held = nil
	t.leave(&t.wide)
}

// holds gives a request to a watch that wants it held, and reports whether one does.
func (t *Tab) holds(session string, p paused) bool {
	h := p.held(session)
	h.sent, h.Before = p.Network, t.sentBefore(p.Network, bodyAddress(h.Method, p.Request.URL))
	return t.isAsked(h)
}

// isAsked keeps a request for a watch that asks about it, and reports whether there is one.
func (t *Tab) isAsked(h Held) bool {
	t.mu.Lock()
	var askers []*Watch
	for w := range t.watches {
		if w.asks != nil {
			askers = append(askers, w)
		}
	}
	t.mu.Unlock()
	for _, w := range askers {
		t.mu.Lock()
		asks := w.asks
		t.mu.Unlock()
		if asks == nil || !asks(h) {
			continue
		}
		t.mu.Lock()
		kept := w.asks != nil && len(w.state.Held) < maxHeld
		if kept {
			w.state.Held = append(w.state.Held, h)
			w.state.Last = time.Now()
			t.bump()
		}
		t.mu.Unlock()
		if !kept {
			t.abandon(h)
		}
		return true
	}
	return false
}

// AnswerHeld continues a request if let is true, else aborts it. An error means
// that the request does not wait any more: the page cancelled it.
func (w *Watch) AnswerHeld(ctx context.Context, h Held, let bool) error {
	t := w.tab
	t.mu.Lock()
	w.state.Held = slices.DeleteFunc(w.state.Held, func(x Held) bool { return x.ID == h.ID && x.session == h.session })
	t.mu.Unlock()
	return t.endHeld(ctx, h, let)
}

// abandon aborts a request that nobody will answer. It does not wait, since it is
// called on the goroutine that reads events, and with t.mu held.
func (t *Tab) abandon(h Held) {
	t.abandoning.Add(1)
	go func() {
		defer t.abandoning.Add(-1)
		_ = t.endHeld(context.Background(), h, false) // the page may have cancelled it
	}()
}

// abandoned waits until Chrome has been told of all abandoned requests. It would
// continue a request that still waits when its session ends.
func (t *Tab) abandoned(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, holdTime)
	defer cancel()
	for t.abandoning.Load() > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// forgetHeld forgets the held requests of a session that has ended; t.mu is held.
func (t *Tab) forgetHeld(session string) {
	for w := range t.watches {
		w.state.Held = slices.DeleteFunc(w.state.Held, func(h Held) bool { return h.session == session })
	}
}

func (t *Tab) endHeld(ctx context.Context, h Held, let bool) error {
	ctx, cancel := context.WithTimeout(ctx, refuseTime)
	defer cancel()
	t.mu.Lock()
	s := t.sessions[h.session]
	t.mu.Unlock()
	if s == nil {
		return ErrDocumentGone
	}
	if h.hold != nil {
		return h.hold.answer(ctx, h.n, let)
	}
	if let {
		return letGo(ctx, s.cdp, h.ID, "")
	}
	t.forgetSent(h.sent)
	return letGo(ctx, s.cdp, h.ID, reasonAborted)
}

// Reasons to fail a request with. After an aborted request for a document the page
// that asked for it stays, with what was filled in there. After a blocked one
// Chrome shows an error page.
const (
	reasonAborted = "Aborted"
	reasonBlocked = "BlockedByClient"
)

// letGo continues a paused request, or fails it if there is a reason.
func letGo(ctx context.Context, s cdp.Session, id, reason string) error {
	if reason == "" {
		return s.Call(ctx, "Fetch.continueRequest", map[string]string{"requestId": id}, nil)
	}
	return s.Call(ctx, "Fetch.failRequest", map[string]string{"requestId": id, "errorReason": reason}, nil)
}

// held returns a paused request as a Held.
func (p paused) held(session string) Held {
	h := Held{ID: p.ID, Method: p.Request.Method, URL: p.Request.URL + p.Request.Fragment, Type: p.Type, Body: p.Request.Post, session: session}
	for name, value := range p.Request.Headers {
		if len(name) == len("content-type") && (name == "Content-Type" || name == "content-type") {
			h.Mime = value
		}
	}
	if h.Body == "" {
		for _, part := range p.Request.Entries {
			if b, err := base64.StdEncoding.DecodeString(part.Bytes); err == nil {
				h.Body += string(b)
			}
		}
	}
	return h
}

// AwaitHeld waits until a request is held. It returns false if ctx or the tab ends
// first.
func (w *Watch) AwaitHeld(ctx context.Context) bool {
	t := w.tab
	for {
		t.mu.Lock()
		held, changed := len(w.state.Held) > 0, t.changed
		t.mu.Unlock()
		if held {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		case <-t.root.Done():
			return false
		}
	}
}
