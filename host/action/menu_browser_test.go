package action

import (
	_ "image/jpeg"
	"strconv"
	"testing"

	_ "golang.org/x/image/webp"
)

// TestRealHardCompMenu: the items of a menu that are on or off each are chosen as options are; one that is on stays so.
func TestRealHardCompMenu(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		for _, tt := range [][2]string{{"Rulers", "Grid,Rulers"}, {"Grid", "Grid,Rulers"}} {
			l.ok("select", p{"index": l.index("button", "View"), "value": tt[0]})
			if got := l.eval("out.view"); got != strconv.Quote(tt[1]) {
				t.Errorf("%s: chosen in the page: %s", tt[0], got)
			}
		}
	})
}

// TestRealHardLibsMenu: of a menu that takes the keyboard the list that fills it is scrolled.
func TestRealHardLibsMenu(t *testing.T) {
	libs(t, "scrolled", func(t *testing.T, l *live) {
		l.ok("scroll", p{"selector": "#menu", "direction": "down"})
		l.gives("[items.scrollTop > 50, scrollY]", "[true,0]")
	})
}

// TestRealHardMenus: menus that open on hover, one in another and with a gap
// between; a button that runs from the mouse once; one that its own tip covers.
func TestRealHardMenus(t *testing.T) {
	hard(t, "hard_lists.html", func(t *testing.T, l *live) {
		l.fails(NotVisible, "click", p{"selector": "#last"})
		l.saw(pressKinds)
		has(t, l.ok("hover", p{"selector": "#file"}).Effect, "New file")
		has(t, l.ok("hover", p{"selector": "#recent"}).Effect, "Last file")
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Last file"}).Index})
		l.saw(pressKinds, pressedOn("last")...)

		l.ok("click", p{"selector": "#chase"})
		l.saw(pressKinds, pressedOn("chase")...)

		res := l.fails(Covered, "click", p{"selector": "#tiptarget"})
		has(t, res.Text, "A tip that takes the mouse")
		l.saw(pressKinds)
	})
}
