package pagecontext_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

type readiness struct {
	Point struct{ X, Y float64 }
	Rect  pagecontext.Rect
	Error *struct {
		Code, Message string
		Cover         *pagecontext.RawElement
	}
}

func ready(tb *tab, id int, kind string, ms int) readiness {
	tb.t.Helper()
	return do[readiness](tb, "ready", map[string]any{"id": id, "kind": kind, "timeoutMs": ms})
}

func TestReady(t *testing.T) {
	const js = `<script>for(const b of document.querySelectorAll('button'))b.addEventListener('click',()=>b.dataset.hit=1)</script>`
	cases := []struct {
		name, html, kind, code, cover string
	}{
		{"plain", `<button class=t>x</button>`, "click", "", ""},
		{"far below", `<div style="height:4000px"></div><button class=t>x</button>`, "click", "", ""},
		{"in a scroll box", `<div style="height:100px;overflow:auto"><div style="height:900px"></div><button class=t>x</button></div>`, "click", "", ""},
		{"smooth scrolling", `<style>html{scroll-behavior:smooth}</style><div style="height:4000px"></div><button class=t>x</button>`, "click", "", ""},
		{"under a sticky header", `<div style="position:fixed;top:0;left:0;right:0;height:400px;background:#eee;z-index:9">H</div><div style="height:2000px"></div><button class=t>x</button><div style="height:100px"></div>`, "click", "", ""},
		{"disabled", `<button class=t disabled>x</button>`, "click", "disabled", ""},
		{"disabled fieldset", `<fieldset disabled><button class=t>x</button></fieldset>`, "click", "disabled", ""},
		{"aria-disabled", `<div aria-disabled=true><button class=t>x</button></div>`, "click", "disabled", ""},
		{"hover over a disabled one", `<button class=t disabled>x</button>`, "hover", "", ""},
		{"hidden", `<button class=t style="visibility:hidden">x</button>`, "click", "not_visible", ""},
		{"covered", `<button class=t>x</button><div role=dialog aria-label="Newsletter" tabindex=0 style="position:fixed;inset:0;background:#fff">n</div>`, "click", "covered", "Newsletter"},
		{"half covered", `<button class=t style="width:200px;height:40px">x</button><div style="position:absolute;left:0;top:0;width:130px;height:100px;background:#fff">n</div>`, "click", "", ""},
		{"behind a modal dialog", `<button class=t>x</button><dialog><button>Close</button></dialog><script>document.querySelector('dialog').showModal()</script>`, "click", "covered", ""},
		{"covered by its own child", `<button class=t><span style="position:absolute;inset:0">x</span></button>`, "click", "", ""},
		{"its label covers it", `<input class=t type=checkbox id=z1 style="position:absolute;left:50px;top:50px"><label for=z1 style="position:absolute;left:40px;top:40px;width:60px;height:60px;background:#fff">L</label>`, "click", "", ""},
		{"hidden checkbox with a label", `<label>Yes <input class=t type=checkbox style="position:absolute;opacity:0;width:1px;height:1px"></label>`, "click", "", ""},
		{"floating label over a field", `<div style="position:relative"><input class=t id=z2><label for=z2 style="position:absolute;left:2px;top:2px">Name</label></div>`, "type", "", ""},
		{"another button fills it", `<div class=t tabindex=0 role=group style="width:100px;height:50px;padding:0"><button style="width:100px;height:50px">Delete</button><button>Other</button></div>`, "click", "covered", "Delete"},
		{"a wrapped link", `<div style="width:120px;font:16px monospace">aaaa bbbb <a class=t href="#x">cc dddddddddd eeeeeeee ff</a> gg</div>`, "click", "", ""},
		{"in shadow", `<x-b></x-b><script>document.querySelector('x-b').attachShadow({mode:'open'}).innerHTML='<button class=t>x</button>'</script>`, "click", "", ""},
		{"read only", `<input class=t readonly>`, "type", "not_editable", ""},
		{"a button to type in", `<button class=t>x</button>`, "type", "not_editable", ""},
		{"editable", `<div class=t contenteditable>x</div>`, "type", "", ""},
		{"disabled field", `<input class=t disabled>`, "type", "disabled", ""},
		{"a hidden file field", `<input class=t type=file style="display:none">`, "file", "", ""},
		{"gone off for ever", `<button class=t style="position:fixed;left:-500px;width:50px">x</button>`, "click", "not_visible", ""},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo("<body>" + c.html + js + "</body>")
		id := found(tb, ".t").ID
		r := ready(tb, id, c.kind, map[bool]int{true: 5000, false: 400}[c.code == ""])
		code, cover := "", ""
		if r.Error != nil {
			code = r.Error.Code
			if r.Error.Cover != nil {
				cover = r.Error.Cover.Name
			}
		}
		if code != c.code || c.cover != "" && cover != c.cover {
			t.Errorf("%s: code %q cover %q (%+v), want %q %q", c.name, code, cover, r.Error, c.code, c.cover)
			continue
		}
		if code == "" && c.kind == "click" {
			if h := do[struct{ Ok bool }](tb, "hits", map[string]any{"id": id, "x": r.Point.X, "y": r.Point.Y}); !h.Ok {
				t.Errorf("%s: the point misses", c.name)
			}
		}
	}
}

