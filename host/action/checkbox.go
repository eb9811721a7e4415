package action

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action/page"
)

// CheckParams are the parameters of check and uncheck.
type CheckParams struct{ Target }

// checkTime is how long a switch may take to show that it was pressed: some ask
// a server first.
const checkTime = 1500 * time.Millisecond

// checkedSoon returns the state of a box once it is as wanted, or after checkTime;
// late says that the wanted state came only after a wait.
func (r *run) checkedSoon(ctx context.Context, a *element, want bool) (st page.State, late bool, bad *Error) {
	cctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	for {
		now, err := r.stateOf(ctx, a)
		if err != nil || now.Checked == "" || (now.Checked == "true") == want {
			return now, late, err
		}
		if late = true; !r.tick(cctx) || r.tab.Dialog() != nil {
			return now, false, nil
		}
	}
}

// setChecked clicks a box, a radio button or a switch unless it is already as
// wanted, and makes sure that it is so afterwards.
func setChecked(ctx context.Context, r *run, p CheckParams, want bool) *Error {
	if !p.isSet() {
		return noTarget()
	}
	word := map[bool]string{true: "checked", false: "unchecked"}[want]
	var did *element
	var already bool
	w := r.watcher()
	defer w.close()
	err := r.withGate(ctx, gatedStep{look: r.looker(targetQuery{Target: p.Target, kind: "click"}), do: func(ctx context.Context, a *element) *Error {
		did = a
		st, err := r.stateOf(ctx, a)
		switch {
		case err != nil:
			return err
		case st.Checked == "":
			return &Error{Code: Unsupported, Message: a.String() + " is nothing that can be checked", Hint: "Choose a checkbox, radio button or switch, or use click."}
		case st.Checked == map[bool]string{true: "true", false: "false"}[want]:
			already = true
			return nil
		case !want && a.facts.Type == "radio":
			return &Error{Code: Unsupported, Message: "a radio button is unchecked by checking another one", Hint: "Use check on the one that is wanted."}
		}
		at, err := r.ready(ctx, a, "click")
		if err != nil {
			return err
		}
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		return r.guardedClick(ctx, w, a, at, leftClick())
	}})
	if err != nil {
		return err
	}
	if already {
		r.res.Effect = NoEffect
		r.res.Text = "OK: " + did.label() + " is " + word + " already; nothing was clicked."
		r.res.Data = map[string]bool{"checked": want}
		return nil
	}
	if err := r.report(ctx, w, did, word, did.label()); err != nil {
		return err
	}
	if r.tab.Dialog() != nil {
		return nil // its state is decided when the dialog is answered
	}
	st, late, err := r.checkedSoon(ctx, did, want)
	if err != nil {
		return nil //nolint:nilerr // it went away with the click; the effect tells of that
	}
	if r.tab.Dialog() != nil {
		return nil // a dialog opened during the wait
	}
	if late {
		r.res.Text = strings.TrimSuffix(r.res.Text, " Effect: "+NoEffect+".") + " It took a moment to show."
	}
	if n := r.boxes[strconv.FormatBool(want)]; st.Checked == strconv.FormatBool(!want) && n > 0 {
		// It switches other boxes, but does not show their state itself.
		others := fmt.Sprintf("%d others are", n)
		if n == 1 {
			others = "another is"
		}
		r.res.Text = fmt.Sprintf("OK: clicked %s: %s %s now, it stays %s itself. Effect: %s.", did.label(), others, word, map[bool]string{true: "unchecked", false: "checked"}[want], r.res.Effect)
	} else if now := st.Checked == "true"; now != want && st.Checked != "" {
		return &Error{
			Code: Unsupported, Message: did.String() + " was clicked and is still not " + word,
			Hint: "Effect: " + r.res.Effect + ". Look at the page; something else may be needed first.",
		}
	}
	if late && st.Checked != "" && r.res.Effect == NoEffect {
		r.res.Effect = did.label() + " is " + word + " now"
	}
	r.res.Data = map[string]bool{"checked": want}
	return nil
}
