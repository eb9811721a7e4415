package action

import (
	"fmt"
	_ "image/jpeg"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	product "tabwright/e2e/rig"
	"tabwright/host/browser"
)

// TestDeltaAfterAnAct: the result of an act tells what came, what went and what
// changed, under the indices that the list before it has and the list after it
// will have: the same node keeps its own wherever it is put, and no other gets it.
func TestDeltaAfterAnAct(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "delta.html")
		indices := func() map[string]int {
			t.Helper()
			out := map[string]int{}
			for _, e := range l.observe().Elements.Elements {
				out[e.Role+" "+e.Name] = e.Index
			}
			return out
		}
		before := indices()
		res := l.ok("click", p{"index": before["button Show 3 offers"]})
		after := indices()
		for _, kept := range []string{"link Blue mug", "button Remove mug", "checkbox Gift wrap", "button Other"} {
			if before[kept] == 0 || after[kept] != before[kept] {
				t.Errorf("%s was [%d] and is [%d]", kept, before[kept], after[kept])
			}
		}
		if after["button Show 2 offers"] != before["button Show 3 offers"] {
			t.Errorf("a button of another name is another: [%d], [%d]", before["button Show 3 offers"], after["button Show 2 offers"])
		}
		if after["link Plate"] != 0 || after["button Remove plate"] != 0 {
			t.Errorf("what went is listed: %v", after)
		}
		for _, came := range []string{"link Red cup", "button Remove cup"} {
			for name, i := range before {
				if i == after[came] {
					t.Errorf("%s has [%d], which was %s", came, i, name)
				}
			}
		}
		_, news, _ := strings.Cut(res.Effect, "new: ")
		news, gone, _ := strings.Cut(news, "gone: ")
		for _, want := range []struct{ in, what string }{
			{res.Effect, fmt.Sprintf(`button "Show 2 offers" [%d] "Show 3 offers" → "Show 2 offers"`, before["button Show 3 offers"])},
			{res.Effect, fmt.Sprintf(`checkbox "Gift wrap" [%d] checked "false" → "true"`, before["checkbox Gift wrap"])},
			{news, fmt.Sprintf(`listitem "Red cup": link "Red cup" [%d]`, after["link Red cup"])},
			{news, fmt.Sprintf(`button "Remove cup" [%d]`, after["button Remove cup"])},
			{gone, `listitem "Plate"`},
		} {
			if !strings.Contains(want.in, want.what) {
				t.Errorf("not told: %s\n%s", want.what, res.Effect)
			}
		}
		if strings.Contains(news+gone, "Blue mug") || strings.Contains(res.Effect, `"Other"`) {
			t.Errorf("what stayed is told: %s", res.Effect)
		}
		l.fails(StaleRef, "click", p{"index": before["button Remove plate"]})
	})
}

// TestRealHardLog: what is added to a long text is told, not the text before it.
func TestRealHardLog(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		for l.eval("told.textContent.length < 190") == "true" {
			l.ok("click", p{"selector": "#say"})
		}
		has(t, l.ok("click", p{"selector": "#say"}).Effect, "goes on, the end\"")
	})
}

// TestRealHardSuitesAnnounce: what a page announces is told where nobody sees a
// change, and only there.
func TestRealHardSuitesAnnounce(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_suites.html")
		l.ok("focus", p{"selector": "#order li:first-child"})
		has(t, l.ok("pressKey", p{"key": "Space"}).Effect, "pressed")
		if e := l.ok("pressKey", p{"key": "ArrowDown"}).Effect; e != `the page announces "One was moved over Two"` {
			t.Errorf("moved by a key: %s", e)
		}
		if e := l.ok("pressKey", p{"key": "x"}).Effect; !strings.Contains(e, "Seen") || strings.Contains(e, "Nobody") {
			t.Errorf("announced beside what is seen: %s", e)
		}
		if e := l.ok("pressKey", p{"key": "y"}).Effect; e != NoEffect {
			t.Errorf("nothing happened: %s", e)
		}
	})
}

