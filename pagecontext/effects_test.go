package pagecontext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// effectsTold has a script change a page, on the element that sel names, and gives what is
// told of it, in its order.
func effectsTold(tb *tab, sel, js string) string {
	tb.t.Helper()
	var on any
	if sel != "" {
		on = map[string]int{"id": found(tb, sel).ID}
	}
	do[any](tb, "watch", on)
	tb.js(js + ";0")
	e := do[struct {
		Changes []struct {
			change
			Row   string
			Items struct {
				Role  string
				Names []string
			}
		}
	}](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true})
	var out []string
	for _, c := range e.Changes {
		s := strings.Join(strings.Fields(strings.Join([]string{c.Kind, c.Role, c.Name}, " ")), " ")
		if c.Row != "" {
			s += " in " + c.Row
		}
		if c.From+c.To != "" {
			s += fmt.Sprintf(" %q→%q", c.From, c.To)
		}
		if len(c.Items.Names) > 0 {
			s += ": " + strings.Join(c.Items.Names, ", ")
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// A page that draws all of itself anew has changed in nothing but what a user sees change.
func TestEffectsOfPagesDrawnAnew(t *testing.T) {
	const page = `<body><div id=app></div><script>
const folders = Array.from({length: 30}, (_, i) => 'Folder ' + i);
let tab = 'All', toast = '', count = 4, wrap = 0;
let rows = ['Ida Holm', 'Per Lund', 'Åse Dahl', 'Ola Berg'].map((who, i) => ({who, unread: i < 2, on: false}));
function draw() {
  app.innerHTML = '<nav>' + folders.map(f => '<a href="#' + f + '">' + f + '</a>').join('') + '</nav><main><p><b>' + count + '</b> mails</p>' +
    ['All', 'Unread'].map(t => '<button class="tab ' + (t == tab ? 'active' : '') + '">' + t + '</button>').join('') +
    '<ul>' + rows.map(r => '<li class="row ' + (r.unread ? 'unread' : '') + '"><input type=checkbox aria-label=Select ' + (r.on ? 'checked' : '') + '><span>' + r.who + '</span> wrote <button>Archive</button></li>').join('') + '</ul></main>' +
    (toast ? '<div role=status>' + toast + '</div>' : '');
}
draw();
</script>`
	const first = "#app li:first-child input"
	tb := newTab(t)
	for _, c := range []struct{ name, sel, js, want string }{
		{"nothing", "", `draw()`, ""},
		{"nothing, twice", "", `draw();draw()`, ""},
		{"in another wrapper", "", `draw();const m=document.querySelector('main');m.replaceWith(Object.assign(document.createElement('main'),{innerHTML:m.innerHTML}))`, ""},
		{"a tick", first, `rows[0].on=true;draw()`, `checked checkbox Select in Ida Holm wrote "false"→"true"`},
		{"read", first, `rows[0].unread=false;draw()`, `attr listitem Ida Holm wrote "unread"→""`},
		{"another tab", "#app .tab:nth-of-type(2)", `tab='Unread';draw()`, `attr button Unread ""→"current"; attr button All "current"→""`},
		{"a row gone, with a toast", first, `rows.splice(1,1);count=3;toast='Archived';draw()`, `text status "",→"Archived"; text "4 mails"→"3 mails"; removed listitem Per Lund wrote`},
		{"a row that came", "", `rows.unshift({who:'Eva Moe'});draw()`, `added listitem Eva Moe wrote; added checkbox Select; added button Archive`},
		{"sorted", "", `rows.reverse();draw()`, `text "Ida Holm wrote Archive · Per Lund wrote Archive · Åse Dahl wrote Archive · Ola Berg wrote Archive"→"Ola Berg wrote Archive · Åse Dahl wrote Archive · Per Lund wrote Archive · Ida Holm wrote Archive"`},
	} {
		tb.goTo(page)
		if got := effectsTold(tb, c.sel, c.js); got != strings.ReplaceAll(c.want, `"",→`, `""→`) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Where a part shows something else, that is told, and what there is now; not each control that is gone.
func TestEffectsOfViews(t *testing.T) {
	const page = `<body><nav><button onclick="show(0)">Mail</button><button onclick="show(1)">Team</button></nav><main id=part></main><script>
const mail = '<h2>Inbox</h2>' + [1, 2, 3, 4].map(i => '<div class=card><b>Letter ' + i + '</b><button>Open ' + i + '</button></div>').join('');
const views = [mail, '<h2>People</h2><button>Invite</button><div class=person><b>Ida</b> <a href="#i">Profile of Ida</a></div><div class=person><b>Per</b> <a href="#p">Profile of Per</a></div>',
  mail.replace('<button>Open 2</button>', ''), '<h2>Inbox</h2><p>Nothing here</p><button>Compose</button>'];
function show(n) { part.innerHTML = views[n] }
show(0);
</script>`
	tb := newTab(t)
	for _, c := range []struct{ name, js, want string }{
		{"another view", `show(1)`, `view "" → "People"; added button Invite; added link Profile of Ida in Ida Profile of Ida; added link Profile of Per in Per Profile of Per`},
		{"a part of it", `show(2)`, `removed button Open 2`},
		{"nothing in it", `show(3)`, `view; added button Compose; text "" → "Nothing here"`},
		{"panels", `part.hidden = true; part.insertAdjacentHTML('afterend', '<section><h2>Team</h2><button>Add</button></section>')`, `view "" → "Team"; added button Add`},
		{"a menu that closes", `menu.remove(); document.body.append('Done')`, `text "" → "Done"; removed menu`},
		{"a dialog", `document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Sure><button>Yes</button></div>')`, `added dialog Sure; added button Yes`},
	} {
		html := page
		if strings.Contains(c.name, "menu") {
			html += `<div role=menu id=menu><div role=menuitem>Cut</div><div role=menuitem>Copy</div><div role=menuitem>Paste</div><div role=menuitem>Drop</div></div>`
		}
		tb.goTo(html)
		if got := effectsTold(tb, "", c.js); got != strings.ReplaceAll(c.want, ` → `, `→`) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Rows that came or went are told by name, and where they are many by their number.
func TestEffectsOnLists(t *testing.T) {
	const page = `<body><input id=q aria-label=Filter><p id=n>40 invoices</p><table aria-label=Invoices><thead><tr><th>No<th>Who<th></thead><tbody id=b></tbody></table>
<div id=cards></div><script>
const all = Array.from({length: 40}, (_, i) => ['INV-' + (100 + i), ['Nord', 'Umbra'][i % 2]]);
function draw(list) { b.innerHTML = list.map(r => '<tr><td>' + r[0] + '<td>' + r[1] + '<td><button>Edit</button></tr>').join('') || '<tr><td colspan=3>No results found</tr>' }
draw(all);
cards.innerHTML = ['Visa', 'Discover', 'Giro'].map(c => '<div class=card><b>' + c + '</b><button>Remove</button></div>').join('');
</script>`
	tb := newTab(t)
	for _, c := range []struct{ name, sel, js, want string }{
		{"one left, by a class", "#q", `for (const r of b.rows) r.style.display = r.cells[0].textContent == 'INV-107' ? '' : 'none'; n.textContent = '1 invoices'`, `count table Invoices "40"→"1": INV-107 Umbra; text "40 invoices"→"1 invoices"`},
		{"one left, drawn anew", "#q", `draw(all.slice(7, 8)); n.textContent = '1 invoices'`, `count table Invoices "40"→"1": INV-107 Umbra; text "40 invoices"→"1 invoices"`},
		{"none left", "#q", `draw([])`, `count table Invoices "40"→"1": No results found`},
		{"others", "", `draw(all.map(r => ['PO-' + r[0].slice(4) + 7, 'Fable']))`, `count table Invoices "40"→"40": PO-1007 Fable, PO-1017 Fable, PO-1027 Fable`},
		{"the next page", "", `draw(all.map((r, i) => ['INV-' + (140 + i), r[1]]))`, `count table Invoices "40"→"40": INV-140 Nord, INV-141 Umbra, INV-142 Nord`},
		{"more", "", `draw([...all, ...all.slice(0, 9).map(r => ['PO-' + r[0].slice(5) + 9, 'Fable'])])`, `count table Invoices "40"→"49": PO-009 Fable, PO-019 Fable, PO-029 Fable`},
		{"one gone", "#b tr:first-child button", `b.rows[0].remove()`, `removed row INV-100 Nord`},
		{"one of the cards gone", "#cards .card:nth-child(2) button", `cards.children[1].remove()`, `removed Discover`},
		{"a card that came", "", `cards.insertAdjacentHTML('beforeend', '<div class=card><b>Amex</b><button>Remove</button></div>')`, `added Amex; added button Remove`},
	} {
		tb.goTo(page)
		got := effectsTold(tb, c.sel, c.js)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// The items of another view are told as the view, not as a list that has other items.
func TestEffectsOnListsOfAnotherView(t *testing.T) {
	const page = `<body><main><h1 id=h>Settings 3</h1><div class=tabs><button id=a class="tab active">Payments</button><button id=b class=tab>Preferences</button></div><div id=l></div></main><script>
const draw = (list) => { l.innerHTML = list.map(s => '<section class=card data-id="' + s + '"><h3>' + s + '</h3><button>Add ' + s + '</button><button>Remove ' + s + '</button></section>').join('') };
const turn = () => { a.className = 'tab'; b.className = 'tab active' };
const other = ['Methods', 'Currency', 'Transfers', 'Mails'];
draw(['Cards', 'Banks', 'Credit']);
</script>`
	tb := newTab(t)
	for _, c := range []struct{ name, js, want, lacks string }{
		{"another tab", `turn(); draw(other)`, `attr button Preferences ""→"current"; view ""→"Preferences"; `, "count"},
		{"another title", `h.textContent = 'Mails'; draw(other)`, `view ""→"Mails"; added button Add Methods`, "count"},
		{"the tab, and some items stay", `turn(); draw(['Cards', ...other])`, `attr button Preferences ""→"current"; count list "3"→"5": Methods, Currency, Transfers; attr`, "view"},
		{"a title with another number", `h.textContent = 'Settings 4'; draw(other)`, `count list "3"→"4": Methods, Currency, Transfers; text "Settings 3"→"Settings 4"`, "view"},
		{"others in the same view", `draw(other)`, `count list "3"→"4": Methods, Currency, Transfers`, "view"},
	} {
		tb.goTo(page)
		if got := effectsTold(tb, "#b", c.js); !strings.HasPrefix(got, c.want) || strings.Contains(got, c.lacks) {
			t.Errorf("%s: %s, want %s and no %s", c.name, got, c.want, c.lacks)
		}
	}
}

// What wants to be noticed is told before all else, also where it is gone again.
func TestEffectsThatWantToBeNoticed(t *testing.T) {
	const page = `<body><p>Page</p><form id=f novalidate onsubmit="return false"><label>Mail <input id=mail required></label><span id=err class=error></span></form><div id=live aria-live=polite></div><div id=m></div><style>#z::after{content:attr(data-n)}#b i{display:inline-block;width:9px;height:9px}</style><p id=z data-n=3>Mail</p><button id=b aria-pressed=false aria-label=Star><i class="fa fa-star-o"></i>Star</button><p>Inbox <i id=n>3</i></p><script>
const many = () => { m.innerHTML = Array.from({length: 30}, (_, i) => '<button>Thing ' + i + '</button>').join('') };
const toast = (t, role) => { const d = document.createElement('div'); d.className = 'toast'; if (role) d.setAttribute('role', role); d.textContent = t; document.body.append(d); return d };
</script>`
	tb := newTab(t)
	for _, c := range []struct{ name, js, want string }{
		{"a toast", `many(); b.ariaPressed = 'true'; toast('Saved')`, `text status ""→"Saved"; attr button Star ""→"pressed"; added button Thing 0`},
		{"an alert that is gone", `many(); const d = toast('Not saved', 'alert'); requestAnimationFrame(() => d.remove())`, `said alert ""→"Not saved"; added button Thing 0`},
		{"a live region", `many(); live.textContent = 'Three found'`, `text status ""→"Three found"; added button Thing 0`},
		{"what is wrong with a field", `many(); mail.ariaInvalid = 'true'; err.textContent = 'Enter an address'`, `attr textbox Mail ""→"invalid"; text ""→"Enter an address"`},
		{"a dialog", `many(); document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Sure><p>Delete it?</p><button>Yes</button></div>')`, `added dialog Sure; added button Yes; text ""→"Delete it?"; added button Thing 0`},
		{"the title", `document.title = '(2) Mail'`, `title "t"→"(2) Mail"`},
		{"an icon of its own", `b.firstElementChild.className = 'fa fa-star'`, `icon button Star "fa-star-o"→"fa-star"`},
		{"what the browser says", `f.noValidate = false; f.requestSubmit()`, `invalid textbox Mail ""→"Please fill out this field."`},
		{"a badge that a style draws", `z.dataset.n = 4`, `text "Mail 3"→"Mail 4"`},
		{"another number on one", `n.textContent = 4`, `text "Inbox 3"→"Inbox 4"`},
	} {
		tb.goTo(page)
		if got := effectsTold(tb, "#b", c.js); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A row that is read is no longer set bold, whatever its class is called.
func TestEffectsOnRowsSetBold(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><style>.zE{font-weight:bold}</style><div id=l><div class="zA zE"><input type=checkbox aria-label=Select><span>Ida Holm 2 May</span></div><div class="zA zE"><input type=checkbox aria-label=Select><span>Per Lund 1 May</span></div><div class=zA><input type=checkbox aria-label=Select><span>Eva Moe 1 May</span></div></div>`)
	for _, c := range []struct{ js, want string }{
		{`l.children[0].className = 'zA'`, `attr Ida Holm 2 May "unread"→""`},
		{`l.children[0].className = 'zA zE'`, `attr Ida Holm 2 May ""→"unread"`},
		{`l.children[0].className = 'zA zQ'`, `attr Ida Holm 2 May "unread"→""`},
		{`l.children[0].className = 'zA zR'`, ""},
	} {
		if got := effectsTold(tb, "#l > :first-child input", c.js); got != c.want {
			t.Errorf("%s: %s, want %s", c.js, got, c.want)
		}
	}
}

// What an act did to a state that only a class says is told by the word of the list.
func TestEffectsSayDrawnStatesAsTheListDoes(t *testing.T) {
	tb := newTab(t)
	for _, c := range []struct{ name, html, js, want, list string }{
		{"a tab", `<div class=tabs><button id=b>All</button><button>Sent</button></div>`, `document.querySelectorAll("button")[0].className="tab-active"`, `attr button All ""→"current"`, "All current|Sent"},
		{"chips", `<div><button id=b class="chip">Red</button><button class="chip is-chosen">Blue</button><button class=chip>Green</button></div>`, `document.querySelectorAll("button")[0].classList.add("is-chosen")`, `attr button Red ""→"pressed"`, "Red pressed|Blue pressed|Green"},
		{"a switch", `<p>Sound <button id=b class=switch></button><p>News <button class="switch is-on"></button>`, `document.querySelector("button").classList.add("is-on")`, `attr button ""→"pressed"`, " pressed| pressed"},
		{"a row", `<ul><li class=r>Ida <button id=b>Mute</button><li class=r>Per <button>Mute</button></ul>`, `document.querySelector("li").className="r r-picked"`, `attr listitem Ida ""→"selected"`, "[listitem Ida selected]|Mute|[listitem Per]|Mute"},
	} {
		tb.goTo("<body>" + c.html + "</body>")
		if got := effectsTold(tb, "#b", c.js); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := statesSaid(tb); got != c.list {
			t.Errorf("%s: %s, want %s", c.name, got, c.list)
		}
	}
}

// One thing is told once: what cannot be pressed now is not gone, what lies over a page that waits is no news, nor are the
// classes of a part beside the state of its button, nor the box of a message.
func TestEffectsToldOnce(t *testing.T) {
	const page = `<style>.shade{display:none;position:absolute;inset:0;background:#0008;cursor:pointer}.btn{cursor:pointer}.btn.disabled{cursor:default}</style>
<body><a id=b class=btn href="#"><span class=btn-content>Deploy</span></a><div id=p style="position:relative;height:90px">Flow<div id=sh class="shade hide" onclick="0"></div></div>
<ul><li id=part class=item onclick="0"><button id=s aria-expanded=false>Settings</button><ul id=sub hidden><li><a href="#r">Redirects</a></ul><li class=item>Reports</ul>
<ul><li id=row class=row><a id=o href="#o">orders</a><li class=row><a href="#c">customers</a></ul><div id=z></div>
<div id=c><i></i><i></i><i></i><i></i><b>1</b></div><ul><li id=ann onclick="0">Ann Dahl <i>admin</i></li><li onclick="0">Per Lund</ul>
<div id=bar style="position:relative;height:40px;border:solid 1px">Nodes<div id=bars class="shade hide" onclick="0"></div></div>`
	tb := newTab(t)
	tb.goTo(page)
	for _, c := range []struct{ name, sel, js, want string }{
		{"a button waits, and the page is covered", "#b", `b.classList.add('disabled'); b.firstChild.style.opacity = 0; sh.style.display = 'block'`, `attr link Deploy ""→"disabled"`},
		{"and is back", "#b", `b.classList.remove('disabled'); b.firstChild.style.opacity = 1; sh.style.display = 'none'`, `attr link Deploy "disabled"→""; text link Deploy ""→"Deploy"`},
		{"a part with borders is covered", "#b", `bars.style.display = 'block'`, ``},
		{"and is no more", "#b", `bars.style.display = 'none'`, ``},
		{"a part opens", "#s", `s.setAttribute('aria-expanded', true); part.className = 'item open active'; sub.hidden = false`, `added link Redirects; expanded button Settings in Redirects "false"→"true"`},
		{"a row is chosen", "#o", `row.className = 'row selected active'; z.innerHTML = '<div role=status><span onclick="0" style="cursor:pointer">1 row affected.</span></div>'`, `text status ""→"1 row affected."; attr link orders ""→"current"`},
		{"cells without words go", "#o", `c.innerHTML = '<b>1</b>'`, ``},
		{"a row without a name goes", "#ann", `ann.remove()`, `removed listitem`},
	} {
		if got := effectsTold(tb, c.sel, c.js); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A state of an item whose link is listed is told of the link.
func TestEffectsOnItemsOfOneLink(t *testing.T) {
	const tab = `<i></i><a class=x></a><i></i>`
	tb := newTab(t)
	for _, c := range []struct{ name, html, js, want string }{
		{"by a class", `<ul><li class="tab active"><a href=#1>House</a>` + tab + `<li class=tab><a id=b href=#2>Alarms</a>` + tab + `</ul>`, `for (const t of document.querySelectorAll(".tab")) t.classList.toggle("active")`, `attr link Alarms ""→"current"`},
		{"by an attribute", `<ul><li aria-selected=true><a href=#1>House</a><li aria-selected=false><a id=b href=#2>Alarms</a></ul>`, `for (const t of document.querySelectorAll("li")) t.ariaSelected = String(t.ariaSelected != "true")`, `attr link House "current"→""; attr link Alarms ""→"current"`},
		{"more than its link", `<ul><li class=row><a id=b href=#1>Ida</a> wrote<li class=row><a href=#2>Per</a> called</ul>`, `document.querySelector("li").classList.add("selected")`, `attr listitem Ida wrote ""→"selected"`},
	} {
		tb.goTo("<body>" + c.html)
		got := effectsTold(tb, "#b", c.js)
		sorted := strings.Split(got, "; ")
		slices.Sort(sorted)
		want := strings.Split(c.want, "; ")
		slices.Sort(want)
		if !slices.Equal(sorted, want) {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// Choices that closed while something else was pressed are told before what came.
func TestEffectsOfChoicesThatClosed(t *testing.T) {
	const page = `<body><input id=q aria-label=To><ul role=listbox id=l><li role=option>Northern Territory</ul><button id=b>Item</button><div id=d></div>`
	tb := newTab(t)
	open := `l.remove(); d.innerHTML = Array.from({length: 16}, (_, i) => '<button>Item ' + i + '</button>').join('')`
	for _, c := range []struct{ name, sel, js, first string }{
		{"by another button", "#b", open, "removed listbox; removed option Northern Territory"},
		{"by a press on one of them", "#l li", open, "added button Item 0"},
	} {
		tb.goTo(page)
		if got := effectsTold(tb, c.sel, c.js); !strings.HasPrefix(got, c.first+"; ") {
			t.Errorf("%s: %s, want first %s", c.name, got, c.first)
		}
	}
}

// The only suggestion of a field is an option, not the list around it.
func TestEffectsOfOneSuggestion(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><style>ul{position:absolute;margin:0;padding:0;width:300px;list-style:none}li{cursor:pointer}</style><input id=q aria-label=Parent style="width:300px"><script>q.focus()</script>`)
	got := effectsTold(tb, "#q", `q.value = "Mend"; q.insertAdjacentHTML("afterend", "<ul tabindex=0 onclick='0'><li><div tabindex=-1>Feature #1: Mend the house</div></ul>")`)
	if want := `value textbox Parent ""→"Mend"; added option Feature #1: Mend the house`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A drawer that is no dialog by its role is told by its heading before what is in it.
func TestEffectsOfADrawer(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><button id=b>Edit</button><main><button>Deploy</button></main>`)
	got := effectsTold(tb, "#b", `document.body.insertAdjacentHTML("beforeend", '<div style="position:absolute;right:0;top:0;bottom:0;width:300px;background:#fff"><div><h2>Edit flow: Alarms</h2></div><div>' + Array.from({length: 16}, (_, i) => '<button>Choice ' + i + '</button>').join('') + '</div></div>')`)
	if want := "added overlay Edit flow: Alarms; "; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want first %s", got, want)
	}
	// One without a title whose entries are alike is a menu.
	tb.goTo(`<style>div>div{cursor:pointer}</style><body><button id=b>Mail</button><main><button>Deploy</button></main>`)
	got = effectsTold(tb, "#b", `document.body.insertAdjacentHTML("beforeend", '<div style="position:absolute;right:0;top:0;width:300px;background:#fff">' + Array.from({length: 16}, (_, i) => '<div>Choice ' + i + '</div>').join('') + '</div>')`)
	if want := "added menu; "; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want first %s", got, want)
	}
}

// What is left out is counted by kind.
func TestEffectsLeftOut(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><button id=b>Show</button><div id=d></div>`)
	do[any](tb, "watch", map[string]int{"id": found(tb, "#b").ID})
	tb.js(`d.innerHTML = Array.from({length: 50}, (_, i) => '<p>Line ' + i + '</p><p><button>Key ' + i + '</button></p>').join('');0`)
	e := do[struct {
		More int
		Rest []struct {
			Kind, Role string
			From, To   bool
			Count      int
		}
	}](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true})
	if got, want := fmt.Sprint(e.More, e.Rest), "40 [{text  false true 40}]"; got != want {
		t.Errorf("left out %s, want %s", got, want)
	}
}

// A value is told with its lines.
func TestEffectsOfLines(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><textarea id=a aria-label=Text>Old</textarea><div id=e role=textbox contenteditable aria-label=Rich>x</div>`)
	if got, want := effectsTold(tb, "#a", `a.value = '== Watering ==\nEvery  day'`), `value textbox Text "Old"→"== Watering ==\nEvery day"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := effectsTold(tb, "#e", `e.innerHTML = '<p>One</p><p>Two</p>'`), `value textbox Rich "x"→"One\nTwo"`; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// The view of one item that takes the place of the list is a new view, though it repeats the item's words.
func TestEffectsOfAnItemOpened(t *testing.T) {
	const page = `<body><main id=m></main><script>
m.innerHTML = ['Ida Holm', 'Per Lund', 'Ola Berg', 'Ann Dahl', 'Bo Ek'].map((n, i) => '<div class="row' + (i ? '' : ' unread') + '" onclick="0"><input type=checkbox aria-label=Select><b>' + n + '</b> <span>' + n + ' left the keys with the neighbour</span></div>').join('') + '<p>1–5 / 9</p>';
</script>`
	tb := newTab(t)
	tb.goTo(page)
	got := effectsTold(tb, ".unread", `m.innerHTML = '<div class=letter><button>Back</button><h2>Keys</h2><p>Ida Holm left the keys with the neighbour</p><button>Reply</button></div>'`)
	if want := `view "" → "Keys"; added button Back; added button Reply; `; !strings.HasPrefix(strings.ReplaceAll(got, "→", " → "), want) || strings.Contains(got, "count") {
		t.Error(got)
	}
}
