package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// SelectParams are the parameters of select; one of value, values, label and
// position is needed.
type SelectParams struct {
	Target
	Value string `json:"value,omitempty" jsonschema:"value, label or position (0, 1, …) of the option"`

	Values   []string `json:"values,omitempty" jsonschema:"several options at once, each by value, label or position"`
	Label    string   `json:"label,omitempty" jsonschema:"the option by its label only"`
	Position *int     `json:"position,omitempty" jsonschema:"the option by its position from 0 only"`
}

// GetOptionsParams are the parameters of getOptions.
type GetOptionsParams struct{ Target }

// maxOptions is how many options are listed at once.
const maxOptions = 500

func formActions() []declared {
	options := Spec{Name: "getOptions", Family: "forms", Class: safety.Read, NeedsTab: true, MayChange: true, Strong: true}
	check := Spec{Name: "check", Family: "forms", Class: safety.Write, NeedsTab: true, MayChange: true, Strong: true}
	uncheck := check
	uncheck.Name = "uncheck"
	return append([]declared{
		declare(Spec{Name: "select", Family: "forms", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true, Advanced: []string{"values", "label", "position"}, Needed: []string{"value"}}, selectOption, spec.Between("position", 0, 1e6)),
		declare(options, getOptions),
		declare(check, func(ctx context.Context, r *run, p CheckParams) *Error { return setChecked(ctx, r, p, true) }),
		declare(uncheck, func(ctx context.Context, r *run, p CheckParams) *Error { return setChecked(ctx, r, p, false) }),
	}, fileInputActions()...)
}

func (p SelectParams) wishes() ([]page.OptionQuery, string) {
	var out []page.OptionQuery
	var said []string
	one := func(v string) {
		out = append(out, page.OptionQuery{Value: &v})
		said = append(said, fmt.Sprintf("%q", short(v, 60)))
	}
	switch {
	case len(p.Values) > 0:
		for _, v := range p.Values {
			one(v)
		}
	case p.Label != "":
		out, said = []page.OptionQuery{{Label: p.Label}}, []string{fmt.Sprintf("%q", short(p.Label, 60))}
	case p.Position != nil:
		out, said = []page.OptionQuery{{Position: p.Position}}, []string{fmt.Sprintf("option %d", *p.Position)}
	case p.Value != "":
		one(p.Value)
	}
	return out, strings.Join(said, ", ")
}

// selectOption chooses an option of a field. In a native select the extractor sets
// the options and fires input and change, because the list that opens is not part
// of the page. The list of an ARIA combobox is part of it, and is opened and
// clicked.
func selectOption(ctx context.Context, r *run, p SelectParams) *Error {
	if !p.isSet() {
		return &Error{Code: InvalidParams, Message: "no target: give the index, ref or selector of the select"}
	}
	wishes, said := p.wishes()
	if len(wishes) == 0 {
		return &Error{Code: InvalidParams, Message: "no option: give value, values, label or position", Hint: `Call it again as select {index, value}.`}
	}
	*r.object = said
	g := targetQuery{Target: p.Target}
	w := r.watcher()
	defer w.close()
	a, err := r.resolve(ctx, g)
	switch {
	case err != nil:
		return err
	case settable(a) && len(wishes) == 1 && wishes[0].Value != nil:
		return r.setField(ctx, w, g, "selected", *wishes[0].Value)
	case isStepper(a) && len(wishes) == 1 && wishes[0].Value != nil:
		return r.setByKeys(ctx, w, g, "selected", *wishes[0].Value)
	case a.facts.Tag != "select":
		return r.chooseListed(ctx, w, g, wishes)
	}
	return r.chooseNative(ctx, w, g, wishes)
}

// chooseNative sets the options of a native select.
func (r *run) chooseNative(ctx context.Context, w *effectRecorder, g targetQuery, wishes []page.OptionQuery) *Error {
	var did *element
	var seen, chosen page.Chose
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		a, act, err := r.looker(g)(ctx)
		if err == nil && a.facts.Tag == "select" {
			// The gate judges the text of the options, which the caller may have named by another value.
			seen, err = r.callChoose(ctx, a, page.Choose{ID: a.id, Wishes: wishes, Look: true})
			act.Text = strings.Join(seen.All(), "\n")
		}
		return a, act, err
	}
	err := r.withGate(ctx, gatedStep{look: look, do: func(ctx context.Context, a *element) *Error {
		did = a
		if a.facts.Tag != "select" {
			return r.staleError(ctx, a, "it was a select")
		}
		return r.put(ctx, w, a, func(ctx context.Context) *Error {
			got, err := r.callChoose(ctx, a, page.Choose{ID: a.id, Wishes: wishes, Expect: seen.All()})
			if err != nil {
				r.res.Sent = false
				if err.Code == StaleRef {
					return errMoved
				}
				return err
			}
			chosen = got
			return nil
		})
	}})
	if err != nil {
		return err
	}
	if len(chosen.Labels) > 0 {
		labels := make([]string, len(chosen.Labels))
		for i, l := range chosen.Labels {
			labels[i] = fmt.Sprintf("%q", short(pagecontext.Flatten(l), 60))
		}
		*r.object = strings.Join(labels, ", ")
	}
	return r.report(ctx, w, did, "selected", *r.object+" in "+did.label())
}

