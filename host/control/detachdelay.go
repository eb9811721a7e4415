package control

import (
	"context"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

// detachAfter is how long a tab stays attached after its task ended: attaching
// again would toggle Chrome's bar and resize the page.
const detachAfter = 30 * time.Second

const (
	detachTime     = 5 * time.Second // bounds one release of a task's tabs
	lastDetachTime = 2 * time.Second // bounds all of them when the process ends
)

// detachDelay holds ended tasks whose tabs are still attached. The zero value is
// ready; its methods are safe for concurrent use.
type detachDelay struct {
	after time.Duration // replaces detachAfter if > 0; set by tests

	// letting is held while tabs are detached and while a task takes a tab: a tab
	// must not be detached under a task that has just begun in it.
	letting sync.Mutex

	mu     sync.Mutex
	closed bool
	tasks  map[*live]*time.Timer
	wg     sync.WaitGroup // releases under way
}

// withoutDetach runs f while no tab is being detached.
func (g *detachDelay) withoutDetach(f func() error) error {
	g.letting.Lock()
	defer g.letting.Unlock()
	return f()
}

// add detaches an ended task's tabs after a while, or later if another task works
// in one of them.
func (g *detachDelay) add(l *live, inUse func() bool, log zerolog.Logger) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed { // called by detachNow, which close waits for
		detachTabs(l, lastDetachTime, log)
		return
	}
	if g.tasks == nil {
		g.tasks = map[*live]*time.Timer{}
	}
	after := g.after
	if after <= 0 {
		after = detachAfter
	}
	g.tasks[l] = time.AfterFunc(after, func() { g.detachNow(l, inUse, log) })
}

func (g *detachDelay) detachNow(l *live, inUse func() bool, log zerolog.Logger) {
	g.mu.Lock()
	if _, ok := g.tasks[l]; !ok || g.closed {
		g.mu.Unlock()
		return
	}
	delete(g.tasks, l)
	g.wg.Add(1)
	g.mu.Unlock()
	defer g.wg.Done()
	busy := false
	_ = g.withoutDetach(func() error {
		if busy = inUse(); !busy {
			detachTabs(l, detachTime, log)
		}
		return nil
	})
	if busy {
		g.add(l, inUse, log)
	}
}

// close detaches all tabs at once, so that the process leaves no debugging bar
// behind in the user's browser.
func (g *detachDelay) close(log zerolog.Logger) {
	g.mu.Lock()
	g.closed = true
	var rest []*live
	for l, t := range g.tasks {
		t.Stop() // one that has fired sees g.closed
		rest = append(rest, l)
	}
	g.tasks = nil
	g.mu.Unlock()
	var wg sync.WaitGroup
	for _, l := range rest {
		wg.Go(func() { detachTabs(l, lastDetachTime, log) })
	}
	wg.Wait()
	g.wg.Wait()
}

func detachTabs(l *live, within time.Duration, log zerolog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	if err := l.session.Close(ctx); err != nil {
		log.Debug().Err(err).Str("task", l.id).Msg("release of the tabs")
	}
}
