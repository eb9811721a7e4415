package action

import (
	_ "image/jpeg"
	"strconv"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

// TestRealHardAmounts: a number is typed where the field means that number, in
// whichever notation, also when it is left; else what it holds is an error.
func TestRealHardAmounts(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			id, text string
			clear    bool
			want     string // what it holds when it has been left; with "!" that is an error
		}{
			{"a", "12.5", true, "12,50"},
			{"a", "1,250.50", true, "1.250,50"},
			{"a", "-5", true, "!5,00"},
			{"b", "12.5", true, "12,50"},
			{"b", "-5", true, "-5,00"},
			{"c", "12.5", true, "12,50"},
			{"c", "0.99", true, "0,99"},
			{"c", "1500", true, "1.500,00"},
			{"c", "", true, "0,00"},
			{"c", "12.5", false, "!1,25"},
			{"d", "0.99", true, "0.99"},
			{"d", "1,250.50", true, "!1250,"},
			{"e", "12,5", true, "12.50"},
			{"f", "1500", true, "!1000"},
			{"f", "", true, ""},
			{"f", "12.5", false, "12.5"},
		} {
			res := l.do("type", p{"selector": "#" + tt.id, "text": tt.text, "clear": tt.clear})
			l.eval("document.activeElement.blur()")
			want, bad := strings.CutPrefix(tt.want, "!")
			if got := l.eval(tt.id + ".value"); got != `"`+want+`"` && tt.text != "" || (res.Err != nil) != bad {
				t.Errorf("%s holds %s after %q: %s", tt.id, got, tt.text, res.Text)
			}
			if said := "holds " + strconv.Quote(want); tt.text != "" && tt.text != want && !strings.Contains(res.Text, said) {
				t.Errorf("%s lacks %s: %s", tt.id, said, res.Text)
			}
		}
	})
}

// TestRealHardAddsAtEnd: without clear a text goes behind all that a field holds,
// wherever the caret stood in it.
func TestRealHardAddsAtEnd(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		l.eval(`e.value = "12", mail.value = "ann@", text.value = lines.value = "one", 0`)
		for id, text := range map[string]string{"e": "34", "mail": "x.org", "text": "two", "lines": "two", "ed": " three"} {
			l.ok("focus", p{"selector": "#" + id})
			l.ok("pressKey", p{"key": "Home"})
			l.ok("type", p{"selector": "#" + id, "text": text})
		}
		if got := l.eval(`[e, mail, text, lines].map((x) => x.value).join() + "," + ed.textContent`); got != `"1234,ann@x.org,onetwo,onetwo,one two three"` {
			t.Errorf("they hold %s", got)
		}
	})
}

// TestRealHardBegunText: what a field was begun to be written with is written to its
// end in that field, called something else by now, and in no other; not where it
// became a field of another kind.
func TestRealHardBegunText(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		for _, clear := range []bool{false, true} {
			l.eval(`one.ariaLabel = "Draft"; two.ariaLabel = "Other"; one.value = ""; two.value = "precious"`)
			l.ok("type", p{"selector": `[aria-label="Draft"]`, "text": "abc", "clear": clear})
			if got := l.eval("[one.value, two.value].join()"); got != `"abc,precious"` {
				t.Errorf("clear %v: the fields hold %s", clear, got)
			}
		}
		for _, by := range []p{{"selector": "#head"}, {}} {
			l.eval(`head.ariaLabel = "Title"; head.textContent = "Old title"`)
			if by["text"] = " new"; by["selector"] == nil {
				by["index"] = l.found(p{"label": "Title", "exact": true}).Index
			}
			l.ok("type", by)
			if got := l.eval(`head.textContent.replace("\u00a0", " ")`); got != `"Old title new"` {
				t.Errorf("the heading holds %s", got)
			}
		}
		res := l.fails(StaleRef, "type", p{"index": l.found(p{"role": "textbox", "name": "Line"}).Index, "text": "abc"})
		has(t, res.Text, "a part of it may stand there", "clear: true")
		if strings.Contains(res.Text, "Use that index") {
			t.Errorf("it is to be typed once more: %s", res.Text)
		}
	})
}

