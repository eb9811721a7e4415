package action

import (
	"fmt"
	_ "image/jpeg"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// TestRealHardBoxes: a combobox whose field is transparent while its box says
// what is chosen stays what it is, two of a kind in a row too; an option that
// answers to the press itself is chosen with it; a press on a field over which its
// calendar comes has done what it does; what is written in an editor is told line
// by line, without its placeholder.
func TestRealHardBoxes(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_boxes.html")
		hasChosen(t, l.ok("select", p{"selector": "#fruit", "value": "Cherry"}), "Cherry")
		list := l.ok("getElements", p{}).Text
		has(t, list, `combobox "Fruit" value="Cherry"`)
		has(t, l.ok("snapshot", p{"interactive": true}).Text, `combobox "Fruit" value="Cherry" collapsed [`)
		index := l.found(p{"role": "combobox", "name": "Nut"}).Index
		hasChosen(t, l.ok("select", p{"index": index, "value": "Apple"}), "Apple")
		l.eval(`nut.blur(), 0`) // its list may stand there still
		hasChosen(t, l.ok("select", p{"index": index, "value": "Banana"}), "Banana")
		l.eval(`nut.blur(), 0`)
		if res := l.ok("select", p{"selector": "#fruit", "value": "Apple"}); !saysChosen(res, "Apple") || strings.Contains(res.Effect, "gone: ") && strings.Contains(res.Effect, `combobox "Fruit"`) {
			t.Errorf("chosen once more: %s", res.Text)
		}
		has(t, l.ok("click", p{"selector": "#fruit"}).Effect, "expanded", "Banana")
		l.eval(`fruit.blur(), 0`)

		has(t, l.ok("click", p{"selector": "#day"}).Effect, "Month")
		if said := l.eval(`chosen.textContent`); strings.Contains(said, "let go") {
			t.Error("the release went to the calendar")
		}
		l.eval(`document.getAnimations().forEach((a) => a.finish()), 0`)
		has(t, l.ok("click", p{"selector": "#calendar button:nth-of-type(2)"}).Effect, "2026-11-25")

		if list = l.ok("snapshot", p{}).Text; strings.Contains(list, `"Message" `) && strings.Contains(list, `value="Write something"`) {
			t.Errorf("a placeholder is told as what is written:\n%s", list)
		}
		has(t, l.ok("type", p{"selector": "#editor", "text": "one line"}).Effect, `"one line"`)
		l.ok("pressKey", p{"key": "Enter"})
		has(t, l.ok("type", p{"selector": "#editor", "text": "another"}).Effect, `"one line\nanother"`)

		// A field that lies under its box, and is seen while it has the keyboard.
		drink := l.found(p{"role": "combobox", "name": "Drink"}).Index
		for _, tree := range []string{l.ok("getElements", p{"query": "Pick"}).Text, l.ok("snapshot", p{"interactive": true}).Text} {
			if strings.Contains(tree, `clickable "Pick`) || strings.Contains(tree, `div "Pick`) {
				t.Errorf("its box stands beside it:\n%s", tree)
			}
		}
		has(t, l.ok("click", p{"index": drink}).Effect, "Milk")
		for _, name := range []string{"Milk", "Water", "Tea"} { // its list fades away meanwhile
			has(t, l.ok("select", p{"index": drink, "value": name}).Effect, name)
			if said := l.eval(`drunk.textContent`); said != strconv.Quote(name) {
				t.Errorf("chosen: %s, want %s", said, name)
			}
		}
		// What a list calls selected is not chosen where it is only what the pointer is at.
		went := func(want string) {
			t.Helper()
			if got := l.eval(`[...went.selectedOptions].map((o) => o.text).join()`); got != strconv.Quote(want) {
				t.Errorf("chosen in the page: %s, want %s", got, want)
			}
		}
		hasChosen(t, l.ok("select", p{"selector": "#towns", "value": "Oslo"}), "Oslo")
		went("Oslo")
		l.ok("select", p{"selector": "#towns", "value": "Rome"}) // the next one was lit up
		went("Rome,Oslo")
		res := l.do("select", p{"selector": "#towns", "value": "Bern"}) // nothing beside it to point at
		if res.Err == nil || res.Err.Code != Unsupported || !strings.Contains(res.Err.Hint, "click it") {
			t.Errorf("the last one: %v", res.Err)
		}
		went("Rome,Oslo")
		l.ok("click", p{"selector": "#oBern"})
		went("Rome,Oslo,Bern")
		for range 2 { // selected, and what the arrow keys are at: once more takes nothing away
			l.ok("select", p{"selector": "#breads", "value": "Rye"})
			if l.eval(`rye.ariaSelected`) != `"true"` {
				t.Error("Rye was let go")
			}
		}
	})
}

