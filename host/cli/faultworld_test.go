//go:build linux

package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"tabwright/host/serve"
	"tabwright/install"
)

// computer is a home folder in which every link of the chain holds, and what a
// test breaks in it.
type computer struct {
	*testing.T
	dir     string
	id      string
	ollama  *fakeOllama
	version string
	broker  *fakeRelays // nil: the socket is asked
	change  []func(*install.Options)
}

const wholeVersion = "1.2.3"

func newComputer(t *testing.T) *computer {
	t.Helper()
	dir, err := os.MkdirTemp("", "tw") // t.TempDir can be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	homeIn(t, dir)
	c := &computer{T: t, dir: dir, version: wholeVersion}
	key := base64.StdEncoding.EncodeToString([]byte("a public key for tests"))
	if c.id, err = install.IDOfKey(key); err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"OLLAMA_HOST", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "WAYLAND_DISPLAY", "TABWRIGHT_CHROMIUM_ARGS", "TABWRIGHT_BROWSER", "XDG_RUNTIME_DIR"} {
		t.Setenv(v, "")
		c.must(os.Unsetenv(v)) // a setting's variable that is empty counts
	}
	t.Setenv("DISPLAY", ":99")
	t.Setenv("PATH", c.path("path")+":/usr/bin:/bin")
	c.script("path/sudo", `exec "$@"`)
	c.script("path/chromium", `echo "Chromium 156.0.1 for tests"`)
	c.script("bin/tabwright", "")
	put(t, c.path("kernel/kernel/unprivileged_userns_clone"), "1\n")
	wasKernel, wasUser, wasPatience := serve.KernelSettings, serve.UserID, serve.BrokerPatience
	serve.KernelSettings, serve.UserID, serve.BrokerPatience = c.path("kernel")+"/", func() int { return 1000 }, time.Second
	extensionFS := fstest.MapFS{"relay.js": {Data: []byte("// the relay")}, "panel.js": {Data: []byte("// the panel")}}
	serve.Adjust = func(o *install.Options) {
		extensionFS["manifest.json"] = &fstest.MapFile{Data: []byte(fmt.Sprintf(`{"manifest_version":3,"version":%q,"key":%q,"minimum_chrome_version":"125"}`, c.version, key))}
		o.Binary, o.ExtensionID, o.Extension, o.Root = c.path("bin/tabwright"), c.id, extensionFS, c.path("root")
		if c.broker != nil {
			o.Broker = c.broker
		}
		for _, f := range c.change {
			f(o)
		}
	}
	t.Cleanup(func() {
		serve.Adjust = nil
		serve.KernelSettings, serve.UserID, serve.BrokerPatience = wasKernel, wasUser, wasPatience
	})
	c.ollama = newFakeOllama(t, "qwen3:8b")
	c.settings("model: qwen3:8b\nbase_url: " + c.ollama.URL + "\n")
	put(t, c.path("config/google-chrome/Local State"), "{}")
	put(t, c.path("config/google-chrome/Last Version"), "156.0.8078.108")
	if code, said := ran(t, nil, "install"); code != 0 {
		t.Fatal(said)
	}
	c.loaded(map[string]any{"path": c.extension()})
	return c
}

func (c *computer) path(p string) string { return filepath.Join(c.dir, filepath.FromSlash(p)) }
func (c *computer) extension() string    { return c.path("data/tabwright/extension") }
func (c *computer) settings(s string)    { put(c.T, c.path("config/tabwright/config.yaml"), s) }
func (c *computer) keys(s string)        { put(c.T, c.path("config/tabwright/keys.json"), s) }
func (c *computer) socket() string       { return os.Getenv("TABWRIGHT_SOCKET") }
func (c *computer) policy(s string) {
	put(c.T, c.path("root/etc/opt/chrome/policies/managed/p.json"), s)
}
func (c *computer) adjust(f func(*install.Options)) { c.change = append(c.change, f) }

func (c *computer) manifest() string {
	return c.path("config/google-chrome/NativeMessagingHosts/" + install.HostName + ".json")
}

func (c *computer) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *computer) script(path, body string) {
	c.Helper()
	put(c.T, c.path(path), "#!/bin/sh\n"+body+"\n")
	c.must(os.Chmod(c.path(path), 0o755)) //nolint:gosec // a program
}

// edit changes one value of the registration.
func (c *computer) edit(name string, value any) {
	c.Helper()
	raw, err := os.ReadFile(c.manifest())
	c.must(err)
	m := map[string]any{}
	c.must(json.Unmarshal(raw, &m))
	m[name] = value
	raw, err = json.Marshal(m)
	c.must(err)
	put(c.T, c.manifest(), string(raw))
}

// replace puts a file, folder or link in the place of another.
func (c *computer) replace(path string, with func(path string) error) {
	c.Helper()
	c.must(os.RemoveAll(path))
	c.must(os.MkdirAll(filepath.Dir(path), 0o700))
	c.must(with(path))
}

func aFolder(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o700) }
func aFile(path string) error   { return os.WriteFile(path, []byte("x"), 0o600) }

// aLoop can be read by nobody, root included.
func aLoop(path string) error { return os.Symlink(path, path) }

// loaded writes what Chrome writes down of the extension.
func (c *computer) loaded(entry map[string]any) {
	c.Helper()
	raw, err := json.Marshal(map[string]any{"extensions": map[string]any{"settings": map[string]any{c.id: entry}}})
	c.must(err)
	put(c.T, c.path("config/google-chrome/Default/Preferences"), string(raw))
}

