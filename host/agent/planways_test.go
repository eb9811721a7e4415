package agent

import (
	"slices"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// A plan comes over each wire, in each way to an action, with the first act: one
// request for each act and one for the end.
func TestThePlanComesInEveryWay(t *testing.T) {
	for name, c := range map[string]struct {
		format standin.Format
		size   string
	}{
		"native, one function":        {standin.OllamaTools, llm.SizeMedium},
		"native, function per action": {standin.OpenAI, llm.SizeLarge},
		"anthropic":                   {standin.Anthropic, llm.SizeLarge},
		"schema":                      {standin.OllamaSchema, llm.SizeMedium},
		"Markdown":                    {standin.OllamaMarkdown, llm.SizeMedium},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			s := standin.New(standin.Options{Format: c.format, Brain: standin.BrainFunc(func(standin.Conversation) standin.Turn {
				click := standin.Turn{Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": 1}}}}
				switch n++; n {
				case 1:
					click.Plan = []string{"pay", "read the number"}
				case 2:
					click.PlanDone = []int{1}
				default:
					return standin.Turn{Calls: []standin.Call{{Name: "done", Args: map[string]any{"success": true, "answer": "Paid."}}}}
				}
				return click
			})})
			defer s.Close()
			m, err := llm.New(t.Context(), llm.Config{Provider: s.Provider(), Model: s.Model(), BaseURL: s.URL(), APIKey: "key", Size: c.size, Env: func(string) string { return "" }})
			if err != nil {
				t.Fatal(err)
			}
			rec := newRecord()
			if err := Run(t.Context(), Options{Text: "buy a mug", Model: m, Executor: &fakeHands{}, Record: rec, User: NewUserChannel(rec)}); err != nil {
				t.Fatal(err)
			}
			var plans []string
			for _, e := range rec.events {
				if e.Type == wire.EvPlan {
					plans = append(plans, marks(e.Plan))
				}
			}
			want := []string{">pay|oread the number", "xpay|>read the number", "xpay|xread the number"}
			if !slices.Equal(plans, want) || rec.last().Type != wire.EvComplete || n != 3 {
				t.Errorf("%q after %d requests, %+v", plans, n, rec.last())
			}
		})
	}
}
