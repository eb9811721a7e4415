package action

import (
	"context"
	"slices"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/host/browser"
)

// mods returns the modifier keys that keyDown left held.
func (h *held) mods() int {
	mods := 0
	for _, name := range h.keys {
		if bit, ok := keyboard.Modifier(name); ok {
			mods |= bit
		}
	}
	return mods
}

// modifiedTab is a tab with keys held by keyDown: the modifiers among them apply to
// all input sent to it.
type modifiedTab struct {
	tab
	h *held
}

func (t modifiedTab) Mouse(ctx context.Context, l hittarget.Lease, m mouse) error {
	m.mods |= t.h.mods()
	return t.tab.Mouse(ctx, l, m)
}

func (t modifiedTab) Send(ctx context.Context, l hittarget.Lease, list []input) error {
	mods := t.h.mods()
	list = slices.Clone(list)
	for i, in := range list {
		switch {
		case in.mouse != nil:
			m := *in.mouse
			m.mods |= mods
			list[i].mouse = &m
		case in.key != nil:
			k := *in.key
			k.Modifiers |= mods
			list[i].key = &k
		}
	}
	return t.tab.Send(ctx, l, list)
}

// releaseHeldInput releases the keys and the mouse button that keyDown and mouseDown
// left held in a tab, when its session ends or the tab is the user's again. It leaves
// that to an act that is still running. A key that would press something on release
// (Space, Enter) presses nothing, and the button is released outside the page, so that
// no click follows.
func (s *Session) releaseHeldInput(ctx context.Context, h *held) {
	select {
	case s.acting <- struct{}{}:
		defer func() { <-s.acting }()
	default:
		return
	}
	if h.tab == nil || h.tab.Dialog() != nil || h.pressed == nil && len(h.keys) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), frameTime)
	defer cancel()
	var list []input
	if h.pressed != nil {
		list = append(list, input{mouse: &mouse{kind: browser.MouseUp, x: -1, y: -1, button: h.pressed.button, clicks: 1}})
	}
	for _, name := range h.keys {
		if c, err := keyboard.Parse(name, nil); err == nil {
			list = append(list, keyInput(c.Event(true)))
		}
	}
	h.pressed, h.keys = nil, nil
	fs, err := h.tab.Frames(ctx)
	if err != nil {
		s.o.Log.Debug().Err(err).Msg("the keys that go up are not guarded")
	}
	const token = "hands"
	for _, f := range fs {
		_, _ = page.Arm(ctx, f, page.Guard{Token: token, Kind: "key", MS: frameTime.Milliseconds()}) // a frame that goes away has nothing to guard
	}
	if err := h.tab.Send(ctx, hittarget.Unguarded(), list); err != nil {
		s.o.Log.Warn().Err(err).Msg("what was held could not be let go")
	}
	for _, f := range fs {
		_, _ = page.Disarm(ctx, f, token, nil) // it ends by itself, else
	}
}

// pressed is a mouse button that is held down.
type pressed struct {
	on     *element
	button string
}
