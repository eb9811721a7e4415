package action

import (
	_ "image/jpeg"
	"testing"

	_ "golang.org/x/image/webp"
)

func TestRealHardSVG(t *testing.T) {
	hard(t, "hard_svg.html", func(t *testing.T, l *live) {
		l.pressAll([]pressable{
			{role: "button", name: "Knob", selector: "#knob", id: "knob"},
			{role: "link", name: "Drawn link", selector: "#slink", id: "slink"},
			{role: "button", name: "Slice", selector: "#slice", id: "slice"},
			{role: "button", name: "Ring", selector: "#ring", id: "ring", noPoint: true},
			{role: "button", name: "Icon only", selector: "#icon", id: "icon"},
			{role: "link", name: "Kitchen", selector: "#kitchen", id: "kitchen"},
			{role: "link", name: "Hall", selector: "#hall", id: "hall"},
			{role: "link", name: "Yard", selector: "#yard", id: "yard"},
		})
		l.ok("click", p{"selector": "#bar"})
		l.saw("bar", "bar")
		b := l.found(p{"label": "Board"})
		l.ok("click", p{"x": b.Rect.X + 2 + 70, "y": b.Rect.Y + 2 + 40})
		l.saw("drew", "drew 70,40")
	})
}
