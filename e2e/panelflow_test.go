package e2e

import (
	"syscall"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
)

// From the real side panel a finished task is kept and done again without a
// model, its card asked as ever. The program dies at that card: the replay goes
// on at that step, and does none of those before it again.
func TestReplayFromThePanel(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	p, err := w.rig.OpenSidePanel(w.ctx, w.page)
	w.must(err)
	w.must(p.Send(w.ctx, task))
	w.buys(p)
	w.pictures(p)
	w.must(p.Click(w.ctx, "keep-workflow"))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=kept]')`))

	asked := len(w.model.Requests())
	w.must(p.Click(w.ctx, "workflows"))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=saved]')`))
	w.must(p.Click(w.ctx, "saved"))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=saved-param]')?.value === 'blue mug'`))
	w.must(p.Click(w.ctx, "saved-start"))
	w.must(p.Await(w.ctx, `document.querySelectorAll('[data-testid=message-user]').length === 2`))
	w.must(p.Await(w.ctx, cardOpen))
	if n := len(w.shop.Orders()); n != 1 {
		t.Fatalf("%d orders before the user was asked", n)
	}
	steps := len(w.texts(p, "step"))
	w.must(syscall.Kill(w.brokerPID(), syscall.SIGKILL))
	w.must(p.Await(w.ctx, interrupted))
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=resume]:enabled')`))
	w.must(p.Click(w.ctx, "resume"))
	w.must(p.Await(w.ctx, cardOpen))
	if n := len(w.texts(p, "step")); n > steps+1 {
		t.Errorf("%d steps, %d before the program died", n, steps)
	}
	w.must(p.Allow(w.ctx))
	w.ended(p)
	orders := w.shop.Orders() // a second time in the cart would be dearer
	if len(orders) != 2 || orders[1].Total != orders[0].Total || orders[1].Lines[0].Name != orders[0].Lines[0].Name {
		t.Errorf("orders %+v", orders)
	}
	if n := len(w.model.Requests()); n != asked {
		t.Errorf("the model was asked %d times", n-asked)
	}
	w.hasText(p, "message-agent", "Done again")
	w.shots("replayed")
}

// pictures checks that the steps of the newest task have theirs, though the model
// answered at once.
func (w *world) pictures(p *rig.Panel) {
	w.t.Helper()
	var tasks wire.TaskList
	w.must(p.Call(w.ctx, wire.MethodTaskList, wire.Empty{}, &tasks))
	c, err := joinBroker(w.ctx, w.rig)
	w.must(err)
	defer c.Close()
	var steps []int
	_, err = c.Follow(w.ctx, tasks.Tasks[0].Task, func(ev wire.Event) {
		if ev.Type == wire.EvToolResult && ev.Step.Thumb {
			steps = append(steps, ev.Step.N)
		}
	}, nil)
	w.must(err)
	if len(steps) < 4 {
		w.t.Errorf("only steps %v have a picture", steps)
	}
	for _, n := range steps {
		w.picture(p, wire.StepRef{Task: tasks.Tasks[0].Task, Step: n})
	}
}

// A task is done in parts that the user looks at, begins, holds and changes.
func TestPartsFromThePanel(t *testing.T) {
	brain := &parter{turns: map[string]int{}}
	w := newWorld(t, standin.OllamaTools, brain)
	p, err := w.rig.OpenSidePanel(w.ctx, w.page)
	w.must(err)
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=composer]:enabled')`))
	w.must(p.Click(w.ctx, "composer"))
	w.must(p.Tab.InsertText(w.ctx, "compare the mugs and the plates"))
	w.must(p.Click(w.ctx, "workflows"))
	w.must(p.Await(w.ctx, `document.activeElement?.dataset.testid === 'in-parts'`))
	w.must(p.Click(w.ctx, "in-parts"))
	w.must(p.Await(w.ctx, flowIs("paused", "waiting", 5)))
	if n := brain.taken("mugs") + brain.taken("plates"); n != 0 {
		t.Errorf("%d turns were taken before the user began it", n)
	}
	w.shots("parts")
	const front = `chrome.tabs.query({active: true}).then(tabs => tabs.map(t => t.id).join())`
	var before string
	w.must(p.Eval(w.ctx, `globalThis.activated = [], chrome.tabs.onActivated.addListener(({tabId}) => activated.push(tabId)), `+front, &before))
	held, open := brain.holdAt("*")
	w.must(p.Click(w.ctx, "flow-resume"))
	waitFor(w, p, held)
	w.must(p.Await(w.ctx, flowIs("running", "running", 2)))
	w.must(p.Click(w.ctx, "flow-pause"))
	w.must(p.Await(w.ctx, flowIs("paused", "running", 2)))
	close(open)
	w.must(p.Click(w.ctx, "flow-change"))
	w.must(p.Tab.InsertText(w.ctx, "also compare delivery times"))
	w.must(p.Click(w.ctx, "flow-change-send"))
	w.must(p.Await(w.ctx, `document.querySelectorAll('[data-testid=flow-box]').length === 6`))
	w.must(p.Click(w.ctx, "flow-resume"))
	w.must(p.Await(w.ctx, flowIs("done", "done", 6)))
	w.shots("parts-done")
	// The nodes worked in tabs of their own, and the user's stayed in front.
	var after struct {
		Front     string
		Activated []int
		Tabs      int
	}
	w.must(p.Eval(w.ctx, `(async () => ({Front: await `+front+`, Activated: activated, Tabs: (await chrome.tabs.query({})).length}))()`, &after))
	if after.Front != before || len(after.Activated) != 0 || after.Tabs < 7 {
		t.Errorf("in front was %s, then: %+v", before, after)
	}
}

// flowIs is true when the panel shows a workflow in a state, with so many nodes
// in another.
func flowIs(state, nodes string, n int) string {
	return `document.querySelector('[data-testid=flow]')?.dataset.state === '` + state + `' &&
		document.querySelectorAll('[data-testid=flow-box][data-state=` + nodes + `]').length === ` + string(rune('0'+n))
}

func waitFor(w *world, p *rig.Panel, held <-chan struct{}) {
	w.t.Helper()
	select {
	case <-held:
	case <-w.ctx.Done():
		w.t.Fatalf("the model was not asked: %v", w.texts(p, "flow"))
	}
}
