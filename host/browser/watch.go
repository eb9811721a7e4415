package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// openGrace is how long an announced window may take to become a tab. A window that
// the browser blocked never does.
const openGrace = 500 * time.Millisecond

// nameGrace is how long a new tab may take to report its address. Every tab reports
// one, an empty one about:blank.
const nameGrace = 5 * time.Second

// askGrace is how long the browser may take to begin a navigation that a page asked
// for. It never begins one that the page cancelled at once or that a policy forbids.
const askGrace = time.Second

// answerTime is how long Rest waits for a busy page to answer.
const answerTime = time.Second

// Watch collects what happens in a tab until Close: the effects of an action. Close
// must be called.
type Watch struct {
	tab      *Tab
	cancel   func()
	drawn    func() // releases needDrawn
	done     sync.WaitGroup
	state    WatchState      // under tab.mu, like what follows
	opening  int             // windows announced by Page.windowOpen
	opened   time.Time       // when the last of them was
	catches  bool            // file choosers are prevented
	requests map[string]bool // under way, by id: whether it is to the page's own site; nil before Listen
	said     talk
	asks     func(Held) bool // reports whether a request is held; nil before Hold
}

// Watch returns a new Watch of the tab. Navigations already under way count as
// pending.
func (t *Tab) Watch() *Watch {
	events, cancel := t.bus.Subscribe()
	w := &Watch{tab: t, cancel: cancel, drawn: t.needDrawn(false)}
	w.state.Last = time.Now()
	t.mu.Lock()
	t.watches[w] = struct{}{}
	t.mu.Unlock()
	w.done.Go(func() {
		for e := range events {
			w.tabEvent(e)
		}
	})
	return w
}

// tabEvent notes tabs that this one opened, and downloads. For rel=noopener Chrome
// names no opener, so a tab without an opener counts as ours if a window was
// announced.
func (w *Watch) tabEvent(e TabEvent) {
	t := w.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(w.state.NewTabs, func(n TabInfo) bool { return n.ID == e.Tab.ID })
	came := len(w.state.NewTabs) + len(w.state.ClosedTabs)
	switch {
	case e.Kind == DriverGone:
		// It may come back, but what happens meanwhile is not reported.
		w.state.Detached = fmt.Errorf("%w: %s", ErrGone, e.Reason)
	case e.Kind == Downloaded:
		if e.Tab.ID != "" && e.Tab.ID != t.id {
			return
		}
		w.download(e)
	case e.Kind == TabCreated && i < 0:
		ours := e.Tab.Opener == t.id || e.Tab.Opener == "" && w.opening > came
		if !ours {
			return
		}
		w.state.NewTabs = append(w.state.NewTabs, e.Tab)
		w.opened = time.Now()
	case e.Kind == TabUpdated && i >= 0:
		n := &w.state.NewTabs[i]
		n.URL, n.Title = e.Tab.URL, e.Tab.Title
	case e.Kind == TabRemoved && i >= 0:
		w.state.ClosedTabs = append(w.state.ClosedTabs, w.state.NewTabs[i])
		w.state.NewTabs = slices.Delete(w.state.NewTabs, i, i+1)
	default:
		return
	}
	w.state.Last = time.Now()
	t.bump()
}

// download notes a download once. The tab and the browser both report it, in the
// relay with different ids; the address is the same.
func (w *Watch) download(e TabEvent) {
	i := slices.IndexFunc(w.state.Downloads, func(d Download) bool {
		return d.GUID == e.GUID || e.URL != "" && d.URL == e.URL && d.State == "in_progress" && d.GUID != e.GUID
	})
	if i < 0 && e.URL == "" {
		return // one that began before the watch
	}
	if i < 0 {
		w.state.Downloads = append(w.state.Downloads, Download{GUID: e.GUID, URL: e.URL, File: e.File, State: e.State})
		return
	}
	d := &w.state.Downloads[i]
	d.State = e.State
	if e.Reason != "" {
		d.Reason = e.Reason
	}
	if e.File != "" {
		d.File = e.File
	}
	if e.Kind == Downloaded {
		d.GUID = e.GUID // the browser's, which later events carry
	}
}

// Snapshot returns what was seen so far.
func (w *Watch) Snapshot() WatchState {
	w.tab.mu.Lock()
	defer w.tab.mu.Unlock()
	return w.snapshot()
}

