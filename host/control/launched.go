package control

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/native/wire"
)

// LaunchOptions is a browser to start.
type LaunchOptions struct {
	Headless  bool
	Browser   string // the binary; empty: the one that is found
	Args, Env []string
	Extractor string
	NoEnvArgs bool   // Args holds those of TABWRIGHT_CHROMIUM_ARGS already
	Profile   string // folder of a profile that stays; empty: a temporary one
}

// Launched is the driver of a browser that this process started; Close ends
// both.
type Launched struct {
	*direct.Driver
	proc  *launch.Browser
	ended chan struct{}
	keeps bool // its profile stays
	once  sync.Once
	err   error
}

// Launch starts a Chromium and joins it.
func Launch(ctx context.Context, o LaunchOptions) (*Launched, error) {
	proc, err := launch.Start(ctx, launch.Options{Binary: o.Browser, Headless: o.Headless, Args: o.Args, Env: o.Env, NoEnvArgs: o.NoEnvArgs, UserDataDir: o.Profile})
	if errors.Is(err, launch.ErrNoDisplay) {
		return nil, &wire.Error{Code: wire.CodeNoBrowser, Message: "The browser did not start: there is no display for its window.", Hint: "Use --headless, or set DISPLAY or WAYLAND_DISPLAY."}
	}
	if err != nil {
		return nil, err
	}
	d, err := direct.Connect(ctx, proc.URL(), direct.Options{Extractor: o.Extractor})
	if err != nil {
		return nil, errors.Join(err, proc.Close())
	}
	l := &Launched{Driver: d, proc: proc, keeps: o.Profile != "", ended: make(chan struct{})}
	go func() { // ends with the connection or the process, whichever is first
		defer close(l.ended)
		select {
		case <-driverGone(d):
		case <-proc.Done():
		}
	}()
	return l, nil
}

// Ended is closed when the browser can't be driven any more: its process has
// ended, or the connection to it.
func (l *Launched) Ended() <-chan struct{} { return l.ended }

// PID is of the browser's main process.
func (l *Launched) PID() int { return l.proc.PID() }

// Close ends the connection, the browser and all its processes.
func (l *Launched) Close() error {
	l.once.Do(func() {
		if l.keeps {
			l.leave()
		}
		l.err = errors.Join(l.Driver.Close(), l.proc.Close())
	})
	return l.err
}

// leaveTime bounds how long a browser whose profile stays may take to end by
// itself.
const leaveTime = 8 * time.Second

// leave asks the browser to end in its own time. At a signal Chromium gives up
// what its profile has not written yet, which may be the last half minute's
// cookies.
func (l *Launched) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if _, err := cdp.Call(ctx, l.Browser(), browser.Close, cdp.Empty{}); err != nil {
		return // it is gone, or must be made to
	}
	select {
	case <-l.proc.Done():
	case <-ctx.Done():
	}
}
