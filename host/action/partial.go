package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/safety"
)

// An act can end half done: a press without its click, a text whose field became
// another one. The error says what was done, so that it is not done again.

// withProgress adds to an error what the act had already done, so that it is not simply
// repeated.
func (g *attempt) withProgress(err *Error) *Error {
	if g.pressed == nil && g.wrote == nil || err.Code != StaleRef && err.Code != NotFound {
		return err
	}
	out := *err
	if g.wrote != nil {
		out.Message += "; a part of the text may stand in the field"
		out.Hint = partlyHint
		return &out
	}
	out.Message += "; the press reached it, and the click that follows a press was stopped"
	out.Hint = pressedHint
	return &out
}

// pressedHint is the hint after a press without its click.
const pressedHint = "Look at the page: what was wanted may be done already. Click again only if it is not."

// endAfterPress ends an act whose press already had an effect: the page changed the
// target at once, so the click after the press was stopped. Pressing again might repeat
// the effect, or undo it. If the act is put to the user, the user decides. A link that
// gets its address when it is pressed, as search engines do to count clicks, is the same
// link.
func (r *run) endAfterPress(ctx context.Context, g *attempt, at assessment) *Error {
	was := g.pressed
	g.pressed = nil
	if was == nil || at.aim == nil || at.d.Level >= safety.Confirm {
		return nil
	}
	a, b := was.facts, at.aim.facts
	became := "became " + at.aim.String()
	if a.Role == b.Role && a.Name == b.Name && a.Text == b.Text && a.Value == b.Value {
		if a.Href != b.Href {
			return nil
		}
		became = "would do something else, or take other amounts or fields along"
	}
	err := r.staleError(ctx, was, fmt.Sprintf("the press reached it, and with that it %s; the click that follows a press was stopped", became))
	err.Hint = pressedHint
	return err
}

// isRenamed tells whether a press changed only the words of its target at once, as
// "Follow" to "Following": then it has done its work, and the effect tells the new
// words.
func (r *run) isRenamed(ctx context.Context, at assessment) bool {
	a, err := r.reresolve(ctx, at.aim)
	if err != nil {
		return false
	}
	was, is := at.aim.facts, a.facts
	if was.Role != is.Role || was.Href != is.Href || was.Name == is.Name && was.Text == is.Text && was.Value == is.Value {
		return false
	}
	if alongOf(was.Fingerprint) != alongOf(is.Fingerprint) {
		return false // other amounts or fields would go along
	}
	act := at.act
	act.Target = &is
	return safety.Judge(act, r.s.rules()).Level < safety.Confirm
}

// alongOf returns the part of a fingerprint for the amounts and fields around a target.
func alongOf(fingerprint string) string {
	parts := strings.Split(fingerprint, ".")
	return strings.Join(parts[min(1, len(parts)):min(2, len(parts))], "")
}

// waitUntilEnabled waits, before a user is asked about a click, until the target is
// enabled: the user is not asked about a click that can't be done. After a wait the
// target is looked at again for the card.
func (r *run) waitUntilEnabled(ctx context.Context, g *attempt, a *element) (again bool, err *Error) {
	if a == nil || a.el.Enabled || g.waited || r.spec.Name != "click" {
		return false, nil
	}
	if a.point != nil {
		return false, &Error{Code: Disabled, Message: a.String() + " is disabled"}
	}
	g.waited = true
	_, err = r.ready(ctx, a, "click")
	return err == nil, err
}
