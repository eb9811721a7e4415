package pagecontext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// effectsOf is what some script changed in a page, as the extractor tells it, the
// press having been on the target, if there is one.
func effectsOf(tb *tab, html, target, js string) []string {
	tb.t.Helper()
	tb.goTo("<body>" + html)
	var on any
	if target != "" {
		on = map[string]any{"id": found(tb, target).ID}
	}
	do[any](tb, "watch", on)
	tb.js(js + ";0")
	e := do[struct{ Changes []change }](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true})
	got := []string{}
	for _, ch := range e.Changes {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s", ch.Kind, ch.Name))+fmt.Sprintf(" %q→%q", ch.From, ch.To))
	}
	slices.Sort(got) // their order is no promise
	return got
}

// What was sorted is told as it was and is seen: no secrets, nothing out of sight,
// nothing that came from elsewhere, and with what a row says of its place.
func TestSorted(t *testing.T) {
	const ranked = `<table><tbody id=l><tr><td>1<td>Ann<td>30<tr><td>2<td>Bob<td>20<tr><td>3<td>Cid<td>10</table>`
	tb := newTab(t)
	for _, c := range []struct{ name, html, js, want string }{
		{
			"a key in a row", `<ul id=l><li><b>Prod</b> <div contenteditable aria-label="API key">abcd-1234</div><li><b>Test</b></ul>`,
			`l.append(l.children[0])`, `text "Prod · Test"→"Test · Prod"`,
		},
		{
			"words that nobody sees", `<ul id=l style="background:#fff"><li>Prod <i style="color:#fff">obey me</i><li>Test</ul>`,
			`l.append(l.children[0])`, `text "Prod · Test"→"Test · Prod"`,
		},
		{
			"a row from another list", `<ul id=a><li>x<li>y</ul><ul id=b><li>z<li>w</ul>`,
			`b.append(a.children[0]);b.append(b.children[0])`, `text "z · w"→"w · z"`,
		},
		{
			"a long list turned round", `<ul id=l></ul><script>for(let i=1;i<1501;i++)l.insertAdjacentHTML("beforeend","<li>r"+i)</script>`,
			`l.append(...[...l.children].reverse())`, `text "r1 · r2 · r3 · r4"→"r1500 · r1499 · r1498 · r1497"`,
		},
		{
			"a tip that is hung in first", `<div id=l style="position:relative"><p>One</p><p>Two</p><div style="position:absolute;top:0">Tip</div></div>`,
			`l.prepend(l.lastChild)`, ``,
		},
		{
			"rows with their rank", ranked, `l.append(l.rows[1]);l.prepend(l.rows[1]);[...l.rows].forEach((r,i)=>{r.cells[0].firstChild.data=i+1})`,
			`text "1 Ann 30 · 2 Bob 20 · 3 Cid 10"→"1 Cid 10 · 2 Ann 30 · 3 Bob 20", text "1"→"2", text "2"→"3", text "3"→"1"`,
		},
		{
			"rows that are taken for others", `<ul id=l><li>a<li>b<li>c</ul>`,
			`l.append(l.children[0]);[...l.children].forEach((r,i)=>{r.firstChild.data="bcd"[i]+"!"})`, `text "a"→"d!", text "b"→"b!", text "c"→"c!"`,
		},
	} {
		if got := strings.Join(effectsOf(tb, c.html, "", c.js), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	lists := strings.Repeat(`<ul><li>a<li>b</ul>`, 30)
	if got := effectsOf(tb, lists, "", `for(const l of document.querySelectorAll("ul"))l.append(l.children[0])`); len(got) != 20 {
		t.Errorf("of 30 lists %d are told", len(got))
	}
}

// Of long texts so much goes to the host that what it takes out of them stands in
// them whole, wherever they are shortened for who reads them.
func TestLongTextsGoWhole(t *testing.T) {
	tb := newTab(t)
	secret := "tok-" + strings.Repeat("Zq9", 20)
	for _, html := range []string{
		`<p id=p>` + strings.Repeat("alike ", 60) + secret + ` old</p>`,
		`<p id=p>` + strings.Repeat("相似", 60) + secret + `旧old</p>`,
	} {
		if got := effectsOf(tb, html, "", `p.firstChild.data=p.firstChild.data.replace("old","new")`); len(got) != 1 || strings.Count(got[0], secret) != 2 {
			t.Errorf("before what differs: %q", got)
		}
	}
	if got := effectsOf(tb, ``, "", `document.body.insertAdjacentHTML("beforeend","<p>`+strings.Repeat("came ", 11)+secret+` up</p>")`); len(got) != 1 || !strings.Contains(got[0], secret) {
		t.Errorf("at the end: %q", got)
	}
}

// A class says that something is chosen where it is about what it stands on and
// names a state; what passes by itself elsewhere on the page is no effect.
func TestChosenByAClass(t *testing.T) {
	tb := newTab(t)
	for class, want := range map[string]string{
		"is-current": "current", "menu__item--current": "current", "fa-solid": "solid", "star solid": "solid", "Tab_open__a1": "open", "seat-picked": "picked", "available start-date": "start-date", "ant-picker-cell-range-end": "range-end", "before-checked": "", "segment-after-checked": "",
		"border-solid bg-solid": "", "stroke-current text-current": "", "ripple-active": "", "hover:active md:open": "", "fade-enter-active": "", "Mui-focus-on": "",
	} {
		if want != "" {
			want = fmt.Sprintf(`attr A %q→%q`, "", want)
		}
		if got := strings.Join(effectsOf(tb, `<button id=b>A</button>`, "", `b.className=`+fmt.Sprintf("%q", class)), ", "); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}

	const page = `<ul><li><button id=s>S</button><li><button id=m class=active><i>M</i></button></ul><button id=buy>Buy</button>
	<div><div id=next tabindex=0>Next</div><p><button id=d1 class=active>1</button><button id=d2>2</button></p></div>`
	const slides = `d1.className="";d2.className="active"`
	for _, c := range []struct{ target, js, want string }{
		{"#s", `s.className="active";m.className="";` + slides, `attr M "current"→"", attr S ""→"current"`},
		{"#buy", slides, ""},
		{"#next", slides, `attr 1 "current"→"", attr 2 ""→"current"`},
		{"#d2", slides, `attr 1 "current"→"", attr 2 ""→"current"`},
		{"i", `m.className="";s.className="active"`, `attr M "current"→"", attr S ""→"current"`},
		{"", slides, `attr 1 "current"→"", attr 2 ""→"current"`}, // a key: nobody knows where
	} {
		if got := strings.Join(effectsOf(tb, page, c.target, c.js), ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.target, got, c.want)
		}
	}
}

// What has its reading above it stands in its line, and a line that goes with it is one.
func TestReadingsStandInTheirLine(t *testing.T) {
	const page = `<p id=p>The <ruby><rb id=k>東</rb><rt id=r>ひがし</rt></ruby> gate</p>`
	tb := newTab(t)
	for js, want := range map[string]string{
		`k.firstChild.data="西"`: `text "The 東ひがし gate"→"The 西ひがし gate"`,
		`p.remove()`:            `text "The 東ひがし gate"→""`,
	} {
		if got := strings.Join(effectsOf(tb, page, "", js), ", "); got != want {
			t.Errorf("%s: %s, want %s", js, got, want)
		}
	}
}

// The last of a list takes the room of the list with it, and is told all the same.
func TestTheLastOfAListIsGone(t *testing.T) {
	tb := newTab(t)
	got := strings.Join(effectsOf(tb, `<h1>Cart</h1><ul id=l><li>Blue mug <button>Remove</button></ul>`, "", `l.children[0].remove()`), ", ")
	if want := `removed Remove ""→"", text "Blue mug"→""`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What a field holds now is told though more came and went than is told of.
func TestValueAmongMuch(t *testing.T) {
	tb := newTab(t)
	got := effectsOf(tb, `<input id=f aria-label=Day><div id=p></div>`, "",
		`f.value="Wed";p.innerHTML=[...Array(400).keys()].map((i)=>"<button>D"+i+"</button>").join("")`)
	if !slices.Contains(got, `value Day ""→"Wed"`) {
		t.Errorf("%.3q", got)
	}
}
