package extension_test

import (
	"context"
	"fmt"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// shifts collects what the browser counts as layout shift from the page's first
// frame on, with what moved; not within half a second of the user's own input,
// which is when a page may move. The first run is over.
const shifts = `{ const prefs = {theme: "system", contrast: "system", lang: "en", welcomed: true};
  localStorage.setItem("prefs", JSON.stringify(prefs)); void chrome.storage.local.set({prefs});
  const at = (r) => Math.round(r.x) + "," + Math.round(r.y);
  globalThis.moved = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) if (!e.hadRecentInput)
  moved.push({value: e.value, what: e.sources.map(s => (s.node?.className || s.node?.nodeName) + " from " + at(s.previousRect) + " to " + at(s.currentRect)).join(", ")}) })
  .observe({type: "layout-shift", buffered: true}) }`

// still is the most that may move, in the browser's measure: the part of the
// view that moved times how far, as a part of the view. One line of the chat
// (20 px of 720, over its whole width) that moves by its own height is 0.0015.
// Below it is the clock in the bar, which goes aside when buttons come: 0.0002.
const still = 0.001

// Nothing moves under the user's eyes: not while the panel opens on nothing or
// on a thousand steps, not when a conversation is shown, text streams in, a card
// comes and is answered, steps follow, the task ends.
func TestPanelStandsStill(t *testing.T) {
	s := newHouse()
	ctx, b := launch(t, s.handle)
	p, err := b.OpenWith(ctx, paneltest.PanelURL, 360, 720, shifts)
	must(t, err)
	must(t, p.Until(ctx, `document.querySelector(".examples")`))
	standsStill(ctx, t, p, "opening on nothing")
	must(t, p.Close(ctx))

	s.done("first", "second", "third", "fourth", "fifth")
	task := s.run("a thousand")
	s.mu.Lock()
	for n := range 1000 {
		s.addTo(task, step(n+1, ""))
		s.addTo(task, step(n+1, "ok"))
		if n%7 == 6 {
			s.addTo(task, wire.Event{Type: wire.EvThinking, Text: fmt.Sprintf("That was **%d**, and I go on with as many more as there are.", n)})
		}
	}
	s.mu.Unlock()
	p, err = b.OpenWith(ctx, paneltest.PanelURL, 360, 720, shifts)
	must(t, err)
	whole := all("step") + `.length === 1000 && ` + paneltest.ByTestID("stop")
	must(t, p.Until(ctx, whole))
	standsStill(ctx, t, p, "opening on a thousand steps")

	for n := range 30 {
		s.stream(task, fmt.Sprintf("and line %d of words\n\n", n))
		must(t, p.Until(ctx, fmt.Sprintf(`document.querySelector(".streaming").textContent.includes("line %d of")`, n)))
	}
	standsStill(ctx, t, p, "streaming")
	card := payCard
	s.emit(task, wire.Event{Type: wire.EvConfirmRequest, Confirm: &card})
	must(t, p.Until(ctx, paneltest.ByTestID("confirm-card")+`?.dataset.armed === "true"`))
	standsStill(ctx, t, p, "a card")
	answered := payCard
	answered.Answer, answered.By = "allow", "panel"
	s.emit(task, wire.Event{Type: wire.EvConfirmResult, Confirm: &answered})
	must(t, p.Until(ctx, paneltest.ByTestID("confirm-answered")))
	standsStill(ctx, t, p, "its answer")
	for n := range 5 {
		s.emit(task, step(1001+n, ""))
		must(t, p.Until(ctx, paneltest.ByTestID("step")+`.dataset.state === "running"`))
		s.emit(task, step(1001+n, "ok"))
		must(t, p.Until(ctx, paneltest.ByTestID("step")+`.dataset.state === "ok"`))
	}
	standsStill(ctx, t, p, "steps")
	s.emit(task, wire.Event{Type: wire.EvComplete, Text: "Found **it**.\n\nAnd that is all."})
	must(t, p.Until(ctx, paneltest.ByTestID("message-agent")+`.dataset.final === "true"`))
	standsStill(ctx, t, p, "the end")

	// Conversations of several tasks and of a thousand steps. A script's click is
	// no input to the browser, so all that moves counts.
	for _, conv := range []struct{ title, shown string }{
		{"first", all("message-user") + `.length === 3`},
		{"a thousand", all("step") + `.length === 1005`},
	} {
		must(t, p.Eval(ctx, paneltest.ByTestID("open-conversations")+`.click()`, nil))
		open := fmt.Sprintf(`%s.find(e => e.textContent.includes(%q))`, all("conv-open"), conv.title)
		must(t, p.Until(ctx, open))
		must(t, p.Eval(ctx, open+`.click()`, nil))
		must(t, p.Until(ctx, conv.shown))
		standsStill(ctx, t, p, "showing the conversation "+conv.title)
	}

	// The measure sees what it is for.
	must(t, p.Eval(ctx, `document.querySelector(".head").style.marginTop = "20px", undefined`, nil))
	if sum, _ := moved(ctx, t, p); sum <= still {
		t.Errorf("a head that moves by 20 px counts as %.4f", sum)
	}
}

// standsStill fails when more than still has moved since the last call.
func standsStill(ctx context.Context, t *testing.T, p *paneltest.Page, when string) {
	t.Helper()
	if sum, what := moved(ctx, t, p); sum > still {
		t.Errorf("%s moved by %.4f: %s", when, sum, what)
	} else {
		t.Logf("%s moved by %.4f", when, sum)
	}
}

// moved gives the sum of what has moved since the last call, with what it was.
func moved(ctx context.Context, t *testing.T, p *paneltest.Page) (sum float64, what string) {
	t.Helper()
	var got struct {
		Sum  float64
		What string
	}
	must(t, p.Eval(ctx, `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r)))).then(() => {
	  const all = moved.splice(0);
	  return {Sum: all.reduce((n, m) => n + m.value, 0), What: all.map(m => m.what).join("; ")} })`, &got))
	return got.Sum, got.What
}

// What stands in the page before the panel runs is what the panel then draws, in
// the user's theme, contrast and language: the same things, of the same size and
// colour, in the same place.
func TestPanelShell(t *testing.T) {
	ctx, b := launch(t, nil)
	for _, look := range []struct{ theme, contrast, lang string }{
		{"light", "system", "en"},
		{"dark", "system", "zh"},
		{"light", "more", "en"},
	} {
		p, err := b.OpenWith(ctx, paneltest.PanelURL, 320, 720, fmt.Sprintf(`{
		  const prefs = {theme: %q, contrast: %q, lang: %q, welcomed: true};
		  localStorage.setItem("prefs", JSON.stringify(prefs)); void chrome.storage.local.set({prefs});
		  globalThis.seen = () => [document.body, ...document.querySelectorAll(".head > *, .box, .box textarea, .tools button")].filter(e => e.checkVisibility()).map(e => {
		    const r = e.getBoundingClientRect(), s = getComputedStyle(e);
		    return [e.className || e.tagName, r.x, r.y, r.width, r.height, s.color, s.backgroundColor, s.opacity, s.font, e.placeholder, e.disabled, e.querySelector(":scope > svg")?.innerHTML].join(" ");
		  });
		  const first = () => document.querySelector(".tools") ? globalThis.before = {shell: !!document.querySelector(".shell"), seen: seen()} : requestAnimationFrame(first);
		  requestAnimationFrame(first);
		}`, look.theme, look.contrast, look.lang))
		must(t, err)
		must(t, p.Until(ctx, paneltest.ByTestID("status")+` && globalThis.before`))
		var got struct {
			Shell       bool
			Before, Now []string
		}
		must(t, p.Eval(ctx, `({Shell: before.shell, Before: before.seen, Now: seen()})`, &got))
		if !got.Shell || len(got.Before) < 12 {
			t.Errorf("%+v: in the first frame there are %d things, shell: %v", look, len(got.Before), got.Shell)
		}
		for i := range max(len(got.Before), len(got.Now)) {
			before, now := "nothing", "nothing"
			if i < len(got.Before) {
				before = got.Before[i]
			}
			if i < len(got.Now) {
				now = got.Now[i]
			}
			if before != now {
				t.Errorf("%+v: the shell shows\n%s\nand the panel\n%s", look, before, now)
			}
		}
		var whole bool
		must(t, p.Eval(ctx, `document.querySelector("[inert], .shell") === null`, &whole))
		if !whole {
			t.Error("the shell stands there still")
		}
		must(t, p.Close(ctx))
	}
}
