package action

import (
	"context"
	"strconv"
	"strings"
	"testing"
)

// TestRealHardHeldKeys: modifiers that keyDown holds count for keys, text and
// presses until keyUp, and go up with the session.
func TestRealHardHeldKeys(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		l.ok("focus", p{"selector": "#plain"})
		l.ok("keyDown", p{"key": "Shift"})
		l.ok("pressKey", p{"key": "b"})
		l.ok("pressKey", p{"key": "ctrl+ArrowLeft"})
		l.saw("down|up", "down Shift S", "down B S", "up B S", "down Control CS", "down ArrowLeft CS", "up ArrowLeft CS", "up Control S")
		l.ok("type", p{"selector": "#plain", "text": "ab 1é", "clear": true})
		if got := l.eval("plain.value"); got != `"AB !é"` {
			t.Errorf("with Shift held it holds %s", got)
		}
		l.took(".*", 0)
		l.ok("click", p{"selector": "#pad"})
		l.ok("keyUp", p{"key": "Shift"})
		l.ok("click", p{"selector": "#pad"})
		l.saw("press|enter", "enter S", "press S", "press ")
		l.ok("type", p{"selector": "#plain", "text": "ab", "clear": true})
		if got := l.eval("plain.value"); got != `"ab"` {
			t.Errorf("with Shift up it holds %s", got)
		}
		l.ok("keyDown", p{"key": "Control"})
		has(t, l.fails(InvalidParams, "type", p{"selector": "#plain", "text": "x"}).Text, "keyUp")
		l.ok("click", p{"selector": "#pad"})
		l.saw("press", "press C")
		h, err := l.here(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		l.releaseHeldInput(context.Background(), h)
		l.ok("click", p{"selector": "#pad"})
		l.saw("press", "press ")
	})
}

// TestRealHardDoubleClick: the presses of a double click come in its pace, also where
// the page is busy with the first.
func TestRealHardDoubleClick(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		l.ok("click", p{"selector": "#pad", "clicks": 2})
		l.saw("press|double", "press ", "press ", "double true")
	})
}

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

// TestRealHardBlocks: a field that is called something else by what is typed in it is
// the same field, and a line break in an editor is Enter, which goes on in the next
// block; not where Enter sends.
func TestRealHardBlocks(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		text := func() string {
			return l.eval(`[...blocks.children].map((p) => p.innerText.replace(/\u00a0/g, " ")).join("|")`)
		}
		at := l.found(p{"name": "Empty block; start writing"}).Index
		l.ok("type", p{"index": at, "text": "Hello there\n\nworld\nend"})
		if got := text(); got != `"Hello there||world|end"` {
			t.Errorf("the blocks hold %s", got)
		}
		l.ok("type", p{"index": at, "text": ", and more", "submit": true})
		if got := text(); got != `"Hello there, and more|||world|end"` {
			t.Errorf("the blocks hold %s", got)
		}
		l.ok("type", p{"text": "here"})
		if got := text(); got != `"Hello there, and more|here||world|end"` {
			t.Errorf("the blocks hold %s", got)
		}
		for _, id := range []string{"chat", "ask"} {
			l.ok("type", p{"selector": "#" + id, "text": "one\ntwo"})
			if got := l.eval(id + ".innerText"); got != `"one\ntwo"` {
				t.Errorf("the message of %s is %s", id, got)
			}
			l.saw("sent")
		}
		l.ok("type", p{"selector": "#sought", "text": "abc"})
		if got := l.eval("sought.value + location.search"); got != `"abc?q=abc"` {
			t.Errorf("it was sought for %s", got)
		}
		l.eval(`blocks.replaceChildren(blocks.children[0]), blocks.children[0].textContent = "", blocks.oninput({target: blocks.children[0]})`)
		l.ok("type", p{"selector": "#first", "text": "one", "submit": true}) // Enter finds it by its new name
		if got := text(); got != `"one|"` {
			t.Errorf("the blocks hold %s", got)
		}
	})
}

