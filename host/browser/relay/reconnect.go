package relay

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// Gone notes that the connection was lost. Pending calls fail with
// browser.ErrGone; the tabs are kept for Reconnect.
func (d *Driver) Gone(err error) {
	d.mu.Lock()
	l := d.link
	d.link = nil
	d.mu.Unlock()
	if l == nil {
		return
	}
	close(l.gone)
	reason := browser.ErrGone.Error()
	if err != nil {
		reason = err.Error()
	}
	d.bus.Publish(browser.TabEvent{Kind: browser.DriverGone, Reason: reason})
}

// Reconnect takes a new connection of the same profile and adopts the attached
// tabs. If a tab is still attached (Chrome keeps attachments while the service
// worker is stopped), it is only read again, since events were lost. If it is
// not (the extension was reloaded), it is attached again first. If that fails,
// its session ends as detached. After a restart of the browser, when other tabs
// may have the same numbers, the tabs are reported as removed. At the end
// DriverBack is published.
func (d *Driver) Reconnect(ctx context.Context, c Caller, o Options) error {
	d.Gone(nil) // ends calls over the old connection
	d.mu.Lock()
	d.link = &link{caller: c, gone: make(chan struct{})}
	d.opts = o
	same := d.run == o.Run
	d.mu.Unlock()
	var err error
	if !same {
		err = d.nextRun(ctx, o.Run)
	}
	if err == nil {
		err = d.adoptAll(ctx)
	}
	d.bus.Publish(browser.TabEvent{Kind: browser.DriverBack})
	return err
}

func (d *Driver) adoptAll(ctx context.Context) error {
	tabs := d.pool.Attached()
	if len(tabs) == 0 {
		return nil
	}
	var targets []wire.DebugTarget
	if err := d.call(ctx, wire.MethodCDPTargets, wire.Empty{}, &targets); err != nil {
		return fmt.Errorf("ask what is still attached: %w", err)
	}
	attached := map[browser.TabID]bool{}
	for _, t := range targets {
		if t.Attached && t.TabID != 0 {
			attached[tabID(t.TabID)] = true
		}
	}
	errs := make(chan error, len(tabs))
	for _, t := range tabs {
		go func() { errs <- d.adopt(ctx, t, attached[t.ID()]) }()
	}
	var all []error
	for range tabs {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}

// adopt makes one tab usable again. attached may be true because of another
// debugger, so if the tab then turns out not to be attached by us, adopt
// attaches it.
func (d *Driver) adopt(ctx context.Context, t *browser.Tab, attached bool) error {
	ctx, cancel := context.WithTimeout(ctx, adoptTime)
	defer cancel()
	root := d.root(t.ID())
	if root == nil {
		return nil // detached meanwhile
	}
	if attached {
		err := t.Rebuild(ctx)
		if err == nil || errors.Is(err, browser.ErrGone) {
			return err
		}
		if ctx.Err() != nil {
			return d.drop(t, root, err)
		}
		if !errors.Is(err, browser.ErrDetached) {
			return err
		}
	}
	p, err := params(t.ID())
	if err != nil {
		return err
	}
	if err = d.attach(ctx, p, root); err == nil {
		err = t.Rebuild(ctx)
	}
	if err == nil || errors.Is(err, browser.ErrGone) {
		return err
	}
	return d.drop(t, root, err)
}

// adoptTime bounds the adoption of one tab, so that a page that does not answer
// does not block the whole browser. It is longer than browser.Tab.Rebuild waits
// before it assumes a dialog.
const adoptTime = 8 * time.Second

// drop ends the session of a tab that was not adopted. The next use attaches the
// tab again.
func (d *Driver) drop(t *browser.Tab, root *browser.Root, err error) error {
	d.mu.Lock()
	if d.roots[t.ID()] == root {
		delete(d.roots, t.ID())
	}
	d.mu.Unlock()
	if !errors.Is(err, browser.ErrDetached) {
		err = fmt.Errorf("%w: %w", browser.ErrDetached, err)
	}
	root.Close(err)
	return fmt.Errorf("adopt tab %s: %w", t.ID(), err)
}
