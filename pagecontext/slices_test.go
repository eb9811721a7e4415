package pagecontext_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"tabwright/pagecontext"
)

// fakeClock puts a clock in the extractor's world that goes on by a millisecond
// each time it is asked, and counts what the extractor does with it. between(n)
// is run in the n-th pause, as the page's own scripts might.
const fakeClock = `(() => {
	globalThis.asked = 0; globalThis.pauses = []; globalThis.between = () => {};
	let now = 0;
	performance.now = () => { asked++; return now++; };
	const Real = MessageChannel;
	globalThis.MessageChannel = class {
		constructor() {
			const c = new Real();
			pauses.push(now);
			between(pauses.length);
			return c;
		}
	};
	globalThis.again = () => { asked = 0; pauses = []; now = 0; };
	return true;
})()`

// inWorld evaluates in the extractor's world of the main frame.
func inWorld[T any](tb *tab, expr string) T {
	tb.t.Helper()
	var out T
	tb.must(tb.main().(*testFrame).eval(expr, &out))
	return out
}

// manyRows has n rows of seven nodes, two of them controls.
func manyRows(n int) string {
	return fmt.Sprintf(`<main><h1>Rows</h1><ul></ul></main><script>
		const ul = document.querySelector("ul");
		let html = "";
		for (let i = 0; i < %d; i++) html += '<li><div><b>Row ' + i + '</b><a href="/r/' + i + '">Link ' + i + '</a></div><p><i>a</i><button>Open ' + i + '</button></p></li>';
		ul.innerHTML = html;
	</script>`, n)
}

type slicedList struct {
	Elements []pagecontext.RawElement
	Nodes    int
	Changed  bool
}

func (l slicedList) names() map[string]int {
	out := map[string]int{}
	for _, e := range l.Elements {
		out[e.Name]++
	}
	return out
}

// TestSlices: by its own clock the extractor gives the page its thread back
// each 25 ms, and asks that clock often enough; what it lists is the same.
func TestSlices(t *testing.T) {
	const rows = 1500
	tb := open(t, manyRows(rows))
	calls := []struct{ call, want string }{{call: "list({})"}, {call: "summary({first: 100})"}, {call: "tree({max: 20000})"}, {call: "content({max: 500000, links: true})"}}
	for i := range calls {
		calls[i].want = inWorld[string](tb, `performance.now = () => 0, JSON.stringify(__tabwright.`+calls[i].call+`)`)
	}
	inWorld[bool](tb, fakeClock)
	for _, c := range calls {
		got := inWorld[struct {
			Promise bool
			JSON    string
			Asked   int
			Pauses  []int
		}](tb, `(async () => { again(); const p = __tabwright.`+c.call+`; const JSON_ = JSON.stringify(await p); return {Promise: p instanceof Promise, JSON: JSON_, Asked: asked, Pauses: pauses} })()`)
		if got.JSON != c.want {
			t.Errorf("%s: in slices it gives\n%.300s\nat once\n%.300s", c.call, got.JSON, c.want)
		}
		if least := map[bool]int{true: 3, false: 8}[strings.HasPrefix(c.call, "content")]; !got.Promise || len(got.Pauses) < least { // the text of a list ends with its 500th item
			t.Fatalf("%s: %d pauses, a promise: %t", c.call, len(got.Pauses), got.Promise)
		}
		at := 0
		for _, p := range got.Pauses {
			if p-at > 36 { // 25, and the clock is asked when a slice begins and ends, and by what an idle page places
				t.Errorf("%s: a slice of %d ms", c.call, p-at)
			}
			at = p
		}
		// A slice is as long as it takes between two looks at the clock: they
		// come every few dozen nodes, and at each element that is described.
		if nodes := rows * 7; got.Asked*33 < nodes && !strings.HasPrefix(c.call, "content") {
			t.Errorf("%s: the clock was asked %d times in %d nodes", c.call, got.Asked, nodes)
		}
	}
	if small := inWorld[bool](tb, `__tabwright.list({scope: "li"}) instanceof Promise`); small {
		t.Error("a list of one row takes more than one slice")
	}
}

