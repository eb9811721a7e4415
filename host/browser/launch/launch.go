// Package launch starts a Chromium with a DevTools port, and ends it with all
// its processes. It drives nothing and imports nothing of the project.
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
)

// How long Chromium may take to open its port, and to end by itself.
const (
	startTimeout = 30 * time.Second
	closeTimeout = 5 * time.Second
)

// Options of Start.
type Options struct {
	Binary      string // empty: TABWRIGHT_BROWSER, then what is on PATH
	Headless    bool
	UserDataDir string   // empty: a temporary one, removed by Close
	Extensions  []string // folders of unpacked extensions
	Args        []string // after ours; TABWRIGHT_CHROMIUM_ARGS comes last
	Env         []string // added to the process's own
	Stderr      io.Writer
	// NoEnvArgs leaves TABWRIGHT_CHROMIUM_ARGS out: whoever asked has put
	// theirs into Args.
	NoEnvArgs bool
}

// Browser is one that runs.
type Browser struct {
	url     string
	profile string
	temp    bool
	proc    *os.Process
	done    chan struct{}
	waitErr error
	closing sync.Once
	closed  error
}

// Start starts a Chromium and waits until its DevTools port is open. ctx bounds
// the start only; Close ends the browser, and on Linux so does the end of this
// process, however it ends.
func Start(ctx context.Context, o Options) (*Browser, error) {
	binary := o.Binary
	if binary == "" {
		found, err := Find()
		if err != nil {
			return nil, err
		}
		binary = found
	}
	b := &Browser{profile: o.UserDataDir, done: make(chan struct{})}
	if b.profile == "" {
		sweep(os.TempDir())
		dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", profilePrefix, os.Getpid()))
		if err != nil {
			return nil, fmt.Errorf("make a profile: %w", err)
		}
		b.profile, b.temp = dir, true
	} else if err := os.MkdirAll(b.profile, 0o700); err != nil {
		return nil, fmt.Errorf("make the profile: %w", err)
	}
	// A port file of an earlier run would be taken for this one's.
	_ = os.Remove(filepath.Join(b.profile, portFile))
	var extra []string
	if !o.NoEnvArgs {
		var err error
		if extra, err = EnvArgs(); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", envArgs, err), b.removeProfile())
		}
	}
	cmd := exec.Command(binary, arguments(o, b.profile, extra)...)
	cmd.Env = append(os.Environ(), o.Env...)
	detachProcess(cmd)
	log := &tail{next: o.Stderr, found: make(chan string, 1)}
	cmd.Stderr = log
	// Chromium's helpers inherit stderr; without a bound Wait would wait for all.
	cmd.WaitDelay = time.Second
	if err := b.run(cmd); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", binary, err), b.removeProfile())
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	var err error
	if b.url, err = b.awaitPort(ctx, log); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", binary, err), b.Close())
	}
	return b, nil
}

// run starts the process and waits for its end on one locked thread: Linux
// sends the parent's death signal when that thread ends, not the process
// (golang/go#27505).
func (b *Browser) run(cmd *exec.Cmd) error {
	started := make(chan error, 1)
	go func() {
		unlock := lockThread()
		defer unlock()
		if err := cmd.Start(); err != nil {
			close(b.done)
			started <- err
			return
		}
		b.proc = cmd.Process
		started <- nil
		b.waitErr = cmd.Wait()
		close(b.done)
	}()
	return <-started
}

const portFile = "DevToolsActivePort"

// awaitPort takes the address from stderr, or from the file in the profile,
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
		case <-b.done:
			return "", errors.Join(errors.New("the browser ended before its DevTools port was open: "+log.text()), b.waitErr)
		case <-ctx.Done():
			return "", fmt.Errorf("the DevTools port did not open: %w: %s", ctx.Err(), log.text())
		}
	}
}

// readPortFile gives nothing until both lines are written.
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

// URL is the WebSocket address of the browser.
func (b *Browser) URL() string { return b.url }

// UserDataDir is the profile's folder.
func (b *Browser) UserDataDir() string { return b.profile }

// PID is of the browser's main process.
func (b *Browser) PID() int { return b.proc.Pid }

// Done is closed when the browser ended.
func (b *Browser) Done() <-chan struct{} { return b.done }

// Close asks the browser to end, kills its whole process group when it does
// not within five seconds, and removes a temporary profile.
func (b *Browser) Close() error {
	b.closing.Do(func() {
		terminate(b.proc)
		select {
		case <-b.done:
		case <-time.After(closeTimeout):
		}
		killGroup(b.proc.Pid)
		select {
		case <-b.done:
		case <-time.After(closeTimeout):
			b.closed = fmt.Errorf("browser process %d did not end", b.proc.Pid)
		}
		b.closed = errors.Join(b.closed, b.removeProfile())
	})
	return b.closed
}

// removeProfile tries for a while: a dying process may still write.
func (b *Browser) removeProfile() error {
	if !b.temp {
		return nil
	}
	var err error
	for wait := 10 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		if err = os.RemoveAll(b.profile); err == nil {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("remove the temporary profile: %w", err)
}

// tail passes stderr on, looks for the port, and keeps the end for an error.
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
		_, _ = t.next.Write(p) // the browser must not fail with our log
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
