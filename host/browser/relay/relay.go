// Package relay drives the person's own Chrome through the extension.
package relay

import (
	"context"
	"encoding/json"
	"errors"

	"tabwright/host/browser"
)

// Caller calls a method of the service worker (host/native relaymsg.go) and
// decodes its result; native.Peer is one.
type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

// Options of New.
type Options struct {
	ExtensionID string // of the hello: names the isolated world
	// Extractor is evaluated in frames that chrome.scripting can't reach.
	Extractor string
}

// Driver is a browser.Driver.
type Driver struct{ browser.Driver }

// New gives a driver over a connected relay. Events of the service worker are
// handed to Event by whoever reads the connection.
func New(c Caller, o Options) *Driver { return nil }

// Event takes an event of the service worker (native.EventCDP and the others
// of relaymsg.go); unknown ones are ignored. It must be called in the order of
// the wire, and does not block.
func (d *Driver) Event(method string, params json.RawMessage) {}

// Gone says that the connection was lost: pending calls fail with
// browser.ErrGone, tabs are kept for Reconnect.
func (d *Driver) Gone(err error) {}

// Reconnect takes a new connection of the same profile and adopts what is
// still attached.
func (d *Driver) Reconnect(ctx context.Context, c Caller, o Options) error {
	return errors.New("not yet")
}

// Allow lets a tab be attached again whose debugging the person cancelled.
func (d *Driver) Allow(id browser.TabID) {}
