package extension_test

import (
	"context"
	"strings"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// workflows plays the part of a host that keeps workflows.
type workflows struct {
	*stage
	saved []wire.SavedFlow
	flow  wire.FlowInfo
}

func (w *workflows) handle(ctx context.Context, h *paneltest.Host, m wire.Message) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch m.Method {
	case wire.MethodSavedList:
		return wire.SavedList{Saved: w.saved}, nil
	case wire.MethodFlowList:
		return wire.FlowList{}, nil
	case wire.MethodSavedKeep:
		w.calls <- m
		w.saved = append(w.saved, wire.SavedFlow{ID: "new", Name: "Order it", Kind: wire.SavedRecording, Parts: 2})
		return w.saved[len(w.saved)-1], nil
	case wire.MethodSavedRename:
		w.calls <- m
		p := params[wire.SavedRenameParams](m)
		for i := range w.saved {
			if w.saved[i].ID == p.ID {
				w.saved[i].Name = p.Name
				return w.saved[i], nil
			}
		}
		return nil, &wire.Error{Code: "no_saved", Message: "gone"}
	case wire.MethodFlowRun:
		w.calls <- m
		return w.flow, nil
	case wire.MethodReplay:
		w.calls <- m
		w.task = wire.TaskInfo{Task: "t1", Text: "buy a red mug", State: wire.TaskRunning}
		w.events = nil
		w.add(wire.Event{Type: wire.EvStarted, Text: w.task.Text})
		return w.task, nil
	default:
		w.mu.Unlock()
		defer w.mu.Lock()
		return w.stage.handle(ctx, h, m)
	}
}

// A task is done in parts only once the user has seen them; a kept recording
// asks for its values. All of it by keyboard.
func TestPanelWorkflows(t *testing.T) {
	w := &workflows{stage: newStage(), saved: []wire.SavedFlow{{
		ID: "buy-a-mug", Name: "Buy a mug", Kind: wire.SavedRecording, Parts: 6,
		Params: []wire.SavedParam{{Name: "search_products", Default: "blue mug"}},
	}}}
	w.flow = wire.FlowInfo{Flow: "w1", Title: "compare", State: wire.FlowPaused, Parallel: 2, Rev: 1, Nodes: []wire.FlowNode{
		{ID: "prices", Text: "List the prices", State: wire.NodeWaiting}, {ID: "answer", Text: "Compare", Needs: []string{"prices"}, Level: 1, State: wire.NodeWaiting},
	}}
	ctx, b := launch(t, w.handle)
	page, err := b.Open(ctx, site(t), 800, 600)
	must(t, err)
	must(t, page.Until(ctx, `document.title === "outer"`))
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)
	must(t, p.Until(ctx, paneltest.ByTestID("composer")+`?.disabled === false`))
	focused := func(id string) string { return `document.activeElement?.dataset.testid === "` + id + `"` }

	// Without words there is nothing to make parts of: the menu begins with what is kept.
	must(t, p.Eval(ctx, paneltest.ByTestID("composer")+`.focus()`, nil))
	must(t, p.Press(ctx, "/", 191, "/"))
	must(t, p.Until(ctx, paneltest.ByTestID("in-parts")+`?.getAttribute("aria-disabled") === "true"`))
	must(t, p.Press(ctx, "Escape", 27, ""))
	must(t, p.Until(ctx, focused("composer")+` && document.activeElement.value === "" && !`+paneltest.ByTestID("in-parts")))

	must(t, p.Type(ctx, "composer", "compare the mugs"))
	must(t, p.Click(ctx, "workflows"))
	must(t, p.Until(ctx, focused("in-parts")))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	run := decode[wire.FlowRunParams](t, w.call(ctx, t, wire.MethodFlowRun))
	if run.Text != "compare the mugs" || !run.Hold || !strings.HasPrefix(run.URL, "http://") {
		t.Errorf("%+v", run)
	}
	begin := paneltest.ByTestID("flow-resume")
	must(t, p.Until(ctx, begin+`?.innerText.trim() === "Begin" && `+all("flow-box")+`.length === 2`))
	must(t, p.Click(ctx, "flow-resume"))
	if ref := decode[wire.FlowRef](t, w.call(ctx, t, wire.MethodFlowResume)); ref.Flow != "w1" {
		t.Errorf("%+v", ref)
	}
	must(t, p.Click(ctx, "keep-workflow"))
	if keep := decode[wire.SavedKeepParams](t, w.call(ctx, t, wire.MethodSavedKeep)); keep.Flow != "w1" {
		t.Errorf("%+v", keep)
	}
	must(t, p.Until(ctx, paneltest.ByTestID("kept")+`?.innerText.includes("Order it")`))

	// A letter goes to what begins with it.
	must(t, p.Eval(ctx, paneltest.ByTestID("composer")+`.focus()`, nil))
	must(t, p.Press(ctx, "/", 191, "/"))
	must(t, p.Until(ctx, all("saved")+`.length === 2`))
	must(t, p.Press(ctx, "B", 66, "B"))
	must(t, p.Until(ctx, focused("saved")+` && document.activeElement.innerText.includes("Buy a mug")`))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	must(t, p.Until(ctx, focused("saved-param")+` && document.activeElement.value === "blue mug"`))
	must(t, p.Eval(ctx, `document.activeElement.select()`, nil))
	must(t, p.Type(ctx, "saved-param", "red mug"))
	// Another name is given where the name stands; what was typed elsewhere stays, and nothing begins.
	must(t, p.Click(ctx, "saved-rename"))
	must(t, p.Until(ctx, focused("saved-name")+` && document.activeElement.value === "Buy a mug"`))
	must(t, p.Press(ctx, "Escape", 27, ""))
	must(t, p.Until(ctx, focused("saved-rename")))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	must(t, p.Type(ctx, "saved-name", "Order any mug"))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	if r := decode[wire.SavedRenameParams](t, w.call(ctx, t, wire.MethodSavedRename)); r.ID != "buy-a-mug" || r.Name != "Order any mug" {
		t.Errorf("%+v", r)
	}
	must(t, p.Until(ctx, focused("saved-rename")+` && `+paneltest.ByTestID("run-saved")+`.querySelector(".title b").textContent === "Order any mug"`))
	must(t, p.Eval(ctx, paneltest.ByTestID("saved-param")+`.focus()`, nil))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	replay := decode[wire.ReplayParams](t, w.call(ctx, t, wire.MethodReplay))
	if replay.ID != "buy-a-mug" || replay.Values["search_products"] != "red mug" || replay.TabID == 0 {
		t.Errorf("%+v", replay)
	}
	must(t, p.Until(ctx, all("message-user")+`.some(e => e.textContent.includes("buy a red mug"))`))
}

