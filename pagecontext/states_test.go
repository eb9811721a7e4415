package pagecontext_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// What only a class or a style says of the state of a control is told, and nothing
// that is no state.
func TestDrawnStates(t *testing.T) {
	tb := newTab(t)
	const mails = `<style>.m{display:flex;gap:8px}.new{font-weight:700}</style>`
	sw := func(class, knob string) string {
		return `<div style="width:40px;height:20px;border-radius:10px;background:#bbb;cursor:pointer" class="` + class + `"><div style="width:16px;height:16px;border-radius:8px;background:#fff;` + knob + `"></div></div>`
	}
	for _, c := range []struct{ name, html, want string }{
		{"a tab by its class", `<div class=tabs><span class="tab active" onclick=0>All</span><span class=tab onclick=0>Unread</span><span class=tab onclick=0>Sent</span></div>`, "All current|Unread|Sent"},
		{"a class of a module", `<div><button class="Tabs_tab__x1 Tabs_active__k9">All</button><button class="Tabs_tab__x1">Sent</button></div>`, "All current|Sent"},
		{"the class of an item", `<ul><li class="nav-item"><a href=/a>A</a><li class="nav-item is-active"><a href=/b>B</a></ul>`, "A|B current"},
		{"the class of an item with a closed menu", `<ul><li class="tab active"><a href=#1>House</a><i></i><a class=x></a><i></i><li class=tab><a href=#2>Alarms</a><i></i><a class=x></a><i></i></ul>`, "House current|Alarms"},
		{"the attribute of an item", `<ul><li aria-selected=true><a href=#1>House</a><li aria-selected=false><a href=#2>Alarms</a></ul>`, "House current|Alarms"},
		{"a menu that marks what leads to the page as well", `<nav><a href=/ class=router-link-active>Home</a><a href=/p class="router-link-active router-link-exact-active">Posts</a><a href=/x>About</a></nav>`, "Home|Posts current|About"},
		{"a page by its background alone", `<style>.p a{padding:4px}.p a:nth-child(2){background:#06c;color:#fff}</style><div class=pagination><div class=p><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a></div></div>`, "1|2 current|3"},
		{"a tab by its edge alone", `<style>nav span{padding:4px;cursor:pointer;border-bottom:2px solid transparent}nav .x{border-bottom-color:#06c}</style><nav><span>All</span><span class=x>Sent</span><span>Bin</span></nav>`, "All|Sent current|Bin"},
		{"the modifier of an item, with a count", `<div class=tabs><div class="tabs__item tabs__item_active"><button>Info</button><i>3</i></div><div class=tabs__item><button>Log</button><i>12</i></div></div>`, "Info current|Log"},
		{"the modifier of an item, with a value", `<div class=tabs><div class="tabs__item tabs__item_active_no"><a href=#1>Info</a></div><div class="tabs__item tabs__item_active_yes"><a href=#2>Log</a></div></div>`, "Info|Log current"},
		{"the modifier of an item, far up", `<div class=tabs><div class="tab tab--active"><div><div><div><button>Info</button></div></div></div></div><div class=tab><div><div><div><button>Log</button></div></div></div></div></div>`, "Info current|Log"},
		{"an item with a cross", `<div class=tabs><div class="tab is-active"><button>Info</button><button>×</button></div><div class=tab><button>Log</button><button>×</button></div></div>`, "Info current|×|Log|×"},
		{"items, of which one has a space before", `<div class=tabs><div class=w><div class="tab tab--active" onclick=0><span>Info</span></div></div><div class=w><div class=space></div><div class=tab onclick=0><span>Log</span></div></div></div>`, "Info current|Log"},
		{"a class of a module, of an item", `<div><div class="Tabs_item__x1 Tabs_itemActive__k9"><button>Info</button></div><div class="Tabs_item__x1"><button>Log</button></div></div>`, "Info current|Log"},
		{"a class of a module with a hash and a line", `<div><div class="_tab_1x8u2_5 _active_1x8u2_25"><button>Info</button></div><div class="_tab_1x8u2_5"><button>Log</button></div></div>`, "Info current|Log"},
		{"a class of a module with a hash", `<div><div class="tab-k9aB3c active-k9aB3c"><button>Info</button></div><div class=tab-k9aB3c><button>Log</button></div></div>`, "Info current|Log"},
		{"ARIA is believed", `<div><button class=active aria-pressed=false>A</button><button aria-pressed=true>B</button></div>`, "A|B pressed"},
		{"several chips", `<div><button class="chip selected">Red</button><button class=chip>Blue</button><button class="chip selected">Green</button></div>`, "Red pressed|Blue|Green pressed"},
		{"switches by where the knob is", sw("", "margin:2px") + sw("", "margin:2px 2px 2px 22px"), "|  pressed"},
		{"switches by the class of one", `<style>i{display:block;width:30px;height:18px;cursor:pointer;background:#bbb}.on{background:#2a7}</style><p>Sound <i class="sw on"></i><p>Notices <i class=sw></i>`, " pressed|"},
		{"a time of several, with an attribute that says nothing", `<div><span class="hour" onclick=0>9:00</span><span class="hour picked" aria-current="" onclick=0>10:00</span><span class="hour" onclick=0>11:00</span></div>`, "9:00|10:00 current|11:00"},
		{"toggle buttons with words", `<div><button class="ed-toggleButton toggle selected">Enabled</button></div><p><button class="ed-toggleButton toggle">Unlocked</button></p>`, "Enabled pressed|Unlocked"},
		// No states:
		{"toggles of menus", `<p><button class="dropdown-toggle selected">Sort</button></p>`, "Sort"},
		{"a button that is drawn as the main one", `<style>.b{background:#06c;color:#fff}</style><nav><button>Cancel</button><button>Later</button><button class=b style="padding:9px">Save</button></nav>`, "Cancel|Later|Save"},
		{"a link that is drawn as a button", `<style>nav a{padding:2px}nav a:last-child{background:#06c;color:#fff;border-radius:6px}</style><nav><a href=/a>Prices</a><a href=/b>Docs</a><a href=/c>Sign up</a></nav>`, "Prices|Docs|Sign up"},
		{"what deletes", `<style>nav a:last-child{color:#c00;font-weight:700}</style><nav class=menu><a href=/a>Edit</a><a href=/b>Copy</a><a href=/c>Delete</a></nav>`, "Edit|Copy|Delete"},
		{"the edges of a list", `<style>nav a{display:block;border-bottom:1px solid #ccc}nav a:last-child{border-bottom:0}</style><nav><a href=/a>A</a><a href=/b>B</a><a href=/c>C</a></nav>`, "A|B|C"},
		{"names of kinds", `<div><a href=/1 class=non-active>A</a><a href=/2 class=active:x>B</a><a href=/3 class=inactive>C</a></div>`, "A|B|C"},
		{"names of kinds of a module", `<div><a href=/1 class="tab tab_inActive">A</a><a href=/2 class="tab tab_notSelected__k9">B</a><a href=/3 class=tab>C</a></div>`, "A|B|C"},
		{"unlike colours", `<nav><a href=/1 style="color:#070">A</a><a href=/2>B</a><a href=/3>C</a></nav>`, "A|B|C"},
		{"the picture on a button", `<p class=buttons><a href=/a class="icon icon-checked">Apply</a> <a href=/b class="icon icon-reload">Clear</a></p>`, "Apply|Clear"},
		{"when something was done", `<table><tr><th class=author><a href=/1>Author</a><th class=subject><a href=/2>Subject</a><th class=updated_on><a href=/3>Updated</a></table>`, "Author|Subject|Updated"},
		// Rows:
		{"mail by weight", mails + `<div class="m new"><input type=checkbox><a href=/1>Ida: Minutes</a><span>10:32</span></div><div class=m><input type=checkbox><a href=/2>Per: Rota</a><span>10:10</span></div>`, "[group Ida: Minutes 10:32 unread]|Ida: Minutes|[group Per: Rota 10:10]|Per: Rota"},
		{"mail by the weight of its sender", mails + `<ul><li onclick=0><b>Ida</b> Minutes <time>2 May</time> <button>Star</button><li onclick=0><span>Per</span> Rota <time>1 May</time> <button>Star</button></ul>`, "[listitem Ida Minutes 2 May unread]|Ida Minutes 2 May|Star|[listitem Per Rota 1 May]|Per Rota 1 May|Star"},
		{"a sum in bold is no mail", `<table><tr><td>Tea<td>$2<td><button>Edit</button><tr style="font-weight:700"><td>Total<td>$9<td><button>Edit</button></table>`, "[row Tea $2]|Edit|[row Total $9]|Edit"},
		{
			"icons of a row", `<ul><li>Minutes <svg width=12 height=12><title>Has attachment</title><path d="M0 0h9v9z"/></svg><i title=Starred style="display:inline-block;width:9px;height:9px"></i> <button>Open</button><li>Rota <i title="Not starred" style="display:inline-block;width:9px;height:9px"></i><i aria-label=Draft style="display:inline-block;width:9px;height:9px"></i> <button>Open</button></ul>`,
			"[listitem Minutes attachment starred]|Open|[listitem Rota Not starred Draft]|Open",
		},
		{"rows that are chosen", `<table><tr class="r selected"><td>Tea<td><button>Edit</button><tr class=r><td>Salt<td><button>Edit</button></table>`, "[row Tea selected]|Edit|[row Salt]|Edit"},
		{"the open conversation", `<ul><li class="chat active">Ida <button>Mute</button><li class=chat>Per <button>Mute</button></ul>`, "[listitem Ida current]|Mute|[listitem Per]|Mute"},
		{"classes that all have", `<ul><li class="item active">Ida <button>Mute</button><li class="item active">Per <button>Mute</button></ul>`, "[listitem Ida]|Mute|[listitem Per]|Mute"},
	} {
		tb.goTo("<body>" + c.html + "</body>")
		if got := statesSaid(tb); got != strings.ReplaceAll(c.want, "  ", " ") {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// statesSaid gives what is listed with its states, and the rows before.
func statesSaid(tb *tab) string {
	l := do[struct {
		Elements []pagecontext.RawElement
		Rows     []pagecontext.RawRow
	}](tb, "list", map[string]any{})
	var out []string
	row := 0
	for _, e := range l.Elements {
		if e.Row != row && e.Row > 0 {
			r := l.Rows[e.Row-1]
			out = append(out, "["+strings.Join(append([]string{r.Role, r.Text}, r.States...), " ")+"]")
		}
		row = e.Row
		if e.Role == "checkbox" {
			continue
		}
		said := cmp.Or(e.Name, e.Text)
		if e.Current {
			said += " current"
		}
		if e.Pressed != nil && *e.Pressed {
			said += " pressed"
		}
		out = append(out, said)
	}
	return strings.Join(out, "|")
}

// What only a drawing says: its words, the colour of one of several, a sign that an
// icon font draws.
func TestDrawnNames(t *testing.T) {
	tb := open(t, `<style>.s{display:inline-block;width:20px;height:20px;cursor:pointer}.a{background:#ff0000}.b{background:#0a0b0c}.c{background:#00f}</style><body>
		<button title="Delete it">🗑</button><button title="Attach a file"><i class=material-icons>attach_file</i></button><button title="An hour">1 h</button>
		<p><i class="s a"></i><i class="s b"></i><i class="s c"></i></p>
		<svg width=200 height=100><path onclick=0 d="M0 0h90v90h-90z"/><path onclick=0 d="M100 0h90v90h-90z"/><text x=40 y=40>North</text><text x=140 y=40>South</text></svg>
		<div onclick=0><p role=status tabindex=0 class="check notification autohide" style="opacity:0">The page has been created.</p></div>
		<ul><li>Minutes <i class=material-icons>attach_file</i> <button>Open</button><li>Rota <button>Open</button></ul></body>`)
	l := do[struct {
		Elements []pagecontext.RawElement
		Rows     []pagecontext.RawRow
	}](tb, "list", map[string]any{})
	var got []string
	for _, e := range l.Elements {
		got = append(got, cmp.Or(e.Name, e.Hint))
	}
	if want := "Delete it|Attach a file|1 h|red|#0a0b0c|blue|North|South|The page has been created.|Open|Open"; strings.Join(got, "|") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "|"), want)
	}
	if r := l.Rows[0]; r.Text != "Minutes" || strings.Join(r.States, " ") != "attachment" {
		t.Errorf("%+v", r)
	}
	if text := do[struct{ Text string }](tb, "pageFacts", map[string]any{}).Text; !strings.Contains(text, "North") || !strings.Contains(text, "South") {
		t.Errorf("the page's text: %q", text)
	}
	tree := do[map[string]any](tb, "tree", map[string]any{"max": 1000})
	if !strings.Contains(fmt.Sprint(tree), "South") {
		t.Errorf("the tree: %v", tree)
	}
}

