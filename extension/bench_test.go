package extension_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"tabwright/extension"
	"tabwright/extension/paneltest"
	"tabwright/extension/paneltest/scenes"
	"tabwright/host/native/wire"
)

// stageFor gives a browser for a benchmark, and a context for it.
func stageFor(b *testing.B) (context.Context, *scenes.Theatre) {
	b.Helper()
	if paneltest.Find() == "" {
		b.Skip("needs a Chromium")
	}
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	b.Cleanup(cancel)
	t, err := scenes.Open(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = t.Close() })
	return ctx, t
}

// spread reports the median and the ninetieth percentile of times in
// milliseconds.
func spread(b *testing.B, what string, ms []float64) {
	b.Helper()
	if len(ms) == 0 {
		b.Fatalf("nothing was measured of %s", what)
	}
	slices.Sort(ms)
	b.ReportMetric(ms[len(ms)/2], what+"-p50-ms")
	b.ReportMetric(ms[len(ms)*9/10], what+"-p90-ms")
}

// opened notes when the first frame with a box that takes words was drawn: the
// message that a frame's callback posts is handled when that frame is drawn.
const opened = `new MutationObserver((_, m) => {
  const box = document.querySelector("[data-testid=composer]");
  if (!box || box.disabled) return;
  m.disconnect();
  requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => globalThis.usable = performance.now(); c.port2.postMessage(0); });
}).observe(document, {subtree: true, childList: true, attributes: true})`

const firstPaint = `performance.getEntriesByName("first-contentful-paint")[0]`

// BenchmarkPanelOpen opens the panel beside a running task of eight steps: until
// the first thing is painted, until its box takes words, and until the task stands
// in it, all counted by the page from the moment its loading began. In turn with
// it, an empty page of the extension: what Chrome itself takes to paint one, and
// what the panel's first paint takes more, pair by pair.
func BenchmarkPanelOpen(b *testing.B) {
	ctx, t := stageFor(b)
	s := scenes.Long(8)
	open := func(url, until, what string) (ms []float64) {
		p, err := t.Browser.OpenWith(ctx, url, 360, 720, opened)
		if err == nil {
			err = p.Until(ctx, until+" && "+firstPaint)
		}
		if err == nil {
			err = p.Eval(ctx, what, &ms)
		}
		if err != nil {
			b.Fatal(err)
		}
		ms = append(ms, busy(ctx, b, p))
		if err := p.Close(ctx); err != nil {
			b.Fatal(err)
		}
		return ms
	}
	p, err := t.Enter(ctx, &s, "en", 360, 720) // the first one waits for the extension and the host
	if err == nil {
		err = p.Close(ctx)
	}
	if err != nil {
		b.Fatal(err)
	}
	var paint, empty, over, box, whole, cpu []float64
	for b.Loop() {
		x := open(paneltest.PanelURL, s.Until+" && globalThis.usable", `[performance.now(), globalThis.usable, `+firstPaint+`.startTime]`)
		y := open("chrome-extension://"+extension.ID+"/manifest.json", "true", `[`+firstPaint+`.startTime]`)
		whole, box, paint, cpu = append(whole, x[0]), append(box, x[1]), append(paint, x[2]), append(cpu, x[3])
		empty, over = append(empty, y[0]), append(over, x[2]-y[0])
	}
	spread(b, "paint", paint)
	spread(b, "empty-page-paint", empty)
	spread(b, "paint-over-empty", over)
	spread(b, "box", box)
	spread(b, "task-shown", whole)
	spread(b, "cpu", cpu)
}

func busy(ctx context.Context, b testing.TB, p *paneltest.Page) float64 {
	b.Helper()
	ms, err := p.Busy(ctx)
	if err != nil {
		b.Fatal(err)
	}
	return ms
}

// BenchmarkEventToPixel sends steps of a task one by one: from the host's write
// of the event to the first frame after the panel changed its page.
func BenchmarkEventToPixel(b *testing.B) {
	ctx, t := stageFor(b)
	s := scenes.Long(20)
	p, err := t.Enter(ctx, &s, "en", 360, 720)
	if err != nil {
		b.Fatal(err)
	}
	// Resolves behind the frame in which the words first stand in the page: the
	// message that a frame's callback posts is handled when that frame is drawn.
	const watch = `globalThis.shown = (words) => new Promise(done => {
	  const look = () => {
	    if (!document.querySelector(".chat").textContent.includes(words)) return;
	    m.disconnect();
	    requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = () => done(performance.timeOrigin + performance.now()); c.port2.postMessage(0); });
	  };
	  const m = new MutationObserver(look);
	  m.observe(document.body, {subtree: true, childList: true, characterData: true});
	}); undefined`
	if err := p.Eval(ctx, watch, nil); err != nil {
		b.Fatal(err)
	}
	seq, n := uint64(len(s.Events)), 20
	var took []float64
	for b.Loop() {
		n++
		seq++
		line := fmt.Sprintf("Counted %d things", n)
		if err := p.Eval(ctx, fmt.Sprintf("globalThis.next = shown(%q), undefined", line), nil); err != nil {
			b.Fatal(err)
		}
		sent := time.Now()
		e := wire.Event{Task: "t1", Seq: seq, Global: seq, Time: sent.UnixMilli(), Type: wire.EvToolCall, Step: &wire.StepInfo{N: n, Action: "click", Line: line}}
		if err := t.Send(wire.EventTask, e); err != nil {
			b.Fatal(err)
		}
		var at float64
		if err := p.Eval(ctx, "globalThis.next", &at); err != nil {
			b.Fatal(err)
		}
		took = append(took, at-float64(sent.UnixMicro())/1000)
	}
	spread(b, "pixel", took)
}

// BenchmarkLongConversation streams text, sixty pieces a second, into a task of
// a thousand steps, and counts the frames: how long each was, and how many of
// a hundred were longer than two of a 60 Hz screen.
func BenchmarkLongConversation(b *testing.B) {
	ctx, t := stageFor(b)
	s := scenes.Long(1000)
	began := time.Now()
	p, err := t.Enter(ctx, &s, "en", 360, 720)
	if err != nil {
		b.Fatal(err)
	}
	opened := time.Since(began)
	before := busy(ctx, b, p)
	pieces := 0
	var frames []float64
	for b.Loop() {
		if err := p.Eval(ctx, `globalThis.frames = new Promise(done => {
		  const out = []; let last = 0; const end = performance.now() + 1500;
		  const tick = (now) => { if (last) out.push(now - last); last = now; now < end ? requestAnimationFrame(tick) : done(out); };
		  requestAnimationFrame(tick);
		}), undefined`, nil); err != nil {
			b.Fatal(err)
		}
		tick := time.NewTicker(time.Second / 60)
		for range 90 {
			<-tick.C
			if err := t.Send(wire.EventDelta, wire.DeltaEvent{Task: "t1", Kind: "text", Text: "and one more word "}); err != nil {
				b.Fatal(err)
			}
		}
		tick.Stop()
		pieces += 90
		var some []float64
		if err := p.Eval(ctx, "globalThis.frames", &some); err != nil {
			b.Fatal(err)
		}
		frames = append(frames, some...)
	}
	late := 0
	for _, f := range frames {
		if f > 2*1000.0/60+1 {
			late++
		}
	}
	b.ReportMetric(float64(late)*100/float64(len(frames)), "late-frames-%")
	b.ReportMetric(float64(opened.Milliseconds()), "open-ms")
	b.ReportMetric(before, "open-cpu-ms")
	b.ReportMetric((busy(ctx, b, p)-before)/float64(pieces), "piece-cpu-ms")
	spread(b, "frame", frames)
}
