package install

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

var update = flag.Bool("update", false, "rewrite golden files")

var (
	testKey   = base64.StdEncoding.EncodeToString([]byte("a public key for tests"))
	testID, _ = IDOfKey(testKey)
)

const storeID = "ponmlkjihgfedcbaponmlkjihgfedcba" // as a store would give it

func testExtension(version string) fstest.MapFS {
	return fstest.MapFS{
		"manifest.json": {Data: []byte(fmt.Sprintf(`{"manifest_version":3,"version":%q,"key":%q}`, version, testKey))},
		"relay.js":      {Data: []byte("// relay " + version)},
		"icons/16.png":  {Data: []byte("png")},
		".keep":         {},
		"deep/er/m.txt": {Data: []byte("m")},
	}
}

// home is a user's home folder with the given browsers in it.
func home(t *testing.T, browsers ...string) Options {
	t.Helper()
	root := t.TempDir()
	o := Options{
		ExtensionID: testID,
		Extension:   testExtension("1.2.3"),
		Home:        root,
		ConfigHome:  filepath.Join(root, ".config"),
		DataHome:    filepath.Join(root, ".local/share"),
		StateHome:   filepath.Join(root, ".local/state"),
		OS:          "linux",
		Root:        filepath.Join(root, "root"),
		Binary:      filepath.Join(root, "bin", "tabwright"),
	}
	write(t, o.Binary, "#!/bin/sh\n", 0o755)
	for _, b := range browsers {
		mkdir(t, filepath.Join(o.ConfigHome, b))
	}
	return o
}

