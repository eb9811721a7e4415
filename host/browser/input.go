package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/input"

	"tabwright/host/native/rpc"
)

// WheelTimeout bounds Wheel. In background tabs a mouseWheel event can hang; the
// caller can then use the extractor's scrollBy.
const WheelTimeout = 3 * time.Second

var buttonMask = map[string]int{"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}

// MouseEvent is one event of the mouse at a point of the main frame's viewport.
// Kind is MouseMove, MouseDown or MouseUp; Button is left, right, middle or
// empty for none; Clicks counts as in a double click.
type MouseEvent struct {
	Kind              string
	X, Y              float64
	Button            string
	Clicks, Modifiers int
}

// Input is one event of a sequence: a mouse event, a key event, or text that is
// inserted at once.
type Input struct {
	Mouse *MouseEvent
	Key   *KeyEvent
	Text  string
}

// Mouse sends Input.dispatchMouseEvent. If the event opens a dialog, Mouse returns
// nil at once, and Dialog returns the dialog: Chrome itself would not answer until
// the dialog is.
func (t *Tab) Mouse(ctx context.Context, kind string, x, y float64, button string, clicks, modifiers int) error {
	return t.Send(ctx, []Input{{Mouse: &MouseEvent{Kind: kind, X: x, Y: y, Button: button, Clicks: clicks, Modifiers: modifiers}}})
}

func (t *Tab) mouse(e MouseEvent) (Command, error) {
	p := input.DispatchMouseEventParams{
		X: e.X, Y: e.Y, Modifiers: int64(e.Modifiers), PointerType: input.DispatchMouseEventPointerTypeMouse,
	}
	button := e.Button
	mask, known := buttonMask[button]
	if !known && button != "" && button != "none" {
		return Command{}, fmt.Errorf("there is no mouse button %q", button)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e.Kind {
	case MouseMove:
		p.Type = input.DispatchMouseEventTypeMouseMoved
		for b, m := range buttonMask { // the button that is held, for drags
			if t.buttons == m {
				button = b
			}
		}
	case MouseDown:
		p.Type = input.DispatchMouseEventTypeMousePressed
		p.ClickCount = int64(max(e.Clicks, 1))
		t.buttons |= mask
	case MouseUp:
		p.Type = input.DispatchMouseEventTypeMouseReleased
		p.ClickCount = int64(max(e.Clicks, 1))
		t.buttons &^= mask
	default:
		return Command{}, fmt.Errorf("there is no mouse event %q", e.Kind)
	}
	p.Buttons = int64(t.buttons)
	if button == "" {
		button = "none"
	}
	p.Button = input.MouseButton(button)
	return Command{input.DispatchMouseEvent.Method, p}, nil
}

// Wheel sends a mouseWheel event. Deltas are in CSS pixels, positive down and right.
func (t *Tab) Wheel(ctx context.Context, x, y, dx, dy float64, modifiers int) error {
	return t.input(ctx, func(ctx context.Context) error {
		// Not cdproto's params: they leave a delta of 0 out, which Chrome refuses.
		return t.root.Call(WithCallTimeout(ctx, WheelTimeout), input.DispatchMouseEvent.Method, map[string]any{
			"type": input.DispatchMouseEventTypeMouseWheel, "x": x, "y": y, "deltaX": dx, "deltaY": dy,
			"modifiers": modifiers, "pointerType": input.DispatchMouseEventPointerTypeMouse,
		}, nil)
	})
}

// Key sends Input.dispatchKeyEvent: keyUp for Up, else keyDown for a key that
// types text and rawKeyDown for one that does not.
func (t *Tab) Key(ctx context.Context, e KeyEvent) error {
	return t.Send(ctx, []Input{{Key: &e}})
}

func keyCommand(e KeyEvent) Command {
	p := input.DispatchKeyEventParams{
		Type: input.DispatchKeyEventTypeRawKeyDown, Modifiers: int64(e.Modifiers),
		Key: e.Key, Code: e.Code, WindowsVirtualKeyCode: int64(e.KeyCode), NativeVirtualKeyCode: int64(e.KeyCode),
	}
	switch {
	case e.Up:
		p.Type = input.DispatchKeyEventTypeKeyUp
	case e.Text != "":
		p.Type = input.DispatchKeyEventTypeKeyDown
		p.Text, p.UnmodifiedText = e.Text, e.Text
	}
	if !e.Up {
		p.Commands = e.Commands
		p.AutoRepeat = &e.Repeat
	}
	if e.Location == 3 {
		yes := true
		p.IsKeypad = &yes
	} else {
		p.Location = int64(e.Location)
	}
	return Command{input.DispatchKeyEvent.Method, p}
}

// InsertText inserts text into the focused element as an input method does
// (Input.insertText): with one input event and no key events.
func (t *Tab) InsertText(ctx context.Context, text string) error {
	return t.Send(ctx, []Input{{Text: text}})
}

// Send sends input events in order, without waiting for the answer to each: Chrome
// keeps the order, so that only the page's own handlers run between a move and the
// press that follows. Text waits for the keys before it, since Chrome handles it
// on another path. Send ends at the first error. It also ends when a dialog opens,
// without an error; if one is open before, the error is ErrDialogOpen. If ctx
// ends, the events up to the next text are still sent, so that no key or button
// stays down, but Send does not wait for their answers.
func (t *Tab) Send(ctx context.Context, list []Input) error {
	for len(list) > 0 {
		n := 1
		if list[0].Text == "" {
			for n < len(list) && list[n].Text == "" {
				n++
			}
		}
		if err := t.sendAll(ctx, list[:n]); err != nil {
			return err
		}
		if list = list[n:]; len(list) > 0 && t.Dialog() != nil {
			return nil
		}
	}
	return nil
}

func (t *Tab) sendAll(ctx context.Context, list []Input) error {
	return t.input(ctx, func(ctx context.Context) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
		defer cancel() // after a failure the other answers are not waited for
		commands := make([]Command, len(list))
		for i, in := range list {
			var err error
			if commands[i], err = t.command(in); err != nil {
				return err
			}
		}
		if err := t.together(ctx, calls, commands); !errors.Is(err, ErrOneByOne) {
			return err
		}
		return t.oneByOne(ctx, calls, commands)
	})
}

// together sends commands in one message. It returns ErrOneByOne if the transport
// can't.
func (t *Tab) together(ctx, calls context.Context, commands []Command) error {
	all, ok := t.root.(interface {
		CallAll(ctx context.Context, commands []Command) error
	})
	if !ok || len(commands) == 1 {
		return ErrOneByOne
	}
	done := make(chan error, 1)
	go func() { done <- all.CallAll(calls, commands) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// oneByOne sends each command in a message of its own, without waiting for the
// answer to the one before.
func (t *Tab) oneByOne(ctx, calls context.Context, commands []Command) error {
	done := make(chan error, len(commands))
	left := 0
	for _, c := range commands {
		if ctx.Err() != nil && (t.Dialog() != nil || t.root.Err() != nil) {
			return ctx.Err()
		}
		sent := make(chan struct{})
		once := sync.OnceFunc(func() { close(sent) })
		left++
		go func() {
			err := t.root.Call(rpc.WithSent(calls, once), c.Method, c.Params, nil)
			once()
			done <- err
		}()
		select {
		case <-sent:
		case <-t.root.Done():
			return t.root.Err()
		}
		for answered := true; answered; {
			select {
			case err := <-done:
				if left--; err != nil {
					return err
				}
			default:
				answered = false
			}
		}
	}
	for ; left > 0; left-- {
		select {
		case err := <-done:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (t *Tab) command(in Input) (Command, error) {
	switch {
	case in.Mouse != nil:
		return t.mouse(*in.Mouse)
	case in.Key != nil:
		return keyCommand(*in.Key), nil
	}
	return Command{input.InsertText.Method, input.InsertTextParams{Text: in.Text}}, nil
}

// input calls send, which sends input. It returns nil if that opens a dialog, and
// ErrDialogOpen if one was open before.
func (t *Tab) input(ctx context.Context, send func(context.Context) error) error {
	if t.Dialog() != nil {
		return ErrDialogOpen
	}
	if !isGuarded(ctx) {
		defer t.ours()()
	}
	err := t.race(t.patience(ctx), send)
	switch {
	case errors.Is(err, ErrDialogOpen):
		return nil
	case errors.Is(err, ErrTimeout):
		return t.heard(err)
	}
	return err
}
