package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/host/browser"
	"tabwright/safety"
)

// ClickParams are the parameters of click.
type ClickParams struct {
	Target
	X *float64 `json:"x,omitempty" jsonschema:"with y: a point in CSS pixels of the viewport, instead of an element"`
	Y *float64 `json:"y,omitempty"`
}

// HoverParams are the parameters of hover.
type HoverParams struct {
	Target
	X *float64 `json:"x,omitempty" jsonschema:"with y: a point in CSS pixels of the viewport, instead of an element"`
	Y *float64 `json:"y,omitempty"`
}

// DragDropParams are the parameters of dragDrop.
type DragDropParams struct {
	From XY `json:"from" jsonschema:"the point to press at"`
	To   XY `json:"to" jsonschema:"the point to let go at"`
}

func pointerActions() []Spec {
	return []Spec{
		declare(Spec{Name: "click", Family: "pointer", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true}, click),
		declare(Spec{Name: "hover", Family: "pointer", Class: safety.Read, NeedsTab: true, MayChange: true, ModelVisible: true}, hover),
		declare(Spec{Name: "dragDrop", Family: "pointer", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true}, dragDrop),
	}
}

// click moves the mouse to the element, presses and releases the left button
// (Input.dispatchMouseEvent), behind the guard.
func click(ctx context.Context, r *run, p ClickParams) *Error {
	g, err := goalOf(p.Target, p.X, p.Y)
	if err != nil {
		return err
	}
	var did *aim
	w := r.watcher()
	defer w.close()
	err = r.gated(ctx, plan{look: r.looker(g), do: func(ctx context.Context, a *aim) *Error {
		did = a
		if err := clickable(a); err != nil {
			return err
		}
		at, err := r.ready(ctx, a, "click")
		if err != nil {
			return err
		}
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		return r.guarded(ctx, w, a, "pointer", func(ctx context.Context) *Error {
			return r.clickAt(ctx, a, at)
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "clicked", did.label())
}

// clickable refuses clicks that open a window of the system or the browser,
// where nothing of the page and none of the other actions reaches.
func clickable(a *aim) *Error {
	switch {
	case a.facts.Tag == "input" && a.facts.Type == "file":
		return &Error{Code: Unsupported, Message: "a click on " + a.String() + " opens a window of the system", Hint: "Use uploadFile with the path of the file."}
	case a.facts.Tag == "select" && a.el.Role == "combobox":
		e := &Error{Code: Unsupported, Message: "the list of " + a.String() + " is no part of the page", Hint: "Use select with the value."}
		if len(a.el.Options) > 0 {
			e.Hint = "Use select with one of: " + strings.Join(a.el.Options, ", ") + "."
		}
		return e
	}
	return nil
}

// hover moves the mouse over the element; nothing is pressed.
func hover(ctx context.Context, r *run, p HoverParams) *Error {
	g, err := goalOf(p.Target, p.X, p.Y)
	if err != nil {
		return err
	}
	var did *aim
	w := r.watcher()
	defer w.close()
	err = r.gated(ctx, plan{look: r.looker(g), do: func(ctx context.Context, a *aim) *Error {
		did = a
		at, err := r.ready(ctx, a, "hover")
		if err != nil {
			return err
		}
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		r.res.Sent = true
		return w.race(ctx, func(ctx context.Context) *Error {
			return wrap("move the mouse", r.tab.Mouse(ctx, mouse{kind: browser.MouseMove, x: at.X, y: at.Y}))
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "hovered", did.label())
}

// dragSteps is how many moves lie between press and release: libraries start a
// drag only after the mouse has moved some pixels, and look at each step.
const dragSteps = 8

// dragDrop presses at one point, moves in steps, and releases at another. Both
// ends are judged; the guard knows the element that is dragged.
func dragDrop(ctx context.Context, r *run, p DragDropParams) *Error {
	var did *aim
	var end *aim
	look := func(ctx context.Context) (*aim, safety.Act, *Error) {
		a, err := r.resolve(ctx, goal{at: &p.From})
		if err != nil {
			return nil, safety.Act{}, err
		}
		b, err := r.resolve(ctx, goal{at: &p.To})
		if err != nil {
			return nil, safety.Act{}, err
		}
		act, err := r.act(ctx, a)
		drop := b.facts
		act.Drop = &drop
		end = b
		*r.object = forPeople(r.s.o.Lang, b.String())
		return a, act, err
	}
	w := r.watcher()
	defer w.close()
	err := r.gated(ctx, plan{look: look, do: func(ctx context.Context, a *aim) *Error {
		did = a
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		return r.guardedDrop(ctx, w, a, end, "drag", func(ctx context.Context) *Error {
			return r.drag(ctx, p.From, p.To)
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "dragged", fmt.Sprintf("%s to %s", did.label(), end.label()))
}

// looker is the usual look of an action on one element.
func (r *run) looker(g goal, more ...func(*aim, *safety.Act)) func(context.Context) (*aim, safety.Act, *Error) {
	return func(ctx context.Context) (*aim, safety.Act, *Error) {
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
