package pagecontext_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// snippets puts pieces of HTML on one page, each in a box of its own; the
// element meant has class t.
func snippets(pieces []string) string {
	var b strings.Builder
	b.WriteString("<body>")
	for i, p := range pieces {
		fmt.Fprintf(&b, "<div id=c%d>%s</div>\n", i, p)
	}
	return b.String() + "</body>"
}

type resolved struct {
	ID      int
	Element pagecontext.RawElement
	IFrame  bool
	Target  target
	Error   *struct {
		Code, Message string
		Cover         *pagecontext.RawElement
	}
}

type target struct {
	Tag, Role, Name, Text, Title, Value, Type, Href, LinkText, Label, Context, Secret, Beside, FrameURL, Fingerprint, DefaultButton, Item string
	Method, Asks, Dialog, Seen                                                                                                            string
	Set, Cleared                                                                                                                          []string
	Opens, Blank, Nav, Drawn                                                                                                              bool
	HasHandler, Editable, SubmitsForm, OnChange                                                                                           bool
	Form                                                                                                                                  *struct {
		Action, Method string
		Fields         []struct{ Name, Type, Label, Value, Was, Secret string }
		Buttons        []string
		Search         bool
	}
}

func resolve(tb *tab, selector string) resolved {
	tb.t.Helper()
	return do[resolved](tb, "resolve", map[string]any{"selector": selector})
}

func found(tb *tab, selector string) resolved {
	tb.t.Helper()
	r := resolve(tb, selector)
	if r.Error != nil {
		tb.t.Fatalf("%s: %+v", selector, r.Error)
	}
	return r
}

