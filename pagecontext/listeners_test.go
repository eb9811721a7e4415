package pagecontext_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// hearing is a page of things that hear events and show it by nothing else: no role,
// no pointer, no tabindex, no telling class. Each is told apart by its id.
const hearing = `<style>body{font:14px sans-serif;cursor:default} .line{border-bottom:1px solid #ddd;padding:6px} .line i{display:inline-block;width:16px;height:16px;background:#cde}
.box{width:90px;padding:6px;border:1px solid #bbb} .day{display:inline-block;width:28px} .fill{background:#9ab;width:20px;height:20px}</style>
<section id=letters><div class=line id=l1><b id=b1>Olga</b> Lease <i id=i1></i><i id=i2></i></div><div class=line id=l2><b>Ravi</b> Keys <i id=i3></i></div></section>
<div id=months><a id=back>Back</a> <span id=june>June</span> <a id=next>Next</a></div><div id=days></div>
<div id=boards><div class=box id=x1>Salt</div><div class=box id=x2>Flour</div></div>
<svg width=120 height=120 id=pie><path id=p1 d="M60 60 L60 0 A60 60 0 0 1 120 60 Z"></path><path id=p2 d="M60 60 L120 60 A60 60 0 0 1 60 120 Z"></path></svg>
<div id=console style="background:#111;color:#eee;height:60px">$ <span id=typed></span></div><input id=keys style="position:absolute;left:-999px">
<div id=tones><span id=tone>any tone</span><ul hidden><li id=t1>dark</li><li id=t2>light</li></ul></div>
<div id=swatches><span class=fill style="display:inline-block;background:#a00" id=w1></span><span class=fill style="display:inline-block;background:#0a0" id=w2></span></div>
<ul id=boxes><li id=o1>One</li><li id=o2>Two</li></ul>
<div id=panel><div id=inner><p id=para>Terms of the lease, read them.</p><button id=ok>Accept</button></div></div>
<article id=text><p id=q1>First paragraph of a text.</p><p id=q2>Second paragraph of it.</p></article>
<table id=sheet><tr id=r0><th>Name<th>Age</tr><tr id=r1><td>Olga<td>40</tr><tr id=r2><td>Ravi<td>41</tr></table>
<table id=month><tr id=w0><td style="cursor:pointer" id=u1>1<td style="cursor:pointer" id=u2>2</tr><tr id=w1><td style="cursor:pointer" id=u3>3<td style="cursor:pointer" id=u4>4</tr></table>
<div id=card><h3 id=h>Desk</h3><span id=price>$40</span></div>
<div id=tools style="display:flex;height:30px"><span>1 selected</span>
  <div class=tool style="cursor:pointer" id=v1>Archive</div> <div class=tool style="cursor:pointer" id=v2>Delete</div><div hidden>Work Travel Family Receipts</div></div>
<div id=veil style="position:absolute;left:0;top:0;width:1px;height:1px"></div>
<nav id=nav><ul id=navlist><li id=n1><a href="/a" id=a1>A page</a></li><li id=n2><a href="/b" id=a2>B page</a></li></ul></nav>
<script>
const $ = (id) => document.getElementById(id), on = (id, type) => $(id).addEventListener(type, () => {});
on("letters", "click"); on("back", "click"); $("next").onclick = () => {}; on("x1", "mousedown"); on("x1", "mouseup"); on("x2", "mousedown"); on("x2", "mouseup");
for (let d = 1; d < 8; d++) { const s = document.createElement("span"); s.className = "day"; s.id = "d" + d; s.textContent = d; s.addEventListener("mousedown", () => {}); $("days").append(s); }
on("p1", "click"); on("p2", "click"); on("console", "click"); on("tones", "click"); on("swatches", "click"); on("boxes", "mousedown");
on("panel", "click"); on("inner", "mousedown"); on("text", "click"); on("sheet", "click"); on("month", "click"); on("card", "dblclick"); on("veil", "click"); on("tools", "click"); on("nav", "click"); on("navlist", "mousedown");
addEventListener("click", () => {}); document.body.addEventListener("click", () => {}); document.documentElement.addEventListener("pointerdown", () => {});
</script>`

// listedIDs gives the ids of the listed elements in the order of the list.
func listedIDs(tb *tab) []string {
	tb.t.Helper()
	l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	var ids []string
	for _, e := range l.Elements {
		var d struct {
			Details []struct{ Attributes map[string]string }
		}
		tb.must(tb.main().Call(context.Background(), "details", map[string]any{"ids": []int{e.ID}}, &d))
		ids = append(ids, d.Details[0].Attributes["id"])
	}
	return ids
}

