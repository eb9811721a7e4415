package control

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tabwright/host/native/wire"
)

const (
	keptSteps = "tabwright: 1\nname: buy a mug # as it was\ngoal: buy a {{item}}\nurl: https://shop.test/{{item}}\n" +
		"params:\n  item: {default: blue mug, about: typed}\n  key: {secret: true}\n" +
		"steps:\n  - {do: type, target: {role: textbox, name: Key}, with: {text: '{{key}}'}}\n  - {do: click, target: {role: button, name: 'Buy {{item}}'}}\n"
	keptGraph = "tabwright: 1\nname: compare\nparams:\n  what: {default: mugs}\n  by: {}\nnodes:\n  - {id: a, task: 'List the {{what}} by {{by}}', state: done, result: old}\n  - {id: b, task: Compare, needs: [a]}\n"
)

// What is kept is listed with what it asks for, run with values, and removed; an
// id reaches no file but its own.
func TestWorkflowsAreKept(t *testing.T) {
	m := &Manager{FilesDir: filepath.Join(t.TempDir(), "files")}
	steps, err := m.SaveFlow(wire.SavedKeepParams{File: keptSteps, Name: "Buy: a mug"})
	must(t, err)
	graph, err := m.SaveFlow(wire.SavedKeepParams{File: keptGraph})
	must(t, err)
	twice, err := m.SaveFlow(wire.SavedKeepParams{File: keptGraph})
	must(t, err)
	if steps.ID != "buy-a-mug" || steps.Kind != wire.SavedRecording || steps.Parts != 2 || len(steps.Params) != 2 || !steps.Params[1].Secret || steps.Params[0].Default != "blue mug" {
		t.Errorf("%+v", steps)
	}
	if graph.Kind != wire.SavedGraph || graph.Parts != 2 || twice.ID != "compare-2" {
		t.Errorf("%+v %+v", graph, twice)
	}
	must(t, os.WriteFile(filepath.Join(m.savedDir(), "broken.yaml"), []byte("nodes: [{id: 7}]"), 0o600))
	list, err := m.ListSavedFlows()
	must(t, err)
	var names []string
	for _, s := range list.Saved {
		names = append(names, s.Name)
	}
	if strings.Join(names, "|") != "broken|Buy: a mug|compare|compare" || list.Saved[0].Error == nil || list.Saved[1].Error != nil {
		t.Errorf("%q %+v", names, list.Saved[0].Error)
	}

	p, err := m.replayOf(wire.ReplayParams{ID: steps.ID, Values: map[string]string{"item": "red mug", "key": "{{secret:shop}}"}, TabID: 3})
	must(t, err)
	if p.Text != "buy a red mug" || p.URL != "https://shop.test/red mug" || p.TabID != 3 || !strings.Contains(p.Replay.File, "# as it was") {
		t.Errorf("%+v", p)
	}
	if _, err := m.replayOf(wire.ReplayParams{ID: steps.ID, Values: map[string]string{"key": "hunter2"}}); err == nil {
		t.Error("a secret went into a task in the clear")
	}
	g, err := m.savedGraph(graph.ID, map[string]string{"by": "price"})
	must(t, err)
	if g.Nodes[0].Task != "List the mugs by price" || g.Nodes[0].State != wire.NodeWaiting || g.Nodes[0].Result != "" {
		t.Errorf("%+v", g.Nodes[0])
	}
	if _, err := m.savedGraph(graph.ID, nil); err == nil || !strings.Contains(err.Error(), "by") {
		t.Errorf("a missing value: %v", err)
	}

	outside := filepath.Join(filepath.Dir(m.savedDir()), "x.yaml")
	must(t, os.WriteFile(outside, []byte(keptSteps), 0o600))
	for _, id := range []string{"../x", "x", "", "a/b", "broken.yaml"} {
		if _, err := m.RemoveSavedFlow(id); !errors.Is(err, errNoSaved) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("a file elsewhere was removed")
	}
	for _, bad := range []wire.SavedKeepParams{{}, {File: "steps: []"}, {File: "tabwright: 1\nname: x\nnodes: [{id: a, task: '{{who}}'}]\nparams: {what: {}}"}} {
		if _, err := m.SaveFlow(bad); err == nil {
			t.Errorf("%+v was kept", bad)
		}
	}
	list, err = m.RemoveSavedFlow(steps.ID)
	must(t, err)
	if len(list.Saved) != 3 {
		t.Errorf("%d are left", len(list.Saved))
	}
}

// Another name changes the name and nothing else.
func TestAKeptWorkflowIsRenamed(t *testing.T) {
	m := &Manager{FilesDir: filepath.Join(t.TempDir(), "files")}
	kept, err := m.SaveFlow(wire.SavedKeepParams{File: keptSteps})
	must(t, err)
	now, err := m.RenameSavedFlow(kept.ID, "  Buy:  a red\nmug ")
	must(t, err)
	if now.ID != kept.ID || now.Name != "Buy: a red mug" || now.Parts != kept.Parts || len(now.Params) != len(kept.Params) || now.URL != kept.URL {
		t.Errorf("%+v", now)
	}
	if text, err := m.savedFile(kept.ID); err != nil || !strings.Contains(text, "# as it was") {
		t.Errorf("%s, %v", text, err)
	}
	for id, name := range map[string]string{kept.ID: " \n", "nobody": "x", "../" + kept.ID: "x"} {
		if _, err := m.RenameSavedFlow(id, name); err == nil {
			t.Errorf("%q was called %q", id, name)
		}
	}
	if _, err := m.RenameSavedFlow(kept.ID, strings.Repeat("名", savedName+1)); err == nil {
		t.Error("a name of any length")
	}
	must(t, os.WriteFile(filepath.Join(m.savedDir(), "broken.yaml"), []byte("nodes: [{id: 7}]"), 0o600))
	if _, err := m.RenameSavedFlow("broken", "x"); err == nil {
		t.Error("a file that can't be read was written")
	}
	nameless, err := m.SaveFlow(wire.SavedKeepParams{File: strings.Replace(keptGraph, "name: compare\n", "", 1)})
	must(t, err)
	if now, err = m.RenameSavedFlow(nameless.ID, "Compare"); err != nil || now.Name != "Compare" {
		t.Errorf("%+v, %v", now, err)
	}
}