// TestRealHardBegunNames: a field that is named by what it shows while it is empty
// is another one with another name.
func TestRealHardBegunNames(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		for _, id := range []string{"say", "write"} {
			l.fails(StaleRef, "type", p{"index": l.found(p{"testId": id}).Index, "text": "hi"})
			if got := l.eval(id + ".value ?? " + id + ".textContent"); got != `""` {
				t.Errorf("%s holds %s", id, got)
			}
			l.eval(id + ".blur()")
		}
	})
}

// TestRealHardBegunFocus: a press that only gives a field the keyboard is no act
// that was done already.
func TestRealHardBegunFocus(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		l.awaitFrames(`textbox "Name"`)
		l.ok("type", p{"selector": "#name", "text": "Ann"})
		if got := l.eval("framed.contentDocument.getElementById('name').value"); got != `"Ann"` {
			t.Errorf("the field holds %s", got)
		}
	})
}

// TestRealHardBegunLeft: with the press a field is left that was written in, and what
// the page changes for that is judged, and sent with the click.
func TestRealHardBegunLeft(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		l.ok("type", p{"selector": "#due", "text": "2026-12-01"})
		l.ok("click", p{"selector": "#save"})
		if got := l.eval("saved.textContent"); got != `"due=2026-12-01"` {
			t.Errorf("saved is %s", got)
		}
	})
}

// TestRealHardSameField: a field that offers how to go on, and one that asks for
// something only while it is empty, are the same fields as before.
func TestRealHardSameField(t *testing.T) {
	hard(t, "hard_fields.html", func(t *testing.T, l *live) {
		at := l.found(p{"label": "Comment"}).Index
		l.ok("type", p{"index": at, "text": "Hi @ann"})
		l.ok("type", p{"index": at, "text": " and more"})
		if got := l.eval("say.value"); got != `"Hi @ann and more"` {
			t.Errorf("the comment is %s", got)
		}
		at = l.found(p{"testId": "ask"}).Index
		for _, text := range []string{"ab", "c"} {
			l.ok("type", p{"index": at, "text": text})
		}
		l.ok("type", p{"index": at, "text": "", "clear": true})
		l.ok("type", p{"index": at, "text": "anew"})
		if got := l.eval("ask.textContent"); got != `"anew"` {
			t.Errorf("the editor holds %s", got)
		}
		// Nor is it another row's where what it asked for was drawn over it.
		at = l.found(p{"testId": "line"}).Index
		l.ok("type", p{"index": at, "text": "Hello", "submit": true})
		l.ok("type", p{"index": at, "text": "a\n\nb"})
		has(t, l.ok("getValue", p{"index": at}).Text, `"a\n\nb"`)
		l.ok("pressKey", p{"key": "Enter"})
		l.saw("sent", "sent Hello", "sent a\n\nb")
	})
}

// TestRealHardAdds: what is added to a field takes the place of nothing, though all
// that it holds is selected; what is typed without naming one does.
func TestRealHardAdds(t *testing.T) {
	hard(t, "hard_fields.html", func(t *testing.T, l *live) {
		for _, id := range []string{"say", "post"} {
			l.ok("type", p{"selector": "#" + id, "text": "one", "clear": true})
			l.ok("pressKey", p{"key": "a", "modifiers": []string{"ctrl"}})
			l.ok("type", p{"selector": "#" + id, "text": "+two"})
			if got := l.eval(id + ".value ?? " + id + ".textContent"); got != `"one+two"` {
				t.Errorf("%s holds %s", id, got)
			}
			l.ok("pressKey", p{"key": "a", "modifiers": []string{"ctrl"}})
			l.ok("type", p{"text": "three"})
			if got := l.eval(id + ".value ?? " + id + ".textContent"); got != `"three"` {
				t.Errorf("%s holds %s", id, got)
			}
		}
	})
}

