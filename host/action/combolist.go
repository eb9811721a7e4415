package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/safety"
)

// nobody is a query that matches no option, to see which options are there.
var nobody = page.OptionQuery{Label: "\x00"}

// open opens the list by a click, or else by ArrowDown, with and without Alt.
func (c *combo) open(ctx context.Context) *Error {
	some := func(p page.OptionMatch) bool { return p.Shown > 0 }
	open := func(p page.OptionMatch) bool { return some(p) || p.Search != nil || p.Popup == "grid" && p.Expanded }
	before, bad := page.Pick(ctx, c.a.frame, c.a.id, nobody)
	if bad != nil {
		return wrap("look for the list", bad)
	}
	err := c.click(ctx, c.g)
	if err != nil && !gonePast(err) {
		return err
	}
	c.under = err
	if d := c.r.tab.Dialog(); d != nil {
		return dialogOpen(d)
	}
	if err == nil {
		got, err := c.await(ctx, nobody, listTime, open)
		if err != nil || some(got) {
			return err
		}
		// It opened no list, or an empty one. No arrow is pressed, because in a calendar
		// it chooses another day.
		if got.Popup != "" {
			return nil
		}
		if got.Expanded && !before.Expanded && got.Search == nil { // what it opened may come late
			_, err := c.await(ctx, nobody, listTime, some)
			return err
		}
		if got.Search != nil { // it may show nothing before something is searched for
			_, err := c.await(ctx, nobody, suggestsTime, some)
			return err
		}
	}
	if c.a.facts.Tag != "input" || !c.a.facts.Editable {
		if ok, err := page.Focus(ctx, c.a.frame, c.a.id); err != nil || !ok {
			return nil //nolint:nilerr // the caller finds no options, and says so
		}
	} else if _, err := page.Focus(ctx, c.a.frame, c.a.id); err != nil {
		return wrap("focus "+c.a.String(), err)
	}
	// With Alt the arrow only opens; without Alt some controls choose the next option.
	for _, k := range []struct {
		mods int
		wait time.Duration
	}{{keyboard.Alt, altTime}, {0, listTime}} {
		var did *element
		if err := c.r.pressOn(ctx, c.w, c.r.looker(targetQuery{focused: true}, asKey("ArrowDown")), keyboard.Named("ArrowDown", k.mods), &did); err != nil {
			return err
		}
		if got, err := c.await(ctx, nobody, k.wait, some); err != nil || some(got) {
			return err
		}
	}
	return nil
}

// scrollTo looks for the option in a list that draws only what is in view.
func (c *combo) scrollTo(ctx context.Context, want page.OptionQuery, got page.OptionMatch) (page.OptionMatch, *Error) {
	ctx, end := c.r.longRun(ctx, untilTime)
	defer end()
	start := true
	shows := func(p page.OptionMatch) string { return fmt.Sprint(p.Shown, "\x00", strings.Join(p.Labels, "\x00")) }
	last := shows(got)
	still := 0
	for range maxListScrolls {
		moved, bad := page.ScrollList(ctx, c.a.frame, c.a.id, start)
		if bad != nil {
			return got, wrap("scroll the list", bad)
		}
		if !start && !moved {
			return got, nil
		}
		start = false
		// Rows are drawn after the scroll, on a busy machine some time after it:
		// scrolling on too early would miss rows.
		limit := drawTime
		if !moved {
			limit = 0
		} else if _, err := c.r.awaitFrame(ctx, c.a.frame, true); err != nil {
			return got, err
		}
		next, err := c.await(ctx, want, limit, func(p page.OptionMatch) bool { return p.Option != nil || shows(p) != last })
		if err != nil || next.Option != nil {
			return next, err
		}
		// One scroll that shows nothing new is not the end: a list that draws far
		// ahead shows the same rows after it.
		now := shows(next)
		if still++; now != last || !moved {
			still = 0
		}
		if still == maxStill {
			return next, nil
		}
		got, last = next, now
	}
	return got, nil
}

// drawTime is how long a list that draws its rows when it is scrolled may take.
const drawTime = time.Second

// maxStill is how many scrolls in a row may show nothing new before a list is given up.
const maxStill = 8

// staysSelected moves the mouse to another option and tells whether the wanted one
// is still selected: some lists mark the option under the pointer as selected.
func (c *combo) staysSelected(ctx context.Context, want page.OptionQuery, got page.OptionMatch) (bool, *Error) {
	r := c.r
	if got.Other == nil && !got.Multiple && len(c.took) > 0 {
		// The list leaves out chosen options, and this one is the last: the control
		// names the chosen ones, but not this one.
		now := c.readSelection(ctx, nil, func(page.Selection) bool { return true })
		if slices.ContainsFunc(c.took, func(label string) bool { return saysOption(now, label) }) && !saysOption(now, got.Option.Name) {
			return false, nil
		}
	}
	if got.Other == nil {
		return false, &Error{
			Code: Unsupported, Message: fmt.Sprintf("whether %s is chosen or only where the pointer is can't be told", optionName(want)),
			Hint: fmt.Sprintf("It is [%d]. Look at the page, and click it if it is not chosen.", r.page.IndexOf(c.a.frame, *got.Option)),
		}
	}
	asHover := func(_ *element, act *safety.Act) { act.Action, act.Params, act.Text = "hover", nil, "" }
	other := r.at(c.a.frame, *got.Other)
	err := r.withGate(ctx, gatedStep{look: r.looker(other, asHover), do: func(ctx context.Context, a *element) *Error {
		at, err := r.ready(ctx, a, "hover")
		if err != nil {
			return err
		}
		r.h.mouse = &at
		return r.ignoreNavigated(r.tab.Mouse(ctx, hittarget.Unguarded(), mouse{kind: browser.MouseMove, x: at.X, y: at.Y}), "move the mouse")
	}})
	if err != nil {
		return false, err
	}
	got, err = c.await(ctx, want, redrawTime, func(p page.OptionMatch) bool { return p.Option != nil && !p.Selected })
	return err == nil && got.Option != nil && got.Selected, err
}

// searchList types the wanted text into the search field of the list, and removes
// it again if no option matches.
func (c *combo) searchList(ctx context.Context, want page.OptionQuery, before page.OptionMatch) (page.OptionMatch, *Error) {
	g := c.r.at(c.a.frame, *before.Search)
	if err := c.write(ctx, g, want.Text()); err != nil {
		return before, err
	}
	got, err := c.await(ctx, want, suggestTime, func(p page.OptionMatch) bool { return p.Option != nil })
	if err != nil || got.Option != nil {
		return got, err
	}
	return before, c.write(ctx, g, "")
}

// typeListed writes the value of an option into a field with a datalist, whose
// list is the browser's own.
func (c *combo) typeListed(ctx context.Context, got page.Options, wishes []page.OptionQuery) *Error {
	if len(wishes) != 1 {
		return &Error{Code: InvalidParams, Message: c.a.String() + " takes one option only"}
	}
	want := wishes[0]
	var all []string
	for i, o := range got.Options {
		all = append(all, o.Label)
		t := want.Text()
		if want.Position != nil && *want.Position == i || want.Position == nil && (o.Value == t && want.Value != nil || strings.EqualFold(o.Label, t)) {
			if err := c.write(ctx, c.g, o.Value); err != nil {
				return err
			}
			return c.tell(ctx, []string{o.Value})
		}
	}
	return &Error{Code: NotFound, Message: "there is no " + optionName(want), Hint: optionsHint(all, got.More > 0)}
}
