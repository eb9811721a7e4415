// Package direct drives any Chromium through its DevTools WebSocket: the
// browser's own connection, with a flattened session for each attached tab.
package direct

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/cdp"
	"tabwright/host/browser"
)

// Options of Connect.
type Options struct {
	// Extractor is the script evaluated in each frame's isolated world.
	Extractor string
}

// Driver is a browser.Driver.
type Driver struct{ browser.Driver }

// Connect joins the browser at a ws:// or http:// address.
func Connect(ctx context.Context, url string, o Options) (*Driver, error) {
	return nil, errors.New("not yet")
}

// Browser is the raw session of the browser itself.
func (d *Driver) Browser() cdp.Session { return nil }
