package relay

import (
	"context"
	"fmt"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// Run is browser.Numbered's.
func (d *Driver) Run() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.run
}

// Void is browser.Numbered's.
func (d *Driver) Void(id browser.TabID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.void[id]
}

// Take is browser.Numbered's.
func (d *Driver) Take(id browser.TabID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.void, id)
}

// saw notes numbers that tabs have in this run.
func (d *Driver) saw(tabs ...browser.TabInfo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range tabs {
		d.seen[t.ID] = true
	}
}

// params is the number of a tab, unless another tab has it since.
func (d *Driver) params(id browser.TabID) (wire.TabParams, error) {
	if d.Void(id) {
		return wire.TabParams{}, fmt.Errorf("tab %s is another one since the browser was started anew: %w", id, browser.ErrNoTab)
	}
	return params(id)
}

// nextRun takes in that the service worker has begun a run. After a reload of the
// extension the tabs are those of before, which the id of one shows that is or was
// attached: the browser makes it at random. After a start of the browser they are
// others, whatever their numbers: Chrome counts on from where it last wrote down
// how far it was, and after a crash gives the same numbers again.
func (d *Driver) nextRun(ctx context.Context, run string) error {
	var targets []wire.DebugTarget
	if err := d.call(ctx, wire.MethodCDPTargets, wire.Empty{}, &targets); err != nil {
		return fmt.Errorf("ask which tabs are still there: %w", err)
	}
	mains := d.pool.Mains()
	for _, t := range targets {
		if t.TabID != 0 && string(mains[tabID(t.TabID)]) == t.ID {
			d.mu.Lock()
			d.run = run
			d.mu.Unlock()
			return nil
		}
	}
	d.mu.Lock()
	d.run = run
	held := map[browser.TabID]bool{}
	for id := range d.seen {
		_, was := mains[id]
		held[id] = was || d.roots[id] != nil || d.behind[id]
		d.void[id] = true
	}
	d.seen = map[browser.TabID]bool{}
	d.mu.Unlock()
	for id, by := range held {
		if by {
			d.ended(id)
		}
	}
	return nil
}

// ended takes a tab away that was held: whoever did so must not go on with the
// number, be it another tab's already or soon.
func (d *Driver) ended(id browser.TabID) {
	d.mu.Lock()
	root := d.roots[id]
	delete(d.roots, id)
	delete(d.refused, id)
	delete(d.behind, id)
	d.mu.Unlock()
	if root != nil {
		root.Close(browser.ErrNoTab)
	}
	d.pool.Forget(id)
	d.publish(browser.TabRemoved, browser.TabInfo{ID: id})
}
