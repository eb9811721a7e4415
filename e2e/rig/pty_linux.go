package rig

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// PTY is a pseudo-terminal. A program reads from Line what is typed at Screen; Screen shows
// the program's output and the echo.
type PTY struct {
	Screen, Line *os.File

	mu      sync.Mutex
	shown   strings.Builder
	changed chan struct{} // closed and replaced whenever more is shown
	ended   error         // why no more is
}

// OpenPTY opens one, and reads its screen until it is closed.
func OpenPTY() (*PTY, error) {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	fd := int(screen.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	var line *os.File
	if err == nil {
		line, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, errors.Join(err, screen.Close())
	}
	p := &PTY{Screen: screen, Line: line, changed: make(chan struct{})}
	go p.read() // ends with Close
	return p, nil
}

func (p *PTY) read() {
	b := make([]byte, 4096)
	for {
		n, err := p.Screen.Read(b)
		p.mu.Lock()
		p.shown.Write(b[:n])
		p.ended = err
		close(p.changed)
		p.changed = make(chan struct{})
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Close closes both ends.
func (p *PTY) Close() error { return errors.Join(p.Line.Close(), p.Screen.Close()) }

// Shown is all that the screen has shown.
func (p *PTY) Shown() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown.String()
}

// Until waits until the screen has shown a text so many times.
func (p *PTY) Until(ctx context.Context, text string, times int) error {
	for {
		p.mu.Lock()
		shown, ended, changed := p.shown.String(), p.ended, p.changed
		p.mu.Unlock()
		switch {
		case strings.Count(shown, text) >= times:
			return nil
		case ended != nil:
			return fmt.Errorf("the screen shows %q and not %q: %w", shown, text, ended)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the screen shows %q and not %q: %w", shown, text, ctx.Err())
		}
	}
}

// Type types a line.
func (p *PTY) Type(line string) error {
	_, err := p.Screen.WriteString(line + "\n")
	return err
}

// Echoes reports whether the terminal shows what is typed.
func (p *PTY) Echoes() (bool, error) {
	s, err := unix.IoctlGetTermios(int(p.Line.Fd()), unix.TCGETS)
	if err != nil {
		return false, err
	}
	return s.Lflag&unix.ECHO != 0, nil
}

// UntilMute waits until the terminal no longer shows what is typed.
func (p *PTY) UntilMute(ctx context.Context) error {
	tick := time.NewTicker(time.Millisecond) // nothing tells of it
	defer tick.Stop()
	for {
		if on, err := p.Echoes(); err != nil || !on {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("the terminal shows what is typed: %w", ctx.Err())
		}
	}
}
