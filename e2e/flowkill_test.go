package e2e

import (
	"context"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/host/browser"
	"tabwright/host/control/client"
	"tabwright/host/native/wire"
)

// flowKiller kills the broker under a workflow.
type flowKiller struct {
	*killer
	brain    *clerks
	flow     string
	done     map[string]doneNode
	before   map[browser.TabID]string // the tabs that are no node's
	restarts int                      // of the browser
	gone     map[string]bool          // nodes that were done when the browser died, and their tabs with it
	anew     bool                     // the browser was started again in this workflow
	over     bool                     // and the workflow was done by then: a new panel doesn't tell of it
}

// doneNode is a node that was seen to be done, and the turns of the model then.
type doneNode struct {
	wire.FlowNode
	turns int
}

// TestWorkflowKills kills the broker, again and again, under a workflow of which
// two nodes submit side by side, each in a tab of its own. A third of the kills
// come right after it was begun or resumed, while tabs are opened and found
// again, a third at a random instant, a third around an input. Each time the
// side panel offers it and the user goes on with it there. Each submit is sent
// at most once, no node that was done runs again nor has a second task, what was
// shown of a step is in the journal, and there is a tab for each node and no
// other. One in six times it is the browser that dies and is started again, while
// the broker stays.
//
// TABWRIGHT_KILLS is how many, TABWRIGHT_SEED when.
func TestWorkflowKills(t *testing.T) {
	number, seed := killsOf(t, 6)
	brain := &clerks{parter: &parter{turns: map[string]int{}}, parts: map[string]*clerk{}, turns: map[string]int{}}
	k := &flowKiller{killer: newKiller(t, number, seed, brain), brain: brain}
	brain.url = k.url
	k.must(k.panel.Close(k.ctx))
	k.person()
	for k.kills < number && !t.Failed() { // the story of a fault is short then
		k.workflow(min(number, k.kills+8))
		brain.next()
	}
	k.sums()
	t.Logf("%d of the kills were the browser's", k.restarts)
}

// user opens the user's page, and the side panel beside it.
func (k *flowKiller) person() {
	k.t.Helper()
	page, err := k.rig.Open(k.ctx, k.url+person.path())
	k.must(err)
	k.must(rig.Await(k.ctx, page, `document.querySelector('form')`))
	k.panel, err = k.rig.OpenSidePanel(k.ctx, page)
	k.must(err)
	k.before = k.tabs()
}

// restart has the browser die, and the user start it again.
func (k *flowKiller) restart() {
	k.t.Helper()
	k.restarts++
	k.must(syscall.Kill(-k.rig.Browser.PID(), syscall.SIGKILL))
	select {
	case <-k.rig.Browser.Done():
	case <-k.ctx.Done():
		k.t.Fatal("the browser that was killed does not end")
	}
	k.must(k.rig.Again(k.ctx))
	k.person()
	c := k.dial()
	defer c.Close()
	info := k.show(c)
	for info.State == wire.FlowRunning { // until the broker has seen that its tabs are gone
		k.sleep(flowLook)
		info = k.show(c)
	}
	k.over = info.State == wire.FlowDone
	for id := range k.done {
		k.gone[id] = true
	}
	k.anew = true
}

// workflow does one workflow, with kills until there were most of them.
func (k *flowKiller) workflow(most int) {
	k.t.Helper()
	k.done, k.gone, k.anew, k.over = map[string]doneNode{}, map[string]bool{}, false, false
	c := k.dial()
	var info wire.FlowInfo
	k.must(c.Call(k.ctx, wire.MethodFlowRun, wire.FlowRunParams{
		Text: "save the entries of both ledgers, and say what came of it", URL: k.url + person.path(), Lang: "en", Hold: true,
	}, &info))
	k.flow = info.Flow
	for {
		k.goOn(c)
		killed := k.under(c, most)
		_ = c.Close() // its broker may be dead
		if !killed {
			break
		}
		c = k.dial()
	}
	k.ended()
}

