package e2e

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

// TestPageCantReachTheExtension: a website, and a frame in it, get neither the
// extension's pages nor a word to its service worker.
func TestPageCantReachTheExtension(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	panel := rig.PanelURL("")
	id, _, _ := strings.Cut(strings.TrimPrefix(panel, "chrome-extension://"), "/")
	raw, err := w.page.Evaluate(w.ctx, `(async () => {
		const id = `+strconv.Quote(id)+`, panel = `+strconv.Quote(panel)+`, got = [];
		for (const send of [() => chrome.runtime.sendMessage(id, {kind: "req"}), () => chrome.runtime.connect(id, {name: "panel"})]) {
			try { await send(); got.push("sent"); } catch { got.push("refused"); }
		}
		got.push(await fetch(panel).then(() => "read", () => "refused"));
		const frame = document.createElement("iframe");
		frame.src = panel;
		const there = new Promise((done) => frame.onload = done);
		document.body.append(frame);
		await there;
		got.push(window.open(panel) ? "opened" : "refused");
		return got.join(" ");
	})()`)
	w.must(err)
	var got string
	w.must(json.Unmarshal(raw, &got))
	if !strings.HasPrefix(got, "refused refused refused ") {
		t.Errorf("a page got: %s", got)
	}
	frames, err := w.page.Frames(w.ctx)
	w.must(err)
	for _, f := range frames {
		if strings.HasPrefix(f.URL(), "chrome-extension://"+id) { // a refused one is at chrome-extension://invalid/
			t.Errorf("the frame shows %s", f.URL())
		}
	}
	tabs, err := w.rig.Driver.Tabs(w.ctx)
	w.must(err)
	for _, tab := range tabs {
		if strings.HasPrefix(tab.URL, "chrome-extension://"+id) {
			t.Errorf("the page opened %s", tab.URL)
		}
	}
}
