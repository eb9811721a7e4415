package action

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/action/effect"
	"tabwright/host/browser"
)

// sender is a button whose name says nothing, and what its page does at a press.
func sender(code string) string {
	return `<h1>Fennimore</h1><p>Row 7 of 12</p><button id=b type=button>Frobnicate</button><output id=o></output>
<form id=fm method=post action=/evil/account/delete><input type=hidden name=id value=7></form>
<script>
const send = (method, to, body) => fetch(to, {method, body, headers: body ? {"Content-Type": "application/json"} : {}}).then(() => { at("o").textContent = "sent"; }, () => { at("o").textContent = "failed"; });
at("b").onclick = async () => { ` + code + ` };
</script>`
}

// secretly are ways in which a page does harm by a press whose name says nothing,
// and what comes to the server then.
var secretly = map[string]struct{ code, came string }{
	"fetch":       {`send("DELETE", "/evil/api/orders/17")`, "DELETE /evil/api/orders/17"},
	"xhr":         {`const x = new XMLHttpRequest(); x.open("POST", "/evil/rpc/placeOrder"); x.send("{}")`, "POST /evil/rpc/placeOrder"},
	"waiting xhr": {`const x = new XMLHttpRequest(); x.open("POST", "/evil/rpc/placeOrder", false); try { x.send("{}"); at("o").textContent = "sent"; } catch { at("o").textContent = "failed"; }`, "POST /evil/rpc/placeOrder"},
	"graphql":     {`send("POST", "/evil/graphql", JSON.stringify({operationName: "DeleteAccount", query: "mutation DeleteAccount { deleteAccount(id: 7) { ok } }"}))`, "POST /evil/graphql"},
	"chain":       {`await fetch("/token"); await send("POST", "/evil/api/payments/transfer", "{}")`, "POST /evil/api/payments/transfer"},
	"form":        {`setTimeout(() => at("fm").submit(), 30)`, "POST /evil/account/delete"},
	"address":     {`setTimeout(() => { location = "/evil/delete?id=1"; }, 30)`, "GET /evil/delete?id=1"},
	"worker":      {`new Worker(URL.createObjectURL(new Blob(["fetch('" + location.origin + "/evil/api/orders/17', {method: 'DELETE'})"])))`, "DELETE /evil/api/orders/17"},
	"socket":      {`const s = new WebSocket(location.origin.replace("http", "ws") + "/socket"); s.onmessage = () => { at("o").textContent = "sent"; }; s.onopen = () => s.send('42["deleteOrder",{"id":17}]')`, `SEND 42["deleteOrder",{"id":17}]`},
	"frame":       {`const i = document.createElement("iframe"); i.name = "f"; document.body.append(i); at("fm").target = "f"; at("fm").submit()`, "POST /evil/account/delete"},
}

// TestHeldRequests: a button may be called anything; what it has the page send is
// asked about before it leaves, and does not leave without a yes.
func TestHeldRequests(t *testing.T) {
	bothDoors(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		for name, x := range secretly {
			if d != browser.Driver(chromium.d) && !slices.Contains([]string{"fetch", "waiting xhr", "frame", "socket"}, name) {
				continue // what differs between the doors
			}
			t.Run(name, func(t *testing.T) {
				l := w.live(t, d, sender(x.code))
				res := on("b").run(l)
				if h := w.harmed(); len(h) > 0 || len(l.person.cards) != 1 {
					t.Fatalf("after a no: harm %q, %d cards: %s", h, len(l.person.cards), cardsOf(l))
				}
				if res.Err == nil || res.Err.Code != StoppedAfter || !res.Sent || !strings.Contains(res.Err.Message, "was stopped") {
					t.Errorf("after a no: sent %v, %v", res.Sent, res.Err)
				}
				// The page stays as it is, with what was written there.
				if at := l.tab.URL(); !strings.HasSuffix(at, "/page") {
					t.Errorf("after a no the tab shows %s", at)
				}
				if said := reasons(l.person.cards[0].Decision) + strings.Join(l.person.cards[0].Details, " "); !strings.Contains(said, "/evil/") && !strings.Contains(said, "a message to a.test:"+w.url.Port()+"/socket, which says: deleteOrder") {
					t.Errorf("the card does not say what would be sent: %s", said)
				}

				l = w.live(t, d, sender(x.code))
				l.person.answers = []Answer{{Allow: true, By: "panel"}}
				res = on("b").run(l)
				if h := w.harmed(); !slices.Equal(h, []string{x.came}) || res.Err != nil || len(l.person.cards) != 1 {
					t.Errorf("after a yes: came %q, %v, %d cards: %s", h, res.Err, len(l.person.cards), cardsOf(l))
				}
			})
		}
	})
}

