package control

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"tabwright/host/agent"
	"tabwright/host/control/history"
	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

const (
	shownFlows = 50 // a list has the newest
	noteMost   = 400
	// composeTime is how long a model may take to make or change a graph.
	composeTime = 3 * time.Minute
)

// flowPlaces are the browsers that a workflow's tasks run in.
type flowPlaces struct {
	begin  func(ctx context.Context) (Place, error)                 // where a new task runs
	resume func(ctx context.Context, profile string) (Place, error) // where a task ran before
}

// tellFlows sets the function that is called with every changed workflow.
func (m *Manager) tellFlows(tell func(wire.FlowInfo)) {
	m.flows.mu.Lock()
	defer m.flows.mu.Unlock()
	m.flows.tell = tell
}

// runFlow begins a workflow, from a file or from a sentence.
func (m *Manager) runFlow(ctx context.Context, p wire.FlowRunParams, at flowPlaces) (wire.FlowInfo, error) {
	var g *flow.Graph
	var err error
	switch {
	case p.Saved != "":
		g, err = m.savedGraph(p.Saved, p.Values)
	case p.File != "":
		if g, err = flow.ParseGraph([]byte(p.File)); err == nil {
			g, err = g.With(p.Values)
		}
	case strings.TrimSpace(p.Text) != "":
		g, err = m.compose(ctx, p)
	default:
		err = &wire.Error{Code: wire.CodeInvalidParams, Message: "A workflow is made of a sentence or of a file.", Hint: "Give one of them."}
	}
	if err != nil {
		return wire.FlowInfo{}, err
	}
	if p.Parallel > 0 {
		g.Parallel = p.Parallel
	}
	if p.Model != "" {
		g.Model = p.Model
	}
	if g.URL == "" {
		g.URL = p.URL
	}
	if err := g.Check(); err != nil {
		return wire.FlowInfo{}, err
	}
	for i := range g.Nodes { // only restoreFlow uses the results in a file
		n := &g.Nodes[i]
		n.State, n.Result, n.Ran = wire.NodeWaiting, "", ""
	}
	return m.beginFlow(g, p.Hold, at)
}

// savedGraph reads a saved workflow and fills in the values.
func (m *Manager) savedGraph(id string, values map[string]string) (*flow.Graph, error) {
	text, err := m.savedFile(id)
	if err != nil {
		return nil, err
	}
	g, err := flow.ParseGraph([]byte(text))
	if err != nil {
		return nil, err
	}
	return g.With(values)
}

// compose lets the model make a graph from the user's text.
func (m *Manager) compose(ctx context.Context, p wire.FlowRunParams) (*flow.Graph, error) {
	ctx, cancel := context.WithTimeout(ctx, composeTime)
	defer cancel()
	model, err := m.Models.Open(ctx, p.Model)
	if err != nil {
		return nil, err
	}
	if p.Lang == "" {
		p.Lang = agent.Language(p.Text)
	}
	return flow.Compose(ctx, model.Model, p.Lang, p.Text, p.URL)
}

// restoreFlow continues a workflow from a file.
func (m *Manager) restoreFlow(p wire.FlowRestoreParams, at flowPlaces) (wire.FlowInfo, error) {
	g, err := flow.ParseGraph([]byte(p.File))
	if err != nil {
		return wire.FlowInfo{}, err
	}
	for i := range g.Nodes { // only nodes that are done keep their results
		if n := &g.Nodes[i]; n.State != wire.NodeDone {
			n.State, n.Result, n.Ran = wire.NodeWaiting, "", ""
		}
	}
	return m.beginFlow(g, p.Hold, at)
}

// beginFlow saves a workflow and runs it, unless hold is set.
func (m *Manager) beginFlow(g *flow.Graph, hold bool, at flowPlaces) (wire.FlowInfo, error) {
	now := time.Now().UnixMilli()
	s := flow.State{ID: "w" + newID()[1:], Graph: g, State: wire.FlowPaused, Started: now, Updated: now}
	r := m.flowRunner(s, at)
	m.flows.mu.Lock()
	m.flows.put(s.ID, r)
	m.flows.mu.Unlock()
	var err error
	if hold {
		err = m.keepFlow(r.State())
	} else {
		err = r.Resume()
	}
	return flowInfo(r.State()), err
}

func (f *flowRuns) put(id string, r *flow.Runner) {
	if f.runs == nil {
		f.runs = map[string]*flow.Runner{}
	}
	f.runs[id] = r
}

func (m *Manager) flowRunner(s flow.State, at flowPlaces) *flow.Runner {
	return flow.NewRunner(s, flowTasks{m: m, at: at}, m.keepFlow)
}

// withFlow calls do with a workflow's runner. The state of a workflow that an
// earlier broker ran is read from disk.
func (m *Manager) withFlow(id string, at flowPlaces, do func(*flow.Runner) error) (wire.FlowInfo, error) {
	m.flows.mu.Lock()
	r := m.flows.runs[id]
	if r == nil {
		s, err := m.keptFlow(id)
		if err != nil {
			m.flows.mu.Unlock()
			return wire.FlowInfo{}, err
		}
		r = m.flowRunner(s, at)
		m.flows.put(id, r)
	}
	m.flows.mu.Unlock()
	err := do(r)
	return flowInfo(r.State()), err
}

