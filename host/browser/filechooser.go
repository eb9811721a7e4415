package browser

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
)

// A page opens the system's file chooser with a click on a file input, often a
// hidden one behind a button. DevTools can't reach that window. So while something
// acts in a tab the chooser is not opened, and the watch tells which input asked
// for it. At other times the user's own clicks open it as usual.

// FileChooser is a file chooser that a page asked for.
type FileChooser struct {
	Frame    string // the CDP id of the frame whose page asked
	Node     int64  // the input's backend node id
	Multiple bool
}

// SuppressFileDialogs prevents file choosers from now until Close, in the frame's process and
// the main frame's. ready waits until Chrome has confirmed that.
func (w *Watch) SuppressFileDialogs(ctx context.Context, f *Frame) (ready func()) {
	t := w.tab
	sessions := []cdp.Session{t.root}
	if f != nil {
		if s := f.Session(); s != t.root {
			sessions = append(sessions, s)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !w.catches {
		w.catches = true
		t.shut.users++
	}
	return t.use(ctx, &t.shut, sessions)
}

func catchFiles(ctx context.Context, s cdp.Session, on bool) error {
	_, err := cdp.Call(ctx, s, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: on})
	return err
}

// letGo allows file choosers again, OffAfter after the last watch that prevented
// them; t.mu is held.
func (w *Watch) letGo() {
	if w.catches {
		w.catches = false
		w.tab.leave(&w.tab.shut)
	}
}

func (t *Tab) chooserOpened(_ string, p page.EventFileChooserOpened) bool {
	c := FileChooser{Frame: string(p.FrameID), Node: int64(p.BackendNodeID), Multiple: p.Mode == page.FileChooserOpenedModeSelectMultiple}
	t.note(func(w *Watch) { w.state.FileChoosers = append(w.state.FileChoosers, c) })
	return true
}

// AdoptNode returns the extractor's id for a node that Chrome named.
func (f *Frame) AdoptNode(ctx context.Context, backendNode int64) (id int, err error) {
	var found int // as in Owner
	err = f.tab.race(ctx, func(ctx context.Context) error {
		if err := f.enableDOM(ctx); err != nil {
			return f.explain(err)
		}
		w, err := f.world(ctx)
		if err != nil {
			return f.explain(err)
		}
		object, err := resolveNode(ctx, w, cdp.BackendNodeID(backendNode))
		if err != nil {
			return f.explain(err)
		}
		defer f.Release(context.WithoutCancel(ctx), object)
		found, err = f.adopt(ctx, w, object)
		return f.explain(err)
	})
	if err != nil {
		return 0, err
	}
	return found, nil
}

// DropFiles drags files over a point of the main frame and drops them if takes
// reports that the page accepts them there. Otherwise it cancels the drag: Chrome
// would open each file in a tab.
func (t *Tab) DropFiles(ctx context.Context, x, y float64, paths []string, takes func() bool) error {
	drag := func(kind input.DispatchDragEventType) error {
		data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1} // to copy
		_, err := cdp.Call(ctx, t.root, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y, Data: data})
		if err != nil {
			return fmt.Errorf("drag files: %w", err)
		}
		return nil
	}
	if err := errors.Join(drag(input.DispatchDragEventTypeDragEnter), drag(input.DispatchDragEventTypeDragOver)); err != nil {
		return err
	}
	if !takes() {
		return drag(input.DispatchDragEventTypeDragCancel)
	}
	return drag(input.DispatchDragEventTypeDrop)
}

// GiveFiles gives files to an input that asked for them, also to one that is not in
// the document.
func (t *Tab) GiveFiles(ctx context.Context, c FileChooser, paths []string) error {
	f, ok := t.Frame(c.Frame)
	if !ok {
		return ErrDocumentGone
	}
	if err := f.enableDOM(ctx); err != nil {
		return f.explain(err)
	}
	_, err := cdp.Call(ctx, f.Session(), dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, BackendNodeID: cdp.BackendNodeID(c.Node)})
	return f.explain(err)
}