// TestRealNews: of a page that a form leads back to, or that is loaded again, it is told
// what is new on it, with the words that say what that belongs to.
func TestRealNews(t *testing.T) {
	startChromium(t)
	var basket []string
	const refused = "There is a problem with this code, and it was not taken: it is meant for another shop. Take it there, or ask for one of this shop."
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		flash, rows := "", ""
		switch {
		case r.FormValue("drop") != "":
			basket = basket[1:]
		case r.FormValue("add") != "":
			basket = append(basket, r.FormValue("add"))
			flash = `<div class=notice>Your basket was changed.</div>`
		case r.FormValue("code") != "":
			flash = "<div class=error>" + refused + "</div>"
		}
		for _, b := range basket {
			rows += "<tr><td><div>" + b + "</div><td>1<td><p>$4.00</p><td><form method=post><input type=hidden name=drop value=1><button>Remove</button></form></tr>"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/other":
			_, _ = fmt.Fprint(w, "<title>Other</title><h1>Another page</h1><p>With words of its own.</p>")
			return
		case "/made":
			_, _ = fmt.Fprint(w, "<title>Tea</title><nav><a href=/>Home</a> <a href=/other>Other</a></nav><h1>Tea</h1>"+
				"<div class=notice>"+strings.Repeat("\n                ", 40)+"Tea <a href=/tea>#40</a> was made by <b>\"</b>Ida<b>\"</b>.</div><p>Its own words.</p><ul><li><a href=/x>All teas</a></ul>")
			return
		case "/slid": // its notice slides in when its scripts have begun
			_, _ = fmt.Fprint(w, `<title>Slid</title><style>ul{opacity:0;position:relative;top:-100px}.ready ul{opacity:1;top:0;transition:top .3s,opacity .3s}</style><script>setTimeout(() => document.body.classList.add("ready"), 200)</script>`+
				`<div role=status><ul><li>The page was <b>saved</b>. <a href=/>View it</a></ul></div><h1>Pages</h1><p>All of them.</p>`)
			return
		case "/check":
			_, _ = fmt.Fprint(w, "<title>Check</title><h1>Check your transfer</h1><dl><dt>From</dt><dd>Everyday</dd><dt>To</dt><dd><b>Savings</b></dd><dt>Amount</dt><dd>$5</dd></dl><button>Confirm</button>")
			return
		case "/many":
			lines := "<p>Line 1<p>Line 2<p>Line 3<p>Line 4<p>Line 5"
			if r.FormValue("few") != "" {
				lines = ""
			}
			_, _ = fmt.Fprint(w, "<title>Many</title><h1>Lines</h1><p>Words that stay<p>and stay<p>and stay here<p>and there<p>and elsewhere<div>"+lines+"</div><a href='/many?few=1'>Fewer</a>")
			return
		case "/find":
			_, _ = fmt.Fprint(w, "<title>Find</title><h1>Two results for tea</h1>")
			return
		}
		add := func(what string) string {
			return "<li>" + what + " <form method=post><input type=hidden name=add value='" + what + "'><button>Add</button></form></li>"
		}
		_, _ = fmt.Fprint(w, "<title>Shop</title><nav>"+strings.Repeat("<a href=/other>Part</a> ", 20)+"</nav>"+flash+
			"<p>Basket: <b>", len(basket), "</b></p><ul>"+add("Assam")+add("Earl Grey")+"</ul><table>"+rows+"</table>"+
			"<form method=post><input name=code aria-label=Code></form><form action=/made><button>Make</button></form><form action=/slid><button>Save</button></form><form action=/check><button>Transfer</button></form><form action=/find><input name=q aria-label=Search></form><a id=page href='/?page=2'>Page "+r.FormValue("page")+"</a>")
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	l := openLive(t, chromium.d, "")
	home := "http://a.test:" + u.Port() + "/"
	l.ok("navigate", p{"url": home})
	for _, c := range []struct {
		name  string
		act   string
		param p
		want  string
	}{
		{"a form that leads back", "click", p{"selector": "li:nth-child(1) button"}, `clicked button "Add" in "Assam" [1]. Effect: new: "Your basket was changed.", "Basket: 1", "Assam 1 $4.00"; navigated to ` + home + ` (Shop), loaded anew.`},
		{"again", "click", p{"selector": "li:nth-child(2) button"}, `Effect: new: "Basket: 2", "Earl Grey 1 $4.00"; navigated`},
		{"a row that goes", "click", p{"selector": "tr:first-child button"}, `clicked button "Remove" in "Assam 1 $4.00" [3]. Effect: new: "Basket: 1"; gone: "Your basket was changed.", "Assam 1 $4.00"; navigated`},
		{"to the same address", "navigate", p{"url": home}, `Effect: navigated to ` + home + ` (Shop); it shows what the page showed before.`},
		{"another address of the same", "navigate", p{"url": home + "?to=tea"}, `Effect: navigated to ` + home + `?to=tea (Shop); it shows what the page showed before.`},
		{"and back", "navigate", p{"url": home}, `Effect: navigated to`},
		{"loaded again", "refresh", p{}, `Effect: navigated to ` + home + ` (Shop); it shows what the page showed before.`},
		{"a form that is refused", "type", p{"selector": "[name=code]", "text": "TEA", "submit": true}, `Effect: new: "` + refused + `"; navigated`},
		{"refused again", "type", p{"selector": "[name=code]", "text": "TEA2", "submit": true}, ` (Shop), loaded anew; it shows what the page showed before, again with "` + refused + `".`},
		{"away from it", "navigate", p{"url": home}, `gone: "There is a problem with this code`},
		{"another state of it", "click", p{"selector": "#page"}, `Effect: new: "Page 2"; navigated to ` + home + `?page=2`},
		{"a form that leads elsewhere", "type", p{"selector": "[name=q]", "text": "tea", "submit": true}, `Effect: new: "Two results for tea"; navigated to ` + home + `find?q=tea (Find).`},
		{"back from it", "goBack", p{}, `Effect: navigated to`},
		{"a form that leads to what it made", "click", p{"selector": "text=Make"}, `Effect: new: "Tea #40 was made by \"Ida\"."; navigated to ` + home + `made? (Tea).`},
		{"back", "goBack", p{}, `Effect: navigated to`},
		{"a notice that slides in", "click", p{"selector": "text=Save"}, `Effect: new: "The page was saved. View it"; navigated to ` + home + `slid? (Slid).`},
		{"back from there", "goBack", p{}, `Effect: navigated to`},
		{"a form that leads to terms and values", "click", p{"selector": "text=Transfer"}, `Effect: new: "Check your transfer", "From Everyday", "To Savings"; navigated to`},
		{"back again", "goBack", p{}, `Effect: navigated to`},
		{"many lines that go", "navigate", p{"url": home + "many"}, `Effect: navigated to`},
		{"three of them are named", "click", p{"selector": "text=Fewer"}, `gone: "Line 1", "Line 2", "Line 3" and 2 more lines; navigated to`},
		{"back once more", "navigate", p{"url": home}, `Effect: navigated to`},
		{"another page", "click", p{"selector": "nav a:first-child"}, `Effect: navigated to ` + home + `other (Other).`},
	} {
		if res := l.ok(c.act, c.param); !strings.Contains(res.Text, c.want) {
			t.Errorf("%s: %s, want %s", c.name, res.Text, c.want)
		}
	}
}

