package browser

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// onEvent updates the tab's state. It runs on the goroutine that reads the
// connection, so it never sends a command and waits.
func (t *Tab) onEvent(e Event) {
	t.judgeDocument(e)
	h := handlers[e.Method]
	if h == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.sessions[e.SessionID]; s == nil {
		return // the session is gone, or was never ours
	}
	if h(t, e) {
		t.bump()
	}
}

// handlers are called with t.mu held, and report whether anything changed.
var handlers map[string]func(*Tab, Event) bool

func init() {
	handlers = map[string]func(*Tab, Event) bool{
		page.FrameAttached.Method:                 on((*Tab).frameAttached),
		page.FrameNavigated.Method:                on((*Tab).frameNavigated),
		page.NavigatedWithinDocument.Method:       on((*Tab).navigatedWithin),
		page.FrameDetached.Method:                 on((*Tab).frameDetached),
		page.FrameStartedLoading.Method:           on((*Tab).startedLoading),
		page.FrameStoppedLoading.Method:           on((*Tab).stoppedLoading),
		page.FrameStartedNavigating.Method:        on((*Tab).startedNavigating),
		page.LifecycleEvent.Method:                on((*Tab).lifecycle),
		page.JavascriptDialogOpening.Method:       on((*Tab).dialogOpening),
		page.JavascriptDialogClosed.Method:        on((*Tab).dialogClosing),
		page.WindowOpen.Method:                    on((*Tab).windowOpen),
		page.FrameRequestedNavigation.Method:      on((*Tab).navigationRequested),
		page.FileChooserOpened.Method:             on((*Tab).chooserOpened),
		"Page.downloadWillBegin":                  on((*Tab).downloadBegins),
		inspector.TargetCrashed.Method:            on((*Tab).targetCrashed),
		inspector.TargetReloadedAfterCrash.Method: on((*Tab).targetReloaded),
		target.AttachedToTarget.Method:            on((*Tab).childAttached),
		target.DetachedFromTarget.Method:          on((*Tab).childDetached),
		runtime.ExecutionContextCreated.Method:    on((*Tab).contextCreated),
		runtime.ExecutionContextDestroyed.Method:  on((*Tab).contextDestroyed),
		runtime.ExecutionContextsCleared.Method:   on((*Tab).contextsCleared),
		"Network.requestWillBeSent":               on((*Tab).requestBegins),
		"Network.responseReceived":                on((*Tab).requestAnswered),
		"Network.loadingFinished":                 on((*Tab).requestEnds),
		"Network.loadingFailed":                   on((*Tab).requestEnds),
		"Network.webSocketCreated":                on((*Tab).socketOpens),
		"Network.webSocketFrameSent":              on((*Tab).socketSends),
		"Network.webSocketFrameReceived":          on((*Tab).socketHears),
		runtime.BindingCalled.Method:              on((*Tab).bindingCalled),
		runtime.ConsoleAPICalled.Method:           on((*Tab).consoleCalled),
		runtime.ExceptionThrown.Method:            on((*Tab).exceptionThrown),
	}
}

func on[P any](fn func(*Tab, string, P) bool) func(*Tab, Event) bool {
	return func(t *Tab, e Event) bool {
		var p P
		if jsonv2.Unmarshal(e.Params, &p, jsonv2.AllowInvalidUTF8(true)) != nil {
			return false
		}
		return fn(t, e.SessionID, p)
	}
}

func (t *Tab) frameAttached(session string, p page.EventFrameAttached) bool {
	t.gen++
	// A frame that comes back from another process is attached to its parent before
	// the session of that process ends, so it only changes its session.
	f := t.upsert(p.FrameID, p.ParentFrameID, session)
	f.loader = ""
	return true
}

