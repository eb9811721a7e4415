package flow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/native/wire"
)

// Patch is a change of a graph. A node in Change replaces the one of its id.
type Patch struct {
	Add    []Node   `json:"add,omitempty"`
	Remove []string `json:"remove,omitempty"`
	Change []Node   `json:"change,omitempty"`

	whole bool // nodes in Change are complete; else fields that a model does not see are kept
}

// anew returns the node as one that has not run.
func (n Node) anew() Node {
	n.State, n.Result, n.Ran, n.Error, n.Began, n.Ended = wire.NodeWaiting, "", "", nil, 0, 0
	return n
}

// keep copies the fields that a change leaves out from the old node.
func (n *Node) keep(old Node) {
	if n.URL == "" {
		n.URL = old.URL
	}
	if n.Needs == nil {
		n.Needs = old.Needs
	}
	if n.Schema == nil {
		n.Schema = old.Schema
	}
	if n.Before == nil {
		n.Before = old.Before
	}
	if n.After == nil {
		n.After = old.After
	}
}

// replaced turns a node that a model removes and adds again into a changed one, so
// that the fields which the model does not see are kept.
func (p Patch) replaced(g *Graph) Patch {
	if p.whole {
		return p
	}
	both := func(n Node) bool { return slices.Contains(p.Remove, n.ID) && g.node(n.ID) != nil }
	add := slices.DeleteFunc(slices.Clone(p.Add), both)
	for _, n := range p.Add {
		if both(n) {
			p.Change = append(slices.Clone(p.Change), n)
		}
	}
	p.Remove = slices.DeleteFunc(slices.Clone(p.Remove), func(id string) bool {
		return g.node(id) != nil && slices.ContainsFunc(p.Add, func(n Node) bool { return n.ID == id })
	})
	p.Add = add
	return p
}

// Apply returns the graph with a patch, or an error with all faults; g itself stays
// unchanged. Only nodes that have not begun can be removed or changed.
func (g *Graph) Apply(p Patch) (*Graph, error) {
	var wrong []string
	touch := func(id string) bool {
		n := g.node(id)
		switch {
		case n == nil:
			wrong = append(wrong, fmt.Sprintf("there is no node %q", id))
		case n.State != wire.NodeWaiting && n.State != wire.NodeSkipped:
			wrong = append(wrong, fmt.Sprintf("node %q has begun", id))
		default:
			return true
		}
		return false
	}
	out := g.clone()
	p = p.replaced(g)
	for _, id := range p.Remove {
		if touch(id) {
			out.Nodes = slices.DeleteFunc(out.Nodes, func(n Node) bool { return n.ID == id })
		}
	}
	for _, c := range p.Change {
		if touch(c.ID) {
			if n := out.node(c.ID); n != nil {
				c = c.anew()
				if !p.whole {
					c.keep(*n)
				}
				*n = c
			}
		}
	}
	for _, a := range p.Add {
		out.Nodes = append(out.Nodes, a.anew())
	}
	if len(wrong) > 0 {
		return nil, invalid("", "The change can't be made:\n%s", strings.Join(wrong, "\n"))
	}
	return out, out.Check()
}

// PatchTo returns the patch that turns g into other, as far as it concerns nodes that
// have not begun.
func (g *Graph) PatchTo(other *Graph) Patch {
	p := Patch{whole: true}
	for _, n := range other.Nodes {
		old := g.node(n.ID)
		switch {
		case old == nil:
			p.Add = append(p.Add, n)
		case !sameNode(*old, n):
			p.Change = append(p.Change, n)
		}
	}
	for _, n := range g.Nodes {
		if other.node(n.ID) == nil {
			p.Remove = append(p.Remove, n.ID)
		}
	}
	return p
}

func sameNode(a, b Node) bool {
	return a.Task == b.Task && a.URL == b.URL && slices.Equal(a.Needs, b.Needs) && sameRest(a, b)
}

// sameRest compares schema and hooks as JSON, in which a number has one type only.
func sameRest(a, b Node) bool {
	x, errX := json.Marshal(Node{Schema: a.Schema, Before: a.Before, After: a.After})
	y, errY := json.Marshal(Node{Schema: b.Schema, Before: b.Before, After: b.After})
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
