package action

import (
	"strings"
	"testing"
)

// TestRealHardOpenMasks: a mask that takes nothing behind its end is written in where
// it is open, and what it shows of its own is not what it held.
func TestRealHardOpenMasks(t *testing.T) {
	hard(t, "hard_fields.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			id, text string
			clear    bool
			want     string
		}{
			{"day", "24122026", false, "24.12.2026"},
			{"day", "01.02.2027", true, "01.02.2027"},
			{"phone", "999", true, "+7(999)___"},
			{"phone", "123", false, "+7(999)123"},
			{"phone", "55", true, "+7(55_)___"},
		} {
			res := l.ok("type", p{"selector": "#" + tt.id, "text": tt.text, "clear": tt.clear})
			if got := l.eval(tt.id + ".value"); got != `"`+tt.want+`"` || !strings.Contains(res.Effect, tt.want) {
				t.Errorf("%s holds %s, told as %s", tt.id, got, res.Effect)
			}
		}
		has(t, l.fails(Unsupported, "type", p{"selector": "#day", "text": "9"}).Text, `holds "01.02.2027"`) // it is full
	})
}

// TestRealHardBoxesBySize: a code goes into a row of boxes that only look like
// boxes, and one into the place of another where that was asked for.
func TestRealHardBoxesBySize(t *testing.T) {
	hard(t, "hard_fields.html", func(t *testing.T, l *live) {
		for _, code := range []string{"1234", "5678"} {
			l.ok("type", p{"selector": "xpath=(//*[@class='boxes']//input)[1]", "text": code, "clear": true})
			if got := l.eval("boxes.map((b) => b.value).join('')"); got != `"`+code+`"` {
				t.Errorf("the boxes hold %s", got)
			}
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

// TestRealHardToolbar: the buttons beside an editor are pressed once and with
// success, where what they take along is what is written there; what becomes of
// it is told though no word is another. Any other hidden field is another matter.
func TestRealHardToolbar(t *testing.T) {
	hard(t, "hard_fields.html", func(t *testing.T, l *live) {
		has(t, l.ok("click", p{"selector": "#bold"}).Effect, `format "" → "b"`)
		has(t, l.ok("click", p{"selector": "#bold"}).Effect, `format "b" → ""`)
		l.saw("bold", "bold", "bold")
		has(t, l.ok("click", p{"selector": "#big"}).Effect, `format "" → "h1"`)
		l.ok("type", p{"selector": "#post", "text": "one\ntwo", "clear": true})
		has(t, l.ok("pressKey", p{"key": "Enter"}).Effect, "lines")
		has(t, l.fails(StaleRef, "click", p{"selector": "#raise"}).Text, "other amounts or fields")
		l.saw("raised")
		l.fails(StaleRef, "click", p{"selector": "#mark"}) // the words are the same, and an attribute says more
		l.saw("marked")
		l.ok("click", p{"index": l.found(p{"name": "Headings"}).Index})
		l.saw("heads", "heads")
		l.ok("click", p{"index": l.index("generic", "List block")})
		l.saw("chose", "chose List block")
	})
}
