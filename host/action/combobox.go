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
	// listTime is how long a list may take to open, suggestTime how long
	// suggestions for typed text may take to come.
	listTime    = 1500 * time.Millisecond
	suggestTime = 4 * time.Second
	// suggestsTime is how long a field with suggestions may take to open its list
	// before anything is typed: most open none.
	suggestsTime = 200 * time.Millisecond
	// chosenTime is how long a combobox may take to show what was chosen.
	chosenTime = 700 * time.Millisecond
	// altTime is how long a list may take to open by Alt and an arrow: most support that key.
	altTime = 400 * time.Millisecond
	// growTime is how long to wait for another option in a list that grows.
	growTime = 400 * time.Millisecond
	// maxGrown bounds the number of these waits, for a list that keeps changing.
	maxGrown = 40
	// maxListScrolls bounds the search in a list that draws only what is in view.
	maxListScrolls = 300
	// optionTries is how often an option is tried that was redrawn before the
	// click: such lists reuse their rows.
	optionTries = 4
	// redrawTime is the longest wait for the frame in which a list draws its rows
	// after a scroll.
	redrawTime = 64 * time.Millisecond
)

// combo is one run of choosing in an ARIA combobox or list box.
type combo struct {
	r *run
	w *effectRecorder
	g targetQuery
	a *element
	// was is the control's value before, many says that several options are wanted.
	was  string
	many bool
	// took are the labels of the options chosen so far.
	took []string
	// shut says that the list was closed before, held is the field's text then,
	// wrote says that text was written into it.
	shut, wrote bool
	held        string
	// under is the error of the click that should open the list.
	under *Error
}

// optionName returns the name of a wanted option for results.
func optionName(w page.OptionQuery) string {
	if w.Position != nil {
		return fmt.Sprintf("option %d", *w.Position)
	}
	return fmt.Sprintf("option %q", short(w.Text(), 60))
}

// chooseListed chooses where the options are part of the page: it opens the list,
// finds the option and clicks it. It scrolls lists that draw only what is in view,
// and types into fields with suggestions. Each click passes the gate like any
// other.
func (r *run) chooseListed(ctx context.Context, w *effectRecorder, g targetQuery, wishes []page.OptionQuery) *Error {
	a, err := r.resolve(ctx, g)
	if err != nil {
		return err
	}
	c := &combo{r: r, w: w, g: g, a: a, many: len(wishes) > 1}
	got, err := r.offers(ctx, a)
	if err != nil && err.Code == Unsupported && len(wishes) == 1 && wishes[0].Text() != "" && mayRestore(a) {
		return c.chooseSuggestion(ctx, wishes[0])
	}
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

// mayRestore tells whether the facts have the whole text of a field, so that it can be written again: of one line, no
// secret, and not cut.
func mayRestore(a *element) bool {
	return a.facts.Editable && a.facts.Tag == "input" && a.facts.Secret == "" && len([]rune(a.facts.Value)) < toldUpTo
}

// chooseSuggestion chooses in a text field that shows a list of suggestions only while one types, and
// nothing else says that it has any. If none come, the field gets its text back.
func (c *combo) chooseSuggestion(ctx context.Context, want page.OptionQuery) *Error {
	c.held, c.was, c.wrote = c.a.facts.Value, c.a.facts.Value, true
	if err := c.write(ctx, c.g, want.Text()); err != nil {
		return err
	}
	sctx, cancel := context.WithTimeout(ctx, suggestTime)
	defer cancel()
	for {
		a, err := c.r.resolve(ctx, c.g)
		if err != nil {
			return err
		}
		c.a = a
		if _, err = c.r.offers(ctx, a); err == nil {
			break
		}
		if err.Code != Unsupported {
			return c.restoreText(ctx, want, err)
		}
		if !c.r.tick(sctx) {
			return c.restoreText(ctx, want, &Error{
				Code: Unsupported, Message: fmt.Sprintf("%s has no options, and suggests none for %q", a.String(), short(want.Text(), 60)),
				Hint: "Choose a select, combobox or list box, or type into this field.",
			})
		}
	}
	label, err := c.choose(ctx, want)
	if err != nil {
		return c.closeAfterError(ctx, err)
	}
	return c.tell(ctx, []string{label})
}

// tell reports the chosen options, and the value that the control shows.
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
	// A list that closes may still mark the former choice.
	isStale := !slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(now.Selected, short(l, 60)) || !saysOption(now, l) })
	if len(now.Selected) > 0 && !isStale {
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
		if chosen := short(pagecontext.Flatten(said), 120); !slices.Contains(r.became, chosen) {
			r.res.Text += fmt.Sprintf(" Chosen now: %q.", chosen)
		}
	}
	r.res.Data = data
	return nil
}

// quoteLabels returns the labels quoted, separated by commas.
func quoteLabels(labels []string) string {
	out := make([]string, len(labels))
	for i, l := range labels {
		out[i] = fmt.Sprintf("%q", short(l, 60))
	}
	return strings.Join(out, ", ")
}

// saysOption tells whether the control's value contains an option's label.
func saysOption(n page.Selection, label string) bool {
	return strings.Contains(n.Value, short(label, 60))
}

// readSelection reads the control's selection until enough accepts it, or chosenTime has passed.
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
		// Our own pointer can make it look selected, too.
		if got.Selected && (got.Multiple || c.many) && !pointed {
			if !got.Current {
				return o.Name, nil // a click would deselect it
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
		// Some lists choose on mouse down, and have removed the option before the click.
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

// findInGrowingList looks for the option again while the number of options changes:
// in a list that unfolds or is filled bit by bit, or where another list was open
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

// openSuggestions opens the list of a field with suggestions: by a click, or else
// by typing the wanted text, which is removed again if no list opens.
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

// typeForOption types the wanted text and waits for a matching option.
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
		// Opening the list may redraw the control.
		a, err := c.r.resolve(ctx, c.g)
		if err != nil {
			return got, err
		}
		c.a = a
	}
	return got, nil
}

// await looks for the option until enough accepts the match, or limit has passed.
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

// click clicks the control or an option; the gate judges it as a click.
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

// write replaces the text of a field: the combobox itself, or the search field of its list.
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
