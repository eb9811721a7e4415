package wine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tabwright/extension"
	"tabwright/host/native"
	"tabwright/host/native/wire"
)

// root is the root of the module, program where the build lies for Windows: with a
// blank and letters beyond ASCII in the path.
const (
	root    = "../.."
	program = `C:\Programs Ünï 张\tabwright.exe`
	local   = `C:\users\USER\AppData\Local\`
)

// prefix is one Windows of Wine, new for each run.
type prefix struct {
	t     *testing.T
	dir   string
	flags []string // of the build
	env   []string
}

func newPrefix(t *testing.T) *prefix {
	t.Helper()
	if os.Getenv("TABWRIGHT_WINE") == "" {
		t.Skip("make test-windows runs it")
	}
	if _, err := exec.LookPath("wine"); err != nil {
		t.Skip("SKIPPED, NOTHING OF WINDOWS WAS TRIED: there is no wine on this machine (Debian: apt-get install wine wine64)")
	}
	cache, err := filepath.Abs(filepath.Join(root, ".cache"))
	must(t, err)
	must(t, os.MkdirAll(cache, 0o700))
	work, err := os.MkdirTemp(cache, "wine-")
	must(t, err)
	t.Cleanup(func() {
		// Wine's server writes its registry once more when its last program has ended.
		for until := time.Now().Add(10 * time.Second); time.Now().Before(until); {
			if _, err := os.Stat(work); os.IsNotExist(err) {
				return
			}
			_ = os.RemoveAll(work)
		}
		t.Errorf("%s stays", work)
	})
	p := &prefix{t: t, dir: filepath.Join(work, "prefix")}
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "TABWRIGHT_") && !strings.HasPrefix(e, "DISPLAY=") {
			p.env = append(p.env, e)
		}
	}
	p.env = append(p.env, "WINEPREFIX="+p.dir, "WINEARCH=win64", "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "LC_ALL=C.UTF-8", "USER=user", "LOGNAME=user")
	if code, out := p.wine("wineboot", "-i"); code != 0 {
		t.Fatalf("wineboot: %d %s", code, out)
	}
	t.Cleanup(func() { p.wine("wineboot", "--kill") })
	must(t, writeForwarder(p.path(`C:\windows\system32\bcryptprimitives.dll`)))
	p.flags = buildFlags(t, filepath.Join(work, "gaps"))
	p.build("./host", program)
	p.build("./e2e/wine/testdata/browser", `C:\browser.exe`)
	return p
}

func (p *prefix) build(pkg, to string) {
	p.t.Helper()
	args := append([]string{"build", "-o", p.path(to)}, p.flags...)
	cmd := exec.CommandContext(p.t.Context(), "go", append(args, pkg)...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("build %s for Windows: %v\n%s", pkg, err, out)
	}
}

// windowsPath completes a path of Windows with the name of the user.
func (p *prefix) windowsPath(s string) string {
	users, err := os.ReadDir(filepath.Join(p.dir, "drive_c", "users"))
	must(p.t, err)
	for _, u := range users {
		if u.Name() != "Public" {
			return strings.Replace(s, "USER", u.Name(), 1)
		}
	}
	p.t.Fatal("Wine made no user")
	return ""
}

// path is where a file of Windows lies here.
func (p *prefix) path(windows string) string {
	return filepath.Join(p.dir, "drive_c", filepath.FromSlash(strings.ReplaceAll(strings.TrimPrefix(windows, `C:\`), `\`, "/")))
}

func (p *prefix) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "wine", args...)
	cmd.Env, cmd.Dir = p.env, os.TempDir()
	cmd.WaitDelay = time.Second // what it started may hold its output
	return cmd
}

// wine runs a program of Windows, and gives its exit code and what it printed.
func (p *prefix) wine(args ...string) (int, string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), 5*time.Minute)
	defer cancel()
	var out bytes.Buffer
	cmd := p.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		p.t.Fatalf("%q: %v\n%s", args, err, out.String())
	}
	return cmd.ProcessState.ExitCode(), strings.ReplaceAll(out.String(), "\r\n", "\n")
}

// tabwright runs the program, which must end with this code.
func (p *prefix) tabwright(want int, args ...string) string {
	p.t.Helper()
	code, out := p.wine(append([]string{p.path(program)}, args...)...)
	if code != want {
		p.t.Fatalf("%q: exit code %d, want %d\n%s", args, code, want, out)
	}
	return out
}

// faults are the checks of doctor that fail, other than those that want a browser
// and a model.
func (p *prefix) faults(args ...string) []string {
	p.t.Helper()
	var out []string
	for line := range strings.Lines(p.tabwright(1, append([]string{"doctor"}, args...)...)) {
		if rest, ok := strings.CutPrefix(line, "FAIL  "); ok && !strings.HasPrefix(rest, "Extension in the browser") && !strings.HasPrefix(rest, "Model") {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return out
}

// registered is the manifest that a browser finds by a key.
func (p *prefix) registered(key string) (manifest string) {
	p.t.Helper()
	code, out := p.wine("reg", "query", key+`\NativeMessagingHosts\com.tabwright.host`, "/ve")
	if code != 0 {
		return ""
	}
	_, manifest, _ = strings.Cut(out, "REG_SZ")
	return strings.TrimSpace(manifest)
}

// port is the program as a browser starts it.
type port struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *native.Reader
	err bytes.Buffer
}

func (p *prefix) port(args ...string) *port {
	p.t.Helper()
	c := &port{t: p.t, cmd: p.command(p.t.Context(), append(args, "chrome-extension://"+extension.ID+"/", "--parent-window=4242")...)}
	in, err := c.cmd.StdinPipe()
	must(p.t, err)
	out, err := c.cmd.StdoutPipe()
	must(p.t, err)
	c.cmd.Stderr = &c.err
	c.in, c.out = in, native.NewReader(out, native.MaxToChrome)
	must(p.t, c.cmd.Start())
	return c
}

// hello says hello as the extension does, and gives the broker's answer.
func (c *port) hello() wire.HelloResult {
	c.t.Helper()
	params, err := json.Marshal(wire.HelloParams{
		Role: wire.RoleRelay, ProtocolMin: wire.ProtocolMin, ProtocolMax: wire.ProtocolMax, Version: extension.Version(),
		ExtensionID: extension.ID, Profile: "p1",
	})
	must(c.t, err)
	must(c.t, native.NewWriter(c.in, native.MaxFromChrome).WriteMessage(&wire.Message{Kind: wire.KindReq, ID: 1, Method: wire.MethodHello, Params: params}))
	late := time.AfterFunc(time.Minute, func() { _ = c.cmd.Process.Kill() })
	defer late.Stop()
	for {
		m, err := c.out.ReadMessage()
		if err != nil {
			c.t.Fatalf("no answer to the hello: %v\n%s", err, c.err.String())
		}
		if m.Kind != wire.KindRes || m.ID != 1 {
			continue
		}
		if m.Error != nil {
			c.t.Fatalf("hello: %v %s", m.Error, m.Error.Hint)
		}
		var r wire.HelloResult
		must(c.t, json.Unmarshal(m.Result, &r))
		return r
	}
}

// end closes the port, as a browser does, and waits for the program's end.
func (c *port) end() {
	c.t.Helper()
	must(c.t, c.in.Close())
	late := time.AfterFunc(20*time.Second, func() {
		c.t.Error("it does not end with its port")
		_ = c.cmd.Process.Kill()
	})
	defer late.Stop()
	_ = c.cmd.Wait() // its code is that of the job in one test
}

func TestWindows(t *testing.T) {
	p := newPrefix(t)
	chrome, edge := `HKCU\Software\Google\Chrome`, `HKCU\Software\Microsoft\Edge`
	data := p.windowsPath(local)
	for _, dir := range []string{data + `Google\Chrome\User Data\Default`, data + `Microsoft\Edge\User Data\Default`, data + `..\Roaming\Opera Software\Opera Stable\Default`} {
		must(t, os.MkdirAll(p.path(dir), 0o700))
	}

	out := p.tabwright(0, "install")
	for _, name := range []string{"Google Chrome", "Microsoft Edge", "Opera"} {
		if !strings.Contains(out, "Registered with "+name+": ") {
			t.Errorf("not registered with %s:\n%s", name, out)
		}
	}
	manifest := data + `tabwright\NativeMessagingHosts\com.tabwright.host.json`
	for _, key := range []string{chrome, edge} {
		if got := p.registered(key); got != manifest {
			t.Errorf("%s names %q, want %q", key, got, manifest)
		}
	}
	var m struct{ Path string }
	b, err := os.ReadFile(p.path(manifest))
	must(t, err)
	must(t, json.Unmarshal(b, &m))
	if m.Path != program {
		t.Errorf("the manifest names %q", m.Path)
	}
	if f := p.faults(); len(f) > 0 {
		t.Errorf("after install: %q", f)
	}

	// The shim starts a broker, which stays when the port closes and when the browser's job ends.
	shim := p.port(p.path(program))
	first := shim.hello()
	if f := p.faults(); len(f) > 1 || (len(f) == 1 && !strings.HasPrefix(f[0], "Connected: ")) { // no service worker answers
		t.Errorf("with a relay: %q", f)
	}
	shim.end()
	if out := p.tabwright(0, "status"); !strings.Contains(out, "pid "+strconv.Itoa(first.PID)) {
		t.Errorf("the broker is not there any more:\n%s", out)
	}
	again := p.port(p.path(program))
	if r := again.hello(); r.Session != first.Session {
		t.Errorf("another broker: %+v, before %+v", r, first)
	}
	again.end()
	p.tabwright(0, "broker", "stop")

	browser := p.port(`C:\browser.exe`, program)
	second := browser.hello()
	if second.Session == first.Session {
		t.Error("the broker did not stop")
	}
	browser.end()
	if out := p.tabwright(0, "status"); !strings.Contains(out, "pid "+strconv.Itoa(second.PID)) {
		t.Errorf("the broker ended with the job of the browser:\n%s", out)
	}

	// A running program can't be written over or removed, but renamed, and another put there.
	if code, _ := p.wine("cmd", "/c", "copy", "/y", `C:\browser.exe`, program); code == 0 {
		t.Error("this Windows lets one write over a running program, so what follows shows nothing")
	}
	if code, out := p.wine("cmd", "/c", "move", program, program+".old"); code != 0 {
		t.Error(out)
	}
	p.build("./host", program)

	// A registration that is gone is named, and mended.
	if code, out := p.wine("reg", "delete", chrome+`\NativeMessagingHosts\com.tabwright.host`, "/f"); code != 0 {
		t.Fatal(out)
	}
	if f := p.faults(); len(f) == 0 || !strings.Contains(strings.Join(f, "\n"), chrome) {
		t.Errorf("doctor does not name the key that is gone: %q", f)
	}
	p.faults("--fix")
	if got := p.registered(chrome); got != manifest {
		t.Errorf("mended, and %s names %q", chrome, got)
	}

	p.tabwright(0, "uninstall", "--purge")
	for _, key := range []string{chrome, edge} {
		if got := p.registered(key); got != "" {
			t.Errorf("uninstalled, and %s names %q", key, got)
		}
	}
	for _, dir := range []string{data + "tabwright", data + `..\Roaming\tabwright`} {
		if left, err := os.ReadDir(p.path(dir)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("uninstalled, and %s is there: %v", dir, left)
		}
	}
}

// TestPackagesOnWindows runs tests of packages that differ there.
func TestPackagesOnWindows(t *testing.T) {
	p := newPrefix(t)
	for _, c := range []struct{ pkg, tests string }{
		{"./host/native", ""}, // with the named pipe
		{"./host/native/rpc", ""},
		{"./host/config", "^TestLog(Rotates|FromManyGoroutines)$"},
		{"./host/journal", "^Test(NothingOfARemovedTaskIsLeftInTheFile|AProgramThatEndsFinishesTheRemoval|AuditFromSeveralWriters|ABrokenFileIsSetAside|PruneLeavesTheNewestAndWhatRuns)$"},
		{"./install", "Windows"},
	} {
		t.Run(c.pkg, func(t *testing.T) {
			args := append([]string{"test", "-count=1", "-exec=wine", "-run=" + c.tests}, p.flags...)
			cmd := exec.CommandContext(t.Context(), "go", append(args, c.pkg)...)
			cmd.Dir, cmd.Env = root, append(p.env, "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
