package browser

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// closeTime is how long a page may take to close after Page.close. Chrome waits
// about a second for a beforeunload handler that does not return.
const closeTime = 3 * time.Second

// Close closes the tab as a user does, with Page.close. If a beforeunload
// dialog opens, the error is ErrDialogOpen, and the tab stays until the dialog
// is answered. If the page did not close in time or can't be asked, closed is
// false without an error; the caller then closes the tab with Driver.CloseTab,
// without asking the page.
func (t *Tab) Close(ctx context.Context) (closed bool, err error) {
	t.mu.Lock()
	mute := t.dialog != nil || t.silent
	select {
	case <-t.crashed:
		mute = true
	default:
	}
	t.mu.Unlock()
	if mute {
		return false, nil
	}
	limit := time.NewTimer(closeTime)
	defer limit.Stop()
	up := t.DialogOpened()
	asked := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, err := cdp.Call(ctx, t.root, page.Close, cdp.Empty{})
		asked <- err
	}()
	for {
		select {
		case <-t.root.Done():
			return true, nil
		case <-up:
			return false, ErrDialogOpen
		case err := <-asked:
			var refused *CDPError
			if errors.As(err, &refused) {
				return false, nil
			}
			asked = nil
		case <-limit.C:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
