package action

import (
	"strings"
	"testing"
)

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

// TestRealHardBegunEditor: the field that takes an editor's keys is called something
// else by the typing, and its text is not replaced.
func TestRealHardBegunEditor(t *testing.T) {
	bundleEditors(t)
	hard(t, "hard_editors.html", func(t *testing.T, l *live) {
		l.eval(`mona.at = 0; monain.addEventListener("input", () => { monain.ariaLabel = "Code, unsaved"; })`)
		l.ok("type", p{"selector": "#monain", "text": "new "})
		if got := l.eval("mona.text.startsWith('new line 0') && mona.text.endsWith('line 399')"); got != "true" {
			t.Errorf("the editor holds %s", l.eval("mona.text"))
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

// TestRealHardBegunCount: a press that changes what stands beside its target is
// not done again, and not said to have changed the target.
func TestRealHardBegunCount(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		text := l.fails(StaleRef, "click", p{"selector": "#plus"}).Text
		has(t, text, "other amounts or fields", "Click again only if it is not")
		if got := l.eval("count.value"); got != `"2"` || strings.Contains(text, "became") {
			t.Errorf("it stands at %s: %s", got, text)
		}
	})
}

// TestRealHardBegunAsked: nobody is asked about what can't be done, and the card
// shows what it is once it can.
func TestRealHardBegunAsked(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		at := l.found(p{"testId": "pay"}).Rect
		l.fails(Disabled, "click", p{"x": at.X + at.Width/2, "y": at.Y + at.Height/2})
		if n := len(l.person.cards); n != 0 {
			t.Fatalf("%d cards for a disabled button", n)
		}
		l.eval("sell()")
		l.ok("click", p{"selector": "#buy"})
		if n := len(l.person.cards); n != 1 || !strings.Contains(l.person.cards[0].Target, "25 EUR") {
			t.Errorf("%d cards: %+v", n, l.person.cards)
		}
		has(t, l.fails(Disabled, "select", p{"selector": "#off", "value": "One"}).Text, "is disabled")
	})
}

// TestRealHardBegunScroll: only what is shown at the first look is a list to
// scroll within; what comes while nothing moves is what was waited for.
func TestRealHardBegunScroll(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		l.eval(`setTimeout(() => document.body.append(Object.assign(document.createElement("div"), { id: "later", textContent: "Later" })), 600)`)
		has(t, l.ok("scrollUntil", p{"selector": "#later", "text": "nothing of that kind", "stallMs": 8000}).Text, stopSelector)
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

// TestRealHardBegunTooltip: what lost the title that it was called by, as a tooltip
// shows it, is still the same.
func TestRealHardBegunTooltip(t *testing.T) {
	hard(t, "hard_begun.html", func(t *testing.T, l *live) {
		index := l.found(p{"role": "checkbox", "name": "Check all"}).Index
		l.ok("hover", p{"index": index})
		l.ok("click", p{"index": index})
		if got := l.eval("[every.title, every.checked].join()"); got != `",true"` {
			t.Errorf("the box is %s", got)
		}
	})
}