func TestReadyWaitsForWhatMoves(t *testing.T) {
	tb := open(t, `<body><button id=b style="position:absolute;left:0;top:50px">x</button><script>
	let n=0;(function step(){b.style.left=(n+=8)+'px';if(n<300)requestAnimationFrame(step)})()</script></body>`)
	r := ready(tb, found(tb, "#b").ID, "click", 5000)
	if r.Error != nil || r.Rect.X != 304 {
		t.Errorf("%+v", r)
	}
	tb.goTo(`<body><button id=b style="position:absolute;left:0;top:50px">x</button><script>
	let n=0;(function step(){b.style.left=(n=(n+8)%300)+'px';requestAnimationFrame(step)})()</script></body>`)
	if r := ready(tb, found(tb, "#b").ID, "click", 400); r.Error == nil || r.Error.Code != "timeout" {
		t.Errorf("%+v", r)
	}
	tb.goTo(`<body><button id=b disabled>x</button><script>setTimeout(()=>b.disabled=false,200)</script></body>`)
	if r := ready(tb, found(tb, "#b").ID, "click", 3000); r.Error != nil {
		t.Errorf("%+v", r)
	}
}

type change struct {
	Kind, Role, Name, From, To string
	ID                         int
}

func TestEffects(t *testing.T) {
	const page = `<body><h1 id=h>Mugs</h1><button id=b>Add</button><input id=i aria-label=Name><input id=c type=checkbox aria-label=Yes><p id=hid style="display:none">Added to cart</p>
	<button id=m aria-expanded=false>Menu</button><div id=menu hidden><button>One</button></div><div id=host></div><input type=file id=f aria-label=Upload><div id=ed contenteditable role=textbox aria-label=Note></div>
	<table><thead><tr><th id=col><button>Name</button><th>Size<tbody id=rows><tr><td>b<td>2<tr><td>a<td>1</table>
	<button id=like aria-label=Like><div>12</div></button><button id=box role=combobox aria-label=Size aria-expanded=false><span>Any</span></button>
	<div id=row onclick="0">Ida <span>Work</span><button>☆</button><button>Archive</button></div><p id=tip>Hold <b>a</b> now</p></body>`
	cases := []struct{ name, js, want string }{
		{"nothing", ``, ""},
		{"nothing a user sees", `document.body.insertAdjacentHTML('beforeend','<script>1<\/script><p hidden>x</p>')`, ""},
		{"text shown by style", `hid.style.display='block'`, `text ""→"Added to cart"`},
		{"text changed", `h.textContent='Cups'`, `text "Mugs"→"Cups"`},
		{"text gone", `h.remove()`, `text "Mugs"→""`},
		{"a value", `i.value='Ann'`, `value Name ""→"Ann"`},
		{"a file", `const d=new DataTransfer();d.items.add(new File(["x"],"a.txt"));f.files=d.files`, `value Upload ""→"a.txt"`},
		{"lines in an editor", `ed.innerHTML='<p>one</p><p>two</p>'`, `value Note ""→"one\ntwo"`},
		{"a tick", `c.checked=true`, `checked Yes "false"→"true"`},
		{"focus", `i.focus()`, `focus Name ""→""`},
		{"a menu", `m.setAttribute('aria-expanded',true);menu.hidden=false`, `added One ""→"", expanded Menu "false"→"true"`},
		{"a button gone", `b.remove()`, `removed Add ""→""`},
		{"in a shadow root", `host.attachShadow({mode:'open'}).innerHTML='<p>Shadow text</p>'`, `text ""→"Shadow text"`},
		{"disabled", `b.disabled=true`, `attr Add ""→"disabled"`},
		{"a table sorted", `rows.append(rows.rows[0]);col.ariaSort='ascending'`, `attr Name ""→"sorted ascending", text "b 2 · a 1"→"a 1 · b 2"`},
		{"sorted, and told by other words as well", `rows.append(rows.rows[0]);rows.rows[0].cells[1].textContent='7'`, `text "1"→"7", text "b 2 · a 1"→"a 7 · b 2"`},
		{"taken out and put back", `const r=rows.rows[0];r.remove();rows.prepend(r)`, ""},
		{"chosen by a class", `b.className='size is-selected'`, `attr Add ""→"current"`},
		{"chosen by a class of its module", `b.firstChild.replaceWith(Object.assign(document.createElement('i'),{textContent:'Add',className:'x'}));b.className='Size_selected__x1'`, `attr Add ""→"selected"`},
		{"a class that says no state", `b.className='comparison ripple hover'`, ""},
		{"told by its state, not by its class", `m.setAttribute('aria-expanded',true);m.className='open'`, `expanded Menu "false"→"true"`},
		{"chosen and let go again", `b.className='active';b.className=''`, ""},
		{"words in a control that another name is given", `like.firstChild.textContent='13'`, `text Like "12"→"13"`},
		{"words that came into such a one", `like.firstChild.remove();like.insertAdjacentHTML('beforeend','<b>no</b> more')`, `text Like "12"→"no more"`},
		{"what a combobox says is chosen", `box.firstChild.textContent='Large'`, `value Size "Any"→"Large"`},
		{"words in their order", `tip.innerHTML='Hold <b>b</b> now'`, `text "Hold a now"→"Hold b now"`},
		{"a label that a row gained", `row.firstElementChild.insertAdjacentHTML('afterend','<span> Tea</span>')`, `text Ida Work Tea ""→"Tea"`},
		{"a label that a row lost", `row.firstElementChild.remove()`, `text Ida "Work"→""`},
		{"later", `setTimeout(()=>{h.textContent='Soon'},40);setTimeout(()=>{h.textContent='Late'},80)`, `text "Mugs"→"Late"`},
	}
	tb := newTab(t)
	for _, c := range cases {
		var got string
		var settled bool
		// On a busy machine a question may come between two changes that are timed: what
		// came before it counts as done at once.
		for tries := 5; tries > 0 && (got != c.want || !settled); tries-- {
			tb.goTo(page)
			do[any](tb, "watch", nil)
			tb.js(c.js + ";0")
			e := do[struct {
				Changes []change
				Settled bool
			}](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true})
			var changes []string
			for _, ch := range e.Changes {
				s := ch.Kind
				if ch.Name != "" {
					s += " " + ch.Name
				}
				changes = append(changes, fmt.Sprintf("%s %q→%q", s, ch.From, ch.To))
			}
			slices.Sort(changes) // their order is no promise
			got, settled = strings.Join(changes, ", "), e.Settled
			if !strings.Contains(c.js, "setTimeout") {
				break
			}
		}
		if got != c.want || !settled {
			t.Errorf("%s: %q settled=%v, want %q", c.name, got, settled, c.want)
		}
	}
	tb.goTo(page)
	do[any](tb, "watch", nil)
	tb.js(`setInterval(()=>{h.textContent=Math.random()},10);0`)
	if e := do[struct{ Settled bool }](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 300, "stop": true}); e.Settled {
		t.Error("a page that never rests counts as settled")
	}
}