// TestRealSettle: an effect holds what the act did at once, in a task and in a
// frame, what it asked a server for, and what fades; and no time is waited for
// that says nothing.
func TestRealSettle(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		for _, c := range []struct{ id, want string }{
			{"now", "Said now"},
			{"task", "Said in a task"},
			{"frame", "Said in a frame"},
			{"both", "And in a frame"},
			{"soon", "And after a timer"},
			{"open", "Under the button"},
			{"tell", `gone: "Under the button"`},
			{"open", `gone: "Only with the keyboard"`},
			{"tell", "Only with the keyboard"},
			{"late", "The server said so"},
			{"spin", `"The server said so"`},
			{"fade", `gone: "Here for now"`},
			{"animate", `gone: "Here for a while"`},
		} {
			if c.id == "spin" {
				l.eval(`said.textContent = "Nothing said"`)
			}
			if res := l.ok("click", p{"selector": "#" + c.id}); !strings.Contains(res.Effect, c.want) && !strings.Contains(res.Effect, strings.TrimPrefix(c.want, "gone: ")+" → ") {
				t.Errorf("%s: %q lacks %q", c.id, res.Effect, c.want)
			} else if strings.Contains(res.Effect, "Please wait") {
				t.Errorf("%s: %q tells what was there in between", c.id, res.Effect)
			}
		}
		began := time.Now()
		if res := l.ok("click", p{"selector": "#hang"}); !strings.Contains(res.Effect, "still waits for its server") {
			t.Errorf("hang: %q", res.Effect)
		}
		if took := time.Since(began); took < settleTime || took > 5*settleTime {
			t.Errorf("a server that does not answer was waited for %s", took)
		}
		if res := l.ok("click", p{"selector": "#nothing"}); res.Effect != NoEffect {
			t.Errorf("nothing: %q", res.Effect)
		}
	})
}

