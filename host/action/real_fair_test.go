package action

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// fair is a site where everything that can happen to a page happens.
type fair struct {
	invoice, scanned atomic.Pointer[[]byte] // PDF documents
	invoices         atomic.Int32           // how often the first was fetched

	plain, secure *httptest.Server
	release       chan struct{} // lets slow answers end
	sent          atomic.Int32  // forms that came
}

// at is an address of the fair.
func (f *fair) at(host, path string) string {
	return "http://" + host + ":" + f.port() + strings.Replace(path, "PORT", f.port(), 1)
}

func (f *fair) port() string {
	u, err := url.Parse(f.plain.URL)
	if err != nil {
		return ""
	}
	return u.Port()
}

func newFair(t *testing.T) *fair {
	t.Helper()
	f := &fair{release: make(chan struct{})}
	mux := http.NewServeMux()
	page := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html>"+body)
		})
	}
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join("testdata", "events.html"))
	})
	page("/plain", "<title>Plain</title><h1>Plain</h1><button onclick=\"window.close()\">Close me</button>")
	page("/closes", "<title>Closes</title><script>setTimeout(() => window.close(), 30)</script>")
	page("/alerts", "<title>Alerts</title><script>alert('Hello from a new tab')</script><p>after</p>")
	page("/frame-dialog", "<title>Frame</title><button onclick=\"document.title = confirm('From a frame?')\">In the frame</button>")
	page("/frame-timer", "<title>Frame</title><script>setTimeout(() => confirm('A frame asks by itself?'), 400)</script>")
	page("/confirms", "<title>Confirms</title><p>before</p><script>answer = confirm('Before it has loaded?')</script><p>after</p>")
	page("/order", `<title>Order form</title><form method="post" action="/ordered"><button>Find it</button></form><form method="post" action="/seeother"><button>Look it up</button></form>`)
	mux.HandleFunc("POST /ordered", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Ordered</title><p>That was number %d", f.sent.Add(1))
	})
	mux.HandleFunc("POST /seeother", func(w http.ResponseWriter, r *http.Request) {
		f.sent.Add(1)
		http.Redirect(w, r, "/plain?seen", http.StatusSeeOther)
	})
	page("/meta", `<title>Meta</title><meta http-equiv="refresh" content="0; url=/plain?meta"><p>wait`)
	page("/busy", "<title>Busy</title><script>while (true);</script>")
	mux.HandleFunc("GET /report.csv", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		fmt.Fprint(w, "a,b\n1,2\n")
	})
	mux.HandleFunc("GET /attachment", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="minutes.txt"`)
		fmt.Fprint(w, "minutes")
	})
	mux.HandleFunc("GET /cut.bin", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", "1000000")
		fmt.Fprint(w, strings.Repeat("x", 70000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("GET /slow.bin", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", "1000000")
		fmt.Fprint(w, strings.Repeat("x", 70000))
		_ = http.NewResponseController(w).Flush()
		f.wait(r)
	})
	mux.HandleFunc("GET /basic/", func(w http.ResponseWriter, r *http.Request) {
		if u, p, ok := r.BasicAuth(); ok && u == "ada" && p == "pw" {
			fmt.Fprint(w, "<title>Inside</title><p>inside")
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="The vault"`)
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusUnauthorized)
		if !strings.Contains(r.URL.Path, "empty") {
			fmt.Fprint(w, "<title>401</title><p>Who are you?")
		}
	})
	mux.HandleFunc("GET /digest/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Digest realm="The vault", nonce="abc", qop="auth"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	page("/fetches", `<title>Fetches</title><p id="out">waiting</p><script>fetch('/basic/data').then((r) => out.textContent = 'got ' + r.status, (e) => out.textContent = 'failed ' + e)</script>`)
	mux.HandleFunc("GET /204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("GET /endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Endless</title><h1>Endless</h1><button onclick=\"document.title='Pressed'\">Press</button>"+strings.Repeat(" ", 4096))
		_ = http.NewResponseController(w).Flush()
		f.wait(r)
	})
	mux.HandleFunc("GET /silent", func(_ http.ResponseWriter, r *http.Request) { f.wait(r) })
	mux.HandleFunc("GET /hangup", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	mux.HandleFunc("GET /404", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "<title>Lost</title><h1>No such page</h1>")
	})
	mux.HandleFunc("GET /doc.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		fmt.Fprint(w, onePagePDF)
	})
	mux.HandleFunc("GET /invoice.pdf", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("member"); err != nil || c.Value != "ida" {
			http.Error(w, "sign in first", http.StatusForbidden)
			return
		}
		f.invoices.Add(1)
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(*f.invoice.Load())
	})
	mux.HandleFunc("GET /scanned.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write(*f.scanned.Load())
	})
	page("/blank", `<title>Blank</title><div style="width: 90px; height: 60px; background: teal">`)
	page("/invoice", `<title>Invoice</title><script>document.cookie = "member=ida"</script><h1>Invoice for May</h1><table><tr><th>Item<th>Qty<th>Price<tr><td>Blue mug<td>2<td>12.50</table><p style="break-before: page">Carried over`)
	page("/embeds", `<title>Embeds</title><button onclick="this.textContent = 'Went'">Go</button><button id=pay draggable=true>Pay now</button><embed src=/doc.pdf width=300 height=200>`)
	page("/noviewer", `<title>No viewer</title><p>text</p><iframe src="chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html"></iframe>`)
	page("/around", `<title>Around</title><button onclick="this.textContent = 'Went'">Go</button><iframe src=/doc.pdf width=300 height=200></iframe>`)
	mux.HandleFunc("GET /pic.svg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><rect width="90" height="60" fill="teal"/><text y="20">Drawn</text></svg>`)
	})
	mux.HandleFunc("GET /pic.png", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(onePixel)
	})
	quiet := log.New(io.Discard, "", 0)
	f.plain = httptest.NewUnstartedServer(mux)
	f.plain.Config.ErrorLog = quiet
	f.plain.Start()
	f.secure = httptest.NewUnstartedServer(mux)
	f.secure.Config.ErrorLog = quiet
	f.secure.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	f.secure.StartTLS()
	t.Cleanup(func() {
		close(f.release)
		f.plain.CloseClientConnections()
		f.plain.Close()
		f.secure.Close()
	})
	return f
}

// wait holds an answer back until the test is over or the browser gives up.
func (f *fair) wait(r *http.Request) {
	select {
	case <-f.release:
	case <-r.Context().Done():
	}
}

// onePixel is a PNG of one pixel.
var onePixel = []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82")

const onePagePDF = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n"