// TestRealHardChoices: an option that is called selected as the arrow keys are at it
// is chosen all the same; lists that draw far ahead, or bring more at their end, are
// looked through to it; columns of menus are one list; a list within its control
// is not what the control says.
func TestRealHardChoices(t *testing.T) {
	hard(t, "hard_choices.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			by   p
			want []string
			says []string
			now  string
		}{
			{p{"selector": "#marks input", "values": []string{"Xray", "Yank"}}, []string{"marks Xray", "marks Xray,Yank"}, nil, "Xray Yank"},
			{p{"selector": "#row", "value": "Row 150"}, []string{"row Row 150"}, nil, "Row 150"},
			{p{"selector": "#row", "value": "Row 199"}, []string{"row Row 199"}, nil, ""},
			{p{"selector": "#row", "value": "Row 3"}, []string{"row Row 3"}, nil, ""},
			{p{"selector": "#more", "value": "Piece 110"}, []string{"more Piece 110"}, nil, ""},
			{p{"selector": "#area", "value": "France"}, nil, []string{"OK: opened", "Paris, Lyon"}, ""},
			{p{"selector": "#area", "value": "Lyon"}, []string{"area Lyon"}, nil, "Lyon"},
			{p{"selector": "#area", "values": []string{"Luxembourg", "Luxembourg"}}, []string{"area Luxembourg"}, nil, "Luxembourg"},
			{p{"selector": "#tongue", "value": "Dutch"}, []string{"tongue Dutch"}, nil, "Dutch"},
		} {
			res := l.ok("select", tt.by)
			has(t, res.Text, tt.says...)
			if tt.now != "" {
				hasChosen(t, res, tt.now)
			}
			if got := l.took(choiceKinds, len(tt.want)); !slices.Equal(got, tt.want) {
				t.Errorf("%v: the page saw %q", tt.by, got)
			}
		}
	})
}

// TestRealHardChoicesLeft: what was typed in vain is taken back, and a list that is of
// no use is closed, but not by a key that a dialog would hear too.
func TestRealHardChoicesLeft(t *testing.T) {
	hard(t, "hard_choices.html", func(t *testing.T, l *live) {
		has(t, l.fails(NotFound, "select", p{"selector": "#town", "value": "Kiwi"}).Text, `its field holds "Rome"`)
		if got := l.eval(`[town.value, town.ariaExpanded].join()`); got != strconv.Quote("Rome,false") {
			t.Errorf("left in the field: %s", got)
		}
		l.fails(NotFound, "select", p{"selector": "#row", "value": "Row 1000"})
		l.saw(choiceKinds, "escape row")
		if got := l.eval(`row.ariaExpanded`); got != `"false"` {
			t.Errorf("the list is left open: %s", got)
		}
		has(t, l.fails(NotFound, "select", p{"selector": "#inner", "value": "Two"}).Text, "it is open now")
		l.saw(choiceKinds)
	})
}

