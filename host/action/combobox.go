package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
	"tabwright/safety"
)

const (
	// listTime is how long a list may take to open, suggestTime how long one
	// that follows what is typed may take to come.
	listTime    = 1500 * time.Millisecond
	suggestTime = 4 * time.Second
	// suggestsTime is how long the list of a field that suggests as one types may
	// take to open before anything is typed: most do not.
	suggestsTime = 200 * time.Millisecond
	// chosenTime is how long a combobox may take to show what was chosen.
	chosenTime = 700 * time.Millisecond
	// altTime is how long a list may take to open by Alt and an arrow: few know no such key.
	altTime = 400 * time.Millisecond
	// growTime is how long a list that unfolds may show no further option.
	growTime = 400 * time.Millisecond
	// maxGrown bounds that for a list that never comes to rest.
	maxGrown = 40
	// maxListScrolls bounds the search in a list that draws only what is in view.
	maxListScrolls = 300
	// optionTries is how often an option is looked for again that was drawn anew
	// before the click: such lists use their rows again.
	optionTries = 4
	// redrawTime is how long the frame in which a list draws its rows after a
	// scroll is waited for, where none comes.
	redrawTime = 64 * time.Millisecond
)

// combo is one run of choosing in an ARIA combobox or list box.
type combo struct {
	r *run
	w *effectRecorder
	g targetQuery
	a *element
	// was is what the control said before, many that several options are wanted.
	was  string
	many bool
	// took are the options that were chosen already.
	took []string
	// shut is whether the list was closed before, held what the field held then,
	// wrote that words were written into it.
	shut, wrote bool
	held        string
	// under is why it could not be clicked to open its list.
	under *Error
}

// optionName is how a result calls an option that is wanted.
func optionName(w page.OptionQuery) string {
	if w.Position != nil {
		return fmt.Sprintf("option %d", *w.Position)
	}
	return fmt.Sprintf("option %q", short(w.Text(), 60))
}

// chooseListed chooses where the options are a part of the page: it opens the
// list, finds the option, in lists that draw only what is in view by scrolling
// and in fields that suggest by typing, and clicks it. Each click passes the
// gate like any other.
func (r *run) chooseListed(ctx context.Context, w *effectRecorder, g targetQuery, wishes []page.OptionQuery) *Error {
	a, err := r.resolve(ctx, g)
	if err != nil {
		return err
	}
	c := &combo{r: r, w: w, g: g, a: a, many: len(wishes) > 1}
	got, err := r.offers(ctx, a)
	switch {
	case err != nil && err.Code == Unsupported:
		err.Message = a.String() + " has no options"
		err.Hint = "Choose a select, combobox or list box. Of another control, click it to open its list, then click the option."
		return err
	case err != nil:
		return err
	case got.Native:
		return c.typeListed(ctx, got, wishes)
	case len(wishes) > 1 && got.Open && !got.Multiple:
		return &Error{Code: InvalidParams, Message: a.String() + " takes one option only"}
	}
	before, err := c.pick(ctx, nobody)
	if err != nil {
		return err
	}
	c.shut, c.held = before.Shown == 0 && !before.Expanded, c.a.facts.Value
	c.was = c.readSelection(ctx, nil, func(page.Selection) bool { return true }).Value
	for _, want := range wishes {
		label, err := c.choose(ctx, want)
		if err != nil {
			if len(c.took) > 0 {
				err.Message += "; chosen before it: " + quoteLabels(c.took)
			}
			return c.closeAfterError(ctx, err)
		}
		c.took = append(c.took, label)
	}
	return c.tell(ctx, c.took)
}

// tell reports what was chosen, and what the control itself says of it.
func (c *combo) tell(ctx context.Context, labels []string) *Error {
	r := c.r
	*r.object = quoteLabels(labels)
	now := c.readSelection(ctx, labels, func(n page.Selection) bool {
		return len(n.Next) > 0 || slices.ContainsFunc(labels, func(l string) bool { return saysOption(n, l) || slices.Contains(n.Selected, short(l, 60)) })
	})
	verb := "selected"
	if len(now.Next) > 0 && now.Value == c.was {
		verb = "opened"
	}
	if err := r.report(ctx, c.w, c.a, verb, *r.object+" in "+c.a.label()); err != nil {
		return err
	}
	data := map[string]any{"labels": now.Selected, "value": now.Value}
	said := now.Value
	if len(now.Selected) > 0 {
		said = strings.Join(now.Selected, ", ")
	}
	if len(now.Next) > 0 {
		r.res.Text += fmt.Sprintf(" It shows what belongs to it: %s. Select one of those in the same control next.", strings.Join(now.Next, ", "))
		data["next"] = now.Next
	}
	switch {
	case verb == "opened":
	case said != "" && said == c.was && len(now.Selected) == 0 && (c.a.el.Role == "combobox" || c.a.el.HasPopup == "listbox") && !slices.ContainsFunc(labels, func(l string) bool { return saysOption(now, l) }):
		r.res.Text += fmt.Sprintf(" But it says %q as before: look whether the option was taken.", short(pagecontext.Flatten(said), 120))
	case said != "":
		r.res.Text += fmt.Sprintf(" Chosen now: %q.", short(pagecontext.Flatten(said), 120))
	}
	r.res.Data = data
	return nil
}