func TestRolesAndNames(t *testing.T) {
	cases := []struct{ html, role, name string }{
		{`<button class=t>Add to <b>cart</b></button>`, "button", "Add to cart"},
		{`<button class=t aria-label="Close dialog">x</button>`, "button", "Close dialog"},
		{`<button class=t><img alt="Search" src="data:,"></button>`, "button", "Search"},
		{`<button class=t><svg width=10 height=10><title>Menu</title></svg></button>`, "button", "Menu"},
		{`<button class=t><span hidden>Secret</span>Shown</button>`, "button", "Shown"},
		{`<button class=t><span style="visibility:hidden">Gone</span> Here</button>`, "button", "Here"},
		{`<button class=t><span aria-hidden=true>icon</span>Save</button>`, "button", "Save"},
		{`<button class=t><span aria-hidden=true>Only this</span></button>`, "button", "Only this"},
		{`<button class=t title="Delete row"><i></i></button>`, "button", "Delete row"},
		{`<style>.pb::before{content:"Next \2192"}</style><button class="t pb"></button>`, "button", "Next →"},
		{`<button class=t><div>two</div><div>blocks</div></button>`, "button", "two blocks"},
		{`<a class=t href=/i><img alt=Insert src="data:,"> <span>Insert</span></a>`, "link", "Insert"},
		{`<button class=t>Bora Bora</button>`, "button", "Bora Bora"},
		{`<label for=ra>Show all</label><input class=t id=ra type=checkbox><label for=ra>Show all</label>`, "checkbox", "Show all"},
		{`<button class=t><span style="display:block">a</span><span style="display:block">b</span></button>`, "button", "a b"},
		{`<input class=t type=submit>`, "button", "Submit"},
		{`<input class=t type=submit value="Place order">`, "button", "Place order"},
		{`<input class=t type=reset>`, "button", "Reset"},
		{`<input class=t type=image alt="Go" src="data:," width=20 height=20>`, "button", "Go"},
		{`<a class=t href="/x">Read <em>more</em></a>`, "link", "Read more"},
		{`<a class=t href="/x">un<em>happy</em></a>`, "link", "unhappy"},
		{`<a class=t href="/x">Import<span style="background:#fee;padding:0 4px">bug</span><span style="background:#eef;padding:0 4px">slow</span></a>`, "link", "Import bug slow"},
		{`<a class=t href="/x"><span style="background:#fee;margin-right:4px">Travel</span>Boarding times</a>`, "link", "Travel Boarding times"},
		{`<a class=t onclick="">No href</a>`, "generic", "No href"},
		{`<label for=q0>Search for</label><input id=q0 class=t>`, "textbox", "Search for"},
		{`<label>Qty <input class=t type=number value=2></label>`, "spinbutton", "Qty"},
		{`<label>Born <input class=t><span role=dialog aria-label="Choose Date">May <button>5</button></span></label>`, "textbox", "Born"},
		{`<input class=t placeholder="E-mail">`, "textbox", "E-mail"},
		{`<input class=t title="From title" placeholder="hint">`, "textbox", "From title"},
		{`<span id=l1>First</span> <span id=l2>name</span><input class=t aria-labelledby="l1 l2">`, "textbox", "First name"},
		{`<span id=l3 hidden>Hidden label</span><input class=t aria-labelledby=l3>`, "textbox", "Hidden label"},
		{`<button id=del class=t aria-label="Delete" aria-labelledby="del file1">x</button><a id=file1 href=#>report.pdf</a>`, "button", "Delete report.pdf"},
		{`<input class=t type=search aria-label=Find>`, "searchbox", "Find"},
		{`<input class=t list=dl aria-label=City><datalist id=dl><option>Ulm</datalist>`, "combobox", "City"},
		{`<label><input class=t type=checkbox> Remember me</label>`, "checkbox", "Remember me"},
		{`<label><input class=t type=radio name=r> Flash the screen <input value=3 aria-label=times size=1> times</label>`, "radio", "Flash the screen 3 times"},
		{`<label>Size <select class=t><option>S<option selected>M</select></label>`, "combobox", "Size"},
		{`<select class=t multiple aria-label=Tags><option>a</select>`, "listbox", "Tags"},
		{`<textarea class=t aria-label=Message></textarea>`, "textbox", "Message"},
		{`<div class=t contenteditable aria-label="Post text">hello</div>`, "textbox", "Post text"},
		{`<details><summary class=t>More</summary>text</details>`, "button", "More"},
		{`<div class=t role=button tabindex=0>Div button</div>`, "button", "Div button"},
		{`<div class=t role="switch" tabindex=0 aria-checked=true>Wifi</div>`, "switch", "Wifi"},
		{`<div class=t role="made-up link" tabindex=0>Fallback role</div>`, "link", "Fallback role"},
		{`<button class=t role=none>Still a button</button>`, "button", "Still a button"},
		{`<h2 class=t>A heading</h2>`, "heading", "A heading"},
		{`<div class=t role=tab tabindex=0>Reviews (12)</div>`, "tab", "Reviews (12)"},
		{`<div class=t style="cursor:pointer">Card</div>`, "generic", "Card"},
		{`<img class=t alt="A cup" src="data:," width=10 height=10>`, "img", "A cup"},
		{`<iframe class=t title="Payment"></iframe>`, "generic", "Payment"},
		{"<button class=t>Two\u200b \u202eparts\n\n here</button>", "button", "Two parts here"},
		{`<form class=t><p>There is a problem</p><fieldset><legend>Log in</legend><input></fieldset></form>`, "generic", "Log in"},
		{`<form class=t>Find <input></form>`, "generic", ""},
		{`<form class=t aria-label=F><input name=parentNode><input name=getAttribute><input name=id></form>`, "form", "F"},
	}
	html := make([]string, len(cases))
	for i, c := range cases {
		html[i] = c.html
	}
	tb := open(t, snippets(html))
	for i, c := range cases {
		r := resolve(tb, fmt.Sprintf("#c%d .t", i))
		if r.Error != nil {
			t.Errorf("%s: %+v", c.html, r.Error)
			continue
		}
		if r.Element.Role != c.role || r.Element.Name != c.name {
			t.Errorf("%s\n got %s %q\nwant %s %q", c.html, r.Element.Role, r.Element.Name, c.role, c.name)
		}
	}
}