func TestRealHardCombobox(t *testing.T) {
	type chosen struct {
		Value  string   `json:"value"`
		Labels []string `json:"labels"`
	}
	hard(t, "hard_combo.html", func(t *testing.T, l *live) {
		l.eval(`city.addEventListener("focus", () => { window.from ??= performance.now(); }); city.addEventListener("input", () => { window.to ??= performance.now(); }); 0`)
		const told = "fruit|city|lang|year|team|size|drink|tags|plan|ship|native|several|colour|slips|capital|place|office"
		for _, tt := range []struct {
			by   p
			want string // the page's own record
			says string // what the result says is chosen
		}{
			{p{"selector": "#fruit", "value": "Pear"}, "fruit Pear", "Pear"},
			{p{"selector": "#fruit", "position": 2}, "fruit Plum", "Plum"},
			{p{"selector": "#fruit", "label": "apple"}, "fruit Apple", "Apple"},
			{p{"selector": "#city", "value": "Oslo"}, "city Oslo, Norway", "Oslo, Norway"},
			{p{"selector": "#lang", "value": "中文"}, "lang 中文", "中文"},
			{p{"selector": "#year", "value": "1560"}, "year 1560", "1560"},
			{p{"selector": "#year", "position": 3}, "year 1503", "1503"},
			{p{"selector": "#team", "value": "South"}, "team South", "South"},
			{p{"selector": "#rsin", "value": "Large"}, "size Large", ""},
			{p{"selector": "#antin", "value": "Coffee"}, "drink Coffee", ""},
			{p{"selector": "#tags", "values": []string{"Red", "Blue"}}, "tags Red,Blue", "Red, Blue"},
			{p{"selector": "#plan", "value": "p"}, "plan p", "Plus"},
			{p{"selector": "#ship", "value": "Fast"}, "ship Fast", "Fast"},
			{p{"selector": "#native", "value": "Beta"}, "native b", ""},
			{p{"selector": "#several", "values": []string{"One", "Three"}}, "several One,Three", ""},
			{p{"selector": "#capital", "value": "Berlin"}, "capital Berlin", "Berlin"}, // by the press itself, which brings a search field
			{p{"selector": "#place", "value": "Oslo"}, "place Oslo", ""},               // another list has one, too
			{p{"selector": "#slips", "value": "Some"}, "slips Some", "Some"},           // by the keyboard, where the mouse never reaches it
		} {
			res := l.ok("select", tt.by)
			l.saw(told, tt.want)
			if tt.says != "" && !saysChosen(res, tt.says) {
				t.Errorf("%v: %s", tt.by, res.Text)
			}
		}
		// A field that suggests as one types shows nothing before: it is not waited for.
		if got := l.eval("to - from < 1500"); got != "true" {
			t.Errorf("the city was typed %s ms after its field was pressed", l.eval("to - from"))
		}
		if c := as[chosen](t, l.ok("select", p{"index": l.found(p{"role": "combobox", "name": "Fruit"}).Index, "value": "Plum"})); c.Value != "Plum" {
			t.Errorf("chosen %+v", c)
		}
		l.ok("select", p{"selector": "#colour", "value": "Green"})
		if got := l.eval("colour.value"); got != `"#0f0"` {
			t.Errorf("colour %s", got)
		}
		l.took(".*", 0)
		has(t, l.fails(NotFound, "select", p{"selector": "#fruit", "value": "Kiwi"}).Text, "Apple, Pear, Plum")
		l.ok("pressKey", p{"key": "Escape"})
		l.fails(Disabled, "select", p{"selector": "#tags", "value": "Grey"})
		l.fails(Disabled, "select", p{"selector": "#native", "value": "Gamma"})
		l.fails(NotFound, "select", p{"selector": "#nothing", "value": "x"})
		l.fails(Unsupported, "select", p{"selector": "xpath=(//p)[1]", "value": "x"})
		l.saw(told, "colour #0f0") // which a field says when it is left

		type offered struct {
			Options []Choice
			Opened  bool
			Total   int
		}
		labels := func(selector string) (out []string, o offered) {
			o = as[offered](t, l.ok("getOptions", p{"selector": selector}))
			for _, c := range o.Options {
				out = append(out, c.Label)
			}
			return out, o
		}
		if got, o := labels("#lang"); !slices.Equal(got, []string{"English", "Deutsch", "中文"}) || !o.Opened {
			t.Errorf("languages %q, %+v", got, o)
		}
		if got, o := labels("#year"); o.Total != 1000 || len(got) == 0 {
			t.Errorf("%d of %d years", len(got), o.Total)
		}
		if got, _ := labels("#ship"); !slices.Equal(got, []string{"Slow", "Fast"}) {
			t.Errorf("shipping %q", got)
		}
	})
}

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
			{"Fruit", p{"value": "Pear"}, "Pear", "Pear"},
			{"Hues", p{"values": []string{"Red", "Blue"}}, "Red,Blue", "Selected, Red"},
			{"Slow", p{"value": "Oak"}, "Oak", "Oak"},
			{"Keys", p{"value": "Mi"}, "Mi", "Mi"},
			{"Deaf", p{"value": "No"}, "-", ""},
		} {
			tt.by["index"] = l.found(p{"role": "combobox", "name": tt.name, "exact": true}).Index
			if res := l.ok("select", tt.by); tt.says != "" {
				hasChosen(t, res, tt.says)
			} else {
				has(t, res.Text, `But it says "-" as before`)
			}
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

// TestRealHardLibsSearched: the field of a combobox that is searched lies under the words
// of what is chosen, and is worked all the same. What lies over it else is not pressed.
func TestRealHardLibsSearched(t *testing.T) {
	libs(t, "searched", func(t *testing.T, l *live) {
		team := l.index("combobox", "Team")
		has(t, l.ok("click", p{"index": team}).Effect, "expanded", "Charlie")
		l.gives("document.activeElement.id", `"team"`)
		l.eval("team.blur(), 0")
		l.ok("type", p{"index": team, "text": "cha"})
		l.gives("out.teamtyped", `"cha"`)
		l.eval("team.blur(), 0")
		hasChosen(t, l.ok("select", p{"index": team, "value": "Charlie"}), "Charlie")
		l.gives("out.team", `"Charlie"`)
		l.ok("select", p{"selector": "#team", "value": "Alfa"})
		l.gives("out.team", `"Alfa"`)

		// A cross over all of the field, one over its middle, and what is no part of it.
		l.took(".*", 0)
		has(t, l.fails(Covered, "click", p{"selector": "#club"}).Text, "Clear")
		l.ok("click", p{"selector": "#crew"})
		if got := l.took("click", 1); slices.Contains(got, "click crewx") {
			t.Errorf("the cross was pressed: %q", got)
		}
		l.eval("crew.blur(), 0")
		l.fails(Covered, "click", p{"selector": "#band"})
		l.fails(Covered, "select", p{"selector": "#band", "value": "Alfa"})
		l.gives("[out.cleared, out.club, out.band]", `[null,null,null]`)
		l.saw("mousedown|click")
	})
}

// TestRealHardLibsLong: a list that is drawn beside its listbox, in part, and scrolls by
// script only: its far options are found, and what it has not is said soon.
func TestRealHardLibsLong(t *testing.T) {
	libs(t, "long", func(t *testing.T, l *live) {
		hasChosen(t, l.ok("select", p{"selector": "#bigin", "value": "Item 97"}), "Item 97")
		l.gives("out.big", "97")
		began := time.Now()
		l.fails(NotFound, "select", p{"selector": "#bigin", "value": "Item 970"})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("in vain for %s", took)
		}
		l.gives("out.big", "97")
	})
}

