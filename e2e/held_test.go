package e2e

import (
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

// secretive is a site whose button says nothing of what it sends.
type secretive struct {
	mu   sync.Mutex
	came []string
}

func (s *secretive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method != http.MethodGet {
		s.came = append(s.came, r.Method+" "+r.URL.Path)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(`<!doctype html><title>Fennimore</title><h1>Row 7</h1><button>Frobnicate</button><output></output>
<script>document.querySelector("button").onclick = () => fetch("/api/orders/17", {method: "DELETE"}).then(() => "sent", () => "failed").then((s) => { document.querySelector("output").textContent = s; });</script>`))
}

func (s *secretive) got() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.came)
}

// What a button has the page send is asked about in the panel before it leaves. A
// broker that dies meanwhile takes it along: a question is no yes because nobody
// is left to hear the answer.
func TestHeldRequestInThePanel(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewScript(standin.Click("button", "Frobnicate"), standin.Say("It was pressed.")))
	site := &secretive{}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	w.must(err)
	w.must(w.page.Navigate(w.ctx, "http://fennimore.test:"+port+"/"))
	pid := w.brokerPID()
	p := w.panel()
	w.must(p.Send(w.ctx, "press the button on this page"))
	w.must(p.Await(w.ctx, cardOpen))
	w.hasText(p, "confirm-card", "DELETE", "/api/orders/17", "Frobnicate")
	w.shots("card")
	if came := site.got(); len(came) > 0 {
		t.Errorf("it left before the answer: %q", came)
	}
	w.must(syscall.Kill(pid, syscall.SIGKILL))
	w.must(rig.Await(w.ctx, w.page, `document.querySelector('output').textContent === 'failed'`))
	w.must(p.Await(w.ctx, interrupted))
	w.must(p.Await(w.ctx, ready)) // a new broker has the tab
	<-time.After(500 * time.Millisecond)
	if came := site.got(); len(came) > 0 {
		t.Errorf("it left when the broker was gone: %q", came)
	}
}