func (w *Watch) snapshot() WatchState {
	s := w.state
	s.Navigations = slices.Clone(s.Navigations)
	s.NewTabs = slices.Clone(s.NewTabs)
	s.Dialogs = slices.Clone(s.Dialogs)
	s.ClosedTabs = slices.Clone(s.ClosedTabs)
	s.Downloads = slices.Clone(s.Downloads)
	s.FileChoosers = slices.Clone(s.FileChoosers)
	s.Held = slices.Clone(s.Held)
	s.Leaving = w.tab.leavingFor()
	for _, own := range w.requests {
		if own {
			s.Requests++
		} else {
			s.Foreign++
		}
	}
	s.Talks = w.said.left()
	for _, f := range w.tab.frames {
		if f.navigating || f.asks() > 0 {
			s.Pending++
		}
	}
	if f := w.tab.frames[w.tab.main]; f != nil {
		s.Loading, s.Asked = f.loading, f.asks() > 0
	}
	if time.Since(w.opened) < w.grace() {
		s.Pending++
	}
	if err := w.tab.root.Err(); err != nil {
		s.Detached = err
	}
	return s
}

// grace returns how long after w.opened to wait for an announced window that is no
// tab yet, or for a tab that has not reported its address. It returns 0 if there is
// neither. tab.mu is held.
func (w *Watch) grace() time.Duration {
	if slices.ContainsFunc(w.state.NewTabs, func(n TabInfo) bool { return n.URL == "" }) {
		return nameGrace
	}
	if w.opening > len(w.state.NewTabs)+len(w.state.ClosedTabs) {
		return openGrace
	}
	return 0
}

// asks returns how much longer the browser may take to begin a navigation that the
// frame's page asked for, 0 or less if there is none. tab.mu is held.
func (f *frameState) asks() time.Duration { return askGrace - time.Since(f.asked) }

// asks returns the longest asks of the tab's frames, at least 0. t.mu is held.
func (t *Tab) asks() (left time.Duration) {
	for _, f := range t.frames {
		left = max(left, f.asks())
	}
	return left
}

// Wait waits until nothing is pending or loading and nothing has happened for the
// time quiet, counted from this call at the earliest. It also ends when a dialog
// opens, a request is held, the tab goes away or most is over.
func (w *Watch) Wait(ctx context.Context, quiet, most time.Duration) WatchState {
	limit := time.NewTimer(most)
	defer limit.Stop()
	t := w.tab
	began := time.Now()
	for {
		t.mu.Lock()
		s := w.snapshot()
		grace := max(w.grace(), t.asks())
		open := t.dialog != nil
		changed := t.changed
		t.mu.Unlock()
		if open || s.Detached != nil || len(s.Held) > 0 {
			return s
		}
		idle := s.Pending == 0 && !s.Loading
		last := s.Last
		if last.Before(began) {
			last = began
		}
		left := quiet - time.Since(last)
		if idle && left <= 0 {
			s.Settled = true
			return s
		}
		if !idle {
			left = most // an event ends it
			if grace > 0 {
				left = grace
			}
		}
		pause := time.NewTimer(left)
		select {
		case <-changed:
		case <-pause.C:
		case <-limit.C:
			pause.Stop()
			return w.Snapshot()
		case <-ctx.Done():
			pause.Stop()
			return w.Snapshot()
		case <-t.root.Done():
		}
		pause.Stop()
	}
}

// Rest is Wait for a page that was navigated to. It also waits for what the page
// begins at its load event, or by a timer within quiet after it. For that Rest sets
// a timer in the page once the load event has come: timers that the page set before
// have run by then, however busy the machine is. The state has the title as well.
func (w *Watch) Rest(ctx context.Context, quiet, most time.Duration) WatchState {
	end := time.Now().Add(most)
	for {
		if !w.tab.hasLoaded() {
			if s := w.Wait(ctx, 0, time.Until(end)); !s.Settled {
				return s
			}
		}
		before := len(w.Snapshot().Navigations)
		title, shell, err := w.tab.elapse(ctx, quiet)
		more := time.Duration(0)
		if brokeOff(err) {
			more = quiet // the events of the document's replacement may still come
		}
		s := w.Wait(ctx, more, time.Until(end))
		if s.Title, s.Shell = title, shell; s.Detached == nil && errors.Is(err, ErrGone) {
			s.Detached = err // its event has not come yet
		}
		if !s.Settled || len(s.Navigations) == before && !brokeOff(err) || time.Now().After(end) {
			return s
		}
	}
}

