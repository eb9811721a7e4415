//go:build unix

package install

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"tabwright/host/tether"
)

// A real Chromium finds what Install wrote: it starts the program for the
// extension, and notes in its own files from where the extension is loaded.
func TestRealChromiumFindsTheInstallation(t *testing.T) {
	chromium := findChromium(t)
	dir := t.TempDir()
	o := home(t)
	o.UserDataDir = filepath.Join(dir, "profile")
	files := testExtension("1.2.3")
	files["manifest.json"] = &fstest.MapFile{Data: []byte(fmt.Sprintf(
		`{"manifest_version":3,"name":"t","version":"1.2.3","key":%q,"permissions":["nativeMessaging"],"background":{"service_worker":"relay.js"}}`, testKey))}
	files["relay.js"] = &fstest.MapFile{Data: []byte(`chrome.runtime.connectNative("com.tabwright.host")`)}
	o.Extension = files

	// The program tells through a pipe with which argument it was started.
	fifo := filepath.Join(dir, "started")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, o.Binary, fmt.Sprintf("#!/bin/sh\necho \"$1\" > '%s'\ncat > /dev/null\n", fifo), 0o755)
	r, err := Install(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}

	b := startChromium(t, chromium, o.UserDataDir)
	got := b.call("Extensions.loadUnpacked", map[string]any{"path": r.ExtensionDir})
	if got["id"] != testID {
		t.Errorf("Chromium gave the extension the id %v, we derive %s", got["id"], testID)
	}
	started := make(chan string, 1)
	go func() {
		f, err := os.Open(fifo) // waits for the writer
		if err != nil {
			started <- err.Error()
			return
		}
		defer func() { _ = f.Close() }()
		line, _ := bufio.NewReader(f).ReadString('\n')
		started <- strings.TrimSpace(line)
	}()
	select {
	case arg := <-started:
		if arg != Origin(testID) {
			t.Errorf("the program was started with %q, want %q", arg, Origin(testID))
		}
	case <-time.After(30 * time.Second):
		t.Fatal("Chromium did not start the program within 30 s")
	}
	b.quit()

	ls := loaded(o.UserDataDir, []string{testID})
	if len(ls) != 1 || ls[0].path != r.ExtensionDir || ls[0].disabled || ls[0].profile != "Default" {
		t.Errorf("Chromium's notes: %+v", ls)
	}
	for _, c := range Doctor(context.Background(), o) {
		if !c.OK {
			t.Errorf("doctor: %+v", c)
		}
	}
}

func findChromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short leaves the browser out")
	}
	for _, name := range []string{os.Getenv("TABWRIGHT_BROWSER"), "chromium", "chromium-browser"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this computer; make setup installs one")
	return ""
}

// pipeBrowser is a Chromium driven through --remote-debugging-pipe: JSON
// messages that end in a zero byte, on its descriptors 3 and 4.
type pipeBrowser struct {
	t   *testing.T
	tie *tether.Tether
	in  *os.File
	out *bufio.Reader
	id  int
}

func startChromium(t *testing.T, path, userData string) *pipeBrowser {
	t.Helper()
	theirIn, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--headless=new", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--enable-unsafe-extension-debugging",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + userData,
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to run as root without
	}
	cmd := exec.Command(path, append(args, "about:blank")...)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	tie, err := tether.New("") // it must not outlive a test that is killed
	if err != nil {
		t.Fatal(err)
	}
	if err := tie.Start(cmd); err != nil {
		t.Fatal(err)
	}
	_ = theirIn.Close()
	_ = theirOut.Close()
	t.Cleanup(func() {
		_ = tie.Close()
		_ = in.Close()
		_ = out.Close()
	})
	return &pipeBrowser{t: t, tie: tie, in: in, out: bufio.NewReader(out)}
}

func (b *pipeBrowser) call(method string, params map[string]any) map[string]any {
	b.t.Helper()
	b.id++
	msg, err := json.Marshal(map[string]any{"id": b.id, "method": method, "params": params})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(msg, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		line, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var m struct {
			ID     int
			Result map[string]any
			Error  any
		}
		if err := json.Unmarshal(line[:len(line)-1], &m); err != nil {
			b.t.Fatal(err)
		}
		if m.ID != b.id {
			continue // an event
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %v", method, m.Error)
		}
		return m.Result
	}
}

// quit ends the browser in good order, so that it writes its files.
func (b *pipeBrowser) quit() {
	b.t.Helper()
	b.call("Browser.close", nil)
	<-b.tie.Done()
}
