package action

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// errNoList says that a field opens no list, but a calendar: its value is typed.
var errNoList = &Error{Code: Unsupported, Message: "it opens no list", Err: errors.New("no list")}

// enteredTime is how long a field may take to close its calendar after the text
// is entered.
const enteredTime = 400 * time.Millisecond

// noList is the error for a control that opens a calendar or a dialog and takes no text.
func (c *combo) noList(got page.OptionMatch) *Error {
	what := "a dialog"
	if got.Popup == "grid" {
		what = "a grid, such as a calendar,"
	}
	e := &Error{Code: Unsupported, Message: fmt.Sprintf("%s opens %s and no list of options", c.a, what), Hint: "Click it, then click the day or what else is wanted in it."}
	if got.Expanded {
		e.Hint = "Click the day or what else is wanted in it."
	}
	return e
}

// enter types the wanted text into such a field and enters it: by Enter, or by Tab
// where Enter would send the form. If the field stays open, Escape or Tab shows
// whether it took the text.
func (c *combo) enter(ctx context.Context, want page.OptionQuery) (string, *Error) {
	held := c.a.facts.Value
	if c.a.facts.SubmitsForm {
		return c.enterByKeys(ctx, want, held, "Tab")
	}
	label, err := c.enterByKeys(ctx, want, held, "Enter", "Escape")
	if err != nil && errors.Is(err, errUntaken) {
		// Escape drops the first date of a range; Tab keeps it.
		label, err = c.enterByKeys(ctx, want, held, "Tab")
	}
	return label, err
}

// errUntaken is wrapped by the error for a field that did not take the typed text.
var errUntaken = errors.New("not taken")

// enterByKeys types the text, then presses keys one by one while the field is open.
func (c *combo) enterByKeys(ctx context.Context, want page.OptionQuery, held string, keys ...string) (string, *Error) {
	r, text := c.r, pagecontext.Flatten(want.Text())
	c.wrote = true
	err := c.write(ctx, c.g, want.Text())
	if err != nil && err.Code == Covered {
		if c.writeOn(ctx, want.Text()) != nil {
			return "", c.noList(page.OptionMatch{Popup: "grid", Expanded: true}) // the calendar has the keyboard, too
		}
		err = nil // its calendar lies over the field
	}
	if err != nil {
		return "", err
	}
	came := func(p page.OptionMatch) bool { return p.Shown > 0 || p.Popup == "grid" && p.Expanded }
	got, err := c.await(ctx, want, enteredTime, came)
	if err == nil && got.Expanded && !came(got) {
		got, err = c.await(ctx, want, listTime, came)
	}
	if err == nil && got.Shown > 0 && got.Option == nil { // a dialog with a list in it
		got, err = c.await(ctx, want, suggestTime, func(p page.OptionMatch) bool { return p.Option != nil || p.Shown == 0 })
	}
	switch {
	case err != nil:
		return "", err
	case got.Option != nil:
		o := *got.Option
		return o.Name, c.click(ctx, r.at(c.a.frame, o))
	case got.Shown > 0:
		return "", c.restoreText(ctx, want, c.noSuch(want, got))
	}
	for i, k := range keys {
		if k == "Escape" && !got.Closable {
			k = "Tab"
		}
		a, err := r.resolve(ctx, c.g)
		if err != nil {
			return "", err
		}
		err = r.pressOn(ctx, c.w, r.sameLooker(targetQuery{focused: true}, a, asKey(k)), keyboard.Named(k, 0), &a)
		if err != nil && err.Code == StaleRef {
			break // losing the keyboard enters the text, too
		}
		if err != nil {
			err.Message = fmt.Sprintf("the text stands in the field, but %s was not pressed: %s", k, err.Message)
			return "", err
		}
		if i == len(keys)-1 {
			break
		}
		if got, err = c.await(ctx, nobody, enteredTime, func(p page.OptionMatch) bool { return !p.Expanded }); err != nil {
			return "", err
		} else if !got.Expanded {
			break
		}
	}
	// Some fields reformat or discard the text a moment later.
	if _, err := c.await(ctx, nobody, enteredTime, func(p page.OptionMatch) bool { return !p.Expanded }); err != nil {
		return "", err
	}
	now, err := c.holds(ctx)
	if err != nil {
		return "", err
	}
	if now == "" || now != text && (now == held || strings.Contains(text, now) || !sameFigures(now, text)) {
		return "", &Error{
			Code: NotFound, Message: fmt.Sprintf("%s did not take %q: it holds %q now", c.a, short(text, 60), short(now, 60)), Err: errUntaken,
			Hint: "Write it as the field shows it, or click the field, then what is wanted in what it opens.",
		}
	}
	return now, nil
}

