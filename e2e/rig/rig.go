// Package rig starts the whole product as a user has it, in a real Chromium with a new
// profile. The extension is loaded, the native host is registered, and the browser starts the
// built binary through native messaging. The system tests and the tour are its users.
package rig

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"tabwright/extension"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/tether"
)

// Options of Start.
type Options struct {
	Binary   string   // bin/tabwright; empty: Build makes one
	Program  []string // how a user calls it, as npx tabwright; empty: Binary
	Dir      string   // state of the run; empty: a temporary folder that Close removes
	Headless bool     // without a window
	Env      []string // for the browser, and through it for shim and broker
	Args     []string // for the browser
	Log      io.Writer
}

// Rig is a running browser with Tabwright in it.
type Rig struct {
	Binary  string
	Dir     string
	Browser *launch.Browser
	// Driver is the test's own connection to the browser, beside Tabwright's.
	Driver *direct.Driver

	opts   Options
	env    []string
	remove bool
	tie    *tether.Tether // of the temporary folder, to us

	closing sync.Once
	closed  error
}

// Root is the source tree.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

var build struct {
	once sync.Once
	path string
	err  error
}

// Build builds the extension and the binary, once a process, with the same
// commands as `make build`, and gives the binary's path.
func Build(ctx context.Context) (string, error) {
	build.once.Do(func() { build.path, build.err = buildAll(ctx) })
	return build.path, build.err
}

