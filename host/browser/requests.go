package browser

import (
	"context"
	"slices"
	"strings"
	"time"
)

// request is Network.requestWillBeSent, as far as it is of use here.
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

// Listen has the watch see the requests that scripts of the page make from now
// on, until it is closed: what an act asked a server for is a part of its effect.
func (w *Watch) Listen(context.Context) error {
	w.tab.mu.Lock()
	defer w.tab.mu.Unlock()
	if w.requests == nil {
		w.requests = map[string]bool{}
	}
	return nil
}

// requestBegins notes what scripts ask for: not pictures and the like, nor what
// stays open for good, nor what frames of other processes do.
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

// Answered waits until no request is under way that began with the watch, a
// dialog opened, a navigation began, the tab went away, a request is held,
// or max is over. own
// leaves out requests to other sites.
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
		if s.Waits(own) == 0 || open || s.Detached != nil || s.Pending > 0 || len(s.Held) > 0 {
			return s
		}
		select {
		case <-changed:
		case <-limit.C:
			return w.Snapshot()
		case <-ctx.Done():
			return w.Snapshot()
		case <-t.root.Done():
			return w.Snapshot()
		}
	}
}

// Idle waits until no request of the main document's scripts was under way for
// quiet, whenever it began; false when most is over. One older than old, if that is
// not 0, waits for news and does not count.
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

// Waits is how many requests are under way; own leaves out those to other sites.
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

// bodyAddress is what tells requests apart that say the same kind of thing.
func bodyAddress(method, address string) string {
	bare, _, _ := strings.Cut(address, "?")
	return method + " " + bare
}

// sends keeps the newest bodies that were sent as JSON; t.mu is held.
func (t *Tab) sends(b sentBody) {
	if len(b.body) < 2 || len(b.body) > maxSentBody || b.body[0] != '{' && b.body[0] != '[' {
		return
	}
	t.bodies = slices.DeleteFunc(t.bodies, func(x sentBody) bool { return x.id == b.id })
	if t.bodies = append(t.bodies, b); len(t.bodies) > maxSent {
		t.bodies = t.bodies[1:]
	}
}

// sentBefore is the last body that was sent to where this request goes, by one that began before
// it and is not held itself: what waits may never leave.
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

// forgetSent forgets the body of a request that did not leave.
func (t *Tab) forgetSent(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bodies = slices.DeleteFunc(t.bodies, func(x sentBody) bool { return x.id == id })
}
