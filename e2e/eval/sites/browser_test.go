package sites

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
)

// visit is a page of a site, and what is pressed there.
type visit struct{ path, script string }

// wait waits in the page for an element.
const wait = `const wait = async (css) => { for (;;) { const e = document.querySelector(css); if (e) return e; await new Promise((r) => setTimeout(r, 10)); } };`

var visits = map[string][]visit{
	"shop-gift": {
		{"/", ""},
		{"/tea/oolong?sort=price", ""},
		{"/product/sencha", `document.querySelectorAll(".step")[1].click()`},
		{"/cart", `document.querySelector("#gift").click(); await wait("#toast.shown")`},
		{"/checkout/address", ""},
		{"/wishlist", ""},
		{"/orders", ""},
		{"/account", ""},
	},
	"mail-star": {{"/", `(await wait(".row input")).click(); await wait("#labelmenu").then((e) => e.click()); document.querySelector("#compose").click(); document.querySelector("#discard").click();
		document.querySelector("#gear").click(); (await wait("[data-tab=vacation]")).click(); await wait(".switch"); document.querySelector(".folder").click(); (await wait(".row .from")).click(); (await wait("#reply")).click(); await wait(".replybox")`}},
	"tracker-new": {
		{"/issues", `document.querySelector(".pop button").click(); document.querySelector("tbody input").click(); if (document.querySelector(".bulkbar").hidden) throw new Error("no bar")`},
		{"/board", ""},
		{"/settings/general", ""},
		{"/settings/notifications", ""},
		{"/settings/members", ""},
	},
	"bank-transfer": {
		{"/accounts", ""},
		{"/accounts/everyday", ""},
		{"/transfer", ""},
		{"/payees", `document.querySelector("#addpayee").click(); document.querySelector("#nopayee").click()`},
		{"/standing-orders", `document.querySelector(".dots").click()`},
		{"/standing-orders/gym", ""},
		{"/statements", ""},
		{"/cards", `document.querySelector(".sw").click(); await wait(".sw[aria-checked=true]"); document.querySelector(".link").click()`},
	},
	"booking-ink-zh": {
		{"/", ""},
		{"/prices", `document.querySelectorAll(".tab")[1].click()`},
		{"/bookings", `document.querySelector(".move").click(); await wait(".modal .day:not(.off)").then((e) => e.click()); await wait(".modal .hours > *"); document.querySelector(".modalfoot button").click()`},
		{"/offer/ink", `document.querySelector(".value").click(); document.querySelector("[role=option]").click(); document.querySelectorAll(".arrow")[1].click(); document.querySelectorAll(".day")[1].click(); await wait(".hours > *"); document.querySelector("#bookit").click(); (await wait(".strong")).click()`},
	},
	"docs-port-zh": {
		{"/docs/install", `document.querySelectorAll("[role=tab]")[2].click(); document.querySelector("#mark").click(); await wait("#mark[aria-pressed=true]")`},
		{"/docs/settings?version=1.x", `document.querySelector("#theme").click(); document.querySelector("[role=menu] [data-theme=dark]").click(); await wait("html[data-theme=dark]")`},
		{"/docs/logging", `document.querySelector("[data-helpful=no]").click(); await wait(".why:not([hidden])"); const s = document.querySelector("#search"); s.value = "a"; s.dispatchEvent(new Event("input")); await wait("#hits a")`},
		{"/release-notes", ""},
	},
}

// A walk through all sites in a real browser leaves no error on the console.
func TestConsole(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	b, err := launch.Start(ctx, launch.Options{Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	d, err := direct.Connect(ctx, b.URL(), direct.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	info, err := d.Open(ctx, "about:blank", true, "")
	if err != nil {
		t.Fatal(err)
	}
	tab, err := d.Attach(ctx, info.ID)
	if err != nil {
		t.Fatal(err)
	}
	console := listen(ctx, t, tab)
	for id, pages := range visits {
		w := open(t, id, 1)
		for _, v := range pages {
			if err := tab.Navigate(ctx, w.URL()+v.path); err != nil {
				t.Fatalf("%s%s: %v", id, v.path, err)
			}
			if _, err := tab.Evaluate(ctx, wait+v.script+"; return 0"); err != nil {
				t.Errorf("%s%s: %v", id, v.path, err)
			}
			for _, said := range console() {
				t.Errorf("%s%s: %s", id, v.path, said)
			}
		}
	}
}

// listen gives what was said on the console since the last call: errors, and
// requests that failed.
func listen(ctx context.Context, t *testing.T, tab *browser.Tab) func() []string {
	s := tab.Session()
	thrown, stop := s.Subscribe("Runtime.exceptionThrown")
	t.Cleanup(stop)
	logged, stop := s.Subscribe("Log.entryAdded")
	t.Cleanup(stop)
	called, stop := s.Subscribe("Runtime.consoleAPICalled")
	t.Cleanup(stop)
	if err := s.Call(ctx, "Log.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	level := regexp.MustCompile(`"(level|type)":"(error|assert)"`)
	// Each of the three comes in its own order: it is read as far as what is said last.
	const last = `console.log("all read"); setTimeout(() => { throw new Error("all read") }); await fetch("/all read"); return 0`
	return func() (out []string) {
		if _, err := tab.Evaluate(ctx, last); err != nil {
			t.Fatal(err)
		}
		for i, from := range []<-chan jsonv2.Value{called, thrown, logged} {
			for done := false; !done; {
				select {
				case raw := <-from:
					said := string(raw)
					if done = strings.Contains(said, "all read") || strings.Contains(said, "all%20read"); !done && (i == 1 || level.MatchString(said)) {
						out = append(out, said)
					}
				case <-ctx.Done():
					t.Fatal(ctx.Err())
				}
			}
		}
		return out
	}
}