// What is said for now comes first in the text of a page, then what the page is about.
func TestVisibleTextOfTheMoment(t *testing.T) {
	tb := open(t, `<body><nav>`+strings.Repeat("<a href=/f>A folder of mail</a> ", 40)+`</nav><main><article><header><h1>Search</h1></header><p>No results found</p></article></main><div style="position:fixed;bottom:0"><div class="toast-box" role=status><p>Moved to the bin</p></div></div></body>`)
	s := do[struct{ VisibleText string }](tb, "summary", nil).VisibleText
	if !strings.HasPrefix(s, "Moved to the bin Search No results found A folder") || strings.Count(s, "Moved") != 1 {
		t.Errorf("%q", s)
	}
}

// A page whose main part, or a large one, is still to be filled is told to be loading.
func TestPartsThatAreLoading(t *testing.T) {
	tb := newTab(t)
	const (
		style = `<style>.skeleton{height:20px;background:#ddd;margin:9px}.spinner{display:inline-block;width:40px;height:40px;border:4px solid #ccc;border-radius:50%}` +
			`.run,.runs::after{animation:a 1s infinite}.runs::after{content:"";display:block;height:9px}@keyframes a{50%{opacity:.4}}</style><header><a href=/a>Home</a></header>`
		rows = `<div class="skeleton run"></div><div class="skeleton run"></div><div class="skeleton run"></div>`
	)
	for name, c := range map[string]struct {
		html string
		want bool
	}{
		"a busy main part":                   {`<main aria-busy=true></main>`, true},
		"a skeleton":                         {`<main>` + rows + `</main>`, true},
		"one whose light is drawn beside it": {`<main><div class="skeleton runs"></div></main>`, true},
		"a spinner":                          {`<main><div class="spinner run"></div></main>`, true},
		"a spinner that says so":             {`<div id=app><div class="spinner run" role=status style="height:90px">Loading…</div></div>`, true},
		"progress of unknown length":         {`<main><progress></progress></main>`, true},
		"a title and a busy list":            {`<main><h1>Orders</h1><button>New</button><div>` + rows + `</div></main>`, true},
		"a page that is there":               {`<main><p>Nothing to do</p></main>`, false},
		"rows that are read again":           {`<main><table aria-busy=true style="width:100%"><tr><td>Ida Lind<td>ida@example.org, since May<td><button>Edit</button></table></main>`, false},
		"a spinner on a button":              {`<main><p>The terms of the service, in short</p><button><i class="spinner run"></i>Save</button></main>`, false},
		"a spinner in a line":                {`<main><p>The terms of the service, in short</p><i class="spinner run"></i></main>`, false},
		"one that stands still":              {`<main><div class=spinner></div></main>`, false},
		"one that is hidden":                 {`<main><div class="spinner run" style="display:none"></div></main>`, false},
		"known progress":                     {`<main><div role=progressbar aria-valuenow=40 style="height:40px;background:#ccc"></div></main>`, false},
	} {
		tb.goTo("<body>" + style + c.html)
		s, l, err := pagecontext.New(tb, 0).Look(t.Context(), 0)
		tb.must(err)
		text := pagecontext.Render(s, l, pagecontext.RenderOptions{})
		if got := strings.Contains(text, "\nA part of the page is still loading.\n"); got != c.want {
			t.Errorf("%s: %t\n%s", name, got, text)
		}
	}
}