func TestRealHardFields(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			by         p
			id, put    string
			want, kind string
		}{
			{p{"label": "Day"}, "date", "2026-12-24", "2026-12-24", "type"},
			{p{"label": "Day"}, "date", "2027-1-5", "2027-01-05", "select"},
			{p{"label": "Moment"}, "moment", "2026-12-24 18:30", "2026-12-24T18:30", "type"},
			{p{"label": "Month"}, "month", "2026-12", "2026-12", "type"},
			{p{"label": "Week"}, "week", "2026-W52", "2026-W52", "type"},
			{p{"label": "Time"}, "time", "6:30 pm", "18:30", "type"},
			{p{"label": "Level"}, "level", "7.5", "7.5", "type"},
			{p{"label": "Paint"}, "paint", "dodgerblue", "#1e90ff", "type"},
			{p{"label": "Late"}, "late", "2027-06-01", "2027-06-01", "type"},
		} {
			tt.by["exact"] = true
			params := p{"index": l.found(tt.by).Index, "text": tt.put}
			if tt.kind == "select" {
				params = p{"selector": "#" + tt.id, "value": tt.put}
			}
			has(t, l.ok(tt.kind, params).Text, `"`+tt.want+`" into`)
			l.saw("input|change|"+tt.id, "input "+tt.id+"!", "change "+tt.id+"!", tt.id+" = "+tt.want)
		}
		has(t, l.fails(InvalidParams, "type", p{"selector": "#date", "text": "24 December"}).Text, "2026-12-24")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#level", "text": "7.3"}).Text, "0 to 10")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#late", "text": "2026-12-24"}).Text, "2027-01-01")
		l.fails(InvalidParams, "type", p{"selector": "#paint", "text": "no colour"})
		l.fails(NotEditable, "type", p{"selector": "#fixed", "text": "2026-12-24"})
		l.saw("input|change")
		l.ok("type", p{"selector": "#date", "text": "", "clear": true})
		if got := l.eval("[date.value, fixed.value]"); got != `["","2026-01-01"]` {
			t.Errorf("values %s", got)
		}
		l.took(".*", 0)

		// A spinner takes keys, and typing.
		l.ok("type", p{"selector": "#count", "text": "7", "clear": true})
		l.ok("pressKey", p{"key": "ArrowUp"})
		if got := l.eval("count.value"); got != `"8"` {
			t.Errorf("count %s", got)
		}
	})
}

func TestHoldsText(t *testing.T) {
	for _, tt := range []struct {
		holds, text, before string
		want                bool
	}{
		{"abc", "abc", "", true},
		{"abc", "ABC", "x", true},
		{"(555) 123-4567", "5551234567", "(12", true},
		{"+1 555 123", "555123", "+1 9", true},
		{"1,234.00", "1234", "7", true},
		{"1.5", "1.50", "2", true},
		{"London", "Lon", "Paris", true},
		{"1234", "34", "12", false}, // behind what stood there
		{"3412", "34", "12", false}, // before it
		{"1234", "123456", "", false},
		{"", "xyz", "", false},
		{"12", "", "12", false},
		{"__/__", "", "12/26", true},
		{"👍", "👍", "x", true},
		{"!", "?", "", false},
	} {
		if got := holdsText(tt.holds, tt.text, tt.before); got != tt.want {
			t.Errorf("%q for %q over %q: %v", tt.holds, tt.text, tt.before, got)
		}
	}
}

// TestRealHardRenames types into fields that the page names anew with the first
// character: they are the same fields.
func TestRealHardRenames(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.ok("type", p{"index": l.found(p{"role": "textbox", "name": "Draft"}).Index, "text": "ab c"})
		l.ok("type", p{"selector": "#memo", "text": "-new"})
		if got := l.eval("[draft.value, memo.value]"); got != `["ab c","old-new"]` {
			t.Errorf("they hold %s", got)
		}
		l.ok("type", p{"selector": "#reply", "text": "Mended in 2.4"}) // the button that sends it is renamed, too
		l.gives("reply.value", `"Mended in 2.4"`)
		l.eval(`memo.ariaLabel = "Note"`)
		l.ok("type", p{"selector": "#memo", "text": "new", "clear": true})
		if got := l.eval("memo.value"); got != `"new"` {
			t.Errorf("memo holds %s", got)
		}
	})
}

