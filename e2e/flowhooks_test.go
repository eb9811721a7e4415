package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
)

// lists is a site of a page a list. What is pressed on one reaches the server,
// and all of them show when the door was opened there.
type lists struct {
	mu   sync.Mutex
	did  []string // "left count", and "left page" for each time it was opened
	door bool
}

func (l *lists) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case r.URL.Path == "/door":
		fmt.Fprint(w, map[bool]string{true: "open", false: "shut"}[l.door])
	case at[0] == "did" && len(at) == 3:
		l.did = append(l.did, at[1]+" "+at[2])
	case at[0] == "list" && len(at) == 2:
		l.did = append(l.did, at[1]+" page")
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>List</title><h1>The list %[1]s</h1>
			<button id="unfold">Unfold</button><button id="count">Count</button><button id="fold">Fold</button><p id="said"></p><p id="door"></p>
			<script>for (const b of document.querySelectorAll("button"))
			  b.onclick = () => fetch("/did/%[1]s/" + b.id).then(() => said.textContent = "Done: " + b.id);
			const look = () => fetch("/door").then(r => r.text()).then(t => t === "open" ? door.textContent = "The door is open." : setTimeout(look, 100));
			look()</script>`, at[1])
	default:
		http.NotFound(w, r)
	}
}

// of are what was done on a list, in order.
func (l *lists) of(list string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []string
	for _, d := range l.did {
		if does, ok := strings.CutPrefix(d, list+" "); ok {
			out = append(out, does)
		}
	}
	return out
}

// counter counts the list of each node, and changes the graph when it is asked.
type counter struct {
	*parter
	mu sync.Mutex
	at map[string]string // where each node was
}

func (c *counter) Next(conv standin.Conversation) standin.Turn {
	if slices.Contains(conv.Tools, "change_graph") {
		return standin.Turn{Calls: []standin.Call{{Name: "change_graph", Args: map[string]any{
			"add":    []any{node("delivery", "read the delivery times")},
			"change": []any{node("answer", "say it with the delivery times", "left", "delivery")}, // and nothing of where it begins
		}}}}
	}
	i := slices.IndexFunc(conv.Messages, func(m standin.Message) bool { return partName.MatchString(m.Text) })
	if i < 0 || !slices.Contains(conv.Tools, "browser_action") {
		return c.parter.Next(conv)
	}
	id, o := partName.FindStringSubmatch(conv.Messages[i].Text)[1], standin.Observe(conv)
	c.mu.Lock()
	c.at[id] = o.URL
	c.mu.Unlock()
	if b, ok := o.Find("button", "Count"); ok && !strings.Contains(o.Text, "Done: count") {
		return standin.Turn{Calls: []standin.Call{{Name: "click", Args: map[string]any{"index": b.Index}}}}
	}
	return standin.Turn{Calls: []standin.Call{{Name: "done", Args: map[string]any{"success": true, "answer": id + " is counted", "evidence": []string{o.Title}}}}}
}

const listGraph = `tabwright: 1
name: lists
goal: count the lists
parallel: 2
nodes:
  - id: left
    task: "Part left: count the list"
    url: %[1]s/list/left
    before: [{do: click, with: {selector: "#unfold"}}, {do: waitFor, with: {text: The door is open, timeoutMs: 60000}}]
    after: [{do: click, with: {selector: "#fold"}}, {do: waitFor, with: {text: "Done: fold"}}]
  - id: right
    task: "Part right: count the list"
    url: %[1]s/list/right
    before: [{do: click, with: {selector: "#unfold"}}, {do: waitFor, with: {text: The door is open, timeoutMs: 60000}}]
    after: [{do: waitFor, with: {text: Never there, timeoutMs: 200}}]
  - id: answer
    task: "Part answer: say it"
    url: %[1]s/list/answer
    needs: [left]
`

// Hooks act in the node's tab, before the model is asked and after it is done; one
// that fails fails its node. Meanwhile, with both nodes at work, the graph is
// changed by a sentence in the panel, which draws it anew; the node that is changed
// begins where it was to begin.
func TestHooksAndAChangeWhileNodesRun(t *testing.T) {
	brain := &counter{parter: &parter{turns: map[string]int{}}, at: map[string]string{}}
	w := newWorld(t, standin.OllamaTools, brain)
	site := &lists{}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	url := strings.Replace(server.URL, "127.0.0.1", "list.test", 1)
	p := w.panel() // with which the broker begins
	client, err := joinBroker(w.ctx, w.rig)
	w.must(err)
	t.Cleanup(func() { _ = client.Close() })
	f := &flows{w, client}
	file := filepath.Join(w.rig.Dir, "lists.yaml")
	w.must(os.WriteFile(file, []byte(fmt.Sprintf(listGraph, url)), 0o600))

	id := f.run("run", file, "--detach", "--json").Flow
	f.until(id, "unfolded", func(wire.FlowInfo) bool {
		return slices.Contains(site.of("left"), "unfold") && slices.Contains(site.of("right"), "unfold")
	})
	w.must(p.Await(w.ctx, flowIs("running", "running", 2)+` && document.querySelectorAll('[data-testid=flow-box]').length === 3`))
	if len(brain.at) != 0 {
		t.Errorf("the model was asked before the hooks were done: %v", brain.at)
	}
	w.must(p.Click(w.ctx, "flow-change"))
	w.must(p.Tab.InsertText(w.ctx, "also compare delivery times"))
	w.must(p.Click(w.ctx, "flow-change-send"))
	w.must(p.Await(w.ctx, flowIs("running", "running", 2)+` && document.querySelectorAll('[data-testid=flow-box]').length === 4 &&
		document.querySelector('[data-testid=flow]').textContent.includes('say it with the delivery times')`))
	w.shots("changed")

	site.mu.Lock()
	site.door = true
	site.mu.Unlock()
	done := f.until(id, "over", func(i wire.FlowInfo) bool { return i.State != wire.FlowRunning })
	if got := states(done); done.State != wire.FlowFailed || got != "left:done right:failed answer:done delivery:done" {
		raw, _ := json.Marshal(done) // for people
		t.Fatalf("%s %s\n%s", done.State, got, raw)
	}
	for list, want := range map[string]string{
		"left": "page unfold count fold", "right": "page unfold count", "answer": "page count",
	} {
		if got := strings.Join(site.of(list), " "); got != want {
			t.Errorf("on the list %s there was done: %s, want %s", list, got, want)
		}
	}
	if e := done.Nodes[1].Error; e == nil || e.Code != "timeout" {
		t.Errorf("the hook that failed: %+v", e)
	}
	if at := brain.at["answer"]; at != url+"/list/answer" {
		t.Errorf("the changed node was at %s", at)
	}
	w.must(p.Await(w.ctx, flowIs("failed", "done", 3)))
}
