package action

import (
	"strconv"
	"strings"
	"testing"
)

// TestRealHardCompLists: options are found that stand in a shadow tree each, also in a list
// that unfolds; what is chosen already of several is left so; a list that no press
// opens is opened by the key that chooses nothing; where nothing was taken, it is said.
func TestRealHardCompLists(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			name string
			by   p
			want string // the page's own record
			says string
		}{
			{"Fruit", p{"value": "Pear"}, "Pear", `Chosen now: "Pear"`},
			{"Hues", p{"values": []string{"Red", "Blue"}}, "Red,Blue", `Chosen now: `},
			{"Slow", p{"value": "Oak"}, "Oak", `Chosen now: "Oak"`},
			{"Keys", p{"value": "Mi"}, "Mi", `Chosen now: "Mi"`},
			{"Deaf", p{"value": "No"}, "-", `But it says "-" as before`},
		} {
			tt.by["index"] = l.found(p{"role": "combobox", "name": tt.name, "exact": true}).Index
			has(t, l.ok("select", tt.by).Text, tt.says)
			if got := l.eval("out[" + strconv.Quote(tt.name) + "]"); got != strconv.Quote(tt.want) {
				t.Errorf("%s: chosen in the page: %s, want %s", tt.name, got, tt.want)
			}
		}
		l.eval(`keys.firstElementChild.choose(false), out.Keys = "", 0`)
		l.fails(NotFound, "select", p{"index": l.index("combobox", "Keys"), "value": "Fa"})
		if got := l.eval("out.Keys"); got != `""` {
			t.Errorf("in vain, and chosen: %s", got)
		}
	})
}

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

// TestRealHardCompFields: what is transparent until it has the keyboard is listed by the box
// that is drawn for it and says its name, and worked; what hides in another box, or in
// none, is not. The knobs of a range and the label of a hidden switch stand for these.
func TestRealHardCompFields(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		list := l.ok("getElements", p{}).Text
		has(t, list, `textbox "Your name"`, `textbox "Remark"`, `slider "From" value="20"`, `slider "To" value="60"`, `switch "Night"`)
		if strings.Contains(list, "Card") || strings.Contains(list, "Leave") {
			t.Errorf("nobody sees that:\n%s", list)
		}
		l.ok("type", p{"index": l.index("textbox", "Your name"), "text": "Ann"})
		l.ok("type", p{"index": l.index("textbox", "Remark"), "text": "fine"})
		l.ok("select", p{"index": l.index("slider", "From"), "value": "30"})
		l.ok("select", p{"index": l.index("slider", "To"), "value": "90"})
		l.ok("check", p{"index": l.index("switch", "Night")})
		l.ok("check", p{"index": l.index("switch", "Night")})
		if got := l.eval("JSON.stringify([out.you, out.say, out.from, out.to, out.night, out.trap])"); got != strconv.Quote(`["Ann","fine","30","90","true",null]`) {
			t.Errorf("the page took %s", got)
		}
	})
}

// TestRealHardCompParts: a component and the button in it are one control, whatever is drawn in
// that; where the component takes the presses and not what is in it, it stays.
func TestRealHardCompParts(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		list := l.ok("getElements", p{}).Text
		for _, name := range []string{`"Go on"`, `"Week"`} {
			if n := strings.Count(list, name); n != 1 {
				t.Errorf("%s is listed %d times:\n%s", name, n, list)
			}
		}
		l.ok("click", p{"index": l.index("button", "Go on")})
		l.ok("click", p{"index": l.index("tab", "Week")})
		if got := l.eval("JSON.stringify([out.go, out.week])"); got != `"[1,1]"` {
			t.Errorf("the page took %s", got)
		}
	})
}

// TestRealHardCompNames: what a component is labelled is what the control in it is called; a
// button is seen by what is painted under it; a box with a cross of its own stands for its
// combobox; the name that stands in one is no part of what it says.
func TestRealHardCompNames(t *testing.T) {
	hard(t, "hard_comps.html", func(t *testing.T, l *live) {
		list := l.ok("getElements", p{}).Text
		has(t, list, `checkbox "Ham"`, `checkbox "Egg"`, `button "Publish"`, `combobox "Tags" value="Fig`, `button "Empty"`, `combobox "Town" value="Rome"`)
		if strings.Contains(list, "Pale") {
			t.Errorf("nobody sees that:\n%s", list)
		}
		if strings.Contains(list, `clickable "Fig`) {
			t.Errorf("the box of a combobox is listed beside it:\n%s", list)
		}
		l.ok("check", p{"index": l.index("checkbox", "Ham")})
		l.ok("check", p{"index": l.index("checkbox", "Egg")})
		l.ok("click", p{"index": l.index("button", "Publish")})
		l.ok("select", p{"index": l.index("combobox", "Tags"), "value": "Nut"})
		if got := l.eval("JSON.stringify([out.ham, out.egg, out.paid, out.tags])"); got != strconv.Quote(`[true,true,1,"Nut"]`) {
			t.Errorf("the page took %s", got)
		}
		l.ok("click", p{"index": l.index("button", "Empty")})
		if got := l.eval("out.tags"); got != `""` {
			t.Errorf("emptied: %s", got)
		}
	})
}