func (t *Tab) frameNavigated(session string, p page.EventFrameNavigated) bool {
	if p.Frame == nil {
		return false
	}
	t.gen++
	n := p.Frame
	isMain := session == "" && n.ParentID == ""
	f := t.upsert(n.ID, n.ParentID, session)
	fresh := f.loader != n.LoaderID
	f.at(n)
	// If the loader ids differ, a newer navigation has begun and is still under way.
	if f.toLoader == n.LoaderID || f.toLoader == "" || p.Type == page.NavigationTypeBackForwardCacheRestore {
		f.arrived()
	}
	if fresh {
		f.was, f.loader, f.world, f.owner = f.loader, n.LoaderID, nil, nil
		if f.began = time.Now(); p.Type == page.NavigationTypeBackForwardCacheRestore {
			f.began = time.Time{} // it began long ago
		}
		t.dropBelow(f.id)
	}
	if p.Type == page.NavigationTypeBackForwardCacheRestore {
		f.loaded = f.loader // its load event does not come again
		for _, s := range t.sessions {
			s.stale = true // Chrome does not report the frames in it either
		}
	}
	if isMain {
		if t.main != "" && t.main != n.ID { // a prerendered page took the tab over
			t.drop(t.main)
		}
		t.main = n.ID
		if fresh {
			t.endQuarantine()
			t.dev.navs++
			clear(t.underWay)
			clear(t.foreign)
			// If the server answered the form with a redirect, a reload sends nothing
			// again.
			t.posted = t.posting != "" && withoutFragment(t.posting) == n.URL
			t.posting = ""
		}
		t.navs++
		t.silent = false
		t.alive()
		t.count(f.loader)
		status := 0
		if t.statusOf == f.loader {
			status = t.status
		}
		t.note(func(w *Watch) {
			w.state.Navigations = append(w.state.Navigations, Navigation{
				URL: f.url, Document: string(f.loader), Failed: n.UnreachableURL != "", MIME: n.MimeType, Status: status,
			})
		})
	} else {
		t.note(nil)
	}
	return true
}

func (t *Tab) navigatedWithin(_ string, p page.EventNavigatedWithinDocument) bool {
	f := t.frames[p.FrameID]
	if f == nil {
		return false
	}
	f.url, f.navigating = p.URL, false
	if p.FrameID == t.main {
		t.navs++
		t.note(func(w *Watch) {
			w.state.Navigations = append(w.state.Navigations, Navigation{
				URL: f.url, Document: string(f.loader), SameDocument: true,
			})
		})
	}
	return true
}

func (t *Tab) frameDetached(session string, p page.EventFrameDetached) bool {
	f := t.frames[p.FrameID]
	if f == nil || f.session != session {
		return false // it moved to a session of its own already
	}
	t.gen++
	if p.Reason == page.FrameDetachedReasonSwap {
		f.swapping, f.world = true, nil
		t.dropBelow(f.id)
		return true
	}
	t.drop(f.id)
	t.note(nil)
	return true
}

// drop forgets a frame and all below it.
func (t *Tab) drop(id cdp.FrameID) {
	delete(t.frames, id)
	t.dropBelow(id)
}

func (t *Tab) dropBelow(id cdp.FrameID) {
	for _, f := range t.frames {
		if f.parent == id {
			t.drop(f.id)
		}
	}
}

func (t *Tab) startedLoading(_ string, p page.EventFrameStartedLoading) bool {
	f := t.frames[p.FrameID]
	if f == nil {
		return false
	}
	f.loading = true
	t.note(nil)
	return true
}

func (t *Tab) stoppedLoading(_ string, p page.EventFrameStoppedLoading) bool {
	f := t.frames[p.FrameID]
	if f == nil {
		return false
	}
	// This also ends a navigation without a new document: a download, a 204, a
	// failure.
	f.loading = false
	f.arrived()
	t.note(nil)
	return true
}

func (t *Tab) startedNavigating(_ string, p page.EventFrameStartedNavigating) bool {
	f := t.frames[p.FrameID]
	if f == nil {
		return false
	}
	switch p.NavigationType {
	case page.FrameStartedNavigatingNavigationTypeSameDocument,
		page.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		f.asked = time.Time{} // for a frame of another process this was not known when it was asked for
		return false
	}
	f.asked, f.navigating, f.to, f.toLoader = time.Time{}, true, p.URL, p.LoaderID
	if p.FrameID == t.main && p.URL != "about:blank" {
		t.refusal = nil
	}
	t.note(nil)
	return true
}

// lifecycle notes load events. When a session is set up, Chrome sends them again for
// documents that have loaded already, and these come before the frames are known.
func (t *Tab) lifecycle(session string, p page.EventLifecycleEvent) bool {
	if p.Name != "load" {
		return false
	}
	f := t.frames[p.FrameID]
	if f == nil {
		if s := t.sessions[session]; s != nil && len(s.loads) < 100 {
			if s.loads == nil {
				s.loads = map[cdp.FrameID]cdp.LoaderID{}
			}
			s.loads[p.FrameID] = p.LoaderID
		}
		return false
	}
	f.loaded = p.LoaderID
	return true
}

func (t *Tab) windowOpen(_ string, _ page.EventWindowOpen) bool {
	for w := range t.watches {
		w.opening++
		w.opened = time.Now()
	}
	return false
}