// TestRealHardLibsLongScroll: such a list is scrolled by the box that it stands in.
func TestRealHardLibsLongScroll(t *testing.T) {
	libs(t, "long", func(t *testing.T, l *live) {
		l.ok("click", p{"selector": "#bigin"})
		l.ok("scroll", p{"selector": "#holder", "direction": "down"})
		l.gives("[holder.scrollTop > 100, scrollY]", "[true,0]")
	})
}

// TestRealHardLibsLabelled: what a field opens within its label is no part of its name.
func TestRealHardLibsLabelled(t *testing.T) {
	libs(t, "labelled", func(t *testing.T, l *live) {
		l.ok("type", p{"index": l.index("textbox", "Born"), "text": "2026-11-24"})
		l.gives("out.day", `"2026-11-24"`)
		has(t, l.ok("getElements", p{}).Text, `textbox "Born" value="2026-11-24"`)
	})
}

// TestRealHardLibsReleased: a list that chooses as the button is let go, of which its
// combobox tells how many: the click behind that is held back.
func TestRealHardLibsReleased(t *testing.T) {
	libs(t, "released", func(t *testing.T, l *live) {
		l.ok("select", p{"selector": "#hue", "values": []string{"Red", "Blue"}})
		l.gives("[out.hues, hue.value]", `["Red,Blue","2 options selected"]`)
		l.ok("click", p{"index": l.index("option", "Green")})
		l.gives("[out.hues, out.clicked]", `["Red,Blue,Green",null]`)
	})
}

