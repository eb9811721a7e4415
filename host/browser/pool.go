package browser

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
)

// Pool has the attached tabs of a driver, so that all who attach a tab share one
// *Tab. It remembers the page counters of released tabs.
type Pool struct {
	tr  Transport
	bus *Bus

	mu   sync.Mutex
	tabs map[TabID]*poolEntry
	past map[TabID]pageMark
}

type poolEntry struct {
	ready chan struct{}
	tab   *Tab
	err   error
}

// pageMark is a tab's page counter (Tab.PageRev), kept after its release.
type pageMark struct {
	rev    int
	loader cdp.LoaderID
	main   cdp.FrameID // which is also the id of the tab's target
}

// ReasonReleased is TabEvent.Reason after a Release.
const ReasonReleased = "released"

var errReleased = &releasedError{}

type releasedError struct{}

func (*releasedError) Error() string        { return "the tab was released" }
func (*releasedError) Is(target error) bool { return target == ErrDetached }

// NewPool returns an empty pool over a transport.
func NewPool(tr Transport, bus *Bus) *Pool {
	return &Pool{tr: tr, bus: bus, tabs: map[TabID]*poolEntry{}, past: map[TabID]pageMark{}}
}

// Attach returns the tab, and attaches it if it is not attached.
func (p *Pool) Attach(ctx context.Context, id TabID) (*Tab, error) {
	for {
		p.mu.Lock()
		e := p.tabs[id]
		if e == nil {
			e = &poolEntry{ready: make(chan struct{})}
			p.tabs[id] = e
			mark := p.past[id]
			p.mu.Unlock()
			p.attach(ctx, id, e, mark)
			return e.tab, e.err
		}
		p.mu.Unlock()
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// Another caller attached it and was cancelled: try again.
		if errors.Is(e.err, context.Canceled) || errors.Is(e.err, context.DeadlineExceeded) {
			continue
		}
		if e.tab != nil && e.tab.Err() != nil {
			p.remove(id, e) // it has just ended and was not removed yet
			continue
		}
		return e.tab, e.err
	}
}

func (p *Pool) attach(ctx context.Context, id TabID, e *poolEntry, mark pageMark) {
	defer close(e.ready)
	root, err := p.tr.Session(ctx, id)
	if err == nil {
		e.tab, err = newTab(ctx, id, root, p.tr, p.bus, mark)
		if err != nil {
			over, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			_ = p.tr.Detach(over, id)
			cancel()
		}
	}
	if err != nil {
		e.tab, e.err = nil, err
		p.remove(id, e)
		return
	}
	go func() {
		<-root.Done()
		p.remove(id, e)
		reason := root.Err().Error()
		switch {
		case errors.Is(root.Err(), ErrUserCancelled):
			reason = ReasonUser
		case errors.Is(root.Err(), errReleased):
			reason = ReasonReleased
		}
		p.bus.Publish(TabEvent{Kind: TabDetached, Tab: e.tab.info(), Reason: reason})
	}()
}

func (p *Pool) remove(id TabID, e *poolEntry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tabs[id] == e {
		delete(p.tabs, id)
	}
	if e.tab != nil {
		p.past[id] = e.tab.mark()
	}
}

// Release detaches a tab. If it is not attached, Release returns nil.
func (p *Pool) Release(ctx context.Context, id TabID) error {
	p.mu.Lock()
	e := p.tabs[id]
	p.mu.Unlock()
	if e == nil {
		return nil
	}
	select {
	case <-e.ready:
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.tab == nil {
		return nil
	}
	p.remove(id, e)
	e.tab.abandoned(ctx)
	// End the session first, so that its error is not Chrome's reason for the
	// detaching.
	if c, ok := e.tab.root.(interface{ Close(error) }); ok {
		c.Close(errReleased)
	}
	err := p.tr.Detach(ctx, id)
	if errors.Is(err, ErrDetached) {
		return nil
	}
	return err
}

// Get returns a tab if it is attached.
func (p *Pool) Get(id TabID) (*Tab, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.tabs[id]
	if e == nil {
		return nil, false
	}
	select {
	case <-e.ready:
		return e.tab, e.tab != nil
	default:
		return nil, false
	}
}

// Attached returns all attached tabs.
func (p *Pool) Attached() []*Tab {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ts []*Tab
	for _, e := range p.tabs {
		select {
		case <-e.ready:
			if e.tab != nil {
				ts = append(ts, e.tab)
			}
		default:
		}
	}
	return ts
}

// Forget forgets the page counter of a tab that was closed.
func (p *Pool) Forget(id TabID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.past, id)
}

// Mains returns the main frame of each tab that is or was attached.
func (p *Pool) Mains() map[TabID]cdp.FrameID {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[TabID]cdp.FrameID{}
	for id, mark := range p.past {
		out[id] = mark.main
	}
	for id, e := range p.tabs {
		if e.tab != nil {
			out[id] = e.tab.mark().main
		}
	}
	return out
}

// Replace moves the page counter of tab was to tab id, which took its place.
func (p *Pool) Replace(id, was TabID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.tabs[was]; e != nil && e.tab != nil {
		p.past[was] = e.tab.mark()
	}
	if mark, ok := p.past[was]; ok {
		p.past[id] = mark
	}
	delete(p.past, was)
}

// TabOfFrame returns the attached tab that a frame is in, or "".
func (p *Pool) TabOfFrame(id cdp.FrameID) TabID {
	for _, t := range p.Attached() {
		if _, ok := t.Frame(string(id)); ok {
			return t.id
		}
	}
	return ""
}
