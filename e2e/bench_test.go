package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/rs/zerolog"

	"tabwright/e2e/rig"
	"tabwright/extension"
	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/control"
	"tabwright/host/control/models"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/safety"
)

// drivers gives both ways to one and the same browser: through the extension
// (with a broker in this process) and through its DevTools socket.
func drivers(tb testing.TB) map[string]browser.Driver {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs a browser")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	tb.Cleanup(cancel)
	bin, err := rig.Build(ctx)
	if err != nil {
		tb.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tw-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	tb.Setenv("TABWRIGHT_SOCKET", filepath.Join(dir, "run", "broker.sock"))
	b := ownBroker(tb, dir)
	r, err := rig.Start(ctx, rig.Options{Binary: bin, Dir: dir, Headless: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	for ctx.Err() == nil {
		if place, err := b.Place(ctx); err == nil {
			return map[string]browser.Driver{"relay": place.Driver, "direct": r.Driver}
		}
	}
	tb.Fatal("the extension did not connect\n" + r.Logs())
	return nil
}

// ownBroker serves the socket from this process, so that the driver behind the
// extension is at hand.
func ownBroker(tb testing.TB, dir string) *control.Broker {
	tb.Helper()
	l, err := native.Listen(os.Getenv("TABWRIGHT_SOCKET"))
	if err != nil {
		tb.Fatal(err)
	}
	j, err := journal.Open(filepath.Join(dir, "own-journal.db"))
	if err != nil {
		tb.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(rig.Root(), "extension", "dist", "extractor.js"))
	if err != nil {
		tb.Fatal(err)
	}
	b := &control.Broker{
		Manager: &control.Manager{Journal: j, Log: zerolog.Nop(), Models: &models.Catalog{
			Config: func(string) (llm.Config, error) { return llm.Config{Provider: "ollama"}, nil },
		}},
		ExtensionIDs: extension.IDs(), Extractor: string(script), Log: zerolog.Nop(), Idle: time.Hour,
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = b.Serve(ctx, l) }() // ends with cancel
	tb.Cleanup(func() {
		cancel()
		<-ended
		if err := j.Close(); err != nil {
			tb.Error(err)
		}
	})
	return b
}

// served opens a page of the benchmark's own in a driver.
func served(tb testing.TB, d browser.Driver, html string) browser.TabID {
	tb.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(html)) // the browser went away
	}))
	tb.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	info, err := d.Open(ctx, s.URL, true, "")
	if err != nil {
		tb.Fatal(err)
	}
	tab, err := d.Attach(ctx, info.ID)
	if err != nil {
		tb.Fatal(err)
	}
	if err := rig.Await(ctx, tab, `document.readyState === 'complete' && location.protocol === 'http:'`); err != nil {
		tb.Fatal(err)
	}
	return info.ID
}

// BenchmarkRoundTrip is one Runtime.evaluate and back.
func BenchmarkRoundTrip(b *testing.B) {
	for name, d := range drivers(b) {
		b.Run(name, func(b *testing.B) {
			id := served(b, d, "<p>hello")
			tab, err := d.Attach(b.Context(), id)
			if err != nil {
				b.Fatal(err)
			}
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if _, err := cdp.Call(b.Context(), tab.Session(), cdpruntime.Evaluate, cdpruntime.EvaluateParams{Expression: "1"}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took) // the mean says more of the machine than of the way
			b.ReportMetric(float64(took[len(took)/2])/float64(time.Millisecond), "median-ms")
		})
	}
}

// manyNodes is a page of 10,000 nodes, half of them controls.
func manyNodes() string {
	var page strings.Builder
	page.WriteString(`<title>Many</title><main><h1>Many</h1><button id=count onclick="n.textContent = +n.textContent + 1">Count</button><output id=n>0</output><button id=nothing>Nothing</button>`)
	for i := range 2500 { // four nodes each
		fmt.Fprintf(&page, `<div><p>Item %d</p><a href="/p/%d">Open item %d</a><button>Add %d</button></div>`, i, i, i, i)
	}
	return page.String()
}