// TestRealHardFieldList: the rows of a list that a field has open, and that show by
// nothing but their listeners that they are pressed, are options of that field.
func TestRealHardFieldList(t *testing.T) {
	hard(t, "hard_listeners.html", func(t *testing.T, l *live) {
		field := l.found(p{"role": "textbox", "name": "Agent"}).Index
		l.ok("click", p{"index": field})
		l.until("!offer.hidden")
		option := func(name string) int {
			t.Helper()
			es := l.listed()
			i := slices.IndexFunc(es, func(e pagecontext.Element) bool { return e.Role == "option" && strings.HasPrefix(e.Name, name) })
			if i < 0 {
				t.Fatalf("no option %s: %s", name, namesOf(es))
			}
			return es[i].Index
		}
		l.ok("click", p{"index": option("Moa Berg")})
		l.gives("out.textContent", `"agent Moa Berg"`)
		l.ok("type", p{"index": field, "text": "m", "clear": true})
		l.until("offer.childElementCount === 3")
		has(t, l.ok("getOptions", p{"index": field}).Text, "Mara Holm", "Mika Sund", "Moa Berg")
		l.ok("select", p{"index": field, "value": "Mika Sund"})
		l.gives("out.textContent", `"agent Mika Sund"`)
		// Without the keyboard it shows no list: select types into it.
		l.eval("who.onfocus = null, who.blur(), who.value = '', offer.hidden = true, out.textContent = ''")
		l.until("offer.hidden")
		l.ok("select", p{"index": field, "value": "Mika Sund"})
		l.gives("out.textContent", `"agent Mika Sund"`)
		// Of a list that comes with the text, type says that the text may not be enough.
		l.eval("who.oninput = () => draw(names.filter((n) => n.startsWith(who.value)))")
		has(t, l.ok("type", p{"index": field, "text": "Mo", "clear": true}).Text, `new: option "Moa Berg away"`, SuggestsNote)
		// A field without a list has no options.
		l.eval("who.onfocus = who.oninput = null, who.blur(), offer.hidden = true")
		l.ok("focus", p{"index": field})
		l.fails(Unsupported, "select", p{"index": field, "value": "Lars Ek"})
	})
}

// TestRealHardMoreStacked: select of a combobox under the open list of another one says so.
func TestRealHardMoreStacked(t *testing.T) {
	more(t, "stacked", func(t *testing.T, l *live) {
		l.ok("click", sel("#one"))
		l.fails(Covered, "select", p{"selector": "#two", "value": "Red"})
		l.ok("select", p{"selector": "#one", "value": "Red"})
		l.ok("select", p{"selector": "#two", "value": "Blue"})
		l.gives("[out.one, out.two]", `["Red","Blue"]`)
	})
}

// TestRealHardMoreTold: a list in the control that tells what is chosen is not the one that
// it opens.
func TestRealHardMoreTold(t *testing.T) {
	more(t, "told", func(t *testing.T, l *live) {
		hasChosen(t, l.ok("select", p{"selector": "#kind", "value": "Bravo"}), "Bravo")
		l.gives("out.kind", `"Bravo"`)
	})
}

