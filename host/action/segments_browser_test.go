package action

import (
	"testing"

	"tabwright/host/browser"
)

// TestRealSegments: a date typed into any part of a field of spin buttons gets into all of them, whatever their order
// and language; a number gets into its part alone.
func TestRealSegments(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "segments.html")
		l.ok("type", p{"index": l.index("spinbutton", "month, Deliver on"), "text": "2027-03-15"})
		l.gives(`now["Deliver on"]`, `{"month":3,"day":15,"year":2027}`)
		l.ok("type", p{"index": l.index("spinbutton", "year, Deliver on"), "text": "2031"})
		l.gives(`now["Deliver on"]`, `{"month":3,"day":15,"year":2031}`)
		l.ok("type", p{"index": l.index("spinbutton", "year, Pick up"), "text": "2026-12-24T18:30"})
		l.gives(`now["Pick up"]`, `{"day":24,"month":12,"year":2026,"hour":6,"minute":30,"dayPeriod":1}`)
		l.eval(`document.documentElement.lang = "de", 0`)
		l.ok("type", p{"index": l.index("spinbutton", "Jahr"), "text": "2028-02-09"})
		l.gives(`now["Kauf"]`, `{"day":9,"month":2,"year":2028}`)
		l.fails(InvalidParams, "type", p{"index": l.index("spinbutton", "Jahr"), "text": "2028-13-09"})
	})
}
