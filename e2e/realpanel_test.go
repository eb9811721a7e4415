package e2e

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"tabwright/e2e/realmodel"
	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

// A real small model does a task from the real side panel: the panel says that it is
// loaded, then what it does, then its answer. The pictures are in e2e/out.
func TestRealModelInThePanel(t *testing.T) {
	if os.Getenv("TABWRIGHT_ALL") == "" {
		t.Skip("needs a real model and minutes: make test-all, or TABWRIGHT_ALL=1")
	}
	in, missing := realmodel.Setup(t.Context(), realmodel.Coder, t.Output())
	if in.GGUF == "" || in.Ollama == "" {
		t.Skipf("!!! NO REAL MODEL: NO TASK WAS DONE BY ONE !!!\n%v", missing)
	}
	server, err := realmodel.Serve(t.Context(), in, "", realThreads)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var added atomic.Int32
	var right atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			added.Add(1)
			right.CompareAndSwap(false, r.URL.Path == "/add/darjeeling")
		}
		fmt.Fprintf(w, `<!doctype html><html lang=en><title>Teas</title><style>body{font:16px sans-serif;margin:2em}li{display:flex;gap:1em;margin:.5em}</style>
			<h1>Teas</h1><p>Basket: %d</p>`, added.Load())
		if r.Method == http.MethodPost {
			fmt.Fprint(w, "<p role=status>The tea was added to your basket.</p>")
		}
		fmt.Fprint(w, "<ul>")
		for _, tea := range []string{"Assam", "Darjeeling", "Sencha"} {
			fmt.Fprintf(w, `<li><b>%s</b><form method=post action="/add/%s"><button>Add to basket</button></form>`, tea, strings.ToLower(tea))
		}
	}))
	defer site.Close()
	_, port, err := net.SplitHostPort(site.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorldTold(t, nil, standin.Options{}, func(*standin.Server) []string {
		return []string{"TABWRIGHT_PROVIDER=ollama", "TABWRIGHT_BASE_URL=" + server.Base, "TABWRIGHT_MODEL=" + server.Model}
	})
	page, err := w.rig.Open(w.ctx, "http://teas.test:"+port+"/")
	w.must(err)
	w.must(rig.Await(w.ctx, page, `document.readyState === 'complete' && document.title === 'Teas'`))
	panel, err := w.rig.OpenSidePanel(w.ctx, page)
	w.must(err)
	shot := func(name string) {
		w.must(panel.Screenshot(w.ctx, filepath.Join(out(t), "real-model-"+name+".png")))
	}
	w.must(panel.Send(w.ctx, "Add the Darjeeling tea to the basket"))
	w.must(panel.Await(w.ctx, `/Loading/.test(document.body.innerText)`))
	shot("1-loads")
	// What can't be known of a button is asked about.
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=confirm-allow]') || /Clicked/.test(document.body.innerText)`))
	shot("2-acts")
	if asked, err := panel.Text(w.ctx, "confirm-allow"); err == nil && len(asked) > 0 {
		w.must(panel.Allow(w.ctx))
	}
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=copy-answer]')`))
	shot("3-answers")
	w.must(rig.Screenshot(w.ctx, page, filepath.Join(out(t), "real-model-4-page.png")))
	if n := added.Load(); n != 1 || !right.Load() {
		t.Errorf("%d teas were added, the right one among them: %v", n, right.Load())
	}
}
