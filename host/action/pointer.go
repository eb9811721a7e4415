package action

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// ClickParams are the parameters of click.
type ClickParams struct {
	Target
	X *float64 `json:"x,omitempty" jsonschema:"with y: a point in CSS pixels of the viewport, instead of an element"`
	Y *float64 `json:"y,omitempty"`

	Button    string   `json:"button,omitempty" jsonschema:"left if left out"`
	Clicks    *int     `json:"clicks,omitempty" jsonschema:"2 for a double click, 3 to select a paragraph"`
	Modifiers []string `json:"modifiers,omitempty" jsonschema:"held while clicking"`
}

// HoverParams are the parameters of hover.
type HoverParams struct {
	Target
	X *float64 `json:"x,omitempty" jsonschema:"with y: a point in CSS pixels of the viewport, instead of an element"`
	Y *float64 `json:"y,omitempty"`
}

func pointerActions() []declared {
	return []declared{
		declare(Spec{Name: "click", Family: "pointer", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true, Advanced: []string{"button", "clicks", "modifiers"}}, click,
			spec.Enum("button", "left", "right", "middle"), spec.Between("clicks", 1, 3), spec.Enum("modifiers", "ctrl", "alt", "shift", "meta")),
		declare(Spec{Name: "hover", Family: "pointer", Class: safety.Read, NeedsTab: true, MayChange: true, ModelVisible: true}, hover),
		declare(Spec{Name: "dragDrop", Family: "pointer", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true}, dragDrop),
	}
}

// click moves the mouse to the element, presses and releases a button
// (Input.dispatchMouseEvent), behind the guard. The presses of a double click are sent
// together, because pages recognize it by its timing. If the guard stopped the second
// one, because the first changed the page, the second is judged and sent separately.
func click(ctx context.Context, r *run, p ClickParams) *Error {
	g, err := goalOf(p.Target, p.X, p.Y)
	if err != nil {
		return err
	}
	b, err := pressOf(p.Button, p.Clicks, p.Modifiers)
	if err != nil {
		return err
	}
	g.kind, r.h.placed = "click", false
	var did *element
	w := r.watcher()
	defer w.close()
	look := func(ctx context.Context) (*element, safety.Act, *Error) { return r.sameLooker(g, did, b.noteMenu)(ctx) }
	for b.nth <= b.clicks && err == nil && w.dialog() == nil {
		err = r.withGate(ctx, gatedStep{look: look, guarded: true, do: func(ctx context.Context, a *element) *Error {
			err := r.clickElement(ctx, w, a, &b)
			if b.nth > 1 {
				did = a
			}
			return err
		}})
		if r.pressDone != nil {
			did, b.nth = r.pressDone, b.clicks+1
		}
	}
	if err != nil && (b.nth == 1 || err.Code != StaleRef && err.Code != NotFound) {
		return err
	}
	if e := r.report(ctx, w, did, b.verb(), did.label()); e != nil {
		return e
	}
	r.tellInside(ctx, did)
	if r.res.Effect == NoEffect && did.el.Current {
		r.res.Text += " It was current already."
	}
	if r.pressDone != nil {
		r.res.Text += " It answered the press itself; the click that follows a press was stopped."
	}
	if err != nil {
		why := err.Message
		if r.reached != "" {
			why = r.reached + " stands in its place now"
		}
		r.res.Text += fmt.Sprintf(" Only %d of %d clicks was sent, because the page changed: %s.", b.nth-1, b.clicks, why)
	}
	return nil
}

// clickElement presses an element that was resolved and judged.
func (r *run) clickElement(ctx context.Context, w *effectRecorder, a *element, b *press) *Error {
	if err := clickable(a); err != nil {
		return err
	}
	at, err := r.ready(ctx, a, "click")
	if err != nil {
		return err
	}
	if err := w.begin(ctx, a.frame); err != nil {
		return err
	}
	return r.guardedClick(ctx, w, a, at, b)
}

// mostInside is how many controls are named in a part that was pressed without effect.
const mostInside = 5

// tellInside names the controls in a row or part that was pressed without effect: one of
// them may be the intended one.
func (r *run) tellInside(ctx context.Context, a *element) {
	if r.res.Effect != NoEffect || a == nil || !holder[a.el.Role] {
		return
	}
	lctx, cancel := context.WithTimeout(ctx, frameTime)
	defer cancel()
	got, err := page.ListInside(lctx, a.frame, a.id, mostInside+1)
	if err != nil {
		return
	}
	var said []string
	for _, e := range got.Elements {
		if e.ID != a.id && !e.FrameOf && len(said) < mostInside {
			index := r.page.Tell(a.frame, e, got.Seen)
			said = append(said, pagecontext.Mention(pagecontext.Called(e.Role, e.Tag, safety.Redact(cmp.Or(e.Name, e.Text, e.Hint))), "", index))
		}
	}
	if len(said) > 0 {
		r.res.Text += " Inside it: " + strings.Join(said, ", ") + "."
	}
}

// holder are the roles of elements that may contain controls.
var holder = map[string]bool{"": true, "generic": true, "row": true, "listitem": true, "article": true, "group": true, "gridcell": true, "cell": true, "treeitem": true, "option": true}

func leftClick() *press { return &press{button: "left", clicks: 1, nth: 1} }

