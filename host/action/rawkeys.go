package action

import (
	"context"
	"slices"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/safety"
)

// KeyParams are the parameters of keyDown and keyUp.
type KeyParams struct {
	Key string `json:"key" jsonschema:"name or character of the key, as in pressKey: Shift, Control, a, ArrowDown"`
}

// FocusParams are the parameters of focus.
type FocusParams struct{ Target }

func rawKeyActions() []declared {
	raw := func(name string) Spec {
		return Spec{Name: name, Family: "keyboard", Class: safety.Write, NeedsTab: true, MayChange: true, NoTarget: "it goes to what has the focus and takes no target: use focus first"}
	}
	focused := Spec{Name: "focus", Family: "keyboard", Class: safety.Read, NeedsTab: true, MayChange: true}
	return []declared{
		declare(raw("keyDown"), func(ctx context.Context, r *run, p KeyParams) *Error { return rawKey(ctx, r, p, false) }),
		declare(raw("keyUp"), func(ctx context.Context, r *run, p KeyParams) *Error { return rawKey(ctx, r, p, true) }),
		declare(focused, focusOn),
	}
}

// rawKey sends one half of a key press (Input.dispatchKeyEvent). Both halves are judged
// as the whole press, because pages act on either.
func rawKey(ctx context.Context, r *run, p KeyParams, up bool) *Error {
	c, bad := keyboard.Parse(p.Key, nil)
	if bad != nil {
		return &Error{Code: InvalidParams, Message: bad.Error()}
	}
	c = c.With(r.h.mods())
	if bit, ok := keyboard.Modifier(c.Key.Key); ok {
		c.Mods |= bit
		if up {
			c.Mods &^= bit
		}
	}
	*r.object = c.Key.Key
	var did *element
	w := r.watcher()
	defer w.close()
	judged := func(_ *element, act *safety.Act) { act.Key = c.String() }
	err := r.withGate(ctx, gatedStep{look: r.looker(targetQuery{focused: true}, judged), do: func(ctx context.Context, a *element) *Error {
		did = a
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		return r.sendGuarded(ctx, w, a, "key", func(ctx context.Context, l hittarget.Lease) *Error {
			r.res.Sent = true
			r.h.keys = slices.DeleteFunc(r.h.keys, func(name string) bool {
				k, _ := keyboard.Find(name)
				return k.Code == c.Key.Code
			})
			if !up {
				r.h.keys = append(r.h.keys, c.Key.Key)
			}
			return r.ignoreNavigated(r.tab.Key(ctx, l, c.Event(up)), "send a key")
		})
	}})
	if err != nil {
		return err
	}
	verb := "pressed and held"
	if up {
		verb = "let go"
	}
	return r.report(ctx, w, did, verb, c.Key.Key+" on "+did.label())
}

// focusOn focuses an element without a click.
func focusOn(ctx context.Context, r *run, p FocusParams) *Error {
	if !p.isSet() {
		return noTarget()
	}
	var did *element
	w := r.watcher()
	defer w.close()
	err := r.withGate(ctx, gatedStep{look: r.looker(targetQuery{Target: p.Target}), do: func(ctx context.Context, a *element) *Error {
		did = a
		if err := w.start(ctx, a.frame); err != nil {
			return err
		}
		if err := r.still(ctx, a); err != nil {
			return err
		}
		r.res.Sent = true
		return w.race(ctx, func(ctx context.Context) *Error {
			ok, err := page.Focus(ctx, a.frame, a.id)
			if err != nil {
				return r.ignoreNavigated(err, "focus "+a.String())
			}
			if !ok {
				r.res.Sent = false
				return &Error{Code: Unsupported, Message: a.String() + " does not take the focus", Hint: "Choose a field, a button or a link."}
			}
			return nil
		})
	}})
	if err != nil {
		return err
	}
	return r.report(ctx, w, did, "focused", did.label())
}

func noTarget() *Error {
	return &Error{Code: InvalidParams, Message: "no target: give the index, ref or selector of the element"}
}
