package browser

import (
	"context"
	"slices"
	"sync"
	"time"
)

// openGrace is how long an announced window may take to become a tab; one that
// the browser blocked never does.
const openGrace = 500 * time.Millisecond

// Watch collects what happens in a tab from its making to its Close: the
// effects of an action. Close must be called.
type Watch struct {
	tab     *Tab
	cancel  func()
	done    sync.WaitGroup
	state   WatchState // under tab.mu, like what follows
	opening int        // windows announced by Page.windowOpen
	opened  time.Time  // when the last of them was
}

// Watch begins to collect. Navigations already under way count as pending.
func (t *Tab) Watch() *Watch {
	events, cancel := t.bus.Subscribe()
	w := &Watch{tab: t, cancel: cancel}
	w.state.Last = time.Now()
	t.mu.Lock()
	t.watches[w] = struct{}{}
	t.mu.Unlock()
	w.done.Go(func() {
		for e := range events {
			w.tabEvent(e)
		}
	})
	return w
}

// tabEvent takes in tabs that this one opened. Chrome names no opener for
// rel=noopener, so a nameless tab counts as ours when a window was announced.
func (w *Watch) tabEvent(e TabEvent) {
	t := w.tab
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(w.state.NewTabs, func(n TabInfo) bool { return n.ID == e.Tab.ID })
	switch {
	case e.Kind == Downloaded:
		if e.Tab.ID != "" && e.Tab.ID != t.id {
			return
		}
		w.download(e)
	case e.Kind == TabCreated && i < 0:
		ours := e.Tab.Opener == t.id || e.Tab.Opener == "" && w.opening > len(w.state.NewTabs)
		if !ours {
			return
		}
		w.state.NewTabs = append(w.state.NewTabs, e.Tab)
	case e.Kind == TabUpdated && i >= 0:
		n := &w.state.NewTabs[i]
		n.URL, n.Title = e.Tab.URL, e.Tab.Title
	default:
		return
	}
	w.state.Last = time.Now()
	t.bump()
}

// download notes a download once. Two reporters tell of it, the tab and the
// browser, and in the relay they know it by different ids; the address is the
// same.
func (w *Watch) download(e TabEvent) {
	i := slices.IndexFunc(w.state.Downloads, func(d Download) bool {
		return d.GUID == e.GUID || e.URL != "" && d.URL == e.URL && d.State == "in_progress" && d.GUID != e.GUID
	})
	if i < 0 && e.URL == "" {
		return // one that began before the watch
	}
	if i < 0 {
		w.state.Downloads = append(w.state.Downloads, Download{GUID: e.GUID, URL: e.URL, File: e.File, State: e.State})
		return
	}
	d := &w.state.Downloads[i]
	d.State = e.State
	if e.File != "" {
		d.File = e.File
	}
	if e.Kind == Downloaded {
		d.GUID = e.GUID // the browser's, which later events carry
	}
}

// Snapshot gives what was seen so far.
func (w *Watch) Snapshot() WatchState {
	w.tab.mu.Lock()
	defer w.tab.mu.Unlock()
	return w.snapshot()
}

func (w *Watch) snapshot() WatchState {
	s := w.state
	s.Navigations = slices.Clone(s.Navigations)
	s.NewTabs = slices.Clone(s.NewTabs)
	s.Dialogs = slices.Clone(s.Dialogs)
	s.Downloads = slices.Clone(s.Downloads)
	for _, f := range w.tab.frames {
		if f.navigating {
			s.Pending++
		}
	}
	if f := w.tab.frames[w.tab.main]; f != nil {
		s.Loading = f.loading
	}
	if w.opening > len(s.NewTabs) && time.Since(w.opened) < openGrace {
		s.Pending++
	}
	s.Detached = w.tab.root.Err()
	return s
}

// Wait waits until nothing is pending or loading and nothing happened for the
// quiet time (of this Wait), a dialog opened, the tab went away, or max is over.
func (w *Watch) Wait(ctx context.Context, quiet, max time.Duration) WatchState {
	limit := time.NewTimer(max)
	defer limit.Stop()
	t := w.tab
	began := time.Now()
	for {
		t.mu.Lock()
		s := w.snapshot()
		open := t.dialog != nil
		changed := t.changed
		t.mu.Unlock()
		if open || s.Detached != nil {
			return s
		}
		idle := s.Pending == 0 && !s.Loading
		last := s.Last
		if last.Before(began) {
			last = began
		}
		left := quiet - time.Since(last)
		if idle && left <= 0 {
			s.Settled = true
			return s
		}
		if !idle {
			left = max // an event ends it
			if w.opening > len(s.NewTabs) {
				left = openGrace
			}
		}
		pause := time.NewTimer(left)
		select {
		case <-changed:
		case <-pause.C:
		case <-limit.C:
			pause.Stop()
			return w.Snapshot()
		case <-ctx.Done():
			pause.Stop()
			return w.Snapshot()
		case <-t.root.Done():
		}
		pause.Stop()
	}
}

// Close ends the watch.
func (w *Watch) Close() {
	w.cancel()
	w.done.Wait()
	w.tab.mu.Lock()
	defer w.tab.mu.Unlock()
	delete(w.tab.watches, w)
}
