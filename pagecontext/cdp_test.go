package pagecontext_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"tabwright/extension/bundle"
	"tabwright/host/tether"
)

// A DevTools client for these tests only: pagecontext may not import host,
// whose driver is the real one.

type chromium struct {
	ws      *websocket.Conn
	next    atomic.Int64
	mu      sync.Mutex
	write   sync.Mutex
	pending map[int64]chan reply
	waiters []*waiter
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

type waiter struct {
	session, method string
	match           func(json.RawMessage) bool
	c               chan json.RawMessage
}

var (
	browserOnce sync.Once
	browser     *chromium
	browserErr  error
	stopBrowser = func() {}
	script      string
)

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	os.Exit(code)
}

func chromiumPath() (string, error) {
	for _, name := range []string{os.Getenv("TABWRIGHT_CHROMIUM"), "chromium", "google-chrome", "chromium-browser"} {
		if name == "" {
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("no Chromium found")
}

// launch starts a Chromium; stop ends it.
func launch(flags ...string) (b *chromium, stop func(), err error) {
	path, err := chromiumPath()
	if err != nil {
		return nil, nil, err
	}
	if script, err = bundle.Extractor(bundle.Root()); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "pagecontext")
	if err != nil {
		return nil, nil, err
	}
	args := append([]string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,720",
		"--disable-features=IsolateOrigins,site-per-process", "--disable-site-isolation-trials",
		"--host-resolver-rules=MAP *.test 127.0.0.1", "--remote-debugging-port=0", "--user-data-dir=" + dir,
	}, flags...)
	cmd := exec.Command(path, append(args, "about:blank")...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, nil, err
	}
	// It must not outlive a test that is killed.
	tie, err := tether.New(`rm -rf "$1"`, dir)
	if err != nil {
		return nil, nil, err
	}
	stop = func() {
		_ = tie.Close()
		_ = os.RemoveAll(dir)
	}
	if err := tie.Start(cmd); err != nil {
		stop()
		return nil, nil, err
	}
	url := make(chan string, 1)
	go func() {
		re := regexp.MustCompile(`DevTools listening on (ws://\S+)`)
		for s := bufio.NewScanner(stderr); s.Scan(); {
			if m := re.FindStringSubmatch(s.Text()); m != nil {
				url <- m[1]
			}
		}
	}()
	select {
	case u := <-url:
		ws, _, err := websocket.DefaultDialer.Dial(u, nil)
		if err != nil {
			return nil, nil, err
		}
		b := &chromium{ws: ws, pending: map[int64]chan reply{}}
		go b.read()
		return b, stop, nil
	case <-time.After(30 * time.Second):
		stop()
		return nil, nil, errors.New("chromium did not start within 30 s")
	}
}

func (b *chromium) read() {
	for {
		_, data, err := b.ws.ReadMessage()
		if err != nil {
			return
		}
		var m struct {
			ID        int64
			SessionID string
			Method    string
			Params    json.RawMessage
			reply
		}
		if json.Unmarshal(data, &m) != nil {
			continue
		}
		b.mu.Lock()
		if m.ID != 0 {
			if c := b.pending[m.ID]; c != nil {
				delete(b.pending, m.ID)
				c <- m.reply
			}
		} else {
			kept := b.waiters[:0]
			for _, w := range b.waiters {
				if w.session == m.SessionID && w.method == m.Method && (w.match == nil || w.match(m.Params)) {
					w.c <- m.Params
					continue
				}
				kept = append(kept, w)
			}
			b.waiters = kept
		}
		b.mu.Unlock()
	}
}

func (b *chromium) expect(session, method string, match func(json.RawMessage) bool) <-chan json.RawMessage {
	w := &waiter{session, method, match, make(chan json.RawMessage, 1)}
	b.mu.Lock()
	b.waiters = append(b.waiters, w)
	b.mu.Unlock()
	return w.c
}

func (b *chromium) call(session, method string, params, result any) error {
	id := b.next.Add(1)
	c := make(chan reply, 1)
	b.mu.Lock()
	b.pending[id] = c
	b.mu.Unlock()
	m := map[string]any{"id": id, "method": method, "params": params}
	if params == nil {
		m["params"] = struct{}{}
	}
	if session != "" {
		m["sessionId"] = session
	}
	b.write.Lock()
	err := b.ws.WriteJSON(m)
	b.write.Unlock()
	if err != nil {
		return err
	}
	select {
	case r := <-c:
		if r.Error != nil {
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		}
		if result != nil {
			return json.Unmarshal(r.Result, result)
		}
		return nil
	case <-time.After(20 * time.Second):
		return fmt.Errorf("%s: no answer in 20 s", method)
	}
}
