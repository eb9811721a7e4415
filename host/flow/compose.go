package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

const nodeSchema = `{"type":"array","items":{"type":"object","additionalProperties":false,"required":["id","task"],"properties":{
 "id":{"type":"string","description":"short lowercase word"},
 "task":{"type":"string","description":"what is to be done, with all that must be known for it"},
 "url":{"type":"string","description":"page to begin at, if it is known"},
 "needs":{"type":"array","items":{"type":"string"},"description":"ids of the nodes whose results it takes"}}}}`

var (
	setGraph = llm.Tool{Name: "set_graph", Description: "Give the graph of subtasks.", Schema: json.RawMessage(
		`{"type":"object","additionalProperties":false,"required":["nodes"],"properties":{"nodes":` + nodeSchema + `}}`)}
	changeGraph = llm.Tool{Name: "change_graph", Description: "Change the graph: add, remove, change nodes that have not begun.", Schema: json.RawMessage(
		`{"type":"object","additionalProperties":false,"properties":{"add":` + nodeSchema + `,"change":` + nodeSchema +
			`,"remove":{"type":"array","items":{"type":"string"}}}}`)}
)

// composeTries is how often a model's graph that can't be used goes back.
const composeTries = 2

// Compose has a model make a graph of a sentence.
func Compose(ctx context.Context, m agent.Model, lang, text, url string) (*Graph, error) {
	system, err := prompts.Workflow(prompts.Graph, lang)
	if err != nil {
		return nil, err
	}
	said := text
	if url != "" {
		said += "\n" + url
	}
	var g *Graph
	err = composed(ctx, m, system, said, setGraph, func(raw Patch) error {
		g = &Graph{Version: Version, Name: firstWords(text), Goal: text, URL: url, Lang: lang, Nodes: raw.Add}
		if err := named(g.Nodes, said); err != nil {
			return err
		}
		return g.Check()
	})
	return g, err
}

// Revise has a model change a graph as a sentence asks.
func Revise(ctx context.Context, m agent.Model, lang string, g *Graph, text string) (Patch, error) {
	system, err := prompts.Workflow(prompts.GraphChange, lang)
	if err != nil {
		return Patch{}, err
	}
	question, err := prompts.GraphQuestion(lang, g.outline(), text)
	if err != nil {
		return Patch{}, err
	}
	var out Patch
	said := strings.Join([]string{g.Goal, g.URL, text, g.outline()}, "\n")
	return out, composed(ctx, m, system, question, changeGraph, func(p Patch) error {
		out = p
		if len(p.Add)+len(p.Change)+len(p.Remove) == 0 {
			return invalid("", "The change is empty.")
		}
		if err := named(append(slices.Clone(p.Add), p.Change...), said); err != nil {
			return err
		}
		_, err := g.Apply(p)
		return err
	})
}

// composed asks the model until use accepts its answer. All faults of an answer go
// back to the model at once.
func composed(ctx context.Context, m agent.Model, system, text string, tool llm.Tool, use func(Patch) error) error {
	question := text
	for try := 0; ; try++ {
		var got struct {
			Nodes []Node `json:"nodes"`
			Patch
		}
		err := ask(ctx, m, system, question, tool, &got)
		if err == nil {
			got.Add = asked(append(got.Add, got.Nodes...))
			got.Change = asked(got.Change)
			err = use(got.Patch)
		}
		if err == nil || try == composeTries || ctx.Err() != nil {
			return err
		}
		question = text + "\n\n" + wire.AsError(err).Message + "\nCall " + tool.Name + " again, with all of that put right."
	}
}

// asked returns the nodes with only the fields that the tool asks a model for. A
// model may not set hooks or the results of nodes.
func asked(nodes []Node) []Node {
	var out []Node
	for _, n := range nodes {
		out = append(out, Node{ID: n.ID, Task: n.Task, URL: n.URL, Needs: n.Needs})
	}
	return out
}

// outline gives the graph for a model, without results, which come from pages.
func (g *Graph) outline() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Goal: %s\n", g.Goal)
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "- %s [%s]", n.ID, n.State)
		if len(n.Needs) > 0 {
			fmt.Fprintf(&b, " needs %s", strings.Join(n.Needs, ", "))
		}
		if n.URL != "" {
			fmt.Fprintf(&b, " at %s", n.URL)
		}
		fmt.Fprintf(&b, ": %s\n", n.Task)
	}
	return b.String()
}

// addressLike matches hosts: after a scheme any host, such as a name without dots, a
// number or an IPv6 address; elsewhere text that looks like a host name or an
// address.
var addressLike = regexp.MustCompile(`(?i)https?://(?:[^\s/?#@]*@)?(\[[^\]\s]*\]|[^\s/?#:"'<>，。、）)]+)|` +
	`\b((?:[a-z0-9-]+\.)+[a-z]{2,}|localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z][a-z0-9-]*:\d{2,5})\b`)

// says reports whether a text names a host or a subdomain of it: "www.shop.test"
// names "shop.test", but "myshop.test" and "shop.test.example" do not.
func says(text, host string) bool {
	re, err := regexp.Compile(`(?:^|\p{Han}|[^\pL\pN-])` + regexp.QuoteMeta(host) + `(?:$|[^\pL\pN.-]|\.(?:$|[^\pL\pN])|\p{Han})`)
	return err == nil && re.MatchString(text)
}

// named returns an error for addresses that the user did not give. A node's words
// count as the user's, and set the sites that its task may open.
func named(nodes []Node, said string) error {
	said = strings.ToLower(said)
	var wrong []string
	for _, n := range nodes {
		for _, m := range addressLike.FindAllStringSubmatch(n.Task+" "+n.URL, -1) {
			if host := strings.ToLower(m[1] + m[2]); !says(said, strings.TrimRight(host, ".,;!")) {
				wrong = append(wrong, fmt.Sprintf("node %q: the user did not name %s; say in words what is to be looked for", n.ID, host))
			}
		}
	}
	if len(wrong) > 0 {
		return invalid("", "The graph can't be used:\n%s", strings.Join(wrong, "\n"))
	}
	return nil
}