// TestSentBeforeIsTold: a request that was let through before another was refused may be saved, and the answer says so.
func TestSentBeforeIsTold(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for code, want := range map[string]string{
		`await send("POST", "/drafts", "{}"); await send("DELETE", "/evil/api/orders/17")`: "but before that the page had sent POST ",
		`await fetch("/token"); await send("DELETE", "/evil/api/orders/17")`:               "",
	} {
		res := on("b").run(w.live(t, chromium.d, sender(code)))
		wantCode(t, res, StoppedAfter)
		if said := strings.Contains(res.Err.Message, "before that the page had sent"); said != (want != "") || !strings.Contains(res.Err.Message, want) {
			t.Errorf("%s: %s", code, res.Err.Message)
		}
		w.harmed()
	}
}

// TestHeldMessages: what a page writes to its WebSockets during an act leaves in order; what is refused
// does not leave. Signs of life go before what waits, and after the act the page has the browser's own
// send again.
func TestHeldMessages(t *testing.T) {
	bothDoors(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		const page = `<h1>Rows</h1><p>Row 7 of 12</p><button id=b type=button>Frobnicate</button><button id=c type=button>Show more</button><output id=o></output><iframe srcdoc="<p>Below"></iframe><iframe src="http://sub.a.test:{port}/sends"></iframe><iframe sandbox=allow-scripts src="/sends"></iframe>
<script>
const native = WebSocket.prototype.send;
const open = (W) => new Promise((ok) => { const s = new W(location.origin.replace("http", "ws") + "/socket"); s.onopen = () => ok(s); s.onmessage = (e) => { at("o").textContent += e.data + ";"; }; });
const bytes = (s) => new TextEncoder().encode(s);
const ready = new Promise((ok) => addEventListener("load", ok)).then(async () => { window.s = await open(WebSocket); window.below = await open(frames[0].WebSocket); for (const i of [1, 2]) await new Promise((ok) => { onmessage = ok; frames[i].postMessage("", "*"); }); });
%s
</script>`
		w.pages["/sends"] = `<script>const s = new WebSocket("ws://" + location.host + "/socket"), opened = new Promise((ok) => s.onopen = ok);
onmessage = (e) => opened.then(() => e.data ? s.send(e.data) : parent.postMessage("", "*"));</script>`
		for _, c := range []struct {
			name, does       string
			refused, allowed []string // what comes after a no and after a yes
			asked            bool
		}{
			{"harmless", `s.send('{"type":"typing","room":7}'); s.send(new Uint8Array([1, 2, 255])); s.send(new Blob([new Uint8Array([3, 4, 255])])); s.send('{"type":"cursor"}');`, nil, []string{`SEND {"type":"typing","room":7}`, "SEND \x01\x02\xff", "SEND \x03\x04\xff", `SEND {"type":"cursor"}`}, false},
			{
				"order", `s.send('{"type":"get_list"}'); s.send('{"type":"delete_order","id":7}'); s.send("2"); s.send(new Uint8Array([255])); s.send('{"type":"get_more"}'); s.close();`,
				[]string{"SEND 2", `SEND {"type":"get_list"}`},
				[]string{"SEND 2", `SEND {"type":"get_list"}`, `SEND {"type":"delete_order","id":7}`, "SEND \xff", `SEND {"type":"get_more"}`},
				true,
			},
			{"bytes", `const m = bytes('{"type":"delete_order","id":7}'); s.send(m); m.fill(0);`, nil, []string{`SEND {"type":"delete_order","id":7}`}, true},
			{
				"binary format", `s.send(new Uint8Array([0x81, 0xa4, ...bytes("type"), 0xa5, ...bytes("ping!")])); s.send(new Uint8Array([0x82, 0xa4, ...bytes("type"), 0xac, ...bytes("delete_order"), 0xa2, ...bytes("id"), 7]));`,
				[]string{"SEND \x81\xa4type\xa5ping!"},
				[]string{"SEND \x81\xa4type\xa5ping!", "SEND \x82\xa4type\xacdelete_order\xa2id\x07"},
				true,
			},
			{"blob", `s.send(new Blob(['{"type":"delete_order","id":7}'])); s.send("2");`, []string{"SEND 2"}, []string{"SEND 2", `SEND {"type":"delete_order","id":7}`}, true},
			{"frame of another subdomain", `frames[1].postMessage('{"type":"delete_order","id":7}', "*");`, nil, []string{`SEND {"type":"delete_order","id":7}`}, true},
			{"sandboxed frame", `frames[2].postMessage('{"type":"delete_order","id":7}', "*");`, nil, []string{`SEND {"type":"delete_order","id":7}`}, true},
			{"frame", `below.send('{"type":"delete_order","id":7}');`, nil, []string{`SEND {"type":"delete_order","id":7}`}, true},
		} {
			t.Run(c.name, func(t *testing.T) {
				if d.Kind() != "direct" && leftOut("TestHeldMessages/"+c.name) {
					t.Skipf("on the direct driver only; on both with %s=1", everything)
				}
				for _, allow := range []bool{false, true} {
					l := w.live(t, d, fmt.Sprintf(page, `at("b").onclick = () => { `+c.does+` };`))
					l.eval(`ready`)
					l.person.answers = []Answer{{Allow: allow, By: "panel"}}
					want, code := c.allowed, Code("")
					if c.asked && !allow {
						want, code = c.refused, StoppedAfter
					}
					wantCode(t, on("b").run(l), code)
					w.await(len(want))
					h := w.harmed()
					if code == StoppedAfter && len(h) >= len(want) && !strings.Contains(strings.Join(h, ""), "delete") {
						h = h[:len(want)] // what the page wrote last may be lost as it is loaded again
					}
					if !slices.Equal(h, want) || len(l.person.cards) != map[bool]int{true: 1}[c.asked] {
						t.Errorf("allowed %v: came %q, want %q, %d cards: %s", allow, h, want, len(l.person.cards), cardsOf(l))
					}
					if code == "" {
						l.until(`WebSocket.prototype.send === native`)
					}
				}
			})
		}
	})
}

