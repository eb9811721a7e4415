//go:build unix

package native_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/native"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/host/tether"
)

// The extension of this test: it puts chunks together, answers, and connects
// again when the port goes.
const (
	frameTestManifest = `{"manifest_version": 3, "name": "frames", "version": "1", "permissions": ["nativeMessaging"],
	"background": {"service_worker": "worker.js"}}`
	frameTestWorker = `
function connect() {
  const port = chrome.runtime.connectNative("com.tabwright.frametest");
  const parts = new Map();
  const whole = (m) => {
    if (m.kind !== "chunk") return m;
    const c = m.chunk, have = parts.get(c.id) ?? [];
    if (have.length !== c.seq) throw new Error("slice " + c.seq + " after " + have.length);
    have.push(Uint8Array.from(atob(c.data), (ch) => ch.charCodeAt(0)));
    parts.set(c.id, have);
    if (have.length < c.total) return undefined;
    parts.delete(c.id);
    const all = new Uint8Array(have.reduce((n, p) => n + p.length, 0));
    let at = 0;
    for (const p of have) { all.set(p, at); at += p.length; }
    return JSON.parse(new TextDecoder("utf-8", {fatal: true}).decode(all));
  };
  port.onMessage.addListener((frame) => {
    const m = whole(frame);
    if (m?.kind !== "req") return;
    const answer = (result) => port.postMessage({kind: "res", chan: m.chan, id: m.id, result});
    if (m.method === "echo") answer(m.params);
    if (m.method === "len") answer(m.params.length);
    if (m.method === "make") answer("x".repeat(m.params));
    if (m.method === "close") { port.disconnect(); setTimeout(connect, 20); }
  });
  port.onDisconnect.addListener(() => setTimeout(connect, 20));
  port.postMessage({kind: "evt", method: "here"});
}
connect();
`
)

// chromeWithExtension starts a headless Chromium whose native host is this
// test binary as the shim, and gives the shims' connections as they come.
func chromeWithExtension(t *testing.T) <-chan *rpc.Peer {
	t.Helper()
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			browser = p
			break
		}
	}
	if browser == "" || testing.Short() {
		t.Skip("NOT TESTED against a real browser: no Chromium, or -short")
	}
	path := native.OwnSocket(t)
	l, err := native.Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	self, _ := os.Executable()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ext, profile := filepath.Join(dir, "ext"), filepath.Join(dir, "profile")
	id := unpackedID(ext)
	host, _ := json.Marshal(map[string]any{
		"name": "com.tabwright.frametest", "description": "test", "type": "stdio", "path": self,
		"allowed_origins": []string{"chrome-extension://" + id + "/"},
	})
	for name, content := range map[string]string{
		filepath.Join(ext, "manifest.json"):                                            frameTestManifest,
		filepath.Join(ext, "worker.js"):                                                frameTestWorker,
		filepath.Join(profile, "NativeMessagingHosts", "com.tabwright.frametest.json"): string(host),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
		"--disable-features=DisableLoadExtensionCommandLineSwitch",
		"--user-data-dir="+profile, "--load-extension="+ext, "about:blank")
	cmd.Env = append(os.Environ(), "TABWRIGHT_TEST_ROLE=shim", "TABWRIGHT_TEST_ID="+id)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 5 * time.Second            // of children that keep the pipe
	tie, err := tether.New(`rm -rf "$1"`, dir) // it must not outlive a test that is killed
	if err != nil {
		t.Fatal(err)
	}
	if err := tie.Start(cmd); err != nil {
		t.Fatal(err)
	}
	peers := make(chan *rpc.Peer, 10)
	t.Cleanup(func() {
		_ = tie.Close()
		_ = l.Close()
		if t.Failed() {
			t.Logf("the browser said:\n%s", said.String())
		}
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p := rpc.NewPeer(c, rpc.PeerOptions{MaxWrite: native.MaxToChrome})
			p.Handle("here", func(ctx context.Context, from *rpc.Channel, _ json.RawMessage) (any, error) {
				peers <- from.Peer()
				return nil, nil
			})
			p.Start()
		}
	}()
	return peers
}

// unpackedID is the id Chrome gives an unpacked extension without a key: of
// its path.
func unpackedID(path string) string {
	sum := sha256.Sum256([]byte(path))
	return strings.Map(func(r rune) rune {
		if r <= '9' {
			return 'a' + r - '0'
		}
		return 'k' + r - 'a'
	}, fmt.Sprintf("%x", sum[:16]))
}

func TestRealChrome(t *testing.T) {
	peers := chromeWithExtension(t)
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	next := func(what string) *rpc.Peer {
		t.Helper()
		select {
		case p := <-peers:
			return p
		case <-ctx.Done():
			t.Fatalf("no connection %s", what)
			return nil
		}
	}
	p := next("after the start")

	// A frame of exactly the limit, and those around it, get through.
	for _, over := range []int{-1, 0, 1} {
		bare, err := native.Encode(&wire.Message{Kind: wire.KindReq, ID: 1, Method: "len", Params: json.RawMessage(`""`)})
		if err != nil {
			t.Fatal(err)
		}
		n := int(native.MaxToChrome) - (len(bare) - native.HeaderSize) + over
		if got, err := rpc.Ask[int](ctx, p, "len", strings.Repeat("x", n)); err != nil || got != n {
			t.Fatalf("a message of the limit %+d: %d, %v", over, got, err)
		}
	}
	// 5 MB there in chunks and back in one frame; 20 MB back.
	big := strings.Repeat("é<&", 1_250_000)
	if got, err := rpc.Ask[string](ctx, p.Chan("panel"), "echo", big); err != nil || got != big {
		t.Fatalf("5 MB: %d bytes, %v", len(got), err)
	}
	if got, err := rpc.Ask[string](ctx, p, "make", 20_000_000); err != nil || len(got) != 20_000_000 {
		t.Fatalf("20 MB from Chrome: %d bytes, %v", len(got), err)
	}
	var took []time.Duration
	for range 200 {
		began := time.Now()
		if err := p.Call(ctx, "echo", 1, nil); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	t.Logf("round trip broker, shim, service worker and back: median %v, 95%% under %v", took[100], took[190])

	// Chrome closes the port: its shim ends, and another comes.
	_ = p.Notify("unknown", nil)
	go func() { _ = p.Call(ctx, "close", nil, nil) }()
	select {
	case <-p.Done():
	case <-ctx.Done():
		t.Fatal("the shim outlived its port")
	}
	native.WantCode(t, p.Err(), wire.CodeClosed)
	p.Wait()
	p = next("after Chrome closed the port")

	// The broker closes: the shim ends, Chrome notices and connects again.
	_ = p.Close()
	p.Wait()
	p = next("after the broker closed")
	if got, err := rpc.Ask[string](ctx, p, "echo", "still here"); err != nil || got != "still here" {
		t.Errorf("after all that: %q, %v", got, err)
	}
	// The browser is killed before the socket closes: a shim that finds no
	// broker would start one.
}
