package action

import (
	"fmt"
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestRealTold: the effect of an act says what a user sees of it, in few words: what a menu
// did and that it closed, which rows a list has now, of what a cell is the value.
func TestRealTold(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "told.html")
		lacks := func(effect string, words ...string) {
			t.Helper()
			for _, w := range words {
				if strings.Contains(effect, w) {
					t.Errorf("%q is told in %s", w, effect)
				}
			}
		}
		l.observe()
		l.ok("click", p{"selector": "#mails .row:nth-child(1)", "button": "right"})
		effect := l.ok("click", p{"selector": ".menu div:nth-child(6)"}).Effect
		has(t, effect, `Ida Lind`, `unread "true" → "false"`, "gone: menu (8 elements)")
		lacks(effect, "Reply", "Tom Becker")

		l.ok("click", p{"selector": "#who"})
		effect = l.ok("click", p{"selector": ".menu div:nth-child(5)"}).Effect
		has(t, effect, `list went from 8 to 3 items: "Update the project README #32" [`, `"Create API reference docs #36" [`, `"Write a getting started guide #37" [`, "gone: menu (5 elements)")
		lacks(effect, "File upload", "Any", "more change", "new:")
		_, index, _ := strings.Cut(effect, `"Create API reference docs #36" [`)
		index, _, _ = strings.Cut(index, "]")
		has(t, l.ok("click", p{"index": index}).Text, `link "Create API reference docs"`)

		effect = l.ok("click", p{"selector": "#mend"}).Effect
		has(t, effect, `Price in "16 Shackle 8 mm 104" "7.96" → "9.40"`)
		lacks(effect, "\"4\"")

		l.ok("click", p{"selector": "#edit"})
		res := l.ok("click", p{"selector": ".tray button:nth-of-type(3)"})
		has(t, res.Effect, `gone: overlay "Edit the inject node" (5 elements)`)
		lacks(res.Effect, "Cancel")
		lacks(l.ok("hover", p{"selector": "#turn"}).Text, "Note: After")

		effect = l.ok("click", p{"selector": "#points"}).Effect
		has(t, effect, `"4,825 Points Available"`)
		lacks(effect, "workspace")

		told := 0
		for i := range 3 {
			text := l.ok("click", p{"selector": "#turn"}).Text
			if strings.Contains(text, "page changed") && containsAny(text, "Undo", "Move", "Group", "ctrl-", "left") {
				told++
			}
			l.ok("waitFor", p{"function": fmt.Sprintf(`() => document.title === "Turned %d"`, i)})
		}
		if told > 1 {
			t.Errorf("a tip that takes turns was told %d times", told)
		}

		has(t, l.ok("click", p{"selector": "#fav"}).Effect, `"★" (star yellow)`)
		has(t, l.ok("click", p{"selector": "#star", "modifiers": []string{"shift"}}).Text, "OK: shift-clicked button", "With shift")

		res = l.ok("click", p{"selector": "#view tr:nth-child(3) a"})
		has(t, res.Effect, `"Information"`, `link "Insert" [`)
	})
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
