package action

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

const (
	// readyTime is how long an element may take to become visible, still and
	// uncovered.
	readyTime = 5 * time.Second
	// guardTime is the life of an armed guard: longer than any one act takes.
	guardTime = 15 * time.Second
	// frameTime bounds a small call into a frame.
	frameTime = 2 * time.Second
	// keysUpTo is how many characters are typed key by key; the rest of a
	// longer text is inserted at once.
	keysUpTo = 200
)

// ready scrolls the element into view and waits until it is visible, still,
// enabled and hit; it gives the point in coordinates of the main frame.
func (r *run) ready(ctx context.Context, a *aim, kind string) (XY, *Error) {
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
	arg := map[string]any{"id": a.id, "kind": kind, "timeoutMs": readyTime.Milliseconds()}
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

// guardReport is GuardReport of the extractor.
type guardReport struct {
	Arrived int `json:"arrived"`
	Stopped []struct {
		Type string `json:"type"`
		Why  string `json:"why"`
		On   string `json:"on"`
	} `json:"stopped"`
}

// guard is Guard of the extractor.
type guard struct {
	Token       string `json:"token"`
	ID          int    `json:"id"`
	IframeID    int    `json:"iframeId,omitempty"`
	DropID      int    `json:"dropId,omitempty"`
	Fingerprint string `json:"fingerprint"`
	Kind        string `json:"kind"`
	MS          int64  `json:"ms"`
}

// guarded sends input while the extractor listens in the target's frame and
// in every frame above it: an event that reaches another node, or that would
// do something else than what was judged, is stopped there.
func (r *run) guarded(ctx context.Context, w *watching, a *aim, kind string, send func(context.Context) *Error) *Error {
	return r.guardedDrop(ctx, w, a, nil, kind, send)
}

// guardedDrop is guarded for a drag, which has a second end.
func (r *run) guardedDrop(ctx context.Context, w *watching, a, drop *aim, kind string, send func(context.Context) *Error) *Error {
	disarm, err := r.arm(ctx, a, drop, kind)
	if err != nil {
		return err
	}
	sent := w.race(ctx, send)
	if w.dialog() != nil {
		return nil // the page stands still; the guard runs out by itself
	}
	if ctx.Err() != nil {
		// Stopped in the middle of a busy page: it is not waited for, but the
		// guard must go, or the person's own clicks would be stopped by it.
		r.s.loose.Go(func() { disarm(ctx, guardTime) })
		return sent
	}
	report := disarm(ctx, frameTime)
	if err := r.verdict(ctx, a, report); err != nil {
		return err
	}
	return sent
}

// verdict turns what the guards stopped into an error.
func (r *run) verdict(ctx context.Context, a *aim, report guardReport) *Error {
	if len(report.Stopped) == 0 {
		return nil
	}
	if report.Arrived == 0 {
		r.res.Sent = false
	}
	r.s.o.Log.Debug().Interface("stopped", report.Stopped).Int("arrived", report.Arrived).Str("target", a.String()).Msg("the guard stopped input")
	// The first stop is the reason; what follows a stopped press is stopped with it.
	if first := report.Stopped[0]; first.Why == "other_node" {
		why := "at the last moment the input would have reached something else"
		if first.On != "" {
			why += ": " + short(pagecontext.Flatten(first.On), 80)
		}
		return r.moved(ctx, a, why)
	}
	return errMoved
}

// arm puts guards into the target's frame and its ancestors; disarm takes them
// away and gives what they saw.
func (r *run) arm(ctx context.Context, a, drop *aim, kind string) (disarm func(context.Context, time.Duration) guardReport, bad *Error) {
	fs, bad := r.frames(ctx)
	if bad != nil {
		return nil, bad
	}
	token := fmt.Sprintf("g%d", time.Now().UnixNano())
	type armed struct {
		f frame
		g guard
	}
	all := []armed{{a.frame, guard{Token: token, ID: a.id, Fingerprint: a.facts.Fingerprint, Kind: kind, MS: guardTime.Milliseconds()}}}
	if drop != nil && drop.frame.ID() == a.frame.ID() {
		all[0].g.DropID = drop.id
	}
	for f := a.frame; f.ParentID() != ""; {
		parent := frameOf(fs, f.ParentID())
		if parent == nil {
			return nil, &Error{Code: StaleRef, Message: "the frame of " + a.String() + " is gone"}
		}
		id, err := f.Owner(ctx)
		if err != nil {
			return nil, wrap("find the frame of "+a.String(), err)
		}
		all = append(all, armed{parent, guard{Token: token, IframeID: id, Kind: kind, MS: guardTime.Milliseconds()}})
		f = parent
	}
	for _, x := range all {
		if err := x.f.Call(ctx, "arm", x.g, nil); err != nil {
			return nil, wrap("guard "+a.String(), err)
		}
	}
	return func(ctx context.Context, limit time.Duration) guardReport {
		dctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
		defer cancel()
		reports := make([]guardReport, len(all))
		var wg sync.WaitGroup
		for i, x := range all {
			wg.Go(func() {
				// A frame that the act navigated away has nothing to say, and
				// let the event through.
				_ = x.f.Call(dctx, "disarm", map[string]string{"token": token}, &reports[i])
			})
		}
		wg.Wait()
		out := reports[0] // only the target's own frame sees the input arrive
		for _, more := range reports[1:] {
			out.Stopped = append(out.Stopped, more.Stopped...)
		}
		return out
	}, nil
}

func frameOf(fs []frame, id string) frame {
	for _, f := range fs {
		if f.ID() == id {
			return f
		}
	}
	return nil
}

// clickAt moves the mouse there, looks again what lies under it, and presses.
func (r *run) clickAt(ctx context.Context, a *aim, at XY) *Error {
	if err := r.tab.Mouse(ctx, mouse{kind: browser.MouseMove, x: at.X, y: at.Y}); err != nil {
		return r.gone(err, "move the mouse")
	}
	if err := r.hits(ctx, a, at); err != nil {
		return err
	}
	r.res.Sent = true
	for _, kind := range []string{browser.MouseDown, browser.MouseUp} {
		if err := r.tab.Mouse(ctx, mouse{kind: kind, x: at.X, y: at.Y, button: "left", clicks: 1}); err != nil {
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
	if err := r.guarded(ctx, w, a, "pointer", func(ctx context.Context) *Error { return r.clickAt(ctx, a, at) }); err != nil {
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