// goOn begins the workflow in the panel, or goes on with it there, where it is
// offered.
func (k *flowKiller) goOn(c *client.Client) {
	k.t.Helper()
	info := k.show(c)
	if info.State == wire.FlowDone {
		return // the broker died after its last word
	}
	if info.State != wire.FlowPaused && info.State != wire.FlowInterrupted {
		k.t.Fatalf("the workflow is %s: %+v", info.State, info)
	}
	if info.State == wire.FlowInterrupted {
		k.resumed++
	}
	k.must(k.panel.Await(k.ctx, `document.querySelector('[data-testid=flow]')?.dataset.state === '`+string(info.State)+
		`' && document.querySelector('[data-testid=flow-resume]') && document.querySelector('[data-testid=status]').dataset.phase === 'ready'`))
	k.must(k.panel.Click(k.ctx, "flow-resume"))
}

// show is the workflow as it stands; a node that was done must be so for good.
func (k *flowKiller) show(c *client.Client) wire.FlowInfo {
	k.t.Helper()
	var info wire.FlowInfo
	k.must(c.Call(k.ctx, wire.MethodFlowShow, wire.FlowRef{Flow: k.flow}, &info))
	k.hold(info)
	return info
}

func (k *flowKiller) hold(info wire.FlowInfo) {
	k.t.Helper()
	for _, n := range info.Nodes {
		was, seen := k.done[n.ID]
		switch {
		case !seen && n.State == wire.NodeDone:
			k.done[n.ID] = doneNode{n, k.brain.taken(n.ID)}
		case seen && (n.State != wire.NodeDone || n.Task != was.Task || n.Note != was.Note || n.Ended != was.Ended):
			k.t.Errorf("node %s was done as %+v and is now %+v", n.ID, was.FlowNode, n)
		case seen && k.brain.taken(n.ID) != was.turns:
			k.t.Errorf("the model was asked about node %s after it was done", n.ID)
		}
	}
}