func buildAll(ctx context.Context) (string, error) {
	if p := os.Getenv("TABWRIGHT_BINARY"); p != "" {
		return p, nil // built beforehand
	}
	path := filepath.Join(Root(), "bin", "tabwright")
	// Tests of other packages run beside, whose brokers hand over when their binary
	// is replaced: one that is the same is left alone, for `go build` would touch it.
	fresh := fmt.Sprintf("%s.%d", path, os.Getpid())
	defer func() { _ = os.Remove(fresh) }()
	for _, args := range [][]string{
		{"go", "run", "./extension/build"},
		{"go", "build", "-o", fresh, "./host"},
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = Root()
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	if same(fresh, path) {
		return path, nil
	}
	return path, os.Rename(fresh, path)
}

// same reports whether two files have the same contents.
func same(a, b string) bool {
	x, errX := os.ReadFile(a)
	y, errY := os.ReadFile(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// orphans kills the processes that have a socket in the folder $1, and removes the folder.
const orphans = `for p in /proc/[0-9]*; do
	grep -qsz "TABWRIGHT_SOCKET=$1/" "$p/environ" && [ "${p#/proc/}" != $$ ] && kill -9 "${p#/proc/}"
done
rm -rf "$1"`

// Tie makes all processes with a socket in a folder end when this process ends, in
// whatever way, and then removes the folder.
func Tie(dir string) (*tether.Tether, error) { return tether.New(orphans, dir) }

// Start registers the host with a fresh profile and starts the browser.
func Start(ctx context.Context, o Options) (_ *Rig, err error) {
	r := &Rig{Binary: o.Binary, Dir: o.Dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if r.Binary == "" && len(o.Program) == 0 {
		if r.Binary, err = Build(ctx); err != nil {
			return nil, err
		}
	}
	if r.Dir == "" {
		// Short, because a Unix socket's path is at most 108 bytes.
		if r.Dir, err = os.MkdirTemp("", "tw-"); err != nil {
			return nil, err
		}
		r.remove = true
	}
	if r.Dir, err = filepath.Abs(r.Dir); err != nil {
		return nil, err
	}
	if r.remove {
		// A broker outlives who starts it: a test that is killed leaves none.
		if r.tie, err = Tie(r.Dir); err != nil {
			return nil, err
		}
	}
	r.opts, r.env = o, append(r.places(), o.Env...)
	if out, err := r.Command(ctx, "install", "--user-data-dir", r.profile()).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("tabwright install: %w\n%s", err, out)
	}
	if err := developerMode(r.profile()); err != nil {
		return nil, err
	}
	return r, r.launch(ctx)
}

// launch starts the browser and joins it.
func (r *Rig) launch(ctx context.Context) (err error) {
	r.Browser, err = launch.Start(ctx, launch.Options{
		Headless: r.opts.Headless, KeepPages: true, UserDataDir: r.profile(), Env: r.env, Stderr: r.opts.Log,
		Extensions: []string{r.ExtensionDir()},
		Args: append([]string{
			"--window-size=1280,900", "--no-first-run", "--no-default-browser-check",
			"--disable-background-networking", "--disable-component-update", "--disable-sync",
			"--enable-unsafe-extension-debugging",
		}, r.opts.Args...),
	})
	if err != nil {
		return err
	}
	script, err := extension.Extractor()
	if err != nil {
		script = "" // the rig itself reads no page context
	}
	r.Driver, err = direct.Connect(ctx, r.Browser.URL(), direct.Options{Extractor: script})
	return err
}

// Quit ends the browser as when a user quits it.
func (r *Rig) Quit(ctx context.Context) error {
	// Its answer may be lost with the connection.
	_, _ = cdp.Call(ctx, r.Driver.Browser(), cdpbrowser.Close, cdp.Empty{})
	select {
	case <-r.Browser.Done():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the browser does not end: %w", ctx.Err())
	}
}

// Again starts the browser once more, with its profile, after it has ended.
func (r *Rig) Again(ctx context.Context) error {
	_ = r.Driver.Close() // its connection is gone
	if err := r.Browser.Close(); err != nil {
		return err
	}
	return r.launch(ctx)
}

// places keeps everything the run writes under Dir.
func (r *Rig) places() []string {
	at := func(name string) string { return filepath.Join(r.Dir, name) }
	return []string{
		"XDG_CONFIG_HOME=" + at("config"), "XDG_DATA_HOME=" + at("data"), "XDG_STATE_HOME=" + at("state"),
		"XDG_CACHE_HOME=" + at("cache"), "TABWRIGHT_SOCKET=" + filepath.Join(r.Dir, "run", "broker.sock"),
	}
}

// developerMode turns on what a user turns on to load an unpacked extension;
// without it Chromium does not load one again after chrome.runtime.reload. The
// extension's button stands in the toolbar, as a user pins it there.
func developerMode(profile string) error {
	path := filepath.Join(profile, "Default", "Preferences")
	if _, err := os.Stat(path); err == nil {
		return nil // a profile that was used before
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(`{"extensions":{"ui":{"developer_mode":true},"pinned_extensions":["`+extension.ID+`"]}}`), 0o600)
}

func (r *Rig) profile() string { return filepath.Join(r.Dir, "profile") }

// ExtensionDir is where `tabwright install` put the extension.
func (r *Rig) ExtensionDir() string { return filepath.Join(r.Dir, "data", "tabwright", "extension") }

// Command is a tabwright command line that belongs to this rig.
func (r *Rig) Command(ctx context.Context, args ...string) *exec.Cmd {
	program := r.Binary
	if p := r.opts.Program; len(p) > 0 {
		program, args = p[0], append(slices.Clone(p[1:]), args...)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), r.env...)
	return cmd
}

// Logs gives what shim and broker wrote to their logs, for a failed test.
func (r *Rig) Logs() string {
	var b bytes.Buffer
	files, _ := filepath.Glob(filepath.Join(r.Dir, "state", "tabwright", "*")) // the pattern is constant
	for _, f := range files {
		if raw, err := os.ReadFile(f); err == nil {
			fmt.Fprintf(&b, "== %s\n%s\n", filepath.Base(f), raw)
		}
	}
	return b.String()
}

// Open opens a tab that the user would open, and attaches the test to it. It
// asks the browser itself: a driver refuses the extension's own pages.
func (r *Rig) Open(ctx context.Context, url string) (*browser.Tab, error) {
	res, err := cdp.Call(ctx, r.Driver.Browser(), target.CreateTarget, target.CreateTargetParams{URL: url})
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", url, err)
	}
	return r.Driver.Attach(ctx, browser.TabID(res.TargetID))
}

// Close ends the browser and the broker, and removes the run's folder if it is
// a temporary one. A second call gives the first one's error.
func (r *Rig) Close() error {
	r.closing.Do(func() { r.closed = r.close() })
	return r.closed
}

func (r *Rig) close() error {
	var errs []error
	if r.Driver != nil {
		err := r.Driver.Close()
		select {
		case <-r.Browser.Done(): // it ended before, and the connection with it
		default:
			errs = append(errs, err)
		}
	}
	if r.Browser != nil {
		errs = append(errs, r.Browser.Close())
	}
	errs = append(errs, r.stopBroker())
	if r.remove {
		errs = append(errs, os.RemoveAll(r.Dir))
	}
	if r.tie != nil {
		errs = append(errs, r.tie.Close())
	}
	return errors.Join(errs...)
}

// stopBroker ends the broker of this rig; its pid stands in the status.
func (r *Rig) stopBroker() error {
	if r.env == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if out, err := r.Command(ctx, "uninstall", "--user-data-dir", r.profile()).CombinedOutput(); err != nil {
		return fmt.Errorf("tabwright uninstall: %w\n%s", err, out)
	}
	return nil
}
