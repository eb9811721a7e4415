package llm_test

import (
	"strings"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/llm"
)

// A text-only model guesses a colour, and a server that drops pictures lets it:
// only a model that tells two pictures apart sees.
func TestProbeVisionIsNoGuess(t *testing.T) {
	for _, c := range []struct {
		name, first, second string
		sees                bool
		requests            int
	}{
		{"sees", "Red", "It is blue.", true, 2},
		{"guesses", "Red", "Red", false, 2},
		{"names all", "Red or blue", "Red or blue", false, 1},
		{"sees nothing", "I can't see pictures.", "", false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			s := start(t, standin.Options{Format: standin.OllamaTools, Vision: true, Brain: standin.BrainFunc(func(v standin.Conversation) standin.Turn {
				if !strings.Contains(v.Newest(), "picture") {
					return standin.Turn{Text: "ready"}
				}
				if asked++; asked == 1 {
					return standin.Turn{Text: c.first}
				}
				return standin.Turn{Text: c.second}
			})})
			m := model(t, config(s))
			var got llm.ProbeResult
			if err := m.Probe(t.Context(), func(r llm.ProbeResult) {
				if r.Kind == llm.ProbeVision {
					got = r
				}
			}); err != nil {
				t.Fatal(err)
			}
			if got.OK != c.sees || asked != c.requests {
				t.Errorf("%+v after %d pictures, want %v after %d", got, asked, c.sees, c.requests)
			}
		})
	}
}