// TestRealHardMoreThrough: the field of a combobox that lets the mouse through is pressed on
// the combobox, and not on a button over it.
func TestRealHardMoreThrough(t *testing.T) {
	more(t, "through", func(t *testing.T, l *live) {
		has(t, l.ok("click", p{"index": l.index("textbox", "City")}).Effect, "Bergen")
		l.ok("select", p{"index": l.index("textbox", "City"), "value": "Bergen"})
		l.gives("out.city", `"Bergen"`)
		l.took(".*", 0)
		l.fails(Covered, "click", sel("#landin"))
		l.gives("[out.wiped, out.land]", `[null,null]`)
		l.saw("mousedown|click")
	})
}

// TestRealHardMoreBoxed: select of the box that is drawn for a combobox that nobody sees.
func TestRealHardMoreBoxed(t *testing.T) {
	more(t, "boxed", func(t *testing.T, l *live) {
		hasChosen(t, l.ok("select", p{"selector": "#box", "value": "Green"}), "Green")
		l.gives("out.box", `"Green"`)
	})
}

// TestRealHardMoreCascades: the menus in the popup of a combobox are its columns.
func TestRealHardMoreCascades(t *testing.T) {
	more(t, "cascades", func(t *testing.T, l *live) {
		for _, id := range []string{"dialogged", "bare"} {
			l.ok("select", p{"selector": "#" + id, "values": []string{"Europe", "Norway", "Bergen"}})
			l.gives("out."+id, `"Europe / Norway / Bergen"`)
		}
	})
}

// TestRealHardPicks: a box that grows with what is chosen is the same box; fields
// that lie nowhere while their box says what is chosen are listed and chosen from;
// a combobox that is called by what is chosen in it says what it stands beside,
// and stays what it is; a list that comes with a field to search in is searched; one
// that opens with the press, over what was pressed, is open; one that is drawn beside
// the list that is told is chosen from, and its field holds no password; a button that has a label
// says what it shows.
func TestRealHardPicks(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_picks.html")
		list := l.ok("getElements", p{}).Text
		has(t, list, `combobox "Woods" value="Ash"`, `combobox "Size" value="Pick"`, `combobox "Wood" value="Ash"`, `combobox "Rome" near="Town"`, `combobox "Ripe" value="Any"`, `combobox "Hue" value="Red"`, `button "Born" value="May 4, 2026"`)
		if strings.Contains(list, "textbox") || strings.Contains(list, "clickable") || strings.Contains(list, "secret") {
			t.Errorf("listed twice, or for what it is not:\n%s", list)
		}
		for _, tt := range []struct {
			name, key string
			by        p
			want      string // the page's own record
			says      string // what the result says is chosen
		}{
			{"Colours", "Colours", p{"values": []string{"Ash", "Cedar"}}, "Ash,Cedar", "Ash Cedar"},
			{"Woods", "Woods", p{"values": []string{"Beech", "Cedar"}}, "Ash,Beech,Cedar", "Ash Beech Cedar"},
			{"Lit", "Lit", p{"value": "Ash"}, "Ash", "Ash"}, // the list lights up the next one
			{"Size", "Size", p{"value": "Beech"}, "Beech", "Beech"},
			{"Wood", "Wood", p{"value": "Cedar"}, "Cedar", "Cedar"},
			{"Hue", "hue", p{"value": "Blue"}, "Blue", "Blue"}, // not one of those that are told
			{"Rome", "town", p{"value": "Oslo"}, "Oslo", "Oslo"},
			{"Ripe", "ripe", p{"value": "No"}, "No", "No"},
		} {
			tt.by["index"] = l.found(p{"role": "combobox", "name": tt.name, "exact": true}).Index
			hasChosen(t, l.ok("select", tt.by), tt.says)
			if got := l.eval("out[" + strconv.Quote(tt.key) + "]"); got != strconv.Quote(tt.want) {
				t.Errorf("%s: chosen in the page: %s, want %s", tt.name, got, tt.want)
			}
			if tt.key == "town" { // another name now, and the same control
				hasChosen(t, l.ok("select", p{"index": tt.by["index"], "value": "Ostrava"}), "Ostrava")
				has(t, l.fails(NotFound, "select", p{"index": tt.by["index"], "value": "Paris"}).Text, `no option "Paris"`)
				if got := l.eval(`document.querySelector("[type=search]").value`); got != `""` {
					t.Errorf("left in the field: %s", got)
				}
				l.eval(`document.querySelector(".pop").remove(), town.ariaExpanded = "false", 0`)
			}
		}
		has(t, l.ok("getOptions", p{"selector": "#ripe"}).Text, `"Any"`, `"No"`)
		l.eval(`ripes.remove(), ripe.ariaExpanded = "false", 0`)
		has(t, l.ok("click", p{"selector": "#ripe"}).Effect, `expanded "false" → "true"`)
		l.eval(`ripes.remove(), ripe.ariaExpanded = "false", 0`)
		options := l.ok("getOptions", p{"selector": "#hue input"}).Text
		has(t, options, "3 options", `"Blue" selected`)
		l.eval(`document.querySelector(".pop").remove(), hue.querySelector("input").ariaExpanded = "false", 0`)

		// What a menu shows once the mouse has stayed is waited for; what is open is told
		// where the page takes no presses beside it.
		l.ok("click", p{"selector": "#menu"})
		has(t, l.ok("hover", p{"selector": "#sub"}).Effect, `expanded "false" → "true"`, "Hammer")
		has(t, l.fails(Covered, "click", p{"selector": "#other"}).Text, `menu "Do"`)
	})
}