// TestHeldRequestsThatBlockThePage: synchronous requests, one after the other, that a script makes behind the press: each
// is asked about at once, not when the page was asked in vain, and what came of them is told.
func TestHeldRequestsThatBlockThePage(t *testing.T) {
	bothDoors(t, func(t *testing.T, d browser.Driver) {
		w := newWorld(t)
		l := w.live(t, d, sender(`setTimeout(() => { for (const i of [1, 2, 3, 4]) { const x = new XMLHttpRequest(); x.open("POST", "/evil/rpc/placeOrder/" + i, false); x.send("{}"); at("o").textContent = "sent " + i; } }, 20)`))
		l.person.answers = slices.Repeat([]Answer{{Allow: true, By: "panel"}}, 4)
		res := on("b").run(l)
		if h := w.harmed(); len(h) != 4 || res.Err != nil || len(l.person.cards) != 4 || !strings.Contains(res.Effect, "sent 4") {
			t.Errorf("came %q, %v, effect %q, %d cards: %s", h, res.Err, res.Effect, len(l.person.cards), cardsOf(l))
		}
	})
}

// TestHeldRequestsOfKeys: Enter and Space press as a click does, and a no of the
// one holds for the other.
func TestHeldRequestsOfKeys(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, sender(secretly["fetch"].code))
	for _, key := range []string{"Enter", "Space"} {
		step{"pressKey", p{"selector": "#b", "key": key}}.run(l)
	}
	on("b").run(l)
	if h := w.harmed(); len(h) > 0 || len(l.person.cards) != 1 {
		t.Errorf("harm %q, %d cards: %s", h, len(l.person.cards), cardsOf(l))
	}
}

