package action

import "testing"

// TestRealHardCanvas: a page that draws its text itself reads keys in a field that
// nobody sees, which a click gives the keyboard: in a frame, or in one of another
// site. What is typed without a target goes there, and is judged as for any field.
func TestRealHardCanvas(t *testing.T) {
	hard(t, "hard_canvas.html", func(t *testing.T, l *live) {
		has(t, l.fails(NotEditable, "type", p{"text": "x"}).Text, "no target was given", "takes no text", `textbox "Name" [2]`)
		l.ok("click", p{"selector": "#sheet"})
		has(t, l.fails(NotEditable, "type", p{"selector": "#deaf", "text": "x"}).Text, "type without a target")
		has(t, l.ok("type", p{"text": "Ada Löve"}).Text, `into textbox "Document"`)
		l.until(`text === "Ada Löve"`)
		l.ok("pressKey", p{"key": "Backspace"})
		l.ok("type", p{"text": "\nb"})
		l.until(`text === "Ada Löv/b"`)

		l.ok("click", p{"selector": "#far"})
		l.until(`document.activeElement === away`)
		has(t, l.ok("type", p{"text": "over there"}).Text, `into textbox "Ear"`)
		l.until(`farText === "over there"`)
		l.ok("type", p{"text": "anew", "clear": true})
		l.until(`farText === "anew"`)

		l.ok("click", p{"selector": "#name"})
		l.ok("type", p{"text": "Ben"})
		l.until(`document.querySelector("#name").value === "Ben"`)
		l.ok("click", p{"selector": "#deaf"})
		has(t, l.fails(NotEditable, "type", p{"text": "x"}).Text, "no target was given", "canvas", "pressKey")
	})
}
