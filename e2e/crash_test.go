package e2e

import (
	"os"
	"syscall"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

const (
	interrupted = `document.querySelector('[data-testid=status]').dataset.state === 'interrupted'`
	ready       = `document.querySelector('[data-testid=status]').dataset.phase === 'ready'`
)

// A broker that dies takes no task's record along: the panel says that the task
// was interrupted, nothing is repeated by itself, and offers to go on with it,
// in the same tab, with a new broker.
func TestBrokerKilledInTheMiddle(t *testing.T) {
	g := newGate(4)
	w := newWorld(t, standin.OllamaTools, g)
	pid := w.brokerPID()
	p := w.panel()
	w.must(p.Send(w.ctx, task))
	w.await(g)
	before := len(w.texts(p, "step"))
	w.must(syscall.Kill(pid, syscall.SIGKILL))
	w.must(p.Await(w.ctx, interrupted))
	close(g.open)
	w.must(p.Await(w.ctx, ready))
	if now := w.brokerPID(); now == pid {
		t.Errorf("the broker is still %d", now)
	}
	if n := len(w.texts(p, "step")); n < before || before == 0 {
		t.Errorf("%d steps are shown, %d before", n, before)
	}
	w.nothingBought()
	w.shots("interrupted")
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=resume]:enabled')`))
	w.must(p.Click(w.ctx, "resume"))
	w.buys(p)
}

// A card that was open when the broker died is void: an answer to it counts for
// nothing, not even when the panel still shows it.
func TestBrokerKilledWhileACardIsOpen(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	pid := w.brokerPID()
	p := w.panel()
	w.must(p.Send(w.ctx, task))
	w.card(p)
	w.must(syscall.Kill(pid, syscall.SIGKILL))
	w.must(p.Await(w.ctx, interrupted+` && !document.querySelector('[data-testid=confirm-allow]:enabled')`))
	w.nothingBought()
}

// The browser dies under a task that was begun in a terminal: the terminal is
// told, the task waits for the browser, Ctrl-C ends it, and nothing is left.
func TestBrowserKilledInTheMiddle(t *testing.T) {
	g := newGate(3)
	w := newWorld(t, standin.OllamaTools, g)
	w.panel()
	cmd := start(t, w.rig.Command(w.ctx, "run", task, "--url", w.url))
	cmd.await(w.ctx, g.reached)
	w.must(syscall.Kill(-w.rig.Browser.PID(), syscall.SIGKILL))
	cmd.await(w.ctx, w.rig.Browser.Done())
	close(g.open)
	cmd.says(w.ctx, "The connection to the browser was lost.")
	w.must(cmd.cmd.Process.Signal(os.Interrupt))
	if code := cmd.wait(); code != 130 {
		t.Errorf("exit code %d, want 130\n%s", code, cmd.out.String())
	}
	w.nothingBought()
	w.must(w.rig.Close())
	nothingRuns(t, w.rig.Dir)
}

// A tab that is closed under its task ends it, in words.
func TestTabClosedInTheMiddle(t *testing.T) {
	w, g, p := inTheMiddle(t, 3)
	w.must(w.rig.Driver.CloseTab(w.ctx, w.page.ID()))
	close(g.open)
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=status]').dataset.state === 'failed'`))
	w.hasText(p, "failure", "tab")
	w.nothingBought()
	// The next task begins in another tab.
	page, err := w.rig.Open(w.ctx, w.url)
	w.must(err)
	w.must(rig.Await(w.ctx, page, `document.readyState === 'complete' && location.href !== 'about:blank'`))
	w.must(p.Send(w.ctx, task))
	w.buys(p)
}