// TestRealSockets: what a server says over a WebSocket because of the act is its effect, like the
// answer to a request. The server's first message often says only that it works. A socket that
// does not answer, or never stops, is not waited for long.
func TestRealSockets(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`new Promise((done) => { window.ws = new WebSocket("ws://" + location.host + "/talk"); ws.onopen = done;
			ws.onmessage = (e) => { if (e.data !== "begun") say(e.data + " " + said.dataset.n); };
			now.onclick = () => { note.value = ""; said.dataset.n = now.dataset.n; ws.send(now.dataset.ms); } })`)
		for i, c := range []struct{ ms, want string }{{"200", "The server said so"}, {"100 200", "The server said so"}, {"0", "The server said so"}} {
			l.eval(fmt.Sprintf(`note.value = "old", now.dataset.ms = %q, now.dataset.n = %d`, c.ms, i))
			res := l.ok("click", p{"selector": "#now"})
			has(t, res.Effect, `"old" → ""`, c.want+" "+strconv.Itoa(i))
		}
		for _, ms := range []string{"", strings.Repeat("20 ", 400)} {
			l.eval(fmt.Sprintf(`note.value = "old", now.dataset.ms = %q`, ms))
			began := time.Now()
			res := l.ok("click", p{"selector": "#now"})
			has(t, res.Effect, `"old" → ""`)
			if took := time.Since(began); took > time.Duration(2.5*float64(time.Second)*product.Slack()) || strings.Contains(res.Text, "waits for its server") {
				t.Errorf("%.6s: %s after %s", ms, res.Text, took)
			}
		}
	})
}

// TestRealHeld: a field that holds what was written is effect enough where the
// page's scripts asked for nothing: no change of the page is waited for that
// nobody announced. What they did ask for is told all the same.
func TestRealHeld(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		for _, c := range []struct{ does, want string }{
			{`said.textContent = "Said now"`, "Said now"},
			{`const c = new MessageChannel(); c.port1.onmessage = () => say("Said in a message"); c.port2.postMessage(0)`, "Said in a message"},
			{`requestAnimationFrame(() => requestAnimationFrame(() => say("Said two frames later")))`, "Said two frames later"},
			{`clearTimeout(window.wait); window.wait = setTimeout(() => say("Said by a timer"), 60)`, "Said by a timer"},
			{`setTimeout(() => setTimeout(() => say("Said by the second timer"), 20), 20)`, "Said by the second timer"},
			{`void fetch("/late?ms=200").then((a) => a.text()).then(say)`, "The server said so"},
		} {
			l.eval(`said.textContent = "Nothing said", note.value = "", note.oninput = () => { if (note.value.length === 4) { ` + c.does + ` } }, 0`)
			res := l.ok("type", p{"selector": "#note", "text": "word", "clear": true})
			has(t, res.Effect, c.want)
		}
		// The field holds what was typed, but that is no effect of Enter.
		l.eval(`window.worker = new Worker(URL.createObjectURL(new Blob(["onmessage = () => setTimeout(postMessage, 70, 0)"]))), worker.onmessage = () => say("Said after Enter"), said.textContent = "",
			note.oninput = () => { tip.textContent += "!"; }, note.onkeydown = (e) => { if (e.key === "Enter") worker.postMessage(0); }, 0`)
		has(t, l.ok("type", p{"selector": "#note", "text": "word", "clear": true, "submit": true}).Effect, "Said after Enter")
		l.eval(`note.onkeydown = null, note.oninput = null, said.insertAdjacentHTML("beforebegin", "<style>#shown { display: none } #tick:checked + #shown { display: block }</style><input type=checkbox id=tick aria-label=Tick><p id=shown>Under the tick</p>"), 0`)
		has(t, l.ok("click", p{"selector": "#tick"}).Effect, "checked", "Under the tick")

		l.eval(`tick.insertAdjacentHTML("beforebegin", "<select id=size aria-label=Size><option>Small<option>Large</select><input type=date id=day aria-label=Day>"), size.onchange = () => { setTimeout(() => say("Said of the size"), 60); }, 0`)
		has(t, l.ok("select", p{"selector": "#size", "value": "Large"}).Effect, `"Small" → "Large"`, "Said of the size")
		l.eval(`size.onchange = () => { void fetch("/late?ms=200").then((a) => a.text()).then(say); }, 0`)
		has(t, l.ok("select", p{"selector": "#size", "value": "Small"}).Effect, `"Large" → "Small"`, "The server said so")
		has(t, l.ok("type", p{"selector": "#day", "text": "2026-11-23"}).Effect, "2026-11-23")

		l.notWaitedAt("note", func(i int) {
			has(t, l.ok("type", p{"selector": "#note", "text": "word" + strconv.Itoa(i), "clear": true}).Effect, "value", "word")
		})
	})
}