// elapse waits for d with a timer of the main document, and asks for the title
// meanwhile; the title may be empty. Then it asks whether the page is a shell; if
// the extractor is not reached yet, it may be. The page has nothing to do in that time, so the
// extractor begins the look that follows.
func (t *Tab) elapse(ctx context.Context, d time.Duration) (title string, shell bool, err error) {
	ctx, cancel := context.WithCancel(WithCallTimeout(ctx, answerTime))
	defer cancel()
	titles := make(chan string, 1)
	go func() {
		text, _ := t.Title(ctx)
		titles <- text
	}()
	yes := true
	p := runtime.EvaluateParams{AwaitPromise: &yes, Silent: &yes}
	ready := ""
	shell = true
	t.mu.Lock()
	// If the page's own scripts may not run, its timers don't run either.
	if f := t.frames[t.main]; f != nil {
		go t.hearAhead(ctx, f.loader, d)
		if w := t.known(f); w != nil {
			w.in(&p.ContextID, &p.UniqueContextID)
			ready, shell = t.ahead(d), false
		} else if t.follows(f) {
			go t.readyLater(ctx, f.loader, time.Now().Add(d))
		}
	}
	t.mu.Unlock()
	p.Expression = fmt.Sprintf("new Promise((done) => { setTimeout(() => done(globalThis.__tabwright?.isShell?.() === true), %d);%s })", d.Milliseconds(), ready)
	says := make(chan bool, 1) // race may end before its call
	err = t.race(ctx, func(ctx context.Context) error {
		got, err := cdp.Call(ctx, t.root, runtime.Evaluate, p)
		says <- err == nil && got.Result != nil && string(got.Result.Value) == "true"
		return err
	})
	if err == nil {
		shell = <-says || shell
	}
	return <-titles, shell, err
}

// looks are the extractor's functions that read a page as a whole.
var looks = map[string]bool{"summary": true, "list": true, "tree": true}

// looksWith remembers with which function and options a document is looked at first, so
// that the same look can be begun ahead in the next one. other is true if the transport
// was told of another kind of look.
func (f *Frame) looksWith(fn string, arg any) (other bool) {
	of, err := json.Marshal(arg)
	var part struct {
		ScopeID int    `json:"scopeId"`
		Scope   string `json:"scope"`
		Query   string `json:"query"`
		Type    string `json:"type"`
	}
	if err != nil || json.Unmarshal(of, &part) == nil && (part.ScopeID != 0 || part.Scope+part.Query+part.Type != "") {
		return false // a look at a part of this page does not fit the next one
	}
	t := f.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.id != t.main || f.loader == t.lookedAt {
		return false
	}
	t.look, t.lookOf, t.lookedAt = fn, string(of), f.loader
	if !t.followed || t.foretold == fn {
		return false
	}
	t.foretold = fn
	return true
}

// lookKind returns "summary", "list" or "tree": how the next document will probably be looked
// at. t.mu is held.
func (t *Tab) lookKind() string { return cmp.Or(t.look, firstLook) }

// ahead returns the JavaScript that makes the extractor begin the next look, if
// only to run its code for the time d; t.mu is held.
func (t *Tab) ahead(d time.Duration) string {
	return fmt.Sprintf(" globalThis.__tabwright?.ahead?.({ look: %q, of: %s, ms: %d });", t.lookKind(), cmp.Or(t.lookOf, "undefined"), d.Milliseconds()-1)
}

// firstLook is the look that is begun if there was none before, with the extractor's
// default options.
const firstLook = "summary"

// readyLater runs ahead in the extractor if that arrives after the load event but
// before until, as may happen through the extension with a small page.
func (t *Tab) readyLater(ctx context.Context, document cdp.LoaderID, until time.Time) {
	yes := true
	p := runtime.EvaluateParams{Silent: &yes}
	t.within(ctx, time.Until(until), func() bool {
		f := t.frames[t.main]
		if f == nil || f.loader != document {
			return true
		}
		w := t.known(f)
		if w == nil {
			return false
		}
		w.in(&p.ContextID, &p.UniqueContextID)
		p.Expression = t.ahead(time.Until(until)) + " void 0"
		return true
	})
	if p.Expression != "" && time.Until(until) > 2*time.Millisecond {
		_, _ = cdp.Call(ctx, t.root, runtime.Evaluate, p) // else the first look takes longer
	}
}

// hasLoaded reports whether the load event of the main document has come.
func (t *Tab) hasLoaded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.frames[t.main]
	return f != nil && f.isLoaded()
}

// isLoaded reports whether the load event of the frame's document has come; tab.mu is
// held.
func (f *frameState) isLoaded() bool { return !f.navigating && f.loader != "" && f.loaded == f.loader }

// Close ends the watch.
func (w *Watch) Close() {
	w.drawn()
	w.cancel()
	w.done.Wait()
	w.tab.mu.Lock()
	defer w.tab.mu.Unlock()
	w.letGo()
	w.stopHolding()
	delete(w.tab.watches, w)
}
