package browser

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// stillAfter is how long a page may not answer while it is attached before a dialog
// is assumed. Chrome does not report a dialog that opened before the debugger
// attached; the debugger's commands just hang.
const stillAfter = 5 * time.Second

// slowTime is the same bound for an empty page, which can't have opened a dialog.
const slowTime = 30 * time.Second

// lister is a Transport that lists the tabs with their addresses without asking the
// pages.
type lister interface {
	Tabs(ctx context.Context) ([]TabInfo, error)
}

// isEmpty reports whether the tab shows the empty page that it began with.
func (t *Tab) isEmpty(ctx context.Context) bool {
	l, ok := t.tr.(lister)
	if !ok {
		return false
	}
	list, err := l.Tabs(ctx)
	return err == nil && slices.ContainsFunc(list, func(x TabInfo) bool { return x.ID == t.id && x.URL == blank })
}

// enable sets up the root session and reads the frames. Child sessions are set up
// as Chrome attaches them. A page that does not answer is no error: the set-up is
// repeated when it answers again. With anew the session was enabled before, over a
// connection that was lost.
func (t *Tab) enable(ctx context.Context, anew bool) error {
	t.mu.Lock()
	s := t.sessions[""]
	t.mu.Unlock()
	err := t.setup(WithCallTimeout(ctx, stillAfter), s, anew)
	if errors.Is(err, ErrTimeout) && t.isEmpty(ctx) {
		err = t.setup(WithCallTimeout(ctx, slowTime), s, anew) // no dialog: the machine is slow
	}
	switch {
	case errors.Is(err, ErrDialogOpen):
	case errors.Is(err, ErrTimeout):
		t.mu.Lock()
		if t.dialog == nil {
			t.setDialog(&openDialog{Dialog: Dialog{Kind: DialogUnknown}, session: t.root})
		}
		t.mu.Unlock()
		go t.awaitMove()
	default:
		return err
	}
	go func() {
		select {
		case <-t.dialogClosed():
			_ = t.setup(context.WithoutCancel(ctx), s, anew)
		case <-t.root.Done():
		}
	}()
	return nil
}

// awaitMove removes the assumed dialog when the page answers: the user has answered
// the dialog, or there was none and the page was only busy.
func (t *Tab) awaitMove() {
	ctx := WithCallTimeout(context.Background(), 30*time.Second)
	for {
		_, err := cdp.Call(ctx, t.root, runtime.Evaluate, runtime.EvaluateParams{Expression: "1"})
		if errors.Is(err, ErrTimeout) {
			continue
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if err == nil && t.dialog != nil && t.dialog.Kind == DialogUnknown {
			t.setDialog(nil)
		}
		return
	}
}

// setup enables the domains of one session and merges its frame tree. The commands
// do not depend on each other and are sent at once.
func (t *Tab) setup(ctx context.Context, s *sessionState, anew bool) error {
	defer t.markReady(s)
	yes, no := true, false
	if anew {
		// Chrome reports contexts and children again only if these were disabled
		// before.
		err := t.race(ctx, func(ctx context.Context) error {
			if _, err := cdp.Call(ctx, s.cdp, target.SetAutoAttach, target.SetAutoAttachParams{Flatten: &no}); err != nil {
				return err
			}
			_, err := cdp.Call(ctx, s.cdp, runtime.Disable, cdp.Empty{})
			return err
		})
		if err != nil {
			return err
		}
	}
	calls := []func(context.Context) error{
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, page.Enable, page.EnableParams{})
			return err
		},
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: true})
			return err
		},
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, target.SetAutoAttach, target.SetAutoAttachParams{
				AutoAttach: true, Flatten: &yes,
				Filter: target.Filter{{Type: "iframe"}},
			})
			return err
		},
		func(ctx context.Context) error {
			// Without it requestAnimationFrame does not run in background tabs, and
			// the page knows that it is hidden. Child sessions may refuse.
			_, err := cdp.Call(ctx, s.cdp, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
			if s.id != "" {
				return nil
			}
			return err
		},
		func(ctx context.Context) error {
			if s.id != "" {
				return nil
			}
			// Reports crashes; without it a crashed page just does not answer.
			_, _ = cdp.Call(ctx, s.cdp, inspector.Enable, cdp.Empty{})
			return nil
		},
		func(ctx context.Context) error {
			_, err := cdp.Call(ctx, s.cdp, runtime.Enable, cdp.Empty{})
			return err
		},
		func(ctx context.Context) error { return listenForUser(ctx, s, t.tr) },
		func(ctx context.Context) error { return t.watchDocuments(ctx, s, anew) },
		func(ctx context.Context) error {
			t.preload(ctx, s)
			return nil
		},
		func(ctx context.Context) error {
			if !anew || s.id != "" {
				return nil
			}
			// The last command may have been lost with the connection.
			t.mu.Lock()
			shut := t.shut.is()
			t.mu.Unlock()
			_ = catchFiles(ctx, s.cdp, shut)
			return nil
		},
	}
	err := t.race(ctx, func(ctx context.Context) error {
		errs := make(chan error, len(calls))
		for _, c := range calls {
			go func() { errs <- c(ctx) }()
		}
		var all []error
		for range calls {
			all = append(all, <-errs)
		}
		return errors.Join(all...)
	})
	if err != nil {
		return err
	}
	return t.race(ctx, func(ctx context.Context) error { return t.readTree(ctx, s) })
}

