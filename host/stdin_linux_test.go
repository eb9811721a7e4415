package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
	"golang.org/x/sys/unix"

	"tabwright/host/config"
)

// pty is a pseudo-terminal: what is typed at screen a command reads from line.
type pty struct {
	t            *testing.T
	screen, line *os.File
	shown        strings.Builder
}

func openPTY(t *testing.T) *pty {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err = errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)); err != nil {
		t.Fatal(err)
	}
	line, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = line.Close() })
	return &pty{t: t, screen: screen, line: line}
}

// until reads the screen until it shows a text.
func (p *pty) until(text string) {
	p.t.Helper()
	b := make([]byte, 1024)
	for !strings.Contains(p.shown.String(), text) {
		n, err := p.screen.Read(b)
		p.shown.Write(b[:n])
		if err != nil {
			p.t.Fatalf("the screen shows %q and not %q: %v", p.shown.String(), text, err)
		}
	}
}

func (p *pty) echoes() bool {
	p.t.Helper()
	s, err := unix.IoctlGetTermios(int(p.line.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	return s.Lflag&unix.ECHO != 0
}

// untilMute waits until the terminal shows nothing of what is typed.
func (p *pty) untilMute() {
	p.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(10 * time.Second); p.echoes(); <-tick.C {
		if time.Now().After(end) {
			p.t.Fatal("the terminal shows what is typed")
		}
	}
}

// starts runs a command line at the terminal.
func (p *pty) starts(ctx context.Context, words ...string) <-chan error {
	root := rootCommand()
	root.SetIn(p.line)
	root.SetOut(p.line)
	root.SetErr(p.line)
	root.SetArgs(words)
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(ctx) }()
	return ended
}

// What is secret is typed unseen, kept as it was typed, and the terminal is as
// before, also after Ctrl-C.
func TestSecretsAreTypedUnseen(t *testing.T) {
	keyring.MockInit()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Cleanup(func() { given = config.Overrides{} })
	const value = "hunter2-and-more"
	for name, words := range map[string][]string{
		"openai": {"key", "set", "openai"}, "secret/bank": {"secret", "set", "bank", "--site", "bank.example"},
	} {
		p := openPTY(t)
		ctx, stop := context.WithCancel(t.Context())
		ended := p.starts(ctx, words...)
		p.until("does not show): ")
		p.untilMute()
		stop()
		var ee *exitError
		if err := <-ended; !errors.As(err, &ee) || ee.code != exitCancelled || !p.echoes() {
			t.Errorf("%s, stopped: %v, the terminal shows what is typed: %v", words, err, p.echoes())
		}

		p = openPTY(t)
		ended = p.starts(t.Context(), words...)
		p.until("does not show): ")
		p.untilMute()
		if _, err := p.screen.WriteString(value + "\n"); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", words, err)
		}
		p.until("Kept in ")
		if strings.Contains(p.shown.String(), value[:3]) || !p.echoes() {
			t.Errorf("%s: %q was shown, the terminal shows what is typed: %v", words, p.shown.String(), p.echoes())
		}
		if kept, err := config.OpenKeys("").Get(name); err != nil || kept.Reveal() != value {
			t.Errorf("%s: kept %q, %v", words, kept.Reveal(), err)
		}
	}
	// From a pipe it is taken as ever.
	if code, said := ran(t, strings.NewReader("piped-value\n"), "secret", "set", "pin", "--site", "bank.example"); code != exitOK || strings.Contains(said, "does not show") {
		t.Errorf("exit code %d: %s", code, said)
	}
	if kept, err := config.OpenKeys("").Get("secret/pin"); err != nil || kept.Reveal() != "piped-value" {
		t.Errorf("kept %q, %v", kept.Reveal(), err)
	}
}
