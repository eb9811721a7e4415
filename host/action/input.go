package action

import (
	"context"
	"errors"
	"runtime"
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
	// frameMisses is how often the browser may lead the input past an element of
	// a frame that lies where the input went.
	frameMisses = 6
	followTime  = 300 * time.Millisecond
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
		return toMain(a.frame, XY{x, y}, *a.point), nil
	}
	var got struct {
		Point  XY              `json:"point"`
		Moving bool            `json:"moving"`
		Error  *extractorError `json:"error"`
	}
	arg := map[string]any{"id": a.id, "kind": kind, "timeoutMs": limit.Milliseconds(), "moving": a.moving}
	if err := a.frame.Call(ctx, "ready", arg, &got); err != nil {
		return XY{}, wrap("get "+a.String()+" ready", err)
	}
	if got.Error != nil {
		if got.Error.Code == string(StaleRef) {
			return XY{}, r.moved(ctx, a, got.Error.Message)
		}
		return XY{}, r.extractorErr(a.frame, got.Error)
	}
	a.moving = got.Moving
	// Scrolling the element into view may have moved its frame.
	if x, y, ok = a.frame.Offset(ctx); !ok {
		return XY{}, &Error{Code: NotVisible, Message: "the frame of " + a.String() + " is not shown"}
	}
	return toMain(a.frame, XY{x, y}, got.Point), nil
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
	e := wrap(doing, err)
	if e != nil && r.res.Sent && (e.Code == TabClosed || e.Code == Detached) &&
		!errors.Is(e, ErrUserCancelled) && !errors.Is(e, ErrBrowserGone) {
		return nil // input that closes its own tab is not always acknowledged
	}
	return e
}

// clicked clicks behind the guard. Where the element was pushed aside when the
// mouse came (a banner, a list that grew) it is followed: nothing was pressed
// yet.
func (r *run) clicked(ctx context.Context, w *watching, a *aim, at XY, b press) *Error {
	before := r.res.Sent // the part before it of the same act
	r.res.Sent = false
	defer func() { r.res.Sent = r.res.Sent || before }()
	for try := 1; ; try++ {
		g, err := r.arm(ctx, w, deed{a: a, kind: "pointer"})
		if err != nil {
			return err
		}
		if !g.still && try == 1 || a.moving { // the look did not wait to see it move, or it never stands still
			if at, err = r.readyWithin(ctx, a, "click", readyTime); err != nil {
				g.disarm(ctx, frameTime, false)
				return err
			}
			if a.moving && !g.sure {
				// Nothing would stop the press where it arrives beside it.
				g.disarm(ctx, frameTime, false)
				return &Error{Code: Timeout, Message: a.String() + " keeps moving"}
			}
		}
		err = g.send(ctx, func(ctx context.Context) *Error { return r.clickAt(ctx, g, at, b) })
		if err == errMissed {
			if bad := inTurned(a); bad != nil {
				return bad
			}
			if try == 1 && r.unpinched(ctx) {
				err = nil
			} else {
				err = r.hits(ctx, a, at)
			}
		} else if err == nil || err.Code != Covered || r.res.Sent {
			return err
		}
		if err != nil && err.Code != Covered {
			return err
		}
		if err == nil && a.frame.ParentID() != "" && try < frameMisses {
			// The page says that it lies there, and the browser led the input
			// elsewhere: what it knows of a frame's place comes later, or the
			// frame is scrolled out of what it is seen through itself, which no
			// page but those around it can tell.
			if try == 2 && a.point == nil {
				if err := a.frame.Call(ctx, "intoView", map[string]any{"id": a.id, "always": true}, nil); err != nil {
					return wrap("scroll to "+a.String(), err)
				}
			}
			for range try * 2 {
				if !r.tick(ctx) {
					break
				}
			}
		} else if try >= followTries {
			if err == nil {
				err = r.lost(ctx, a)
			}
			return err
		}
		now, bad := r.readyWithin(ctx, a, "click", followTime)
		switch {
		case bad != nil && err != nil:
			return err
		case bad != nil:
			return bad
		}
		at = now
	}
}

