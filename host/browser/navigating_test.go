package browser

import (
	"testing"

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
