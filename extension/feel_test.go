package extension_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/extension/paneltest/scenes"
	"tabwright/host/native"
)

// shifts collects what the browser counts as layout shift, from the page's first
// frame on, with what moved.
const shifts = `globalThis.moved = []; new PerformanceObserver((l) => { for (const e of l.getEntries())
  moved.push({value: e.value, what: e.sources.map(s => (s.node?.className || s.node?.nodeName) + " from " + s.previousRect.y + " to " + s.currentRect.y).join(", ")}) })
  .observe({type: "layout-shift", buffered: true}); undefined`

// Nothing moves under the person's eyes while text streams into a conversation of
// a thousand steps; a card moves no more than it takes to come into sight.
func TestPanelStandsStill(t *testing.T) {
	if testing.Short() || paneltest.Find() == "" {
		t.Skip("needs a Chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	theatre, err := scenes.Open(ctx)
	must(t, err)
	defer func() { must(t, theatre.Close()) }()
	s := scenes.Long(1000)
	p, err := theatre.Enter(ctx, &s, "en", 360, 720)
	must(t, err)
	must(t, p.Eval(ctx, shifts, nil))
	// moved gives the sum since the last call, with what moved in it.
	moved := func() (sum float64, what string) {
		t.Helper()
		var got struct {
			Sum  float64
			What string
		}
		must(t, p.Eval(ctx, `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r))).then(() => {
		  const all = moved.splice(0);
		  return {Sum: all.reduce((n, m) => n + m.value, 0), What: all.map(m => m.what).join("; ")} })`, &got))
		return got.Sum, got.What
	}
	sum, _ := moved()
	t.Logf("opening on a thousand steps moved by %.3f", sum)
	for n := range 40 {
		words := fmt.Sprintf("and line %d of words\n\n", n)
		must(t, theatre.Send(native.EventDelta, native.DeltaEvent{Task: "t1", Kind: "text", Text: words}))
		must(t, p.Until(ctx, fmt.Sprintf(`document.querySelector(".streaming").textContent.includes("line %d of")`, n)))
	}
	if sum, what := moved(); sum > 0 {
		t.Errorf("streaming moved by %.4f: %s", sum, what)
	}
	card, seq := payCard, uint64(len(s.Events)+1)
	must(t, theatre.Send(native.EventTask, native.Event{
		Task: "t1", Seq: seq, Global: seq, Time: time.Now().UnixMilli(), Type: native.EvConfirmRequest, Confirm: &card,
	}))
	must(t, p.Until(ctx, paneltest.ByTestID("confirm-card")+`?.dataset.armed === "true"`))
	if sum, what := moved(); sum > 0.05 {
		t.Errorf("a card moved by %.4f: %s", sum, what)
	}
}
