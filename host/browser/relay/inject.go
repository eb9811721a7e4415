package relay

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/cdp"

	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// flight is an injection under way, shared by all frames of a tab.
type flight struct {
	done chan struct{}
	err  error
}

// Inject has chrome.scripting put the extractor into all frames of the tab. If
// Chrome refuses that, Inject uses Fallback for the frame.
func (t transport) Inject(ctx context.Context, id browser.TabID, s cdp.Session, frame cdp.FrameID) (browser.World, error) {
	err := t.d.inject(ctx, id)
	var ce *browser.CDPError
	if errors.As(err, &ce) {
		w, ferr := t.Fallback(ctx, s, frame)
		if ferr != nil {
			return w, errors.Join(ferr, err)
		}
		return w, nil
	}
	if err != nil {
		return browser.World{}, err
	}
	return browser.World{Origin: t.d.origin()}, nil
}

// Follow has the service worker put the extractor into each new main document,
// as long as the worker runs. It fails with an older extension, which does not
// have that method.
func (t transport) Follow(ctx context.Context, id browser.TabID, look string) (origin string, err error) {
	p, err := params(id)
	if err != nil {
		return "", err
	}
	if err := t.d.call(ctx, wire.MethodFollow, wire.FollowParams{TabID: p.TabID, Look: look}, nil); err != nil {
		return "", err
	}
	return t.d.origin(), nil
}

// origin returns the origin of the extension's world.
func (d *Driver) origin() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return "chrome-extension://" + d.opts.ExtensionID
}

// Fallback puts the extractor into a world that DevTools makes, in a frame that
// the extension does not reach.
func (t transport) Fallback(ctx context.Context, s cdp.Session, frame cdp.FrameID) (browser.World, error) {
	script := t.d.extractor()
	if script == "" {
		return browser.World{}, browser.ErrNoWorld
	}
	return browser.InjectScript(ctx, s, frame, browser.WorldName(script), script)
}

func (d *Driver) extractor() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opts.Extractor
}

// extensionName is Chrome's name for the extension's own world.
const extensionName = "Tabwright"

// WorldNames returns the names of the worlds of Fallback and of the extension.
func (t transport) WorldNames() []string {
	return []string{browser.WorldName(t.d.extractor()), extensionName}
}

// inject shares one injection among the frames that ask for it at once.
func (d *Driver) inject(ctx context.Context, id browser.TabID) error {
	p, err := params(id)
	if err != nil {
		return err
	}
	d.mu.Lock()
	f := d.flights[id]
	mine := f == nil
	if mine {
		f = &flight{done: make(chan struct{})}
		d.flights[id] = f
	}
	d.mu.Unlock()
	if mine {
		go func() {
			// Not bound to ctx: others wait for it too.
			over, cancel := context.WithTimeout(context.WithoutCancel(ctx), browser.CallTimeout)
			defer cancel()
			var res wire.InjectResult
			f.err = d.call(over, wire.MethodInject, wire.InjectParams(p), &res)
			d.landed(id, f)
			close(f.done)
		}()
	}
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		// The injection may have been for a document that is gone, and may
		// never be answered. The next caller begins a new one.
		d.landed(id, f)
		return ctx.Err()
	}
}

// landed removes a flight, so that no further frame joins it.
func (d *Driver) landed(id browser.TabID, f *flight) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flights[id] == f {
		delete(d.flights, id)
	}
}
