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

// LaunchOptions describes a browser to start.
type LaunchOptions struct {
	Headless  bool
	Browser   string // path of the binary; if empty, one is looked for
	Args, Env []string
	Extractor string
	NoEnvArgs bool   // Args already includes TABWRIGHT_CHROMIUM_ARGS
	Profile   string // folder of a permanent profile; if empty, a temporary one
}

// Launched is the driver of a browser that this process started; Close ends
// both.
type Launched struct {
	*direct.Driver
	proc  *launch.Browser
	ended chan struct{}
	keeps bool // its profile is permanent
	once  sync.Once
	err   error
}

// Launch starts a Chromium and connects to it.
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

// Done is closed when the browser's process or the connection to it has ended.
func (l *Launched) Done() <-chan struct{} { return l.ended }

// PID returns the process id of the browser's main process.
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

// leaveTime is how long a browser with a permanent profile may take to quit by
// itself.
const leaveTime = 8 * time.Second

// leave asks the browser to quit and waits for it. When Chromium ends by a signal,
// it drops what it has not yet written to its profile, such as the cookies of the
// last half minute.
func (l *Launched) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if _, err := cdp.Call(ctx, l.Browser(), browser.Close, cdp.Empty{}); err != nil {
		return // it has ended, or must be killed
	}
	select {
	case <-l.proc.Done():
	case <-ctx.Done():
	}
}