// TestWhatWasStoppedIsNotSentLater: what a page shows and keeps after its request was refused is
// thrown away, which the answer says; the same request by another button, at another
// press, by leaving or by loading the page again is the same deed, and does not go.
func TestWhatWasStoppedIsNotSentLater(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, `<h1>Rows</h1><button id=b type=button>Frobnicate</button><button id=c type=button>Bazzle</button><button id=d type=button>Show more</button><output id=o></output>
<script>
const flush = () => { for (const id of JSON.parse(localStorage.queue ?? "[]")) fetch("/evil/api/orders/" + id, {method: "DELETE", keepalive: true}); };
const remove = (id) => { localStorage.queue = JSON.stringify([id]); at("o").textContent = "Saved"; flush(); };
at("b").onclick = () => remove(17);
at("c").onclick = () => remove(17);
at("d").onclick = flush;
addEventListener("pagehide", flush);
flush();
</script>`)
	res := on("b").run(l)
	wantCode(t, res, StoppedAfter)
	for _, word := range []string{"had acted", "loaded again", "nothing of it is saved", "the user said no"} {
		if !strings.Contains(res.Text, word) {
			t.Errorf("the answer lacks %q: %s", word, res.Text)
		}
	}
	if got := l.eval(`at("o").textContent + "," + localStorage.queue`); got != `",undefined"` {
		t.Errorf("the page still has %s", got)
	}
	wantCode(t, on("c").run(l), StoppedAfter)
	for _, s := range []step{on("d"), {"refresh", p{}}} {
		if res := s.run(l); res.Err != nil {
			t.Errorf("%s: %v", s.action, res.Err)
		}
	}
	if h := w.harmed(); len(h) > 0 || len(l.person.cards) != 1 {
		t.Errorf("harm %q, %d cards: %s", h, len(l.person.cards), cardsOf(l))
	}
	// The user may say so yet.
	l.ForgetDenials()
	l.person.answers = []Answer{{Allow: true, By: "panel"}}
	wantCode(t, on("b").run(l), "")
	if h := w.harmed(); len(h) != 1 {
		t.Errorf("after a yes: harm %q", h)
	}
}

// TestWhatWasRefusedIsUndone: a page that keeps its state in the browser and sends the whole of
// it, at any time and as it is left, has nothing of a refused act left to send.
func TestWhatWasRefusedIsUndone(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	const page = `<h1>Rows</h1><button id=b type=button>Frobnicate</button><button id=other type=button>Bazzle</button><output id=o></output>
<script>
const load = () => JSON.parse(%[1]s.state ?? '{"rows":[17,18]}');
let state = load();
const body = () => JSON.stringify({...state, at: Math.random()});
const put = () => fetch("/evil/api/state", {method: "PUT", body: body(), keepalive: true}).catch(() => {});
const commit = () => { %[1]s.state = JSON.stringify(state); at("o").textContent = state.rows.join(); };
at("b").onclick = () => { state.rows = [18]; state.status = "cancelled"; commit(); put(); };
at("other").onclick = () => { state.seen = 1; commit(); if (state.status) put(); };
commit();
if (state.status) put();
%[2]s
</script>`
	for name, later := range map[string]string{
		"nothing more":    ``,
		"a timer":         `setInterval(() => { if (state.status) put(); }, 20)`,
		"as it is left":   `addEventListener("pagehide", () => { commit(); if (state.status) put(); })`,
		"a beacon":        `addEventListener("pagehide", () => { if (state.status) navigator.sendBeacon("/evil/api/state", body()); })`,
		"as it is hidden": `document.addEventListener("visibilitychange", () => { if (state.status) navigator.sendBeacon("/evil/api/state", body()); })`,
		"it asks first":   `addEventListener("beforeunload", (e) => { if (state.status) e.preventDefault(); commit(); })`,
		"a worker":        `const k = new Worker(URL.createObjectURL(new Blob(["onmessage = (e) => setInterval(() => fetch('" + location.origin + "/evil/api/state', {method: 'PUT', body: e.data}), 20)"]))); at("b").addEventListener("click", () => k.postMessage(body()))`,
		"a socket":        `const ws = new WebSocket(location.origin.replace("http", "ws") + "/socket"); ws.onopen = () => { if (state.status) ws.send(body()); }; at("b").addEventListener("click", () => setInterval(() => ws.send(body()), 20))`,
		"a failed try":    `const plain = window.fetch; window.fetch = (...a) => plain(...a).catch(() => new Promise((ok) => setTimeout(() => ok(plain(...a)), 30)))`,
	} {
		for _, kept := range []string{"localStorage", "sessionStorage"} {
			t.Run(name+", "+kept, func(t *testing.T) {
				l := w.live(t, chromium.d, fmt.Sprintf(page, kept, later))
				l.eval(kept + `.clear()`)
				wantCode(t, step{"refresh", p{}}.run(l), "")
				wantCode(t, on("b").run(l), StoppedAfter)
				for _, s := range []step{on("other"), {"refresh", p{}}, on("other")} {
					s.run(l)
				}
				if h := w.harmed(); len(h) > 0 {
					t.Errorf("harm %q", h)
				}
				if got := l.eval(`at("o").textContent`); got != `"17,18"` {
					t.Errorf("the page shows %s", got)
				}
			})
		}
	}
}

