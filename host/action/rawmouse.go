package action

import (
	"context"
	"fmt"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/spec"
	"tabwright/host/browser"
	"tabwright/safety"
)

// MouseParams are the parameters of mouseMove.
type MouseParams struct {
	Target
	X *float64 `json:"x,omitempty" jsonschema:"with y: a point in CSS pixels of the viewport, instead of an element"`
	Y *float64 `json:"y,omitempty"`
}

// MouseButtonParams are the parameters of mouseDown and mouseUp.
type MouseButtonParams struct {
	Target
	X *float64 `json:"x,omitempty" jsonschema:"with y: a point in CSS pixels of the viewport; where the mouse is if nothing is given"`
	Y *float64 `json:"y,omitempty"`

	Button    string   `json:"button,omitempty" jsonschema:"left if left out"`
	Modifiers []string `json:"modifiers,omitempty" jsonschema:"held meanwhile"`
}

func mouseActions() []declared {
	raw := func(name string, class safety.Class) Spec {
		return Spec{Name: name, Family: "pointer", Class: class, NeedsTab: true, MayChange: true}
	}
	button := []spec.Tune{spec.Enum("button", "left", "right", "middle"), spec.Enum("modifiers", "ctrl", "alt", "shift", "meta")}
	return []declared{
		declare(raw("mouseMove", safety.Read), mouseMove),
		declare(raw("mouseDown", safety.Write), mouseDown, button...),
		declare(raw("mouseUp", safety.Write), mouseUp, button...),
	}
}

// mouseMove moves the mouse; a held button stays held.
func mouseMove(ctx context.Context, r *run, p MouseParams) *Error {
	return r.moveTo(ctx, p.Target, p.X, p.Y, "moved the mouse to")
}

// mouseGoal returns the target of mouseDown and mouseUp: the one that was named, or the
// element under the mouse.
func (r *run) mouseGoal(p MouseButtonParams) (targetQuery, *Error) {
	if p.isSet() || p.X != nil && p.Y != nil {
		return goalOf(p.Target, p.X, p.Y)
	}
	if r.h.mouse == nil {
		return targetQuery{}, &Error{Code: InvalidParams, Message: "no target: give ref, index, selector or a point, or move the mouse first"}
	}
	at := *r.h.mouse
	return targetQuery{at: &at}, nil
}

// mouseDown presses a button and holds it. It is judged as the click that it
// may become.
func mouseDown(ctx context.Context, r *run, p MouseButtonParams) *Error {
	b, err := pressOf(p.Button, nil, p.Modifiers)
	if err != nil {
		return err
	}
	g, err := r.mouseGoal(p)
	if err != nil {
		return err
	}
	if r.h.pressed != nil {
		return &Error{Code: InvalidParams, Message: fmt.Sprintf("the %s button is down already", r.h.pressed.button), Hint: "Let it go with mouseUp first."}
	}
	*r.object = b.button
	var did *element
	w := r.watcher()
	defer w.close()
	err = r.withGate(ctx, gatedStep{look: r.looker(g, b.noteMenu), do: func(ctx context.Context, a *element) *Error {
		did = a
		if err := clickable(a); err != nil {
			return err
		}
		at, err := r.ready(ctx, a, "hover")
		if err != nil {
			return err
		}
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		return r.sendGuarded(ctx, w, a, "pointer", func(ctx context.Context, l hittarget.Lease) *Error {
			at, err := r.moveMouseTo(ctx, a, at, "hover", func(at XY) *Error {
				r.h.mouse = &at
				return r.ignoreNavigated(r.tab.Mouse(ctx, l, mouse{kind: browser.MouseMove, x: at.X, y: at.Y, mods: b.mods}), "move the mouse")
			})
			if err != nil {
				return err
			}
			r.res.Sent = true
			r.h.pressed = &pressed{on: a, button: b.button}
			return r.ignoreNavigated(r.tab.Mouse(ctx, l, mouse{kind: browser.MouseDown, x: at.X, y: at.Y, button: b.button, clicks: 1, mods: b.mods}), "press the button")
		})
	}})
	if err != nil {
		r.letGo(ctx)
		return err
	}
	return r.report(ctx, w, did, "pressed the "+b.button+" button on", did.label())
}

// letGo releases a button whose press the guard stopped: the page did not see the press,
// but the browser holds the button down.
func (r *run) letGo(ctx context.Context) {
	held := r.h.pressed
	if held == nil || r.h.mouse == nil || r.tab.Dialog() != nil {
		return
	}
	r.h.pressed = nil
	uctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTime)
	defer cancel()
	g, bad := r.install(uctx, nil, guardRequest{a: held.on, kind: "pointer"})
	if bad != nil {
		return
	}
	_ = r.tab.Mouse(uctx, g.Lease(), mouse{kind: browser.MouseUp, x: -1, y: -1, button: held.button, clicks: 1})
	g.remove(uctx, frameTime, false)
}

// mouseUp releases the button. On the element that was pressed, it completes a click and
// is judged as one again; elsewhere it is a drop, and judged by the element
// there.
func mouseUp(ctx context.Context, r *run, p MouseButtonParams) *Error {
	held := r.h.pressed
	if p.Button == "" && held != nil {
		p.Button = held.button
	}
	b, err := pressOf(p.Button, nil, p.Modifiers)
	if err != nil {
		return err
	}
	g, err := r.mouseGoal(p)
	if err != nil {
		return err
	}
	*r.object = b.button
	var did *element
	w := r.watcher()
	defer w.close()
	look := r.looker(g)
	if held != nil && held.button == b.button && held.on != nil {
		look = r.looker(g, b.noteMenu)
	}
	err = r.withGate(ctx, gatedStep{look: look, do: func(ctx context.Context, a *element) *Error {
		did = a
		at, err := r.ready(ctx, a, "hover")
		if err != nil {
			return err
		}
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		send := func(ctx context.Context, l hittarget.Lease) *Error {
			r.h.mouse = &at
			if err := r.tab.Mouse(ctx, l, mouse{kind: browser.MouseMove, x: at.X, y: at.Y, mods: b.mods}); err != nil {
				return r.ignoreNavigated(err, "move the mouse")
			}
			r.res.Sent = true
			r.h.pressed = nil
			return r.ignoreNavigated(r.tab.Mouse(ctx, l, mouse{kind: browser.MouseUp, x: at.X, y: at.Y, button: b.button, clicks: 1, mods: b.mods}), "let the button go")
		}
		if held == nil || held.on.node() == a.node() {
			return r.sendGuarded(ctx, w, a, "pointer", send)
		}
		return r.guardedDrop(ctx, w, a, a, "drag", send)
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "let the "+b.button+" button go on", did.label())
}