func TestWhatIsListed(t *testing.T) {
	cases := []struct {
		html   string
		listed bool
	}{
		{`<button>T</button>`, true},
		{`<button style="display:none">T</button>`, false},
		{`<div style="display:none"><button>T</button></div>`, false},
		{`<button style="visibility:hidden">T</button>`, false},
		{`<div style="visibility:hidden"><button style="visibility:visible">T</button></div>`, true},
		{`<button style="opacity:0">T</button>`, false},
		{`<div style="opacity:0"><button>T</button></div>`, false},
		{`<button style="width:0;height:0;padding:0;border:0;overflow:hidden">T</button>`, false},
		{`<div style="height:0;overflow:hidden"><button>T</button></div>`, false},
		{`<a href=# style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">T</a>`, false},
		{`<a href=# style="position:absolute;clip-path:inset(50%);width:50px;height:20px">T</a>`, false},
		{`<a href=# style="position:absolute;left:-9999px">T</a>`, false},
		{`<a href=# style="position:absolute;top:-500px">T</a>`, false},
		{`<div inert><button>T</button></div>`, false},
		{`<button style="border:0;background:#fff;color:#fff">T</button>`, false},
		{`<button style="border:0;background:none;color:transparent">T</button>`, false},
		{`<div role=button tabindex=0 style="color:#fff">T</div>`, false},
		{`<button style="color:#fff">T</button>`, true},
		{`<button style="border:0;background:#06c;color:#06c">T</button>`, true},
		{`<button style="border:0;background:#fff;color:#fff;box-shadow:0 0 4px #000">T</button>`, true},
		{`<div style="background:#222"><button style="border:0;background:none;color:#fff">T</button></div>`, true},
		{`<style>.i::before{content:"";display:block;width:20px;height:20px;background:#c00}</style><button class=i style="border:0;background:none;font-size:0">T</button>`, true},
		{`<style>.i::after{content:"";display:table}</style><button class=i style="border:0;background:none;color:#fff">T</button>`, false},
		{`<button style="border:0;background:none;font-size:0"><svg width=20 height=20><rect width=20 height=20 /></svg>T</button>`, true},
		{`<button hidden>T</button>`, false},
		{`<div aria-hidden=true><button>T</button></div>`, true},
		{`<div style="display:contents"><button>T</button></div>`, true},
		{`<a href=# style="display:contents"><span>T</span></a>`, true},
		{`<a href=#><span style="float:left">T</span></a>`, true},
		{`<div style="height:3000px"></div><button>T</button>`, true},
		{`<div style="height:60px;overflow:auto"><div style="height:500px"></div><button>T</button></div>`, true},
		{`<details><summary>S</summary><button>T</button></details>`, false},
		{`<details open><summary>S</summary><button>T</button></details>`, true},
		{`<template><button>T</button></template>`, false},
		{`<a>T</a>`, false},
		{`<div tabindex=0>T</div>`, true},
		{`<div tabindex=-1>T</div>`, false},
		{`<div onclick="">T</div>`, true},
		{`<div draggable=true>T</div>`, true},
		{`<div style="cursor:pointer">T</div>`, true},
		{`<p>T</p>`, false},
		{`<input type=hidden value=T>`, false},
		{`<div contenteditable>T</div>`, true},
		{`<label><input type=checkbox style="position:absolute;opacity:0;width:0;height:0"> T</label>`, true},
		{`<x-host></x-host><script>customElements.get('x-host')||customElements.define('x-host',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<button>T</button>'}})</script>`, true},
		{`<x-slot><button>T</button></x-slot><script>document.querySelector('x-slot').attachShadow({mode:'open'}).innerHTML='<div><slot></slot></div>'</script>`, true},
		{`<x-none><button>T</button></x-none><script>document.querySelector('x-none').attachShadow({mode:'open'}).innerHTML='<p>nothing slotted</p>'</script>`, false},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo("<body>" + c.html + "</body>")
		r := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
		n := 0
		for _, e := range r.Elements {
			if e.Name == "T" || e.Value == "T" {
				n++
			}
		}
		want := 0
		if c.listed {
			want = 1
		}
		if n != want {
			t.Errorf("%s: listed %d times, want %d: %+v", c.html, n, want, r.Elements)
		}
	}
}

