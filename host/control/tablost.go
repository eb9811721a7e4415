package control

import (
	"context"
	"slices"
	"time"

	"tabwright/host/agent"
	"tabwright/host/browser"
)

// tabsTime bounds the question which tabs a browser has that just came back.
const tabsTime = 10 * time.Second

// watchTabLoss interrupts a task when its browser was started anew and its tab is not
// there any more, whatever the task waits for just then: a card about a page that
// is gone asks nothing, and an answer to it would come to nothing. A browser that
// only lost the connection has the tab, and the task goes on. It returns with ctx.
func (l *live) watchTabLoss(ctx context.Context, lang string) {
	events, stop := l.place.Driver.Subscribe()
	defer stop()
	for {
		select {
		case e, ok := <-events:
			switch {
			case !ok:
				return
			case e.Kind == browser.DriverBack && tabLost(ctx, l.place.Driver, l.session.Tab()):
				l.cancel(agent.TabLost(lang))
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// tabLost reports whether a tab is closed for sure.
func tabLost(ctx context.Context, d browser.Driver, at browser.TabID) bool {
	if browser.Void(d, at) {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, tabsTime)
	defer cancel()
	tabs, err := d.Tabs(ctx)
	return err == nil && !slices.ContainsFunc(tabs, func(t browser.TabInfo) bool { return t.ID == at })
}