// TestRealHardUnseen: a field out of sight takes text while it has the keyboard,
// and no other time.
func TestRealHardUnseen(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.fails(NotVisible, "type", p{"selector": "#cell", "text": "x"})
		l.ok("click", p{"selector": "#sheet"})
		l.ok("type", p{"selector": "#cell", "text": "12 茶"})
		if got := l.eval("cell.value"); got != `"12 茶"` {
			t.Errorf("the cell holds %s", got)
		}
		l.ok("type", p{"selector": "#cell", "text": "13", "clear": true})
		if got := l.eval("cell.value"); got != `"13"` {
			t.Errorf("the cell holds %s", got)
		}
	})
}

// TestRealHardChecked: a button that the page enables once it has checked what
// was written is waited for, also where a user is asked about it.
func TestRealHardChecked(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.fails(Disabled, "click", p{"selector": "#order"})
		if n := len(l.person.cards); n != 0 {
			t.Errorf("%d cards for a disabled button", n)
		}
		l.ok("type", p{"selector": "#who", "text": "Ann"})
		l.ok("click", p{"selector": "#order"})
		l.saw("click", "click order")
		if cards := l.person.cards; len(cards) != 1 || !strings.Contains(cards[0].Target, "Pay now") {
			t.Errorf("it was asked: %+v", cards)
		}
	})
}

// TestRealHardHidden: that a secret was written is told, and nothing of it.
func TestRealHardHidden(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		res := l.ok("type", p{"selector": "#pin", "text": "swordfish"})
		if !strings.Contains(res.Effect, `textbox "Password" [1] value changed`) || strings.Contains(res.Text, "swordfish") {
			t.Errorf("it is said: %s", res.Text)
		}
	})
}

// TestRealHardLibsBegun: a field is what it was where a word that came beside it is how
// another one begins.
func TestRealHardLibsBegun(t *testing.T) {
	libs(t, "begun", func(t *testing.T, l *live) {
		l.ok("click", p{"index": l.index("textbox", "Meet")})
		l.saw("mousedown|click", "mousedown meet", "click meet")
		l.ok("type", p{"index": l.index("textbox", "Meet"), "text": "Friday"})
		l.gives("out.meet", `"Friday"`)
	})
}

// TestRealHardMoreNumbers: a number field that shows what it held until the page has taken
// a character in gets all of them.
func TestRealHardMoreNumbers(t *testing.T) {
	more(t, "numbers", func(t *testing.T, l *live) {
		l.ok("type", p{"selector": "#count", "text": "4567"})
		l.gives("[count.value, out.count]", `["34567","34567"]`)
		l.ok("type", p{"selector": "#count", "text": "8912", "clear": true})
		l.gives("[count.value, out.count]", `["8912","8912"]`)
		// A field that does not say that it takes numbers is typed into anew.
		l.ok("type", p{"selector": "#sum", "text": "8912", "clear": true})
		l.gives("[sum.value, out.sum]", `["8912","8912"]`)
	})
}

// TestHoldsTextBehind: a text that stands behind what the field held before is not it.
func TestHoldsTextBehind(t *testing.T) {
	if holdsText("3745", "45", "3") {
		t.Error("3745 in a field that held 3 is taken for 45")
	}
	if !holdsText("4945", "45", "3") {
		t.Error("45 behind what the field puts there is not taken for it")
	}
}

func TestRealTypeSubmit(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		l.ok("type", p{"selector": "#nick", "text": "Ada", "clear": true, "submit": true})
		l.wantLog("submitted Ada")
		l.ok("type", p{"selector": "#nick", "text": "Bo", "clear": true, "submit": false})
		l.wantLog("submitted Ada")
	})
}

