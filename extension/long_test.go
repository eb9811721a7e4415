package extension_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native"
)

// A panel whose line breaks a hundred times while a task runs shows each event
// once and in order, although the host sends some of them again each time.
func TestPanelReconnectsAHundredTimes(t *testing.T) {
	s := newHouse()
	s.again = 3
	task := s.run("count")
	ctx, b := launch(t, s.handle)
	p, err := b.Open(ctx, "about:blank", 360, 720)
	must(t, err)
	// Chrome tells a port's own side nothing when that side ends it, so the
	// panel's listeners are told as they would be if the worker were stopped.
	must(t, p.Call(ctx, "Page.enable", nil, nil))
	must(t, p.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `(() => {
	  if (!globalThis.chrome?.runtime?.connect) return;
	  const connect = chrome.runtime.connect;
	  window.lines = 0;
	  chrome.runtime.connect = (...a) => {
	    const port = connect.apply(chrome.runtime, a), told = [];
	    lines++;
	    port.onDisconnect.addListener = (f) => told.push(f);
	    window.cut = () => { port.disconnect(); told.forEach(f => f(port)) };
	    return port;
	  };
	})()`}, nil))
	must(t, p.Call(ctx, "Page.navigate", map[string]any{"url": paneltest.PanelURL}, nil))
	must(t, p.Until(ctx, all("message-user")+`.length === 1`))

	const cuts, each = 100, 3
	n := 0
	for i := range cuts {
		for range each {
			n++
			s.emit(task, step(n, ""), step(n, "ok"))
		}
		must(t, p.Eval(ctx, `cut()`, nil))
		n++
		s.emit(task, step(n, ""), step(n, "ok")) // while the line is down
		must(t, p.Until(ctx, fmt.Sprintf(`lines === %d`, i+2)))
	}
	s.emit(task, native.Event{Type: native.EvComplete, Text: "Counted."})
	must(t, p.Until(ctx, paneltest.ByTestID("message-agent")+`?.dataset.final === "true"`))
	var lines []string
	must(t, p.Eval(ctx, all("step")+`.map(e => e.dataset.state + " " + e.querySelector(".line").textContent)`, &lines))
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf("ok Clicked number %d", i+1))
	}
	if !slices.Equal(lines, want) {
		t.Errorf("after %d cuts the panel shows %d steps of %d; the first: %s", cuts, len(lines), n, strings.Join(lines[:min(3, len(lines))], ", "))
	}
	var said int
	must(t, p.Eval(ctx, all("message-user")+`.length`, &said))
	if said != 1 {
		t.Errorf("the task's words stand there %d times", said)
	}
}

// A conversation of a thousand steps stays smooth: a step more makes a few
// nodes, whatever stands before it, and what is out of sight is not drawn.
func TestPanelOfAThousandSteps(t *testing.T) {
	s := newHouse()
	s.mu.Lock()
	task := s.begin("", "long").Task
	for i := range 1000 {
		s.addTo(task, step(i+1, ""))
		s.addTo(task, step(i+1, "ok"))
	}
	s.mu.Unlock()
	ctx, b := launch(t, s.handle)
	began := time.Now()
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)
	must(t, p.Until(ctx, all("step")+`.length === 1000`))
	t.Logf("a thousand steps were there after %d ms", time.Since(began).Milliseconds())
	// Measured in one page: with all the steps, and then the same with a fresh task.
	watch := func(task string, from int) (nodes int, frames []float64) {
		t.Helper()
		must(t, p.Eval(ctx, `(() => { window.made = 0; window.gaps = []; let last = 0;
		  window.seen?.disconnect();
		  window.seen = new MutationObserver(rs => { for (const r of rs) for (const n of r.addedNodes) made += n.nodeType === 1 ? 1 + n.querySelectorAll("*").length : 0 });
		  seen.observe(document.querySelector(".log"), {childList: true, subtree: true});
		  const tick = (now) => { if (last) gaps.push(now - last); last = now; requestAnimationFrame(tick) };
		  requestAnimationFrame(tick) })()`, nil))
		const more = 60
		for i := range more {
			s.emit(task, step(from+i, ""), step(from+i, "ok"))
			must(t, p.Eval(ctx, `new Promise(r => requestAnimationFrame(r))`, nil)) // what comes in one frame is drawn at once
		}
		must(t, p.Until(ctx, fmt.Sprintf(`%s.at(-1).textContent.includes("number %d")`, all("step"), from+more-1)))
		var got struct {
			Made int
			Gaps []float64
		}
		must(t, p.Eval(ctx, `({Made: made, Gaps: gaps})`, &got))
		slices.Sort(got.Gaps)
		return got.Made / more, got.Gaps
	}
	nodes, gaps := watch(task, 1001)
	t.Logf("with 1,000 steps: %d nodes a step, frames of %.1f ms in the middle, %.1f ms at the 95th, %.1f ms at most", nodes, gaps[len(gaps)/2], gaps[len(gaps)*95/100], gaps[len(gaps)-1])
	if nodes > 40 {
		t.Errorf("a step makes %d nodes", nodes)
	}
	// Lists out of sight are skipped by the browser.
	var skipped int
	must(t, p.Eval(ctx, `[...document.querySelectorAll(".steps")].filter(e => !e.firstElementChild.checkVisibility({contentVisibilityAuto: true})).length`, &skipped))
	if skipped < 40 {
		t.Errorf("only %d of 50 lists are skipped", skipped)
	}
	var end float64
	must(t, p.Eval(ctx, `(() => { const c = document.querySelector(".chat"); return c.scrollHeight - c.scrollTop - c.clientHeight })()`, &end))
	if end > 48 {
		t.Errorf("the end is %v px away", end)
	}
}

