package action

import (
	"context"
	"fmt"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// HandleDialogParams are the parameters of handleDialog.
type HandleDialogParams struct {
	Accept bool   `json:"accept" jsonschema:"true for OK, false for Cancel"`
	Text   string `json:"text,omitempty" jsonschema:"what to enter into a prompt"`
}

func dialogActions() []Spec {
	return []Spec{
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
	look := func(context.Context) (*aim, safety.Act, *Error) {
		now := r.tab.Dialog()
		if now == nil {
			return nil, safety.Act{}, &Error{Code: NotFound, Message: "the dialog has closed", Hint: "Look at the page again."}
		}
		act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: now.URL, Dialog: now.Message}}
		if act.Page.URL == "" {
			act.Page.URL = r.tab.MainURL()
		}
		if p.Accept {
			act.Target = &safety.Target{Tag: "dialog", Role: "dialog", Name: now.Message, Type: now.Kind, FrameURL: act.Page.URL}
			act.Text = p.Text
		} else {
			act.Base = safety.Read // to cancel does nothing
		}
		return nil, act, nil
	}
	r.res.Target = what
	*r.object = map[bool]string{true: "OK", false: "Cancel"}[p.Accept]
	w := r.watcher()
	defer w.close()
	err := r.gated(ctx, plan{look: look, what: what, do: func(ctx context.Context, _ *aim) *Error {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		r.res.Sent = true
		if err := r.tab.HandleDialog(ctx, p.Accept, p.Text); err != nil {
			return wrap("answer the dialog", err)
		}
		w.answered()
		return nil
	}})
	if err != nil {
		return err
	}
	verb := "dismissed"
	if p.Accept {
		verb = "accepted"
	}
	return r.report(ctx, w, nil, verb, what)
}
