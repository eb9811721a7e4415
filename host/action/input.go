package action

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

const (
	// readyTime is how long an element may take to become visible, still and
	// uncovered.
	readyTime = 5 * time.Second
	// followTries and followTime are how often and how long an element is
	// followed that moves away when the mouse comes.
	followTries = 3
	followTime  = 300 * time.Millisecond
	// guardTime is the life of an armed guard: longer than any one act takes.
	guardTime = 15 * time.Second
	// frameTime bounds a small call into a frame.
	frameTime = 2 * time.Second
	// keysUpTo is how many characters are typed key by key; the rest of a
	// longer text is inserted at once.
	keysUpTo = 200
)

// readyOnce scrolls the element into view and waits until it is visible, still,
// enabled and hit in its own frame; it gives the point in coordinates of the
// main frame.
func (r *run) readyOnce(ctx context.Context, a *aim, kind string) (XY, *Error) {
	return r.readyWithin(ctx, a, kind, readyTime)
}

func (r *run) readyWithin(ctx context.Context, a *aim, kind string, limit time.Duration) (XY, *Error) {
	x, y, ok := a.frame.Offset(ctx)
	if !ok {
		return XY{}, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	if a.point != nil {
		return XY{a.point.X + x, a.point.Y + y}, nil
	}
	var got struct {
		Point XY              `json:"point"`
		Error *extractorError `json:"error"`
	}
	arg := map[string]any{"id": a.id, "kind": kind, "timeoutMs": limit.Milliseconds()}
	if err := a.frame.Call(ctx, "ready", arg, &got); err != nil {
		return XY{}, wrap("get "+a.String()+" ready", err)
	}
	if got.Error != nil {
		if got.Error.Code == string(StaleRef) {
			return XY{}, r.moved(ctx, a, got.Error.Message)
		}
		return XY{}, r.extractorErr(a.frame, got.Error)
	}
	// Scrolling the element into view may have moved its frame.
	if x, y, ok = a.frame.Offset(ctx); !ok {
		return XY{}, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	return XY{got.Point.X + x, got.Point.Y + y}, nil
}

// moved is the error for a target that became another at the last moment; an
// action is never sent to what came in its place.
func (r *run) moved(ctx context.Context, a *aim, why string) *Error {
	e := a.entry
	if e.Index == 0 {
		e = pagecontext.Entry{
			Index: a.index, FrameID: a.frame.ID(), Document: a.frame.Document(), LocalID: a.id, Tag: a.el.Tag, Role: a.el.Role,
			Name: a.el.Name, Group: a.el.Group, Rect: a.el.Rect, PageRev: r.tab.PageRev(), URL: a.frame.URL(),
		}
	}
	return r.stale(ctx, r.page.Stale(pagecontext.FormatRef(a.index), e, why), e)
}

// still reports whether the node and its facts are what was judged; for acts
// that no input event carries and so no guard can stop.
func (r *run) still(ctx context.Context, a *aim) *Error {
	var got resolved
	if err := a.frame.Call(ctx, "resolve", locator{ID: a.id}, &got); err != nil {
		return r.gone(err, "look at "+a.String())
	}
	if got.Error != nil {
		return r.moved(ctx, a, got.Error.Message)
	}
	if got.Target.Fingerprint != a.facts.Fingerprint {
		return errMoved
	}
	return nil
}

// gone is wrap for calls into a page that the act itself may have replaced.
func (r *run) gone(err error, doing string) *Error {
	if errors.Is(err, browser.ErrDocumentGone) {
		return nil // it navigated; the effect says so
	}
	return wrap(doing, err)
}

// clickAt moves the mouse there, looks again what lies under it, and presses.
// Where the element was pushed aside meanwhile (a banner came, a list grew) it
// is followed; nothing was pressed yet.
func (r *run) clickAt(ctx context.Context, a *aim, at XY, b press) *Error {
	for try := 1; ; try++ {
		r.h.mouse = &at
		if err := r.tab.Mouse(ctx, mouse{kind: browser.MouseMove, x: at.X, y: at.Y, mods: b.mods}); err != nil {
			return r.gone(err, "move the mouse")
		}
		err := r.hits(ctx, a, at)
		if err == nil {
			break
		}
		if try == followTries || err.Code != Covered {
			return err
		}
		now, bad := r.readyWithin(ctx, a, "click", followTime)
		if bad != nil || now == at {
			return err
		}
		at = now
	}
	r.res.Sent = true
	for _, kind := range []string{browser.MouseDown, browser.MouseUp} {
		if err := r.tab.Mouse(ctx, mouse{kind: kind, x: at.X, y: at.Y, button: b.button, clicks: b.nth, mods: b.mods}); err != nil {
			return r.gone(err, "click")
		}
	}
	return nil
}

// hits asks whether the point still hits the judged node: pages answer the
// mouse's arrival with menus and tooltips, and some with another button.
func (r *run) hits(ctx context.Context, a *aim, at XY) *Error {
	x, y, ok := a.frame.Offset(ctx)
	if !ok {
		return &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown any more"}
	}
	var got struct {
		OK    bool                    `json:"ok"`
		Cover *pagecontext.RawElement `json:"cover"`
	}
	arg := map[string]any{"id": a.id, "x": at.X - x, "y": at.Y - y}
	if err := a.frame.Call(ctx, "hits", arg, &got); err != nil {
		return wrap("look what is under the mouse", err)
	}
	if got.OK {
		return nil
	}
	var alive resolved
	if err := a.frame.Call(ctx, "resolve", locator{ID: a.id}, &alive); err != nil || alive.Error != nil {
		return r.moved(ctx, a, "it went away when the mouse came")
	}
	return r.extractorErr(a.frame, &extractorError{Code: string(Covered), Message: a.String() + " is covered", Cover: got.Cover})
}

// drag presses at one point and releases at another, with moves between.
func (r *run) drag(ctx context.Context, from, to XY) *Error {
	step := func(kind string, x, y float64, button string) *Error {
		clicks := 0
		if kind != browser.MouseMove {
			clicks = 1
		}
		return r.gone(r.tab.Mouse(ctx, mouse{kind: kind, x: x, y: y, button: button, clicks: clicks}), "drag")
	}
	if err := step(browser.MouseMove, from.X, from.Y, ""); err != nil {
		return err
	}
	r.res.Sent = true
	if err := step(browser.MouseDown, from.X, from.Y, "left"); err != nil {
		return err
	}
	for i := 1; i <= dragSteps; i++ {
		k := float64(i) / dragSteps
		if err := step(browser.MouseMove, from.X+(to.X-from.X)*k, from.Y+(to.Y-from.Y)*k, "left"); err != nil {
			return err
		}
	}
	return step(browser.MouseUp, to.X, to.Y, "left")
}

// focus gives a field the keyboard by a click, as a person does; where the
// click does not focus it (a label in the way, a field within a widget), the
// extractor does.
func (r *run) focus(ctx context.Context, w *watching, a *aim, at XY) *Error {
	if f, err := r.byFocus(ctx); err == nil && f.node() == a.node() {
		return nil
	}
	if err := r.guarded(ctx, w, a, "pointer", func(ctx context.Context) *Error {
		return r.clickAt(ctx, a, at, press{button: "left", clicks: 1, nth: 1})
	}); err != nil {
		return err
	}
	if d := w.dialog(); d != nil {
		return dialogOpen(d)
	}
	if f, err := r.byFocus(ctx); err == nil && f.node() == a.node() {
		return nil
	}
	var ok struct {
		OK bool `json:"ok"`
	}
	if err := a.frame.Call(ctx, "focus", map[string]int{"id": a.id}, &ok); err != nil {
		return wrap("focus "+a.String(), err)
	}
	if !ok.OK {
		return &Error{Code: NotEditable, Message: a.String() + " does not take the focus"}
	}
	return nil
}

// clearField selects what a field holds, so that typing replaces it; without
// text to type it is deleted.
func (r *run) clearField(ctx context.Context, a *aim, clear, erase bool) *Error {
	if !clear {
		return nil
	}
	var ok struct {
		OK bool `json:"ok"`
	}
	if err := a.frame.Call(ctx, "selectText", map[string]int{"id": a.id}, &ok); err != nil {
		return wrap("select the text of "+a.String(), err)
	}
	if erase && ok.OK {
		r.res.Sent = true
		return r.press(ctx, chord{key: namedKeys["Backspace"]})
	}
	return nil
}

// typeInto types with real keys; the guard knows that they change the value.
func (r *run) typeInto(ctx context.Context, w *watching, a *aim, text string) *Error {
	if text == "" {
		return nil
	}
	return r.guarded(ctx, w, a, "key", func(ctx context.Context) *Error { return r.keys(ctx, a, text) })
}

// keys types each character by its key, and inserts those without a key.
func (r *run) keys(ctx context.Context, a *aim, text string) *Error {
	n := 0
	for i, c := range text {
		if n++; n > keysUpTo {
			return r.insert(ctx, text[i:])
		}
		switch k, ok := charKeys[string(c)]; {
		case c == '\n':
			// Enter in a text field of a chat sends it; a line break is what was
			// asked for, and Shift+Enter makes one everywhere.
			if a.facts.Tag == "textarea" {
				if err := r.insert(ctx, "\n"); err != nil {
					return err
				}
				continue
			}
			if err := r.press(ctx, chord{key: namedKeys["Enter"], mods: modShift}); err != nil {
				return err
			}
		case ok:
			ch := chord{key: k}
			if k.Shift {
				ch.mods = modShift
			}
			if err := r.stroke(ctx, ch); err != nil {
				return err
			}
		default:
			size := utf8.RuneLen(c)
			if err := r.insert(ctx, text[i:i+max(size, 1)]); err != nil {
				return err
			}
		}
	}
	return nil
}

// insert puts text in at once (Input.insertText), as an input method does.
func (r *run) insert(ctx context.Context, text string) *Error {
	r.res.Sent = true
	return r.gone(r.tab.InsertText(ctx, text), "type")
}

// press sends a chord with its modifier keys held.
func (r *run) press(ctx context.Context, c chord) *Error {
	held := c.held()
	for _, m := range held {
		if err := r.gone(r.tab.Key(ctx, m.event(false)), "press a key"); err != nil {
			return err
		}
	}
	if err := r.stroke(ctx, c); err != nil {
		return err
	}
	for i := len(held) - 1; i >= 0; i-- {
		up := held[i].event(true)
		if i > 0 {
			up.Modifiers = held[i-1].mods
		} else {
			up.Modifiers = 0
		}
		if err := r.gone(r.tab.Key(ctx, up), "let go of a key"); err != nil {
			return err
		}
	}
	return nil
}

// stroke is one key down and up.
func (r *run) stroke(ctx context.Context, c chord) *Error {
	r.res.Sent = true
	for _, up := range []bool{false, true} {
		if err := r.gone(r.tab.Key(ctx, c.event(up)), "press a key"); err != nil {
			return err
		}
	}
	return nil
}
