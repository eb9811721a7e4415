// Package launch starts a Chromium with a DevTools port, and ends it.
package launch

import (
	"context"
	"errors"
	"io"
)

// Options of Start.
type Options struct {
	Binary      string // empty: TABWRIGHT_BROWSER, then what is on PATH
	Headless    bool
	UserDataDir string   // empty: a temporary one, removed by Close
	Extensions  []string // folders of unpacked extensions
	Args        []string
	Env         []string // added to the process's own
	Stderr      io.Writer
}

// Browser is one that runs.
type Browser struct{}

// Start starts a Chromium and waits until its DevTools port is open.
func Start(ctx context.Context, o Options) (*Browser, error) { return nil, errors.New("not yet") }

// URL is the WebSocket address of the browser.
func (b *Browser) URL() string { return "" }

// UserDataDir is the profile's folder.
func (b *Browser) UserDataDir() string { return "" }

// PID is of the browser's main process.
func (b *Browser) PID() int { return 0 }

// Done is closed when the browser ended.
func (b *Browser) Done() <-chan struct{} { return nil }

// Close ends the whole process group.
func (b *Browser) Close() error { return nil }

// Find gives the browser's binary.
func Find() (string, error) { return "", errors.New("not yet") }
