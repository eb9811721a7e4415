package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tabwright/e2e/rig"
	"tabwright/host/tether"
)

// infinityFolder is the variable that names a copy of WebArena-Infinity's repository.
const infinityFolder = "WEBARENA_INFINITY"

const (
	installTime = 15 * time.Minute
	seedTime    = 5 * time.Minute
	startTime   = time.Minute
)

// errMissing is the error for an app that is not available here.
var errMissing = errors.New("not here")

// server runs an app, each time with the state it was seeded with.
type server struct {
	app        *app
	installed  string // folder of what was installed
	work, seed string // a folder of this run's; the state that was seeded

	tie        *tether.Tether
	url, state string
	env        []string
	starts     int
}

// newServer installs an app and seeds its state.
func newServer(ctx context.Context, a *app, work string) (*server, error) {
	s := &server{app: a, work: work, seed: filepath.Join(work, "seed")}
	if err := os.CopyFS(filepath.Join(work, "testdata"), data); err != nil {
		return nil, err
	}
	if a.Infinity != "" {
		folder := os.Getenv(infinityFolder)
		s.installed = filepath.Join(folder, "apps", a.Infinity)
		if _, err := os.Stat(filepath.Join(s.installed, "server.py")); folder == "" || err != nil {
			return nil, fmt.Errorf("%w: %s names no copy of github.com/web-arena-x/webarena-infinity", errMissing, infinityFolder)
		}
	} else if err := s.install(ctx); err != nil {
		return nil, fmt.Errorf("%w: %w", errMissing, err)
	}
	if err := os.MkdirAll(s.seed, 0o755); err != nil {
		return nil, err
	}
	if a.Seed == "" {
		return s, nil
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, seedTime)
	defer cancel()
	return s, script(ctx, a.Seed, s.seed, s.environ(s.seed, port))
}

// environ returns the environment of an app's scripts.
func (s *server) environ(state string, port int) []string {
	return append(os.Environ(), "NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost", "PYTHONDONTWRITEBYTECODE=1",
		"HOME="+state, "APP="+s.installed, "STATE="+state, "DATA="+filepath.Join(s.work, "testdata", "testdata"),
		fmt.Sprintf("PORT=%d", port), fmt.Sprintf("URL=http://127.0.0.1:%d", port))
}

// script runs a script to its end.
func script(ctx context.Context, text, dir string, env []string) error {
	cmd := exec.CommandContext(ctx, "sh", "-ec", text)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, tail(out))
	}
	return nil
}

// tail returns the end of an output on one line.
func tail(raw []byte) string {
	const most = 600
	return plain(string(raw[max(0, len(raw)-most):]))
}

// install fetches an app, once, into a folder of .cache.
func (s *server) install(ctx context.Context) error {
	i := s.app.Install
	if i.empty() {
		return nil
	}
	s.installed = filepath.Join(rig.Root(), ".cache", "deeds", s.app.Name+"-"+i.key())
	if _, err := os.Stat(s.installed); err == nil {
		return nil
	}
	fresh := fmt.Sprintf("%s.%d", s.installed, os.Getpid())
	defer os.RemoveAll(fresh)
	if err := os.MkdirAll(fresh, 0o755); err != nil {
		return err
	}
	if len(i.Overrides) > 0 {
		if err := os.MkdirAll(filepath.Join(fresh, "npm"), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(fresh, "npm", "package.json"), i.manifest(), 0o644); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	for _, step := range []struct {
		names []string
		text  string
	}{
		{i.Pip, `python3 -m pip install -q --disable-pip-version-check --only-binary :all: --target py`},
		{i.Npm, `npm install --silent --no-audit --no-fund --prefix npm`},
		{i.Deb, `mkdir deb; cd deb; fetch() { apt-get download -q "$@"; for f in *.deb; do dpkg-deb -x "$f" .; rm "$f"; done; }; fetch`},
	} {
		if len(step.names) == 0 {
			continue
		}
		if err := script(ctx, step.text+" "+strings.Join(step.names, " "), fresh, os.Environ()); err != nil {
			return err
		}
	}
	return os.Rename(fresh, s.installed)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it is closed at once
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// start ends the server that runs and starts one with a fresh state.
func (s *server) start(ctx context.Context) error {
	s.stop()
	port, err := freePort()
	if err != nil {
		return err
	}
	s.starts++
	s.url = fmt.Sprintf("http://127.0.0.1:%d", port)
	s.state = filepath.Join(s.work, fmt.Sprintf("state%d", s.starts))
	if err := copyTree(s.state, s.seed); err != nil {
		return err
	}
	s.env = s.environ(s.state, port)
	text, dir := s.app.Start, s.state
	if s.app.Infinity != "" {
		text, dir = `exec python3 server.py --port "$PORT"`, s.installed
	}
	cmd := exec.Command("sh", "-ec", text) //nolint:noctx // the tether ends it
	cmd.Dir, cmd.Env = dir, s.env
	log, err := os.Create(filepath.Join(s.work, "server.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if s.tie, err = tether.New(""); err != nil {
		return err
	}
	if err := s.tie.Start(cmd); err != nil {
		return err
	}
	return s.wait(ctx)
}

// wait waits until the server answers.
func (s *server) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	ready := s.app.Ready
	if ready == "" {
		ready = "/"
	}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+ready, nil)
		if err != nil {
			return err
		}
		if resp, err := direct.Do(req); err == nil {
			resp.Body.Close()
			if resp.StatusCode < http.StatusInternalServerError {
				return nil
			}
		}
		select {
		case <-ctx.Done():
		case <-s.tie.Done():
		case <-time.After(50 * time.Millisecond):
			continue
		}
		log, _ := os.ReadFile(filepath.Join(s.work, "server.log"))
		return fmt.Errorf("%s does not answer: %s", s.app.Name, tail(log))
	}
}

func (s *server) read(ctx context.Context) (snapshot, error) {
	return s.app.State.read(ctx, s.url, s.state, s.env)
}

func (s *server) stop() {
	if s.tie != nil {
		_ = s.tie.Close()
		s.tie = nil
	}
	if s.state != "" {
		_ = os.RemoveAll(s.state)
	}
}

// copyTree copies files, folders and links.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		at := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(at, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			goal, err := os.Readlink(p)
			if err != nil {
				return err
			}
			return os.Symlink(goal, at)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		raw, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(at, raw, info.Mode().Perm())
	})
}