// relays has a broker with one browser connected.
func (c *computer) relays(change func(*fakeRelays)) {
	c.broker = &fakeRelays{c: c, version: c.version, relays: []install.Relay{{
		Browser: "Google Chrome 156", Profile: "p1", ExtensionID: c.id, ExtensionVersion: c.version, ShimPID: 43, ShimPath: c.path("bin/tabwright"),
	}}}
	change(c.broker)
}

// hold has a process of this program hold the broker's place until the test ends.
func (c *computer) hold(how string) {
	c.Helper()
	self, err := os.Executable()
	c.must(err)
	cmd := exec.Command(self, "-test.run=^TestHoldTheBrokersPlace$")
	cmd.Env = append(os.Environ(), "TABWRIGHT_TEST_HOLD="+how)
	out, err := cmd.StdoutPipe()
	c.must(err)
	in, err := cmd.StdinPipe()
	c.must(err)
	c.must(cmd.Start())
	c.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	ready := make([]byte, 5)
	if _, err := out.Read(ready); err != nil {
		c.Fatal(err)
	}
}

// TestHoldTheBrokersPlace is the process that hold starts.
func TestHoldTheBrokersPlace(t *testing.T) {
	how := os.Getenv("TABWRIGHT_TEST_HOLD")
	if how == "" {
		t.Skip("another test starts this one as a process")
	}
	path := os.Getenv("TABWRIGHT_SOCKET")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if how == "socket" {
		if _, err := net.Listen("unix", path); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends
}

// fakeRelays is a broker with browsers connected, as the doctor asks it.
type fakeRelays struct {
	c         *computer
	version   string
	binary    string
	gone      bool
	relays    []install.Relay
	attachErr error
}

func (f *fakeRelays) Status(context.Context) (install.BrokerStatus, error) {
	if f.gone {
		return install.BrokerStatus{}, install.ErrNoBroker
	}
	return install.BrokerStatus{PID: 42, Version: f.version, Socket: "/run/b.sock", Binary: f.binary, Relays: f.relays}, nil
}

func (f *fakeRelays) TryAttach(context.Context, string) error { return f.attachErr }

func (f *fakeRelays) Reload(context.Context) error {
	for i := range f.relays {
		f.relays[i].ExtensionVersion = f.c.version
	}
	return nil
}

func (f *fakeRelays) Stop(context.Context) error {
	f.gone = true
	return nil
}

// fakeOllama has models by name; one with embed in it makes vectors, and one with
// plain in it calls no tools.
type fakeOllama struct {
	*httptest.Server
	mu     sync.Mutex
	models []string
}

func newFakeOllama(t *testing.T, models ...string) *fakeOllama {
	f := &fakeOllama{models: models}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeOllama) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var asked struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&asked)
	switch r.URL.Path {
	case "/api/tags":
		list := []map[string]any{}
		for _, m := range f.models {
			list = append(list, map[string]any{"name": m, "size": 5 << 30, "details": map[string]any{"family": "qwen3", "parameter_size": "8B"}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"models": list})
	case "/api/show":
		can := []string{"completion", "tools"}
		switch {
		case !slices.Contains(f.models, asked.Model):
			http.Error(w, `{"error":"model not found"}`, http.StatusNotFound)
			return
		case strings.Contains(asked.Model, "embed"):
			can = []string{"embedding"}
		case strings.Contains(asked.Model, "plain"):
			can = can[:1]
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"capabilities": can})
	case "/api/pull":
		f.models = append(f.models, asked.Model)
		_, _ = w.Write([]byte(`{"status":"success"}` + "\n"))
	case "/api/ps":
		_, _ = w.Write([]byte(`{"models":[]}`))
	default:
		http.NotFound(w, r)
	}
}

// openServer is a server of OpenAI's format under a path, which takes one key.
func openServer(t *testing.T, under, key string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case key != "" && r.Header.Get("Authorization") != "Bearer "+key:
			http.Error(w, `{"error":{"message":"invalid api key"}}`, http.StatusUnauthorized)
		case r.URL.Path != under+"/models":
			http.NotFound(w, r)
		default:
			_, _ = w.Write([]byte(`{"data":[{"id":"gpt-x"}]}`))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// doctor runs the command, and gives what it found by code.
func (c *computer) doctor(args ...string) (map[string]checkReport, healthReport) {
	c.Helper()
	_, said := ran(c.T, nil, append([]string{"doctor", "--json"}, args...)...)
	var r healthReport
	if err := json.NewDecoder(strings.NewReader(said)).Decode(&r); err != nil {
		c.Fatalf("%v: %s", err, said)
	}
	found := map[string]checkReport{}
	for _, k := range r.Checks {
		if k.State != "ok" {
			found[k.Code] = k
		}
	}
	return found, r
}

// does runs a line of advice as a user would in a shell, with a key at hand for what
// asks for one, and gives why it did not work.
func (c *computer) does(line string) error {
	c.Helper()
	if words, ok := strings.CutPrefix(line, "tabwright "); ok {
		code, said := ran(c.T, strings.NewReader("sk-good-key-of-tests\n"), strings.Fields(words)...)
		if code == exitUsage {
			return errors.New(said)
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(c.Context(), 10*time.Second)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", line) //nolint:gosec // what the doctor advises
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, out.String())
	}
	return nil
}
