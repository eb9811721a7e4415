package flow

import (
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

const (
	nodesMost    = 24
	parallelMost = 4
	parallelDef  = 2
	// dataMost cuts a node's result where it goes to another node, in characters.
	dataMost = 8000
)

// Graph is a workflow: tasks that depend on each other's results. Its file is YAML;
// a saved one has the nodes' results, too.
type Graph struct {
	Version  int    `yaml:"tabwright" json:"version"`
	Name     string `yaml:"name" json:"name"`
	Goal     string `yaml:"goal,omitempty" json:"goal,omitempty"`
	URL      string `yaml:"url,omitempty" json:"url,omitempty"` // start page of nodes without one
	Model    string `yaml:"model,omitempty" json:"model,omitempty"`
	Lang     string `yaml:"lang,omitempty" json:"lang,omitempty"`
	Parallel int    `yaml:"parallel,omitempty" json:"parallel,omitempty"`
	// Params are values that differ from run to run. {{name}} refers to one in
	// tasks and addresses.
	Params map[string]Param `yaml:"params,omitempty" json:"params,omitempty"`
	Nodes  []Node           `yaml:"nodes" json:"nodes"`
}

// Node is a part of a workflow: a task of its own, in a tab of its own.
type Node struct {
	ID     string         `yaml:"id" json:"id"`
	Task   string         `yaml:"task" json:"task"`
	URL    string         `yaml:"url,omitempty" json:"url,omitempty"`
	Needs  []string       `yaml:"needs,omitempty,flow" json:"needs,omitempty"`
	Schema map[string]any `yaml:"schema,omitempty" json:"schema,omitempty"` // its result is JSON that fits this
	Before []Hook         `yaml:"before,omitempty" json:"before,omitempty"`
	After  []Hook         `yaml:"after,omitempty" json:"after,omitempty"`

	// Result of the last run; absent in a file written by hand.
	State  wire.NodeState `yaml:"state,omitempty" json:"state,omitempty"`
	Result string         `yaml:"result,omitempty" json:"result,omitempty"`
	Ran    string         `yaml:"ran,omitempty" json:"ran,omitempty"` // the task
	Error  *wire.Error    `yaml:"-" json:"error,omitempty"`
	Began  int64          `yaml:"-" json:"began,omitempty"`
	Ended  int64          `yaml:"-" json:"ended,omitempty"`
	Asks   bool           `yaml:"-" json:"-"`
}

// Hook is an action before or after a node's task, in the same tab and through the
// same gate.
type Hook struct {
	Do   string         `yaml:"do" json:"do"`
	With map[string]any `yaml:"with,omitempty" json:"with,omitempty"`
}

// ParseGraph reads a workflow and checks all of it. Its error is
// invalid_params and names every fault with its line.
func ParseGraph(raw []byte) (*Graph, error) {
	var g Graph
	at, err := decode(raw, &g)
	if err != nil {
		return nil, err
	}
	var f faults
	if g.Version != Version {
		f.add(at.line("tabwright"), "tabwright: %d, and this program reads %d", g.Version, Version)
	}
	g.check(&f, at)
	checkParams(&f, at, g.Params)
	for i, n := range g.Nodes {
		for _, name := range g.refs(n) {
			if _, ok := g.Params[name]; !ok {
				f.add(at.line("nodes", i), "node %q: {{%s}} is not among the params", n.ID, name)
			}
		}
	}
	return &g, f.err()
}

// refs gives the parameters that a node uses; none for a graph without Params.
func (g *Graph) refs(n Node) []string {
	if len(g.Params) == 0 {
		return nil
	}
	var out []string
	for _, m := range paramRef.FindAllStringSubmatch(n.Task+" "+n.URL, -1) {
		out = append(out, m[1])
	}
	return out
}

// With returns the graph with its parameters replaced by values. No node of it has
// run.
func (g *Graph) With(given map[string]string) (*Graph, error) {
	values, err := resolve(g.Params, given)
	if err != nil {
		return nil, err
	}
	out := g.clone()
	out.Params = nil
	out.Name, out.Goal, out.URL = fill(g.Name, values), fill(g.Goal, values), fill(g.URL, values)
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.Task, n.URL = fill(n.Task, values), fill(n.URL, values)
		*n = n.anew()
	}
	return out, nil
}

// Blank returns the graph without the results of a run.
func (g *Graph) Blank() *Graph {
	out := g.clone()
	for i := range out.Nodes {
		n := &out.Nodes[i]
		n.State, n.Result, n.Ran, n.Error, n.Began, n.Ended = "", "", "", nil, 0, 0
	}
	return out
}

// Check returns all faults of a graph that is not a file.
func (g *Graph) Check() error {
	var f faults
	g.check(&f, place{})
	for i, l := range f.lines {
		_, f.lines[i], _ = strings.Cut(l, ": ") // there are no lines
	}
	if err := f.err(); err != nil {
		return invalid("", "The workflow can't be used:\n%s", strings.Join(f.lines, "\n"))
	}
	return nil
}

