//go:build linux

package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"tabwright/install"
)

// comes is a broker to which the extension connects at the third look.
type comes struct {
	*fakeRelays
	looks int
}

func (f *comes) Status(ctx context.Context) (install.BrokerStatus, error) {
	if f.looks++; f.looks < 3 {
		return install.BrokerStatus{}, install.ErrNoBroker
	}
	return f.fakeRelays.Status(ctx)
}

// installs runs install --json.
func (c *computer) installs(args ...string) (code int, r installed) {
	c.Helper()
	code, said := ran(c.T, nil, append([]string{"install", "--json"}, args...)...)
	if err := json.NewDecoder(strings.NewReader(said)).Decode(&r); err != nil {
		c.Fatalf("%v: %s", err, said)
	}
	return code, r
}

// Install opens the steps in the browser that was used last, waits until the extension
// has said hello, and says what to do next.
func TestInstallWaitsForTheExtension(t *testing.T) {
	c := newComputer(t)
	c.must(os.RemoveAll(c.path("config/google-chrome/Default"))) // it is loaded nowhere yet
	opened := c.path("opened")
	c.script("path/google-chrome", `echo "chrome $*" > `+opened+`.new && mv `+opened+`.new `+opened)
	c.script("path/brave-browser", `echo "brave $*" > `+opened)
	brave := c.path("config/BraveSoftware/Brave-Browser/Local State")
	put(t, brave, "{}")
	c.must(os.Chtimes(brave, time.Now(), time.Now().Add(-time.Hour)))
	c.relays(func(*fakeRelays) {})
	c.adjust(func(o *install.Options) { o.Broker = &comes{fakeRelays: c.broker} })
	code, r := c.installs("--wait", "20s")
	if code != 0 || r.Connected == nil || r.Connected.Browser != "Google Chrome 156" || r.Connected.Extension != c.version || len(r.Manifests) != 2 {
		t.Fatalf("%d %+v", code, r)
	}
	if len(r.Next) != 1 || !strings.Contains(r.Next[0], "type a task") {
		t.Errorf("next: %q", r.Next)
	}
	if r.Opened == nil || r.Opened.Browser != "Google Chrome" {
		t.Fatalf("opened %+v", r.Opened)
	}
	var told string
	for until := time.Now().Add(10 * time.Second); told == "" && time.Now().Before(until); {
		raw, _ := os.ReadFile(opened) // the browser is a process of its own
		told = strings.TrimSpace(string(raw))
	}
	address, ok := strings.CutPrefix(told, "chrome file://")
	if !ok {
		t.Fatalf("the browser was told %q", told)
	}
	page, err := os.ReadFile(address)
	c.must(err)
	for _, want := range []string{"chrome://extensions", c.extension(), "Developer mode"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	// A browser that has the extension needs no steps; a model that is missing is said.
	c.loaded(map[string]any{"path": c.extension()})
	c.must(os.RemoveAll(filepath.Dir(brave)))
	c.must(os.Remove(opened))
	c.ollama.models = nil
	c.settings("base_url: " + c.ollama.URL + "\n")
	code, r = c.installs("--wait", "20s")
	if code != 0 || r.Connected == nil || r.Opened != nil || len(r.Next) != 2 || !strings.Contains(r.Next[0], "tabwright models pull") {
		t.Errorf("%d %+v", code, r)
	}
}

// Where nobody can click, install ends; where nobody comes, it ends with what to do.
func TestInstallWaitsForNobody(t *testing.T) {
	c := newComputer(t)
	c.must(os.RemoveAll(c.path("config/google-chrome/Default")))
	c.script("path/google-chrome", "touch "+c.path("opened"))
	began := time.Now()
	for _, args := range [][]string{nil, {"--no-wait"}, {"--no-wait", "--wait", "1h"}} { // no terminal
		if code, r := c.installs(args...); code != 0 || r.Connected != nil || r.Opened != nil || len(r.Steps) != 2 {
			t.Errorf("%v: %d %+v", args, code, r)
		}
	}
	if d := time.Since(began); d > 30*time.Second {
		t.Errorf("it took %s", d)
	}
	t.Setenv("DISPLAY", "")
	if code, said := ran(t, nil, "install", "--wait", "600ms"); code != exitFailed || !strings.Contains(said, "tabwright doctor") {
		t.Errorf("%d %s", code, said)
	}
	if _, err := os.Stat(c.path("opened")); err == nil {
		t.Error("a browser was started without a display")
	}
}

// Uninstall leaves nothing of Tabwright: what is there afterwards was there before.
func TestUninstallLeavesNothing(t *testing.T) {
	c := newComputer(t)
	if code, said := ran(t, nil, "uninstall", "--purge"); code != 0 {
		t.Fatal(said)
	}
	// Two browsers, one of which has registrations of others.
	put(t, c.path("config/chromium/Local State"), "{}")
	put(t, c.path("config/chromium/NativeMessagingHosts/org.other.json"), `{"name":"org.other"}`)
	c.script("path/google-chrome", "")
	before := c.listing()
	c.relays(func(*fakeRelays) {})
	for _, line := range []string{"install --wait 20s", "install --no-wait", "doctor --fix", "key set openai", "policy allow example.com submit"} {
		if err := c.does("tabwright " + line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	if _, err := keyring.Get("tabwright", "openai"); err != nil {
		t.Fatal(err)
	}
	if during := c.listing(); len(during) < len(before)+6 {
		t.Fatalf("nothing was installed: %v", during)
	}
	if code, said := ran(t, nil, "uninstall", "--purge"); code != 0 {
		t.Fatal(said)
	}
	if key, err := keyring.Get("tabwright", "openai"); err == nil {
		t.Errorf("the key %q is left in the keyring", key)
	}
	after := c.listing()
	for path := range after {
		if _, ok := before[path]; !ok {
			t.Errorf("left: %s", path)
		}
	}
	for path, content := range before {
		if after[path] != content {
			t.Errorf("changed or taken: %s", path)
		}
	}
	if code, said := ran(t, nil, "uninstall", "--purge"); code != 0 || !strings.Contains(said, "Nothing") {
		t.Errorf("again: %d %s", code, said)
	}
}

// listing is every file and folder of the computer, with what is in the files.
func (c *computer) listing() map[string]string {
	c.Helper()
	out := map[string]string{}
	c.must(filepath.WalkDir(c.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(c.dir, path)
		out[rel] = "folder"
		if d.Type().IsRegular() {
			raw, err := os.ReadFile(path)
			out[rel] = string(raw)
			return err
		}
		return nil
	}))
	return out
}