// TestWhatWasRefusedStaysRefused: a page that keeps its state where it can't be put back, in IndexedDB,
// and sends it when it is loaded again, does not send it as its act is undone, nor at a harmless press later.
func TestWhatWasRefusedStaysRefused(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, `<h1>Rows</h1><button id=b type=button>Frobnicate</button><button id=c type=button>Show more</button><output id=o></output>
<script>
const db = new Promise((ok) => { const r = indexedDB.open("rows"); r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => ok(r.result); });
const kept = async () => { const s = (await db).transaction("s").objectStore("s").get("state"); return new Promise((ok) => { s.onsuccess = () => ok(s.result); }); };
const keep = async (v) => { const t = (await db).transaction("s", "readwrite"); t.objectStore("s").put(v, "state"); return new Promise((ok) => { t.oncomplete = ok; }); };
const put = (state) => fetch("/evil/api/state", {method: "PUT", body: JSON.stringify({...state, at: Math.random()})}).then(() => { at("o").textContent = "sent"; }, () => { at("o").textContent = "failed"; });
const flush = async () => { const state = await kept(); if (state?.status) await put(state); };
at("b").onclick = async () => { await keep({rows: [18], status: "cancelled"}); await flush(); };
at("c").onclick = flush;
flush();
</script>`)
	for _, id := range []string{"b", "c", "c"} {
		wantCode(t, on(id).run(l), StoppedAfter)
	}
	if h := w.harmed(); len(h) > 0 {
		t.Errorf("harm %q", h)
	}
}

// TestAWholeStateIsJudgedByWhatChanged: a page that sends its whole state with whatever is done
// is asked about by what differs from what it sent before.
func TestAWholeStateIsJudgedByWhatChanged(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	const page = `<h1>Rows</h1><button id=star type=button>Mark</button><button id=b type=button>Frobnicate</button><button id=c type=button>Close</button><output id=o></output>
<script>
const rows = Array.from({length: 20}, (_, id) => ({id, title: "Row", status: id % 2 ? "cancelled" : "open", marked: false, by: "ann"}));
const put = () => fetch("/evil/api/state", {method: "PUT", body: JSON.stringify({rows, theme: "light"}), headers: {"Content-Type": "application/json"}}).then(() => { at("o").textContent += "."; });
at("star").onclick = () => { rows[4].marked = true; put(); };
at("b").onclick = () => { rows[6].status = "cancelled"; put(); };
at("c").onclick = () => { rows[8].status = "closed"; put(); };
put();
</script>`
	l := w.live(t, chromium.d, page)
	res := on("b").run(l)
	wantCode(t, res, StoppedAfter)
	if c := l.person.cards; len(c) != 1 || !strings.Contains(reasons(c[0].Decision), "status: cancelled") {
		t.Errorf("cards: %s", cardsOf(l))
	}
	l.person.cards = nil
	wantCode(t, on("c").run(l), StoppedAfter)
	if c := l.person.cards; len(c) != 1 || !strings.Contains(reasons(c[0].Decision), "status change: closed") {
		t.Errorf("cards: %s", cardsOf(l))
	}
	sent := len(w.harmed()) // the page sends its state as it is loaded
	l.person.cards = nil
	wantCode(t, on("star").run(l), "")
	if h := w.harmed(); len(h) != sent+1 || len(l.person.cards) > 0 {
		t.Errorf("sent %q, cards: %s", h[sent:], cardsOf(l))
	}
}