// TestListeners: what hears presses is listed, rows with the icons in them, and no
// container that only hears for what is in it.
func TestListeners(t *testing.T) {
	tb := open(t, hearing)
	want := "l1 i1 i2 l2 i3 back next d1 d2 d3 d4 d5 d6 d7 x1 x2 p1 p2 console tones w1 w2 o1 o2 ok r1 r2 u1 u2 u3 u4 card v1 v2 a1 a2"
	if got := strings.Join(listedIDs(tb), " "); got != want {
		t.Errorf("listed\n%s\nwant\n%s", got, want)
	}
	list := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	tree := do[struct{ Nodes []treeNode }](tb, "tree", map[string]any{"max": 20000})
	inTree := map[int]bool{}
	var walk func(ns []treeNode)
	walk = func(ns []treeNode) {
		for _, n := range ns {
			inTree[n.ID] = true
			walk(n.Children)
		}
	}
	walk(tree.Nodes)
	for _, e := range list.Elements {
		if !inTree[e.ID] {
			t.Errorf("%s %q is in the list and not in the tree", e.Tag, e.Name+e.Text)
		}
	}
	tb.js(`document.querySelector("#tones ul").hidden = false`)
	if got := strings.Join(listedIDs(tb), " "); !strings.Contains(got, " tone t1 t2 ") {
		t.Errorf("the open list: %s", got)
	}
}

type treeNode struct {
	ID       int
	Children []treeNode
}

// TestOnHover: what a row draws only while the mouse is over it is listed, and nothing
// else that is hidden: no menu, no dialog, no tip.
func TestOnHover(t *testing.T) {
	tb := open(t, `<style>
.mail{display:flex;padding:6px;border-bottom:1px solid #ddd} .mail .acts{display:none} .mail:hover .acts{display:flex} .acts i,.cut{width:16px;height:16px;background:#cde}
.card .cut{opacity:0} .card:is(:hover, .held) .cut{opacity:1} .tile>button{visibility:hidden} .tile:hover>button,.tile:focus-within>button{visibility:visible}
.group .sub{opacity:0} .group{ &:hover { & .sub{opacity:1} } } .self{opacity:0} .self:hover{opacity:1}
@media print { .paper:hover .only{display:block} } .only{display:none} .tip{display:none} .mail:hover .tip{display:block} nav ul ul{display:none} nav li:hover>ul{display:block} .gone{display:none}
</style><body>
<div class=mail id=m1><span>Olga: lease</span><span class=tip>from Oslo</span><span class=acts><i id=a1 onclick="1"></i><button id=a2>Drop</button></span></div>
<div class=mail id=m2><span>Ravi: keys</span><span class=acts><i id=a3></i></span></div>
<div class=card><span>Desk</span><button class=cut id=c1>Cut</button></div>
<div class=tile><span>Lamp</span><button id=t1>Keep</button></div>
<div class=group><span>Chair</span><button class=sub id=s1>Fold</button></div>
<div class=paper><span>Sheet</span><button class=only id=p1>Print</button></div>
<div id=js><span>Shelf</span><button id=j1 style="display:none">Lift</button></div>
<h2 class=card>Title <a href="#x" class=cut id=h1>#</a></h2><div class=card>Sum <b class=cut aria-hidden=true onclick="1" id=h2>x</b></div>
<div id=mega>Goods <div style="display:none;position:absolute"><a href="/c" id=n3>Lamps</a></div></div>
<div class=gone><button id=g1>Gone</button></div><button style="opacity:0" id=g2>Faint</button>
<nav><ul><li><a href="/a" id=n1>Goods</a><ul><li><a href="/b" id=n2>Beds</a></li></ul></li></ul></nav>
<script>document.getElementById("a3").addEventListener("click", () => {}); document.getElementById("mega").addEventListener("mouseover", () => {}); document.getElementById("js").addEventListener("mouseenter", () => { document.getElementById("j1").style.display = ""; });</script>`)
	l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	var got []string
	for i, id := range listedIDs(tb) {
		e := l.Elements[i]
		if e.OnHover {
			id += "*"
		}
		if e.OnHover && (!e.Visible || e.Rect.Width == 0) {
			t.Errorf("%s is shown nowhere: %+v", id, e)
		}
		got = append(got, id)
	}
	if want := "a1* a2* a3* c1* t1* s1* j1* n1"; strings.Join(got, " ") != want {
		t.Errorf("listed %v, want %s", got, want)
	}
	// The decoder of lists knows the field.
	if list, err := pagecontext.New(tb, 0).Elements(context.Background(), pagecontext.Query{}); err != nil || !list.Elements[0].OnHover {
		t.Errorf("%v, %+v", err, list)
	}
}

// TestHandlerByListener: the gate is told of handlers that are listeners, which a plain
// link has none of for what is around it.
func TestHandlerByListener(t *testing.T) {
	tb := open(t, hearing)
	if resolve(tb, "#i1").Target.HasHandler {
		t.Error("known before it was said")
	}
	listedIDs(tb)
	for id, want := range map[string]bool{"#i1": true, "#next": true, "#a1": false, "h3": true, "#keys": true} {
		if got := found(tb, id).Target.HasHandler; got != want {
			t.Errorf("%s: a handler: %v", id, got)
		}
	}
}

