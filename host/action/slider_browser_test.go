package action

import (
	_ "image/jpeg"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"
)

// TestRealHardSliders sets sliders and spin buttons of the page's own, which
// take keys only.
func TestRealHardSliders(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		now := func(id string) string { return strings.Trim(l.eval(id+".ariaValueNow"), `"`) }
		for _, tt := range []struct{ id, put, want string }{
			{"volume", "73", "73"},
			{"volume", "0", "0"},
			{"volume", "100%", "100"},
			{"volume", "58", "58"},
			{"heat", "-7.5", "-7.5"},
			{"back", "8", "8"},
			{"back", "3", "3"},
			{"size", "Large", "2"},
			{"size", "small", "0"},
			{"guests", "4", "4"},
		} {
			has(t, l.ok("type", p{"selector": "#" + tt.id, "text": tt.put, "clear": true}).Text, " into ")
			if got := now(tt.id); got != tt.want {
				t.Errorf("%s stands at %s, want %s", tt.id, got, tt.want)
			}
		}
		l.ok("select", p{"selector": "#volume", "value": "21"})
		if got := now("volume"); got != "21" {
			t.Errorf("volume stands at %s after select", got)
		}
		l.eval(`volume.removeAttribute("tabindex"), volume.innerHTML = "<i tabindex=0 style='display:block;height:9px;background:#999'></i>", 0`) // its track has the keyboard
		l.ok("select", p{"selector": "#volume", "value": "35"})
		l.gives("volume.ariaValueNow", `"35"`)
		l.ok("select", p{"selector": "#volume", "value": "21"})
		has(t, l.fails(InvalidParams, "type", p{"selector": "#volume", "text": "130", "clear": true}).Text, "stands at 21", "It takes 0 to 100")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#heat", "text": "1", "clear": true}).Text, "stands at 0", "-10 to 30")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#size", "text": "Tiny", "clear": true}).Text, "Huge")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#stuck", "text": "7", "clear": true}).Text, "stands at 5")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#volume", "text": "loud", "clear": true}).Text, "no number")
	})
}

// TestRealHardLibsStepper: a stepper that acts on the press has done all that it does when
// one number beside it has changed; its click is held back.
func TestRealHardLibsStepper(t *testing.T) {
	libs(t, "steps", func(t *testing.T, l *live) {
		for _, id := range []string{"alone", "many"} {
			l.took(".*", 0)
			l.ok("click", p{"selector": "#" + id + "up"})
			l.gives(id+".value", `"4"`)
			l.gives("out."+id, "")
			l.saw("mousedown|click", "mousedown "+id+"up")
		}
		l.ok("click", p{"selector": "#manyup"})
		l.gives("many.value", `"5"`)
	})
}

// TestRealHardLibsStepperMore: a press that changed anything more than that is told, and
// not pressed again.
func TestRealHardLibsStepperMore(t *testing.T) {
	libs(t, "steps", func(t *testing.T, l *live) {
		for _, tt := range []struct{ button, state, want string }{
			{"twoup", "[two.value, other.value, out.two]", `["4","8",null]`},
			{"wordyup", "[wordy.value, word.value, out.wordy]", `["4","more",null]`},
			{"textup", "[document.getElementById('text').value, out.texts, out.text]", `["many",1,null]`},
			{"namedup", "[named.value, out.named]", `["4",null]`},
			{"sentup", "[sent.value, out.sent, out.gone]", `["4",null,null]`},
		} {
			l.took(".*", 0)
			l.fails(StaleRef, "click", p{"selector": "#" + tt.button})
			l.gives(tt.state, tt.want)
			l.saw("mousedown|click|submit", "mousedown "+tt.button)
		}
	})
}

// TestRealHardLibsStepperPrice: so is one that changed the price beside it.
func TestRealHardLibsStepperPrice(t *testing.T) {
	libs(t, "priced", func(t *testing.T, l *live) {
		l.fails(StaleRef, "click", p{"selector": "#pieceup"})
		l.gives("[piece.value, cost.textContent, out.piece]", `["4","8 €",null]`)
		l.saw("mousedown|click", "mousedown pieceup")
	})
}

// TestRealHardMoreSlides: a slider that is cut to nothing is worked by its drawn thumb.
func TestRealHardMoreSlides(t *testing.T) {
	more(t, "slides", func(t *testing.T, l *live) {
		has(t, l.ok("getElements", p{}).Text, `slider "Sound" value="30"`)
		l.ok("select", p{"index": l.index("slider", "Sound"), "value": "45"})
		l.gives("out.sound", `"45"`)
		l.ok("type", p{"selector": "#sound", "text": "60"})
		l.gives("out.sound", `"60"`)
		l.ok("click", sel("#sound"))
		l.ok("pressKey", p{"key": "ArrowRight"})
		l.gives("out.sound", `"61"`)
		l.ok("dragDrop", p{"from": sel("#sound"), "to": p{"x": 70, "y": 40}})
		l.gives("out.sound", `"20"`)
		// A box of a pixel around it is clipped instead.
		l.eval(`sound.before(window.box = document.createElement("div")), box.append(sound), sound.style = "position:static;width:auto;height:auto;clip:auto;margin:2px",
			box.style = "clip:rect(0,0,0,0);clip-path:inset(50%);height:1px;margin:-1px;overflow:hidden;position:absolute;width:1px", 0`)
		has(t, l.ok("getElements", p{}).Text, `slider "Sound" value="20"`)
		l.ok("select", p{"index": l.index("slider", "Sound"), "value": "45"})
		l.gives("out.sound", `"45"`)
		l.ok("dragDrop", p{"from": sel("#sound"), "to": p{"x": 70, "y": 40}})
		l.gives("out.sound", `"20"`)
	})
}