// TestRealLate: what came of an act after its result was given is told with the
// next one: in the page, and where the tab went to another by itself. What only
// counts on is not.
func TestRealLate(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		res := l.ok("click", p{"selector": "#afterwards"})
		if strings.Contains(res.Text, "later") || !strings.Contains(res.Text, "Said at once") {
			t.Errorf("at once: %s", res.Text)
		}
		l.eval(`new Promise((done) => { const look = () => document.getElementById("came") ? setTimeout(done, 60) : setTimeout(look, 10); look(); })`)
		res = l.ok("click", p{"selector": "#now"})
		has(t, res.Text, "before this act the page changed", "It came later")
		if strings.Contains(res.Effect, `"It came later"`) {
			t.Errorf("it is told as an effect of the act after it: %s", res.Effect)
		}
		l.eval(`new Promise((done) => { setTimeout(done, 100); })`)
		if res = l.ok("click", p{"selector": "#tell"}); strings.Contains(res.Text, "by itself") {
			t.Errorf("a clock is told of: %s", res.Text)
		}
		l.eval(`said.insertAdjacentHTML("afterend", "<p id=hint>Press <kbd>a</kbd></p>"), 0`)
		has(t, l.ok("click", p{"selector": "#now"}).Text, `new: "Press a"`)
		for i, key := range []string{"b", "c", "d"} { // of tips that take turns only the first is told
			l.eval(`hint.innerHTML = "Hold <kbd style='display:inline-block'>` + key + `</kbd>` + strings.Repeat("!", i) + `", new Promise((done) => { setTimeout(done, 20); })`)
			if res = l.ok("click", p{"selector": "#now"}); strings.Contains(res.Text, "Hold") {
				t.Errorf("tip %d: %s", i, res.Text)
			}
		}
		loaded, stop := l.tab.Session().Subscribe("Page.frameStoppedLoading")
		defer stop()
		l.eval(`setTimeout(() => { location.href = "/?gone"; }), 0`)
		select {
		case <-loaded:
		case <-time.After(20 * time.Second):
			t.Fatal("the page did not go elsewhere")
		}
		res = l.ok("click", p{"selector": "#now"})
		has(t, res.Text, "the tab went on to", "?gone")
	})
}

// nothingTime is how long a click may take that changes nothing.
const nothingTime = 300 * time.Millisecond

// inTime holds what a click in vain took at best against nothingTime, which a
// busy machine stretches.
func inTime(t *testing.T, best time.Duration) {
	t.Helper()
	limit := time.Duration(float64(nothingTime) * product.Slack())
	if t.Logf("a click that changes nothing takes %s", best); best > limit {
		t.Errorf("a click that changes nothing takes %s; the limit is %s", best, limit)
	}
}