func TestOneControlIsListedOnce(t *testing.T) {
	cases := []struct {
		html string
		want []string
	}{
		{`<div style="cursor:pointer"><button>Buy</button></div>`, []string{"button Buy"}},
		{`<button><span style="cursor:pointer">Buy</span></button>`, []string{"button Buy"}},
		{`<a href=#><div style="cursor:pointer"><span>Go</span></div></a>`, []string{"link Go"}},
		{`<label style="cursor:pointer"><input type=checkbox> Yes</label>`, []string{"checkbox Yes"}},
		{`<div tabindex=0 style="cursor:pointer;padding:20px">Card text <button>Buy</button> <button>Like</button></div>`, []string{"generic Card text", "button Buy", "button Like"}},
		{`<div role=button tabindex=0><button>Inner</button></div>`, []string{"button Inner"}},
		{`<button>A</button><button>A</button>`, []string{"button A", "button A"}},
		{`<select aria-label=S><option>1<option>2</select>`, []string{"combobox S"}},
		{`<div onclick=""><div onclick="">Deep</div></div>`, []string{"generic Deep", "generic Deep"}},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo("<body>" + c.html + "</body>")
		r := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
		var got []string
		for _, e := range r.Elements {
			got = append(got, e.Role+" "+e.Name)
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s\n got %q\nwant %q", c.html, got, c.want)
		}
	}
}

func TestStates(t *testing.T) {
	tb := open(t, `<body><input id=a type=checkbox checked required aria-invalid=true><button id=b aria-pressed=true aria-haspopup=menu aria-expanded=false>M</button>
	<fieldset disabled><input id=c></fieldset><div aria-disabled=true><button id=d>x</button></div><a id=e href=# aria-current=page>Now</a><div id=f role=option tabindex=0 aria-selected=true>o</div><details open><summary id=g>s</summary></details><textarea id=h>

a  b
c </textarea></body>`)
	if h := found(tb, "#h").Element; h.Value != "a b\nc" {
		t.Errorf("the lines of a text: %q", h.Value)
	}
	a := found(tb, "#a").Element
	if a.Checked != "true" || !a.Required || !a.Invalid {
		t.Errorf("checkbox: %+v", a)
	}
	b := found(tb, "#b").Element
	if b.Pressed == nil || !*b.Pressed || b.HasPopup != "menu" || b.Expanded == nil || *b.Expanded {
		t.Errorf("menu button: %+v", b)
	}
	for _, s := range []string{"#c", "#d"} {
		if found(tb, s).Element.Enabled {
			t.Errorf("%s counts as enabled", s)
		}
	}
	if !found(tb, "#e").Element.Current {
		t.Error("aria-current is lost")
	}
	if f := found(tb, "#f").Element; f.Selected == nil || !*f.Selected {
		t.Errorf("option: %+v", f)
	}
	if g := found(tb, "#g").Element; g.Expanded == nil || !*g.Expanded {
		t.Errorf("summary: %+v", g)
	}
}

type sameNameCase struct {
	Old  string `json:"old"`
	New  string `json:"new"`
	Same bool   `json:"same"`
}

