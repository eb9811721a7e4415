package action

import (
	"testing"

	"tabwright/host/browser"
)

// TestRealTravel holds that a navigation is told of by where it ended: also
// where the page sends the browser on at its load event, or right after.
func TestRealTravel(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		for _, page := range []string{"sentonload.html", "sentonsoon.html"} {
			res := l.ok("navigate", p{"url": l.at("a.test", page)})
			has(t, res.Effect, "next.html (Next)")
		}
		// A place in the document that is shown is no other document.
		l.ok("navigate", p{"url": l.at("a.test", "click.html")})
		res := l.ok("navigate", p{"url": l.at("a.test", "click.html#below")})
		has(t, res.Effect, "address is now", "#below")
		// The first look finds the new document's elements.
		l.ok("click", p{"selector": "#nothing"})
	})
}