// TestSlicesOfAChangingPage: what stood on the page all the time is listed
// whatever happens in the pauses, and what comes in as well, unless the page
// goes on changing: then the list says so.
func TestSlicesOfAChangingPage(t *testing.T) {
	const rows = 400
	tb := newTab(t)
	for _, c := range []struct {
		name, between string
		came, gone    []string
		missing       int
		changed       bool
	}{
		{
			name: "something comes in at the end", came: []string{"New"},
			between: `if (n === 2) document.querySelector("ul").insertAdjacentHTML("beforeend", "<li><button>New</button></li>")`,
		},
		{
			name: "something comes in before", came: []string{"New"},
			between: `if (n === 4) document.querySelector("h1").insertAdjacentHTML("afterend", "<button>New</button>")`,
		},
		{
			name: "something before is shown", came: []string{"New"},
			between: `if (n === 1) document.querySelector("h1").insertAdjacentHTML("afterend", "<button hidden id=n>New</button>"); if (n === 5) document.getElementById("n").hidden = false`,
		},
		{
			name: "in a shadow tree that was read", came: []string{"New"},
			between: `if (n === 4) document.getElementById("host").shadowRoot.append(Object.assign(document.createElement("button"), {textContent: "New"}))`,
		},
		{
			name: "the rows that come next go", gone: []string{"Open 399", "Open 10"}, missing: 55 + 9,
			between: `if (n === 1) for (const li of [...document.querySelectorAll("li")]) { const i = +li.innerText.match(/\d+/)[0]; if (i >= 5 && i < 60 || i > 390) li.remove() }`,
		},
		{
			name: "so many rows go that it can't be said where it was", gone: []string{"Open 10", "Open 304"}, missing: 300,
			between: `if (n === 1) for (const li of [...document.querySelectorAll("li")].slice(5, 305)) li.remove()`,
		},
		{
			name:    "the row that it stands in is moved to the front",
			between: `if (n === 2) { const ul = document.querySelector("ul"); ul.prepend(ul.children[40]) }`,
		},
		{name: "it scrolls", between: `if (n === 2) scrollTo(0, 300)`},
		{
			name: "it never rests", changed: true,
			between: `document.querySelector("h1").insertAdjacentHTML("afterend", "<i>" + n + "</i>")`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb.t = t
			tb.goTo(`<div id=host></div><script>host.attachShadow({mode: "open"}).innerHTML = "<button>Inside</button>"</script>` + manyRows(rows))
			inWorld[bool](tb, fakeClock)
			l := inWorld[slicedList](tb, `(between = (n) => {`+c.between+`}, again(), __tabwright.list({}))`)
			names := l.names()
			for _, n := range c.came {
				if names[n] != 1 {
					t.Errorf("%q came while the page was read, and is listed %d times", n, names[n])
				}
			}
			missing := 0
			for i := range rows {
				if names[fmt.Sprintf("Open %d", i)] != 1 {
					missing++
				}
			}
			for _, n := range c.gone {
				if names[n] != 0 {
					t.Errorf("%q went while the page was read, and is listed", n)
				}
			}
			if missing != c.missing {
				t.Errorf("%d of %d rows are not listed once, %d went", missing, rows, c.missing)
			}
			if names["Inside"] != 1 || l.Changed != c.changed {
				t.Errorf("inside %d, changed %t, want %t", names["Inside"], l.Changed, c.changed)
			}
			if c.changed {
				for _, call := range []string{"tree({max: 20000})", "content({max: 500000, links: true})"} {
					if !inWorld[struct{ Changed bool }](tb, `(again(), __tabwright.`+call+`)`).Changed {
						t.Errorf("%s does not say that the page never rests", call)
					}
				}
				page := pagecontext.New(tb, 0)
				if s, err := page.Snapshot(t.Context(), pagecontext.SnapshotOptions{}); err != nil || !s.Changed {
					t.Errorf("the snapshot does not say it: %v", err)
				}
				sum, l, err := page.Look(t.Context(), 1500)
				tb.must(err)
				if text := page.Render(sum, l, pagecontext.RenderOptions{Budget: 1500}); !l.Changed || !strings.Contains(text, "kept changing") {
					t.Errorf("changed %t, and the model reads\n%s", l.Changed, text)
				}
			}
			y := tb.js("scrollY").(float64)
			for _, e := range l.Elements {
				if e.Name != "Open 0" {
					continue
				}
				if want := tb.js(`[...document.querySelectorAll("button")].find((b) => b.textContent === "Open 0").getBoundingClientRect().y`).(float64); want-e.Rect.Y > .1 || e.Rect.Y-want > .1 {
					t.Errorf("at scroll %v the first row's button is at %v and said to be at %v", y, want, e.Rect.Y)
				}
			}
		})
	}
}

