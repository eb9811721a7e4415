package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tabwright/host/action/effect"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// erasesUpTo is how many characters are removed from a field one by one at most.
const erasesUpTo = 200

// replaceText types into a field, with clear in place of its text, and checks that it holds
// the text afterwards: a mask may ignore that all was selected, or take another text. If it
// does not, and none of its old text must stay, the text is deleted by Backspace and typed
// again. A number that the field read as another one is typed with the other decimal sign.
// Text that the page changes while it is typed is inserted at once.
// Characters that a mask adds between or around the text are accepted. holds tells the
// field's value if that is not what was typed.
func (r *run) replaceText(ctx context.Context, w *effectRecorder, a *element, text string, clear bool) (holds string, err *Error) {
	g, err := r.typeInto(ctx, w, a, text, clear)
	if err == nil && g.report.WentOn {
		return boxesHold(a, g.report.Boxes, text)
	}
	if err != nil {
		err = g.fullRow(err)
	}
	if err == nil && !clear && r.maskIgnored(ctx, w, a, text) {
		err = r.fillGap(ctx, w, a, text)
	}
	number := len(numbersIn(text, false)) > 0
	if err != nil || !number && !slices.Contains([]string{"input", "textarea"}, a.facts.Tag) {
		return "", err
	}
	f := fieldText{a: a, want: text, was: a.el.Value, whole: clear || a.el.Value == ""}
	if !f.whole {
		if a.focused || utf8.RuneCountInString(f.was) >= toldUpTo {
			return "", nil // the text before the caret is not known
		}
		f.want = f.was + text
	}
	ok := r.fieldHolds(ctx, w, &f)
	if !ok {
		if st, bad := r.stateOf(ctx, a); bad != nil || st.Editor || !st.Editable {
			return "", nil //nolint:nilerr // what it holds is not the text, or it is gone: the effect says so
		}
	}
	if g.report.Refused && f.isUntouched(w) {
		if err = r.insert(ctx, w, a, text, clear); err != nil {
			return "", err
		}
		ok, f.inserted = r.fieldHolds(ctx, w, &f), "refuses the keys"
	}
	for _, variant := range f.rewritten(text, clear) {
		if ok = ok || f.isAcceptable(text, clear); ok {
			break
		}
		if f.left, err = r.retype(ctx, w, a, variant, max(utf8.RuneCountInString(f.holds), utf8.RuneCountInString(text))); err != nil {
			return "", err
		}
		ok = r.fieldHolds(ctx, w, &f)
	}
	if _, isNumber := sameNumber(text, text); !ok && clear && !isNumber && f.inserted == "" && f.isRewritten(text) {
		if err = r.insert(ctx, w, a, text, clear); err != nil {
			return "", err
		}
		ok, f.inserted = r.fieldHolds(ctx, w, &f), "changes the text while it is typed"
	}
	if ok || f.isAcceptable(text, clear) {
		if pagecontext.Flatten(f.holds) == pagecontext.Flatten(f.want) {
			return f.note(), nil
		}
		return fmt.Sprintf(", which holds %q now%s", f.shownText(), f.note()), nil
	}
	return "", holdsOther(a, f.shownText())
}

// isUntouched tells whether the keys had no effect, in the field or beside it: a page that
// handles keys and draws the text itself has taken it.
func (f *fieldText) isUntouched(w *effectRecorder) bool {
	seen := slices.ContainsFunc(w.early[f.a.frame.ID()].Changes, func(c page.Change) bool { return c.Kind != "focus" && c.Kind != "attr" })
	return !seen && f.want != f.was && f.holds == f.was && f.a.el.Rect.Width > fieldWidth && slices.Contains([]string{"input", "textarea"}, f.a.facts.Tag)
}

// isRewritten tells whether the page changed the text while it was typed, as a date whose
// day is completed after one digit. It is false if the field took only a part of it.
func (f *fieldText) isRewritten(text string) bool {
	if f.a.facts.Tag != "input" || f.holds == "" {
		return false
	}
	typed := []rune(marks(text))
	for _, c := range marks(f.holds) {
		i := slices.Index(typed, c)
		if i < 0 {
			return true
		}
		typed = typed[i+1:]
	}
	return false
}

// fieldWidth is the least width of a field that a user writes in, in CSS pixels.
const fieldWidth = 20

// insert writes a text as an input method does: pages that refuse keys by their
// handlers take it.
func (r *run) insert(ctx context.Context, w *effectRecorder, a *element, text string, clear bool) *Error {
	how := page.FocusAdd
	if clear {
		how = page.FocusSelect
	}
	g, err := r.install(ctx, w, guardRequest{a: a, kind: "key", focus: how, written: true})
	if err != nil {
		return err
	}
	return g.send(ctx, func(ctx context.Context) *Error {
		return r.ignoreNavigated(r.tab.Send(ctx, g.Lease(), []input{{text: text}}), "insert the text")
	})
}

