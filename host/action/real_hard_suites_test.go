package action

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestRealHardSuites: controls as suites of widgets draw them. A combobox in the box
// of one is one, called by its label, and its value is what else stands there; its
// list is not another's of the same words that fades away; what is chosen may be
// several items to tick; a slider or a switch that lies transparent over its drawing is
// listed, and its drawing is not; what a field holds is told once.
func TestRealHardSuites(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_suites.html")
		list := l.ok("getElements", p{}).Text
		has(t, list, `combobox "Wood" value="Ash"`, `combobox "Frame"`, `combobox "Town"`, `combobox "Hue" collapsed`, `slider "Volume" value="20"`, `checkbox "Wifi"`, `switch "Radar"`, `checkbox "Done"`, `clickable "bin"`)
		if n := strings.Count(list, "combobox"); n != 5 || strings.Contains(list, "near=") || strings.Count(list, "clickable") != 1 || strings.Count(list, "checkbox") != 2 {
			t.Errorf("%d comboboxes; listed twice, or for what it is not:\n%s", n, list)
		}
		if tree := l.ok("snapshot", p{"interactive": true}).Text; strings.Count(tree, "combobox") != 5 {
			t.Errorf("not once in the tree:\n%s", tree)
		}
		for _, tt := range []struct {
			name string
			by   p
			want string // the page's own record
			says string // what the result says is chosen
		}{
			{"Frame", p{"value": "Cedar"}, "Cedar", "Cedar"}, // its list stays open
			{"Wood", p{"value": "Beech"}, "Beech", "Beech"},
			{"Hue", p{"value": "Blue"}, "Blue", "Blue"},
			{"Sizes", p{"values": []string{"Small", "Huge"}}, "Small,Huge", "Small,Huge"},
		} {
			tt.by["index"] = l.index("combobox", tt.name)
			res := l.ok("select", tt.by)
			has(t, res.Text, tt.says)
			_, gone, _ := strings.Cut(res.Text, "gone: ")
			if strings.Contains(res.Text, `Chosen now: "`+tt.name) || strings.Contains(gone, fmt.Sprintf(" [%d]", tt.by["index"])) {
				t.Errorf("%s: %s", tt.name, res.Text)
			}
			if got := l.eval("out." + strings.ToLower(tt.name)); got != strconv.Quote(tt.want) {
				t.Errorf("%s: chosen in the page: %s, want %s", tt.name, got, tt.want)
			}
		}
		list = l.ok("getElements", p{}).Text
		has(t, list, `combobox "Wood" value="Beech"`, `combobox "Frame" value="Cedar"`, `combobox "Hue" value="Blue"`)
		if strings.Count(list, "clickable") != 1 {
			t.Errorf("its box stands beside a combobox:\n%s", list)
		}
		has(t, l.ok("type", p{"index": l.index("combobox", "Town"), "text": "Oslo"}).Effect, `"" → "Oslo"`)
		l.ok("select", p{"index": l.index("slider", "Volume"), "value": "35"})
		l.ok("check", p{"index": l.index("checkbox", "Wifi")})
		l.ok("check", p{"index": l.index("switch", "Radar")})
		l.ok("click", p{"selector": "#bin"})
		if got := l.eval(`[out.town, out.loud, out.wifi, out.radar, out.bin].join()`); got != `"Oslo,35,true,true,true"` {
			t.Errorf("the page took %s", got)
		}
		if e := l.ok("type", p{"index": l.index("spinbutton", "Price"), "text": "12", "clear": true}).Effect; strings.Count(e, "value") != 1 {
			t.Errorf("told twice: %s", e)
		}
	})
}

// TestRealHardSuitesAnnounce: what a page announces is told where nobody sees a
// change, and only there.
func TestRealHardSuitesAnnounce(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_suites.html")
		l.ok("focus", p{"selector": "#order li:first-child"})
		has(t, l.ok("pressKey", p{"key": "Space"}).Effect, "pressed")
		if e := l.ok("pressKey", p{"key": "ArrowDown"}).Effect; e != `the page announces "One was moved over Two"` {
			t.Errorf("moved by a key: %s", e)
		}
		if e := l.ok("pressKey", p{"key": "x"}).Effect; !strings.Contains(e, "Seen") || strings.Contains(e, "Nobody") {
			t.Errorf("announced beside what is seen: %s", e)
		}
		if e := l.ok("pressKey", p{"key": "y"}).Effect; e != NoEffect {
			t.Errorf("nothing happened: %s", e)
		}
	})
}

// TestRealHardSuitesVeil: of a dialog that comes when its veil is there, and goes
// when that is gone, the act that opened or closed it tells; what changes nothing that
// is seen, and sets no timer, is not waited for.
func TestRealHardSuitesVeil(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_suites.html")
		has(t, l.ok("click", p{"selector": "#ask"}).Effect, `button "Yes"`, "Sure?")
		has(t, l.ok("click", p{"selector": "#yes"}).Effect, "gone: ", `button "Yes"`)
		if e := l.ok("click", p{"selector": "#hush"}).Effect; e != NoEffect {
			t.Errorf("nothing to see: %s", e)
		}
	})
}
