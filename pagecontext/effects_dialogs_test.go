package pagecontext_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// Of a view that takes the place of another the headings and the controls are told before texts, those of each row after
// the others, and what went last.
func TestEffectsInTheirOrder(t *testing.T) {
	const page = `<body><nav><a href="#a">Orders</a></nav><main id=m><p>Old words</p><p>More</p><button>Old</button><button>Older</button></main><script>
const view = () => { m.innerHTML = '<section><p>Loose words</p><h1>Orders</h1><p>All of them</p><button>New order</button><label>Search <input></label></section>' +
  Array.from({length: 30}, (_, i) => '<div class=card><b>Order ' + i + '</b><i>Paid</i><button>Edit</button><button>Delete</button></div>').join('') + '<button>Save</button>' };
</script>`
	tb := newTab(t)
	tb.goTo(page)
	got := effectsTold(tb, "", `view()`)
	var at []int
	for _, w := range []string{`text heading ""→"Orders"`, "added button New order", "added textbox Search", "added button Edit", "added button Save", "added button Edit in Order 2"} {
		at = append(at, strings.Index(got, w))
	}
	for i, n := range at {
		if n < 0 || i > 0 && n < at[i-1] {
			t.Fatalf("places %v of %s", at, got)
		}
	}
}

// A dialog is told as a whole, also one that is none by its role; what is pressed in it and leaves it open says so.
func TestEffectsOfDialogs(t *testing.T) {
	const page = `<style>.veil{position:fixed;inset:0;background:#0008;z-index:50}.box{margin:200px auto;width:400px;background:#fff}</style>
<body><h1>Invoice 7</h1><p id=s>Approved</p><button id=b>Void</button><div id=d></div><div id=z></div><script>
const dialog = (why = '') => '<div class=veil><div class=box><h3>Void invoice</h3><p>Are you sure?' + why + '</p><button id=x>×</button><button id=no>Cancel</button><button id=yes>Void it</button></div></div>';
const toast = (t) => { z.innerHTML = '<div class="toast-note toast-ok"><span class="toast-icon">✓</span><span class="toast-message">' + t + '</span><button>×</button></div>' };
</script>`
	tb := newTab(t)
	tb.goTo(page)
	for _, c := range []struct{ name, sel, js, want string }{
		{"it comes into view later", "#b", `d.innerHTML = dialog(); d.firstChild.style.cssText = 'opacity:0;transition:opacity .1s'; setTimeout(() => { d.firstChild.style.opacity = 1 }, 150)`, `added dialog Void invoice; added button ×; added button Cancel; added button Void it; text ""→"Are you sure?"`},
		{"it goes", "#no", `d.innerHTML = ''`, `removed dialog Void invoice`},
		{"it comes", "#b", `d.innerHTML = dialog()`, `added dialog Void invoice; added button ×; added button Cancel; added button Void it; text ""→"Are you sure?"`},
		{"it stays", "#yes", `s.textContent = 'Voided'; toast('Invoice voided')`, `text status ""→"✓Invoice voided"; open dialog Void invoice; text "Approved"→"Voided"`},
		{"it stays, and what was pressed is another", "#yes", `s.textContent = 'Void'; yes.textContent = 'Approve it'`, `text button Approve it "Void it"→"Approve it"; text "Voided"→"Void"`},
		{"and back", "#yes", `s.textContent = 'Voided'; yes.textContent = 'Void it'`, `text button Void it "Approve it"→"Void it"; text "Void"→"Voided"`},
		{"it stays, drawn anew", "#yes", `s.textContent = 'Voided twice'; d.innerHTML = dialog()`, `open dialog Void invoice; text "Voided"→"Voided twice"`},
		{"only what is in it changes", "#yes", `d.innerHTML = dialog(' Really?')`, `text "Are you sure?"→"Are you sure? Really?"`},
		{"it fades, and a toast comes", "#no", `d.firstChild.style.opacity = '0'; d.firstChild.style.pointerEvents = 'none'; toast('Kept')`, `removed dialog Void invoice; text status ""→"✓Kept"`},
		{"it comes again", "#b", `z.innerHTML = ''; d.innerHTML = dialog()`, `added dialog Void invoice; added button ×; added button Cancel; added button Void it; text ""→"Are you sure?"`},
		{"a toast stands in its place", "#no", `d.innerHTML = '<div class=toast>Gone</div>'`, `removed dialog Void invoice; text status ""→"Gone"`},
		{"it comes once more", "#b", `d.innerHTML = dialog()`, `added dialog Void invoice; added button ×; added button Cancel; added button Void it; text ""→"Are you sure?"`},
		{"it goes, and a toast with it", "#no", `d.innerHTML = ''; z.innerHTML = ''`, `removed dialog Void invoice`},
	} {
		if got := effectsTold(tb, c.sel, c.js); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What a dialog asks is told with it, however many controls it has; its edges are none.
func TestEffectsOfDialogsAsk(t *testing.T) {
	const page = `<body><button id=b>Delete</button><div id=d></div><script>
const edges = ['n', 'e', 's', 'w', 'ne', 'se', 'sw', 'nw'].map((s) => '<div class=edge style="cursor:' + s + '-resize;height:5px"></div>').join('');
const dialog = () => '<div role=dialog aria-label=Confirm style="position:fixed;inset:100px;background:#fff">' + Array.from({ length: 9 }, (_, i) => '<button>Choice ' + i + '</button>').join('') + '<p>Really delete order 5?</p>' + edges + '</div>';
</script>`
	tb := newTab(t)
	tb.goTo(page)
	got := effectsTold(tb, "#b", `d.innerHTML = dialog()`)
	if !strings.HasPrefix(got, "added dialog Confirm; added button Choice 0; ") || !strings.Contains(got, `text ""→"Really delete order 5?"`) ||
		strings.Index(got, "Really") > strings.Index(got, "Choice 8") || strings.Contains(got, "edge") {
		t.Error(got)
	}
}

// A dialog that opens empty is told with what it shows once that has come.
func TestEffectsOfLateDialogs(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><button id=b>Choose a page</button><div id=d></div>`)
	got := effectsTold(tb, "#b", `d.innerHTML = '<div role=dialog style="position:fixed;inset:100px;background:#fff"></div>'; setTimeout(() => { d.firstChild.innerHTML = '<h2>Pages</h2><button>Jobs</button>' }, 900)`)
	if got != `added dialog Pages; added button Jobs` {
		t.Error(got)
	}
}

// What was drawn in between nobody saw: a page that draws itself several times in a turn changed in what differs at the end.
func TestEffectsOfPagesDrawnTwice(t *testing.T) {
	const page = `<body><div id=app></div><script>
let keys = ['Laptop Touch ID', 'Phone Face ID', 'Token NFC'], dialog = true;
function draw() { app.innerHTML = '<div class=page><div class=part><h2>Sessions</h2><div class=item><b>Chrome on macOS</b><button>Revoke</button></div><div class=item><b>Safari on iPhone</b><button>Revoke</button></div></div><div class=part><h2>Keys</h2>' +
  keys.map(k => '<div class=item><b>' + k + '</b><span>Created in May</span><button>Remove</button></div>').join('') + '</div></div>' + (dialog ? '<div class=veil><p>Sure?</p><button id=yes>Remove key</button></div>' : '') }
draw();
</script>`
	tb := newTab(t)
	tb.goTo(page)
	if got, want := effectsTold(tb, "#yes", `keys.shift(); draw(); dialog = false; draw()`), `removed Laptop Touch ID Created in May; removed button Remove key; text "Sure?"→""`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := effectsTold(tb, ".part:last-of-type .item:first-of-type button", `keys.pop(); draw(); draw()`), `removed Token NFC Created in May`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is drawn anew with its row keeps its number: the star that was pressed and is another now, and what stands in a row
// that moved up; not what stands in a row that says what another says.
func TestNumbersOfWhatIsDrawnAnew(t *testing.T) {
	const page = `<body><div id=app></div><script>
let rows = ['Ida Holm', 'Per Lund', 'Ola Berg'].map(who => ({who, star: '☆'}));
const draw = () => { app.innerHTML = rows.map(r => '<div class=row style="height:90px"><b>' + r.who + '</b> <button class=star>' + r.star + '</button> <button class=del>Remove</button></div>').join('') };
draw();
</script>`
	tb := newTab(t)
	tb.goTo(page)
	star, remove := found(tb, ".row:nth-child(2) .star").ID, found(tb, ".row:nth-child(3) .del").ID
	effectsTold(tb, ".row:nth-child(2) .star", `rows[1].star = '★'; draw()`)
	if got := found(tb, ".row:nth-child(2) .star").ID; got != star {
		t.Errorf("the star is %d, was %d", got, star)
	}
	effectsTold(tb, ".row:nth-child(1) .del", `rows.shift(); draw()`)
	effectsTold(tb, ".row:nth-child(1) .del", `rows.shift(); draw(); draw()`)
	if got := found(tb, ".del").ID; got != remove {
		t.Errorf("the last row's button is %d, was %d", got, remove)
	}
	tb.goTo(page)
	tb.js(`rows[2].who = rows[1].who; draw();0`)
	one := found(tb, ".row:nth-child(2) .del").ID
	effectsTold(tb, ".row:nth-child(2) .del", `rows.splice(1, 1); draw()`)
	if got := found(tb, ".row:nth-child(2) .del").ID; got == one {
		t.Errorf("the other of two alike has taken the number %d", got)
	}
}

// A row that can be pressed and has no name is known by what it says, also where the row before it went; a button of a
// dialog that had gone is not another that stands in its place.
func TestNumbersOfRowsWithoutNames(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><div id=app></div><script>
let rows = ['Ida Holm', 'Per Lund', 'Ola Berg', 'Ann Dahl'].map(who => ({who, star: '☆'}));
const draw = () => { app.innerHTML = '<div role=list>' + rows.map(r => '<div role=listitem class=row ondblclick="0"><input type=checkbox aria-label=Select> <button class=star>' + r.star + '</button> <span onclick="0">' + r.who + '</span></div>').join('') + '</div>' };
draw();
</script>`)
	p := pagecontext.New(tb, 0)
	row, name := found(tb, ".row:nth-child(2)").ID, found(tb, ".row:nth-child(2) span").ID
	list(t, p, pagecontext.Query{})
	effectsTold(tb, ".row:nth-child(3) .star", `rows[2].star = '★'; draw()`)
	list(t, p, pagecontext.Query{})
	if got := found(tb, ".row:nth-child(2)").ID; got != row {
		t.Errorf("drawn anew, the row is %d, was %d", got, row)
	}
	effectsTold(tb, ".row:nth-child(1) .star", `rows.shift(); draw()`)
	list(t, p, pagecontext.Query{})
	if got := []int{found(tb, ".row:nth-child(1)").ID, found(tb, ".row:nth-child(1) span").ID}; !slices.Equal(got, []int{row, name}) {
		t.Errorf("after the row before it, it is %v, was %v", got, []int{row, name})
	}
	tb.goTo(`<body><button id=a>Open</button><div id=d style="position:fixed;inset:0;display:none"></div><script>
const dialog = (head, button) => { d.innerHTML = '<h2>' + head + '</h2><div><button data-action=close>' + button + '</button></div>'; d.style.display = 'block' };
</script>`)
	effectsTold(tb, "#a", `dialog('Make a label', 'Cancel')`)
	cancel := found(tb, "#d button").ID
	list(t, pagecontext.New(tb, 0), pagecontext.Query{})
	effectsTold(tb, "#d button", `d.style.display = 'none'`)
	effectsTold(tb, "#a", `dialog('Label as', 'Apply')`)
	if got := found(tb, "#d button").ID; got == cancel {
		t.Errorf("Apply has the number %d of Cancel, which had gone", got)
	}
}

// What was filled in since a row was shown is part of what it says: a new row that says what it said then is another one.
func TestNumbersOfRowsFilledIn(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><table><tbody id=app></tbody></table><button id=add>Add line</button><script>
let rows = [{item: 'Select item', text: ''}];
const draw = () => { app.innerHTML = rows.map(r => '<tr><td><div class=item onclick="0">' + r.item + '</div><td><input aria-label=Description value="' + r.text + '"><td><button class=del>×</button>').join('') };
draw();
</script>`)
	p := pagecontext.New(tb, 0)
	field, cross, item := found(tb, "tr:nth-child(1) input").ID, found(tb, "tr:nth-child(1) .del").ID, found(tb, "tr:nth-child(1) .item").ID
	list(t, p, pagecontext.Query{})
	tb.js(`rows[0] = {item: 'Support', text: 'one hour'}; document.querySelector(".item").outerHTML = '<div class=item onclick="0">Support</div>'; document.querySelector("input").value = 'one hour';0`)
	list(t, p, pagecontext.Query{})
	effectsTold(tb, "#add", `rows.push({item: 'Select item', text: ''}); draw()`)
	list(t, p, pagecontext.Query{})
	if got := []int{found(tb, "tr:nth-child(2) input").ID, found(tb, "tr:nth-child(2) .del").ID, found(tb, "tr:nth-child(2) .item").ID}; got[0] == field || got[1] == cross || got[2] == item {
		t.Errorf("the new row has the numbers %d of the first, %d, %d and %d", got, field, cross, item)
	}
	if got := []int{found(tb, "tr:nth-child(1) input").ID, found(tb, "tr:nth-child(1) .del").ID}; !slices.Equal(got, []int{field, cross}) {
		t.Errorf("the first row has the numbers %d, not %d and %d", got, field, cross)
	}
}

// Rows that are alike keep the numbers of their fields when the page draws all of them anew with one more at the end; not
// where one came before them, or where one of them was copied.
func TestNumbersOfRowsBeforeANewOne(t *testing.T) {
	tb := newTab(t)
	for _, c := range []struct {
		what, held, on, js string
		kept               bool
	}{
		{"one more at the end", "", "#add", `rows.push(''); draw()`, true},
		{"one before the others", "", "#add", `rows.unshift('Rope'); draw()`, false},
		{"one before others that differ in what their fields hold", "'Oak', 'Elm'", "#add", `held = ['', ...held]; rows.push(''); draw()`, false},
		{"a copy by a button of the row", "", "tr:nth-child(1) .copy", `rows.push(''); draw()`, false},
	} {
		tb.goTo(`<body><table><tbody id=app></tbody></table><button id=add>Add line</button><script>
let rows = ['', ''], held = [` + c.held + `];
const draw = () => { app.innerHTML = rows.map((r, i) => '<tr><td><span>' + r + '</span><td><input aria-label=Description value="' + (held[i] || '') + '"><td><button class=copy>Copy</button>').join('') };
draw();
</script>`)
		p := pagecontext.New(tb, 0)
		fields := func() (ids []int) {
			for _, n := range []string{"1", "2"} {
				ids = append(ids, found(tb, "tr:nth-child("+n+") input").ID)
			}
			return ids
		}
		was := fields()
		list(t, p, pagecontext.Query{})
		effectsTold(tb, c.on, c.js)
		list(t, p, pagecontext.Query{})
		if now := fields(); slices.Equal(was, now) != c.kept {
			t.Errorf("%s: the fields have the numbers %d, and had %d", c.what, now, was)
		}
	}
}

// A row in which a choice was made and a field filled keeps the numbers of its fields when the page draws a new row under it, which
// says what the first one said and gets numbers of its own. The menus of its drop-downs are hidden and long.
func TestNumbersOfChosenDropDowns(t *testing.T) {
	const page = `<style>td>div{position:relative}.menu{display:none;position:absolute}.item{cursor:pointer}b{display:inline-block;margin-left:9px}</style>
<body><div id=app></div><script>
let rows = [{item: 'Select item', account: 'Sales', region: 'None', text: '', price: 0}];
const options = Array.from({length: 20}, (_, k) => '<div>Option number ' + k + ' of the catalogue, by the hour</div>').join('');
const drop = (id, now) => '<td><div id=' + id + '><div class=item onclick="0"><span>' + now + '</span><b>▾</b></div><div class=menu>' + options + '</div></div>';
const draw = () => { app.innerHTML = '<table><thead><tr><th>Item<th>Description<th>Price<th>Account<th>Region<th>Department<th>Amount<th></thead><tbody>' + rows.map((r, i) => '<tr>' + drop('item-' + i, r.item) +
  '<td><input class=text value="' + r.text + '"><td><input class=price type=number value=' + r.price + '>' + drop('account-' + i, r.account) + drop('region-' + i, r.region) + drop('department-' + i, 'None') +
  '<td>$' + r.price + '.00<td><button class=del>×</button>').join('') + '</tbody></table><button id=add>Add line</button>' };
draw();
</script>`
	for name, choose := range map[string]string{
		"the drop-down changed in its place": `rows[0] = {item: 'Support', account: 'Fees', region: 'None', text: 'one hour', price: 250}; for (const [cell, of] of [['item', 'Support'], ['account', 'Fees']]) document.querySelector('#' + cell + '-0 span').textContent = of;
document.querySelector('.text').value = 'one hour'; document.querySelector('.price').value = 250`,
		"the row drawn anew":     `rows[0] = {item: 'Support', account: 'Fees', region: 'None', text: 'one hour', price: 250}; draw()`,
		"only a field filled in": `rows[0].text = document.querySelector('.text').value = 'one hour'`,
	} {
		tb := newTab(t)
		tb.goTo(page)
		p := pagecontext.New(tb, 0)
		list(t, p, pagecontext.Query{})
		parts := []string{".text", ".price", "[id^=item] .item", "[id^=account] .item", "[id^=region] .item", "[id^=department] .item", ".del"}
		ids := func(row string) (out []int) {
			for _, part := range parts {
				out = append(out, found(tb, row+" "+part).ID)
			}
			return out
		}
		was := ids("tr")
		effectsTold(tb, "[id^=item] .item", choose)
		if got := ids("tr"); !slices.Equal(got, was) {
			t.Errorf("%s: after the choice the row has the numbers %v, not %v", name, got, was)
		}
		effectsTold(tb, "#add", `rows.push({item: 'Select item', account: 'Sales', region: 'None', text: '', price: 0}); draw()`)
		list(t, p, pagecontext.Query{})
		if got := ids("tr:nth-child(1)"); !slices.Equal(got, was) {
			t.Errorf("%s: the first row has the numbers %v, not %v", name, got, was)
		}
		for _, id := range ids("tr:nth-child(2)") {
			if slices.Contains(was, id) {
				t.Errorf("%s: the new row has the number %d of the first", name, id)
			}
		}
		second := ids("tr:nth-child(2)")
		effectsTold(tb, "tr:nth-child(1) .del", `rows.shift(); draw()`)
		list(t, p, pagecontext.Query{})
		if got := ids("tr"); !slices.Equal(got, second) {
			t.Errorf("%s: without the first row the second has the numbers %v, not %v", name, got, second)
		}
	}
}

// The fields of another tab are not those of the one before with other values.
func TestEffectsOfUnlikeTabs(t *testing.T) {
	tb := newTab(t)
	for name, row := range map[string]string{
		"drop-downs": `'<div class=row><div class=label>' + r[0] + '</div><div class=drop style="cursor:pointer" onclick="0"><span>' + r[1] + '</span> ▾</div></div>'`,
		"fields":     `'<div class=row><label>' + r[0] + ' <input value="' + r[1] + '"></label></div>'`,
		"selects":    `'<div class=row><label>' + r[0] + ' <select><option>' + r[1] + '</select></label></div>'`,
	} {
		tb.goTo(`<body><div id=app></div><script>
const tabs = {General: [['Language', 'English'], ['Theme', 'Default'], ['Undo send', '5 seconds']], Inbox: [['Inbox type', 'Default']]};
const draw = (tab) => { app.innerHTML = '<div class=tabs>' + Object.keys(tabs).map(t => '<button class="' + (t === tab ? 'active' : '') + '">' + t + '</button>').join('') + '</div>' + tabs[tab].map(r => ` + row + `).join('') };
draw('General');
</script>`)
		got := effectsTold(tb, "button:nth-child(2)", `draw('Inbox')`)
		for _, wrong := range []string{"English→", `"English"→"Default"`, `"Language"→`} {
			if strings.Contains(got, wrong) {
				t.Errorf("%s: %s", name, got)
			}
		}
		for _, want := range []string{"removed Language", "added"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s, without %q", name, got, want)
			}
		}
	}
	tb.goTo(`<body><button id=b>Inbox</button><p><label id=l for=f>Language</label> <input id=f value=English><p><label id=m for=g>Sound</label><input type=checkbox id=g checked>`)
	if got, want := effectsTold(tb, "#b", `l.textContent = 'Inbox type'; f.value = 'Default'; m.textContent = 'Unread first'; g.checked = false`), `added textbox Inbox type; added checkbox Unread first; removed textbox Language; removed checkbox Sound`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	tb.goTo(`<body><label id=l for=f>Country (12)</label> <input id=f value=Norway><button id=b>Next</button>`)
	if got, want := effectsTold(tb, "#b", `l.textContent = 'Country (11)'; f.value = 'Sweden'`), `text "Country (12)"→"Country (11)"; value textbox Country (11) "Norway"→"Sweden"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A view is called by the heading over it, also where that stands outside what was drawn anew, not by one in its middle; without one
// by the tab that is current.
func TestEffectsOfViewsByTheirHeading(t *testing.T) {
	tb := newTab(t)
	const fields = `'<label>To <input></label><label>Date <input></label><label>Title <input></label><button>Next</button>'`
	const list = `'<a href="#1">One</a> <a href="#2">Two</a> <a href="#3">Three</a> <a href="#4">Four</a>'`
	for js, want := range map[string]string{
		`h.textContent = 'New quote'; v.innerHTML = '<div class=form>' + ` + fields + ` + '<h3>Line items</h3><input aria-label=Item></div>'`:                        "New quote",
		`v.innerHTML = '<section><h2>New invoice</h2>' + ` + fields + ` + '<h3>Line items</h3><input aria-label=Item></section>'`:                                    "New invoice",
		`v.innerHTML = '<div class=form>' + ` + fields + ` + '<h3>Line items</h3><input aria-label=Item></div>'`:                                                     "",
		`v.innerHTML = '<div class=form>' + ` + fields + ` + '<h3>Line items</h3></div>'; s.removeAttribute("aria-current"); q.setAttribute("aria-current", "page")`: "Structure",
	} {
		tb.goTo(`<body><nav><a id=s href="#s" aria-current=page>Start</a> <a id=q href="#q">Structure</a></nav><button id=b>Go</button><main><h1 id=h>Quotes</h1><div id=v></div></main><script>v.innerHTML = '<div class=list>' + ` + list + ` + '</div>'</script>`)
		got := effectsTold(tb, "#b", js)
		if !strings.Contains(got+";", `view ""→"`+want+`";`) && !(want == "" && strings.Contains(got+";", "view;")) {
			t.Errorf("%s: %s, want %q", js, got, want)
		}
	}
}

// A drawer of which the edge shows is told, when it slides in, as it stands there in the end.
func TestEffectsOfDrawers(t *testing.T) {
	for _, move := range []string{"transform:translateX(90%)", "right:-280px"} {
		tb := newTab(t)
		tb.goTo(`<style>#d{position:fixed;top:0;right:0;width:300px;height:100%;transition:.2s;background:#eee}#d.off{` + move + `}</style>
<body><button id=b>Edit</button><div id=d class=off><h2>Pump</h2><label>Name <input></label><div><button>Cancel</button> <button>Save</button></div></div>`)
		if got, want := effectsTold(tb, "#b", `d.className = ''`), `added textbox Name; added button Save`; got != want {
			t.Errorf("%s: %s, want %s", move, got, want)
		}
	}
}

// A control is told with what its row says by itself: not with links that each row has, nor in a list of where to go with
// the others there.
func TestEffectsInRowsWithLinks(t *testing.T) {
	const page = `<body><nav><section><b>Plan</b><a id=a href="#1">Issues</a><a href="#2">Boards</a></section><section><b>Deploy</b><a href="#3">Releases</a></section></nav><table>
<tr><td><a href="#4">Edit</a> <a href="#5">Copy</a><td>12<td>Rope<td><button id=b>Order</button><tr><td><a href="#6">Edit</a> <a href="#7">Copy</a><td>13<td>Anchor<td><button>Order</button></table>`
	tb := newTab(t)
	for js, want := range map[string]string{
		`b.disabled = true`:                      `attr button Order in 12 Rope ""→"disabled"`,
		`a.setAttribute("aria-current", "page")`: `attr link Issues in Plan ""→"current"`,
	} {
		tb.goTo(page)
		if got := effectsTold(tb, "", js); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// What comes in a drawing is told as controls, with the places by which those at one box are told apart; other shapes are counted.
func TestEffectsInDrawings(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><button id=b>Add</button><svg id=s width=600 height=200></svg><script>
const box = (name, x) => '<g><rect tabindex=0 aria-label="' + name + '" x=' + x + ' y=50 width=120 height=30 /><text x=' + (x + 10) + ' y=70>' + name + '</text><rect class=port style="cursor:move" x=' + (x - 5) + ' y=60 width=10 height=10 /><rect class=port style="cursor:move" x=' + (x + 115) + ' y=60 width=10 height=10 /></g>';
s.innerHTML = box('Pump', 20);
</script>`)
	effectsTold(tb, "#b", `0`)
	if got, want := effectsTold(tb, "#b", `s.insertAdjacentHTML("beforeend", box('Valve', 300) + '<path d="M150 60 L290 60" stroke=black />')`), `drawn new ""→"path"; added generic Valve; added generic; added generic; text ""→"Valve"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var near []string
	for _, e := range list(t, pagecontext.New(tb, 0), pagecontext.Query{}).Elements {
		near = append(near, e.Near)
	}
	if want := []string{"", "", "Pump (left)", "Pump (right)", "", "Valve (left)", "Valve (right)"}; !slices.Equal(near, want) {
		t.Errorf("beside %q, want %q", near, want)
	}
}

// A field of which the page's script makes a combobox is the same to a user, in its own place and where it is drawn anew.
func TestNumbersOfFieldsThatAreMadeComboboxes(t *testing.T) {
	tb := newTab(t)
	for name, js := range map[string]string{
		"in its place": `f.setAttribute("role", "combobox"); f.setAttribute("aria-expanded", "false")`,
		"drawn anew":   `p.innerHTML = '<label>New title: <input role=combobox aria-expanded=false value="Ferry"></label>'`,
	} {
		tb.goTo(`<body><p id=p><label>New title: <input id=f value="Ferry"></label></p><p><label>Reason: <input></label></p><button id=b>Move</button>`)
		id := found(tb, "#f").ID
		effectsTold(tb, "#b", js)
		if r := do[resolved](tb, "check", map[string]any{"id": id, "role": "textbox", "name": "New title:"}); r.Error != nil {
			t.Errorf("%s: %+v", name, r.Error)
		}
	}
	tb.goTo(`<body><p><input id=f type=button value="Ferry"></p>`)
	id := found(tb, "#f").ID
	tb.js(`f.setAttribute("role", "combobox");0`)
	if r := do[resolved](tb, "check", map[string]any{"id": id, "role": "button", "name": "Ferry"}); r.Error == nil {
		t.Error("a button that is made a combobox is taken for the same")
	}
}

// A drop-down in a row of fields is called by the head of its column as well: its own words are what is chosen. A branch of a tree is not.
func TestDropDownsInRowsHaveTheirColumn(t *testing.T) {
	tb := newTab(t)
	drop := func(chosen string) string {
		return `<div><div style="cursor:pointer" onclick="0"><span>` + chosen + `</span> <b>▾</b></div><div style="display:none">None, North, South</div></div>`
	}
	tb.goTo(`<body><table><thead><tr><th>Item<th>Region<th>Department</thead><tbody><tr><td><input><td>` + drop("North") + `<td>` + drop("None") + `</tbody></table>
<table><thead><tr><th>Name<th>Size</thead><tbody><tr><td><button aria-expanded=false>Letters</button><td>3 kB</tbody></table>`)
	var near []string
	for _, e := range list(t, pagecontext.New(tb, 0), pagecontext.Query{}).Elements {
		near = append(near, e.Near)
	}
	if want := []string{"Region", "Department", "3 kB"}; !slices.Equal(near[1:], want) {
		t.Errorf("beside %q, want %q", near, want)
	}
}

// A drop-down is told with its label, also where the line over its row or its choice has the same words.
func TestDropDownsHaveTheirLabel(t *testing.T) {
	tb := newTab(t)
	drop := func(label, chosen string) string {
		return `<div class=group><label>` + label + `</label><div><div style="cursor:pointer" onclick="0"><span>` + chosen + `</span> <b>▾</b></div><div style="display:none">None, North, South</div></div></div>`
	}
	tb.goTo(`<body><main><h1>New</h1><div class=row role=group><div class=group><label for=d>Date</label><input id=d></div>` + drop("Currency", "AUD") + `</div><div class=row role=group>` + drop("Language", "English") + `</div>` + drop("Tax", "Tax exclusive") + `</main>`)
	p := pagecontext.New(tb, 0)
	got := p.RenderList(list(t, p, pagecontext.Query{}), pagecontext.RenderOptions{Budget: 600})
	for _, want := range []string{`clickable "AUD ▾" near="Currency" collapsed [`, `clickable "English ▾" near="Language" collapsed [`, `clickable "Tax exclusive ▾" near="Tax" collapsed [`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// Of tips that take turns by themselves the first change is told, and no later one, however long they are.
func TestEffectsOfTips(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><button id=b>Save</button><aside><p id=tip>You can confirm with <kbd>enter</kbd></p></aside>`)
	tips := []string{`Hide the bars with <kbd>ctrl</kbd>`, `Search for a node by its name, its kind or what is written in its fields, also in other flows`, `Import <kbd>i</kbd>`}
	var told []string
	do[any](tb, "watch", nil)
	do[any](tb, "effects", map[string]any{"quietMs": 50, "maxMs": 500, "stop": true})
	for _, tip := range tips {
		tb.js("tip.innerHTML = " + strconv.Quote(tip) + ";0")
		do[any](tb, "watch", nil)
		e := do[struct{ Late []change }](tb, "effects", map[string]any{"quietMs": 50, "maxMs": 500, "stop": true})
		told = append(told, fmt.Sprint(len(e.Late) > 0))
	}
	if got := strings.Join(told, " "); got != "true false false" {
		t.Errorf("changes of tips told: %s", got)
	}
}

// Where a board is deleted and all is drawn anew, the tab that is gone and the one that is current now are told before
// the rest.
func TestEffectsOfABoardDeleted(t *testing.T) {
	const page = `<body><div id=app></div><div id=over></div><script>
let boards = ['Plan', 'Bugs', 'Sprint'], current = 'Sprint';
const cards = {Plan: 40, Bugs: 5, Sprint: 18};
function draw() {
  app.innerHTML = '<nav><a href="#i">Issues</a><a href="#b">Boards</a></nav><main><h1>Boards</h1><div class=head><div class=tabs>' + boards.map(b => '<button class="tab' + (b == current ? ' active' : '') + '" data-id="' + b + '">' + b + ' board</button>').join('') + '</div>' +
    '<button data-id="' + current + '">Delete board</button><button>New board</button></div>' + ['Open', 'Done'].map((h, n) => '<section><h2>' + h + ' ' + cards[current] + '</h2>' +
    Array.from({length: cards[current]}, (_, i) => '<div class=card data-id="' + current + n + i + '" draggable=true onclick="0"><a href="#' + current + n + i + '">' + current + ' issue ' + n + i + '</a> <i class=label>bug</i></div>').join('') + '</section>').join('') + Array.from({length: 14}, (_, i) => '<p>Note ' + i + ' of ' + current + '</p>').join('') + '</main>';
}
draw();
over.innerHTML = '<div role=dialog aria-modal=true aria-label=Sure style="position:fixed;inset:100px;background:#fff"><p>Delete it?</p><button>Cancel</button><button id=yes>Delete</button></div>';
</script>`
	tb := newTab(t)
	tb.goTo(page)
	got := effectsTold(tb, "#yes", `boards.pop(); current = 'Plan'; draw(); over.innerHTML = '<div role=status>Board deleted</div>'`)
	want := []string{
		"removed dialog Sure", `text status ""→"Board deleted"`, "removed button Sprint board", `attr button Plan board ""→"current"`,
		`count list "18"→"40": Plan issue 00 bug, Plan issue 01 bug, Plan issue 02 bug`, `count list "18"→"40": Plan issue 10 bug, Plan issue 11 bug, Plan issue 12 bug`, `text "Open 18"→"Open 40"`, `text "Done 18"→"Done 40"`,
	}
	if first := strings.Split(got, "; "); len(first) <= len(want) || !slices.Equal(first[:len(want)], want) {
		t.Error(got)
	}
}

// The labels of what came in a dialog are no news beside it, and its title is not told again with each.
func TestEffectsOfDialogsWithLabels(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<style>label{display:block}</style><body><button id=b>Edit</button><div id=d></div>`)
	const js = `d.innerHTML = '<div role=dialog aria-labelledby=h style="position:fixed;top:0;left:0;width:300px;height:300px;background:#fff"><h2 id=h>Edit assignees</h2><label><input type=checkbox> <span>IH</span> Ida Holm</label><label><input type=checkbox> <span>PL</span> Per Lund</label><button>Save</button></div>'`
	if got, want := effectsTold(tb, "#b", js), `added dialog Edit assignees; added checkbox IH Ida Holm; added checkbox PL Per Lund; added button Save`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A text that changed is told with the label of its field, not with a value beside it that changed too.
func TestEffectsOfValuesSideBySide(t *testing.T) {
	tb := newTab(t)
	for html, want := range map[string]string{
		`<div><div class=label>Assignee <button>Edit</button></div><div><span id=x>IH</span><div id=y>Ida Holm</div></div></div>`: "Assignee",
		`<div><div>Assignee</div><div><div id=x>IH</div><div id=y>Ida Holm</div></div></div>`:                                     "Assignee",
		`<div><div class=item><div><div>LTC</div><div>Litecoin</div></div><div><div id=x>$1.00</div><span class=c><span class="material-icons">trending_up</span> +35.79%</span></div><div><button>Sell</button></div></div><div class=item><div><div>BTC</div><div>Bitcoin</div></div><div><div id=y>$2.00</div><span class=c><span class="material-icons">trending_up</span> +5.79%</span></div><div><button>Sell</button></div></div></div>`: "",
		`<div><div id=x>IH</div><div id=y>Ida Holm</div></div>`: "",
	} {
		tb.goTo(`<body><button id=b>Save</button>` + html)
		do[any](tb, "watch", map[string]any{"on": map[string]int{"id": found(tb, "#b").ID}})
		tb.js(`x.textContent = 'PL', y.textContent = 'Per Lund';0`)
		e := do[struct {
			Changes []struct{ From, To, Near string }
		}](tb, "effects", map[string]any{"quietMs": 100, "maxMs": 2000, "stop": true})
		if len(e.Changes) == 0 {
			t.Errorf("%s: no changes", html)
		}
		for _, c := range e.Changes {
			if c.Near != want {
				t.Errorf("%s: %+v, want near %q", html, c, want)
			}
		}
	}
}
