package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

func TestWatch(t *testing.T) {
	s := newSite(t, map[string]string{
		"/": `<title>W</title><body style="margin:0">
<a id=two href="/two">two</a><br><a id=slow href="/slow">slow</a><br><a id=frag href="#f">frag</a><br>
<a id=none href="/204">none</a><br><a id=dl href="/dl">dl</a><br>
<a id=win target=_blank href="/two">win</a><br><a id=opener target=_blank rel=opener href="/two">opener</a><br>
<button id=quiet>quiet</button><br><button id=ask onclick="confirm('?')">ask</button><br>
<button id=late onclick="setTimeout(() => location.href = '/slow', 60)">late</button>`,
		"/two": `<title>Two</title>two`,
	})
	s.mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
		delay(r, 400*time.Millisecond)
		_, _ = fmt.Fprint(w, `<title>Slow</title><img src="/slowimg">`)
	})
	s.mux.HandleFunc("GET /slowimg", func(w http.ResponseWriter, r *http.Request) {
		delay(r, 400*time.Millisecond)
		w.WriteHeader(http.StatusNotFound)
	})
	s.mux.HandleFunc("GET /204", func(w http.ResponseWriter, r *http.Request) {
		delay(r, 200*time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	})
	s.mux.HandleFunc("GET /dl", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=report.bin")
		_, _ = fmt.Fprint(w, "data")
	})
	for _, c := range []struct {
		click string
		check func(t *testing.T, st browser.WatchState, took time.Duration)
	}{
		{"quiet", func(t *testing.T, st browser.WatchState, took time.Duration) {
			if len(st.Navigations)+len(st.NewTabs)+len(st.Dialogs)+len(st.Downloads) != 0 || took > time.Second {
				t.Errorf("%+v in %s", st, took)
			}
		}},
		{"two", func(t *testing.T, st browser.WatchState, _ time.Duration) {
			if len(st.Navigations) != 1 || !strings.HasSuffix(st.Navigations[0].URL, "/two") || st.Navigations[0].SameDocument {
				t.Errorf("%+v", st)
			}
		}},
		{"slow", func(t *testing.T, st browser.WatchState, took time.Duration) {
			if len(st.Navigations) != 1 || st.Loading || took < 800*time.Millisecond {
				t.Errorf("%+v in %s", st, took)
			}
		}},
		{"late", func(t *testing.T, st browser.WatchState, took time.Duration) {
			if len(st.Navigations) != 1 || took < 800*time.Millisecond {
				t.Errorf("%+v in %s", st, took)
			}
		}},
		{"frag", func(t *testing.T, st browser.WatchState, _ time.Duration) {
			if len(st.Navigations) != 1 || !st.Navigations[0].SameDocument {
				t.Errorf("%+v", st)
			}
		}},
		{"none", func(t *testing.T, st browser.WatchState, took time.Duration) {
			if len(st.Navigations) != 0 || took < 200*time.Millisecond {
				t.Errorf("%+v in %s", st, took)
			}
		}},
		{"dl", func(t *testing.T, st browser.WatchState, _ time.Duration) {
			if len(st.Downloads) != 1 || st.Downloads[0].File == "" || !strings.HasSuffix(st.Downloads[0].URL, "/dl") || len(st.Navigations) != 0 {
				t.Errorf("%+v", st)
			}
		}},
		{"win", newTab}, // rel=noopener is what a browser makes of it
		{"opener", newTab},
		{"ask", func(t *testing.T, st browser.WatchState, took time.Duration) {
			if len(st.Dialogs) != 1 || st.Dialogs[0].Kind != "confirm" || st.Settled || took > time.Second {
				t.Errorf("%+v in %s", st, took)
			}
		}},
	} {
		t.Run(c.click, func(t *testing.T) {
			driven(t, func(t *testing.T, d browser.Driver) {
				tab := openTab(t, d, s.url("a.test", "/"))
				f, ctx := mainFrame(t, tab), ctxFor(t)
				w := tab.Watch()
				defer w.Close()
				began := time.Now()
				click(t, tab, f, "#"+c.click)
				st := w.Wait(ctx, 300*time.Millisecond, 5*time.Second)
				took := time.Since(began)
				if !st.Settled && tab.Dialog() == nil {
					t.Errorf("not settled: %+v", st)
				}
				c.check(t, st, took)
				for _, n := range st.NewTabs {
					_ = d.CloseTab(ctx, n.ID)
				}
				if tab.Dialog() != nil {
					if err := tab.HandleDialog(ctx, false, ""); err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}

func newTab(t *testing.T, st browser.WatchState, _ time.Duration) {
	if len(st.NewTabs) != 1 || len(st.Navigations) != 0 {
		t.Errorf("%+v", st)
	}
}

// delay is a slow server, which ends with its client.
func delay(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

func TestWatchSeesTheTabClose(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		tab := openTab(t, d, "")
		ctx := ctxFor(t)
		events, cancel := d.Subscribe()
		defer cancel()
		w := tab.Watch()
		defer w.Close()
		if err := d.CloseTab(ctx, tab.ID()); err != nil {
			t.Fatal(err)
		}
		for range 100 { // until it is seen
			if st := w.Wait(ctx, 50*time.Millisecond, time.Second); st.Detached != nil {
				break
			}
		}
		<-tab.Done()
		if w.Snapshot().Detached == nil || tab.Err() == nil {
			t.Errorf("%+v, %v", w.Snapshot(), tab.Err())
		}
		seen := map[browser.TabEventKind]bool{}
		for !seen[browser.TabDetached] || !seen[browser.TabRemoved] {
			select {
			case e := <-events:
				if e.Tab.ID == tab.ID() {
					seen[e.Kind] = true
				}
			case <-ctx.Done():
				t.Fatalf("events: %v", seen)
			}
		}
	})
}

func TestDownloadsFolder(t *testing.T) {
	dir := t.TempDir()
	d := connectDirect(t, direct.Options{Downloads: dir})
	s := newSite(t, map[string]string{"/": `<a id=dl download="named.txt" href="data:text/plain,hello">dl</a>`})
	tab := openTab(t, d, s.url("a.test", "/"))
	events, cancel := d.Subscribe()
	defer cancel()
	click(t, tab, mainFrame(t, tab), "#dl")
	ctx := ctxFor(t)
	for {
		select {
		case e := <-events:
			if e.Kind != browser.Downloaded || e.State != "complete" {
				continue
			}
			if !strings.HasPrefix(e.File, dir) || e.Tab.ID != tab.ID() {
				t.Errorf("%+v", e)
			}
			return
		case <-ctx.Done():
			t.Fatal("the download did not end")
		}
	}
}