// TestNothingIsHeld: what only looks things up, and what has a name that is known
// to be harmless, is not asked about.
func TestNothingIsHeld(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	for name, x := range map[string]struct{ body, came string }{
		"search":    {sender(`send("POST", "/evil/api/orders/search", "{}")`), "POST /evil/api/orders/search"},
		"query":     {sender(`send("POST", "/evil/graphql", JSON.stringify({operationName: "Orders", query: "query Orders { orders { id } }"}))`), "POST /evil/graphql"},
		"analytics": {sender(`send("POST", "/evil/g/collect?en=purchase_click")`), "POST /evil/g/collect?en=purchase_click"},
		"read":      {sender(`send("GET", "/evil/api/orders")`), "GET /evil/api/orders"},
	} {
		t.Run(name, func(t *testing.T) {
			l := w.live(t, chromium.d, x.body)
			res := on("b").run(l)
			if h := w.harmed(); !slices.Equal(h, []string{x.came}) || res.Err != nil || len(l.person.cards) != 0 {
				t.Errorf("came %q, %v; cards: %s", h, res.Err, cardsOf(l))
			}
		})
	}
	// After the act nothing is held any more: the page is the user's.
	l := w.live(t, chromium.d, sender(`setTimeout(() => send("DELETE", "/evil/api/orders/17"), 3000)`))
	on("b").run(l)
	for end := time.Now().Add(10 * time.Second); len(w.harmed()) == 0 && time.Now().Before(end); {
		<-time.After(50 * time.Millisecond)
	}
	if h := w.harmed(); len(h) != 1 || len(l.person.cards) > 0 {
		t.Errorf("three seconds after the act: came %q, %d cards", h, len(l.person.cards))
	}
}

// TestHeldWhileStopped: a request that waits when the task is stopped does not go.
func TestHeldWhileStopped(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, sender(secretly["fetch"].code))
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	l.person.answers = []Answer{{Allow: true, By: "panel"}}
	l.person.onAsk = func(int, Card) { stop() }
	res := l.Do(ctx, Call{Name: "click", Params: []byte(`{"selector":"#b"}`)})
	if h := w.harmed(); len(h) > 0 || res.Err == nil {
		t.Errorf("harm %q, %v", h, res.Err)
	}
	// The page is told, so that it does not wait for ever.
	ok := step{"waitFor", p{"text": "failed", "timeoutMs": 5000}}.run(l)
	if ok.Err != nil {
		t.Error(ok.Err)
	}
}

// TestHeldInOtherActs: every act that presses holds what it has the page send, also
// behind a dialog, and a second press of one act.
func TestHeldInOtherActs(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	del := `send("DELETE", "/evil/api/orders/17")`
	for name, x := range map[string]struct {
		body  string
		steps []step
	}{
		"load more":      {sender(del), []step{{"loadMoreUntil", p{"selector": "#b", "maxLoads": 1}}}},
		"download":       {sender(del), []step{{"download", p{"selector": "#b", "timeoutMs": 3000}}}},
		"dismissed":      {sender(`if (!confirm("Keep it?")) ` + del), []step{on("b"), {"handleDialog", p{"accept": false}}}},
		"behind a alert": {sender(`for (let i = 0; i < 4; i++) alert(i); ` + del), []step{on("b"), {"handleDialog", p{"accept": true}}}},
		"second click":   {sender(`if (window.n) ` + del + `; n = 1`), []step{{"click", p{"selector": "#b", "clicks": 2}}}},
		"says it opens":  {strings.Replace(sender(del), "<button id=b", "<button id=b aria-haspopup=menu aria-expanded=false", 1), []step{on("b")}},
		"as a link":      {`<a id=link href="#apply">Apply</a>` + strings.Replace(sender(""), "</script>", `at("link").addEventListener("click", () => { `+del+` })</script>`, 1), []step{on("link")}},
		"opens, no word": {strings.Replace(sender(`send("POST", "/evil/ajax/bz", "{}")`), "<button id=b", "<button id=b aria-haspopup=dialog", 1), []step{on("b")}},
		"options":        {`<div id=b role=combobox tabindex=0 aria-expanded=false aria-haspopup=listbox aria-label=Frobnicate>x</div>` + sender("")[len(`<h1>Fennimore</h1>`):] + `<script>document.querySelector("[role=combobox]").onclick = () => { ` + del + ` }</script>`, []step{{"getOptions", p{"selector": "[role=combobox]"}}}},
		"right button": {strings.Replace(sender(""), "</script>", `at("b").textContent = "Delete"; at("b").oncontextmenu = () => { send("POST", "/evil/ajax/bz", "{}") }</script>`, 1), []step{
			{"click", p{"selector": "#b", "button": "right"}},
		}},
		"right button, held": {strings.Replace(sender(""), "</script>", `at("b").onmousedown = () => { `+del+` }</script>`, 1), []step{
			{"mouseDown", p{"selector": "#b", "button": "right"}},
		}},
		"a box that is heard": {`<form><label><input id=x type=checkbox> Allow access</label><input name=y><button>Save</button></form>` +
			strings.Replace(sender(""), "</script>", `document.addEventListener("change", () => { send("POST", "/evil/ajax/bz", "{}") })</script>`, 1), []step{{"check", p{"selector": "#x"}}}},
		"a box beside it": {`<form><h3>Share this folder with</h3><label><input id=x type=checkbox> Office</label></form>` +
			strings.Replace(sender(`send("POST", "/evil/ajax/bz", "{}")`), "</script>", `at("b").textContent = "Save"</script>`, 1), []step{on("x"), on("b")}},
		"slider in a frame": {
			`<iframe id=i srcdoc="<div role=slider tabindex=0 aria-valuenow=1 aria-label='Place order' onclick='parent.harm(1)' style='width:99px;height:30px'>x</div>"></iframe>`,
			[]step{{"type", p{"selector": "[role=slider]", "text": "2"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := w.live(t, chromium.d, x.body)
			for _, s := range x.steps {
				s.run(l)
			}
			if h := w.harmed(); len(h) > 0 || len(l.person.cards) == 0 {
				t.Errorf("harm %q; cards: %s", h, cardsOf(l))
			}
		})
	}
}

// TestARightClickOpensAMenu: nothing is asked, whatever stands on what is pressed.
func TestARightClickOpensAMenu(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, `<ul><li id=b tabindex=0>Delete</li></ul><script>window.n = 0;
document.querySelector("#b").oncontextmenu = (e) => { e.preventDefault(); n++; document.body.append("Open Rename Move") };</script>`)
	res := step{"click", p{"selector": "#b", "button": "right"}}.run(l)
	if res.Err != nil || len(l.person.cards) > 0 {
		t.Errorf("%v; cards: %s", res.Err, cardsOf(l))
	}
	if n, err := l.tab.Evaluate(context.Background(), "window.n"); err != nil || string(n) != "1" {
		t.Errorf("the menu was opened %s times: %v", n, err)
	}
}

// TestPressedOnce: a page that keeps its presses from everybody else, and shows
// nothing of them, is not pressed again.
func TestPressedOnce(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, `<button id=b>Show more</button><script>window.n = 0;
for (const t of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) addEventListener(t, (e) => { e.stopImmediatePropagation(); if (t === "click") n++; }, true);</script>`)
	res := on("b").run(l)
	if res.Err == nil {
		t.Errorf("told as done: %s", res.Text)
	}
	if n, err := l.tab.Evaluate(context.Background(), "window.n"); err != nil || string(n) != "1" {
		t.Errorf("pressed %s times: %v", n, err)
	}
}

