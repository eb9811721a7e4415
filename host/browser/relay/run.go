package relay

import (
	"context"
	"fmt"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// Run returns the run of the browser, as browser.Numbered says.
func (d *Driver) Run() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.run
}

// Void reports whether a number is of a tab of an earlier run, as browser.Numbered
// says.
func (d *Driver) Void(id browser.TabID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.void[id]
}

// Take makes a number valid for the tab that has it now, as browser.Numbered says.
func (d *Driver) Take(id browser.TabID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.void, id)
}

// saw notes the numbers that tabs have in this run.
func (d *Driver) saw(tabs ...browser.TabInfo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range tabs {
		d.seen[t.ID] = true
	}
}

// params returns the number of a tab as params of a call. For a void number the
// error is browser.ErrNoTab.
func (d *Driver) params(id browser.TabID) (wire.TabParams, error) {
	if d.Void(id) {
		return wire.TabParams{}, fmt.Errorf("tab %s is another one since the browser was started anew: %w", id, browser.ErrNoTab)
	}
	return params(id)
}

// nextRun notes that the service worker has begun a run. After a reload of the
// extension the tabs are the same as before. This shows by the target id of a tab
// that is or was attached, which the browser makes at random. After a start of the
// browser all tabs are others, even with the same numbers: Chrome counts on from
// the number that it last saved, and after a crash it gives the numbers since then
// again.
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

// ended reports a tab of an earlier run as removed: its user must not go on with
// the number, which another tab may have now or later.
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