var figures = regexp.MustCompile(`[0-9]+`)

// sameFigures tells whether two texts may mean the same, as a date that was
// reformatted: all numbers of one are in the other.
func sameFigures(a, b string) bool {
	of := func(s string) (out []int) {
		for _, f := range figures.FindAllString(s, -1) {
			if n, err := strconv.Atoi(f); err == nil {
				out = append(out, n)
			}
		}
		return out
	}
	in := func(some, all []int) bool {
		for _, n := range some {
			// A two-digit year, 12 instead of 24 hours, and a missing zero are the same.
			if n != 0 && !slices.ContainsFunc(all, func(m int) bool {
				return m == n || m%100 == n && m > 999 || n%100 == m && n > 999 || m-n == 12 || n-m == 12
			}) {
				return false
			}
		}
		return true
	}
	x, y := of(a), of(b)
	return in(x, y) || in(y, x)
}

// writeOn is write for a covered field that has the keyboard focus.
func (c *combo) writeOn(ctx context.Context, text string) *Error {
	r := c.r
	was, err := r.resolve(ctx, c.g)
	if err != nil {
		return err
	}
	asType := func(_ *element, act *safety.Act) { act.Action, act.Params, act.Text = "type", nil, text }
	return r.withGate(ctx, gatedStep{look: r.sameLooker(targetQuery{focused: true}, was, asType), do: func(ctx context.Context, a *element) *Error {
		if err := writable(a); err != nil {
			return err
		}
		if err := c.w.begin(ctx, a.frame); err != nil {
			return err
		}
		c.w.more = true
		_, err := r.typeInto(ctx, c.w, a, text, true)
		return err
	}})
}

// holds returns the field's text now.
func (c *combo) holds(ctx context.Context) (string, *Error) {
	a, err := c.r.resolve(ctx, c.g)
	if err != nil {
		return "", err
	}
	return a.facts.Value, nil
}

// noSuch is the error for an option that is not there.
func (c *combo) noSuch(want page.OptionQuery, got page.OptionMatch) *Error {
	if got.Shown == 0 && len(got.Labels) == 0 && c.under != nil && c.under.Code == Covered {
		return c.under // usually by another field's list that is still open
	}
	return &Error{Code: NotFound, Message: "there is no " + optionName(want) + " in " + c.a.String(), Hint: optionsHint(got.Labels, got.More)}
}

// restoreText restores the field's text after a failed search, and adds to the
// error what the field holds now.
func (c *combo) restoreText(ctx context.Context, want page.OptionQuery, why *Error) *Error {
	now, err := c.holds(ctx)
	if err != nil {
		return why
	}
	if now != c.held && (now == "" || now == pagecontext.Flatten(want.Text())) {
		if err := c.write(ctx, c.g, c.held); err != nil {
			why.Message += fmt.Sprintf("; what was typed could not be taken out of its field: %s", err.Message)
			return why
		}
		if now, err = c.holds(ctx); err != nil {
			return why
		}
	}
	if now != "" {
		why.Message += fmt.Sprintf("; its field holds %q", short(now, 60))
	}
	return why
}

// closeAfterError closes a list that an error left open, if Escape does nothing
// else there (Closable); otherwise the error says that it is open.
func (c *combo) closeAfterError(ctx context.Context, why *Error) *Error {
	if !c.shut || !slices.Contains([]Code{NotFound, Disabled, Unsupported, Covered, NotVisible, StaleRef}, why.Code) || c.r.tab.Dialog() != nil {
		return why
	}
	open := func() (page.OptionMatch, bool) {
		got, err := c.pick(ctx, nobody)
		return got, err == nil && (got.Shown > 0 || got.Expanded)
	}
	got, is := open()
	if !is {
		return why
	}
	if got.Closable {
		var did *element

		if err := c.r.pressOn(ctx, c.w, c.r.looker(targetQuery{focused: true}, asKey("Escape")), keyboard.Named("Escape", 0), &did); err == nil {
			if got, err := c.await(ctx, nobody, enteredTime, func(p page.OptionMatch) bool { return p.Shown == 0 && !p.Expanded }); err == nil && got.Shown == 0 && !got.Expanded {
				return why
			}
		}
	}
	why.Message += "; it is open now"
	return why
}
