package action

import (
	"context"
	"errors"
	"runtime"
	"time"
	"unicode/utf8"
)

// keysUpTo is how many characters are typed key by key; the rest of a longer
// text is inserted at once.
const keysUpTo = 200

// typeInto gives a field the keyboard and types with real keys; the guard knows
// that they change the value. The extractor focuses the field where it can: a
// click would do whatever the page does on one. Where that does not give it the
// keyboard (a label in the way, a field within a widget, one of another frame),
// it is clicked as a person would. box says that it takes one character, and the
// page may have moved the keyboard on.
func (r *run) typeInto(ctx context.Context, w *watching, a *aim, text string, clear bool) (box bool, err *Error) {
	how := focusAdd
	switch {
	case clear:
		how = focusSelect
	case a.focused:
		how = focusCaret // it was not named: the keys go where they would
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
	if a.frame.ParentID() != "" && !a.focused {
		// The keyboard goes to a frame of another process by way of the browser:
		// keys could come before it.
		if err := r.focusByClick(ctx, w, a); err != nil {
			return false, err
		}
	}
	g, err := r.arm(ctx, w, s)
	if err == nil && !g.focused && !a.focused {
		g.disarm(ctx, frameTime, false)
		if err = r.focusByClick(ctx, w, a); err == nil {
			g, err = r.arm(ctx, w, s)
		}
	}
	if err != nil {
		if d := w.dialog(); d != nil {
			return false, dialogOpen(d)
		}
		return false, err
	}
	if !g.focused {
		g.disarm(ctx, frameTime, false)
		return false, &Error{Code: NotEditable, Message: a.String() + " does not take the focus"}
	}
	// Numbers are short, and their fields the ones that pages write back.
	g.slow = a.el.Role == "spinbutton" && utf8.RuneCountInString(text) <= numberUpTo
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
	switch {
	case err == errMissed:
		err = r.lost(ctx, a)
	case err == errMoved && g.arrived > 0 && !clear:
		err = &Error{
			Code: StaleRef, Message: "the field became something else while the text was typed; a part of it may stand there",
			Hint: partlyHint, Err: errPartly,
		}
	}
	return g.box, err
}

// partlyHint is what is to be done where a part of a text may stand in a field.
const partlyHint = "Look at what the field holds and is now. With clear: true the text takes the place of all of it."

// errPartly is in the error for a field that became something else when a part
// of the text stood in it.
var errPartly = errors.New("a part of the text was typed")

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
	err = r.clicked(ctx, w, a, at, leftClick())
	w.more = more
	r.answered = false // it got the keyboard, which is all that was wanted
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
	if g.box || g.slow {
		most = 2 // the page needs its time to move the keyboard on, or to take in each character
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
		g.takenIn(ctx)
	}
	return nil
}

// numberUpTo is how many characters of a number are typed one by one.
const numberUpTo = 12

// keyTime is how long a page may take to take a key in where that is waited for.
const keyTime = 50 * time.Millisecond

// takenIn waits between keys that are typed slowly until the page has drawn what
// came of the last one.
func (g *guards) takenIn(ctx context.Context) {
	if !g.slow || g.w.dialog() != nil || g.w.left() {
		return
	}
	kctx, cancel := context.WithTimeout(ctx, keyTime+frameTime)
	defer cancel()
	if err := g.a.frame.Call(kctx, "drawn", map[string]int64{"minMs": 0, "maxMs": keyTime.Milliseconds()}, nil); err != nil {
		g.r.s.o.Log.Debug().Err(err).Msg("not known whether the page has taken the key in")
	}
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