// TestEffectsInDrawingsAndApps: what comes in a drawing is told, with the words in it
// or by its shapes, and what comes in a page whose body has no height, or cuts off what
// stands out of it; not what stands in a panel that is shut.
func TestEffectsInDrawingsAndApps(t *testing.T) {
	const menu = `<ul><li><a id=t href="#">Menu</a><ul id=m style="display:none"><li><a href="#1">Import</a></li></ul></li></ul>`
	const open = `m.style.display='block'`
	const abs = `position:absolute;top:0;left:0;right:0;bottom:0`
	const svg = `<body><p id=h>Flow</p><svg id=s width=600 height=300 aria-label=Flow><g id=n transform="translate(100,100)"><rect width=40 height=30></rect><text y=20>inject</text></g>` +
		`<line id=l x1=0 y1=5 x2=90 y2=5 stroke=black></line></svg><button id=b aria-label=Icon><svg id=i width=24 height=24><path d="M0 0L9 9"></path></svg></button>`
	const make = `const N='http://www.w3.org/2000/svg', into=(el,html)=>{const g=document.createElementNS(N,'g');g.innerHTML=html;el.append(g)};`
	for _, c := range []struct{ name, page, js, want string }{
		{"a root that is placed, a body of no height", `<body style="overflow:hidden;margin:0"><div style="` + abs + `">` + menu + `</div>`, open, `added Import ""→""`},
		{"within a wrapper of no height", `<body style="margin:0"><div style="overflow:hidden"><div><div style="` + abs + `">` + menu + `</div></div></div>`, open, `added Import ""→""`},
		{"a body of no height around what flows", `<body style="overflow:hidden;margin:0;height:0">` + menu, open, `added Import ""→""`},
		{"a panel that is shut", `<body><p>Page</p><div style="overflow:hidden;height:0">` + menu + `</div>`, open, ""},
		{"one that is placed and shut", `<body><p>Page</p><div style="overflow:hidden;height:0;position:relative"><div style="` + abs + `">` + menu + `</div></div>`, open, ""},
		{"a line in a drawing", svg, make + `into(s,'<path d="M140 115 L300 115" stroke="black"></path>')`, `drawn new Flow ""→"path"`},
		{"a node with words", svg, make + `into(s,'<rect x=200 y=200 width=80 height=30></rect><rect x=290 y=200 width=8 height=30></rect><text x=210 y=220>debug 1</text>')`, `drawn new Flow ""→"2 rect", text ""→"debug 1"`},
		{"words in a drawing", svg, `s.querySelector('text').textContent='trigger'`, `text "inject"→"trigger"`},
		{"gone from a drawing", svg, `l.remove()`, `drawn gone Flow ""→"line"`},
		{"moved in a drawing", svg, `n.setAttribute('transform','translate(300,100)')`, `drawn moved Flow ""→"\"inject\""`},
		{"what nobody sees of one", svg, make + `into(s,'<defs><path d="M0 0L9 9"></path></defs><path d="M0 0L9 9" visibility="hidden"></path>')`, ""},
		{"an icon", svg, make + `into(i,'<path d="M9 0L0 9"></path>')`, ""},
	} {
		tb := newTab(t)
		tb.goTo(c.page)
		do[any](tb, "watch", nil)
		tb.js(c.js + ";0")
		e := do[struct{ Changes []change }](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true})
		var changes []string
		for _, ch := range e.Changes {
			s := ch.Kind
			for _, more := range []string{map[bool]string{true: ch.Role}[ch.Kind == "drawn"], ch.Name} {
				if more != "" {
					s += " " + more
				}
			}
			changes = append(changes, fmt.Sprintf("%s %q→%q", s, ch.From, ch.To))
		}
		slices.Sort(changes)
		if got := strings.Join(changes, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What an act brought with a shadow tree of its own, within other elements or on
// one that was there, is watched in the acts after it.
func TestEffectsInShadowTreesThatCame(t *testing.T) {
	tb := newTab(t)
	for name, came := range map[string]string{
		"within what was added": `document.body.insertAdjacentHTML("beforeend", "<div><x-card>Cart</x-card></div>"); card = document.querySelector("x-card")`,
		"on what was there":     `card = document.querySelector("x-old"); document.querySelector("h1").textContent = "Cups"`,
	} {
		tb.goTo(`<body><h1>Mugs</h1><x-old>Old</x-old>`)
		ask := func(js string) string {
			do[any](tb, "watch", nil)
			tb.js(js + ";0")
			e := do[struct{ Changes []change }](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true}) // as the host asks: the watch is kept for the next act
			var got []string
			for _, ch := range e.Changes {
				got = append(got, fmt.Sprintf("%q→%q", ch.From, ch.To))
			}
			return strings.Join(got, ", ")
		}
		if got := ask(came + `; card.attachShadow({mode: "open"}).innerHTML = "<slot></slot> <b>1 item</b>"`); !strings.Contains(got, "1 item") {
			t.Errorf("%s: %s", name, got)
		}
		if got := ask(`card.shadowRoot.querySelector("b").textContent = "2 items"`); !strings.HasSuffix(got, ` 2 items"`) || strings.Count(got, "→") != 1 {
			t.Errorf("%s, then changed: %s", name, got)
		}
	}
}

func TestChoose(t *testing.T) {
	tb := open(t, `<body><select id=s aria-label=Size onchange="seen=this.value"><option value=s>Small<option value=m>Medium<option value=l disabled>Large</select><select id=d disabled><option>x</select><script>seen=''</script></body>`)
	s := found(tb, "#s").ID
	for _, c := range []struct{ ask, want, code string }{{"m", "m", ""}, {"Small", "s", ""}, {"medium", "m", ""}, {"0", "s", ""}, {"l", "", "disabled"}, {"Huge", "", "not_found"}} {
		r := do[struct {
			Values []string
			Error  *struct{ Code string }
		}](tb, "choose", map[string]any{"id": s, "wishes": []any{map[string]any{"value": c.ask}}})
		code := ""
		if r.Error != nil {
			code = r.Error.Code
		}
		if strings.Join(r.Values, " ") != c.want || code != c.code || c.want != "" && tb.js(`seen`) != c.want {
			t.Errorf("%q: %+v %s, page saw %v", c.ask, r, code, tb.js(`seen`))
		}
	}
}

func TestSelectTextAndScroll(t *testing.T) {
	tb := open(t, `<body><input id=i value=old><div id=e contenteditable>old text</div><div id=box style="height:100px;overflow:auto"><div style="height:1000px"><button id=in>x</button></div></div><div style="height:3000px"></div></body>`)
	for _, c := range []struct{ sel, read string }{{"#i", "i.value"}, {"#e", "e.textContent"}} {
		if !do[struct{ Ok bool }](tb, "selectText", map[string]any{"id": found(tb, c.sel).ID}).Ok {
			t.Errorf("%s: not selected", c.sel)
		}
		tb.must(tb.cdp("Input.insertText", map[string]any{"text": "new"}, nil))
		if v := tb.js(c.read); v != "new" {
			t.Errorf("%s: %v", c.sel, v)
		}
	}
	type scrolled struct {
		X, Y         float64
		Moved, AtEnd bool
	}
	if r := do[scrolled](tb, "scrollBy", map[string]any{"dx": 0, "dy": 500}); !r.Moved || r.Y != 500 || r.AtEnd {
		t.Errorf("page: %+v", r)
	}
	if r := do[scrolled](tb, "scrollBy", map[string]any{"dx": 0, "dy": 99999}); !r.AtEnd {
		t.Errorf("end: %+v", r)
	}
	if r := do[scrolled](tb, "scrollBy", map[string]any{"dx": 0, "dy": 10}); r.Moved || !r.AtEnd {
		t.Errorf("beyond the end: %+v", r)
	}
	if r := do[scrolled](tb, "scrollBy", map[string]any{"id": found(tb, "#in").ID, "dx": 0, "dy": 50}); !r.Moved || r.Y != 50 {
		t.Errorf("box: %+v", r)
	}
}

// A closed root is handed in by the host; after that it is searched, listed
// and guarded like any other.
func TestClosedShadowRoot(t *testing.T) {
	tb := open(t, `<body><x-c></x-c><script>n=0;const r=document.querySelector('x-c').attachShadow({mode:'closed'});r.innerHTML='<button id=in onclick="n++" style="width:100px;height:40px">Inner</button>'</script></body>`)
	if r := resolve(tb, "#in"); r.Error == nil {
		t.Fatal("a closed root is open to all")
	}
	var d struct {
		Root struct{ NodeID int }
	}
	tb.must(tb.cdp("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &d))
	var doc json.RawMessage
	tb.must(tb.cdp("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &doc))
	root := closedRoot(doc)
	f := tb.main().(*testFrame)
	world, err := f.world()
	tb.must(err)
	var o struct{ Object struct{ ObjectID string } }
	tb.must(tb.cdp("DOM.resolveNode", map[string]any{"backendNodeId": root, "executionContextId": world}, &o))
	tb.must(tb.cdp("Runtime.callFunctionOn", map[string]any{"functionDeclaration": "function(n){return __tabwright.adopt(n)}", "executionContextId": world, "arguments": []any{map[string]any{"objectId": o.Object.ObjectID}}, "returnByValue": true}, nil))
	l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	if len(l.Elements) != 1 || l.Elements[0].Name != "Inner" {
		t.Fatalf("list: %+v", l.Elements)
	}
	r := found(tb, "#in")
	at := ready(tb, r.ID, "click", 1000)
	if at.Error != nil {
		t.Fatalf("ready: %+v", at.Error)
	}
	tb.arm(r, "pointer")
	tb.click(at.Point.X, at.Point.Y)
	if rep := tb.disarm(); len(rep.Stopped) > 0 || tb.js(`n`) != 1.0 {
		t.Errorf("click: %+v", rep)
	}
}

func closedRoot(doc json.RawMessage) int {
	type node struct {
		BackendNodeID  int
		ShadowRootType string
		Children       []json.RawMessage
		ShadowRoots    []json.RawMessage
		Root           json.RawMessage
	}
	var n node
	if json.Unmarshal(doc, &n) != nil {
		return 0
	}
	if n.ShadowRootType == "closed" {
		return n.BackendNodeID
	}
	for _, c := range append(append(n.Children, n.ShadowRoots...), n.Root) {
		if len(c) > 0 {
			if id := closedRoot(c); id != 0 {
				return id
			}
		}
	}
	return 0
}
