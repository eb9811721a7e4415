package e2e

import (
	"regexp"
	"slices"
	"strconv"
	"sync"

	"tabwright/e2e/standin"
)

// firstOfPart is the entry that a node begins at: it has fewer than a whole task.
const firstOfPart = 6

// clerks are the stand-in model of a workflow: it makes the graph of two nodes
// that each save entries, side by side, and one that takes what they gave, which
// is the parter's.
type clerks struct {
	*parter
	url string // of the ledger

	mu    sync.Mutex
	run   int               // workflows before this one
	parts map[string]*clerk // by node
	turns map[string]int
}

var (
	sides      = []string{"left", "right"}
	ledgerPart = regexp.MustCompile(`(?m)^Part (left|right):`)
)

// user is the page that the user is at, and that the last node begins at.
var person = entry{moves, "person", 1}

// at is an entry of a node. Its page shows what came of a submit or does not.
func (c *clerks) at(side, n int) entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind := []string{silent, moves, tells}[(c.run+side)%3]
	return entry{kind, sides[side] + strconv.Itoa(c.run), n}
}

// next forgets the workflow.
func (c *clerks) next() {
	c.parter.mu.Lock()
	defer c.parter.mu.Unlock()
	c.parter.turns = map[string]int{}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run++
	c.parts, c.turns = map[string]*clerk{}, map[string]int{}
}

// Next is standin.Brain's.
func (c *clerks) Next(conv standin.Conversation) standin.Turn {
	if slices.Contains(conv.Tools, "set_graph") {
		graph := []any{node("sum", "say what came of both", "left", "right")}
		for i, id := range sides {
			n := node(id, "save each of the entries, one after the other.")
			n["url"] = c.url + c.at(i, firstOfPart).path()
			graph = append(graph, n)
		}
		return standin.Turn{Calls: []standin.Call{{Name: "set_graph", Args: map[string]any{"nodes": graph}}}}
	}
	if slices.Equal(conv.Tools, []string{"outcome"}) {
		return (&clerk{}).Next(conv)
	}
	for _, m := range conv.Messages {
		if id := ledgerPart.FindStringSubmatch(m.Text); id != nil {
			return c.part(id[1]).Next(conv)
		}
	}
	return c.parter.Next(conv)
}

func (c *clerks) part(node string) *clerk {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parts[node] == nil {
		c.parts[node] = &clerk{done: map[string]bool{}}
	}
	c.turns[node]++
	return c.parts[node]
}

func (c *clerks) taken(node string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turns[node] + c.parter.taken(node)
}
