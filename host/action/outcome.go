package action

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tabwright/host/action/effect"
	"tabwright/host/action/spec"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// lateNote tells what changed on a page after the last result and before this
// act.
var lateNote = map[string]string{
	English: "After the last result and before this act the page changed: %s.",
	Chinese: "在上次结果之后、本次操作之前，页面发生了变化：%s。",
}

// movedNote tells that a tab shows another document than at the last result.
var movedNote = map[string]string{
	English: "After the last result the tab went on to %s.",
	Chinese: "在上次结果之后，标签页又转到了 %s。",
}

// maxAlerts bounds a page that opens one alert after another.
const maxAlerts = 3

// report settles, and writes text and effect into the result.
func (r *run) report(ctx context.Context, w *effectRecorder, a *element, verb, what string) *Error {
	w.target = a
	out := w.settle(ctx)
	var alerts []string
	for out.Dialog != nil && out.Dialog.Kind == "alert" && len(alerts) < maxAlerts {
		// An alert asks nothing: its text is told and it is closed.
		said := fmt.Sprintf("an alert said %q and was closed", short(pagecontext.Flatten(out.Dialog.Message), 200))
		dctx, cancel := context.WithTimeout(ctx, frameTime)
		err := r.tab.HandleDialog(dctx, true, "")
		cancel()
		if err != nil {
			break
		}
		alerts = append(alerts, said)
		w.noteDialogAnswered()
		out = w.settle(ctx)
	}
	if w.refused == nil && w.resent {
		return r.stoppedAfterError(saidBefore, nil)
	}
	if w.refused != nil {
		return w.refused
	}
	out.Parts = append(alerts, out.Parts...)
	if r.spec.Name == "navigate" && out.Within && !out.Changed && !out.Waiting {
		out.Parts = []string{sameShown}
	}
	r.boxes, r.became, r.dragged = out.Boxes, out.Became, out.Drag
	r.res.Part = out.Part
	r.res.Destination = destination(out)
	r.res.Effect, r.res.Loaded = out.Words(), out.URL != "" && !out.Within
	if !r.res.Secret { // a page may echo the secret that was typed
		r.res.Appeared, r.res.Value = out.Appeared, safety.Redact(out.Value)
		for i := range r.res.Appeared {
			r.res.Appeared[i] = safety.Redact(r.res.Appeared[i])
		}
	}
	if len(out.Late) > 0 && !r.yielded && (out.URL == "" || out.Within) {
		r.s.noteNext(fmt.Sprintf(lateNote[r.s.o.Lang], strings.Join(out.Late, "; ")))
	}
	r.res.Away = out.Detached != nil
	if errors.Is(out.Detached, browser.ErrGone) { // the effect is unknown
		return wrap("see what came of it", out.Detached)
	}
	if out.Failed != "" && out.URL == "" && !strings.HasPrefix(verb, "clicked") {
		return &Error{Code: NavigationFailed, Message: "could not load " + short(out.Failed, 200)}
	}
	line := verb
	if what != "" {
		line += " " + what
	}
	r.res.Text = fmt.Sprintf("OK: %s. Effect: %s.", line, r.res.Effect)
	if verb == "typed" && len(out.Options) > 0 && !strings.HasSuffix(what, andEnter) {
		r.res.Text += SuggestsNote
		r.res.Data = map[string]any{SuggestsKey: out.Options}
	}
	return nil
}

// SuggestsNote says that a field with suggestions may want one of them: the text alone is often not taken.
const SuggestsNote = " If one of these options is meant, choose it now: the text alone may not be taken."

// SuggestsKey is the key in a result's data of the options that a field suggests.
const SuggestsKey = "suggests"

// andEnter ends the words for an act that typed a text and sent it.
const andEnter = " and pressed Enter"

// destination returns where an act with this effect led.
func destination(e effect.Effect) spec.Destination {
	switch {
	case e.URL == "":
		return spec.NoDestination
	case !e.Within && e.Document != "":
		return spec.ToFile
	case !e.Within:
		return spec.ToDocument
	case e.Same:
		return spec.ToSame
	}
	return spec.ToAddress
}
