package paneltest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"tabwright/extension"
	"tabwright/extension/bundle"
	"tabwright/host/tether"
)

// Options of Launch.
type Options struct {
	// Dir is a folder for profile, socket and built extension; the caller removes it.
	Dir string
	// Handler plays the host; nil leaves the host unregistered.
	Handler Handler
	// Lang is the browser's language; empty is en-US.
	Lang string
}

// Browser is a headless Chromium with the extension loaded.
type Browser struct {
	// Hosts gets a Host for every native connection of the extension.
	Hosts chan *Host

	opts Options
	tie  *tether.Tether
	conn *conn
	l    net.Listener
}

// Find gives the path of a Chromium or Chrome, or "".
func Find() string {
	for _, name := range []string{os.Getenv("TABWRIGHT_BROWSER"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	return ""
}

// built is the extension, built from its sources once for all browsers of this
// program: the files of the folder that Chrome loads, by their paths in it.
var built = sync.OnceValues(func() (files map[string][]byte, err error) {
	dir, err := os.MkdirTemp("", "tw-extension")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := bundle.All(bundle.Root(), dir); err != nil {
		return nil, err
	}
	files = map[string][]byte{}
	return files, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		return err
	})
})

// install writes the built extension into a folder.
func install(dir string) error {
	files, err := built()
	if err != nil {
		return err
	}
	for path, b := range files {
		to := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Launch starts a browser with the extension as its sources are.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	dist := filepath.Join(o.Dir, "extension")
	if err := install(dist); err != nil {
		return nil, err
	}
	b := &Browser{Hosts: make(chan *Host, 16), opts: o}
	if o.Handler != nil {
		if err := b.Register(ctx, o.Handler); err != nil {
			return nil, err
		}
	}
	if err := b.start(ctx, dist); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Register puts the native-host manifest where the browser looks for it.
// From then on handler plays the host.
func (b *Browser) Register(ctx context.Context, handler Handler) error {
	sock := filepath.Join(b.opts.Dir, "host.sock")
	var err error
	if b.l, err = (&net.ListenConfig{}).Listen(ctx, "unix", sock); err != nil {
		return err
	}
	go func() {
		for {
			c, err := b.l.Accept()
			if err != nil {
				return
			}
			b.Hosts <- serve(ctx, c, handler)
		}
	}()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// Chrome passes its own environment on, but tests in parallel need a socket each.
	script := filepath.Join(b.opts.Dir, "host.sh")
	text := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s' \"$@\"\n", hostEnv, sock, self)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		return err
	}
	manifest, err := json.Marshal(map[string]any{
		"name": "com.tabwright.host", "description": "test host", "type": "stdio", "path": script,
		"allowed_origins": []string{"chrome-extension://" + extension.ID + "/"},
	})
	if err != nil {
		return err
	}
	dir := filepath.Join(b.opts.Dir, "profile", "NativeMessagingHosts")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "com.tabwright.host.json"), manifest, 0o644)
}

func (b *Browser) start(ctx context.Context, dist string) error {
	lang := b.opts.Lang
	if lang == "" {
		lang = "en-US"
	}
	cmd := exec.Command(Find(),
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang="+lang, "--accept-lang="+lang,
		"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--user-data-dir="+filepath.Join(b.opts.Dir, "profile"), "--remote-debugging-port=0",
		"--enable-unsafe-extension-debugging", "--disable-features=DisableLoadExtensionCommandLineSwitch", "--load-extension="+dist,
		"about:blank")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	// It must not outlive a test that is killed.
	if b.tie, err = tether.New(`rm -rf "$1"`, b.opts.Dir); err != nil {
		return err
	}
	if err := b.tie.Start(cmd); err != nil {
		return fmt.Errorf("start browser: %w", err)
	}
	url := make(chan string, 1)
	go func() {
		defer close(url)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, u, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				url <- u
				break
			}
		}
		_, _ = io.Copy(io.Discard, stderr) // or the browser blocks on a full pipe
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case u, ok := <-url:
		if !ok {
			return errors.New("the browser ended before it listened")
		}
		b.conn, err = dial(ctx, u)
		return err
	}
}

// Close ends the browser and everything it started.
func (b *Browser) Close() {
	if b.l != nil {
		_ = b.l.Close()
	}
	if b.conn != nil {
		_ = b.conn.ws.Close()
	}
	if b.tie != nil {
		_ = b.tie.Close()
	}
}
