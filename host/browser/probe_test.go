package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

func TestProbe(t *testing.T) {
	d := connectDirect(t, direct.Options{})
	s := newSite(t, map[string]string{
		"/":     `<title>A</title><a id=l href="/slow">slow</a><a id=d href="/dl">dl</a><a id=n href="/204">n</a><a id=w target=_blank href="/p2">w</a><a id=w2 target=_blank rel=opener href="/p2">w</a><iframe src="http://b.test:{port}/in"></iframe><iframe src="/same"></iframe><iframe id=blank></iframe><iframe srcdoc="hi"></iframe>`,
		"/in":   `in<iframe src="/same"></iframe>`,
		"/same": `same`, "/p2": "<title>two</title>p2",
	})
	s.mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Second)
		fmt.Fprint(w, "slow<img src=/slowimg>")
	})
	s.mux.HandleFunc("GET /slowimg", func(w http.ResponseWriter, r *http.Request) { time.Sleep(time.Second); w.WriteHeader(404) })
	s.mux.HandleFunc("GET /204", func(w http.ResponseWriter, r *http.Request) { time.Sleep(300 * time.Millisecond); w.WriteHeader(204) })
	s.mux.HandleFunc("GET /dl", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.bin")
		fmt.Fprint(w, "data")
	})
	tab := openTab(t, d, "")
	ctx := ctxFor(t)
	t0 := time.Now()
	log := func(e browser.Event) {
		p := string(e.Params)
		if len(p) > 230 {
			p = p[:230]
		}
		fmt.Fprintf(os.Stderr, "%6d %.4s %s %s\n", time.Since(t0).Milliseconds(), e.SessionID, e.Method, p)
	}
	tab.Session().Listen(log)
	ev, c := d.Subscribe()
	defer c()
	go func() {
		for e := range ev {
			fmt.Fprintf(os.Stderr, "BUS %+v\n", e)
		}
	}()
	if err := tab.Navigate(ctx, s.url("a.test", "/")); err != nil {
		t.Fatal(err)
	}
	fs, err := tab.Frames(ctx)
	fmt.Fprintln(os.Stderr, err)
	for _, f := range fs {
		var r any
		err := f.Call(ctx, "summary", nil, &r)
		x, y, ok := f.Offset(ctx)
		fmt.Fprintf(os.Stderr, "FRAME %s parent %s doc %s %s  %v %v  %v,%v %v\n", f.ID(), f.ParentID(), f.Document(), f.URL(), r, err, x, y, ok)
	}
	for _, id := range []string{"n", "d", "w", "w2", "l"} {
		fmt.Fprintln(os.Stderr, "=== click", id)
		w := tab.Watch()
		_, err := tab.Evaluate(ctx, "document.getElementById('"+id+"').click()")
		if err != nil {
			t.Error(err)
		}
		st := w.Wait(ctx, 150*time.Millisecond, 4*time.Second)
		fmt.Fprintf(os.Stderr, "%+v\n", st)
		w.Close()
	}
	fmt.Fprintln(os.Stderr, tab.PageRev(), tab.URL())
	fmt.Fprintln(os.Stderr, "=== back")
	fmt.Fprintln(os.Stderr, "BACK")
	m, err := tab.History(ctx, -1)
	fmt.Fprintln(os.Stderr, m, err)
	fs, err = tab.Frames(ctx)
	for _, f := range fs {
		var r any
		err := f.Call(ctx, "summary", nil, &r)
		fmt.Fprintf(os.Stderr, "FRAME %s doc %s %s  %v %v\n", f.ID(), f.Document(), f.URL(), r, err)
	}
}
