package action

import (
	"image"
	"testing"
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
