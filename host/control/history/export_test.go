package history

import (
	"testing"

	"tabwright/host/native/wire"
)

// Who reads an export later finds what was answered in words, and a reason once.
func TestAnExportTellsAnswersInWords(t *testing.T) {
	asked := wire.ConfirmInfo{Action: "click", Target: `button "Pay $3"`, Site: "shop.example", Amount: "$3"}
	for answer, want := range map[string]string{
		"allow": "**allowed**", "deny": "**denied**, “too dear”", "void": "**no answer, and none needed any more**", "later": "**later**",
	} {
		c, note := asked, ""
		if c.Answer = answer; answer == "deny" {
			note = "too dear"
		}
		line, item := eventLine(wire.Event{Type: wire.EvConfirmResult, Confirm: &c, Text: note})
		if want = `   - asked: click button "Pay $3" on shop.example, $3: ` + want; line != want || !item {
			t.Errorf("%q, want %q", line, want)
		}
	}
	step := wire.StepInfo{N: 2, Line: "Could not click it: the user said no", Outcome: "denied", Error: &wire.Error{Code: "denied", Message: "the user said no"}}
	if line, _ := eventLine(wire.Event{Type: wire.EvToolResult, Step: &step}); line != "2. Could not click it: the user said no (denied)" {
		t.Errorf("%q", line)
	}
}
