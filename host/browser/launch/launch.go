// Package launch starts a Chromium with a DevTools port, and ends it with all its processes.
// Chromium ends even if its owner is killed. The package sends no commands to the browser. Of
// the project it imports only tether.
package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tabwright/host/tether"
)

// How long Chromium may take to open its port, and to end by itself.
const (
	startTimeout = 30 * time.Second
	closeTimeout = 5 * time.Second
	// flushTime is how long helper processes of a browser that has ended may
	// write into a profile that is kept: one of them stores the cookies.
	flushTime = 3 * time.Second
)

// Options are the options of Start.
type Options struct {
	Binary      string // empty: TABWRIGHT_BROWSER, then what is on PATH
	Headless    bool
	UserDataDir string   // empty: a temporary one, removed by Close
	Extensions  []string // folders of unpacked extensions
	Args        []string // after ours; TABWRIGHT_CHROMIUM_ARGS comes last
	Env         []string // added to the process's own
	Stderr      io.Writer
	// KeepPages enables the back/forward cache, as in a user's browser. By
	// default a launched browser loads a page again: the new frame for each page
	// that the cache needs takes a quarter of a navigation's time, and a page
	// from the cache makes no request that could be judged.
	KeepPages bool
	// NoEnvArgs ignores TABWRIGHT_CHROMIUM_ARGS: the caller has put it into Args.
	NoEnvArgs bool
}

// Browser is a running browser.
type Browser struct {
	url     string
	profile string
	temp    bool
	tie     *tether.Tether
	closing sync.Once
	closed  error
}

// Start starts a Chromium and waits until its DevTools port is open. ctx bounds
// the start only. Close ends the browser, and so does the end of this process,
// even if it is killed.
func Start(ctx context.Context, o Options) (*Browser, error) {
	binary := o.Binary
	if binary == "" {
		found, err := Find()
		if err != nil {
			return nil, err
		}
		binary = found
	}
	var extra []string
	if !o.NoEnvArgs {
		var err error
		if extra, err = EnvArgs(); err != nil {
			return nil, fmt.Errorf("%s: %w", envArgs, err)
		}
	}
	b := &Browser{profile: o.UserDataDir, temp: o.UserDataDir == ""}
	if err := b.makeProfile(); err != nil {
		return nil, err
	}
	cmd := exec.Command(binary, arguments(o, b.profile, extra)...)
	cmd.Env = append(os.Environ(), o.Env...)
	log := &tail{next: o.Stderr, found: make(chan string, 1)}
	cmd.Stderr = log
	// Chromium's helpers inherit stderr; without a bound Wait would wait for all.
	cmd.WaitDelay = time.Second
	if err := b.tie.Start(cmd); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", binary, err), b.tie.Close(), b.removeProfile())
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	var err error
	if b.url, err = b.awaitPort(ctx, log); err != nil {
		if noDisplay(log.text()) {
			return nil, errors.Join(ErrNoDisplay, b.Close())
		}
		return nil, errors.Join(fmt.Errorf("start %s: %w", binary, err), b.Close())
	}
	return b, nil
}

// ErrNoDisplay is the error of Start if there is no display for the browser's
// window.
var ErrNoDisplay = errors.New("there is no display for the browser's window: use --headless, or set DISPLAY or WAYLAND_DISPLAY")

// noDisplay reports whether the log of a browser that has ended names that reason.
func noDisplay(log string) bool {
	return strings.Contains(log, "Missing X server or $DISPLAY") || strings.Contains(log, "The platform failed to initialize") ||
		strings.Contains(log, "Failed to connect to Wayland display")
}

// makeProfile makes the profile's folder. Before that it starts the tether, which
// removes a temporary profile even if we are killed.
func (b *Browser) makeProfile() (err error) {
	keep := "keep"
	if b.temp {
		sweep(os.TempDir())
		b.profile, keep = newProfile(os.TempDir()), ""
	}
	if b.tie, err = tether.New(behind, b.profile, keep); err != nil {
		return err
	}
	if !b.temp {
		b.tie.Grace = flushTime
	}
	if b.temp {
		err = os.Mkdir(b.profile, 0o700) // fails if somebody else has made it
	} else {
		err = os.MkdirAll(b.profile, 0o700)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("make the profile: %w", err), b.tie.Close())
	}
	// A port file of an earlier run would be taken for this one's.
	_ = os.Remove(filepath.Join(b.profile, portFile))
	return nil
}

const portFile = "DevToolsActivePort"

// awaitPort reads the address from stderr or from the file in the profile,
// whichever comes first: some builds write only one of them.
func (b *Browser) awaitPort(ctx context.Context, log *tail) (string, error) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case url := <-log.found:
			return url, nil
		case <-tick.C:
			if url := readPortFile(filepath.Join(b.profile, portFile)); url != "" {
				return url, nil
			}
		case <-b.tie.Done():
			return "", errors.Join(errors.New("the browser ended before its DevTools port was open: "+log.text()), b.tie.Err())
		case <-ctx.Done():
			return "", fmt.Errorf("the DevTools port did not open: %w: %s", ctx.Err(), log.text())
		}
	}
}

// readPortFile returns the address in the file, or "" as long as it has not both
// lines.
func readPortFile(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	port, where, ok := strings.Cut(strings.TrimSpace(string(data)), "\n")
	if !ok || !strings.HasPrefix(where, "/devtools/browser/") {
		return ""
	}
	return "ws://127.0.0.1:" + port + where
}

// URL returns the WebSocket address of the browser.
func (b *Browser) URL() string { return b.url }

// UserDataDir returns the profile's folder.
func (b *Browser) UserDataDir() string { return b.profile }

// PID returns the id of the browser's main process.
func (b *Browser) PID() int { return b.tie.PID() }

// Done is closed when the browser has ended.
func (b *Browser) Done() <-chan struct{} { return b.tie.Done() }

// Close asks the browser to end, kills its whole process group if it has not
// ended in time (five seconds, eight with a profile that is kept), and removes a
// temporary profile.
func (b *Browser) Close() error {
	b.closing.Do(func() {
		b.tie.Terminate()
		limit := closeTimeout
		if !b.temp {
			limit += flushTime
		}
		select {
		case <-b.tie.Done():
		case <-time.After(limit):
		}
		b.closed = errors.Join(b.tie.Close(), b.removeProfile())
	})
	return b.closed
}

// tail passes stderr on, looks for the address, and keeps the last 2 KiB for an
// error.
type tail struct {
	next  io.Writer
	found chan string

	mu   sync.Mutex
	seen bool
	line []byte
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.next != nil {
		_, _ = t.next.Write(p) // an error of our log must not stop the browser
	}
	t.last = append(t.last, p...)
	if over := len(t.last) - 2048; over > 0 {
		t.last = t.last[over:]
	}
	if t.seen {
		return len(p), nil
	}
	t.line = append(t.line, p...)
	for {
		n, line, err := bufio.ScanLines(t.line, false)
		if n == 0 || err != nil {
			break
		}
		if _, url, ok := strings.Cut(string(line), "DevTools listening on "); ok {
			t.found <- strings.TrimSpace(url)
			t.seen, t.line = true, nil
			return len(p), nil
		}
		t.line = t.line[n:]
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.last))
}