// clickAt moves the mouse there and presses. Where the guards have not the last
// word, what lies under the mouse is looked at once more before the press.
func (r *run) clickAt(ctx context.Context, g *guards, at XY, b press) *Error {
	r.h.mouse = &at
	move := input{mouse: &mouse{kind: browser.MouseMove, x: at.X, y: at.Y, mods: b.mods}}
	event := func(kind string) input {
		return input{mouse: &mouse{kind: kind, x: at.X, y: at.Y, button: b.button, clicks: b.nth, mods: b.mods}}
	}
	list := []input{event(browser.MouseDown), event(browser.MouseUp)}
	if g.sure {
		list = append([]input{move}, list...)
	} else {
		if err := r.tab.Send(ctx, []input{move}); err != nil {
			return r.gone(err, "move the mouse")
		}
		if err := r.hits(ctx, g.a, at); err != nil {
			return err
		}
	}
	r.res.Sent = true
	return r.gone(r.tab.Send(ctx, list), "click")
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
	in := toFrame(a.frame, XY{x, y}, at)
	arg := map[string]any{"id": a.id, "x": in.X, "y": in.Y}
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

// typeInto gives a field the keyboard and types with real keys; the guard knows
// that they change the value. The extractor focuses the field where it can: a
// click would do whatever the page does on one. Where that does not give it the
// keyboard (a label in the way, a field within a widget, one of another frame),
// it is clicked as a person would.
func (r *run) typeInto(ctx context.Context, w *watching, a *aim, text string, clear bool) *Error {
	how := focusCaret
	if clear {
		how = focusSelect
	}
	s := deed{a: a, kind: "key", focus: how}
	var before []input
	if clear && a.facts.Tag != "input" {
		// What such a field holds is not the text of the editor that it belongs
		// to: only the editor's own key selects that.
		if st, err := r.stateOf(ctx, a); err == nil && st.Editor {
			before = selectAll().inputs()
		}
	}
	if a.frame.ParentID() != "" {
		// The keyboard goes to a frame of another process by way of the browser:
		// keys could come before it.
		if err := r.focusByClick(ctx, w, a); err != nil {
			return err
		}
	}
	g, err := r.arm(ctx, w, s)
	if err == nil && !g.focused {
		g.disarm(ctx, frameTime, false)
		if err = r.focusByClick(ctx, w, a); err == nil {
			g, err = r.arm(ctx, w, s)
		}
	}
	if err != nil {
		if d := w.dialog(); d != nil {
			return dialogOpen(d)
		}
		return err
	}
	if !g.focused {
		g.disarm(ctx, frameTime, false)
		return &Error{Code: NotEditable, Message: a.String() + " does not take the focus"}
	}
	err = g.send(ctx, func(ctx context.Context) *Error {
		r.res.Sent = true
		if len(before) > 0 {
			if err := r.gone(r.tab.Send(ctx, before), "select the text"); err != nil {
				return err
			}
		}
		if text == "" && clear {
			return r.press(ctx, chord{key: namedKeys["Backspace"]})
		}
		return r.keys(ctx, g, text)
	})
	if err == errMissed {
		err = r.lost(ctx, a)
	}
	return err
}

// selectAll is the chord that selects everything in an editor.
func selectAll() chord {
	c := chord{key: charKeys["a"], mods: modCtrl}
	if runtime.GOOS == "darwin" {
		c.mods = modMeta
	}
	return c
}

// focusByClick clicks a field.
func (r *run) focusByClick(ctx context.Context, w *watching, a *aim) *Error {
	at, err := r.ready(ctx, a, "type")
	if err != nil {
		return err
	}
	more := w.more
	w.more = true
	err = r.clicked(ctx, w, a, at, press{button: "left", clicks: 1, nth: 1})
	w.more = more
	if err != nil {
		return err
	}
	if d := w.dialog(); d != nil {
		return dialogOpen(d)
	}
	return nil
}

// keysAtOnce is how many events are under way at a time, about a line of text.
const keysAtOnce = 60

// keys types each character by its key, and inserts those without a key.
func (r *run) keys(ctx context.Context, g *guards, text string) *Error {
	var list []input
	insert := func(s string) { list = append(list, input{text: s}) }
	n := 0
	for i, c := range text {
		if n++; n > keysUpTo {
			insert(text[i:])
			break
		}
		switch k, ok := charKeys[string(c)]; {
		case c == '\n' && g.a.facts.Tag == "textarea":
			// Enter in a text field of a chat sends it; a line break is what was
			// asked for, and Shift+Enter makes one everywhere.
			insert("\n")
		case c == '\n':
			list = append(list, chord{key: namedKeys["Enter"], mods: modShift}.inputs()...)
		case ok:
			ch := chord{key: k}
			if k.Shift {
				ch.mods = modShift
			}
			list = append(list, ch.stroke()...)
		default:
			insert(text[i : i+max(utf8.RuneLen(c), 1)])
		}
	}
	most := keysAtOnce
	if g.box {
		most = 2 // the page needs its time to move the keyboard on
	}
	for len(list) > 0 {
		n := whole(list, most)
		r.res.Sent = true
		if err := r.gone(r.tab.Send(ctx, list[:n]), "type"); err != nil {
			return err
		}
		if list = list[n:]; len(list) > 0 && (r.tab.Dialog() != nil || g.w.left()) {
			return &Error{Code: StaleRef, Message: "the page went elsewhere while the text was typed; only a part of it was"}
		}
	}
	return nil
}

// whole is how many events of a list go out together: about most of them, and
// none that leaves a key held.
func whole(list []input, most int) int {
	held := 0
	for i, in := range list {
		if k := in.key; k != nil && k.Up {
			held--
		} else if k != nil {
			held++
		}
		if held <= 0 && i+1 >= most {
			return i + 1
		}
	}
	return len(list)
}

// press sends a chord with its modifier keys held.
func (r *run) press(ctx context.Context, c chord) *Error {
	r.res.Sent = true
	return r.gone(r.tab.Send(ctx, c.inputs()), "press a key")
}

// inputs are the events of a chord, those of its modifier keys included.
func (c chord) inputs() []input {
	var out []input
	held := c.held()
	for _, m := range held {
		out = append(out, keyInput(m.event(false)))
	}
	out = append(out, c.stroke()...)
	for i := len(held) - 1; i >= 0; i-- {
		up := held[i].event(true)
		if i > 0 {
			up.Modifiers = held[i-1].mods
		} else {
			up.Modifiers = 0
		}
		out = append(out, keyInput(up))
	}
	return out
}

// stroke is one key down and up.
func (c chord) stroke() []input { return []input{keyInput(c.event(false)), keyInput(c.event(true))} }

func keyInput(e browser.KeyEvent) input { return input{key: &e} }
