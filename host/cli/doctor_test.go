package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

// homeOf sets up a computer of its own for a test and gives its folder.
func homeOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	homeIn(t, dir)
	return dir
}

func homeIn(t *testing.T, dir string) {
	t.Helper()
	keyring.MockInit()
	for _, v := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(v, filepath.Join(dir, strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(v, "XDG_"), "_HOME"))))
	}
	t.Setenv("TABWRIGHT_SOCKET", filepath.Join(dir, "run", "b.sock"))
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A wrong setting is one finding among others: the rest is looked at, with what
// can be read of the settings. What --fix mended is said, and what it could not.
func TestDoctorGoesOn(t *testing.T) {
	dir := homeOf(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"models":[{"name":"qwen3:8b"}],"capabilities":["completion","tools"]}`))
	}))
	defer server.Close()
	file := filepath.Join(dir, "config", "tabwright", "config.yaml")
	const misspelt = "TABWRIGHT_" + "MODLE" // in one word it would be one that the tree names
	const rest = "model: qwen3:8b\n"
	put(t, file, "modle: x\nlang: fr\n"+rest+"base_url: "+server.URL+"\n")
	put(t, filepath.Join(dir, "state"), "no folder")
	put(t, filepath.Join(dir, "data", "tabwright", "files"), "no folder")

	t.Setenv(misspelt, "x")
	code, said := ran(t, nil, "doctor", "--set", "colour=red")
	for _, want := range []string{
		"FAIL  Settings: " + file + ":1: there is no setting “modle”", "config.yaml:2: lang: “fr”", misspelt + ": there is no such setting; did you mean TABWRIGHT_MODEL or TABWRIGHT_MODE?",
		"--set colour: there is no setting", "tabwright doctor --fix",
		"ok    Model: qwen3:8b", "ok    Policy:", "ok    Audit log:",
		"FAIL  Folders: ", filepath.Join(dir, "state", "tabwright") + " can't be made, for " + filepath.Join(dir, "state") + ": not a directory", filepath.Join(dir, "data", "tabwright", "files") + ": not a directory",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	if code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if t.Failed() {
		t.Log(said)
	}

	for _, c := range []struct{ env, want string }{
		{misspelt, "fixed in part  Settings: what remains: " + misspelt}, {"", "fixed          Settings: " + file + ":1: there is no setting “modle”"},
	} {
		put(t, file, "modle: x\n"+rest)
		t.Setenv(misspelt, "x")
		if c.env == "" {
			if err := os.Unsetenv(misspelt); err != nil {
				t.Fatal(err)
			}
		}
		if _, said := ran(t, nil, "doctor", "--fix"); !strings.Contains(said, c.want) {
			t.Errorf("%q lacks %q", said, c.want)
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != rest {
			t.Errorf("the file holds %q, %v", now, err)
		}
	}

	for _, path := range []string{"state", "data"} {
		if err := os.RemoveAll(filepath.Join(dir, path)); err != nil {
			t.Fatal(err)
		}
	}
	if _, said := ran(t, nil, "doctor"); !strings.Contains(said, "ok    Folders: ") || !strings.Contains(said, "ok    Settings: ") {
		t.Errorf("folders that can be made: %s", said)
	}
	if _, err := os.Stat(filepath.Join(dir, "state")); err == nil {
		t.Error("to look makes folders")
	}
}

// A fix that does nothing is not said to have fixed anything.
func TestWhatCouldNotBeFixedIsSaid(t *testing.T) {
	dir := homeOf(t)
	put(t, filepath.Join(dir, "config", "chromium", "Local State"), "{}")
	if err := os.Symlink(filepath.Join(dir, "gone", "away"), filepath.Join(dir, "config", "chromium", "NativeMessagingHosts")); err != nil {
		t.Fatal(err)
	}
	if _, said := ran(t, nil, "doctor", "--fix"); !strings.Contains(said, "not fixed      Registration with Chromium: could not register with Chromium") {
		t.Error(said)
	}
}