// TestRealNothing: a click that changes nothing is over within nothingTime, however
// large the page is. Beside a page of ten thousand nodes stands the same button on
// one of two: what the machine has to do besides, both share.
func TestRealNothing(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`document.body.innerHTML = '<button id="nothing">Nothing</button>'; const rows = document.createElement("div"); rows.id = "rows";
			rows.innerHTML = Array.from({ length: 2000 }, (_, i) => "<div><p>Row " + i + " <b>of many</b></p><a href=#" + i + ">Open</a><button>Buy</button></div>").join(""); window.rows = rows; 0`)
		small, large := time.Hour, time.Hour
		for range 3 { // by turns, for what the machine has to do besides
			l.eval(`rows.remove()`)
			small = min(small, l.changesNothing())
			l.eval(`document.body.append(rows)`)
			large = min(large, l.changesNothing())
		}
		t.Logf("%s on a page of two nodes, %s on one of ten thousand", small, large)
		if large > 3*small || large > small+300*time.Millisecond {
			t.Errorf("%s on a page of ten thousand nodes, %s on one of two", large, small)
		}
		inTime(t, small)
	})
}

// TestRealNothingThroughTheExtension: so it is in a user's own Chrome.
func TestRealNothingThroughTheExtension(t *testing.T) {
	startChromium(t)
	l := openSettle(t, realRelay(t))
	best := time.Hour
	for range 3 {
		best = min(best, l.changesNothing())
	}
	inTime(t, best)
}