// The ways to answer a card, each on a card of its own.
func TestPanelAnswersCards(t *testing.T) {
	s := newHouse()
	task := s.run("write to Anna")
	ctx, p := s.show(t, 320)
	card := native.ConfirmInfo{Action: "click", Class: "communicate", Target: `button "Send"`, Site: "mail.test", URL: "https://mail.test/", Reasons: []string{"It sends."}, Remember: true}
	open := func(id string) {
		t.Helper()
		c := card
		c.ID = id
		s.emit(task, native.Event{Type: native.EvConfirmRequest, Confirm: &c})
		must(t, p.Until(ctx, fmt.Sprintf(`%s?.dataset.id === %q && %[1]s.dataset.armed === "true"`, paneltest.ByTestID("confirm-card"), id)))
	}
	answered := func(want native.ConfirmAnswer) {
		t.Helper()
		got := decode[native.ConfirmAnswer](t, s.call(ctx, t, native.MethodConfirm))
		want.Task = task
		if got != want {
			t.Errorf("answered %+v, want %+v", got, want)
		}
		c := card
		c.ID, c.Answer, c.By = got.ID, map[bool]string{true: "allow", false: "deny"}[got.Allow], "panel"
		s.emit(task, native.Event{Type: native.EvConfirmResult, Confirm: &c, Text: got.Note})
		must(t, p.Until(ctx, `!`+paneltest.ByTestID("confirm-card")))
	}

	open("c1")
	must(t, p.Until(ctx, `document.activeElement === `+paneltest.ByTestID("confirm-card")))
	must(t, p.Eval(ctx, paneltest.ByTestID("confirm-always")+`.focus()`, nil))
	must(t, p.Press(ctx, "Enter", 13, "\r")) // allows nothing, here neither
	must(t, p.Eval(ctx, paneltest.ByTestID("confirm-always")+`.click()`, nil))
	must(t, p.Click(ctx, "confirm-always"))
	answered(native.ConfirmAnswer{ID: "c1", Allow: true, Remember: true})

	open("c2")
	must(t, p.Click(ctx, "confirm-deny-note"))
	must(t, p.Until(ctx, `document.activeElement === `+paneltest.ByTestID("confirm-note")))
	must(t, p.Type(ctx, "confirm-note", "Thursday, not Friday"))
	must(t, p.Press(ctx, "Enter", 13, "\r")) // can only deny
	answered(native.ConfirmAnswer{ID: "c2", Note: "Thursday, not Friday"})
	must(t, p.Until(ctx, paneltest.ByTestID("confirm-answered")+`.innerText.includes("Thursday, not Friday")`))

	// With the keyboard alone: Tab to Allow, and Space.
	open("c3")
	must(t, p.Eval(ctx, paneltest.ByTestID("confirm-card")+`.focus()`, nil))
	must(t, p.Press(ctx, "Tab", 9, ""))
	must(t, p.Press(ctx, "Tab", 9, ""))
	must(t, p.Until(ctx, `document.activeElement === `+paneltest.ByTestID("confirm-allow")))
	must(t, p.Press(ctx, "Enter", 13, "\r"))
	must(t, p.Press(ctx, " ", 32, " "))
	answered(native.ConfirmAnswer{ID: "c3", Allow: true})

	// Someone who is writing keeps the keyboard, and is told.
	must(t, p.Type(ctx, "composer", "by the way"))
	open("c4")
	must(t, p.Until(ctx, `document.activeElement === `+paneltest.ByTestID("composer")+` && document.querySelector(".card [role=alert]").textContent === 'Send this?, Click button "Send", mail.test'`))
	var wide bool
	must(t, p.Eval(ctx, `document.querySelector(".chat").scrollWidth > innerWidth || document.scrollingElement.scrollWidth > innerWidth`, &wide))
	if wide {
		t.Error("at 320 px the card is wider than the panel")
	}
	must(t, p.Click(ctx, "confirm-deny"))
	answered(native.ConfirmAnswer{ID: "c4"})
	s.silent(t, native.MethodConfirm)
}
