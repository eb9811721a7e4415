package e2e

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
)

// mender is a shopper that also puts a step right: the button that adds to the
// basket, whatever it is called.
type mender struct {
	*standin.Shopper
	asked int
}

func (m *mender) Next(conv standin.Conversation) standin.Turn {
	if !slices.Contains(conv.Tools, "mend_step") {
		return m.Shopper.Next(conv)
	}
	m.asked++
	o := standin.Observe(conv)
	args := map[string]any{"none": true}
	if b, ok := o.Find("button", "basket"); ok && strings.Contains(conv.Newest(), "Add to cart") {
		args = map[string]any{"index": b.Index, "why": "the button has another name"}
	}
	return standin.Turn{Calls: []standin.Call{{Name: "mend_step", Args: args}}}
}

// A task is recorded, and done again without a model where everything looks
// different and has other ids; with a button that has another name it stops,
// and with a model it is mended and the file shows the change.
func TestRecordAndReplay(t *testing.T) {
	s := shop.New(seed)
	first := httptest.NewServer(s.Handler())
	defer first.Close()
	brain := &mender{Shopper: standin.NewShopper()}
	model := standin.New(standin.Options{Format: standin.OllamaTools, Brain: brain})
	defer model.Close()
	c := newCLI(t, provider(model)...)
	file, trace := filepath.Join(c.dir, "shop.yaml"), filepath.Join(c.dir, "run.html")
	code, out := c.run("", "run", task, "--url", first.URL+"/", "--launch", "--headless", "--confirm", "allow", "--record", file, "--trace", trace)
	if code != 0 || len(s.Orders()) != 1 {
		t.Fatalf("exit code %d, orders %+v\n%s", code, s.Orders(), out)
	}
	recorded := read(t, file)
	for _, want := range []string{"{{search_products}}", "default: blue mug", "role: button", "name: Add to cart", "url: " + first.URL} {
		if !strings.Contains(recorded, want) {
			t.Errorf("the recording has no %q:\n%s", want, recorded)
		}
	}
	if strings.Contains(recorded, "index:") {
		t.Errorf("the recording has an index:\n%s", recorded)
	}
	for _, want := range []string{"What the model saw", "Search products", "Decisions of the gate", "allow (policy)", "Pay $"} {
		if !strings.Contains(read(t, trace), want) {
			t.Errorf("the trace has no %q", want)
		}
	}

	requests := len(model.Requests())
	replay := func(s *shop.Shop, stdin string, args ...string) (int, string) {
		server := httptest.NewServer(s.Handler())
		defer server.Close()
		return c.run(stdin, append([]string{"replay", file, "--url", server.URL + "/", "--launch", "--headless"}, args...)...)
	}
	// The same gate: the payment is asked for.
	moved := shop.NewMoved(seed, "")
	code, out = replay(moved, "y\n", "--param", "search_products=blue mug")
	bought(t, moved, s)
	if code != 0 || !strings.Contains(out, "CONFIRM: click button \"Pay $") || len(model.Requests()) != requests || read(t, file) != recorded {
		t.Errorf("exit code %d, %d requests to a model, file changed: %v\n%s", code, len(model.Requests())-requests, read(t, file) != recorded, out)
	}

	renamed := shop.NewMoved(seed, "Put in basket")
	code, out = replay(renamed, "", "--confirm", "deny", "--no-model", "--wait", "1s")
	if code != 1 || len(renamed.Orders()) != 0 || !strings.Contains(out, `there is no button "Add to cart"`) {
		t.Errorf("exit code %d, orders %+v\n%s", code, renamed.Orders(), out)
	}
	code, out = replay(renamed, "", "--confirm", "allow", "--wait", "1s")
	bought(t, renamed, s)
	if code != 0 || brain.asked != 1 || !strings.Contains(out, "-       name: Add to cart") || !strings.Contains(out, "+       name: Put in basket") {
		t.Errorf("exit code %d, asked %d times\n%s", code, brain.asked, out)
	}
	if mended := read(t, file); !strings.Contains(mended, "name: Put in basket") || strings.Contains(mended, "name: Add to cart") {
		t.Errorf("the file was not mended:\n%s", mended)
	}
	nothingRuns(t, c.mark)
}

func read(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// bought checks that a shop sold what another one did.
func bought(t *testing.T, s, like *shop.Shop) {
	t.Helper()
	orders, want := s.Orders(), like.Orders()[0]
	if len(orders) != 1 || orders[0].Lines[0].Name != want.Lines[0].Name || orders[0].Total != want.Total {
		t.Errorf("orders %+v, want one like %+v", orders, want)
	}
}