// TestRealTold: the effect of an act says what a user sees of it, in few words: what a menu
// did and that it closed, which rows a list has now, of what a cell is the value.
func TestRealTold(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "told.html")
		lacks := func(effect string, words ...string) {
			t.Helper()
			for _, w := range words {
				if strings.Contains(effect, w) {
					t.Errorf("%q is told in %s", w, effect)
				}
			}
		}
		l.observe()
		l.ok("click", p{"selector": "#mails .row:nth-child(1)", "button": "right"})
		effect := l.ok("click", p{"selector": ".menu div:nth-child(6)"}).Effect
		has(t, effect, `Ida Lind`, `unread "true" → "false"`, "gone: menu (8 elements)")
		lacks(effect, "Reply", "Tom Becker")

		l.ok("click", p{"selector": "#who"})
		effect = l.ok("click", p{"selector": ".menu div:nth-child(5)"}).Effect
		has(t, effect, `list went from 8 to 3 items: "Update the project README #32" [`, `"Create API reference docs #36" [`, `"Write a getting started guide #37" [`, "gone: menu (5 elements)")
		lacks(effect, "File upload", "Any", "more change", "new:")
		_, index, _ := strings.Cut(effect, `"Create API reference docs #36" [`)
		index, _, _ = strings.Cut(index, "]")
		has(t, l.ok("click", p{"index": index}).Text, `link "Create API reference docs"`)

		effect = l.ok("click", p{"selector": "#mend"}).Effect
		has(t, effect, `Price in "16 Shackle 8 mm 104" "7.96" → "9.40"`)
		lacks(effect, "\"4\"")

		// A row of no words is told only where it tells apart, and a row by its words of now.
		l.observe()
		res := l.ok("type", p{"selector": "#quantity", "text": "2"})
		has(t, res.Text, `into textbox "Quantity" [`, `value "1" → "12"`)
		lacks(res.Text, `in "$`)
		has(t, l.ok("click", p{"index": l.index("button", "Pay")}).Text, `clicked button "Pay" in "$5.00" [`)
		more, less := l.index("button", "More"), l.index("button", "Less")
		has(t, l.ok("click", p{"index": more}).Text, `clicked button "More" in "Ida Holm 0" [`)
		has(t, l.ok("click", p{"index": less}).Text, `clicked button "Less" in "Ida Holm 1" [`)

		// Of a list that is another one, three are named, and the part gives all.
		res = l.ok("click", p{"selector": "#other"})
		has(t, res.Effect, `list went from 6 to 14 items: "Cleat 0" [`)
		has(t, l.ok("getElements", p{"scope": res.Part}).Text, `link "Cleat 13"`)
		// The buttons of a bar are no items.
		res = l.ok("click", p{"selector": "#rest"})
		has(t, res.Effect, `new: button "Refresh" [`, `gone: button "Archive"`, `button "Snooze"`)
		lacks(res.Effect, "list went")
		has(t, l.ok("click", p{"selector": "#here"}).Text, "no visible effect. It was current already.")
		// A sign is not told beside the name that it stands for.
		res = l.ok("click", p{"selector": "#sign"})
		has(t, res.Effect, `"Star" → "Unstar"`)
		lacks(res.Effect, "★")

		l.ok("click", p{"selector": "#edit"})
		res = l.ok("click", p{"selector": ".tray button:nth-of-type(3)"})
		has(t, res.Effect, `gone: overlay "Edit the inject node" (5 elements)`)
		lacks(res.Effect, "Cancel")
		lacks(l.ok("hover", p{"selector": "#turn"}).Text, "Note: After")

		effect = l.ok("click", p{"selector": "#points"}).Effect
		has(t, effect, `"4,825 Points Available"`)
		lacks(effect, "workspace")

		told := 0
		for i := range 4 {
			text := l.ok("click", p{"selector": "#turn"}).Text
			if strings.Contains(text, "page changed") && containsAny(text, "Undo", "Move", "Group", "ctrl-", "left") {
				told++
			}
			l.ok("waitFor", p{"function": fmt.Sprintf(`() => document.title === "Turned %d"`, i)})
		}
		if told > 2 {
			t.Errorf("a tip that takes turns was told %d times", told)
		}

		has(t, l.ok("click", p{"selector": "#fav"}).Effect, `"★" (star yellow)`)
		has(t, l.ok("click", p{"selector": "#star", "modifiers": []string{"shift"}}).Text, "OK: shift-clicked button", "With shift")

		res = l.ok("click", p{"selector": "#view tr:nth-child(3) a"})
		has(t, res.Effect, `"Information"`, `link "Insert" [`)
	})
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// TestRealShell: a page that shows nothing after its load, as its scripts fetch the content, is waited for; one
// without scripts is shown at once.
func TestRealShell(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			page := `<!doctype html><title>Blank</title><main></main>`
			if r.URL.Path == "/app" {
				page = `<!doctype html><title>App</title><button>Menu</button><main><p>Loading…</p></main><script>setTimeout(() => {
					document.querySelector("main").innerHTML = "<h1>Orders</h1>"; setTimeout(() => document.querySelector("main").append("All paid"), 100); }, 600)</script>`
			}
			_, _ = w.Write([]byte(page)) // the browser went away
		}))
		defer srv.Close()
		l := openLive(t, d, "")
		home := strings.Replace(srv.URL, "127.0.0.1", "a.test", 1)
		l.ok("navigate", p{"url": home + "/app"})
		l.gives(`document.querySelector("main").innerText.replace(/\s+/g, " ")`, `"Orders All paid"`)
		began := time.Now()
		l.ok("navigate", p{"url": home + "/blank"})
		if took := time.Since(began); took > time.Duration(float64(time.Second)*product.Slack()) {
			t.Errorf("a blank page was waited for %s", took)
		}
	})
}

// TestRealDialogToldOnce: a message that is a dialog and takes the focus is told once.
func TestRealDialogToldOnce(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "")
	l.eval(`document.body.innerHTML = '<button id=send>Send</button><div id=at style="position:fixed;right:9px;bottom:9px"></div>', send.onclick = () => {
		at.innerHTML = '<div role=alertdialog tabindex=0 aria-modal=false aria-labelledby=said style="width:200px;cursor:pointer;background:#eee;padding:9px"><div role=alert aria-atomic=true><div id=said>Reminder sent</div></div><button>Close</button></div>'; }, 0`)
	res := l.ok("click", p{"index": l.index("button", "Send")})
	if has(t, res.Effect, `alertdialog "Reminder sent`, `button "Close"`); strings.Count(res.Effect, "alertdialog") != 1 {
		t.Errorf("the effect is %s", res.Effect)
	}
}
