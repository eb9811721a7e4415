package action

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"tabwright/host/browser"
)

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

// TestRealArrows: an arrow key that moves on to what stands beside it is done, drawn anew
// or not.
func TestRealArrows(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		for _, tt := range []struct{ from, key, want string }{
			{"#tabs [role=tab]:first-child", "ArrowRight", "Second"},
			{"#menu li:first-child", "ArrowDown", "Copy"},
			{"#tree li:first-child", "ArrowDown", "Sent"},
			{"#grid td:first-child", "ArrowRight", "B1"},
			{"#sizes div:first-child", "ArrowDown", "Large"},
		} {
			l.ok("focus", p{"selector": tt.from})
			l.ok("pressKey", p{"key": tt.key})
			if got := l.eval(`out.textContent`); got != strconv.Quote(tt.want) {
				t.Errorf("%s on %s: at %s", tt.key, tt.from, got)
			}
		}
		l.ok("pressKey", p{"key": "ArrowUp"}) // the radio button that was drawn anew
		l.ok("focus", p{"selector": "[value=red]"})
		has(t, l.ok("pressKey", p{"key": "ArrowDown"}).Effect, "Blue")
		if got := l.eval(`document.querySelector("[value=blue]").checked`); got != "true" {
			t.Error("blue is not chosen")
		}
	})
}

// TestRealParts: a part of the page is named as the list prints it.
func TestRealParts(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		for scope, want := range map[string]string{
			"## main: Mugs": "Buy", "main: Mugs": "Buy", `--- main: "Mugs" ---`: "Buy", "main: Lamps": "Light", `heading "Lamps"`: "Light", `- row "Red mug"`: "Buy",
			"navigation: Shop": "Home", "navigation": "Home", "[" + strconv.Itoa(l.index("textbox", "Nickname")) + "]": "Nickname",
		} {
			list := l.ok("getElements", p{"scope": scope}).Text
			has(t, list, want)
			for _, other := range []string{"Buy", "Light", "Home", "Nickname", "First"} {
				if other != want && strings.Contains(list, `"`+other+`"`) {
					t.Errorf("%s holds %s:\n%s", scope, other, list)
				}
			}
		}
		has(t, l.ok("snapshot", p{"scope": "## main: Lamps"}).Text, "Light")
		l.fails(NotFound, "getElements", p{"scope": "main: Plates"})
		has(t, l.ok("getElements", p{"scope": "main"}).Text, "Buy", "Light")
	})
}

// TestRealNetworkIdle: what scripts asked a server for before is waited for too.
func TestRealNetworkIdle(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		answer, asked := make(chan struct{}), make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(asked)
			<-answer
		}))
		defer slow.Close()
		l.eval(`fetch("` + slow.URL + `", { mode: "no-cors" }), 0`)
		<-asked
		for _, state := range []string{"networkidle", "stable"} {
			l.fails(Timeout, "waitFor", p{"state": state, "timeoutMs": 700})
		}
		close(answer)
		for _, state := range []string{"networkidle", "stable"} {
			l.ok("waitFor", p{"state": state})
		}
	})
}