// secretHolds returns an error if a secret field does not hold what was typed. The
// error tells only its length.
func (r *run) secretHolds(ctx context.Context, w *effectRecorder, a *element, text string) *Error {
	if w.dialog() != nil || w.hasNavigated() {
		return nil
	}
	got, err := page.ValueIs(ctx, a.frame, a.id, text)
	if err != nil || got.Secret == "" || got.Same || got.Size == 0 {
		return nil //nolint:nilerr // it went elsewhere; the effect says so
	}
	return &Error{
		Code: Unsupported, Message: fmt.Sprintf("the text was typed, but %s holds something else now: %d characters", a, got.Size),
		Hint: "The field takes only text of a certain form or length, or was full already: with clear: true the text takes the place of what it holds.",
	}
}

// fullRow returns the error for text that reached a box of a row that was already
// filled; other errors are returned as they are.
func (g *guards) fullRow(err *Error) *Error {
	if g == nil || !g.inRow || err.Code != StaleRef {
		return err
	}
	e := &Error{Code: Unsupported, Message: "a part of the text may stand in the row of boxes, and a box that holds something already takes no more"}
	if len(g.report.Boxes) > 0 { // no secret
		e = holdsOther(g.a, strings.TrimSpace(strings.Join(g.report.Boxes, " ")))
	}
	e.Hint = "These are the boxes of one row. With clear: true the text takes the place of what all of them hold."
	return e
}

// boxesHold tells what a row of boxes holds, after a text was typed into it one
// character a box.
func boxesHold(a *element, boxes []string, text string) (string, *Error) {
	if boxes == nil { // a secret
		return "", nil
	}
	holds := strings.TrimSpace(strings.Join(boxes, " "))
	if marks(holds) != marks(text) {
		return "", holdsOther(a, holds)
	}
	return fmt.Sprintf(", whose row of boxes holds %q now", holds), nil
}

func holdsOther(a *element, holds string) *Error {
	return &Error{
		Code: Unsupported, Message: fmt.Sprintf("the text was typed, but %s holds %q now", a, holds),
		Hint: "The field takes only text of a certain form or length: look at its placeholder and at what is written beside it, and type the text so.",
		Data: map[string]string{"value": holds},
	}
}

// signs are characters that change a number if a field ignores them.
const signs = ".,'-−"

// toldUpTo is the longest value that a look gives in full, in characters.
const toldUpTo = 200

// fieldText is a field being filled in: want is the text that it should hold, was what it
// held before, holds what it holds now, left what could not be removed; whole says that
// nothing but the typed text belongs in it.
type fieldText struct {
	a                      *element
	want, was, holds, left string
	whole                  bool
	wasLeft                bool   // it lost the focus and got it back, to see how it writes a number
	inserted               string // why the text was inserted, not typed
}

// note says how the text came into the field, if not by keys alone, or that it held it before.
func (f *fieldText) note() string {
	switch {
	case f.inserted != "":
		return ", whose page " + f.inserted + ": the text was inserted as an input method does"
	case f.holds != "" && f.holds == f.was:
		return ", which held that already"
	case f.wasLeft:
		return ", which was left and entered again to see what it makes of the number"
	}
	return ""
}

func (f *fieldText) shownText() string {
	return short(safety.Redact(pagecontext.Flatten(f.holds)), 120)
}

// rewritten returns the texts to try if the field holds something else.
func (f *fieldText) rewritten(text string, clear bool) (variants []string) {
	if !f.whole || f.a.facts.Tag != "input" && f.a.facts.Tag != "textarea" {
		return nil
	}
	other := ""
	if _, ok := sameNumber(f.holds, text); ok {
		other = otherNotation(text)
	}
	if clear && (other == "" || marks(f.holds) != marks(text)) {
		variants = append(variants, text)
	}
	if other != "" {
		variants = append(variants, other)
	}
	return variants
}

// isAcceptable tells whether a field's value is acceptable though it is not the text.
func (f *fieldText) isAcceptable(text string, clear bool) bool {
	_, number := sameNumber(f.holds, f.want)
	if same, ok := sameNumber(f.holds, text); !f.whole && ok && len(numbersIn(f.was, true)) > 0 {
		if same { // behind a zero
			return true
		}
		number = number || strings.ContainsAny(text, signs)
	}
	switch {
	case clear: // What can't be taken out is the field's own, as the code of a country.
		return f.left != "" && holdsText(f.holds, f.want, "") && marks(f.left) == marks(f.was)
	case number:
		return false
	case f.whole:
		return f.holds == "" // it went elsewhere; the effect says so
	}
	return f.holds != f.was
}