// TestChangesOfValueAreAsked: a control whose other value takes effect at once is asked about
// before it is changed, by every way to change it; what a page sends of a text or as a field
// loses the keyboard waits for a word where it says what it does.
func TestChangesOfValueAreAsked(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	form := func(fields string) string {
		return `<h1>Fennimore</h1><form id=fm method=post action=/evil/x>` + fields + `</form><button id=other type=button>Frobnicate</button>
<script>const post = (to) => fetch(to, {method: "POST", body: "x"});</script>`
	}
	key := func(k string) step { return step{"pressKey", p{"key": k}} }
	focus := step{"focus", p{"selector": "#x"}}
	type_ := func(text string) step { return step{"type", p{"selector": "#x", "text": text, "clear": true}} }
	for name, c := range map[string]struct {
		body  string
		steps []step
		after bool // the page has acted, and what it then sent was stopped
	}{
		"range, arrow":  {form(`<label>Donate at once <input id=x type=range min=0 max=100 step=50 value=0 onchange="this.form.submit()"></label>`), []step{focus, key("ArrowRight")}, false},
		"range, text":   {form(`<label>Donate at once <input id=x type=range min=0 max=100 step=50 value=0 onchange="this.form.submit()"></label>`), []step{type_("50")}, false},
		"range, click":  {form(`<label>Donate at once <input id=x type=range min=0 max=100 step=50 value=0 onchange="this.form.submit()"></label>`), []step{on("x")}, false},
		"number, arrow": {form(`<label>Buy shares at once <input id=x type=number value=0 onchange="this.form.submit()"></label>`), []step{focus, key("ArrowUp")}, false},
		"number, blur":  {form(`<label>Buy shares at once <input id=x type=number value=0 onchange="this.form.submit()"></label>`), []step{type_("7"), on("other")}, false},
		"text, blur":    {form(`<label>Amount to transfer now <input id=x onchange="this.form.submit()"></label>`), []step{type_("900"), {"focus", p{"selector": "#other"}}}, true},
		"date":          {form(`<label>Pay on <input id=x type=date value=2026-11-25 onchange="this.form.submit()"></label>`), []step{type_("2026-12-25")}, false},
		"list, letter":  {form(`<label>Transfer money <select id=x onchange="this.form.submit()"><option>0<option>500</select></label>`), []step{focus, key("5")}, false},
		"radio of the page's own": {
			form("") + `<div role=radiogroup aria-label="Delete account?"><span id=x role=radio aria-checked=true tabindex=0>Keep my account</span><span role=radio aria-checked=false tabindex=-1>Delete my account now</span></div>
<script>at("x").onkeydown = () => post("/evil/radio")</script>`, []step{focus, key("ArrowDown")}, false,
		},
		"slider of the page's own": {
			form("") + `<div id=x role=slider tabindex=0 aria-label="Slide to pay 24.00 EUR" aria-valuenow=0 aria-valuemin=0 aria-valuemax=10 style="width:200px;height:20px">slide</div>
<script>at("x").onkeydown = () => post("/evil/slider")</script>`, []step{focus, key("End")}, false,
		},
		"what is sent as it is written": {form(`<label>Note <input id=x oninput="post('/evil/orders/17/cancel')"></label>`), []step{type_("a")}, true},
		"what is sent when it is left":  {form(`<label>Note <input id=x onblur="post('/evil/orders/17/cancel')"></label>`), []step{type_("a"), {"focus", p{"selector": "#other"}}}, true},
		"what is sent on Tab":           {form(`<label>Note <input id=x onblur="post('/evil/orders/17/cancel')"></label>`), []step{type_("a"), key("Tab")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			l := w.next(t, chromium.d, c.body)
			var last Result
			for _, s := range c.steps {
				if last = s.run(l); last.Err != nil {
					break
				}
			}
			if h := w.harmed(); len(h) > 0 || len(l.person.cards) == 0 {
				t.Fatalf("harm %q, cards: %s, %v", h, cardsOf(l), last.Err)
			}
			if want := map[bool]Code{false: Denied, true: StoppedAfter}[c.after]; last.Err == nil || last.Err.Code != want {
				t.Errorf("the answer: %v, want %s", last.Err, want)
			}
		})
	}
}

