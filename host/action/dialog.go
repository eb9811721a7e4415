package action

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabwright/host/action/effect"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// HandleDialogParams are the parameters of handleDialog.
type HandleDialogParams struct {
	Accept bool   `json:"accept" jsonschema:"true for OK, false for Cancel"`
	Text   string `json:"text,omitempty" jsonschema:"what to enter into a prompt"`
}

func dialogActions() []declared {
	return []declared{
		declare(Spec{Name: "handleDialog", Family: "page events", Class: safety.Submit, NeedsTab: true, MayChange: true, ModelVisible: true, WithDialog: true}, handleDialog),
	}
}

// handleDialog answers a native dialog (Page.handleJavaScriptDialog). OK is
// judged by the dialog's text, as if that were a button.
func handleDialog(ctx context.Context, r *run, p HandleDialogParams) *Error {
	d := r.tab.Dialog()
	if d == nil {
		return &Error{Code: NotFound, Message: "no dialog is open", Hint: "Go on with the task."}
	}
	what := fmt.Sprintf("dialog %q", short(pagecontext.Flatten(d.Message), 80))
	if d.Kind == effect.LeaveKind {
		what = "dialog " + effect.LeaveWords
	}
	look := func(context.Context) (*element, safety.Act, *Error) {
		now := r.tab.Dialog()
		if now == nil {
			return nil, safety.Act{}, &Error{Code: NotFound, Message: "the dialog has closed", Hint: "Look at the page again."}
		}
		act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: now.URL, Dialog: now.Message}}
		if act.Page.URL == "" {
			act.Page.URL = r.tab.MainURL()
		}
		if p.Accept {
			act.Target = &safety.Target{Tag: "dialog", Role: "dialog", Name: now.Message, Type: now.Kind, Context: r.h.acted, FrameURL: act.Page.URL}
			act.Text = p.Text
		} else {
			act.Base = safety.Read // Cancel changes nothing
		}
		return nil, act, nil
	}
	r.res.Target = what
	*r.object = map[bool]string{true: "OK", false: "Cancel"}[p.Accept]
	w := r.watcher()
	defer w.close()
	err := r.withGate(ctx, gatedStep{look: look, what: what, do: func(ctx context.Context, _ *element) *Error {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		r.res.Sent = true
		if err := r.tab.HandleDialog(ctx, p.Accept, p.Text); err != nil {
			return wrap("answer the dialog", err)
		}
		w.noteDialogAnswered()
		return nil
	}})
	leaves := d.Kind == effect.LeaveKind && p.Accept
	if err == nil && leaves {
		r.waitForLeave(ctx, w)
	}
	verb := "dismissed"
	if p.Accept {
		verb = "accepted"
	}
	if err == nil {
		err = r.report(ctx, w, nil, verb, what)
	}
	if err != nil && leaves && r.res.Sent && (err.Code == TabClosed || err.Code == Detached) {
		// The tab was to be closed, and went before Chrome acknowledged the answer.
		r.res.Effect = "the tab was closed"
		r.res.Text = fmt.Sprintf("OK: %s %s. Effect: %s.", verb, what, r.res.Effect)
		return nil
	}
	return err
}

// dialogHint says what the two answers do.
func dialogHint(d *browser.Dialog) string {
	switch d.Kind {
	case effect.LeaveKind:
		return "Answer it with handleDialog: accept true leaves the page, accept false stays and keeps what was entered."
	case "prompt":
		return "Answer it with handleDialog: accept true with the text, or accept false to cancel."
	case "alert":
		return "Close it with handleDialog, accept true."
	}
	return "Answer it with handleDialog: accept true for OK, accept false for Cancel."
}

// leaveTime is the longest wait for a page to go after the user allowed it.
const leaveTime = 3 * time.Second

// waitForLeave waits until the page that was allowed to go has begun to: another page
// comes, or the tab closes.
func (r *run) waitForLeave(ctx context.Context, w *effectRecorder) {
	w.before = browser.WatchState{} // what the dialog held up counts as this act's effect
	ctx, cancel := context.WithTimeout(ctx, leaveTime)
	defer cancel()
	for {
		st := w.tab.Snapshot()
		if st.Detached != nil || st.Loading || st.Pending > 0 || len(st.Navigations) > 0 || r.tab.Dialog() != nil || !r.tick(ctx) {
			return
		}
	}
}

// closeAsked closes a tab of the task as a user does: a dialog of the page that
// asks whether to leave it is an error. The tab is then the current one, so that
// handleDialog reaches it.
func (r *run) closeAsked(ctx context.Context, id browser.TabID) *Error {
	s := r.s
	before := s.Tab()
	if bad := r.enter(ctx, id); bad == nil {
		closed, err := r.tab.Close(ctx)
		if d := r.tab.Dialog(); d != nil && d.Kind == effect.LeaveKind {
			return dialogOpen(d)
		}
		r.h, r.tab, r.page = nil, nil, nil
		if err != nil && !errors.Is(err, browser.ErrDialogOpen) {
			s.o.Log.Debug().Err(err).Msg("could not close the tab by its page")
		}
		if before != id {
			s.mu.Lock()
			s.current = before
			s.mu.Unlock()
		}
		if closed {
			return nil
		}
	}
	cctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	err := s.b.CloseTab(cctx, id)
	if errors.Is(err, browser.ErrNoTab) {
		return nil // it went by itself
	}
	return wrap("close the tab", err)
}

// closeTime is how long the browser may take to close a tab.
const closeTime = 10 * time.Second
