package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// TestAQuarantineEndsWithItsDocument: what writes is kept back until another document is shown,
// and where that is prepared for until the one after it; never from a page that comes later.
func TestAQuarantineEndsWithItsDocument(t *testing.T) {
	post, get, ping := paused{Type: "Fetch"}, paused{Type: "Fetch"}, paused{Type: "Ping"}
	post.Request.Method, get.Request.Method, ping.Request.Method = "POST", "GET", "GET"
	for name, c := range map[string]struct{ left, documents int }{"until the next one": {1, 1}, "prepared": {2, 2}} {
		tab := &Tab{bus: NewBus(), watches: map[*Watch]struct{}{}, changed: make(chan struct{}), crashed: make(chan struct{})}
		tab.reset()
		shows := func(loader cdp.LoaderID) {
			tab.frameNavigated("", page.EventFrameNavigated{Frame: &cdp.Frame{ID: "main", LoaderID: loader, URL: "http://a.test/"}, Type: page.NavigationTypeNavigation})
		}
		shows("first")
		tab.wide.users, tab.quarantine.left = 1, c.left
		for n := range c.documents {
			if !tab.keepsBack(post) || !tab.keepsBack(ping) || tab.keepsBack(get) {
				t.Errorf("%s: what writes is let go, or what reads is not, in document %d", name, n)
			}
			shows(cdp.LoaderID(rune('a' + n)))
		}
		if tab.keepsBack(post) || tab.keepsBack(ping) || tab.wide.users != 0 {
			t.Errorf("%s: it goes on in the document behind that", name)
		}
	}
}
