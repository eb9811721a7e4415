package flow

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tabwright/host/native/wire"
	"tabwright/llm"
)

// reviser is a model that gives the change it was made with.
type reviser struct {
	args string
	read string // the question
}

func (m *reviser) Capabilities(context.Context) (llm.Capabilities, error) {
	return llm.Capabilities{}, nil
}

func (m *reviser) Chat(_ context.Context, r llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	m.read = r.Messages[0].PlainText()
	return &llm.Reply{Calls: []llm.Call{{Name: "change_graph", Args: json.RawMessage(m.args)}}}, nil
}

const placed = `nodes:
  - {id: a, task: read it}
  - id: b
    task: tell it
    url: https://shop.test/delivery
    needs: [a]
    before: [{do: goForward}]
`

// A change by a sentence leaves a node where it begins, what it needs and its
// hooks, unless it says another; what only the program says of a node is not
// taken from a model.
func TestAChangeByASentenceTouchesWhatItNames(t *testing.T) {
	for name, c := range map[string]struct{ args, url, needs string }{
		"the words alone": {`{"change":[{"id":"b","task":"tell it in short"}]}`, "https://shop.test/delivery", "a"},
		"another page":    {`{"change":[{"id":"b","task":"tell it in short","url":"https://shop.test/about"}]}`, "https://shop.test/about", "a"},
		"no needs":        {`{"change":[{"id":"b","task":"tell it in short","needs":[]}]}`, "https://shop.test/delivery", ""},
		"more than it may": {
			`{"change":[{"id":"b","task":"tell it in short","ran":"t9","state":"done","result":"x","before":[{"do":"refresh"}],"after":[{"do":"refresh"}]}]}`,
			"https://shop.test/delivery", "a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := graph(t, placed)
			g.Goal = "read it on shop.test"
			for i := range g.Nodes {
				g.Nodes[i].State = wire.NodeWaiting
			}
			m := &reviser{args: c.args}
			p, err := Revise(t.Context(), m, "en", g, "say it in short")
			if err != nil {
				t.Fatal(err)
			}
			now, err := g.Apply(p)
			if err != nil {
				t.Fatal(err)
			}
			b := now.node("b")
			if b.Task != "tell it in short" || b.URL != c.url || strings.Join(b.Needs, ",") != c.needs {
				t.Errorf("%+v", b)
			}
			if b.State != wire.NodeWaiting || b.Ran != "" || b.Result != "" || len(b.Before) != 1 || b.Before[0].Do != "goForward" || b.After != nil {
				t.Errorf("%+v", b)
			}
			if !strings.Contains(m.read, "- b [waiting] needs a at https://shop.test/delivery: tell it") {
				t.Errorf("the model reads\n%s", m.read)
			}
		})
	}
}
