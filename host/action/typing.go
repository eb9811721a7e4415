package action

import (
	"context"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tabwright/host/action/keyboard"
	"tabwright/host/action/page"
	"tabwright/safety"
)

// keysUpTo is how many characters are typed key by key; the rest of a longer
// text is inserted at once.
const keysUpTo = 200

// typeInto focuses a field and types with real keys; the guard knows that they change
// the value. The extractor focuses the field if it can, because a click may have other
// effects on the page. If the field does not get the focus (a label in the way, a field
// within a widget, one of another frame), it is clicked as a user would. The guards
// report what they saw.
func (r *run) typeInto(ctx context.Context, w *effectRecorder, a *element, text string, clear bool) (g *guards, err *Error) {
	how := page.FocusAdd
	switch {
	case clear:
		how = page.FocusSelect
	case a.focused:
		how = page.FocusCaret // no target was named: the keys go to the caret
		if a.facts.Tag == "input" && !r.h.placed {
			how = page.FocusAdd // a press puts the caret anywhere
		}
	}
	s := guardRequest{a: a, kind: "key", focus: how}
	var before []input
	editor := false
	if how != page.FocusCaret && a.facts.Tag != "input" {
		// The text of such a field is not that of the editor it belongs to: only the
		// editor's own keys select that text, or go to its end.
		if st, err := r.stateOf(ctx, a); err == nil && st.Editor && !st.Console {
			editor, before = true, keyInputs(endOfText().Events())
			if clear {
				before = keyInputs(selectAll().Events())
			}
		}
	}
	if strings.Contains(text, "\n") && (isEditor(a) || editor && indented.MatchString(text)) {
		s.breaks = r.breaksByEnter(ctx, a)
	}
	if a.frame.ParentID() != "" && !a.focused {
		// The focus reaches a frame of another process through the browser process:
		// keys could arrive before it.
		if err := r.focusByClick(ctx, w, a); err != nil {
			return nil, err
		}
	}
	g, err = r.install(ctx, w, s)
	if err == nil && !g.Focused && !a.focused {
		g.remove(ctx, frameTime, false)
		if err = r.focusByClick(ctx, w, a); err == nil {
			g, err = r.install(ctx, w, s)
		}
	}
	if err != nil {
		if d := w.dialog(); d != nil {
			return nil, dialogOpen(d)
		}
		return nil, err
	}
	if !g.Focused {
		g.remove(ctx, frameTime, false)
		return nil, &Error{Code: NotEditable, Message: a.String() + " does not take the focus"}
	}
	// Numbers are short, and pages often rewrite their fields.
	g.slow = a.el.Role == "spinbutton" && utf8.RuneCountInString(text) <= numberUpTo
	err = g.send(ctx, func(ctx context.Context) *Error {
		r.res.Sent = true
		if len(before) > 0 {
			if err := r.ignoreNavigated(r.tab.Send(ctx, g.Lease(), before), "reach the text"); err != nil {
				return err
			}
		}
		if clear && g.Box && text != "" {
			if err := r.emptyBoxes(ctx, g); err != nil {
				return err
			}
		}
		if text == "" && clear {
			if isEditor(a) {
				g.awaitDrawn(ctx) // it keeps its own selection, and learns of ours later
			}
			return r.press(ctx, g.Lease(), keyboard.Named("Backspace", 0))
		}
		return r.keys(ctx, g, text)
	})
	switch {
	case err == errMissed:
		err = r.otherHitError(ctx, a)
	case err == errMoved && g.report.Arrived > 0 && !clear:
		err = &Error{
			Code: StaleRef, Message: "the field became something else while the text was typed; a part of it may stand there",
			Hint: partlyHint,
		}
	}
	return g, err
}

// partlyHint is the hint if a part of a text may be in a field.
const partlyHint = "Look at what the field holds and is now. With clear: true the text takes the place of all of it."

