package browser

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// TestNewerNavigationStaysPending: the document of an earlier navigation that
// comes after a newer one began does not end the waiting for the newer one.
// Without that a reload of a tab that was just opened ended with the page that
// it replaced.
func TestNewerNavigationStaysPending(t *testing.T) {
	tab := &Tab{bus: NewBus(), watches: map[*Watch]struct{}{}, changed: make(chan struct{}), crashed: make(chan struct{})}
	tab.reset()
	arrives := func(loader cdp.LoaderID, kind page.NavigationType) {
		tab.frameNavigated("", page.EventFrameNavigated{Frame: &cdp.Frame{ID: "main", LoaderID: loader, URL: "http://a.test/"}, Type: kind})
	}
	begins := func(loader cdp.LoaderID) {
		tab.startedNavigating("", page.EventFrameStartedNavigating{
			FrameID: "main", LoaderID: loader, URL: "http://a.test/", NavigationType: page.FrameStartedNavigatingNavigationTypeReload,
		})
	}
	pending := func() bool { return tab.frames["main"].navigating }
	arrives("blank", page.NavigationTypeNavigation)
	begins("reload")
	if arrives("first", page.NavigationTypeNavigation); !pending() {
		t.Error("the first page's document ended the reload")
	}
	if arrives("reload", page.NavigationTypeNavigation); pending() {
		t.Error("the reload's document did not end it")
	}
	begins("back")
	if arrives("first", page.NavigationTypeBackForwardCacheRestore); pending() {
		t.Error("a page that came back from Chrome's cache did not end the navigation")
	}
}

// TestNavigationEndsBeforeItsSession: a frame that loaded in another process, before Chrome
// reported on that process, is not waited for. Without that a reload through the extension took
// 10 s on a page with a sandboxed frame.
func TestNavigationEndsBeforeItsSession(t *testing.T) {
	for loaded, pending := range map[cdp.LoaderID]bool{"new": false, "old": true, "": true} {
		tab := &Tab{bus: NewBus(), watches: map[*Watch]struct{}{}, changed: make(chan struct{}), crashed: make(chan struct{})}
		tab.reset()
		tab.frameAttached("", page.EventFrameAttached{FrameID: "below", ParentFrameID: "main"})
		tab.startedNavigating("", page.EventFrameStartedNavigating{FrameID: "below", LoaderID: "new", URL: "http://b.test/"})
		tab.lifecycle("child", page.EventLifecycleEvent{FrameID: "below", LoaderID: loaded, Name: "load"})
		tab.mergeTree(&sessionState{id: "child"}, &page.FrameTree{Frame: &cdp.Frame{ID: "below", LoaderID: "new", URL: "http://b.test/"}}, "main")
		if got := tab.frames["below"].navigating; got != pending {
			t.Errorf("the document that loaded is %q: under way is %v", loaded, got)
		}
	}
}

// quietRoot is a session of a tab that is there and says nothing.
type quietRoot struct{ RootSession }

func (quietRoot) Done() <-chan struct{} { return nil }
func (quietRoot) Err() error            { return nil }

// TestAskedNavigationIsPending: a form that its page sent is on its way before
// the browser says so. Without that an act ended as done in between, and a browser
// that died then had never sent it.
func TestAskedNavigationIsPending(t *testing.T) {
	tab := &Tab{bus: NewBus(), watches: map[*Watch]struct{}{}, changed: make(chan struct{}), crashed: make(chan struct{}), root: quietRoot{}}
	tab.reset()
	tab.frameNavigated("", page.EventFrameNavigated{Frame: &cdp.Frame{ID: "main", LoaderID: "first", URL: "http://a.test/"}, Type: page.NavigationTypeNavigation})
	w := tab.Watch()
	defer w.Close()
	url := "mailto:a@b.test"
	asks := func(where page.ClientNavigationDisposition) {
		tab.navigationRequested("", page.EventFrameRequestedNavigation{
			FrameID: "main", URL: url, Reason: page.ClientNavigationReasonFormSubmissionPost, Disposition: where,
		})
	}
	pending := func(want int, when string) {
		t.Helper()
		if got := w.Snapshot().Pending; got != want {
			t.Errorf("%s: %d are pending, want %d", when, got, want)
		}
	}
	pending(0, "before anything")
	asks(page.ClientNavigationDispositionCurrentTab)
	pending(0, "what another program opens")
	url = "http://a.test/send"
	asks(page.ClientNavigationDispositionDownload)
	pending(0, "asked for as a download")
	asks(page.ClientNavigationDispositionCurrentTab)
	pending(1, "asked for")
	tab.startedNavigating("", page.EventFrameStartedNavigating{
		FrameID: "main", LoaderID: "sent", URL: "http://a.test/send", NavigationType: page.FrameStartedNavigatingNavigationTypeDifferentDocument,
	})
	pending(1, "begun")
	tab.stoppedLoading("", page.EventFrameStoppedLoading{FrameID: "main"}) // a 204
	pending(0, "answered without a page")
	asks(page.ClientNavigationDispositionCurrentTab)
	began := time.Now()
	if s := w.Wait(t.Context(), 0, 10*askGrace); !s.Settled || time.Since(began) < askGrace/2 {
		t.Errorf("one that never begins: after %v %+v", time.Since(began), s)
	}
}