func write(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

// tree lists every file under dir with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

func golden(t *testing.T, name, root, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, root, "$HOME")
	got = strings.ReplaceAll(got, testID, "$ID")
	path := filepath.Join("testdata", name+".golden")
	if *update {
		write(t, path, got, 0o644)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and read the change\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

func TestInstallWritesExtensionAndManifests(t *testing.T) {
	o := home(t, "google-chrome", "BraveSoftware/Brave-Browser", "unrelated")
	r, err := Install(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	got := tree(t, o.ExtensionDir())
	if len(got) != 4 || got["relay.js"] != "// relay 1.2.3" || got["deep/er/m.txt"] != "m" {
		t.Errorf("extension on disk: %v", got)
	}
	if len(r.Manifests) != 2 || r.Manifests[0].Browser != "Google Chrome" || r.Manifests[1].Browser != "Brave" {
		t.Fatalf("manifests: %+v", r.Manifests)
	}
	for _, m := range r.Manifests {
		b, err := os.ReadFile(m.Path)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.Unmarshal(b, &v); err != nil {
			t.Fatal(err)
		}
		if v["name"] != "com.tabwright.host" || v["path"] != o.Binary || v["type"] != "stdio" {
			t.Errorf("manifest: %v", v)
		}
		if origins := v["allowed_origins"].([]any); len(origins) != 1 || origins[0] != "chrome-extension://"+testID+"/" {
			t.Errorf("origins: %v", origins)
		}
	}
	want := filepath.Join(o.ConfigHome, "google-chrome/NativeMessagingHosts/com.tabwright.host.json")
	if r.Manifests[0].Path != want {
		t.Errorf("path %s, want %s", r.Manifests[0].Path, want)
	}
	// Nothing half-written stays behind.
	for name := range tree(t, o.Home) {
		if strings.Contains(name, ".new-") || strings.Contains(name, ".old") {
			t.Errorf("left behind: %s", name)
		}
	}
	again, err := Install(context.Background(), o)
	if err != nil || again.Changed {
		t.Errorf("a second install: changed %v, %v", again.Changed, err)
	}
}

func TestInstallReplacesOlderExtension(t *testing.T) {
	o := home(t, "chromium")
	if _, err := Install(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	next := testExtension("1.3.0")
	delete(next, "icons/16.png")
	o.Extension = next
	r, err := Install(context.Background(), o)
	if err != nil || !r.Changed {
		t.Fatalf("changed %v, %v", r.Changed, err)
	}
	got := tree(t, o.ExtensionDir())
	if got["relay.js"] != "// relay 1.3.0" {
		t.Errorf("relay.js: %q", got["relay.js"])
	}
	if _, stale := got["icons/16.png"]; stale {
		t.Error("a file of the older version stayed")
	}
}

// A write that fails half-way must leave the old folder as it was.
func TestFailedWriteKeepsOldExtension(t *testing.T) {
	o := home(t, "chromium")
	if _, err := Install(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	before := tree(t, o.ExtensionDir())
	broken := brokenFS{testExtension("2.0.0"), "relay.js"}
	if _, err := WriteExtension(o.ExtensionDir(), broken); err == nil {
		t.Fatal("no error from a file that can't be read")
	}
	after := tree(t, o.ExtensionDir())
	if len(before) != len(after) || after["relay.js"] != before["relay.js"] {
		t.Errorf("the old extension changed: %v", after)
	}
	if left, _ := filepath.Glob(o.ExtensionDir() + ".new-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

type brokenFS struct {
	fstest.MapFS
	broken string
}

func (b brokenFS) Open(name string) (fs.File, error) {
	if name == b.broken {
		return nil, errors.New("disk error")
	}
	return b.MapFS.Open(name)
}

func (b brokenFS) ReadFile(name string) ([]byte, error) {
	if name == b.broken {
		return nil, errors.New("disk error")
	}
	return b.MapFS.ReadFile(name)
}

func TestReplaceDirInSteps(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "cur", "a"), "old", 0o644)
	write(t, filepath.Join(dir, "new", "a"), "new", 0o644)
	if err := replaceDirInSteps(filepath.Join(dir, "new"), filepath.Join(dir, "cur")); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); len(got) != 1 || got["cur/a"] != "new" {
		t.Errorf("%v", got)
	}
	if err := replaceDirInSteps(filepath.Join(dir, "missing"), filepath.Join(dir, "cur")); err == nil {
		t.Error("no error for a folder that is not there")
	}
	if got := tree(t, dir); got["cur/a"] != "new" {
		t.Errorf("a failed step did not bring the old folder back: %v", got)
	}
}

func TestReplaceFiles(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"cur/a": "old", "cur/gone": "old", "cur/deep/gone": "old", "cur/away/x": "old",
		"new/a": "new", "new/deep/b": "new", "new/fresh/c": "new",
	} {
		write(t, filepath.Join(dir, name), content, 0o644)
	}
	if err := replaceFiles(filepath.Join(dir, "new"), filepath.Join(dir, "cur")); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, filepath.Join(dir, "cur")); len(got) != 3 || got["a"] != "new" || got["deep/b"] != "new" || got["fresh/c"] != "new" {
		t.Errorf("%v", got)
	}
	if isDir(filepath.Join(dir, "cur/away")) {
		t.Error("a folder of the old version stayed")
	}
}

func TestInstallIntoOwnProfileOnly(t *testing.T) {
	o := home(t, "google-chrome")
	o.UserDataDir = filepath.Join(o.Home, "my profile")
	r, err := Install(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(o.UserDataDir, "NativeMessagingHosts", "com.tabwright.host.json")
	if len(r.Manifests) != 1 || r.Manifests[0].Path != want {
		t.Fatalf("%+v", r.Manifests)
	}
	// Uninstall finds it again without being told.
	o.UserDataDir = ""
	if _, err := Uninstall(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(want); !os.IsNotExist(err) {
		t.Errorf("the manifest in the own profile stayed: %v", err)
	}
}

func TestInstallByNamePreparesABrowserNeverStarted(t *testing.T) {
	o := home(t)
	o.Browsers = []string{"edge"}
	r, err := Install(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Manifests) != 1 || r.Manifests[0].Path != filepath.Join(o.ConfigHome, "microsoft-edge", "NativeMessagingHosts", "com.tabwright.host.json") {
		t.Errorf("%+v", r.Manifests)
	}
}

func TestInstallErrors(t *testing.T) {
	cases := []struct {
		name string
		code Code
		hint string
		do   func(t *testing.T, o *Options)
	}{
		{"another system", CodeUnsupported, "Linux", func(_ *testing.T, o *Options) { o.OS = "plan9" }},
		{"no binary", CodeBinary, "make build", func(_ *testing.T, o *Options) { o.Binary += "-gone" }},
		{"binary not executable", CodeBinary, "make build", func(t *testing.T, o *Options) {
			if err := os.Chmod(o.Binary, 0o644); err != nil {
				t.Fatal(err)
			}
		}},
		{"built without extension", CodeExtension, "make build", func(_ *testing.T, o *Options) { o.Extension = fstest.MapFS{".keep": {}} }},
		{"no extension at all", CodeExtension, "make build", func(_ *testing.T, o *Options) { o.Extension = nil }},
		{"id of another key", CodeExtension, "make build", func(_ *testing.T, o *Options) { o.ExtensionID = strings.Repeat("a", 32) }},
		{"unknown browser", CodeUnknown, "chrome", func(_ *testing.T, o *Options) { o.Browsers = []string{"netscape"} }},
		{"no browser", CodeNoBrowser, "--browser", func(t *testing.T, o *Options) {
			if err := os.RemoveAll(filepath.Join(o.ConfigHome, "chromium")); err != nil {
				t.Fatal(err)
			}
		}},
		{"only a snap", CodeNoBrowser, "maker's package", func(t *testing.T, o *Options) {
			if err := os.RemoveAll(filepath.Join(o.ConfigHome, "chromium")); err != nil {
				t.Fatal(err)
			}
			mkdir(t, filepath.Join(o.Home, "snap/chromium/common/chromium"))
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := home(t, "chromium")
			c.do(t, &o)
			_, err := Install(context.Background(), o)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, &Error{Code: c.code}) {
				t.Fatalf("error %v, want code %s", err, c.code)
			}
			if !strings.Contains(e.Hint, c.hint) {
				t.Errorf("hint %q lacks %q", e.Hint, c.hint)
			}
			if len(tree(t, o.DataHome)) > 0 {
				t.Error("a refused install wrote something")
			}
		})
	}
}

func TestInstallReportText(t *testing.T) {
	o := home(t, "google-chrome", "chromium")
	mkdir(t, filepath.Join(o.Home, ".var/app/com.brave.Browser"))
	old := filepath.Join(o.Home, "old/tabwright")
	write(t, old, "#!/bin/sh\n", 0o755)
	if _, err := WriteManifest(filepath.Join(o.ConfigHome, "chromium"), old, testID); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.Root, "etc/chromium/policies/managed/a.json"), `{"NativeMessagingBlocklist":["*"]}`, 0o644)
	r, err := Install(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "install", o.Home, r.Text())
}

func TestUninstallTakesOnlyWhatIsOurs(t *testing.T) {
	o := home(t, "google-chrome", "chromium", "vivaldi", "opera")
	before := tree(t, o.Home)
	if _, err := Install(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	hosts := func(b string) string { return filepath.Join(o.ConfigHome, b, HostsFolder) }
	write(t, filepath.Join(hosts("google-chrome"), "com.other.json"), `{"name":"com.other"}`, 0o644)
	write(t, filepath.Join(hosts("vivaldi"), "com.tabwright.host.json"), `{"name":"com.somebody"}`, 0o644)
	write(t, filepath.Join(hosts("opera"), "com.tabwright.host.json"), `{ not json`, 0o644)
	write(t, filepath.Join(o.StateHome, "tabwright", "tabwright.log"), "log", 0o600)
	o.SocketDir = filepath.Join(o.Home, "run", "tabwright")
	write(t, filepath.Join(o.SocketDir, "lock"), "", 0o600)
	stopped := false
	o.StopBroker = func(context.Context) error { stopped = true; return nil }

	r, err := Uninstall(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !stopped {
		t.Error("the broker was not stopped")
	}
	after := tree(t, o.Home)
	for name := range after {
		_, was := before[name]
		kept := strings.HasSuffix(name, "com.other.json") || strings.HasSuffix(name, "tabwright.log") ||
			strings.Contains(name, "vivaldi") || strings.Contains(name, "opera")
		if !was && !kept {
			t.Errorf("stayed: %s", name)
		}
	}
	if len(r.Left) != 3 {
		t.Errorf("left: %+v", r.Left)
	}
	golden(t, "uninstall", o.Home, r.Text())

	o.Purge = true
	if _, err := Uninstall(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if isDir(filepath.Join(o.StateHome, "tabwright")) {
		t.Error("a purge left the logs")
	}
}

func TestUninstallOfOneBrowserKeepsTheExtension(t *testing.T) {
	o := home(t, "google-chrome", "chromium")
	if _, err := Install(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	o.Browsers = []string{"chromium"}
	if _, err := Uninstall(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !isDir(o.ExtensionDir()) {
		t.Error("the extension went, and Chrome still needs it")
	}
	if _, err := os.Stat(filepath.Join(o.ConfigHome, "google-chrome", HostsFolder, HostName+".json")); err != nil {
		t.Error(err)
	}
}

func TestUninstallWithNothingInstalled(t *testing.T) {
	r, err := Uninstall(context.Background(), home(t, "chromium"))
	if err != nil || len(r.Removed) != 0 || !strings.Contains(r.Text(), "Nothing") {
		t.Errorf("%+v %v", r, err)
	}
}

func TestUninstallGuardsTheSocketFolder(t *testing.T) {
	o := home(t)
	o.SocketDir = filepath.Join(o.Home, "run")
	write(t, filepath.Join(o.SocketDir, "other.sock"), "", 0o600)
	r, err := Uninstall(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Left) != 1 || len(tree(t, o.SocketDir)) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestIDOfKey(t *testing.T) {
	// The id Chrome gives this key, which is the extension's own.
	const key = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA5vjes06tmbMy9j1YOvZqhMtB0exxbKDXCsUr/tPdU452cEHERdBmXzrKXTQKz2sHyySY7qnLfAfYTa+YN4W5CBbs9vCtNNOLoQJnShoSWUdTiMaVvgjDm4tXNUhCmpDadayG6wfmWlrkcGRdLZqr/3BrLuTyYIf4+3oJH8LfsQ1o7xGdTAAcJe6J+h8Mjvb28HG2aphx0bhoO4MCv3QAzBFO+iWVWv3LUBQs6/mv9JMj+hGPPQvq9GRCkd2nFnhwXNc/E/LA9liyR1TSCRQeaUiRJGpxtK8FPCe0CgrZAsqE+emuM0SUeMqSKUHMQdIYiGeYgniYWs+VXE3eXqc3GwIDAQAB"
	if id, err := IDOfKey(key); err != nil || id != "goiknkdhmebmlnmadphnbcddeddhhpjp" {
		t.Errorf("%s, %v", id, err)
	}
	for _, bad := range []string{"", "%%%"} {
		if _, err := IDOfKey(bad); err == nil {
			t.Errorf("no error for the key %q", bad)
		}
	}
}

func TestPlacesFollowTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	t.Setenv("XDG_CONFIG_HOME", "relative/is/disregarded")
	o := Options{OS: "linux"}.withDefaults()
	if o.ExtensionDir() != filepath.Join(dir, "data/tabwright/extension") {
		t.Error(o.ExtensionDir())
	}
	if o.ConfigHome != filepath.Join(dir, ".config") {
		t.Error(o.ConfigHome)
	}
}

// TestOwnProgram: a system that does not tell a program its path is named, with what helps.
func TestOwnProgram(t *testing.T) {
	t.Cleanup(func() { osExecutable = os.Executable })
	for name, give := range map[string]func() (string, error){
		"no /proc": func() (string, error) {
			return "", &fs.PathError{Op: "readlink", Path: "/proc/self/exe", Err: fs.ErrNotExist}
		},
		"was deleted": func() (string, error) { return filepath.Join(t.TempDir(), "gone"), nil },
	} {
		osExecutable = give
		_, _, err := OwnProgram()
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeBinary || !strings.Contains(e.Message, "own path") || runtime.GOOS == "linux" && !strings.Contains(e.Hint, "/proc") {
			t.Errorf("%s: %+v", name, err)
		}
	}
	osExecutable = os.Executable
	if path, file, err := OwnProgram(); err != nil || !filepath.IsAbs(path) || !sameFile(path, file) {
		t.Errorf("%q, %q, %v", path, file, err)
	}
}

// TestWriteErrors: the advice follows the cause.
func TestWriteErrors(t *testing.T) {
	for cause, want := range map[error]string{syscall.ENOSPC: "free space", syscall.EROFS: "read-only", syscall.EACCES: "owner"} {
		err := wrapWrite("write x", &fs.PathError{Op: "open", Path: "x", Err: cause})
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeWrite || !strings.Contains(e.Hint, want) || !strings.HasPrefix(e.Error(), "could not write x: ") {
			t.Errorf("%v: %+v", cause, err)
		}
	}
}