// quoteLabels is how options are named.
func quoteLabels(labels []string) string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = fmt.Sprintf("%q", short(l, 60))
	}
	return strings.Join(out, ", ")
}

// saysOption tells whether the control's own words name an option.
func saysOption(n page.Selection, label string) bool {
	return strings.Contains(n.Value, short(label, 60))
}

// readSelection reads what the control shows of the options that were pressed, until that is enough.
func (c *combo) readSelection(ctx context.Context, labels []string, enough func(page.Selection) bool) page.Selection {
	var now page.Selection
	cctx, cancel := context.WithTimeout(ctx, chosenTime)
	defer cancel()
	for {
		if c.r.tab.Dialog() != nil {
			return now
		}
		got, err := page.Chosen(cctx, c.a.frame, c.a.id, labels)
		if err != nil {
			return now
		}
		now = got
		if enough(now) || !c.r.tick(cctx) {
			return now
		}
	}
}

func optionsHint(labels []string, more bool) string {
	if len(labels) == 0 {
		return "It shows no options; look at the page."
	}
	s := "Its options: " + strings.Join(labels[:min(len(labels), 20)], ", ")
	if more || len(labels) > 20 {
		s += " and more"
	}
	return s + "."
}

// choose finds one option and clicks it.
func (c *combo) choose(ctx context.Context, want page.OptionQuery) (string, *Error) {
	pointed := false
	for try := 1; ; try++ {
		got, err := c.find(ctx, want)
		if err == errNoList {
			return c.enter(ctx, want)
		}
		if err != nil {
			return "", err
		}
		o := got.Option
		if !o.Enabled {
			return "", &Error{Code: Disabled, Message: fmt.Sprintf("the option %q is disabled", o.Name)}
		}
		// It is called so too where our own pointer has come to it.
		if got.Selected && (got.Multiple || c.many) && !pointed {
			if !got.Current {
				return o.Name, nil // a click would take it away
			}
			stays, err := c.staysSelected(ctx, want, got)
			if err != nil || stays {
				return o.Name, err
			}
		}
		if !o.Visible && try < optionTries {
			// Scrolling to it makes some lists use its row for another option.
			if _, err := page.IntoView(ctx, c.a.frame, o.ID, false); err != nil {
				return "", wrap("scroll to the option", err)
			}
			if _, err := page.Drawn(ctx, c.a.frame, redrawTime); err != nil {
				return "", wrap("scroll to the option", err)
			}
			got, err = c.await(ctx, want, listTime, func(p page.OptionMatch) bool { return p.Option != nil && p.Option.Visible })
			if err != nil {
				return "", err
			}
			if o = got.Option; o == nil {
				continue
			}
		}
		pointed = true
		before := c.r.res.Sent
		c.r.res.Sent = false
		err = c.click(ctx, c.r.at(c.a.frame, *o))
		pressed := c.r.res.Sent
		c.r.res.Sent = before || pressed
		if err == nil {
			return o.Name, nil
		}
		// Some lists choose with the press itself, and have let go of it by its click.
		if says := func(n page.Selection) bool {
			return o.Name != "" && (saysOption(n, o.Name) || slices.Contains(n.Selected, short(o.Name, 60)))
		}; pressed && err.Code == StaleRef && says(c.readSelection(ctx, []string{o.Name}, says)) {
			return o.Name, nil
		}
		if err.Code == NotVisible && !pressed && try < optionTries { // a list that is fading away
			if _, bad := c.await(ctx, want, listTime, func(p page.OptionMatch) bool { return p.Shown == 0 }); bad != nil {
				return "", bad
			}
			continue
		}
		if try == optionTries || pressed || err.Code != StaleRef && err.Code != NotFound && !gonePast(err) {
			return "", err
		}
	}
}

// find opens the list, if need be, and looks for the option in it. A field that
// suggests as one types is typed into before its list is waited for.
func (c *combo) find(ctx context.Context, want page.OptionQuery) (page.OptionMatch, *Error) {
	got, err := c.pick(ctx, want)
	if err != nil || got.Option != nil && got.Shown == 0 { // it is chosen, and so no longer in the list
		return got, err
	}
	text := want.Text()
	typed := text == "" || !c.a.facts.Editable
	if got.Popup == "grid" && typed {
		return got, c.noList(got)
	}
	if got.Shown == 0 && got.Suggests && !typed && got.Popup == "" {
		if got, typed, err = c.openSuggestions(ctx, want); err != nil || got.Option != nil {
			return got, err
		}
	}
	if got.Shown == 0 {
		if err := c.open(ctx); err != nil {
			return got, err
		}
		if got, err = c.pick(ctx, want); err != nil {
			return got, err
		}
	}
	if got.Shown == 0 && got.Popup != "" && got.Search == nil {
		if typed {
			return got, c.noList(got)
		}
		return got, errNoList
	}
	if got.Option == nil && got.More {
		if got, err = c.scrollTo(ctx, want, got); err != nil {
			return got, err
		}
	}
	if got, err = c.findInGrowingList(ctx, want, got); err != nil {
		return got, err
	}
	if got.Option == nil && !typed {
		if got, err = c.typeForOption(ctx, want, suggestTime); err != nil {
			return got, err
		}
	}
	if got.Option == nil && got.Search != nil && text != "" {
		if got, err = c.searchList(ctx, want, got); err != nil {
			return got, err
		}
	}
	if got.Option == nil {
		err := c.noSuch(want, got)
		if c.wrote {
			err = c.restoreText(ctx, want, err)
		}
		return got, err
	}
	return got, nil
}

