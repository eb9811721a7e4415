package action

import (
	"fmt"
	_ "image/jpeg"
	"strconv"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

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

// TestRealHardCode: fields of one character each, where the focus goes on by
// itself, take them one by one and all at once.
func TestRealHardCode(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		for i, c := range "1234" {
			l.ok("type", p{"selector": fmt.Sprintf("#o%d", i), "text": string(c)})
		}
		l.saw("code", "code 1234")
		l.eval(`for (const d of otp.children) d.value = ""; 0`)
		l.ok("type", p{"selector": "#o0", "text": "5678"})
		l.saw("code", "code 5678")
	})
}

// TestRealHardMasks: what stands in a field after it was filled is what was
// asked for, or an error that says what stands there.
func TestRealHardMasks(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		value := func(id string) string { return strings.Trim(l.eval(id+".value"), `"`) }
		for _, tt := range []struct{ id, put, want string }{
			{"phone", "5551234567", "(555) 123-4567"}, // overlooks the selection
			{"amount", "1234", "1,234 €"},             // adds signs of its own
			{"hex", "beef", "BEEF"},
			{"brief", "xyz", "xyz"},
			{"brief", "", ""},
			{"tag", "blue,", ""}, // gave it to the page
		} {
			l.ok("type", p{"selector": "#" + tt.id, "text": tt.put, "clear": true})
			if got := value(tt.id); got != tt.want {
				t.Errorf("%s holds %q, want %q", tt.id, got, tt.want)
			}
		}
		has(t, l.fails(Unsupported, "type", p{"selector": "#brief", "text": "123456", "clear": true}).Text, `holds "1234"`)
		has(t, l.fails(Unsupported, "type", p{"selector": "#hex", "text": "xyz", "clear": true}).Text, `holds ""`)
		// Nor is a text added to a field that takes no more.
		has(t, l.fails(Unsupported, "type", p{"selector": "#brief", "text": "56"}).Text, `holds "1234"`)
	})
}

// TestRealTypeWhere: text goes behind what a field holds, and from box to box
// where the page moves the keyboard on.
func TestRealTypeWhere(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.ok("type", p{"selector": "#note", "text": " and new"})
		l.ok("type", p{"selector": "#mail", "text": "om"})
		l.ok("type", p{"selector": "xpath=(//*[@id='code']//input)[1]", "text": "471108"})
		if got := l.eval(`[note.value, mail.value, [...code.querySelectorAll("input")].map((b) => b.value).join("")].join()`); got != `"old and new,a@b.com,471108"` {
			t.Errorf("the fields hold %s", got)
		}
		// A box that holds something already is not written over.
		l.eval(`code.querySelectorAll("input").forEach((b, i) => { b.value = i === 2 ? "9" : ""; }), document.activeElement.blur()`)
		res := l.fails(Unsupported, "type", p{"selector": "xpath=(//*[@id='code']//input)[1]", "text": "123"})
		has(t, res.Text, "row of boxes", "clear: true")
		if got := l.eval(`[...code.querySelectorAll("input")].map((b) => b.value).join("")`); got != `"129"` {
			t.Errorf("the boxes hold %s after %s", got, res.Text)
		}
	})
}

// TestRealTyped: what a field holds in the end is what was typed, or is said: a row of
// boxes that is full is filled anew, a text whose keys are refused, or that is
// changed while it is typed, is inserted, and a field is left to see what it makes of a
// number only where that can be another one.
func TestRealTyped(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		held := func(row, want string) {
			t.Helper()
			if got := l.eval(`[...` + row + `.querySelectorAll("input")].map((e) => e.value).join("")`); got != strconv.Quote(want) {
				t.Errorf("the boxes of %s hold %s, want %s", row, got, want)
			}
		}
		for _, row := range []string{"last", "one", "anew"} {
			first := p{"selector": "#" + row + " input:first-child", "text": "481205"}
			l.ok("type", first)
			held(row, "481205")
			full := l.do("type", first)
			if full.Err == nil {
				t.Errorf("a full row of %s took more: %s", row, full.Text)
			}
			first["clear"], first["text"] = true, "993311"
			l.ok("type", first)
			held(row, "993311")
			first["text"] = "77"
			l.ok("type", first)
			held(row, "77")
		}
		has(t, l.ok("type", p{"selector": "#nick", "text": "Ida 7"}).Text, "refuses the keys", "Ida 7")
		has(t, l.ok("type", p{"selector": "#nick", "text": "!"}).Text, `"Ida 7!"`)
		l.ok("type", p{"selector": "#nick", "text": "Ola", "clear": true})
		if got := l.eval(`nick.value`); got != `"Ola"` {
			t.Errorf("the field holds %s", got)
		}
		has(t, l.ok("type", p{"selector": "#day", "text": "2026-06-17", "clear": true}).Text, "changes the text while it is typed")
		if got := l.eval(`day.value`); got != `"2026-06-17"` {
			t.Errorf("the field holds %s", got)
		}
		// A console is no editor: no key goes behind its text, or selects it.
		l.ok("type", p{"selector": "#console", "text": "ls -l"})
		l.ok("type", p{"selector": "#console", "text": "!", "clear": true})
		if got := l.eval(`line.textContent`); got != `"ls -l!"` {
			t.Errorf("the console holds %s", got)
		}
		// A list is scrolled on when what named it is drawn no more.
		has(t, l.ok("scrollUntil", p{"index": l.found(p{"role": "button", "name": "Mail 0"}).Index, "text": "Mail 30"}).Text, stopText)
		// At its end, wherever a press put the caret; not where a key put it.
		l.ok("click", p{"selector": "#plain"})
		l.eval(`plain.setSelectionRange(3, 3), 0`)
		l.ok("type", p{"text": " and new"})
		l.ok("pressKey", p{"key": "Home"})
		l.ok("type", p{"text": "an "})
		l.ok("type", p{"selector": "#plain", "text": "!"})
		if got := l.eval(`plain.value`); got != `"an old text and new!"` {
			t.Errorf("the field holds %s", got)
		}
		l.ok("type", p{"selector": "#amount", "text": "12,5"})
		if got := l.eval(`saved`); got != "0" {
			t.Errorf("a field was left %s times to read it", got)
		}
		has(t, l.ok("type", p{"selector": "#thousands", "text": "12.5"}).Text, `holds "12,50" now`, "left and entered again")
		l.ok("type", p{"selector": "#pin", "text": "1234"})
		res := l.fails(Unsupported, "type", p{"selector": "#pin", "text": "99"})
		if has(t, res.Text, "4 characters"); strings.Contains(res.Text, "1234") {
			t.Errorf("a secret is told: %s", res.Text)
		}
	})
}