func sameNameCases(t *testing.T) []sameNameCase {
	t.Helper()
	data, err := os.ReadFile("testdata/samename.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []sameNameCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestSameName(t *testing.T) {
	for _, c := range sameNameCases(t) {
		for _, pair := range [][2]string{{c.Old, c.New}, {c.New, c.Old}} {
			if got := pagecontext.SameName(pair[0], pair[1]); got != c.Same {
				t.Errorf("SameName(%q, %q) = %v", pair[0], pair[1], got)
			}
		}
	}
}

// The extractor has the same rules in TypeScript: check says stale_ref or not.
func TestSameNameInThePage(t *testing.T) {
	tb := open(t, `<body><button>x</button></body>`)
	id := found(tb, "button").ID
	for _, c := range sameNameCases(t) {
		name, err := json.Marshal(c.New)
		tb.must(err)
		tb.js(`document.querySelector('button').setAttribute('aria-label', ` + string(name) + `)`)
		r := do[resolved](tb, "check", map[string]any{"id": id, "role": "button", "name": c.Old})
		if got := r.Error == nil; got != c.Same {
			t.Errorf("check %q → %q: same = %v, want %v (%+v)", c.Old, c.New, got, c.Same, r.Error)
		}
	}
}

// Of what has no words it is told what the page says that it stands for, and of
// an empty editor what its style sheet shows in it.
func TestHints(t *testing.T) {
	tb := newTab(t)
	const drawn = `<style>:empty::before,p::before{content:attr(data-placeholder)}</style>`
	const small = `style="display:inline-block;width:20px;height:20px;cursor:pointer;background:%s"`
	for _, tt := range []struct{ html, hint, placeholder string }{
		{`<i ` + small + ` data-color=green></i>`, "green", ""},
		{`<i ` + small + ` class=swatch data-color=Blue title=Sea></i>`, "", ""},
		{`<i ` + fmt.Sprintf(small, "#0A0") + ` class=swatch></i>`, "swatch #0a0", ""},
		{`<button><span ` + fmt.Sprintf(small, "rgb(255, 0, 0)") + `></span></button>`, "rgb(255, 0, 0)", ""},
		{`<i ` + fmt.Sprintf(small, "url(/a/heart.png)") + `></i>`, "heart", ""},
		{`<i ` + small + ` class=seat data-seat=12C></i>`, "12C", ""},
		{`<i ` + small + ` class=seat data-value="` + strings.Repeat("x", 41) + `"></i>`, "seat", ""},
		{`<b style="cursor:pointer" data-value=4>★</b>`, "4", ""},
		{`<b style="cursor:pointer" data-value=4>4 stars</b>`, "", ""},
		{`<span role=button tabindex=0 data-value="sk_live_9f3">••••••••</span>`, "", ""},
		{`<span role=button tabindex=0 data-value=4711 data-title="PIN 4711">* * * *</span>`, "", ""},
		{`<span role=button tabindex=0 data-value=739>•••</span>`, "", ""},
		{`<span role=button tabindex=0 data-tooltip="More actions">•••</span>`, "More actions", ""},
		{`<span role=button tabindex=0 data-color=Blue>×</span>`, "Blue", ""},
		{`<video controls width=100 height=50></video>`, "video", ""},
		{drawn + `<div contenteditable data-placeholder="Write a comment" style="height:20px"></div>`, "", "Write a comment"},
		{drawn + `<div contenteditable data-placeholder='Say "hello"' style="height:20px"></div>`, "", `Say "hello"`},
		{drawn + `<div contenteditable style="height:20px"><p data-placeholder="Tell it"><br></p></div>`, "", "Tell it"},
		{drawn + `<div contenteditable style="height:20px"><p data-placeholder="Tell it">Told</p></div>`, "", ""},
		{`<div contenteditable data-placeholder="Nobody sees it" style="height:20px"></div>`, "", ""},
		{drawn + `<style>div::before{display:none}</style><div contenteditable data-placeholder="Nobody sees it" style="height:20px"></div>`, "", ""},
	} {
		tb.goTo("<body>" + tt.html)
		l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
		if len(l.Elements) != 1 || l.Elements[0].Hint != tt.hint || l.Elements[0].Placeholder != tt.placeholder {
			t.Errorf("%s: %+v", tt.html, l.Elements)
		}
	}

	tb.goTo(`<body><style>td{width:50px;height:20px}</style><table><tr><td data-date=2027-03-01><td data-date=2027-03-02>busy</table>`)
	l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	if len(l.Elements) != 2 || l.Elements[0].Hint != "2027-03-01" || l.Elements[0].Near != "" {
		t.Errorf("an empty day: %+v", l.Elements)
	}
}

// A combobox that says only what is chosen is told by its label, however many boxes are
// drawn around it, but not by that of another one.
func TestLabelFarFromItsField(t *testing.T) {
	tb := newTab(t)
	box := func(now string) string {
		return `<div><div><div><div><span role=combobox tabindex=0 aria-expanded=false><span>` + now + `</span></span></div></div></div></div>`
	}
	tb.goTo(`<body><div><div><span><label>Time zone:</label></span>` + box("Use wiki default") + `</div><div>` + box("Day month") + `</div></div>`)
	l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	if len(l.Elements) != 2 || l.Elements[0].Near != "Time zone:" || l.Elements[1].Near != "" {
		t.Errorf("%+v", l.Elements)
	}
	tb.goTo(`<body><div><div><span>Records per page:</span> <label for=s><span>3</span><input id=s role=combobox readonly value=3 aria-expanded=false></label></div></div>`)
	l = do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
	if len(l.Elements) != 1 || l.Elements[0].Near != "Records per page:" {
		t.Errorf("a label with the choice: %+v", l.Elements)
	}
	tb.goTo(`<body><div><pre>Recv: ok</pre><div><input id=a></div></div><p role=log>ida: hello</p><input id=b><p>Reading speed <output>fast</output><input type=range id=c></p><div>Pet<span role=alert></span></div><input id=d>`)
	for id, want := range map[string]string{"a": "", "b": "", "c": "Reading speed", "d": "Pet"} {
		if got := found(tb, "#"+id).Target.Name; got != want {
			t.Errorf("%s is named %q, not %q: what was printed last is no label", id, got, want)
		}
	}
}

// Words of classes that begin as most of the page's do, or say a state, a place or a form,
// are none that a control is called by.
func TestClassWords(t *testing.T) {
	tb := newTab(t)
	var parts, plain strings.Builder
	for _, w := range strings.Split("main workspace palette header item list search-box label toolbar status deploy user node", " ") {
		fmt.Fprintf(&parts, "<div class='blue-ui-%s'></div>", w)
		fmt.Fprintf(&plain, "<div class='%s-ui'></div>", w)
	}
	for _, tt := range []struct{ library, html, hint string }{
		{"blue", `<button class="blue-ui-flow-port"></button>`, "flow port"},
		{"blue", `<button class="blue-ui-footer-button"><i class="fa fa-search"></i></button>`, "search"},
		{"blue", `<button class="blue-ui-tab blue-ui-tab-pinned"><i class="fa fa-book"></i></button>`, "book"},
		{"blue", `<button class="blue-ui-treeList"><i class="fa fa-angle-right"></i></button>`, "angle right"},
		{"bois", `<button class="du-bois-light-btn-icon-only"></button>`, "light"},
		{"bois", `<button class="du-bois-bell"></button>`, "bell"},
		{"", `<button class="blue-flag"></button>`, "blue flag"},
		{"", `<button><i class="icon-bullet-toggle-plus"></i></button>`, "toggle plus"},
		{"", `<button><i class="icon-hide"></i></button>`, "hide"},
		{"blue", `<div id=blue-ui-bar-shade class=hide onclick=""></div>`, "shade"},
		{"", `<div class="coldrop" onclick=""><i class="ic_drop"></i></div>`, "drop"},
		{"", `<div class="pma_navigation_resizer" style="cursor:col-resize;width:4px;height:20px;background:#aaa" onmousedown=""></div>`, "resize"},
		// The names of styles that tools make.
		{"", `<button class="ls-button ls-button_type_text ls-button_look_ ls-button_withIcon"></button>`, ""},
		{"", `<button class="calendar calendar--open"><i class="icon icon--week"></i></button>`, "week calendar"},
		{"marks", `<button class="ember-view"></button>`, ""},
		{"marks", `<button class="ember-view bell"></button>`, "bell"},
		{"marks", `<button id=delete-17></button>`, "delete"},
		{"marks", `<button class="ember-view" id=ember57></button>`, ""},
		{"", `<button class="btn icon-only action-icon closed"><i class="gear"></i></button>`, "gear action"},
		{"svelte", `<button class="calendar svelte-1hguek3"><svg class="svelte-1hguek3"></svg></button>`, "calendar"},
		{"svelte", `<button class="st-emotion-cache-1q7ru4x e1yqkw3v0"></button>`, ""},
		{"", `<span role=checkbox tabindex=0 style="display:inline-block;width:20px;height:20px"><i class="q-checkbox-native fit absolute-full cursor-pointer items-center"></i></span>`, ""},
		{"", `<span role=slider tabindex=0 aria-label=30 style="display:inline-block;width:20px;height:20px"><i class="volume-thumb"></i></span>`, "volume"},
		{"", `<button class="calendar-week-a1b2c"></button>`, "calendar week"},
	} {
		library := plain.String()
		switch tt.library {
		case "blue":
			library = parts.String()
		case "bois":
			library = strings.ReplaceAll(parts.String(), "blue-ui", "du-bois")
		case "marks":
			library = strings.Repeat("<p class=ember-view></p><div class=ember-view></div><section class=ember-view></section>", 4)
		case "svelte":
			library = "<p class='svelte-1dv2vbb st-emotion-cache-16c14q6'></p><p class='svelte-1uj8rng st-emotion-cache-eihkeu9'></p><p class='svelte-9plpy97 st-emotion-cache-1169xxn'></p>"
		}
		tb.goTo("<body><style>button,div[onclick]{width:20px;height:20px}</style>" + tt.html + library)
		l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
		if len(l.Elements) != 1 || l.Elements[0].Hint != tt.hint {
			t.Errorf("%s: %+v, want %q", tt.html, l.Elements, tt.hint)
		}
	}
}

// A row that can be pressed is called by its words, without those of the controls in
// it; a name that somebody gave, or that ARIA makes of all that is in it, stays whole.
func TestRowNames(t *testing.T) {
	tb := newTab(t)
	for html, want := range map[string]string{
		`<div onclick=""><input type=checkbox aria-label=Select><span title=Star>☆</span> Blue Ferry <b>Your booking</b></div>`:                                                    "generic Blue Ferry Your booking",
		`<li onclick=""><label><input type=checkbox> Pick</label> Kim Lee <button>Archive</button></li>`:                                                                           "listitem Kim Lee",
		`<table><tr onclick=""><td><a href=/i>INV-57</a><td>12 May<td><select><option>Paid</select><button>Edit</button></table>`:                                                  "row INV-57 12 May",
		`<div onclick="">Kim Lee <span onclick="">Archive</span> <span tabindex=0>Delete</span></div>`:                                                                             "generic Kim Lee",
		`<div onclick="" aria-label="Kim Lee, unread">Kim Lee <button>Archive</button></div>`:                                                                                      "generic Kim Lee, unread",
		`<div onclick=""><button>Archive</button> <button>Delete</button></div>`:                                                                                                   "generic Archive Delete",
		`<div onclick="">Kim Lee <i title="Has attachment"></i><svg width=9 height=9><title>Flagged</title></svg><svg class=star width=9 height=9><title>Star</title></svg></div>`: "generic Kim Lee Has attachment Flagged",
		`<div role=button tabindex=0>Kim Lee <span onclick="">Archive</span></div>`:                                                                                                "button Kim Lee Archive",
		`<a href=/k>Kim Lee <span title=Flagged>⚑</span></a>`:                                                                                                                      "link Kim Lee ⚑",
	} {
		tb.goTo("<body>" + html + "</body>")
		r := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
		e := r.Elements[0]
		if got := e.Role + " " + cmp.Or(e.Name, e.Text); got != want {
			t.Errorf("%s\n got %q\nwant %q", html, got, want)
		}
	}
}

// An icon that is called as the words beside it says them no second time.
func TestNamesOfIconsBesideWords(t *testing.T) {
	tb := open(t, `<a href=/e><img alt=Edit src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=9 height=9> Edit</a><a href=/b>Bora Bora</a>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	for i, want := range []string{`link "Edit" → /e [1]`, `link "Bora Bora" → /b [2]`} {
		if got := pagecontext.Line(l.Elements[i]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What a button shows is told where its name has none of it.
func TestVisibleTextBesideAnotherName(t *testing.T) {
	tb := open(t, `<button aria-label="submit">Update</button><button aria-label="Close dialog">Close</button><button aria-label="Search">⌘K</button><button aria-label="View all">+</button><input aria-label=Name value=Ada>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	for i, want := range []string{`button "submit" (Update) [1]`, `button "Close dialog" [2]`, `button "Search" [3]`, `button "View all" [4]`, `textbox "Name" value="Ada" [5]`} {
		if got := pagecontext.Line(l.Elements[i]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