func (t *Tab) markReady(s *sessionState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-s.ready:
	default:
		close(s.ready)
		t.bump()
	}
}

// readTree merges the answer of Page.getFrameTree of a session. If events arrive
// before it is merged, readTree asks again, since an old tree would bring back
// frames that are gone.
func (t *Tab) readTree(ctx context.Context, s *sessionState) error {
	for range 8 {
		t.mu.Lock()
		gen := t.gen
		t.mu.Unlock()
		res, err := cdp.Call(ctx, s.cdp, page.GetFrameTree, cdp.Empty{})
		if err != nil {
			return err
		}
		t.mu.Lock()
		if t.gen == gen {
			t.mergeTree(s, res.FrameTree, s.under)
			s.stale, s.loads = false, nil
			t.bump()
			t.mu.Unlock()
			return nil
		}
		t.mu.Unlock()
	}
	return nil // a tree that changes all the time is kept up to date by its events
}

// mergeTree updates the tab's frames from a frame tree of session s; t.mu is held.
func (t *Tab) mergeTree(s *sessionState, tree *page.FrameTree, parent cdp.FrameID) {
	if tree == nil || tree.Frame == nil {
		return
	}
	f := tree.Frame
	if f.ParentID != "" {
		parent = f.ParentID
	}
	if s.id == "" && parent == "" {
		t.main = f.ID
		t.count(f.LoaderID)
	}
	st := t.upsert(f.ID, parent, s.id)
	if st.loader != f.LoaderID {
		st.loader, st.world, st.owner, st.began = f.LoaderID, nil, nil, time.Time{}
	}
	st.at(f)
	if loaded, told := s.loads[f.ID]; told {
		st.loaded = loaded
	}
	if st.toLoader == f.LoaderID && st.loaded == f.LoaderID {
		st.arrived() // before the session was there to report it
	}
	for _, c := range tree.ChildFrames {
		t.mergeTree(s, c, f.ID)
	}
}

// count raises the page counter if loader is another document; t.mu is held.
func (t *Tab) count(loader cdp.LoaderID) {
	if t.counted != "" && t.counted != loader {
		t.rev++
	}
	t.counted = loader
}

// upsert finds or adds a frame, and sets the session that it is in; t.mu is held.
func (t *Tab) upsert(id, parent cdp.FrameID, session string) *frameState {
	f := t.frames[id]
	if f == nil {
		t.seq++
		f = &frameState{id: id, seq: t.seq, injecting: newLock(), finding: newLock()}
		t.frames[id] = f
	}
	if parent != "" {
		f.parent = parent
	}
	if f.session != session {
		f.session, f.world, f.owner = session, nil, nil
	}
	f.swapping = false
	return f
}

// Rebuild reads the state of the tab again after the relay came back, whose
// connection has lost events. The page counter grows if the document is another one
// than before.
func (t *Tab) Rebuild(ctx context.Context) error {
	t.mu.Lock()
	leaving := t.leavingFor() != ""
	if d, ok := t.root.(interface{ DropChildren() }); ok {
		d.DropChildren()
	}
	t.reset()
	t.setDialog(nil)
	t.alive()
	t.mu.Unlock()
	if leaving {
		// The act that began the navigation has failed with the connection, and
		// until the server answers Chrome would answer no command to the page.
		_, _ = cdp.Call(WithCallTimeout(ctx, silentTime), t.root, page.StopLoading, cdp.Empty{})
	}
	t.drawAnew()
	return t.enable(ctx, true)
}
