package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"tabwright/extension/bundle"
	"tabwright/host/tether"
)

// whole skips what takes minutes, unless `make test-release` runs it.
func whole(t *testing.T) {
	t.Helper()
	if os.Getenv("TABWRIGHT_RELEASE") == "" {
		t.Skip("make test-release runs it")
	}
	needBuilt(t)
}

// command runs a program in dir with more environment, and gives what it prints.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(plainEnv(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, errs.String())
	}
	return string(out)
}

// plainEnv is the environment without settings of the program and of tests.
func plainEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "TABWRIGHT_") })
}

// TestGoInstall: under a public path, and with the archive that a release has in its
// commit, `go install` builds the whole program from a module proxy, without npm.
func TestGoInstall(t *testing.T) {
	whole(t)
	const path = "code.example/owner/tabwright"
	// Go keeps an index of the files of each version, and never looks at them again.
	version := fmt.Sprintf("v0.9.%d", time.Now().Unix())
	root, dir := filepath.Dir(bundle.Root()), t.TempDir()
	tree, proxy := filepath.Join(dir, "tree"), filepath.Join(dir, "proxy", filepath.FromSlash(path), "@v")
	must(t, rewriteModule(root, path, tree))
	must(t, os.MkdirAll(proxy, 0o755))
	f, err := os.Create(filepath.Join(proxy, version+".zip"))
	must(t, err)
	must(t, modzip.CreateFromDir(f, module.Version{Path: path, Version: version}, tree))
	must(t, f.Close())
	mod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	must(t, err)
	write(t, filepath.Join(proxy, version+".mod"), string(mod))
	write(t, filepath.Join(proxy, version+".info"), fmt.Sprintf(`{"Version": %q, "Time": "2026-01-01T00:00:00Z"}`, version))
	write(t, filepath.Join(proxy, "list"), version+"\n")
	st, err := os.Stat(filepath.Join(proxy, version+".zip"))
	must(t, err)
	t.Logf("the module is %d KB", st.Size()>>10)

	bin := filepath.Join(dir, "bin")
	usual := strings.TrimSpace(command(t, dir, nil, "go", "env", "GOPROXY"))
	// The module is unpacked writable, so that it can go with the test.
	env := []string{"GOBIN=" + bin, "GOFLAGS=-modcacherw", "GONOSUMDB=" + path, "GOPROXY=file://" + filepath.Join(dir, "proxy") + "," + usual, "PATH=" + goOnly(t)}
	cache := strings.TrimSpace(command(t, dir, nil, "go", "env", "GOMODCACHE"))
	t.Cleanup(func() {
		for _, kept := range []string{cache, filepath.Join(cache, "cache", "download")} {
			_ = os.RemoveAll(filepath.Join(kept, "code.example"))
		}
	})
	command(t, dir, env, "go", "install", path+"/host/tabwright@"+version)
	program := filepath.Join(bin, "tabwright")
	want := command(t, root, nil, "go", "run", "./host", "version")
	if got := command(t, dir, nil, program, "version"); got != want {
		t.Errorf("its version is %q, want %q", got, want)
	}
	if got := command(t, dir, nil, program, "licenses"); !strings.Contains(got, "preact ") {
		t.Error("it has no licences")
	}
	home := newHome(t)
	command(t, dir, home.env, program, "install")
	home.registered(t)
}

// goOnly is a PATH on which there is Go and no npm.
func goOnly(t *testing.T) string {
	t.Helper()
	tool, err := exec.LookPath("go")
	must(t, err)
	tool, err = filepath.EvalSymlinks(tool)
	must(t, err)
	path := filepath.Dir(tool)
	if _, err := os.Stat(filepath.Join(path, "npm")); err == nil {
		t.Fatalf("npm lies beside go in %s", path)
	}
	return path
}

// home is a user's folder with one browser in it.
type home struct {
	dir string
	env []string
}

func newHome(t *testing.T) home {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the folders of browsers are those of Linux")
	}
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, ".config", "google-chrome"), 0o700))
	return home{dir, []string{"HOME=" + dir, "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_STATE_HOME=", "XDG_RUNTIME_DIR=" + t.TempDir()}}
}

// registered gives the program that the browser is to start.
func (h home) registered(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(h.dir, ".config/google-chrome/NativeMessagingHosts/com.tabwright.host.json"))
	must(t, err)
	var m struct{ Path string }
	must(t, json.Unmarshal(raw, &m))
	return m.Path
}

// published is the program in a registry on this machine, and a user who gets it there.
type published struct {
	home
	program string   // as it was built
	npm     []string // the environment of npm and npx
}

