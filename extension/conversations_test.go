package extension_test

import (
	"fmt"
	"slices"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// people is what the user said in the chat, in order.
const people = `[...document.querySelectorAll("[data-testid=message-user]")].map(e => e.lastChild.textContent).join()`

// titles is what the list of conversations shows.
const titles = `[...document.querySelectorAll("[data-testid=conversation] b")].map(e => e.textContent).join()`

func TestPanelConversations(t *testing.T) {
	s := newHouse()
	old := s.done("old one")
	long := s.done("q1", "q2", "q3", "q4", "q5")
	ctx, p := s.show(t, 360)
	is := func(what, expr, want string) {
		t.Helper()
		if err := p.Until(ctx, fmt.Sprintf("(%s) === %q", expr, want)); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}

	// The newest conversation is there with its newest tasks; the others come when asked for.
	is("the newest tasks", people, "q3,q4,q5")
	must(t, p.Click(ctx, "earlier"))
	is("all tasks", people, "q1,q2,q3,q4,q5")
	is("their answers", `[...document.querySelectorAll("[data-testid=message-agent]")].map(e => e.innerText.trim().split(" ").at(-1)).join()`, "q1,q2,q3,q4,q5")

	// What is asked on belongs to it.
	must(t, p.Type(ctx, "composer", "q6"))
	must(t, p.Click(ctx, "send"))
	if start := decode[wire.TaskStartParams](t, s.call(ctx, t, wire.MethodTaskStart)); start.Conversation != long {
		t.Errorf("went on with conversation %q, want %q", start.Conversation, long)
	}
	is("the next task", people, "q1,q2,q3,q4,q5,q6")
	s.mu.Lock()
	now := s.convs[0].Tasks[5]
	s.mu.Unlock()

	// Another one is opened while that runs; the one that runs is offered, not forced.
	must(t, p.Click(ctx, "open-conversations"))
	is("the list", titles, "q1,old one")
	must(t, p.Eval(ctx, `document.querySelectorAll("[data-testid=conv-open]")[1].click()`, nil))
	is("the old one", people, "old one")
	s.change(now)
	must(t, p.Until(ctx, `document.querySelector(".banner")?.textContent.includes("q6")`))
	is("still the old one", people, "old one")
	s.emit(now.Task, wire.Event{Type: wire.EvComplete, Text: "Answer to q6"})
	now.State = wire.TaskDone
	s.change(now)
	must(t, p.Until(ctx, `!document.querySelector(".banner")`))

	t.Run("search", func(t *testing.T) {
		must(t, p.Click(ctx, "open-conversations"))
		must(t, p.Type(ctx, "conv-search", "OLD"))
		is("what was found", titles, "old one")
		must(t, p.Eval(ctx, `(() => { const e = document.querySelector("[data-testid=conv-search]"); e.value = ""; e.dispatchEvent(new Event("input", {bubbles: true})) })()`, nil))
		is("everything again", titles, "q1,old one")
	})
	menu := func(n int) {
		t.Helper()
		must(t, p.Eval(ctx, fmt.Sprintf(`document.querySelectorAll("[data-testid=conv-menu]")[%d].click()`, n), nil))
	}
	t.Run("rename", func(t *testing.T) {
		menu(1)
		must(t, p.Click(ctx, "conv-rename"))
		must(t, p.Until(ctx, `getSelection().toString() === "old one" || document.activeElement.selectionEnd === 7`))
		must(t, p.Type(ctx, "conv-title", "A better name"))
		must(t, p.Press(ctx, "Enter", 13, "\r"))
		if r := decode[wire.ConvRenameParams](t, s.call(ctx, t, wire.MethodConvRename)); r.Conversation != old || r.Title != "A better name" {
			t.Errorf("renamed %+v", r)
		}
		is("the new name", titles, "q1,A better name")
	})
	t.Run("export", func(t *testing.T) {
		must(t, p.Eval(ctx, `(() => { window.saved = []; const make = URL.createObjectURL;
		  URL.createObjectURL = (b) => { b.text().then(x => saved.push(x)); return make.call(URL, b) };
		  HTMLAnchorElement.prototype.click = function () { saved.push(this.download) } })()`, nil))
		for _, f := range []string{"md", "json"} {
			menu(1)
			must(t, p.Click(ctx, "conv-"+f))
			if e := decode[wire.ConvExportParams](t, s.call(ctx, t, wire.MethodConvExport)); e.Conversation != old || e.Format != f {
				t.Errorf("exported %+v", e)
			}
			must(t, p.Until(ctx, fmt.Sprintf(`saved.includes("talk.%s") && saved.filter(x => x === "all of %s").length > 0`, f, old)))
		}
	})
	t.Run("delete", func(t *testing.T) {
		menu(1)
		must(t, p.Click(ctx, "conv-delete"))
		is("it is off the list", titles, "q1")
		must(t, p.Click(ctx, "conv-undo"))
		is("it is back", titles, "q1,A better name")
		s.silent(t, wire.MethodConvDelete)
		menu(1)
		must(t, p.Click(ctx, "conv-delete"))
		is("it is off the list", titles, "q1")
		must(t, p.Close(ctx)) // closing the panel does not take it back
		if d := decode[wire.ConvRef](t, s.call(ctx, t, wire.MethodConvDelete)); d.Conversation != old {
			t.Errorf("deleted %+v", d)
		}
	})
}

// The question of a task that another screen hides is in sight there.
func TestPanelSaysWhatWaitsOnOtherScreens(t *testing.T) {
	s := newHouse()
	task := s.run("buy it")
	ctx, p := s.show(t, 360)
	must(t, p.Click(ctx, "open-conversations"))
	must(t, p.Until(ctx, paneltest.ByTestID("conversations")))
	s.emit(task, wire.Event{Type: wire.EvConfirmRequest, Confirm: &payCard})
	must(t, p.Until(ctx, paneltest.ByTestID("waits")))
	must(t, p.Eval(ctx, `document.querySelector("[data-testid=waits] button").click()`, nil))
	must(t, p.Until(ctx, `document.activeElement === `+paneltest.ByTestID("confirm-card")))
}

// If the connection breaks while a conversation is being read, nothing of it is lost.
func TestPanelReadsOnAfterABreak(t *testing.T) {
	s := newHouse()
	s.done("q1", "q2", "q3")
	var cut bool
	s.extra = func(m wire.Message) (any, bool) {
		if m.Method != wire.MethodTaskSubscribe || cut {
			return nil, false
		}
		cut = true // before the first task has come
		_ = s.host.Close()
		return wire.Empty{}, true
	}
	ctx, p := s.show(t, 360)
	must(t, p.Until(ctx, `(`+people+`) === "q1,q2,q3" && !`+paneltest.ByTestID("problem")))
}

// What is shown stays when it ends, although another task has run elsewhere
// meanwhile and waits for an answer: that is offered. One that begins then is shown.
func TestPanelStaysWithWhatEnded(t *testing.T) {
	s := newHouse()
	other := s.run("elsewhere")
	ctx, p := s.show(t, 360)
	is := func(want string) {
		t.Helper()
		must(t, p.Until(ctx, fmt.Sprintf("(%s) === %q", people, want)))
	}
	task := func(n int) wire.TaskInfo { // of the newest conversations
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.convs[n].Tasks[0]
	}
	is("elsewhere") // nothing else goes on here
	must(t, p.Click(ctx, "new-chat"))
	must(t, p.Type(ctx, "composer", "here"))
	must(t, p.Click(ctx, "send"))
	s.call(ctx, t, wire.MethodTaskStart)
	must(t, p.Until(ctx, paneltest.ByTestID("stop")))
	is("here")
	s.emit(other, wire.Event{Type: wire.EvConfirmRequest, Confirm: &payCard})
	s.change(task(1))
	waits := paneltest.ByTestID("elsewhere") + `?.innerText.includes("elsewhere")`
	must(t, p.Until(ctx, waits))
	s.emit(task(0).Task, wire.Event{Type: wire.EvComplete, Text: "Answer."})
	s.change(task(0))
	s.change(task(1))     // it waits still
	again := s.run("new") // before the end is drawn
	s.change(task(0))
	is("new")
	s.mu.Lock()
	seen := s.shown
	s.mu.Unlock()
	if want := []string{other, task(1).Task, again}; !slices.Equal(seen, want) {
		t.Errorf("the panel showed the tasks %v, want %v", seen, want)
	}
	must(t, p.Until(ctx, waits))
	must(t, p.Eval(ctx, paneltest.ByTestID("elsewhere")+`.querySelector("button").click()`, nil))
	must(t, p.Until(ctx, paneltest.ByTestID("confirm-card")))
}
