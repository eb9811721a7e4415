package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/e2e/standin"
	"tabwright/host/control/client"
	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// parter makes the graph of the test, changes it, and does its nodes: each
// reads its page first and then gives what it read, or what it was given.
type parter struct {
	mu    sync.Mutex
	turns map[string]int
	hold  string        // a node whose next turn waits, and with it those of all; * is any
	held  chan struct{} // closed when it does
	open  chan struct{}
}

func (p *parter) holdAt(node string) (held, open chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold, p.held, p.open = node, make(chan struct{}), make(chan struct{})
	return p.held, p.open
}

var (
	partName = regexp.MustCompile(`(?m)^Part (\w+):`)
	partData = regexp.MustCompile(`(?s)<<<result (\w+)\n(.*?)\n\w+ result>>>`)
)

func node(id, does string, needs ...string) map[string]any {
	return map[string]any{"id": id, "task": "Part " + id + ": " + does, "needs": needs}
}

// Next is standin.Brain's.
func (p *parter) Next(conv standin.Conversation) standin.Turn {
	switch {
	case slices.Contains(conv.Tools, "set_graph"):
		return standin.Turn{Calls: []standin.Call{{Name: "set_graph", Args: map[string]any{"nodes": []any{
			node("mugs", "say how many results there are"), node("plates", "say how many results there are"),
			node("sum", "add them up", "mugs", "plates"), node("check", "check the sum", "sum"), node("answer", "say it", "sum", "check"),
		}}}}}
	case slices.Contains(conv.Tools, "change_graph"):
		return standin.Turn{Calls: []standin.Call{{Name: "change_graph", Args: map[string]any{
			"add":    []any{node("delivery", "read the delivery times", "sum")},
			"change": []any{node("answer", "say it with the delivery times", "check", "delivery")},
		}}}}
	}
	if !slices.Contains(conv.Tools, "browser_action") {
		return standin.Turn{Text: "No plan, and nothing to object to."} // of the planner and its like
	}
	first := slices.IndexFunc(conv.Messages, func(m standin.Message) bool { return partName.MatchString(m.Text) })
	if first < 0 {
		return standin.Turn{Text: "This is no part."}
	}
	text, _, _ := strings.Cut(conv.Messages[first].Text, "<<<page")
	id := partName.FindStringSubmatch(text)
	p.mu.Lock()
	p.turns[id[1]]++
	n := p.turns[id[1]]
	held, open := p.held, p.open
	hold := p.hold == id[1] || p.hold == "*"
	if hold {
		p.hold = ""
	}
	p.mu.Unlock()
	if hold {
		close(held)
		<-open
	}
	if n%2 == 1 {
		return standin.Turn{Calls: []standin.Call{{Name: "getElements", Args: map[string]any{"type": "link"}}}}
	}
	answer := id[1] + " done"
	for _, m := range partData.FindAllStringSubmatch(text, -1) {
		answer += " [" + m[2] + "]"
	}
	return standin.Turn{Calls: []standin.Call{{Name: "done", Args: map[string]any{"success": true, "answer": answer, "evidence": []string{standin.Observe(conv).Title}}}}}
}

func (p *parter) taken(id string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turns[id]
}

// flows drives the command line of workflows.
type flows struct {
	*world
	client *client.Client
}

// flowLook is how often the test looks at what tells of nothing by itself.
const flowLook = 50 * time.Millisecond

func (f *flows) run(args ...string) wire.FlowInfo {
	f.t.Helper()
	out, err := f.rig.Command(f.ctx, append([]string{"flow"}, args...)...).Output()
	var info wire.FlowInfo
	if err == nil {
		err = json.Unmarshal(out, &info)
	}
	if err != nil {
		f.t.Fatalf("flow %v: %v %s", args, err, out)
	}
	return info
}

// until looks at a workflow until it is as wanted.
func (f *flows) until(id, what string, ok func(wire.FlowInfo) bool) wire.FlowInfo {
	f.t.Helper()
	for {
		var info wire.FlowInfo
		f.must(f.client.Call(f.t.Context(), wire.MethodFlowShow, wire.FlowRef{Flow: id}, &info))
		if ok(info) {
			return info
		}
		select {
		case <-time.After(flowLook):
		case <-f.ctx.Done():
			f.t.Fatalf("it never was %s: %+v", what, info)
		}
	}
}

// wait waits until the brain holds a turn.
func (f *flows) wait(held <-chan struct{}) {
	f.t.Helper()
	select {
	case <-held:
	case <-f.ctx.Done():
		var flows wire.FlowList
		f.must(f.client.Call(f.t.Context(), wire.MethodFlowList, wire.Empty{}, &flows))
		f.t.Fatalf("the model was not asked: %+v", flows)
	}
}

// paused waits until so many tasks are.
func (f *flows) paused(want int) {
	f.t.Helper()
	for {
		var tasks wire.TaskList
		f.must(f.client.Call(f.t.Context(), wire.MethodTaskList, wire.Empty{}, &tasks))
		paused := 0
		for _, task := range tasks.Tasks {
			if task.State == wire.TaskPaused {
				paused++
			}
		}
		if paused == want {
			return
		}
		select {
		case <-time.After(flowLook):
		case <-f.ctx.Done():
			f.t.Fatalf("%d tasks are paused, want %d: %+v", paused, want, tasks.Tasks)
		}
	}
}

