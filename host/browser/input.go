package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// WheelTimeout bounds Wheel: in background tabs mouseWheel can hang, and the
// caller has the extractor's scrollBy to fall back on.
const WheelTimeout = 3 * time.Second

var buttonMask = map[string]int{"left": 1, "right": 2, "middle": 4, "back": 8, "forward": 16}

// Mouse sends Input.dispatchMouseEvent at a point of the main frame's viewport.
// kind is MouseMove, MouseDown or MouseUp; button is left, right, middle or
// empty for none; clicks counts as in a double click. When the event opens a
// dialog Mouse returns nil at once and Dialog has it: Chrome itself would not
// return until the dialog is answered.
func (t *Tab) Mouse(ctx context.Context, kind string, x, y float64, button string, clicks, modifiers int) error {
	p := input.DispatchMouseEventParams{
		X: x, Y: y, Modifiers: int64(modifiers), PointerType: input.DispatchMouseEventPointerTypeMouse,
	}
	mask, known := buttonMask[button]
	if !known && button != "" && button != "none" {
		return fmt.Errorf("there is no mouse button %q", button)
	}
	t.mu.Lock()
	switch kind {
	case MouseMove:
		p.Type = input.DispatchMouseEventTypeMouseMoved
		for b, m := range buttonMask { // the button that is held, for drags
			if t.buttons == m {
				button = b
			}
		}
	case MouseDown:
		p.Type = input.DispatchMouseEventTypeMousePressed
		p.ClickCount = int64(max(clicks, 1))
		t.buttons |= mask
	case MouseUp:
		p.Type = input.DispatchMouseEventTypeMouseReleased
		p.ClickCount = int64(max(clicks, 1))
		t.buttons &^= mask
	default:
		t.mu.Unlock()
		return fmt.Errorf("there is no mouse event %q", kind)
	}
	p.Buttons = int64(t.buttons)
	t.mu.Unlock()
	if button == "" {
		button = "none"
	}
	p.Button = input.MouseButton(button)
	return t.input(ctx, func(ctx context.Context) error {
		_, err := cdp.Call(ctx, t.root, input.DispatchMouseEvent, p)
		return err
	})
}

// Wheel sends a mouseWheel event; deltas are CSS pixels, down and right are
// positive.
func (t *Tab) Wheel(ctx context.Context, x, y, dx, dy float64, modifiers int) error {
	return t.input(ctx, func(ctx context.Context) error {
		// Not cdproto's params: they leave a delta of 0 out, which Chrome refuses.
		return t.root.Call(WithCallTimeout(ctx, WheelTimeout), input.DispatchMouseEvent.Method, map[string]any{
			"type": input.DispatchMouseEventTypeMouseWheel, "x": x, "y": y, "deltaX": dx, "deltaY": dy,
			"modifiers": modifiers, "pointerType": input.DispatchMouseEventPointerTypeMouse,
		}, nil)
	})
}

// Key sends Input.dispatchKeyEvent: keyDown for a key that types text,
// rawKeyDown for one that does not, keyUp for Up.
func (t *Tab) Key(ctx context.Context, e KeyEvent) error {
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
	return t.input(ctx, func(ctx context.Context) error {
		_, err := cdp.Call(ctx, t.root, input.DispatchKeyEvent, p)
		return err
	})
}

// InsertText sends Input.insertText into what has the focus, as an input method
// would: one input event, no key events.
func (t *Tab) InsertText(ctx context.Context, text string) error {
	return t.input(ctx, func(ctx context.Context) error {
		_, err := cdp.Call(ctx, t.root, input.InsertText, input.InsertTextParams{Text: text})
		return err
	})
}

// input sends one input event. A dialog that it opens is no failure; one that
// was open before is.
func (t *Tab) input(ctx context.Context, send func(context.Context) error) error {
	if t.Dialog() != nil {
		return ErrDialogOpen
	}
	if err := t.race(ctx, send); err != nil && !errors.Is(err, ErrDialogOpen) {
		return err
	}
	return nil
}