func TestRealForm(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		res := l.ok("type", p{"selector": "#nick", "text": "Ada B?"})
		if got := l.eval("nick.value"); got != `"oldAda B?"` {
			t.Errorf("value %s", got)
		}
		has(t, res.Effect, `"old" → "oldAda B?"`)
		if got := l.eval("keys"); got != `["A","d","a"," ","B","?"]` {
			t.Errorf("keys %s", got)
		}
		l.ok("type", p{"selector": "#nick", "text": "Zoë 茶 😀", "clear": true})
		if got := l.eval("nick.value"); got != `"Zoë 茶 😀"` {
			t.Errorf("value %s", got)
		}
		long := strings.Repeat("long text ", 40)
		l.ok("type", p{"selector": "#notes", "text": "one\ntwo\n" + long})
		if got := l.eval("notes.value"); got != `"one\ntwo\n`+long+`"` {
			t.Errorf("notes %s", got)
		}
		l.ok("type", p{"selector": "#rich", "text": "bold"})
		if got := l.eval("rich.textContent"); got != `"bold"` {
			t.Errorf("rich %s", got)
		}
		if got := l.fails(NotEditable, "type", p{"selector": "#fixed", "text": "y"}).Text; !strings.Contains(got, "it can only be read") || strings.Count(got, `"Fixed"`) != 1 {
			t.Errorf("fixed: %s", got)
		}

		res = l.ok("select", p{"selector": "#colour", "value": "Blue"})
		has(t, res.Text, `selected "Blue"`)
		has(t, l.fails(NotFound, "select", p{"selector": "#colour", "value": "Pink"}).Text, "Red")
		l.fails(Disabled, "select", p{"selector": "#colour", "value": "Black"})
		l.ok("select", p{"selector": "#colour", "value": "0"})
		has(t, l.ok("click", p{"selector": "#gift"}).Effect, "checked")
		l.ok("click", p{"selector": "#nick"})
		l.ok("pressKey", p{"key": "a", "modifiers": []string{"ctrl"}})
		l.ok("pressKey", p{"key": "Backspace"})
		if got := l.eval("nick.value"); got != `""` {
			t.Errorf("value %s", got)
		}
		l.ok("type", p{"selector": "#nick", "text": "Bo"})
		l.ok("pressKey", p{"key": "Enter"})
		l.wantLog("colour b", "colour r", "submitted Bo")
		l.ok("type", p{"selector": "#nick", "text": "Cy\n", "clear": true})
		l.wantLog("colour b", "colour r", "submitted Bo", "submitted Cy")
		res = l.ok("type", p{"selector": "#q", "text": "mugs\n"})
		has(t, res.Effect, "navigated to", "next.html?q=mugs")
	})
}

// TestRealSet: a field that is set rather than typed into holds its value at once,
// and where the page's scripts asked for nothing no change is waited for that
// nobody announced.
func TestRealSet(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`note.insertAdjacentHTML("beforebegin", "<select id=size aria-label=Size><option>Small<option>Large</select>" + ["date", "range"].map((k) => "<input id=a" + k + " aria-label=" + k + " type=" + k + ">").join("")), 0`)
		for selector, values := range map[string][2]string{
			"#size": {"Large", "Small"}, "#adate": {"2026-11-23", "2026-11-24"}, "#arange": {"20", "70"},
		} {
			l.notWaitedAt(selector, func(i int) {
				has(t, l.ok("select", p{"selector": selector, "value": values[i%2]}).Effect, values[i%2])
			})
		}
	})
}

// TestRealTypedAgain: a field that held the text already says so, since no change tells it.
func TestRealTypedAgain(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "next.html")
		l.eval("document.body.innerHTML = `<label>To <input id=to></label>`; 0")
		if res := l.ok("type", p{"selector": "#to", "text": "Ida Holm", "clear": true}); strings.Contains(res.Text, "held that") {
			t.Error(res.Text)
		}
		has(t, l.ok("type", p{"selector": "#to", "text": "Ida Holm", "clear": true}).Text, `into textbox "To" [1], which held that already. Effect: no visible effect.`)
	})
}
