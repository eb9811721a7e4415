package direct

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	host "tabwright/host/browser"
)

// Context is a browser context of DevTools: a part of the browser with cookies,
// storage and cache of its own, as an incognito window has. It lists and opens
// only tabs of that part. Its other methods are those of the Driver that made
// it, which outlives it.
type Context struct {
	*Driver
	id   cdp.BrowserContextID
	once sync.Once
	err  error
}

var _ host.Driver = (*Context)(nil)

// Isolate makes a context. Close ends it with its tabs, and so does the end of
// the connection.
func (d *Driver) Isolate(ctx context.Context) (*Context, error) {
	yes := true
	res, err := cdp.Call(ctx, d.conn.browser, target.CreateBrowserContext, target.CreateBrowserContextParams{DisposeOnDetach: &yes})
	if err != nil {
		return nil, fmt.Errorf("make an isolated context: %w", err)
	}
	c := &Context{Driver: d, id: res.BrowserContextID}
	p := browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDefault, EventsEnabled: &yes, BrowserContextID: c.id}
	if d.opts.Downloads != "" {
		p.Behavior, p.DownloadPath = browser.SetDownloadBehaviorBehaviorAllow, d.opts.Downloads
	}
	if _, err := cdp.Call(ctx, d.conn.browser, browser.SetDownloadBehavior, p); err != nil {
		return nil, errors.Join(fmt.Errorf("watch the context's downloads: %w", err), c.Close())
	}
	return c, nil
}

// Tabs lists the pages of this context.
func (c *Context) Tabs(ctx context.Context) ([]host.TabInfo, error) {
	return c.tabsOf(ctx, func(i *target.Info) bool { return i.BrowserContextID == c.id })
}

// Open opens a tab in this context.
func (c *Context) Open(ctx context.Context, url string, active bool, opener host.TabID) (host.TabInfo, error) {
	return c.openIn(ctx, c.id, url, active, opener)
}

// Close ends the context with its tabs and all that it stored. The browser runs
// on.
func (c *Context) Close() error {
	c.once.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), host.CallTimeout)
		defer cancel()
		_, err := cdp.Call(ctx, c.conn.browser, target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: c.id})
		if err != nil && !errors.Is(err, host.ErrGone) { // it ended with its browser
			c.err = fmt.Errorf("end the isolated context: %w", err)
		}
	})
	return c.err
}
