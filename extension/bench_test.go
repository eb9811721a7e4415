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
	"tabwright/host/native"
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

// BenchmarkPanelOpen opens the panel beside a running task of eight steps: until
// the first thing is painted, and until the task stands in it, both counted by
// the page from the moment its loading began; beside it the paint of an empty
// page of the extension, in turn with it.
func BenchmarkPanelOpen(b *testing.B) {
	ctx, t := stageFor(b)
	s := scenes.Long(8)
	open := func() (paint, whole, cpu float64) {
		p, err := t.Enter(ctx, &s, "en", 360, 720)
		if err != nil {
			b.Fatal(err)
		}
		var got struct{ Paint, Whole float64 }
		err = p.Eval(ctx, `({Paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0, Whole: performance.now()})`, &got)
		cpu = busy(ctx, b, p)
		if err == nil {
			err = p.Close(ctx)
		}
		if err != nil {
			b.Fatal(err)
		}
		return got.Paint, got.Whole, cpu
	}
	// A page of the extension with nothing to run is what Chrome itself takes.
	empty := func() (paint float64) {
		p, err := t.Browser.Open(ctx, "chrome-extension://"+extension.ID+"/manifest.json", 360, 720)
		const first = `performance.getEntriesByName("first-contentful-paint")[0]`
		if err == nil {
			err = p.Until(ctx, first)
		}
		if err == nil {
			err = p.Eval(ctx, first+".startTime", &paint)
		}
		if err == nil {
			err = p.Close(ctx)
		}
		if err != nil {
			b.Fatal(err)
		}
		return paint
	}
	open() // the first one waits for the extension and the host
	var paint, plain, whole, cpu []float64
	for b.Loop() {
		x, y, z := open()
		paint, whole, cpu = append(paint, x), append(whole, y), append(cpu, z)
		plain = append(plain, empty())
	}
	spread(b, "paint", paint)
	spread(b, "empty-page-paint", plain)
	spread(b, "task-shown", whole)
	spread(b, "cpu", cpu)
}

func busy(ctx context.Context, b *testing.B, p *paneltest.Page) float64 {
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
		e := native.Event{Task: "t1", Seq: seq, Global: seq, Time: sent.UnixMilli(), Type: native.EvToolCall, Step: &native.StepInfo{N: n, Action: "click", Line: line}}
		if err := t.Send(native.EventTask, e); err != nil {
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
			if err := t.Send(native.EventDelta, native.DeltaEvent{Task: "t1", Kind: "text", Text: "and one more word "}); err != nil {
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
