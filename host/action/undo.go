package action

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tabwright/host/action/effect"
	"tabwright/host/action/page"
)

// An act whose request was refused has already changed its page. The page may send what it
// shows, or what it stored in the browser, at any time: with the next save, or when it is
// left. So the changes are discarded, and the page is loaded again as it was.

// undoTime bounds the load of the page whose changes are discarded.
const undoTime = 10 * time.Second

// quarantiner is a tab that can be stopped from sending (host/browser/quarantine.go); *browser.Tab.
type quarantiner interface {
	Quarantine(ctx context.Context)
	Prepare(ctx context.Context, script string) error
	Posted() bool
	Release()
}

// quarantine keeps the page's changes by a refused act in the tab, until undo.
func (r *run) quarantine(ctx context.Context) {
	if q, ok := r.h.tab.(quarantiner); ok {
		r.mustUndo = true
		q.Quarantine(context.WithoutCancel(ctx))
	}
}

// undo discards the page's changes by a refused act, and returns the error for it.
func (r *run) undo(ctx context.Context, refused *Error) *Error {
	if !r.mustUndo || refused == nil || refused.Code != StoppedAfter {
		return refused
	}
	refused.Hint = "Leave this page or load it again before anything else: until then nothing that it sends is let through. Go on without it, or tell the user."
	q, ok := r.h.tab.(quarantiner)
	if !ok || q.Posted() || ctx.Err() != nil || r.tab.Dialog() != nil { // loading it again would send the form again
		return refused
	}
	ctx, cancel := context.WithTimeout(ctx, undoTime)
	defer cancel()
	if fs, err := r.frames(ctx); err == nil {
		if was, err := page.StoredBefore(ctx, fs[0]); err == nil {
			if err := q.Prepare(ctx, fmt.Sprintf(restoreScript, was)); err != nil {
				r.s.o.Log.Debug().Err(err).Msg("the page may send what it keeps in the browser")
			}
		}
	}
	for range 2 { // what the page stores while it is left must not be sent by the next one
		if err := r.loadAgain(ctx); err != nil {
			r.s.o.Log.Debug().Err(err).Msg("the page that acted could not be loaded again")
			return refused
		}
	}
	q.Release()
	out := *refused
	out.Message = Undone + strings.TrimPrefix(refused.Message, ActedUnsaved)
	out.Hint = "Look at the page before anything else. Go on without it, or tell the user."
	return &out
}

// loadAgain loads the page again, and accepts its question about unsaved changes.
func (r *run) loadAgain(ctx context.Context) error {
	w := r.tab.Watch()
	defer w.Close()
	err := r.tab.Reload(ctx)
	if err == nil {
		w.Rest(ctx, quietTime, undoTime)
	}
	if d := r.tab.Dialog(); d != nil && d.Kind == effect.LeaveKind {
		if err = r.tab.HandleDialog(ctx, true, ""); err == nil {
			w.Rest(ctx, quietTime, undoTime)
		}
	}
	if err == nil && len(w.Snapshot().Navigations) == 0 {
		err = errors.New("no other document came")
	}
	return err
}

// Undone begins the message of StoppedAfter if the page was loaded again.
const Undone = "the page had acted on it already; what it was then about to send was stopped, and the page was loaded again as it was before, so nothing of it is saved"

// restoreScript restores the storage that restoreStorage told, before the page's scripts run.
const restoreScript = `((was) => {
	if (location.origin !== was.origin) return;
	const put = (storage, entries) => entries.forEach(([key, value]) => value === null ? storage.removeItem(key) : storage.setItem(key, value));
	try {
		put(localStorage, was.local);
		put(sessionStorage, was.session);
	} catch {}
})(%s)`
