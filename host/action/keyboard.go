package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/safety"
)

// TypeParams are the parameters of type.
type TypeParams struct {
	Target
	Text  string `json:"text" jsonschema:"what to type; a line break in a one-line field presses Enter"`
	Clear *bool  `json:"clear,omitempty" jsonschema:"replace the text of the field (true) or add to it (false, the default)"`

	Submit *bool `json:"submit,omitempty" jsonschema:"press Enter afterwards"`
}

// PressKeyParams are the parameters of pressKey.
type PressKeyParams struct {
	Key       string   `json:"key" jsonschema:"Enter, Tab, Escape, Backspace, Delete, ArrowDown, PageDown, Home, F5, a, A, …"`
	Modifiers []string `json:"modifiers,omitempty" jsonschema:"held while the key is pressed"`
}

func keyboardActions() []declared {
	return []declared{
		declare(Spec{Name: "type", Family: "keyboard", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true, Advanced: []string{"submit"}}, typeText),
		declare(Spec{Name: "pressKey", NoTarget: "it goes to what has the focus and takes no target: click the element first", Family: "keyboard", Class: safety.Write, NeedsTab: true, MayChange: true, ModelVisible: true}, pressKey,
			spec.Enum("modifiers", "ctrl", "alt", "shift", "meta")),
	}
}

// typeText focuses a field and types into it with real key events. Without a target
// it types into the field with the keyboard focus, which a page that draws its own
// text may keep invisible. A line break in a one-line field is Enter: it is judged
// separately, after the text was typed, because it may submit a form.
func typeText(ctx context.Context, r *run, p TypeParams) *Error {
	g := targetQuery{Target: p.Target, kind: "type", focused: !p.isSet()}
	r.h.placed = r.h.placed && !p.isSet()
	fill, bad := r.s.readPlaceholder(p.Text)
	if bad != nil {
		return bad
	}
	r.fill = fill
	text := strings.ReplaceAll(p.Text, "\r\n", "\n")
	mods := r.h.mods()
	if mods&^keyboard.Shift != 0 {
		return &Error{
			Code: InvalidParams, Message: "modifier keys are held, and each character would be a shortcut",
			Hint: "Let them go with keyUp first, or press single keys with pressKey.",
		}
	}
	if mods != 0 && fill == nil {
		text = keyboard.ShiftedText(text)
	}
	body, enter := text, false
	holds := "" // if that is not what was typed
	var did *element
	w := r.watcher()
	defer w.close()
	first, bad := r.resolve(ctx, g)
	switch {
	case bad != nil || fill != nil:
	case settable(first):
		return r.setField(ctx, w, g, "typed", text)
	case isStepper(first):
		return r.setByKeys(ctx, w, g, "typed", text)
	}
	judged := func(a *element, act *safety.Act) {
		body = text
		if enter = !multiline(a) && strings.HasSuffix(text, "\n"); enter {
			body = strings.TrimRight(text, "\n")
		}
		enter = enter || p.Submit != nil && *p.Submit
		act.Text = body
		*r.object = fmt.Sprintf("%q", short(shownText(a, body), 60))
	}
	look := r.looker(g, judged)
	err := r.withGate(ctx, gatedStep{guarded: true, look: func(ctx context.Context) (*element, safety.Act, *Error) {
		a := first
		var act safety.Act
		var err *Error
		if first = nil; a == nil {
			a, act, err = look(ctx)
		} else {
			act, err = r.act(ctx, a)
			judged(a, &act)
		}
		if err == nil && fill != nil {
			err = r.fits(fill, a)
		}
		did = a
		return a, act, err
	}, do: func(ctx context.Context, a *element) *Error {
		if err := writable(a); err != nil {
			if a.focused {
				err.Message = "no target was given, and what has the keyboard is no field: " + err.Message
			}
			return err
		}
		if !multiline(a) && strings.Contains(body, "\n") {
			return &Error{Code: InvalidParams, Message: "the text has several lines and " + a.String() + " takes one"}
		}
		if !a.focused {
			if _, err := r.ready(ctx, a, "type"); err != nil {
				return err
			}
		}
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		w.more = enter
		what := body
		switch {
		case fill != nil:
			what = fill.value
			r.s.registerSecret(fill.value, strings.TrimSpace(body))
		case a.facts.Secret != "":
			r.s.registerSecret(body, "•••")
		}
		if fill != nil || a.facts.Secret != "" {
			g, err := r.typeInto(ctx, w, a, what, isOn(p.Clear))
			if err == nil && !g.report.WentOn && r.maskIgnored(ctx, w, a, what) {
				err = r.fillGap(ctx, w, a, what)
			}
			switch {
			case err != nil:
				err = g.fullRow(err)
			case !g.report.WentOn:
				err = r.secretHolds(ctx, w, a, what)
			}
			return err
		}
		parts, err := r.segments(ctx, a, what)
		if err == nil && len(parts) > 0 {
			return r.typeSegments(ctx, w, a, parts)
		}
		if err == nil {
			holds, err = r.replaceText(ctx, w, a, what, isOn(p.Clear))
		}
		return err
	}})
	w.more = false
	if err == errExplained && enter && writable(did) == nil { // else Enter is never reached
		return r.pressOn(ctx, w, r.sameLooker(g, did, asKey("Enter"), withText(body, isOn(p.Clear))), keyboard.Named("Enter", 0), &did)
	}
	if err != nil {
		return err
	}
	*r.object = fmt.Sprintf("%q", short(shownText(did, body), 60))
	said := *r.object + " into " + did.label() + holds
	if enterKey := keyboard.Named("Enter", 0).With(mods); enter {
		if err := r.pressOn(ctx, w, r.afterLooker(did, isEditor(did) && strings.Contains(body, "\n"), asKey(enterKey.String())), enterKey, &did); err != nil {
			err.Message = "the text stands in the field, but Enter was not pressed: " + err.Message
			return err
		}
		said += andEnter
	}
	return r.report(ctx, w, did, "typed", said)
}