// findInGrowingList looks for the option again in a list that unfolds, or is filled bit by bit:
// it shows another number of them with each look; fewer where another list was open
// before.
func (c *combo) findInGrowingList(ctx context.Context, want page.OptionQuery, got page.OptionMatch) (page.OptionMatch, *Error) {
	var err *Error
	for looks := 0; err == nil && got.Option == nil && got.Shown > 0 && got.Search == nil && looks < maxGrown; looks++ {
		before := got.Shown
		got, err = c.await(ctx, want, growTime, func(p page.OptionMatch) bool { return p.Option != nil || p.Shown != before })
		if got.Shown == before {
			break
		}
	}
	return got, err
}

// openSuggestions opens the list of a field that suggests as one types: by a click,
// and where that shows none, by the words that are wanted. What was typed in
// vain is taken out again.
func (c *combo) openSuggestions(ctx context.Context, want page.OptionQuery) (got page.OptionMatch, typed bool, err *Error) {
	if err := c.click(ctx, c.g); err != nil {
		return got, false, err
	}
	if d := c.r.tab.Dialog(); d != nil {
		return got, false, dialogOpen(d)
	}
	got, err = c.await(ctx, want, suggestsTime, func(p page.OptionMatch) bool { return p.Shown > 0 })
	if err != nil || got.Shown > 0 {
		return got, false, err
	}
	if got, err = c.typeForOption(ctx, want, suggestTime); err != nil || got.Shown > 0 {
		return got, true, err
	}
	return got, true, c.write(ctx, c.g, "")
}

// typeForOption types the words that are wanted and waits for an option of theirs.
func (c *combo) typeForOption(ctx context.Context, want page.OptionQuery, limit time.Duration) (page.OptionMatch, *Error) {
	c.wrote = true
	if err := c.write(ctx, c.g, want.Text()); err != nil {
		return page.OptionMatch{}, err
	}
	return c.await(ctx, want, limit, func(p page.OptionMatch) bool { return p.Option != nil })
}

func (c *combo) pick(ctx context.Context, want page.OptionQuery) (page.OptionMatch, *Error) {
	got, err := page.Pick(ctx, c.a.frame, c.a.id, want)
	if err != nil {
		return got, wrap("look for the option", err)
	}
	if got.Error != nil {
		if got.Error.Code != string(StaleRef) {
			return got, c.r.extractorErr(c.a.frame, got.Error)
		}
		// Opening it may draw the control anew.
		a, err := c.r.resolve(ctx, c.g)
		if err != nil {
			return got, err
		}
		c.a = a
	}
	return got, nil
}

// await looks until something is so, or the time runs out.
func (c *combo) await(ctx context.Context, want page.OptionQuery, limit time.Duration, enough func(page.OptionMatch) bool) (page.OptionMatch, *Error) {
	actx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		if err := c.w.answerAll(ctx); err != nil {
			return page.OptionMatch{}, err
		}
		got, err := c.pick(ctx, want)
		if err != nil || enough(got) || !c.r.tick(actx) {
			return got, err
		}
	}
}

// click clicks an element of the choice; it is judged as that click.
func (c *combo) click(ctx context.Context, g targetQuery) *Error {
	r := c.r
	asClick := func(_ *element, act *safety.Act) { act.Action, act.Params, act.Text = "click", nil, "" }
	return r.withGate(ctx, gatedStep{look: r.looker(g, asClick), do: func(ctx context.Context, a *element) *Error {
		if err := clickable(a); err != nil {
			return err
		}
		at, err := r.ready(ctx, a, "click")
		if err != nil {
			return err
		}
		if err := c.w.begin(ctx, a.frame); err != nil {
			return err
		}
		c.w.more = true // the list is waited for by itself
		return r.guardedClick(ctx, c.w, a, at, leftClick())
	}})
}

// write replaces what a field holds: the combobox itself, or that of its list.
func (c *combo) write(ctx context.Context, g targetQuery, text string) *Error {
	r := c.r
	asType := func(_ *element, act *safety.Act) { act.Action, act.Params, act.Text = "type", nil, text }
	return r.withGate(ctx, gatedStep{look: r.looker(g, asType), do: func(ctx context.Context, a *element) *Error {
		if err := writable(a); err != nil {
			return err
		}
		if _, err := r.ready(ctx, a, "type"); err != nil {
			return err
		}
		if err := c.w.begin(ctx, a.frame); err != nil {
			return err
		}
		c.w.more = true // the list is waited for by itself
		_, err := r.typeInto(ctx, c.w, a, text, true)
		return err
	}})
}
