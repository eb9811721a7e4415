package action

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	product "tabwright/e2e/rig"
	"tabwright/host/browser"
	"tabwright/host/browser/relay"
	"tabwright/host/native"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// bothDoors runs a test on the direct driver and through the real extension in
// a Chromium of its own: what native dialogs, pop-ups, downloads and crashes do
// to chrome.debugger and chrome.tabs, a played service worker can't tell.
func bothDoors(t *testing.T, test func(t *testing.T, d browser.Driver)) {
	t.Helper()
	t.Run("direct", func(t *testing.T) {
		startChromium(t)
		test(t, chromium.d)
	})
	t.Run("extension", func(t *testing.T) { test(t, realRelay(t)) })
}

// realRelay starts a browser with the extension and stands in for the broker
// on its socket: Chrome starts the shim, the shim joins the test.
func realRelay(t *testing.T) *relay.Driver {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	dir, err := os.MkdirTemp("", "tw-") // short: a Unix socket's path is at most 108 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	// Where Chromium puts downloads: nothing of a test stays in a user's folder.
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "config"), 0o700), os.WriteFile(filepath.Join(dir, "config", "user-dirs.dirs"), []byte(`XDG_DOWNLOAD_DIR="`+filepath.Join(dir, "downloads")+`"`+"\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv(native.SocketEnv, filepath.Join(dir, "run", "broker.sock"))
	l, err := native.Listen(os.Getenv(native.SocketEnv))
	if err != nil {
		t.Fatal(err)
	}
	b := &standIn{t: t, hello: make(chan *relay.Driver, 1)}
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b.join(rpc.NewPeer(c, rpc.PeerOptions{Name: "relay", MaxWrite: native.MaxToChrome}))
		}
	})
	r, err := product.Start(ctx, product.Options{
		Dir: dir, Headless: true,
		Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--site-per-process"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = l.Close()
		accepting.Wait()
		b.close()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	select {
	case d := <-b.hello:
		t.Cleanup(func() { _ = d.Close() })
		return d
	case <-ctx.Done():
		t.Fatal("the extension did not connect")
		return nil
	}
}

// standIn is as much of a broker as a relay needs.
type standIn struct {
	t     *testing.T
	hello chan *relay.Driver

	mu    sync.Mutex
	d     *relay.Driver
	peers []*rpc.Peer
}

func (b *standIn) join(p *rpc.Peer) {
	rpc.On(p, wire.MethodHello, func(ctx context.Context, _ *rpc.Channel, h wire.HelloParams) (wire.HelloResult, error) {
		if h.Role != "relay" {
			return wire.HelloResult{}, &wire.Error{Code: wire.CodeProtocol, Message: "only a relay joins here"}
		}
		b.mu.Lock()
		first := b.d == nil
		o := relay.Options{ExtensionID: h.ExtensionID, Extractor: chromium.script}
		if first {
			b.d = relay.New(p, o)
		}
		d := b.d
		b.mu.Unlock()
		rpc.AfterAnswer(ctx, func() {
			if first {
				b.hello <- d
			} else if err := d.Reconnect(context.Background(), p, o); err != nil {
				b.t.Log(err)
			}
		})
		return wire.HelloResult{Protocol: h.ProtocolMax, Version: h.Version, PID: os.Getpid(), Session: "stand-in"}, nil
	})
	for _, ev := range wire.RelayEvents() {
		p.HandleInline(ev, func(params json.RawMessage) {
			b.mu.Lock()
			d := b.d
			b.mu.Unlock()
			if d != nil {
				d.Event(ev, params)
			}
		})
	}
	b.mu.Lock()
	b.peers = append(b.peers, p)
	b.mu.Unlock()
	p.Start()
}

func (b *standIn) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.peers {
		_ = p.Close()
		p.Wait()
	}
}