// selectAll is the chord that selects everything in an editor.
func selectAll() keyboard.Chord {
	c, _ := keyboard.Char('a')
	c.Mods = keyboard.Ctrl
	if runtime.GOOS == "darwin" {
		c.Mods = keyboard.Meta
	}
	return c
}

// endOfText is the chord that goes to the end of the text in an editor.
func endOfText() keyboard.Chord {
	if runtime.GOOS == "darwin" {
		return keyboard.Named("ArrowDown", keyboard.Meta)
	}
	return keyboard.Named("End", keyboard.Ctrl)
}

// eraseRest returns the keys that delete the text after the caret.
func eraseRest() []input {
	end := endOfText()
	end.Mods |= keyboard.Shift
	return append(keyInputs(end.Events()), keyInputs(keyboard.Named("Delete", 0).Events())...)
}

// focusByClick clicks a field.
func (r *run) focusByClick(ctx context.Context, w *effectRecorder, a *element) *Error {
	at, err := r.ready(ctx, a, "type")
	if err != nil {
		return err
	}
	more := w.more
	w.more = true
	err = r.guardedClick(ctx, w, a, at, leftClick())
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

// breaksByEnter tells whether Enter is a line break in the target: true in an editor,
// false where a message is written, because Enter sends it.
func (r *run) breaksByEnter(ctx context.Context, a *element) bool {
	if a.facts.SubmitsForm {
		return false
	}
	act := safety.Act{Action: "pressKey", Key: "Enter", Page: safety.Page{URL: r.tab.MainURL()}, Target: &a.facts}
	if slices.ContainsFunc(safety.Judge(act, r.s.rules()).Reasons, func(x safety.Reason) bool { return x.Rule == "enter_sends" }) {
		return false
	}
	beside, err := page.ButtonsBeside(ctx, a.frame, a.id)
	if err != nil {
		return false // with Shift it is a line break everywhere
	}
	return !slices.ContainsFunc(beside, func(name string) bool {
		if name == "" {
			return true // an arrow, or a paper plane
		}
		press := safety.Act{Action: "click", Target: &safety.Target{Tag: "button", Role: "button", Name: name, Text: name}}
		return safety.Judge(press, r.s.rules()).Class == safety.Communicate
	})
}

// keysAtOnce is how many events are under way at a time, about a line of text.
const keysAtOnce = 60

// indented matches a text with a line that begins with white space, as code has.
var indented = regexp.MustCompile(`(?m)^[ \t]+\S`)

// keys types each character by its key, and inserts those without a key. After a
// line break by Enter it waits until the page has handled it: an editor may have made a
// new block, which then has the focus. A code editor indents the new line itself, and
// closes brackets: if the text has its own indentation, that replaces the editor's, and
// brackets that the editor closed are deleted.
func (r *run) keys(ctx context.Context, g *guards, text string) *Error {
	n := 0
	own := g.breaks && indented.MatchString(text)
	closed := own && g.focus == page.FocusSelect // nothing else follows the written text
	again := false
	for text != "" {
		var list []input
		line, breaks := text, false
		if g.breaks {
			line, _, breaks = strings.Cut(text, "\n")
		}
		if text = text[len(line):]; breaks {
			text = text[1:]
		}
		list, n = strokes(g, line, n)
		if again && line != "" {
			list = append(keyInputs(keyboard.Named("Home", keyboard.Shift).Events()), list...)
		}
		if closed && strings.ContainsAny(line, "([{<\"'`") {
			list = append(list, eraseRest()...)
		}
		if again = own; breaks {
			list = append(list, keyInputs(keyboard.Named("Enter", 0).Events())...)
			if closed {
				list = append(list, eraseRest()...) // some close a block with a line of its own
			}
		}
		if err := r.sendKeys(ctx, g, list); err != nil {
			return err
		}
		if breaks && text != "" {
			if g.w.dialog() != nil || g.w.hasNavigated() {
				return partly()
			}
			g.awaitDrawn(ctx)
		}
	}
	return nil
}

// strokes returns the keys of a text, and n, the number of characters typed so far.
func strokes(g *guards, text string, n int) ([]input, int) {
	var list []input
	insert := func(s string) { list = append(list, input{text: s}) }
	for i, c := range text {
		if n++; n > keysUpTo {
			insert(text[i:])
			break
		}
		switch key, ok := keyboard.Char(c); {
		case c == '\n' && g.a.facts.Tag == "textarea":
			// Enter in a text field of a chat sends it; a line break is what was
			// asked for, and Shift+Enter makes one everywhere.
			insert("\n")
		case c == '\n':
			list = append(list, keyInputs(keyboard.Named("Enter", keyboard.Shift).Events())...)
		case ok:
			list = append(list, keyInputs(key.Stroke())...)
		default:
			insert(text[i : i+max(utf8.RuneLen(c), 1)])
		}
	}
	return list, n
}

// sendKeys sends the events of keys, as many at once as the page can take.
func (r *run) sendKeys(ctx context.Context, g *guards, list []input) *Error {
	most := keysAtOnce
	if g.Box || g.slow {
		most = 2 // the page needs its time to move the keyboard on, or to take in each character
	}
	for len(list) > 0 {
		n := whole(list, most)
		r.res.Sent = true
		if err := r.ignoreNavigated(r.tab.Send(ctx, g.Lease(), list[:n]), "type"); err != nil {
			return err
		}
		if list = list[n:]; len(list) > 0 && (r.tab.Dialog() != nil || g.w.hasNavigated()) {
			return partly()
		}
		if g.Box && len(list) > 0 {
			g.Box = g.awaitFocusMove(ctx)
		}
		if g.slow {
			g.awaitDrawn(ctx)
		}
	}
	return nil
}

// boxesUpTo is how many boxes of a row are emptied.
const boxesUpTo = 32

// emptyBoxes empties a row of boxes from the last one on, so that the page can move the
// keyboard through them; the first one has the focus afterwards.
func (r *run) emptyBoxes(ctx context.Context, g *guards) *Error {
	for range boxesUpTo {
		if filled, err := page.LastBox(ctx, g.a.frame, g.Token()); err != nil || !filled {
			return r.ignoreNavigated(err, "empty the boxes")
		}
		if err := r.ignoreNavigated(r.tab.Send(ctx, g.Lease(), keyInputs(keyboard.Named("Backspace", 0).Events())), "empty the boxes"); err != nil || g.w.dialog() != nil || g.w.hasNavigated() {
			return err
		}
		g.awaitDrawn(ctx)
	}
	return nil
}

// moveTime is how long a page may take to move the keyboard on in a row of boxes.
const moveTime = 150 * time.Millisecond

// awaitFocusMove waits until the page has moved the keyboard on from the box that was
// written in; false if it does not.
func (g *guards) awaitFocusMove(ctx context.Context) bool {
	mctx, cancel := context.WithTimeout(ctx, moveTime+frameTime)
	defer cancel()
	moved, err := page.MovedOn(mctx, g.a.frame, g.Token(), moveTime)
	return err == nil && moved
}

func partly() *Error {
	return &Error{Code: StaleRef, Message: "the page went elsewhere while the text was typed; only a part of it was"}
}

// numberUpTo is how many characters of a number are typed one by one.
const numberUpTo = 12

// keyTime is how long a page may take to handle a key, where that is awaited.
const keyTime = 50 * time.Millisecond

// awaitDrawn waits between keys until the page has drawn the effect of the last one.
func (g *guards) awaitDrawn(ctx context.Context) {
	if g.w.dialog() != nil || g.w.hasNavigated() {
		return
	}
	kctx, cancel := context.WithTimeout(ctx, keyTime+frameTime)
	defer cancel()
	if _, err := page.Drawn(kctx, g.a.frame, keyTime); err != nil {
		g.r.s.o.Log.Debug().Err(err).Msg("not known whether the page has taken the key in")
	}
}

// whole returns how many events of a list to send together: about most of them, and
// never so that a key stays held.
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
