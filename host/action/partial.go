package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/safety"
)

// An act can come to a half: a press that was answered before its click, a text
// whose field became another. What was done by then is said, and not done again.

// withProgress adds to what keeps an act from going on what it has done by then, so that
// it is not just done again.
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

// pressedHint is what is to be done where a press was sent without its click.
const pressedHint = "Look at the page: what was wanted may be done already. Click again only if it is not."

// endAfterPress ends an act whose press did something already: the page made
// another thing of the target at once, and the click that follows a press was
// stopped for that. To press again might do it again, or undo it. What is asked
// about the user decides; and a link that is given its address when it is
// pressed, as searches count their clicks, is the same link.
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

// isRenamed tells whether a press that its target answered to at once did nothing
// else to it than to give it other words, as "Follow" and "Following": then it has
// done what it does, and the effect tells the words.
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
		return false // amounts or fields that it takes along are others
	}
	act := at.act
	act.Target = &is
	return safety.Judge(act, r.s.rules()).Level < safety.Confirm
}

// alongOf is what of a fingerprint stands for the amounts and fields around a target.
func alongOf(fingerprint string) string {
	parts := strings.Split(fingerprint, ".")
	return strings.Join(parts[min(1, len(parts)):min(2, len(parts))], "")
}

// waitUntilEnabled waits, before a user is asked about a click, for what a page still
// checks: nobody is asked about what can't be done. What was waited for is looked
// at again, as the card is to show it.
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