func pressOf(button string, clicks *int, modifiers []string) (press, *Error) {
	b := press{button: button, clicks: 1, nth: 1}
	if b.button == "" {
		b.button = "left"
	}
	if clicks != nil {
		b.clicks = *clicks
	}
	for _, m := range modifiers {
		bit, ok := keyboard.Modifier(m)
		if !ok {
			return b, &Error{Code: InvalidParams, Message: fmt.Sprintf("no modifier %q: use ctrl, alt, shift or meta", m)}
		}
		b.mods |= bit
	}
	return b, nil
}

// noteMenu sets act.Menu for the button that opens a context menu.
func (b *press) noteMenu(_ *element, act *safety.Act) { act.Menu = b.button == "right" }

// verb returns what was done, in full if it is not a plain click: shift-clicked.
func (b press) verb() string {
	v := "clicked"
	switch {
	case b.button != "left":
		v = b.button + "-clicked"
	case b.clicks == 2:
		v = "double-clicked"
	case b.clicks == 3:
		v = "triple-clicked"
	}
	return strings.Join(append(keyboard.ModifierNames(b.mods), v), "-")
}

// sameLooker is looker with an error if the node is not that of before.
func (r *run) sameLooker(g targetQuery, before *element, more ...func(*element, *safety.Act)) looking {
	look := r.looker(g, more...)
	if before == nil {
		return look
	}
	return func(ctx context.Context) (*element, safety.Act, *Error) {
		a, act, err := look(ctx)
		if err == nil && a.node() != before.node() {
			err = r.staleError(ctx, before, "something else is there now")
		}
		return a, act, err
	}
}

// afterLooker looks at a field that was just written, for the next part of the same act:
// at the same node, even if its name changed. With moved it looks at the focused element,
// because a line break may have moved the focus to the next block of an editor.
func (r *run) afterLooker(before *element, moved bool, more func(*element, *safety.Act)) looking {
	return func(ctx context.Context) (*element, safety.Act, *Error) {
		a, err := r.reresolve(ctx, before)
		if moved {
			if a, err = r.byFocus(ctx); err == nil && !isEditor(a) {
				err = r.staleError(ctx, before, "something else has the keyboard now")
			}
		}
		if err != nil {
			return nil, safety.Act{}, err
		}
		act, err := r.act(ctx, a)
		if err == nil {
			more(a, &act)
		}
		return a, act, err
	}
}

// reresolve returns the current facts of a node.
func (r *run) reresolve(ctx context.Context, before *element) (*element, *Error) {
	got, err := page.Resolve(ctx, before.frame, page.Locator{ID: before.id})
	if err != nil {
		return nil, wrap("look at "+before.String(), err)
	}
	if got.Error != nil {
		return nil, r.staleError(ctx, before, got.Error.Message)
	}
	a := elementOf(before.frame, got)
	a.index, a.entry, a.alone, a.focused = before.index, before.entry, before.alone, before.focused
	return a, nil
}

// ListData is Error.Data of a click on a list that only select reaches.
type ListData struct {
	Index   int      `json:"index"`
	Options []string `json:"options,omitempty"`
}

// clickable returns an error for clicks that open a window of the system or the browser,
// which the page and the other actions can't reach.
func clickable(a *element) *Error {
	switch {
	case a.el.Tag == "input" && a.facts.Tag == "input" && a.facts.Type == "file":
		return &Error{Code: Unsupported, Message: "a click on " + a.String() + " opens a window of the system", Hint: fmt.Sprintf("Use uploadFile with index %d and the path of the file.", a.index)}
	case a.facts.Tag == "select" && a.el.Role == "combobox":
		e := &Error{
			Code: Unsupported, Message: "the list of " + a.String() + " is no part of the page", Hint: "Use select with the value.",
			Data: ListData{Index: a.index, Options: a.el.Options},
		}
		if len(a.el.Options) > 0 {
			e.Hint = "Use select with one of: " + strings.Join(a.el.Options, ", ") + "."
		}
		return e
	}
	return nil
}

// hover moves the mouse over the element; nothing is pressed.
func hover(ctx context.Context, r *run, p HoverParams) *Error {
	return r.moveTo(ctx, p.Target, p.X, p.Y, "hovered")
}

// moveTo moves the mouse to an element or a point; a held button stays
// held.
func (r *run) moveTo(ctx context.Context, t Target, x, y *float64, verb string) *Error {
	g, err := goalOf(t, x, y)
	if err != nil {
		return err
	}
	var did *element
	w := r.watcher()
	w.hovers = verb == "hovered"
	defer w.close()
	err = r.withGate(ctx, gatedStep{look: r.looker(g), do: func(ctx context.Context, a *element) *Error {
		did = a
		at, err := r.ready(ctx, a, "hover")
		if err != nil {
			return err
		}
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		r.res.Sent = true
		r.h.mouse = &at
		return w.race(ctx, func(ctx context.Context) *Error {
			return r.ignoreNavigated(r.tab.Mouse(ctx, hittarget.Unguarded(), mouse{kind: browser.MouseMove, x: at.X, y: at.Y}), "move the mouse")
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, verb, did.label())
}

// looking resolves the target of an act anew and gathers the facts.
type looking func(context.Context) (*element, safety.Act, *Error)

// looker is the usual look of an action on one element.
func (r *run) looker(g targetQuery, more ...func(*element, *safety.Act)) looking {
	return func(ctx context.Context) (*element, safety.Act, *Error) {
		a, err := r.resolve(ctx, g)
		if err != nil {
			return nil, safety.Act{}, err
		}
		act, err := r.act(ctx, a)
		if err != nil {
			return nil, safety.Act{}, err
		}
		for _, m := range more {
			m(a, &act)
		}
		return a, act, nil
	}
}