// TestRealHardOwnPress: what a press itself brings about is its effect: its own row is
// chosen, a menu opens over it, a copy of it follows the mouse. Another amount is not.
func TestRealHardOwnPress(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		has(t, l.ok("click", p{"selector": "#i60", "button": "right"}).Effect, `"First"`, `checked "false" → "true"`, `checked "true" → "false"`)
		l.eval(`choices.style.display = "none", choose(issues.rows[1])`)
		has(t, l.ok("click", p{"selector": "#plain60"}).Effect, `checked "false" → "true"`)
		l.saw("row|chose", "row")
		has(t, l.fails(StaleRef, "click", p{"selector": "#bill"}).Text, "other amounts or fields")
		l.saw("bill")
		has(t, l.ok("click", p{"selector": "#down"}).Effect, `listitem "First" [`, `listitem "Second" [`)
		l.eval(`choices.style.display = "none"`)
		has(t, l.ok("click", p{"selector": "#made"}).Effect, `"Third Fourth"`)
		l.ok("click", p{"selector": "#card"})
		l.saw("chose|let", "let go")
	})
}

// TestRealHardRadioKeys: an arrow key in a group of radio buttons presses the next
// one, and is judged as that.
func TestRealHardRadioKeys(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		for _, key := range []string{"ArrowDown", "ArrowRight", "ArrowUp"} {
			l.ok("focus", p{"selector": "#sizes :checked"})
			l.ok("pressKey", p{"key": key})
		}
		if got := l.eval("medium.checked"); got != "true" {
			t.Error("the other size is chosen")
		}
		l.person.answers = []Answer{{By: "panel"}}
		l.ok("focus", p{"selector": "#keep"})
		l.fails(Denied, "pressKey", p{"key": "ArrowDown"})
		l.saw("agreed")
	})
}

// TestRealHardHovered: what is drawn otherwise while the mouse is over it is the same
// element then and afterwards; what becomes another one under the mouse is not.
func TestRealHardHovered(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		at := l.found(p{"role": "link", "name": "Ida 14 Feb"}).Index
		l.ok("click", p{"index": at})
		l.ok("hover", p{"selector": "#plain"})
		l.ok("click", p{"index": at})
		l.saw("opened", "opened", "opened")
		for _, name := range []string{"Ruben Vega Minutes", "Clara Wong Rota"} { // what comes has no role
			l.ok("click", p{"index": l.found(p{"role": "generic", "name": name, "exact": true}).Index})
		}
		l.saw("ruben|clara", "ruben", "clara")
		l.fails(StaleRef, "click", p{"index": l.found(p{"role": "link", "name": "Call Anna"}).Index})
		for _, name := range []string{"Dan Hill Ask for a lift", "Ema Roth Hire a van"} { // other words, and an amount
			l.fails(StaleRef, "click", p{"index": l.found(p{"role": "generic", "name": name, "exact": true}).Index})
		}
		// A row that is for another one by now: drawn anew under the mouse, or filled since the mouse was there.
		l.fails(StaleRef, "click", p{"index": l.found(p{"role": "generic", "name": "Ann Lee Rota", "exact": true}).Index})
		at = l.found(p{"role": "generic", "name": "Eve Orr Rota", "exact": true}).Index
		l.ok("click", p{"index": at})
		l.ok("hover", p{"selector": "#plain"})
		l.eval(`eve.firstChild.textContent = "Mary"`)
		l.fails(StaleRef, "click", p{"index": at})
		l.saw("called|dan|ema|ann|eve", "eve")
	})
}

// TestRealHardBoxRows: a code goes into a row of boxes, a digit in each, however the
// page moves the keyboard on, and what they hold is said.
func TestRealHardBoxRows(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		for _, id := range []string{"kept", "short", "redrawn", "late"} {
			res := l.ok("type", p{"selector": "#" + id + " :first-child", "text": "481205"})
			if got := l.eval(`[...` + id + `.children].map((x) => x.value).join("")`); got != `"481205"` {
				t.Errorf("%s holds %s", id, got)
			}
			if id != "short" { // which is taken for a secret code
				has(t, res.Text, `holds "4 8 1 2 0 5"`)
			}
		}
	})
}