// What is done with a task that runs and with one that has ended.
func TestPanelKeysAndWhatComesAfter(t *testing.T) {
	s := newStage()
	s.task = wire.TaskInfo{Task: "t1", State: wire.TaskRunning, Model: "ollama/small"}
	s.emit(wire.Event{Type: wire.EvStarted, Text: "buy it", Time: 1})
	ctx, _, p := panel(t, s)
	must(t, p.Until(ctx, paneltest.ByTestID("elapsed")+`?.innerText.endsWith("s")`))
	// Once is a slip; twice is meant.
	must(t, p.Press(ctx, "Escape", 27, ""))
	must(t, p.Until(ctx, `document.querySelector(".doing").innerText.includes("Esc")`))
	for len(s.calls) > 0 {
		if m := <-s.calls; m.Method == wire.MethodTaskStop {
			t.Error("one press of Escape stops it")
		}
	}
	must(t, p.Press(ctx, "Escape", 27, ""))
	if ref := decode[wire.TaskParams](t, s.call(ctx, t, wire.MethodTaskStop)); ref.Task != "t1" {
		t.Errorf("%+v", ref)
	}
	s.mu.Lock()
	s.task.State = wire.TaskDone
	s.mu.Unlock()
	s.emit(wire.Event{Type: wire.EvComplete, Text: "It is **bought**."})

	must(t, p.Call(ctx, "Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite"}}, nil))
	must(t, p.Click(ctx, "copy-answer"))
	must(t, p.Until(ctx, `document.querySelector(".kept")?.innerText === "Copied"`))
	var copied string
	must(t, p.Eval(ctx, `navigator.clipboard.readText()`, &copied))
	if copied != "It is **bought**." {
		t.Errorf("copied %q", copied)
	}
	must(t, p.Click(ctx, "edit-words"))
	must(t, p.Until(ctx, `document.activeElement?.dataset.testid === "composer" && document.activeElement.value === "buy it"`))
	must(t, p.Eval(ctx, `(() => { const b = document.activeElement; b.value = ""; b.dispatchEvent(new Event("input", {bubbles: true})); })()`, nil))
	must(t, p.Press(ctx, "ArrowUp", 38, ""))
	must(t, p.Until(ctx, paneltest.ByTestID("composer")+`.value === "buy it"`))
	must(t, p.Click(ctx, "again"))
	if start := decode[wire.TaskStartParams](t, s.call(ctx, t, wire.MethodTaskStart)); start.Text != "buy it" {
		t.Errorf("%+v", start)
	}
}