// under follows the workflow to its end, or kills the broker on the way.
func (k *flowKiller) under(c *client.Client, most int) (killed bool) {
	k.t.Helper()
	ctx, cancel := context.WithCancel(k.ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	kill := func(after time.Duration) {
		select {
		case <-time.After(after):
			if syscall.Kill(c.Hello.PID, syscall.SIGKILL) == nil {
				cancel()
			}
		case <-ctx.Done():
		}
	}
	steps, after := 0, time.Duration(k.rand.IntN(80))*time.Millisecond
	random := time.Duration(k.rand.IntN(1500)) * time.Millisecond
	var restart <-chan time.Time
	if k.kills < most {
		switch way := k.rand.IntN(3); {
		case k.kills%6 == 3:
			restart = time.After(random)
		case way == 0:
			at := time.Duration(k.rand.IntN(250)) * time.Millisecond
			wg.Go(func() { kill(at) })
		case way == 1:
			wg.Go(func() { kill(random) })
		default:
			steps = 1 + k.rand.IntN(6)
		}
	}
	events, began, ended := make(chan wire.Event, 256), make(chan struct{}), make(chan struct{})
	wg.Go(func() { k.follow(ctx, c, events) })
	wg.Go(func() { k.await(ctx, c, began, ended) })
	again := time.NewTicker(3 * time.Second)
	defer again.Stop()
	for {
		select {
		case ev := <-events:
			k.hear(ctx, ev, &wg)
			if ev.Type == wire.EvToolCall && fresh(ev) {
				if steps--; steps == 0 {
					k.aimed++
					wg.Go(func() { kill(after) })
				}
			}
		case <-ended:
			return false
		case <-began:
			again.Stop()
			began = nil
		case <-again.C: // the panel may have heard the click before it knew that its broker was dead
			k.must(k.panel.Click(k.ctx, "flow-resume"))
		case <-restart:
			cancel()
			k.killed("the browser")
			k.restart()
			return true
		case <-ctx.Done():
			k.must(k.ctx.Err())
			k.killed("the broker")
			return true
		}
	}
}

// follow gives the events of all tasks, until the connection ends.
func (k *flowKiller) follow(ctx context.Context, c *client.Client, events chan<- wire.Event) {
	err := c.Stream(ctx, wire.SubscribeParams{}, eventsTo{ctx, events})
	if e := wire.AsError(err); ctx.Err() == nil && e.Code != wire.CodeClosed { // its broker may be dead
		k.t.Errorf("the events end: %v", err)
	}
}

// eventsTo is a client.Viewer.
type eventsTo struct {
	ctx context.Context
	ch  chan<- wire.Event
}

func (eventsTo) Begin() error { return nil }

func (v eventsTo) Event(ev wire.Event) error {
	select {
	case v.ch <- ev:
		return nil
	case <-v.ctx.Done():
		return v.ctx.Err()
	}
}

func (eventsTo) Delta(wire.DeltaEvent) error { return nil }

// await closes began once the workflow runs, and ended once it runs no more.
func (k *flowKiller) await(ctx context.Context, c *client.Client, began, ended chan<- struct{}) {
	for ran := false; ; {
		var info wire.FlowInfo
		err := c.Call(ctx, wire.MethodFlowShow, wire.FlowRef{Flow: k.flow}, &info)
		if runs := info.State == wire.FlowRunning; !ran && (runs || info.State == wire.FlowDone) {
			ran = true
			close(began)
		}
		if err == nil && ran && info.State != wire.FlowRunning {
			close(ended)
			return
		}
		select {
		case <-time.After(flowLook):
		case <-ctx.Done():
			return
		}
	}
}

// ended checks what the workflow came to, its tasks and its tabs.
func (k *flowKiller) ended() {
	k.t.Helper()
	c := k.dial()
	defer c.Close()
	info := k.show(c)
	if info.State != wire.FlowDone {
		k.t.Fatalf("the workflow is %s: %+v", info.State, info)
	}
	if !k.over {
		k.must(k.panel.Await(k.ctx, `document.querySelector('[data-testid=flow]')?.dataset.state === 'done'`))
	}
	if want := "sum done [All entries are saved."; !strings.HasPrefix(info.Nodes[0].Note, want) {
		k.t.Errorf("the last node says %q", info.Nodes[0].Note)
	}
	var tasks wire.TaskList
	k.must(c.Call(k.ctx, wire.MethodTaskList, wire.Empty{}, &tasks))
	for _, n := range info.Nodes {
		var same []string
		for _, t := range tasks.Tasks {
			if t.Text == n.Text && t.Started >= info.Started {
				same = append(same, t.Task+" "+string(t.State))
			}
		}
		if len(same) != 1 {
			k.t.Errorf("node %s, done by %s, had the tasks %q", n.ID, n.Task, same)
		}
		k.kept(n.Task).count(k.killer) // what nobody was asked about, a node may have been told
	}
	for side := range sides {
		for n := firstOfPart; n <= entries; n++ {
			if path := k.brain.at(side, n).path(); k.site.count(path) != 1 {
				k.t.Errorf("%s was sent %d times", path, k.site.count(path))
			}
		}
	}
	k.ownTabs()
}

// ownTabs checks that each node was at work in a tab of its own and left no
// other, and closes them. Those of nodes that were done when the browser died are
// not opened again, and the last node, which is where the user is, may be in
// their tab since.
func (k *flowKiller) ownTabs() {
	k.t.Helper()
	var urls []string
	for id, url := range k.tabs() {
		if was, old := k.before[id]; old {
			if was != url {
				k.t.Errorf("a tab at %s is now at %s", was, url)
			}
			continue
		}
		urls = append(urls, strings.TrimPrefix(url, k.url))
		k.must(k.rig.Driver.CloseTab(k.ctx, id))
	}
	var want []string
	if !k.anew || slices.Contains(urls, person.path()) {
		want = append(want, person.path())
	}
	for side, id := range sides {
		if k.gone[id] {
			continue
		}
		last := k.brain.at(side, entries)
		path := last.path()
		// One that was in doubt when the browser died goes on where the form is.
		if last.kind == moves && !(k.anew && slices.Contains(urls, path)) {
			path += "/saved"
		}
		want = append(want, path)
	}
	slices.Sort(urls)
	slices.Sort(want)
	if !slices.Equal(urls, want) {
		k.t.Errorf("the nodes' tabs are at %q, want %q", urls, want)
	}
}

// tabs are those of the browser, each with its address.
func (k *flowKiller) tabs() map[browser.TabID]string {
	k.t.Helper()
	all, err := k.rig.Driver.Tabs(k.ctx)
	k.must(err)
	out := map[browser.TabID]string{}
	for _, t := range all {
		out[t.ID] = t.URL
	}
	return out
}