// TestListenersOfLibraries: handlers that libraries keep by their own means, as React,
// Solid, Svelte and jQuery do. What hears for a whole application is no target.
func TestListenersOfLibraries(t *testing.T) {
	tb := open(t, `<div id=app><div id=r1>React row</div><div id=r2>Not pressed</div><div id=s1>Solid</div><div id=v1>Svelte</div></div>
<div id=jq><div class=hit id=j1>Hit</div><p class=miss id=j2>Missed</p><b id=j3>Own</b></div><div id=old>Old jQuery</div>
<script>
const $ = (id) => document.getElementById(id);
for (const type of ["click", "mousedown", "keydown", "input"]) $("app").addEventListener(type, () => {});
$("app").__reactContainer$x1 = {}; $("r1").__reactProps$x1 = { onClickCapture: () => {}, children: "React row" }; $("r2").__reactProps$x1 = { onClick: null, onKeyDown: () => {} };
$("s1").$$click = () => {}; $("v1").__mousedown = () => {};
const handle = () => {};
$("jq").addEventListener("click", handle); $("jq").jQuery361 = { events: { click: [{ origType: "click", selector: ".hit", handler: handle }, { origType: "click", selector: "b:first" }, { origType: "click", selector: "#j3" }] }, handle };
document.jQuery361 = { events: { click: [{ origType: "click", selector: "#old", handler: handle }] } };
</script>`)
	if got, want := strings.Join(listedIDs(tb), " "), "r1 s1 v1 j1 j3 old"; got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
}

// TestIconsOfMenuEntries: the icons of a menu's entries, each another, are no controls of their own; a star that each row has is one.
func TestIconsOfMenuEntries(t *testing.T) {
	icon := func(class, d string) string {
		return `<span class="icon ` + class + `"><svg width=16 height=16><path d="` + d + `"/></svg></span>`
	}
	tb := open(t, `<style>.icon{width:16px;height:16px;display:inline-flex}.m div,.r div{cursor:pointer;width:600px;height:30px}</style><body>
<div class=m><div id=m1>`+icon("menu-icon", "M1 1h9")+`Reply</div><div id=m2>`+icon("menu-icon", "M2 2v9")+`Forward</div><div id=m3>`+icon("menu-icon", "M3 3l9 9")+`Archive</div><div id=m4>`+icon("menu-icon", "M4 9h5")+`Delete</div></div>
<div class=r><div id=r1>`+icon("star", "M9 9h9")+`Ida</div><div id=r2>`+icon("star", "M9 9h9")+`Tom</div><div id=r3>`+icon("star", "M9 9h9")+`Moa</div></div>
<script>for (const x of document.querySelectorAll(".m, .r")) x.addEventListener("click", () => {}); document.querySelectorAll(".icon").forEach((x, i) => { x.id = "i" + i })</script>`)
	if got, want := strings.Join(listedIDs(tb), " "), "m1 m2 m3 m4 r1 i4 r2 i5 r3 i6"; got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
}

// TestListenersOutdated: what hears is told by places in the document. Where elements
// came since, it holds for none; nor does it where a page says what is not so.
func TestListenersOutdated(t *testing.T) {
	tb := open(t, `<div id=a>Ant</div><div id=b>Bee</div>`)
	world, err := tb.main().(*testFrame).world()
	tb.must(err)
	hear := func(told string) bool {
		t.Helper()
		var r struct{ Result struct{ Value bool } }
		tb.must(tb.cdp("Runtime.callFunctionOn", map[string]any{
			"functionDeclaration": "function(a){return globalThis.__tabwright.hear(a)}", "executionContextId": world,
			"arguments": []any{map[string]any{"value": told}}, "returnByValue": true,
		}, &r))
		return r.Result.Value
	}
	n := int(tb.js(`document.querySelectorAll("*").length`).(float64))
	at := int(tb.js(`[...document.querySelectorAll("*")].indexOf(document.getElementById("b"))`).(float64))
	right := fmt.Sprintf("-1 0 %d %d 1 div", n, at)
	for _, told := range []string{"", "x", fmt.Sprintf("-1 0 %d %d 1 div", n+1, at), fmt.Sprintf("-1 0 %d %d 1 span", n, at), fmt.Sprintf("-1 0 %d 9999 1 div", n), right + "\n0 3 1 0 1 i"} {
		if hear(told) {
			t.Errorf("%q was taken", told)
		}
	}
	if !hear(right) {
		t.Error("what is right was not taken")
	}
	if !found(tb, "#b").Target.HasHandler || found(tb, "#a").Target.HasHandler {
		t.Error("it was taken of another element")
	}
}

// A line between the choices of a menu is none, whatever the pointer is over it.
func TestLinesAreNoChoices(t *testing.T) {
	tb := newTab(t)
	for name, how := range map[string]string{"by the pointer": "cursor:pointer", "by a handler around them": ""} {
		tb.goTo(`<style>#m div{` + how + `;padding:4px}#m .d{height:1px;padding:0;background:#ccc}</style><div id=m><div class=it>Snooze</div><div class=it>Mute</div><div class=d></div><div class=it>Move</div><div class=d></div><div class=it>Block</div></div>
<script>m.addEventListener("click", (e) => { document.title = e.target.textContent })</script>`)
		var got []string
		for _, e := range list(t, pagecontext.New(tb, 0), pagecontext.Query{}).Elements {
			got = append(got, e.Name)
		}
		if want := []string{"Snooze", "Mute", "Move", "Block"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