// BenchmarkList is what a look at a page of 10,000 nodes takes: observe is the
// summary with the list as a model gets them within its budget, viewport the
// elements in view, all every one of the five thousand.
func BenchmarkList(b *testing.B) {
	for name, d := range drivers(b) {
		tab := served(b, d, manyNodes())
		s := session(b, d, tab)
		b.Run(name+"/observe", func(b *testing.B) {
			for b.Loop() {
				if o, err := s.Observe(b.Context(), action.ObserveOptions{Budget: 1500, Full: true}); err != nil || !strings.Contains(o.Text, "Open item 0") {
					b.Fatal(err, o.Text)
				}
			}
		})
		for what, params := range map[string]string{"viewport": `{"visible":true}`, "all": `{}`} {
			b.Run(name+"/"+what, func(b *testing.B) {
				for b.Loop() {
					if r := s.Do(b.Context(), action.Call{Name: "getElements", Params: json.RawMessage(params)}); r.Err != nil || !strings.Contains(r.Text, "Open item 0") {
						b.Fatal(r.Err, r.Text)
					}
				}
			})
		}
	}
}

// BenchmarkClick is a click with its effect report, on a page of three
// elements and on one of 10,000.
func BenchmarkClick(b *testing.B) {
	const small = `<title>Static</title><button id=count onclick="n.textContent = +n.textContent + 1">Count</button><output id=n>0</output><button id=nothing>Nothing</button>`
	for name, d := range drivers(b) {
		for size, page := range map[string]string{"static": small, "10000": manyNodes()} {
			s := session(b, d, served(b, d, page))
			for what, selector := range map[string]string{"effect": "#count", "nothing": "#nothing"} {
				b.Run(name+"/"+size+"/"+what, func(b *testing.B) {
					call := action.Call{Name: "click", Params: json.RawMessage(fmt.Sprintf(`{"selector":%q}`, selector))}
					for b.Loop() {
						r := s.Do(b.Context(), call)
						if r.Err != nil || (r.Effect == action.NoEffect) != (what == "nothing") {
							b.Fatal(r.Err, r.Effect)
						}
					}
				})
			}
		}
	}
}

func session(tb testing.TB, d browser.Driver, tab browser.TabID, hosts ...string) *action.Session {
	tb.Helper()
	s, err := action.NewSession(action.Options{
		Driver: d, Tab: tab, Log: zerolog.Nop(),
		Policy: safety.Context{Sites: append(hosts, "127.0.0.1"), LocalHosts: append(hosts, "127.0.0.1")},
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = s.Close(ctx) // the browser ends too
	})
	return s
}

// BenchmarkHostStart is from the start of the program, as Chrome starts it, to
// its first answer, the start of the broker included; and, with the broker
// running, the same for a further profile. It reports the broker's memory at
// rest.
func BenchmarkHostStart(b *testing.B) {
	if testing.Short() {
		b.Skip("builds the binary")
	}
	bin, err := rig.Build(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "tw-")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	env := append(os.Environ(), "TABWRIGHT_SOCKET="+filepath.Join(dir, "b.sock"),
		"XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	stop := func() {
		cmd := exec.Command(bin, "uninstall")
		cmd.Env = append(env, "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	b.Run("with broker start", func(b *testing.B) {
		for b.Loop() {
			pid := firstMessage(b, bin, env)
			b.StopTimer()
			b.ReportMetric(memoryMB(b, pid), "MB-at-rest")
			stop()
			b.StartTimer()
		}
	})
	b.Run("joining", func(b *testing.B) {
		firstMessage(b, bin, env)
		for b.Loop() {
			firstMessage(b, bin, env)
		}
		b.StopTimer()
		stop()
	})
}

// firstMessage starts the host as Chrome does, says hello, and gives the pid of
// the broker that answered.
func firstMessage(b *testing.B, bin string, env []string) int {
	b.Helper()
	cmd := exec.Command(bin, "chrome-extension://"+extension.ID+"/")
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	peer := rpc.NewPeer(pipes{bufio.NewReader(out), in}, rpc.PeerOptions{Name: "bench"})
	peer.Start()
	res, err := rpc.Ask[wire.HelloResult](b.Context(), peer, wire.MethodHello, wire.HelloParams{
		Role: "relay", ProtocolMin: wire.ProtocolMin, ProtocolMax: wire.ProtocolMax,
		ExtensionID: extension.ID, Profile: "bench", Version: extension.Version(),
	})
	if err != nil {
		b.Fatal(err)
	}
	_ = in.Close()   // the port closes
	_ = cmd.Wait()   // and the shim ends
	_ = peer.Close() // its pipes are gone already
	return res.PID
}

type pipes struct {
	*bufio.Reader
	in interface {
		Write([]byte) (int, error)
		Close() error
	}
}

func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipes) Close() error                { return p.in.Close() }

// memoryMB is a process's resident memory.
func memoryMB(b *testing.B, pid int) float64 {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("no /proc here:", err)
	}
	for l := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(l, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				b.Fatal(err)
			}
			return float64(kb) / 1024
		}
	}
	b.Fatal("no VmRSS")
	return 0
}