// multiline tells whether the field accepts line breaks.
func multiline(a *element) bool { return a.facts.Tag != "input" && a.facts.Tag != "select" }

// pressKey presses a key on what has the focus. Enter and Space there are
// judged as what they trigger.
func pressKey(ctx context.Context, r *run, p PressKeyParams) *Error {
	c, bad := keyboard.Parse(p.Key, p.Modifiers)
	if bad != nil {
		return &Error{Code: InvalidParams, Message: bad.Error()}
	}
	c = c.With(r.h.mods())
	*r.object = c.String()
	var did *element
	w := r.watcher()
	defer w.close()
	if err := r.pressOn(ctx, w, r.looker(targetQuery{focused: true}, asKey(c.String())), c, &did); err != nil {
		return err
	}
	r.h.placed = true
	return r.report(ctx, w, did, "pressed", fmt.Sprintf("%s on %s", c, did.label()))
}

// withText makes an act that is only explained judged as if the text were in its
// field, and in the form that is sent with it.
func withText(text string, clear bool) func(*element, *safety.Act) {
	return func(_ *element, act *safety.Act) {
		t := act.Target
		if t == nil || t.Secret != "" {
			return
		}
		old, now := t.Value, text
		if !clear {
			now = old + text
		}
		if t.Form != nil {
			form := *t.Form
			form.Fields = slices.Clone(form.Fields)
			i := slices.IndexFunc(form.Fields, func(f safety.Field) bool {
				return f.Value == old && f.Secret == "" && (f.Label == t.Label || f.Label == t.Name)
			})
			if i >= 0 {
				form.Fields[i].Value = now
			}
			t.Form = &form
		}
		t.Value = now
	}
}

// asKey makes an act judged as the press of a key.
func asKey(key string) func(*element, *safety.Act) {
	return func(_ *element, act *safety.Act) { act.Action, act.Key = "pressKey", key }
}

// pressOn sends a chord to what a look finds, which must have the focus.
func (r *run) pressOn(ctx context.Context, w *effectRecorder, look looking, c keyboard.Chord, did **element) *Error {
	var next *element
	return r.withGate(ctx, gatedStep{guarded: true, look: func(ctx context.Context) (*element, safety.Act, *Error) {
		a, act, err := look(ctx)
		if err == nil {
			if next, err = r.nextRadio(ctx, a, c); next != nil {
				act.Action, act.Key, act.Target = "click", "", &next.facts
			}
		}
		return a, act, err
	}, do: func(ctx context.Context, a *element) *Error {
		*did = a
		if err := w.begin(ctx, a.frame); err != nil {
			return err
		}
		g, err := r.install(ctx, w, guardRequest{a: a, kind: "key", next: next})
		if err == nil {
			err = g.send(ctx, func(ctx context.Context) *Error { return r.press(ctx, g.Lease(), c) })
		}
		if err == errMissed {
			err = r.otherHitError(ctx, a)
		}
		return err
	}})
}

// nextRadio returns the radio button that an arrow key on a selects, so that the key is
// judged as that press; nil if there is none.
func (r *run) nextRadio(ctx context.Context, a *element, c keyboard.Chord) (*element, *Error) {
	if a.facts.Type != "radio" && a.facts.Role != "radio" && a.facts.Role != "menuitemradio" || !strings.HasPrefix(c.Key.Key, "Arrow") || c.Mods&^keyboard.Shift != 0 {
		return nil, nil
	}
	got, err := page.NextRadio(ctx, a.frame, a.id, c.Key.Key)
	if err != nil {
		return nil, wrap("look beside "+a.String(), err)
	}
	if got.ID == 0 {
		return nil, nil
	}
	return elementOf(a.frame, got), nil
}
