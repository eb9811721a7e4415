package control

import (
	"context"
	"iter"
	"slices"
	"time"

	"tabwright/host/agent"
	"tabwright/host/browser"
)

// tabsTime bounds listing the tabs of a browser that has just reconnected.
const tabsTime = 10 * time.Second

// watchTabLoss interrupts a task when its browser was restarted and its tab is gone,
// also while the task waits for an answer: a card about a page that is gone asks
// nothing. If only the connection was lost, the tab is still there and the task goes
// on. It returns with ctx.
func (l *live) watchTabLoss(ctx context.Context, lang string) {
	for e := range driverEvents(ctx, l.place.Driver) {
		if e.Kind == browser.DriverBack && tabLost(ctx, l.place.Driver, l.session.Tab()) {
			l.cancel(agent.TabLost(lang))
			return
		}
	}
}

// driverEvents returns the events of a driver until ctx ends or the driver is closed.
func driverEvents(ctx context.Context, d browser.Driver) iter.Seq[browser.TabEvent] {
	return func(yield func(browser.TabEvent) bool) {
		events, stop := d.Subscribe()
		defer stop()
		for {
			select {
			case e, ok := <-events:
				if !ok || !yield(e) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// tabLost reports whether a tab is certainly closed.
func tabLost(ctx context.Context, d browser.Driver, at browser.TabID) bool {
	if browser.Void(d, at) {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, tabsTime)
	defer cancel()
	tabs, err := d.Tabs(ctx)
	return err == nil && !slices.ContainsFunc(tabs, func(t browser.TabInfo) bool { return t.ID == at })
}