// navigationRequested notes that a page asked for a navigation. For a link that
// opens in another tab by modifier keys or the middle button this is the only event:
// no window is announced. In this tab it comes before the browser begins the
// navigation; if an act were reported as done in between, a form that it sent might
// never be sent.
func (t *Tab) navigationRequested(session string, p page.EventFrameRequestedNavigation) bool {
	switch p.Disposition {
	case page.ClientNavigationDispositionNewTab, page.ClientNavigationDispositionNewWindow:
		return t.windowOpen(session, page.EventWindowOpen{})
	}
	if p.FrameID == t.main {
		t.posting = ""
		if p.Reason == page.ClientNavigationReasonFormSubmissionPost {
			t.posting = p.URL
		}
	}
	f := t.frames[p.FrameID]
	if f == nil || f.navigating || p.Disposition != page.ClientNavigationDispositionCurrentTab || !loads(p.URL) {
		return false
	}
	f.asked = time.Now()
	t.note(nil)
	return true
}

// loads reports whether the browser itself loads an address, and does not ask the
// user for a program, as for mailto.
func loads(url string) bool {
	scheme, _, _ := strings.Cut(url, ":")
	return slices.Contains([]string{"http", "https", "file", "data", "blob", "about", "chrome-extension"}, strings.ToLower(scheme))
}

// downloadBegin is Page.downloadWillBegin, which Chrome still sends and cdproto does
// not have any more. It is the only event that tells in which tab a download began.
type downloadBegin struct {
	GUID string `json:"guid"`
	URL  string `json:"url"`
	File string `json:"suggestedFilename"`
}

func (t *Tab) downloadBegins(_ string, p downloadBegin) bool {
	t.note(func(w *Watch) {
		w.download(TabEvent{GUID: p.GUID, URL: p.URL, File: p.File, State: "in_progress"})
	})
	return true
}

// targetCrashed notes that the page's process is gone. Until the page is loaded again,
// every command to it hangs.
func (t *Tab) targetCrashed(session string, _ cdp.Empty) bool {
	if session != "" {
		return false
	}
	select {
	case <-t.crashed:
		return false
	default:
		close(t.crashed)
	}
	clear(t.contexts)
	t.dropBelow(t.main)
	if f := t.frames[t.main]; f != nil {
		f.world, f.loading = nil, false
		f.arrived()
	}
	t.setDialog(nil)
	t.gen++
	t.note(nil)
	return true
}

func (t *Tab) targetReloaded(session string, _ cdp.Empty) bool {
	if session == "" {
		t.alive()
	}
	return true
}

// alive notes that the page has a process again.
func (t *Tab) alive() {
	select {
	case <-t.crashed:
		t.crashed = make(chan struct{})
	default:
	}
}

// childAttached adds the session of an out-of-process frame. The set-up sends
// commands, so it runs on a goroutine of its own, at most CallTimeout; Frames waits
// for it.
func (t *Tab) childAttached(_ string, p target.EventAttachedToTarget) bool {
	if p.TargetInfo == nil || p.TargetInfo.Type != "iframe" {
		return false
	}
	id := string(p.SessionID)
	frame := cdp.FrameID(p.TargetInfo.TargetID)
	s := &sessionState{
		id: id, cdp: t.root.Child(id), frame: frame,
		under: p.TargetInfo.ParentFrameID, ready: make(chan struct{}),
	}
	t.gen++
	t.sessions[id] = s
	if f := t.frames[frame]; f != nil {
		if s.under == "" {
			s.under = f.parent
		}
		f.session, f.swapping, f.world, f.owner = id, false, nil, nil
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), CallTimeout)
		defer cancel()
		_ = t.setup(ctx, s, false) // a frame that can't be set up is left out of Frames
	}()
	return true
}

func (t *Tab) childDetached(_ string, p target.EventDetachedFromTarget) bool {
	id := string(p.SessionID)
	s := t.sessions[id]
	if s == nil || id == "" {
		return false
	}
	t.gen++
	delete(t.sessions, id)
	t.forgetHeld(id)
	for _, f := range t.frames {
		if f.session == id {
			t.drop(f.id)
		}
	}
	for k := range t.contexts {
		if k.session == id {
			delete(t.contexts, k)
		}
	}
	t.note(nil)
	return true
}

// note sets the time of every watch's last event, and calls fn to change its state.
func (t *Tab) note(fn func(*Watch)) {
	now := time.Now()
	for w := range t.watches {
		w.state.Last = now
		if fn != nil {
			fn(w)
		}
	}
}