func states(info wire.FlowInfo) string {
	var out []string
	for _, n := range info.Nodes {
		out = append(out, fmt.Sprintf("%s:%s", n.ID, n.State))
	}
	return strings.Join(out, " ")
}

func TestWorkflow(t *testing.T) {
	brain := &parter{turns: map[string]int{}}
	w := newWorld(t, standin.OllamaTools, brain)
	t.Setenv("TABWRIGHT_SOCKET", filepath.Join(w.rig.Dir, "run", "broker.sock"))
	p := w.panel()
	nc, err := native.Dial(w.ctx)
	w.must(err)
	client, err := client.New(w.ctx, nc, "test", zerolog.Nop())
	w.must(err)
	defer client.Close()
	f := &flows{w, client}

	// Five nodes, made of a sentence; the two that need nothing run side by side.
	held, open := brain.holdAt("*")
	begun := f.run("run", "compare the mugs and the plates", "--url", w.url, "--detach", "--json")
	f.wait(held)
	id := begun.Flow
	both := f.until(id, "two nodes at once", func(i wire.FlowInfo) bool { return i.Nodes[0].Task != "" && i.Nodes[1].Task != "" })
	if got := states(both); got != "mugs:running plates:running sum:waiting check:waiting answer:waiting" || both.Nodes[4].Level != 3 {
		t.Errorf("%s, %+v", got, both.Nodes[4])
	}
	var tasks wire.TaskList
	f.must(client.Call(f.ctx, wire.MethodTaskList, wire.Empty{}, &tasks))
	if len(tasks.Tasks) != 2 || tasks.Tasks[0].TabID == tasks.Tasks[1].TabID {
		t.Errorf("not two tabs: %+v", tasks.Tasks)
	}

	// The panel draws it.
	w.must(p.Await(w.ctx, `document.querySelectorAll('[data-testid=flow-box][data-state=running]').length === 2 &&
		document.querySelectorAll('[data-testid=flow-box]').length === 5 && document.querySelectorAll('[data-testid=flow-node]').length === 5`))

	// Paused: the step under way ends, and no other begins.
	if got := f.run("pause", id, "--json"); got.State != wire.FlowPaused {
		t.Errorf("state %s", got.State)
	}
	close(open)
	f.paused(2)
	if brain.taken("mugs") != 1 || brain.taken("plates") != 1 {
		t.Errorf("it went on while paused: %v", brain.turns)
	}

	// Changed while it runs: by a sentence, and not by what makes no sense.
	changed := f.run("modify", id, "also compare delivery times", "--json")
	if got := states(changed); !strings.Contains(got, "delivery:waiting") || !slices.Equal(changed.Nodes[4].Needs, []string{"check", "delivery"}) {
		t.Errorf("%s, %+v", got, changed.Nodes[4])
	}
	bad := filepath.Join(w.rig.Dir, "bad.yaml")
	f.must(os.WriteFile(bad, []byte("tabwright: 1\nname: x\nnodes:\n  - id: a\n    task: x\n    needs: [b]\n  - id: b\n    task: y\n    needs: [a]\n"), 0o600))
	if out, err := w.rig.Command(w.ctx, "flow", "modify", id, "--file", bad).CombinedOutput(); err == nil || !strings.Contains(string(out), "a → b → a") {
		t.Errorf("a round was taken: %s", out)
	}

	// It goes on, is stopped in the middle, saved, and taken up from the file.
	held, open = brain.holdAt("check")
	f.run("resume", id, "--json")
	f.wait(held)
	half := f.run("stop", id, "--json") // what the model was asked is given up
	close(open)
	if got := states(half); half.State != wire.FlowCancelled || !strings.HasPrefix(got, "mugs:done plates:done sum:done check:waiting") {
		t.Errorf("%s %s", half.State, got)
	}
	file := filepath.Join(w.rig.Dir, "half.yaml")
	if out, err := w.rig.Command(w.ctx, "flow", "save", id, "-o", file).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	before := brain.taken("mugs") + brain.taken("plates") + brain.taken("sum")
	restored := f.run("restore", file, "--detach", "--json")
	done := f.until(restored.Flow, "done", func(i wire.FlowInfo) bool { return i.State != wire.FlowRunning })
	if done.State != wire.FlowDone || restored.Flow == id {
		t.Fatalf("%s %s %+v", done.State, states(done), done.Error)
	}
	if after := brain.taken("mugs") + brain.taken("plates") + brain.taken("sum"); after != before {
		t.Errorf("nodes that were done ran again: %v", brain.turns)
	}
	w.must(p.Await(w.ctx, `document.querySelectorAll('[data-testid=flow-box][data-state=done]').length === 6`))
	// What the last one says holds what the others gave.
	last := done.Nodes[slices.IndexFunc(done.Nodes, func(n wire.FlowNode) bool { return n.ID == "answer" })]
	if want := "answer done [check done [sum done"; !strings.HasPrefix(last.Note, want) || !strings.Contains(last.Note, "delivery done") {
		t.Errorf("the last node says %q", last.Note)
	}
}
