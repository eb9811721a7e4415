package browser

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

var errPending = errors.New("not yet")

type Tab struct{ id TabID }
type Frame struct{}
type Watch struct{}

func (t *Tab) ID() TabID                                                    { return t.id }
func (t *Tab) Session() RootSession                                         { return nil }
func (t *Tab) Done() <-chan struct{}                                        { return nil }
func (t *Tab) Err() error                                                   { return nil }
func (t *Tab) PageRev() int                                                 { return 1 }
func (t *Tab) URL() string                                                  { return "" }
func (t *Tab) Title(ctx context.Context) (string, error)                    { return "", errPending }
func (t *Tab) Frames(ctx context.Context) ([]*Frame, error)                 { return nil, errPending }
func (t *Tab) MainFrame(ctx context.Context) (*Frame, error)                { return nil, errPending }
func (t *Tab) Frame(id string) (*Frame, bool)                               { return nil, false }
func (f *Frame) ID() string                                                 { return "" }
func (f *Frame) ParentID() string                                           { return "" }
func (f *Frame) Document() string                                           { return "" }
func (f *Frame) URL() string                                                { return "" }
func (f *Frame) Offset(ctx context.Context) (x, y float64, ok bool)         { return 0, 0, false }
func (f *Frame) Session() cdp.Session                                       { return nil }
func (f *Frame) Call(ctx context.Context, fn string, arg, result any) error { return errPending }
func (f *Frame) NodeObject(ctx context.Context, localID int) (runtime.RemoteObjectID, error) {
	return "", errPending
}
func (f *Frame) Owner(ctx context.Context) (parent *Frame, iframeLocalID int, err error) {
	return nil, 0, errPending
}
func (t *Tab) Dialog() *Dialog                                                  { return nil }
func (t *Tab) DialogOpened() <-chan struct{}                                    { return nil }
func (t *Tab) HandleDialog(ctx context.Context, accept bool, text string) error { return errPending }
func (t *Tab) Navigate(ctx context.Context, url string) error                   { return errPending }
func (t *Tab) Reload(ctx context.Context) error                                 { return errPending }
func (t *Tab) History(ctx context.Context, delta int) (bool, error)             { return false, errPending }
func (t *Tab) Evaluate(ctx context.Context, code string) (json.RawMessage, error) {
	return nil, errPending
}
func (t *Tab) Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, string, error) {
	return nil, "", errPending
}
func (t *Tab) Mouse(ctx context.Context, kind string, x, y float64, button string, clicks, modifiers int) error {
	return errPending
}
func (t *Tab) Wheel(ctx context.Context, x, y, dx, dy float64, modifiers int) error {
	return errPending
}
func (t *Tab) Key(ctx context.Context, e KeyEvent) error         { return errPending }
func (t *Tab) InsertText(ctx context.Context, text string) error { return errPending }
func (t *Tab) SetFiles(ctx context.Context, f *Frame, localID int, paths []string) error {
	return errPending
}
func (t *Tab) Watch() *Watch          { return nil }
func (w *Watch) Snapshot() WatchState { return WatchState{} }
func (w *Watch) Wait(ctx context.Context, quiet, max time.Duration) WatchState {
	return WatchState{}
}
func (w *Watch) Close()                                                   {}
func (t *Tab) Highlight(ctx context.Context, f *Frame, localID int) error { return errPending }
func (t *Tab) HideHighlight(ctx context.Context) error                    { return errPending }
func KeyFor(name string) (KeyEvent, bool)                                 { return KeyEvent{}, false }