// TestACommandForTickedLines: in a menu behind a long list a command is chosen for two of its lines. The button's
// own word says nothing; the card has the command, with the name of its group, and the number of the lines.
func TestACommandForTickedLines(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	l := w.live(t, chromium.d, `<h1>Tickets</h1><form method=post action=/evil/update><table><tbody id=rows></tbody></table>
<select name=action><option>Bulk actions<optgroup label="Give away to"><option id=tom>tom</optgroup></select> <button id=b>Go</button></form>
<script>for (let i = 0; i < 90; i++) at("rows").insertAdjacentHTML("beforeend", "<tr><td><input type=checkbox name=ticket value=" + i + (i > 1 ? "" : " checked") + "><td>Ticket " + i);
at("tom").selected = true;</script>`)
	res := on("b").run(l)
	if h := w.harmed(); len(h) > 0 || res.Err == nil || res.Err.Code != Denied || len(l.person.cards) != 1 {
		t.Fatalf("harm %q, cards: %s, %v", h, cardsOf(l), res.Err)
	}
	if said := fmt.Sprint(l.person.cards[0]); !strings.Contains(said, "Give away to: tom” (2 selected)") {
		t.Errorf("the card: %s", said)
	}
}

// TestEffectsAreReadAnew: if the user takes longer to answer about a held request than a call into the page may, the
// frame is asked for the act's effects once more.
func TestEffectsAreReadAnew(t *testing.T) {
	l := newRig(t)
	spec, _ := l.reg.Spec("click")
	w := (&run{s: l.Session, spec: spec, res: &Result{}, tab: l.tab}).watcher()
	w.tab, w.frames = fakeWatch{l.tab}, []frame{l.main}
	defer w.close()
	reads := w.read(t.Context(), settleTime)
	<-reads.answers
	reads.answers <- effectAnswer{f: l.main, err: fmt.Errorf("effects in frame: %w", &browser.SilentError{})}
	w.reads = reads
	w.ask(t.Context(), &effect.Effect{}, settleTime)
	if n := l.main.called("effects"); n != 2 || w.reads != nil || reads.left != 0 {
		t.Errorf("asked %d times, %d answers missing", n, reads.left)
	}
}
