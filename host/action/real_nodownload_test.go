package action

import (
	"testing"

	"tabwright/host/browser"
)

// TestRealNoDownload: where a click began no download at all, that is what is
// said, however short the time was, and what it did instead.
func TestRealNoDownload(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "leaves.html")
		res := l.fails(Timeout, "download", p{"selector": "#count", "timeoutMs": 1000})
		has(t, res.Text, "no download began", "Counted 1")
		has(t, l.fails(InvalidParams, "pressKey", p{"key": "é"}).Text, "the action type")
	})
}
