package browser

import (
	"context"
	"slices"
	"strings"
	"time"
)

// request has the fields of Network.requestWillBeSent, Network.loadingFinished and
// Network.loadingFailed that are used here.
type request struct {
	ID      string `json:"requestId"`
	Loader  string `json:"loaderId"`
	Type    string `json:"type"`
	Error   string `json:"errorText"` // of one that failed
	Request struct {
		SameSite bool   `json:"isSameSite"`
		URL      string `json:"url"`
		Method   string `json:"method"`
		Post     string `json:"postData"`
	} `json:"request"`
	Redirect struct {
		Status int `json:"status"`
	} `json:"redirectResponse"`
}

// Listen makes the watch count the requests that scripts of the page make from now on:
// what an act asks a server for is a part of its effect.
func (w *Watch) Listen(context.Context) error {
	w.tab.mu.Lock()
	defer w.tab.mu.Unlock()
	if w.requests == nil {
		w.requests = map[string]bool{}
	}
	return nil
}

// requestBegins notes the requests of scripts (XHR and fetch). It leaves out pictures
// and the like, connections that stay open, and frames in other processes.
func (t *Tab) requestBegins(session string, p request) bool {
	t.noteRequest(p)
	if session != "" || p.Type != "XHR" && p.Type != "Fetch" {
		return false
	}
	t.sends(sentBody{id: p.ID, to: bodyAddress(p.Request.Method, p.Request.URL), body: p.Request.Post})
	if t.underWay == nil {
		t.underWay = map[string]time.Time{}
	}
	if len(t.underWay) < maxUnderWay {
		t.underWay[p.ID] = time.Now()
	}
	for w := range t.watches {
		if w.requests != nil {
			w.requests[p.ID] = p.Request.SameSite
		}
	}
	return true
}

// maxUnderWay bounds how many requests of a page are counted.
const maxUnderWay = 1000

func (t *Tab) requestEnds(_ string, p request) bool {
	t.requestOver(p)
	_, ended := t.underWay[p.ID]
	if ended {
		delete(t.underWay, p.ID)
		t.asked = time.Now()
	}
	for w := range t.watches {
		if _, ok := w.requests[p.ID]; ok {
			delete(w.requests, p.ID)
			ended = true
		}
	}
	return ended
}

// Answered waits until no request is under way that began after Listen and no answer over
// a WebSocket is expected, and at most max. It also ends when a dialog opens, a navigation
// begins, the tab goes away or a request is held. With own it does not wait for requests to
// other sites.
func (w *Watch) Answered(ctx context.Context, max time.Duration, own bool) WatchState {
	limit := time.NewTimer(max)
	defer limit.Stop()
	t := w.tab
	for {
		t.mu.Lock()
		s := w.snapshot()
		open := t.dialog != nil
		changed := t.changed
		t.mu.Unlock()
		if s.Waits(own) == 0 && s.Talks == 0 || open || s.Detached != nil || s.Pending > 0 || len(s.Held) > 0 {
			return s
		}
		var silence <-chan time.Time
		if s.Waits(own) == 0 {
			silence = time.After(s.Talks)
		}
		select {
		case <-changed:
		case <-silence:
		case <-limit.C:
			return w.Snapshot()
		case <-ctx.Done():
			return w.Snapshot()
		case <-t.root.Done():
			return w.Snapshot()
		}
	}
}

// Idle waits until no request of the main document's scripts has been under way for the
// time quiet, and reports whether that came within most. Requests from before the watch
// count too. If old is not 0, requests older than that do not count: they wait for news
// from the server.
func (w *Watch) Idle(ctx context.Context, quiet, old, most time.Duration) bool {
	limit := time.NewTimer(most)
	defer limit.Stop()
	t := w.tab
	for began := time.Now(); ; {
		t.mu.Lock()
		last := t.asked
		if f := t.frames[t.main]; f != nil && f.began.After(last) {
			last = f.began
		}
		left := quiet - time.Since(last)
		for _, since := range t.underWay {
			if age := time.Since(since); old == 0 {
				left = most // an event ends it
			} else if age < old {
				left = max(left, old-age)
			}
		}
		changed := t.changed
		t.mu.Unlock()
		if left = min(left, most); left <= 0 || time.Since(began) >= most {
			return left <= 0
		}
		pause := time.NewTimer(left)
		select {
		case <-changed:
		case <-pause.C:
		case <-limit.C:
		case <-ctx.Done():
			pause.Stop()
			return false
		case <-t.root.Done():
			pause.Stop()
			return false
		}
		pause.Stop()
	}
}

// Waits returns how many requests are under way. With own it leaves out those to other
// sites.
func (s WatchState) Waits(own bool) int {
	if own {
		return s.Requests
	}
	return s.Requests + s.Foreign
}

// sentBody is the body of a request that a script of the page sent.
type sentBody struct{ id, to, body string }

const (
	maxSent     = 8
	maxSentBody = 1 << 20 // bytes
)

// bodyAddress returns the method and the address without its query. Requests with the
// same one count as being of the same kind.
func bodyAddress(method, address string) string {
	bare, _, _ := strings.Cut(address, "?")
	return method + " " + bare
}

// sends keeps a body that is JSON, and drops the oldest; t.mu is held.
func (t *Tab) sends(b sentBody) {
	if len(b.body) < 2 || len(b.body) > maxSentBody || b.body[0] != '{' && b.body[0] != '[' {
		return
	}
	t.bodies = slices.DeleteFunc(t.bodies, func(x sentBody) bool { return x.id == b.id })
	if t.bodies = append(t.bodies, b); len(t.bodies) > maxSent {
		t.bodies = t.bodies[1:]
	}
}

// sentBefore returns the last body that was sent to the same bodyAddress before this
// request began. It leaves out requests that are held: they may never be sent.
func (t *Tab) sentBefore(id, to string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	waits := map[string]bool{}
	for w := range t.watches {
		for _, h := range w.state.Held {
			waits[h.sent] = true
		}
	}
	bodies := t.bodies
	if at := slices.IndexFunc(bodies, func(b sentBody) bool { return b.id == id }); at >= 0 {
		bodies = bodies[:at]
	}
	for _, b := range slices.Backward(bodies) {
		if b.to == to && id != "" && !waits[b.id] {
			return b.body
		}
	}
	return ""
}

// forgetSent forgets the body of a request that was not sent.
func (t *Tab) forgetSent(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bodies = slices.DeleteFunc(t.bodies, func(x sentBody) bool { return x.id == id })
}
