package action

import (
	"encoding/json"
	"testing"

	"tabwright/safety"
)

// TestClipboard: what was read on one site and pasted on another is asked about,
// by whatever road it comes; what was copied on the same site is not.
func TestClipboard(t *testing.T) {
	field := &safety.Target{Tag: "textarea", Role: "textbox", Name: "Text", Editable: true, FrameURL: "https://shop.test/form"}
	at := safety.Page{URL: "https://shop.test/form"}
	key := func(k string) safety.Act {
		return safety.Act{Action: "pressKey", Base: safety.Write, Key: k, Target: field, Page: at}
	}
	click := func(action, button string, on *safety.Target) safety.Act {
		return safety.Act{Action: action, Base: safety.Write, Params: json.RawMessage(`{"button":"` + button + `"}`), Target: on, Page: at}
	}
	plain := &safety.Target{Tag: "div", Text: "Hello", FrameURL: at.URL}
	for name, c := range map[string]struct {
		act  safety.Act
		asks bool
	}{
		"control and v":       {key("Control+V"), true},
		"command and v":       {key("Meta+v"), true},
		"without format":      {key("Control+Shift+V"), true},
		"shift and insert":    {key("Shift+Insert"), true},
		"the middle button":   {click("click", "middle", field), true},
		"held down":           {click("mouseDown", "middle", field), true},
		"let go":              {click("mouseUp", "middle", field), true},
		"the left button":     {click("click", "left", field), false},
		"middle, on no field": {click("click", "middle", plain), false},
		"another key":         {key("Control+B"), false},
	} {
		r, _ := ruled(t, "", node(1, "textbox", "Text"))
		d := safety.Judge(c.act, r.rules())
		if x := r.crossingOf(c.act, d); x.Pastes {
			t.Errorf("%s: asked about before anything was read elsewhere", name)
		}
		r.known.memory.Saw("bank.test", "Balance of Ottokar Brzezinski", true)
		x := r.crossingOf(c.act, d)
		if x.Pastes != c.asks {
			t.Errorf("%s: asked about: %v", name, x.Pastes)
		}
		d.Cross(c.act, r.rules(), x)
		if c.asks && (d.Level != safety.Confirm || !d.Flows()) {
			t.Errorf("%s: %s %v", name, d.Level, d.Reasons)
		}
		r.known.copied = "shop.test"
		if r.crossingOf(c.act, d).Pastes {
			t.Errorf("%s: asked about what was copied here", name)
		}
	}
}