// fieldHolds tells whether a field holds its wanted text. A number is checked after the
// field lost the focus as well, because many fields rewrite numbers only then.
func (r *run) fieldHolds(ctx context.Context, w *effectRecorder, f *fieldText) (ok bool) {
	before := f.was
	if !f.whole {
		before = ""
	}
	f.holds, ok = r.readBack(ctx, w, f.a, f.want, before)
	if !ok || w.more || f.a.facts.Tag != "input" || !strings.ContainsAny(f.want, signs) || len(numbersIn(f.want, false)) == 0 || w.dialog() != nil || w.hasNavigated() {
		return ok
	}
	var left bool
	var value string
	_ = w.race(ctx, func(ctx context.Context) *Error {
		lctx, cancel := context.WithTimeout(ctx, frameTime)
		defer cancel()
		var err error
		left, value, err = page.LeaveAndReturn(lctx, f.a.frame, f.a.id, keyTime, f.want)
		return r.ignoreNavigated(err, "leave the field")
	}) // if it can't be left, the next act leaves it, and tells the effect
	f.wasLeft = f.wasLeft || left
	if !left || value == f.holds {
		return true
	}
	delete(w.early, f.a.frame.ID()) // told anew when all is done
	f.holds = value
	return holdsText(value, f.want, before)
}

// slowUpTo is how many keys are sent one by one.
const slowUpTo = 60

// readBack returns what a field holds after it was filled, and whether that is the
// text without what it held before. Usually the effects of typing tell it already.
func (r *run) readBack(ctx context.Context, w *effectRecorder, a *element, text, before string) (string, bool) {
	if w.dialog() != nil || w.hasNavigated() {
		return text, true
	}
	e := w.early[a.frame.ID()]
	for _, c := range e.Changes {
		if c.Kind == "value" && c.ID == a.id && !strings.HasPrefix(c.To, effect.Tail) && holdsText(c.To, text, before) {
			return c.To, true
		}
	}
	got, err := page.Value(ctx, a.frame, a.id)
	if err != nil || got.Secret != "" {
		return text, true // the page went elsewhere; the effect says so
	}
	if holdsText(got.Value, text, before) {
		return got.Value, true
	}
	// The field passed the text to the page and is empty again.
	taken := got.Value == "" && text != "" && slices.ContainsFunc(e.Changes, func(c page.Change) bool {
		return (c.Kind == "added" || c.Kind == "text") && strings.Contains(marks(c.Name+" "+c.To), marks(text))
	})
	return got.Value, taken
}

// gaps are the characters that masks show for characters still to be
// written.
const gaps = "_#•·"

// maskIgnored tells whether a field with a mask took nothing of the text typed after
// it: a user would have written in the mask's gaps.
func (r *run) maskIgnored(ctx context.Context, w *effectRecorder, a *element, text string) bool {
	if a.facts.Tag != "input" || !strings.ContainsAny(a.el.Value, gaps) || marks(text) == "" || w.dialog() != nil || w.hasNavigated() {
		return false
	}
	if slices.ContainsFunc(w.early[a.frame.ID()].Changes, func(c page.Change) bool { return c.Kind == "value" && c.ID == a.id }) {
		return false
	}
	got, err := page.Value(ctx, a.frame, a.id)
	return err == nil && pagecontext.Flatten(got.Value) == a.el.Value
}

// fillGap types into the gaps of a mask.
func (r *run) fillGap(ctx context.Context, w *effectRecorder, a *element, text string) *Error {
	delete(w.early, a.frame.ID())
	g, err := r.install(ctx, w, guardRequest{a: a, kind: "key", focus: page.FocusGap, written: true})
	if err != nil {
		return err
	}
	return g.send(ctx, func(ctx context.Context) *Error { return r.keys(ctx, g, text) })
}

// retype removes n characters from the end of a field and types the text key by key:
// some pages restore the field's old value until they have handled a character. left
// is what could not be removed.
func (r *run) retype(ctx context.Context, w *effectRecorder, a *element, text string, n int) (left string, err *Error) {
	g, err := r.install(ctx, w, guardRequest{a: a, kind: "key", focus: page.FocusCaret, written: true})
	if err != nil {
		return "", err
	}
	g.slow = n+utf8.RuneCountInString(text) <= slowUpTo
	err = g.send(ctx, func(ctx context.Context) *Error {
		list := keyInputs(keyboard.Named("End", 0).Events())
		for range min(n, erasesUpTo) {
			list = append(list, keyInputs(keyboard.Named("Backspace", 0).Stroke())...)
		}
		for len(list) > 0 {
			n := len(list)
			if g.slow {
				n = whole(list, 2)
			}
			if err := r.ignoreNavigated(r.tab.Send(ctx, g.Lease(), list[:n]), "empty the field"); err != nil {
				return err
			}
			if list = list[n:]; g.slow {
				g.awaitDrawn(ctx)
			}
		}
		if got, err := page.Value(ctx, a.frame, a.id); err == nil {
			left = got.Value
		}
		return r.keys(ctx, g, text)
	})
	return left, err
}

// marksUpTo is how many letters and digits of its own a mask may keep in a field,
// such as a country code.
const marksUpTo = 3

// holdsText tells whether a field's value is the text as the field may write it:
// with its own signs and spaces, in other case, with something before or after it.
// before is the old value, which must be gone.
func holdsText(holds, text, before string) bool {
	if pagecontext.Flatten(holds) == pagecontext.Flatten(text) {
		return true
	}
	if same, ok := sameNumber(holds, text); ok {
		return same
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