// callChoose calls choose of the extractor.
func (r *run) callChoose(ctx context.Context, a *element, o page.Choose) (page.Chose, *Error) {
	got, err := page.ChooseOptions(ctx, a.frame, o)
	if err != nil {
		return got, r.ignoreNavigated(err, "choose the option")
	}
	if got.Error == nil {
		return got, nil
	}
	e := r.extractorErr(a.frame, got.Error)
	if len(a.el.Options) > 0 && e.Code != InvalidParams {
		e.Hint = "Its options: " + strings.Join(a.el.Options, ", ") + "."
	}
	return got, e
}

// Choice is one option, as getOptions lists it. Index is there for options that
// are elements of the page and can be clicked.
type Choice struct {
	Position int    `json:"position"`
	Index    int    `json:"index,omitempty"`
	Ref      string `json:"ref,omitempty"`
	Value    string `json:"value"`
	Label    string `json:"label"`
	Group    string `json:"group,omitempty"`
	Selected bool   `json:"selected"`
	Disabled bool   `json:"disabled"`
}

func (r *run) offers(ctx context.Context, a *element) (page.Options, *Error) {
	var got page.Options
	ask := func() *Error {
		var err error
		got, err = page.OptionsOf(ctx, a.frame, a.id, maxOptions)
		return wrap("read the options of "+a.String(), err)
	}
	if err := ask(); err != nil {
		return got, err
	}
	// Only its listeners may show that an open element is a list.
	if f, ok := a.frame.(interface{ Hear(context.Context) error }); ok && got.Error != nil && got.Error.Code == string(Unsupported) && a.facts.Editable {
		if err := f.Hear(ctx); err != nil {
			return got, wrap("look at "+a.String(), err)
		}
		if err := ask(); err != nil {
			return got, err
		}
	}
	if got.Error != nil {
		return got, r.extractorErr(a.frame, got.Error)
	}
	return got, nil
}

// getOptions lists the options of a select, combobox or list box. A list that
// exists only while open is opened, and left open for the next act.
func getOptions(ctx context.Context, r *run, p GetOptionsParams) *Error {
	opened := false
	return r.readOne(ctx, p.Target, func(ctx context.Context, a *element) *Error {
		got, err := r.offers(ctx, a)
		if err != nil {
			if err.Code == Unsupported {
				err.Message = a.String() + " has no options of its own"
				err.Hint = "If it opens a list, click it: what opens is told with indices, and an option is chosen by clicking it."
			}
			return err
		}
		if !got.Native && len(got.Options) == 0 {
			w := r.watcher()
			defer w.close()
			c := &combo{r: r, w: w, g: targetQuery{Target: p.Target}, a: a}
			if err := c.open(ctx); err != nil {
				return err
			}
			opened, a = true, c.a
			if got, err = r.offers(ctx, a); err != nil {
				return err
			}
		}
		list := make([]Choice, len(got.Options))
		var lines []string
		for i, o := range got.Options {
			c := Choice{
				Position: i, Value: pagecontext.Flatten(o.Value), Label: pagecontext.Flatten(o.Label), Group: pagecontext.Flatten(o.Group),
				Selected: o.Selected, Disabled: o.Disabled,
			}
			if o.ID > 0 {
				c.Index = r.page.Tell(a.frame, pagecontext.RawElement{ID: o.ID, Tag: "", Role: o.Role, Name: o.Label}, got.Seen)
				c.Ref = pagecontext.FormatRef(c.Index)
			}
			list[i] = c
			lines = append(lines, c.line())
		}
		*r.object = fmt.Sprint(len(list) + got.More)
		r.res.Data = map[string]any{"options": list, "native": got.Native, "open": got.Open, "multiple": got.Multiple, "total": len(list) + got.More, "opened": opened}
		head := fmt.Sprintf("OK: %d options of %s", len(list)+got.More, a.label())
		switch {
		case len(list) == 0:
			head = "OK: " + a.label() + " shows no options"
		case opened:
			head += ", whose list was opened for it and stays open"
		case got.Multiple:
			head += ", several may be chosen"
		}
		r.res.Text, _ = fitLines(head+":", lines, listBudget, "each can be chosen by its label")
		return nil
	})
}

func (c Choice) line() string {
	var b strings.Builder
	if c.Index > 0 {
		b.WriteString("option ")
	} else {
		fmt.Fprintf(&b, "%d: ", c.Position)
	}
	fmt.Fprintf(&b, "%q", c.Label)
	if c.Value != "" && c.Value != c.Label {
		fmt.Fprintf(&b, " (value %s)", c.Value)
	}
	if c.Group != "" {
		fmt.Fprintf(&b, " in %q", c.Group)
	}
	if c.Selected {
		b.WriteString(" selected")
	}
	if c.Disabled {
		b.WriteString(" disabled")
	}
	if c.Index > 0 {
		fmt.Fprintf(&b, " [%d]", c.Index)
	}
	return b.String()
}
