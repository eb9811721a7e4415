package e2e

import (
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
)

// A model that claims to have bought something before it did anything is sent
// back to work by the program; when it has, its own check misses something
// once, and then the result is accepted. Nothing is bought twice.
func TestAFalseDoneIsSentBack(t *testing.T) {
	s := shop.New(seed)
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	shopper := standin.NewShopper()
	turns, checks := 0, atomic.Int32{}
	model := standin.New(standin.Options{
		Format: standin.OpenAI,
		Brain: standin.BrainFunc(func(c standin.Conversation) standin.Turn {
			if turns++; turns == 1 {
				return standin.Turn{
					Plan:  []string{"search for a blue mug", "compare the prices", "pay for the cheapest"},
					Calls: []standin.Call{{Name: "done", Args: map[string]any{"success": true, "answer": "I bought the mug, order XX-99999."}}},
				}
			}
			return shopper.Next(c)
		}),
		Assess: func(c standin.Conversation) (bool, string) {
			if !strings.Contains(c.Newest(), "Pay") {
				t.Errorf("the check is not shown the steps:\n%s", c.Newest())
			}
			return checks.Add(1) > 1, "the order number is not confirmed"
		},
	})
	if err := model.Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(model.Close)
	cl := newCLI(t, provider(model)...)
	code, out := cl.run("", "run", task, "--url", server.URL+"/", "--launch", "--headless", "--confirm", "allow")
	for _, want := range []string{
		"Checking the answer again: ",       // the program's own finding
		"the order number is not confirmed", // the model's
		"[>] search for a blue mug",         // beside the first reply's call
		"[x] pay for the cheapest",          // with the end
		"Bought ",                           // the answer
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	orders := s.Orders()
	if code != 0 || len(orders) != 1 || orders[0].Status != shop.StatusPaid || checks.Load() != 2 {
		t.Errorf("exit code %d, %d checks, orders %+v", code, checks.Load(), orders)
	}
	if strings.Contains(out, "XX-99999.\n") && strings.HasSuffix(strings.TrimSpace(out), "XX-99999.") {
		t.Error("the false answer was accepted")
	}
	nothingRuns(t, cl.mark)
	if t.Failed() {
		t.Log(out)
	}
}