// TestRealHardPickRows: of rows that a list uses again the combobox of another one
// is told, whatever is chosen in it.
func TestRealHardPickRows(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_picks.html")
		l.eval(`document.body.insertAdjacentHTML("beforeend", ["Blue mug", "Oak lamp", "Tin cup"].map((n) => '<div class="row"><span>' + n + '</span><div class="control"><div class="value"><b>Small</b><input role="combobox" aria-label="Amount" aria-expanded="false"></div></div></div>').join("")), 0`)
		index := l.found(p{"role": "combobox", "name": "Amount", "nth": 1}).Index
		l.eval(`document.querySelectorAll(".row b")[1].textContent = "Very large", 0`)
		l.ok("focus", p{"index": index})
		l.eval(`document.querySelectorAll(".row span")[1].textContent = "Red hat", 0`)
		l.fails(StaleRef, "focus", p{"index": index})
	})
}

// TestRealClosingList: a list that fades away marks the choice before; the field says the present one.
func TestRealClosingList(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "")
	l.eval(`document.body.innerHTML = '<label>Kind <input role=combobox id=kind aria-controls=kinds aria-expanded=false value=Mug></label>', kind.onfocus = kind.onclick = () => {
		if (window.kinds) return; kind.insertAdjacentHTML("afterend", "<ul role=listbox id=kinds>" + ["Mug", "Plate", "Bowl"].map((k) => '<li role=option style="cursor:pointer" aria-selected=' + (k === kind.value) + ">" + k + "</li>").join("") + "</ul>");
		kind.ariaExpanded = "true"; kinds.onmousedown = (e) => { e.preventDefault(); kind.value = e.target.textContent; kind.ariaExpanded = "false"; setTimeout(() => kinds.remove(), 2000); }; }, 0`)
	res := l.ok("select", p{"index": l.index("combobox", "Kind"), "value": "Bowl"})
	has(t, res.Effect, `"Mug" → "Bowl"`)
	if strings.Contains(res.Text, `Chosen now: "Mug"`) {
		t.Errorf("the choice before is told: %s", res.Text)
	}
}

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

