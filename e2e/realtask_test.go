package e2e

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"tabwright/e2e/realmodel"
	"tabwright/e2e/rig"
)

// A real model of 1.5 billion parameters, the smallest that can, does a task in a real
// Chromium, on a server of Ollama's format, and with TABWRIGHT_ALL=1 on one of OpenAI's, which
// takes minutes to compile. The page's own server says whether it was done. The random mark
// around a page makes each prompt another one, so that it may miss: it has three tries.
func TestRealModelTask(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser and a real model")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	binary, err := rig.Build(ctx)
	if err != nil {
		t.Fatal(err)
	}
	in, missing := realmodel.Setup(ctx, realmodel.Coder, t.Output())
	all := os.Getenv("TABWRIGHT_ALL") != ""
	if all {
		missing = errors.Join(missing, in.AddOpenAI(ctx, t.Output()))
	}
	for _, s := range []struct {
		provider, path, bin string
		serve               func(context.Context, realmodel.Installed, string, int) (*realmodel.Server, error)
	}{
		{"ollama", "", in.Ollama, realmodel.Serve},
		{"custom", "/v1", in.OpenAI, realmodel.ServeOpenAI},
	} {
		t.Run(s.provider, func(t *testing.T) {
			if s.provider != "ollama" && !all {
				t.Skip("compiles a second server: make test-all, or TABWRIGHT_ALL=1")
			}
			if in.GGUF == "" || s.bin == "" {
				t.Skipf("!!! NO REAL MODEL: NO TASK WAS DONE BY ONE !!!\n%v", missing)
			}
			server, err := s.serve(ctx, in, "", realThreads)
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			settings := []string{"provider=" + s.provider, "model=" + server.Model, "base_url=" + server.Base + s.path, "temperature=0"}
			late := false
			for range realTries {
				began := time.Now()
				posts, said, err := subscribe(ctx, t, binary, settings)
				late = late || errors.Is(err, context.DeadlineExceeded)
				t.Logf("%v after %.0f s: %v\n%s", posts, time.Since(began).Seconds(), err, said)
				if err == nil && slices.Equal(posts, []string{"/subscribe"}) {
					return
				}
			}
			if late {
				t.Skip("!!! THIS MACHINE IS TOO SLOW: NO TASK WAS DONE BY A REAL MODEL !!!")
			}
			t.Errorf("the model did not do the task; the server's log:\n%s", server.Log())
		})
	}
}

const (
	// realThreads is how many processors the model gets: more than are idle wait for
	// each other.
	realThreads = 1
	// realTime bounds one try, which takes less than a minute on a machine at rest.
	realTime  = 7 * time.Minute
	realTries = 3
)

// subscribe has a new Tabwright do the task on a new page, and gives what was posted
// to the page's server and what Tabwright said.
func subscribe(ctx context.Context, t *testing.T, binary string, settings []string) (posts []string, said string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, realTime)
	defer cancel()
	var mu sync.Mutex
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := "<p>News of our garden, once a month." +
			"<form method=post action=/print><button>Print</button></form><form method=post action=/subscribe><button>Subscribe</button></form>" +
			"<form method=post action=/share><button>Share</button></form>"
		if r.Method == http.MethodPost {
			mu.Lock()
			posts = append(posts, r.URL.Path)
			mu.Unlock()
			body = "<p>Thank you. You are subscribed."
		}
		fmt.Fprint(w, `<!doctype html><html lang=en><title>Newsletter</title><h1>Newsletter</h1>`+body)
	}))
	defer page.Close()
	dir, err := os.MkdirTemp("", "tw-") // short, for the socket's path
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	tie, err := rig.Tie(dir)
	if err != nil {
		return nil, "", err
	}
	defer tie.Close()
	_, port, err := net.SplitHostPort(page.Listener.Addr().String())
	if err != nil {
		return nil, "", err
	}
	args := []string{
		"run", `Subscribe to the newsletter`, "--url", "http://news.test/", "--launch", "--headless", "--confirm", "allow",
		"--browser-arg", "--host-resolver-rules=MAP news.test 127.0.0.1:" + port + ", MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
	}
	for _, s := range append(settings, "budgets.steps=4", "history=keep") {
		args = append(args, "--set", s)
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.WaitDelay = 10 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	at := func(name string) string { return filepath.Join(dir, name) }
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+at("config"), "XDG_DATA_HOME="+at("data"), "XDG_STATE_HOME="+at("state"),
		"XDG_CACHE_HOME="+at("cache"), "TABWRIGHT_SOCKET="+filepath.Join(dir, "run", "broker.sock"))
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	mu.Lock()
	defer mu.Unlock()
	return posts, string(out), err
}
