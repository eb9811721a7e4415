package action

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// erasesUpTo is how many characters are taken out of a field one by one.
const erasesUpTo = 200

// fillIn replaces what a field holds and sees that it holds the text then: a
// mask may overlook that all was selected, or take something else. Where it
// does not, what stands there is taken out by Backspace and the text typed
// again. What a mask puts between or around the characters is its own affair.
func (r *run) fillIn(ctx context.Context, w *watching, a *aim, text string) *Error {
	box, err := r.typeInto(ctx, w, a, text, true)
	if err != nil || box || !slices.Contains([]string{"input", "textarea"}, a.facts.Tag) {
		return err
	}
	stands, ok := r.standing(ctx, w, a, text)
	if ok {
		return nil
	}
	if st, bad := r.stateOf(ctx, a); bad != nil || st.Editor || !st.Editable {
		return nil //nolint:nilerr // what it holds is not the text, or it is gone: the effect says so
	}
	delete(w.early, a.frame.ID()) // told anew when all is done
	left, err := r.retype(ctx, w, a, text, utf8.RuneCountInString(stands))
	if err != nil {
		return err
	}
	// What can't be taken out is the field's own, as the code of a country.
	if stands, ok = r.standing(ctx, w, a, text); ok || holdsText(stands, text, "") && marks(left) == marks(a.el.Value) {
		return nil
	}
	stands = short(safety.Redact(pagecontext.Flatten(stands)), 120)
	return &Error{
		Code: Unsupported, Message: fmt.Sprintf("the text was typed, but %s holds %q now", a, stands),
		Hint: "The field takes only text of a certain form or length: look at its placeholder and at what is written beside it, and type the text so.",
		Data: map[string]string{"value": stands},
	}
}

// slowUpTo is how many keys are sent one by one.
const slowUpTo = 60

// standing reads what a field holds after it was filled, and whether that is the
// text. The effects that came with the typing say so as a rule.
func (r *run) standing(ctx context.Context, w *watching, a *aim, text string) (string, bool) {
	if w.dialog() != nil || w.left() {
		return "", true
	}
	before := a.el.Value
	e := w.early[a.frame.ID()]
	for _, c := range e.Changes {
		if c.Kind == "value" && c.ID == a.id && !strings.HasPrefix(c.To, tail) && holdsText(c.To, text, before) {
			return c.To, true
		}
	}
	var got struct {
		Value  string `json:"value"`
		Secret string `json:"secret"`
	}
	if err := a.frame.Call(ctx, "value", map[string]int{"id": a.id}, &got); err != nil || got.Secret != "" {
		return "", true // the page went elsewhere; the effect says so
	}
	if holdsText(got.Value, text, before) {
		return got.Value, true
	}
	// A field that gives what was written to the page and is empty again.
	taken := got.Value == "" && text != "" && slices.ContainsFunc(e.Changes, func(c change) bool {
		return (c.Kind == "added" || c.Kind == "text") && strings.Contains(marks(c.Name+" "+c.To), marks(text))
	})
	return got.Value, taken
}

// gaps are the signs by which a mask shows characters that are still to be
// written.
const gaps = "_#•·"

// untaken tells whether a field that shows a mask took nothing of what was typed
// behind it: a person would have written where the mask is open.
func (r *run) untaken(ctx context.Context, w *watching, a *aim, text string) bool {
	if a.facts.Tag != "input" || !strings.ContainsAny(a.el.Value, gaps) || marks(text) == "" || w.dialog() != nil || w.left() {
		return false
	}
	if slices.ContainsFunc(w.early[a.frame.ID()].Changes, func(c change) bool { return c.Kind == "value" && c.ID == a.id }) {
		return false
	}
	var got struct {
		Value string `json:"value"`
	}
	return a.frame.Call(ctx, "value", map[string]int{"id": a.id}, &got) == nil && pagecontext.Flatten(got.Value) == a.el.Value
}

// fillGap types where a mask is open.
func (r *run) fillGap(ctx context.Context, w *watching, a *aim, text string) *Error {
	delete(w.early, a.frame.ID())
	g, err := r.arm(ctx, w, deed{a: a, kind: "key", focus: focusGap})
	if err != nil {
		return err
	}
	return g.send(ctx, func(ctx context.Context) *Error { return r.keys(ctx, g, text) })
}

// retype takes out what a field holds, so many characters, by its last one, and
// types the text, key by key: some pages write back what the field held until they
// have taken in a character. left is what could not be taken out.
func (r *run) retype(ctx context.Context, w *watching, a *aim, text string, n int) (left string, err *Error) {
	g, err := r.arm(ctx, w, deed{a: a, kind: "key", focus: focusCaret})
	if err != nil {
		return "", err
	}
	g.slow = n+utf8.RuneCountInString(text) <= slowUpTo
	err = g.send(ctx, func(ctx context.Context) *Error {
		list := chord{key: namedKeys["End"]}.inputs()
		for range min(n, erasesUpTo) {
			list = append(list, chord{key: namedKeys["Backspace"]}.stroke()...)
		}
		for len(list) > 0 {
			n := len(list)
			if g.slow {
				n = whole(list, 2)
			}
			if err := r.gone(r.tab.Send(ctx, list[:n]), "empty the field"); err != nil {
				return err
			}
			list = list[n:]
			g.takenIn(ctx)
		}
		var got struct {
			Value string `json:"value"`
		}
		if a.frame.Call(ctx, "value", map[string]int{"id": a.id}, &got) == nil {
			left = got.Value
		}
		return r.keys(ctx, g, text)
	})
	return left, err
}

// marksUpTo is how many letters and digits a mask may keep in a field that is
// not empty, as the code of a country.
const marksUpTo = 3

// holdsText tells whether what a field holds is the text, as the field may write
// it: with signs and spaces of its own, in other case, with something before or
// behind it. before is what it held, which must be gone.
func holdsText(holds, text, before string) bool {
	if pagecontext.Flatten(holds) == pagecontext.Flatten(text) {
		return true
	}
	is, err := strconv.ParseFloat(strings.TrimSpace(holds), 64)
	if want, bad := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && bad == nil && is == want {
		return true
	}
	h, t, b := marks(holds), marks(text), marks(before)
	if t == "" && strings.TrimSpace(text) != "" {
		return strings.Contains(holds, strings.TrimSpace(text))
	}
	own := func(rest string) bool { return rest == "" || rest != b }
	if rest, ok := strings.CutSuffix(h, t); ok && own(rest) && (b == "" || !strings.HasPrefix(rest, b)) && (b == "" || len(rest) <= marksUpTo) {
		return true
	}
	rest, ok := strings.CutPrefix(h, t)
	return ok && t != "" && own(rest)
}

// marks are the letters and digits of a text, in lower case.
func marks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
