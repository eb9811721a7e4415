package action

import (
	"image"
	_ "image/jpeg"
	"strconv"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"
)

// What stands in a closed shadow root is read by whatever is asked first.
func TestRealClosedRootFirst(t *testing.T) {
	startChromium(t) // through the extension chrome.dom opens them; a played relay has none
	for name, read := range map[string]func(t *testing.T, l *live){
		"snapshot": func(t *testing.T, l *live) { has(t, l.ok("snapshot", p{}).Text, "Closed pay") },
		"content":  func(t *testing.T, l *live) { has(t, l.ok("extractContent", p{}).Text, "Words in a closed root") },
		"text":     func(t *testing.T, l *live) { has(t, l.ok("getText", p{}).Text, "Words in a closed root") },
		"wait":     func(_ *testing.T, l *live) { l.ok("waitFor", p{"text": "Words in a closed root", "timeoutMs": 3000}) },
		"picture": func(t *testing.T, l *live) {
			img, data := pictureOf(t, l.ok("screenshot", p{}))
			box := image.Rect(int(20*data.Scale), int(110*data.Scale), int(200*data.Scale), int(130*data.Scale))
			for y := box.Min.Y; y < box.Max.Y; y++ {
				for x := box.Min.X; x < box.Max.X; x++ {
					if r, _, b, _ := img.At(x, y).RGBA(); r>>8 > 0x90 || b>>8 < 0x70 {
						t.Fatalf("at %d,%d: the field's own yellow shows", x, y)
					}
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := openLive(t, chromium.d, "closed.html")
			l.t = t
			read(t, l)
		})
	}
}

// In a user's own Chrome it is chrome.dom that opens closed roots: what stands in
// them is pressed, typed into, asked about before it is bought, and guarded when a
// script would send it.
func TestRealClosedRootsInTheExtension(t *testing.T) {
	startChromium(t)
	d := realRelay(t)
	t.Run("pressed and typed into", func(t *testing.T) {
		l := openLive(t, d, "hard_shadow.html")
		l.useClosedRoots()
	})
	t.Run("asked about", func(t *testing.T) {
		w := newWorld(t)
		l := w.live(t, d, `<x-b></x-b><script>customElements.define("x-b", class extends HTMLElement { constructor() { super(); const r = this.attachShadow({mode: "closed"}); r.innerHTML = "<p>Blue mug, $12.50</p><button>Buy now</button>"; r.lastChild.onclick = () => harm("bought"); } })</script>`)
		buy := l.found(p{"role": "button", "name": "Buy now"})
		l.fails(Denied, "click", p{"ref": buy.Ref})
		if h := w.harmed(); len(h) > 0 || len(l.person.cards) != 1 {
			t.Errorf("done: %q; cards: %s", h, cardsOf(l))
		}
		l.ForgetDenials()
		l.person.answers = []Answer{{Allow: true, By: "panel"}}
		l.ok("click", p{"ref": buy.Ref})
		if h := w.harmed(); len(h) != 1 || len(l.person.cards) != 2 {
			t.Errorf("allowed, %q was done; cards: %s", h, cardsOf(l))
		}
	})
	t.Run("guarded", func(t *testing.T) {
		w := newWorld(t)
		for _, a := range shadowForms("closed") {
			a.run(t, w, d)
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

// TestRealHardComponents names components by their own elements, and chooses from
// a list whose options are given to it from outside.
func TestRealHardComponents(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		has(t, l.ok("type", p{"selector": "#given", "text": "Ann"}).Text, `textbox "Given name"`)
		if got := l.eval("given.shadowRoot.querySelector('input').value"); got != `"Ann"` {
			t.Errorf("the field holds %s", got)
		}
		has(t, l.ok("getValue", p{"selector": "#given"}).Text, `is "Ann"`)
		l.ok("select", p{"selector": "#tier", "label": "Team"})
		l.saw("tier", "tier Team")
		// Enter goes where the text went, and is judged as pressed there.
		l.ok("type", p{"selector": "#chat", "text": "hi", "submit": true})
		l.saw("sent", "sent hi")
		if cards := l.person.cards; len(cards) != 1 || !strings.Contains(cards[0].Target, `textbox "Message"`) {
			t.Errorf("it was asked: %+v", cards)
		}
	})
}

// TestRealHardLibsTabs: a component takes the presses of the button in it that lets the
// mouse through, and not those of another control that is given to it.
func TestRealHardLibsTabs(t *testing.T) {
	libs(t, "tabs", func(t *testing.T, l *live) {
		l.ok("click", p{"index": l.index("tab", "Second")})
		l.gives("out.tab", `"two2"`)
		l.fails(Covered, "click", p{"ref": l.found(p{"role": "tab", "name": "Third Away"}).Ref})
		l.gives("[out.tab, location.hash]", `["two2",""]`)
	})
}

func TestRealHardShadow(t *testing.T) {
	hard(t, "hard_shadow.html", func(t *testing.T, l *live) {
		// The played service worker has no chrome.dom, which is what opens closed
		// roots for the extension: TestRealClosedRootsInTheExtension has the real one.
		if !strings.HasSuffix(t.Name(), "/relay") {
			l.useClosedRoots()
		}
		l.pressAll([]pressable{
			{role: "button", name: "Open inside", selector: "#oin", id: "oin"},
			{role: "button", name: "Declared open", selector: "#dopen", id: "dopen"},
			{role: "button", name: "Slotted button", selector: "#slotted", id: "slotted"},
			{role: "button", name: "Slotted words", selector: "#around", id: "words"},
			{role: "button", name: "Fallback", selector: "#fallback", id: "fallback"},
			{role: "button", name: "Six deep", selector: "#six", id: "six"},
		})
		l.typeInto("ofield", p{"label": "Open field"})
		l.typeInto("delegated", p{"placeholder": "Delegated"})
	})
}
