package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/page"
	"tabwright/safety"
)

// settable tells whether a field is set rather than typed into: the order of a
// date's keys depends on the browser's language, and a range or a colour takes no
// text at all.
func settable(a *element) bool {
	return a.facts.Tag == "input" && slices.Contains([]string{"date", "month", "week", "time", "datetime-local", "range", "color"}, a.facts.Type)
}

// setField sets the value of such a field; the extractor fires input and
// change, as the browser does after its own picker.
func (r *run) setField(ctx context.Context, w *effectRecorder, g targetQuery, verb, value string) *Error {
	value = strings.TrimSpace(value)
	*r.object = fmt.Sprintf("%q", short(value, 60))
	var did *element
	var got page.FieldValue
	judged := func(_ *element, act *safety.Act) { act.Text = value }
	err := r.withGate(ctx, gatedStep{look: r.looker(g, judged), do: func(ctx context.Context, a *element) *Error {
		did = a
		if !settable(a) {
			return r.staleError(ctx, a, "it was a field of another kind")
		}
		return r.put(ctx, w, a, func(ctx context.Context) *Error {
			var err error
			if got, err = page.SetField(ctx, a.frame, a.id, value); err != nil {
				return r.ignoreNavigated(err, "set "+a.String())
			}
			if got.Error != nil {
				r.res.Sent = false
				return r.extractorErr(a.frame, got.Error)
			}
			return nil
		})
	}})
	if err != nil {
		return err
	}
	*r.object = fmt.Sprintf("%q", short(got.Value, 60))
	r.res.Data = map[string]string{"value": got.Value}
	return r.report(ctx, w, did, verb, *r.object+" into "+did.label())
}

// put changes a field from inside the page with set. No input event carries this
// change, so the element is checked once more right before.
func (r *run) put(ctx context.Context, w *effectRecorder, a *element, set func(context.Context) *Error) *Error {
	if _, err := r.ready(ctx, a, "select"); err != nil {
		return err
	}
	w.target = a
	if err := w.start(ctx, a.frame); err != nil {
		return err
	}
	if err := r.still(ctx, a); err != nil {
		return err
	}
	r.res.Sent = true
	return r.sendGuarded(ctx, w, a, "key", func(ctx context.Context, _ hittarget.Lease) *Error { return set(ctx) })
}

// isEditor tells whether a is editable without being a form field.
func isEditor(a *element) bool {
	return a.facts.Editable && !slices.Contains([]string{"input", "textarea", "select"}, a.facts.Tag)
}

// shownText returns typed text for display; text of a secret field is masked.
func shownText(a *element, text string) string {
	if a != nil && a.facts.Secret != "" && !IsSecretRef(text) {
		return strings.Repeat("•", min(len([]rune(text)), 8))
	}
	return text
}