// publish builds the program for this platform and publishes it as npm's packages.
func publish(t *testing.T) published {
	t.Helper()
	root := filepath.Dir(bundle.Root())
	dir := t.TempDir()
	// One platform, as goreleaser would leave it.
	p := published{program: filepath.Join(dir, "tabwright")}
	command(t, root, []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", p.program, "./host")
	rel, err := filepath.Rel(root, p.program)
	must(t, err)
	write(t, filepath.Join(dir, "metadata.json"), `{"version": "0.9.0"}`)
	must(t, writeJSON(filepath.Join(dir, "artifacts.json"), []map[string]any{{"name": "tabwright", "path": rel, "type": "Binary", "goos": runtime.GOOS, "goarch": runtime.GOARCH}}))
	packages := filepath.Join(dir, "npm")
	must(t, npmPackages(dir, packages, "owner/tabwright"))

	registry := startRegistry(t, root)
	p.home = newHome(t)
	write(t, filepath.Join(p.dir, ".npmrc"), registry+"/:_authToken=anyone\n")
	p.npm = []string{"npm_config_registry=http:" + registry, "npm_config_cache=" + filepath.Join(p.dir, "npm"), "npm_config_yes=true", "npm_config_userconfig=" + filepath.Join(p.dir, ".npmrc")}
	for _, name := range []string{filepath.Join(scope, nodeOS[runtime.GOOS]+"-"+nodeArch[runtime.GOARCH]), "tabwright"} {
		pack := command(t, filepath.Join(packages, name), append(p.env, p.npm...), "npm", "pack", "--json")
		var packed []struct {
			Filename string
			Size     int
		}
		must(t, json.Unmarshal([]byte(pack), &packed))
		t.Logf("%s is %d KB", packed[0].Filename, packed[0].Size>>10)
		command(t, filepath.Join(packages, name), append(p.env, p.npm...), "npm", "publish", packed[0].Filename)
	}
	return p
}

// TestNPX: the packages are published to a registry on this machine, and npx gets
// the program from there; what it installs outlives npx's folders.
func TestNPX(t *testing.T) {
	whole(t)
	h := publish(t)
	env := append(h.env, h.npm...)
	want := command(t, h.dir, nil, h.program, "version")
	if got := command(t, h.dir, env, "npx", "tabwright@0.9.0", "version"); got != want {
		t.Errorf("npx tabwright version says %q, want %q", got, want)
	}
	said := command(t, h.dir, env, "npx", "tabwright@0.9.0", "update")
	if !strings.Contains(said, "npm") {
		t.Errorf("it does not know that it is npm's: %q", said)
	}
	command(t, h.dir, env, "npx", "tabwright@0.9.0", "install")
	registered := h.registered(t)
	must(t, os.RemoveAll(filepath.Join(h.dir, "npm")))
	if got := command(t, h.dir, h.env, registered, "version"); got != want {
		t.Errorf("without npx's folders %s says %q", registered, got)
	}
	fails := exec.Command("npx", "tabwright@0.9.0", "nonsense")
	fails.Dir, fails.Env = h.dir, append(plainEnv(), env...)
	if err := fails.Run(); err == nil || fails.ProcessState.ExitCode() != 2 {
		t.Errorf("an unknown command exits with %d", fails.ProcessState.ExitCode())
	}
	command(t, h.dir, env, "npx", "tabwright@0.9.0", "uninstall", "--purge")
	if _, err := os.Stat(filepath.Join(h.dir, ".local", "share", "tabwright")); !os.IsNotExist(err) {
		t.Errorf("uninstall leaves its folder: %v", err)
	}
}

// startRegistry starts a registry that takes packages from anyone, and gives its
// address without the scheme.
func startRegistry(t *testing.T, root string) string {
	t.Helper()
	dir := filepath.Join(root, ".cache", "npm-registry")
	for _, name := range []string{"package.json", "package-lock.json"} {
		raw, err := os.ReadFile(filepath.Join(root, "install", "release", "registry", name))
		must(t, err)
		write(t, filepath.Join(dir, name), string(raw))
	}
	command(t, dir, nil, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := l.Addr().String()
	must(t, l.Close())
	state := t.TempDir()
	write(t, filepath.Join(state, "config.yaml"), `
storage: ./storage
packages:
  "**":
    access: $all
    publish: $all
max_body_size: 200mb
log: {type: stdout, level: warn}
`)
	cmd := exec.Command("node", filepath.Join(dir, "node_modules", "verdaccio", "bin", "verdaccio"), "--config", filepath.Join(state, "config.yaml"), "--listen", address)
	cmd.Dir = state
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	held, err := tether.New("")
	must(t, err)
	err = held.Start(cmd)
	must(t, err)
	t.Cleanup(func() { _ = held.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/-/ping", nil)
		must(t, err)
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return "//" + address
			}
		}
		select {
		case <-tick.C:
		case <-held.Done():
			t.Fatalf("the registry ended: %v\n%s", held.Err(), said.String())
		case <-ctx.Done():
			t.Fatal("the registry does not answer")
		}
	}
}