// TestSlicesReadLabelsAnew: a label that is tied to another field while the page is
// read names that one, be it between two slices or before a walk that begins again.
func TestSlicesReadLabelsAnew(t *testing.T) {
	tb := newTab(t)
	const tie = `document.getElementById("l").htmlFor = "late"`
	for name, between := range map[string]string{
		"between two slices": `if (n === Math.floor(last / 2)) ` + tie,
		"before a walk that begins again": `if (n === 2) scrollTo(0, 300);
			if (n === 1) { const real = MutationObserver.prototype.disconnect; MutationObserver.prototype.disconnect = function () { globalThis.ended = true; real.call(this); }; }
			if (globalThis.ended && !globalThis.tied) { globalThis.tied = true; ` + tie + ` }`,
	} {
		t.Run(name, func(t *testing.T) {
			tb.t = t
			tb.goTo(`<label id=l for=early>Street</label><input id=early title=Early>` + manyRows(400) + `<input id=late title=Late>`)
			inWorld[bool](tb, fakeClock)
			last := inWorld[int](tb, `(async () => { again(); await __tabwright.list({}); return pauses.length })()`)
			l := inWorld[slicedList](tb, `(between = (n) => { const last = `+strconv.Itoa(last)+`; `+between+`}, again(), __tabwright.list({}))`)
			at := map[string]string{}
			for _, e := range l.Elements {
				if e.Role == "textbox" {
					at[e.Name] = e.Role
				}
			}
			if at["Street"] == "" || at["Late"] != "" || l.Changed {
				t.Errorf("the fields are %v, changed %t", at, l.Changed)
			}
			if again := inWorld[bool](tb, `globalThis.ended === true`); again != strings.Contains(between, "ended") {
				t.Errorf("begun again: %t", again)
			}
		})
	}
}

// heartbeat lets the page count its own tasks, and how long it waited for one.
const heartbeat = `(() => {
	const c = new MessageChannel();
	window.turns = 0; window.longest = 0; window.on = true;
	let last = performance.now();
	c.port1.onmessage = () => {
		const now = performance.now();
		longest = Math.max(longest, now - last);
		last = now;
		turns++;
		if (on) setTimeout(() => { last = performance.now(); c.port2.postMessage(0); });
	};
	c.port2.postMessage(0);
})()`

// longTask is what a user feels (W3C Long Tasks), in ms.
const longTask = 50

// TestPageRunsWhileItIsRead: a page of 100,000 nodes goes on with its own tasks
// while it is looked through for closed shadow roots, listed, its tree taken,
// its text read, and while the look before an act is taken in advance. No task
// takes more than 50 ms of the processor, or as much more as work of the page
// itself takes on this machine now.
func TestPageRunsWhileItIsRead(t *testing.T) {
	const nodes, parts = 100000, 20
	tb := open(t, "<main><h1>Rows</h1><ul></ul></main>")
	inWorld[int](tb, "0")     // the extractor is there
	for part := range parts { // so much at once takes a busy machine longer than a call may
		tb.js(fmt.Sprintf(`(() => {
			let html = "";
			for (let n = 0; n < %d; n++) { const i = %d + n; html += '<li><div><b>Row ' + i + '</b><a href="/r/' + i + '">Link ' + i + '</a></div><p><i>a</i><button>Open ' + i + '</button></p></li>'; }
			document.querySelector("ul").insertAdjacentHTML("beforeend", html);
			return document.body.getBoundingClientRect().height;
		})()`, nodes/7/parts+1, part*(nodes/7/parts+1)))
	}
	limit := longTask * tb.slowdown()
	for _, call := range []string{"hidden()", "list({limit: 1000})", "tree({max: 20000})", "content({max: 4000000, links: false})"} {
		began := time.Now()
		took := tb.tasks(func() { tb.read(call, began) })
		t.Logf("%s: %v in %d tasks; the longest took %.0f ms of the processor, the limit is %.0f ms",
			call, time.Since(began).Round(time.Millisecond), len(took), took[:min(5, len(took))], limit)
		if len(took) == 0 || took[0] > limit {
			t.Errorf("%s: the longest tasks took %.0f ms of the processor; the limit is %.0f ms", call, took[:min(5, len(took))], limit)
		}
	}
}

// read runs a call of the extractor to its end, and for two seconds what it does
// afterwards when the page is idle; that begins within 500 ms.
func (tb *tab) read(call string, began time.Time) {
	tb.t.Helper()
	inWorld[bool](tb, `globalThis.primed = () => new Promise((done) => setTimeout(done, 2000)),
		globalThis.read = Promise.resolve(__tabwright.`+call+`).then(async (r) => ({
			N: (r.elements ?? r.nodes ?? []).length + (r.markdown ?? "").length, Changed: r.changed === true, Flag: typeof r === "boolean", Idle: await primed(),
		})), true`)
	var got *struct {
		N             int
		Changed, Flag bool
	}
	for got == nil {
		if time.Since(began) > 4*time.Minute {
			tb.t.Fatalf("%s: not read within four minutes", call)
		}
		tb.must(tb.main().(*testFrame).eval(`Promise.race([read, new Promise((done) => setTimeout(done, 2000, null))])`, &got))
	}
	if got.N < 1 && !got.Flag || got.Changed {
		tb.t.Errorf("%s: %+v", call, got)
	}
}
