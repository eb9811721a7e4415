package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"tabwright/e2e/rig"
	"tabwright/host/config"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

func openPTY(t *testing.T) *rig.PTY {
	t.Helper()
	p, err := rig.OpenPTY()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// atTerminal runs a command line at a terminal.
func atTerminal(ctx context.Context, p *rig.PTY, words ...string) <-chan error {
	root := rootCommand()
	root.SetIn(p.Line)
	root.SetOut(p.Line)
	root.SetErr(p.Line)
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
	t.Cleanup(func() { serve.Overrides = config.Overrides{} })
	bounded, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	echoes := func(p *rig.PTY) bool {
		t.Helper()
		on, err := p.Echoes()
		must(err)
		return on
	}
	const value = "hunter2-and-more"
	for name, words := range map[string][]string{
		"openai": {"key", "set", "openai"}, "secret/bank": {"secret", "set", "bank", "--site", "bank.example"},
	} {
		p := openPTY(t)
		ctx, stop := context.WithCancel(bounded)
		ended := atTerminal(ctx, p, words...)
		must(p.Until(bounded, "is not shown): ", 1))
		must(p.UntilMute(bounded))
		stop()
		var ee *exitError
		if err := <-ended; !errors.As(err, &ee) || ee.code != exitCancelled || !echoes(p) {
			t.Errorf("%s, stopped: %v, the terminal shows what is typed: %v", words, err, echoes(p))
		}

		p = openPTY(t)
		ended = atTerminal(bounded, p, words...)
		must(p.Until(bounded, "is not shown): ", 1))
		must(p.UntilMute(bounded))
		must(p.Type(value))
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", words, err)
		}
		must(p.Until(bounded, "Kept in ", 1))
		if strings.Contains(p.Shown(), value[:3]) || !echoes(p) {
			t.Errorf("%s: %q was shown, the terminal shows what is typed: %v", words, p.Shown(), echoes(p))
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

// What was typed before a question is no answer to it.
func TestEarlyAnswersAreForgotten(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p := openPTY(t)
	a := newAsker("ask", p.Line, p.Line)
	for n := 1; n <= 3; n++ {
		if err := p.Type("y\nyes"); err != nil { // early
			t.Fatal(err)
		}
		if err := p.Until(ctx, "yes\r\n", n); err != nil { // it is in the terminal
			t.Fatal(err)
		}
		answer := make(chan bool, 1)
		go func() {
			answer <- a.confirm(ctx, wire.ConfirmInfo{}).Allow
		}()
		if err := p.Until(ctx, "[y/N, or why not] ", n); err != nil {
			t.Fatal(err)
		}
		select {
		case <-answer:
			t.Fatal("what was typed before the question answered it")
		case <-time.After(100 * time.Millisecond):
		}
		word := map[bool]string{true: "y", false: "no"}[n == 2]
		if err := p.Type(word); err != nil {
			t.Fatal(err)
		}
		if allow := <-answer; allow != (n == 2) {
			t.Errorf("question %d, answered %q: %v", n, word, allow)
		}
	}
}
