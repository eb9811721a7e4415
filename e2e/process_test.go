package e2e

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/e2e/rig"
)

// cli is a tabwright command line with state of its own.
type cli struct {
	t      *testing.T
	ctx    context.Context
	dir    string
	binary string
	env    []string
	mark   string
}

// newCLI builds the binary and gives it an empty home. Every process that comes
// of it carries a mark in its environment, and must be gone at the end.
func newCLI(t *testing.T, env ...string) *cli {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	// Cleanups run commands too, when the test's own context has ended.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), limit)
	t.Cleanup(cancel)
	binary, err := rig.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tw-") // short, for the socket's path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	at := func(name string) string { return filepath.Join(dir, name) }
	c := &cli{t: t, ctx: ctx, dir: dir, binary: binary, mark: "TABWRIGHT_TEST_MARK=" + filepath.Base(dir)}
	c.env = append(os.Environ(), append([]string{
		c.mark, "HOME=" + dir,
		"XDG_CONFIG_HOME=" + at("config"), "XDG_DATA_HOME=" + at("data"), "XDG_STATE_HOME=" + at("state"),
		"XDG_CACHE_HOME=" + at("cache"), "TABWRIGHT_SOCKET=" + filepath.Join(dir, "run", "broker.sock"),
	}, env...)...)
	return c
}

func (c *cli) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.ctx, c.binary, args...)
	cmd.Env = c.env
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// run gives the exit code and what was printed.
func (c *cli) run(stdin string, args ...string) (code int, out string) {
	c.t.Helper()
	cmd := c.command(args...)
	cmd.Stdin = strings.NewReader(stdin)
	raw, err := cmd.CombinedOutput()
	return exitCode(c.t, err), string(raw)
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var ee *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ee):
		return ee.ExitCode()
	default:
		t.Fatal(err)
		return -1
	}
}

// nothingRuns checks that no process with the mark is left, a browser's helpers
// and brokers included. A process that is just ending is given a moment.
func nothingRuns(t *testing.T, mark string) {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		return // no way to ask here
	}
	// Nothing tells of the end of a process that is not ours: look again.
	again, end := time.NewTicker(50*time.Millisecond), time.After(5*time.Second)
	defer again.Stop()
	for {
		left := marked(mark)
		if len(left) == 0 {
			return
		}
		select {
		case <-again.C:
		case <-end:
			t.Errorf("left running:\n%s", strings.Join(left, "\n"))
			return
		}
	}
}

func marked(mark string) []string {
	var left []string
	envs, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is constant
	for _, path := range envs {
		env, err := os.ReadFile(path) // a zombie's is empty, another user's closed
		if err != nil || !bytes.Contains(env, []byte(mark)) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline")) // gone meanwhile: empty
		left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
	}
	return left
}

// process is a command line under way.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	out   lines
	ended chan error
}

func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, ended: make(chan error, 1)}
	cmd.Stdout, cmd.Stderr = &p.out, &p.out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.ended <- cmd.Wait() }()
	return p
}

// await waits for a channel, and fails when the command ends before.
func (p *process) await(ctx context.Context, reached <-chan struct{}) {
	p.t.Helper()
	select {
	case <-reached:
	case err := <-p.ended:
		p.t.Fatalf("it ended: %v\n%s", err, p.out.String())
	case <-ctx.Done():
		p.t.Fatalf("it did not come so far\n%s", p.out.String())
	}
}

func (p *process) wait() (code int) {
	p.t.Helper()
	return exitCode(p.t, <-p.ended)
}

// lines is what a command prints; says waits for words in it.
type lines struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	more chan struct{}
}

var _ io.Writer = (*lines)(nil)

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return l.buf.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (p *process) says(ctx context.Context, words string) {
	p.t.Helper()
	l := &p.out
	for {
		l.mu.Lock()
		if l.more == nil {
			l.more = make(chan struct{})
		}
		found, more := strings.Contains(l.buf.String(), words), l.more
		l.mu.Unlock()
		if found {
			return
		}
		p.await(ctx, more)
	}
}