// TestRealDrawnList: select opens a list that no role says is one, and chooses in it; its
// words are told where there is no such option.
func TestRealDrawnList(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		res := l.fails(NotFound, "select", p{"index": l.index("generic", "Light ▾"), "value": "Blue"})
		has(t, res.Text, `there is no option "Blue" in clickable "Light ▾"`, "Its options: ✓ Light, Dark, Soft.")
		res = l.ok("select", p{"index": l.index("generic", "Light ▾"), "value": "Dark"}) // it is open still
		has(t, res.Text, `selected "Dark" in clickable "Light ▾"`)
		has(t, res.Effect, `"Dark ▾"`)
		res = l.ok("getOptions", p{"index": l.index("generic", "Dark ▾")})
		has(t, res.Text, `OK: 3 options of clickable "Dark ▾"`, `option "✓ Dark"`, `option "Soft"`)
		soft := regexp.MustCompile(`option "Soft".* \[(\d+)\]`).FindStringSubmatch(res.Text)
		l.ok("click", p{"ref": soft[1]}) // its index is one to click
		l.ok("select", p{"index": l.index("generic", "Soft ▾"), "value": "Dark"})
		has(t, l.ok("select", p{"index": l.index("generic", "Dark ▾"), "value": "Soft"}).Effect, `"Soft ▾"`)
		// A list of one is a list.
		one := p{"index": l.index("generic", "Invoice ▾")}
		has(t, l.ok("getOptions", one).Text, "OK: 1 options of", `option "INV-45 due $90"`)
		l.ok("select", p{"index": one["index"], "value": "INV-45 due $90"})
		l.gives("one.dataset.chosen", `"INV-45 due $90"`)
		res = l.fails(Unsupported, "select", p{"index": l.index("row", "QU-2 Tom Becker Sent"), "value": "x"})
		has(t, res.Text, `row "QU-2 Tom Becker Sent" has no options`)
	})
}

// TestRealDrawnDropdown: what opens something else than a list says so where its options
// are asked for, and is called in results as in the list.
func TestRealDrawnDropdown(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		at := p{"index": l.index("generic", "Default ▾")}
		res := l.ok("click", at)
		has(t, res.Text, `clicked clickable "Default ▾"`)
		has(t, res.Effect, `button "Newest"`)
		res = l.ok("getOptions", at)
		has(t, res.Text, `clickable "Default ▾"`, "shows no options")
	})
}

func TestRealChoose(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "choose.html")
		has(t, l.ok("select", p{"selector": "#toppings", "values": []string{"Ham", "j"}}).Text, `"Ham", "Jalapeño"`)
		l.ok("select", p{"selector": "#size", "label": "One"})
		l.ok("select", p{"selector": "#size", "position": 2})
		l.ok("select", p{"selector": "#size", "value": "1"}) // a value before a position
		l.wantLog("toppings h,j", "size 1", "size l", "size 1")
		l.fails(InvalidParams, "select", p{"selector": "#size"})
		l.fails(InvalidParams, "select", p{"selector": "#size", "values": []string{"s", "l"}})
		l.fails(NotFound, "select", p{"selector": "#size", "position": 9})
		l.fails(Disabled, "select", p{"selector": "#toppings", "values": []string{"Ghost"}})

		type options struct {
			Options  []Choice `json:"options"`
			Native   bool     `json:"native"`
			Open     bool     `json:"open"`
			Multiple bool     `json:"multiple"`
		}
		o := as[options](t, l.ok("getOptions", p{"selector": "#toppings"}))
		if len(o.Options) != 4 || !o.Native || !o.Multiple || o.Options[2].Group != "Hot" || !o.Options[0].Selected || !o.Options[3].Disabled {
			t.Errorf("options %+v", o)
		}
		if o := as[options](t, l.ok("getOptions", p{"selector": "#city"})); len(o.Options) != 2 || o.Options[1].Label != "Oslo" {
			t.Errorf("options %+v", o)
		}
		o = as[options](t, l.ok("getOptions", p{"selector": "#combo"}))
		if len(o.Options) != 2 || !o.Open || o.Options[0].Value != "a" || !o.Options[1].Disabled {
			t.Fatalf("options %+v", o)
		}
		has(t, l.ok("click", p{"ref": o.Options[0].Ref}).Text, `option "Apple"`)
		if got := l.eval("combo.textContent"); got != `"Apple"` {
			t.Errorf("combo %s", got)
		}
		l.fails(Unsupported, "getOptions", p{"selector": "#gift"})
	})
}