// modifyFlow changes a workflow as a sentence asks, or to the graph in a file.
func (m *Manager) modifyFlow(ctx context.Context, p wire.FlowModifyParams, at flowPlaces) (wire.FlowInfo, error) {
	s, err := m.flowState(p.Flow)
	if err != nil {
		return wire.FlowInfo{}, err
	}
	var patch flow.Patch
	if p.File != "" {
		g, err := flow.ParseGraph([]byte(p.File))
		if err != nil {
			return wire.FlowInfo{}, err
		}
		patch = s.Graph.PatchTo(g)
	} else if patch, err = m.revise(ctx, s, p.Text); err != nil {
		return wire.FlowInfo{}, err
	}
	return m.withFlow(p.Flow, at, func(r *flow.Runner) error { return r.Modify(patch) })
}

func (m *Manager) revise(ctx context.Context, s flow.State, text string) (flow.Patch, error) {
	if strings.TrimSpace(text) == "" {
		return flow.Patch{}, &wire.Error{Code: wire.CodeInvalidParams, Message: "The change has no words.", Hint: "Say what is to be different."}
	}
	ctx, cancel := context.WithTimeout(ctx, composeTime)
	defer cancel()
	model, err := m.Models.Open(ctx, s.Graph.Model)
	if err != nil {
		return flow.Patch{}, err
	}
	return flow.Revise(ctx, model.Model, agent.Language(text), s.Graph, text)
}

// keepFlow saves a workflow's state and then tells the panels.
func (m *Manager) keepFlow(s flow.State) error {
	raw, err := json.Marshal(s)
	if err == nil {
		err = m.Journal.PutFlow(s.ID, raw)
	}
	if err != nil {
		return err
	}
	m.flows.mu.Lock()
	tell := m.flows.tell
	m.flows.mu.Unlock()
	if tell != nil {
		tell(flowInfo(s))
	}
	return nil
}

// keptFlow reads a workflow's state from disk.
func (m *Manager) keptFlow(id string) (flow.State, error) {
	raw, err := m.Journal.Flow(id)
	if errors.Is(err, journal.ErrNoFlow) {
		return flow.State{}, &wire.Error{Code: wire.CodeNoFlow, Message: "There is no such workflow.", Hint: "`tabwright flow list` lists them."}
	}
	var s flow.State
	if err == nil {
		err = json.Unmarshal(raw, &s)
	}
	return s, err
}

// flowState returns a workflow's current state. One that no longer runs is
// reported as interrupted.
func (m *Manager) flowState(id string) (flow.State, error) {
	m.flows.mu.Lock()
	r := m.flows.runs[id]
	m.flows.mu.Unlock()
	if r != nil {
		return r.State(), nil
	}
	s, err := m.keptFlow(id)
	if err != nil {
		return s, err
	}
	return s.CutShort(), nil
}

func (m *Manager) flowList() (wire.FlowList, error) {
	all, err := m.Journal.Flows(shownFlows)
	out := wire.FlowList{Flows: make([]wire.FlowInfo, 0, len(all))}
	for _, raw := range all {
		var s flow.State
		if err := json.Unmarshal(raw, &s); err != nil {
			return out, err
		}
		if s, err = m.flowState(s.ID); err != nil {
			return out, err
		}
		out.Flows = append(out.Flows, flowInfo(s))
	}
	return out, err
}

// flowFile returns a workflow as a file, with its results.
func (m *Manager) flowFile(id string) (wire.Exported, error) {
	s, err := m.flowState(id)
	if err != nil {
		return wire.Exported{}, err
	}
	raw, err := s.Graph.YAML()
	return wire.Exported{Name: history.FileName(s.Graph.Name, id) + ".yaml", MIME: "application/yaml", Text: string(raw)}, err
}

// flowInfo returns a workflow's state in wire form.
func flowInfo(s flow.State) wire.FlowInfo {
	if s.Graph == nil {
		return wire.FlowInfo{}
	}
	out := wire.FlowInfo{
		Flow: s.ID, Title: s.Graph.Name, State: s.State, Parallel: s.Graph.Parallel, Rev: s.Rev, Started: s.Started, Updated: s.Updated, Error: s.Error,
		Nodes: make([]wire.FlowNode, 0, len(s.Graph.Nodes)),
	}
	levels := s.Graph.Levels()
	for _, n := range s.Graph.Nodes {
		note := []rune(n.Result)
		if len(note) > noteMost {
			note = append(note[:noteMost], '…')
		}
		out.Nodes = append(out.Nodes, wire.FlowNode{
			ID: n.ID, Text: n.Task, Needs: n.Needs, State: n.State, Level: levels[n.ID], Task: n.Ran, Note: string(note),
			Asks: n.Asks, Error: n.Error, Began: n.Began, Ended: n.Ended,
		})
	}
	return out
}
