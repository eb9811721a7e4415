package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// request is Network.requestWillBeSent, as far as it is of use here.
type request struct {
	ID      string `json:"requestId"`
	Type    string `json:"type"`
	Request struct {
		SameSite bool `json:"isSameSite"`
	} `json:"request"`
}

const (
	// requestsTime bounds switching the events of requests on and off.
	requestsTime = time.Second
	// listenFor is how long they stay on after the last watch: the next act of a
	// session follows soon.
	listenFor = 3 * time.Second
)

// Listen has the watch see the requests that scripts of the page make from now
// on (Network.enable), until it is closed: what an act asked a server for is a
// part of its effect. A tab in which nothing acts pays nothing for it.
func (w *Watch) Listen(ctx context.Context) error {
	t := w.tab
	ctx, cancel := context.WithTimeout(ctx, requestsTime)
	defer cancel()
	select {
	case t.listening <- struct{}{}:
		defer func() { <-t.listening }()
	case <-ctx.Done():
		return ctx.Err()
	}
	t.mu.Lock()
	if w.requests == nil {
		w.requests = map[string]bool{}
	}
	on := t.listens
	t.mu.Unlock()
	if on {
		return nil
	}
	// No bodies are wanted, so none need be kept.
	err := t.race(ctx, func(ctx context.Context) error {
		return t.root.Call(ctx, "Network.enable", map[string]int{"maxTotalBufferSize": 1, "maxResourceBufferSize": 1}, nil)
	})
	t.mu.Lock()
	defer t.mu.Unlock()
	t.listens = err == nil
	return err
}

// unlisten switches the events off when nobody has listened for a while.
func (w *Watch) unlisten() {
	t := w.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.requests == nil {
		return
	}
	w.requests = nil
	if t.unlisten != nil {
		t.unlisten.Stop()
	}
	t.unlisten = time.AfterFunc(listenFor, t.stopListening)
}

func (t *Tab) stopListening() {
	ctx, cancel := context.WithTimeout(context.Background(), requestsTime)
	defer cancel()
	select {
	case t.listening <- struct{}{}:
		defer func() { <-t.listening }()
	case <-ctx.Done():
		return
	}
	t.mu.Lock()
	used := !t.listens
	for w := range t.watches {
		used = used || w.requests != nil
	}
	t.listens = t.listens && used
	t.mu.Unlock()
	if !used {
		_ = t.root.Call(ctx, "Network.disable", cdp.Empty{}, nil) // a tab that went away has none
	}
}

// requestBegins notes what scripts ask for: not pictures and the like, nor what
// stays open for good.
func (t *Tab) requestBegins(_ string, p request) bool {
	if p.Type != "XHR" && p.Type != "Fetch" {
		return false
	}
	for w := range t.watches {
		if w.requests != nil {
			w.requests[p.ID] = p.Request.SameSite
		}
	}
	return true
}

func (t *Tab) requestEnds(_ string, p request) bool {
	ended := false
	for w := range t.watches {
		if _, ok := w.requests[p.ID]; ok {
			delete(w.requests, p.ID)
			ended = true
		}
	}
	return ended
}

// Answered waits until no request is under way that began with the watch, a
// dialog opened, a navigation began, the tab went away, or max is over. own
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
		if s.Waits(own) == 0 || open || s.Detached != nil || s.Pending > 0 {
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

// Waits is how many requests are under way; own leaves out those to other sites.
func (s WatchState) Waits(own bool) int {
	if own {
		return s.Requests
	}
	return s.Requests + s.Foreign
}