func (g *Graph) check(f *faults, at place) {
	if n := len(g.Nodes); n == 0 || n > nodesMost {
		f.add(at.line("nodes"), "there are %d nodes; 1 to %d make a workflow", n, nodesMost)
	}
	if g.Parallel < 0 || g.Parallel > parallelMost {
		f.add(at.line("parallel"), "parallel: %d; 1 to %d nodes run at a time", g.Parallel, parallelMost)
	}
	seen := map[string]bool{}
	for i, n := range g.Nodes {
		line := at.line("nodes", i)
		switch {
		case !paramName.MatchString(n.ID):
			f.add(line, "node %d: the id %q: lowercase letters, digits and _ make an id", i+1, n.ID)
		case seen[n.ID]:
			f.add(line, "node %q is there twice", n.ID)
		}
		seen[n.ID] = true
		if strings.TrimSpace(n.Task) == "" {
			f.add(line, "node %q has no task", n.ID)
		}
		switch n.State {
		case "", wire.NodeWaiting, wire.NodeRunning, wire.NodeDone, wire.NodeFailed, wire.NodeSkipped:
		default:
			f.add(at.line("nodes", i, "state"), "node %q: there is no state %q", n.ID, n.State)
		}
		checkHooks(f, at.line("nodes", i, "before"), n.ID, n.Before)
		checkHooks(f, at.line("nodes", i, "after"), n.ID, n.After)
	}
	for i, n := range g.Nodes {
		for _, need := range n.Needs {
			if !seen[need] {
				f.add(at.line("nodes", i, "needs"), "node %q needs %q, which is not there", n.ID, need)
			}
		}
	}
	if round := g.cycle(); len(round) > 0 {
		f.add(at.line("nodes"), "these need each other: %s", strings.Join(round, " → "))
	}
}

func checkHooks(f *faults, line int, id string, hooks []Hook) {
	for _, h := range hooks {
		spec, ok := action.Default().Spec(h.Do)
		if !ok || spec.Family == "people" {
			f.add(line, "node %q: there is no action %q for a hook", id, h.Do)
			continue
		}
		for k := range h.With {
			if spec.Schema.Properties[k] == nil {
				f.add(line, "node %q: %s has no parameter %q", id, h.Do, k)
			}
		}
	}
}

// cycle gives nodes that need each other in a circle, or nil.
func (g *Graph) cycle() []string {
	const (
		under = 1
		over  = 2
	)
	mark := map[string]int{}
	var path, found []string
	var visit func(id string)
	visit = func(id string) {
		if found != nil || mark[id] == over {
			return
		}
		path = append(path, id)
		if mark[id] == under {
			found = slices.Clone(path[slices.Index(path, id):])
			return
		}
		mark[id] = under
		if n := g.node(id); n != nil {
			for _, need := range n.Needs {
				visit(need)
			}
		}
		mark[id] = over
		path = path[:len(path)-1]
	}
	for _, n := range g.Nodes {
		visit(n.ID)
	}
	return found
}

func (g *Graph) node(id string) *Node {
	for i := range g.Nodes {
		if g.Nodes[i].ID == id {
			return &g.Nodes[i]
		}
	}
	return nil
}

// Levels gives the depth of each node; a node that needs none has depth 0.
func (g *Graph) Levels() map[string]int {
	out := map[string]int{}
	var depth func(id string) int
	depth = func(id string) int {
		if d, ok := out[id]; ok {
			return d
		}
		out[id] = 0 // a checked graph has no rounds
		d := 0
		if n := g.node(id); n != nil {
			for _, need := range n.Needs {
				d = max(d, depth(need)+1)
			}
		}
		out[id] = d
		return d
	}
	for _, n := range g.Nodes {
		depth(n.ID)
	}
	return out
}

// ready gives the waiting nodes whose needs are all done.
func (g *Graph) ready() []*Node {
	var out []*Node
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.State != wire.NodeWaiting {
			continue
		}
		if !slices.ContainsFunc(n.Needs, func(id string) bool { return g.node(id).State != wire.NodeDone }) {
			out = append(out, n)
		}
	}
	return out
}

// data gives the results of the nodes that n needs, each in a fence, since they come
// from pages.
func (g *Graph) data(n Node) string {
	var parts []string
	for _, id := range n.Needs {
		parts = append(parts, id+":\n"+prompts.Fence("result", nonce(), cut(g.node(id).Result, dataMost)))
	}
	return strings.Join(parts, "\n")
}

// clone returns a copy that shares no data that changes.
func (g *Graph) clone() *Graph {
	c := *g
	c.Nodes = slices.Clone(g.Nodes)
	return &c
}

// YAML returns the graph's file, with the results of its nodes.
func (g *Graph) YAML() ([]byte, error) { return encode(g) }
