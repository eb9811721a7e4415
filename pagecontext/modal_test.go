package pagecontext_test

import (
	"fmt"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// What is behind a modal dialog takes neither pointer nor keyboard: it is listed
// in no way, and that is said.
func TestBehindAModalDialog(t *testing.T) {
	const page = `<h1>Mugs</h1><a href=/a>Behind</a>`
	const show = `<script>for (const d of document.querySelectorAll('dialog')) d.showModal()</script>`
	for name, c := range map[string]struct {
		html  string
		names string // of what is listed
		modal bool
	}{
		"none":           {page, "Behind", false},
		"closed again":   {page + `<dialog><button>Close</button></dialog>` + show + `<script>document.querySelector('dialog').close()</script>`, "Behind", false},
		"not modal":      {page + `<dialog open><button>Close</button></dialog>`, "Behind Close", false},
		"modal":          {page + `<dialog><button>Close</button></dialog>` + show, "Close", true},
		"in an element":  {page + `<main><a href=/b>Beside</a><dialog><button>Close</button></dialog></main>` + show, "Close", true},
		"two":            {page + `<dialog><button>First</button></dialog><dialog><button>Second</button></dialog>` + show, "Second", true},
		"the first over": {page + `<dialog id=b><button>First</button></dialog><dialog id=a><button>Second</button></dialog><script>a.showModal(); b.showModal()</script>`, "First", true},
		"one in another": {page + `<dialog><button>Outer</button><dialog><button>Inner</button></dialog></dialog>` + show, "Inner", true},
		"no backdrop":    {`<style>::backdrop{display:none}</style>` + page + `<dialog style="margin:200px"><button>Close</button></dialog>` + show, "Close", true},
		"shadow tree":    {page + `<x-d><template shadowrootmode=open><dialog><slot></slot></dialog></template><button>Slotted</button></x-d><script>document.querySelector('x-d').shadowRoot.querySelector('dialog').showModal()</script>`, "Slotted", true},
		"a popover":      {page + `<div popover id=p><button>Pops</button></div><dialog><button>Close</button></dialog>` + show + `<script>p.showPopover()</script>`, "Close", true},
		"a frame behind": {page + `<iframe srcdoc="<button>Framed</button>"></iframe><dialog><button>Close</button></dialog>` + show, "Close", true},
		"a frame in it":  {page + `<dialog><iframe srcdoc="<button>Framed</button>"></iframe></dialog>` + show, "Framed", true},
	} {
		t.Run(name, func(t *testing.T) {
			tb := open(t, c.html)
			p := pagecontext.New(tb, 0)
			l, err := p.Elements(t.Context(), pagecontext.Query{})
			tb.must(err)
			var names []string
			for _, e := range l.Elements {
				names = append(names, e.Name)
			}
			if got := strings.Join(names, " "); got != c.names || l.Modal != c.modal || l.Whole() == c.modal {
				t.Errorf("listed are %q, modal %t, whole %t", got, l.Modal, l.Whole())
			}
			s, l, err := p.Look(t.Context(), 0)
			tb.must(err)
			text := pagecontext.Render(s, l, pagecontext.RenderOptions{Budget: 1500})
			if strings.Contains(text, "behind the dialog") != c.modal || strings.Contains(text, "link \"Behind\"") == c.modal {
				t.Errorf("the first look says\n%s", text)
			}
			tree, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{})
			tb.must(err)
			if strings.Contains(tree.Tree, "Behind") == c.modal || tree.Modal != c.modal {
				t.Errorf("modal %t, the tree is\n%s", tree.Modal, tree.Tree)
			}
		})
	}
}

// What is asked for by itself can be read behind a dialog as well.
func TestReadBehindAModalDialog(t *testing.T) {
	tb := open(t, `<a href=/a>Behind</a><dialog><button>Close</button></dialog>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	tb.js(`document.querySelector('dialog').showModal()`)
	tree, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{Scope: l.Elements[0].Ref})
	tb.must(err)
	if !strings.Contains(tree.Tree, "Behind") || tree.Modal {
		t.Errorf("modal %t, the link by itself is\n%s", tree.Modal, tree.Tree)
	}
}

// What a layer over the whole view keeps from being pressed is known of each element,
// and the text tells no more than how many there are.
func TestBehindAnOverlay(t *testing.T) {
	const (
		page  = `<h1>Mugs</h1><a href=/a>Behind</a>`
		style = `<style>.veil{position:fixed;inset:0;background:#0008}.box{position:fixed;left:400px;top:200px;width:400px;height:200px;background:#fff}</style>`
		ask   = `<div class=box role=dialog aria-modal=true><button>Yes</button></div>`
	)
	tb := newTab(t)
	for name, c := range map[string]struct {
		html  string
		names string // of what is not covered
	}{
		"a dialog in its veil":            {page + `<div class=veil><div role=dialog aria-modal=true><button>Yes</button></div></div>`, "Yes"},
		"a veil beside the dialog":        {page + `<div class=veil></div>` + ask, "Yes"},
		"no role at all":                  {page + `<div class=veil><p>Sure?<button>Yes</button></div>`, "Yes"},
		"an alert":                        {page + `<div class=veil></div><div class=box role=alertdialog aria-modal=true><button>Yes</button></div>`, "Yes"},
		"below the fold":                  {page + `<p style="height:3000px"><a href=/b>Deep</a><div class=veil></div>` + ask, "Yes"},
		"further on in the dialog":        {page + `<div class=veil></div><div class=box role=dialog style="overflow:auto"><p style="height:900px"><button>Yes</button></p><button>No</button></div>`, "Yes No"},
		"no veil":                         {page + ask, "Behind Yes"},
		"a veil that lets the mouse pass": {page + `<div class=veil style="pointer-events:none"></div>` + ask, "Behind Yes"},
		"a veil with nothing to press":    {page + `<div class=veil style="z-index:99"><p>Loading</div>`, "Behind"},
		"over the dialog another one":     {page + `<div class=veil><div role=dialog aria-modal=true><button>Lower</button></div></div><div class=veil><div role=dialog aria-modal=true><button>Upper</button></div></div>`, "Upper"},
		"a list that the dialog opens":    {page + `<div class=veil></div>` + ask + `<ul role=listbox style="position:fixed;left:450px;top:390px;background:#fff"><li role=option>First</ul>`, "Yes First"},
		"a message over the veil":         {page + `<div class=veil></div>` + ask + `<div style="position:fixed;right:0;bottom:0;padding:30px;background:#fff"><button>Undo</button></div>`, "Yes Undo"},
		"the page is such a layer":        {`<div style="position:fixed;inset:0">` + strings.Repeat(page, 9) + `<div role=dialog><button>Yes</button></div></div>`, strings.Repeat("Behind ", 9) + "Yes"},
		"a frame behind":                  {page + `<iframe srcdoc="<button>Framed</button>"></iframe><div class=veil></div>` + ask, "Yes"},
		"a frame in it":                   {page + `<div class=veil></div><div class=box role=dialog><iframe srcdoc="<button>Framed</button>"></iframe></div>`, "Framed"},
		"further down the page":           {page + `<p style="height:3000px"></p><a href=/b>Deep</a><div class=veil></div>` + ask, "Yes"},
		"a long list of the dialog's":     {page + `<div class=veil></div>` + ask + `<div style="position:absolute;left:450px;top:390px;width:200px;height:90px;overflow:auto;background:#fff"><ul role=listbox aria-label=List><li role=option style="margin-bottom:300px">First<li role=option>Last</ul></div>`, "Yes List First Last"},
		"a palette high in the view":      {page + `<div class=veil></div><div role=dialog style="position:fixed;left:400px;top:120px;width:400px;height:100px;background:#fff"><input aria-label=Find><div style="height:60px;overflow:auto"><p style="height:300px"><button>One</button></p><button>Two</button></div></div>`, "Find One Two"},
		"a panel over a map":              {`<div style="position:fixed;inset:0;background:#cdf"></div><div style="position:absolute;left:0;top:0;width:300px;height:300px;overflow:auto;background:#fff">` + page + `<p style="height:900px"></p><a href=/b>Deep</a></div><div role=dialog style="position:fixed;left:0;right:0;bottom:0;height:60px"><button>Accept</button></div>`, "Behind Deep Accept"},
		"a background":                    {`<div style="position:fixed;inset:0;background:#cdf"></div><div style="position:relative;width:90px">` + page + `</div><p style="height:3000px"></p><a href=/b style="position:relative">Deep</a><div role=dialog style="position:fixed;left:0;right:0;bottom:0;height:60px"><button>Accept</button></div>`, "Behind Deep Accept"},
		"a drawer over half of the shell": {`<div style="position:fixed;inset:0">` + strings.Repeat(`<a href=/a style="display:block">Wide</a>`, 30) + `<a href=/b style="position:fixed;right:9px;top:300px">Under</a></div><div role=dialog style="position:fixed;left:30px;right:0;top:0;bottom:0;background:#fff"><button>Close</button></div>`, strings.Repeat("Wide ", 30) + "Close"},
		"a bubble over a frame":           {`<div style="position:fixed;inset:0">` + page + `<iframe style="display:block;width:100%;height:500px" srcdoc="<button>Framed</button>"></iframe><p>` + strings.Repeat("<i>.</i>", 30) + `</div><div class=box role=dialog><button>Next</button></div>`, "Behind Framed Next"},
	} {
		tb.goTo("<body>" + style + c.html)
		p := pagecontext.New(tb, 0)
		s, l, err := p.Look(t.Context(), 0)
		tb.must(err)
		var names []string
		covered := 0
		for _, e := range l.Elements {
			if e.Covered {
				covered++
			} else {
				names = append(names, e.Name)
			}
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%s: %q can be pressed, want %q", name, got, c.names)
		}
		text := pagecontext.Render(s, l, pagecontext.RenderOptions{Budget: 1500})
		if strings.Contains(c.html, page) {
			asked, err := p.Elements(t.Context(), pagecontext.Query{Text: "behind"})
			tb.must(err)
			found := pagecontext.Render(nil, asked, pagecontext.RenderOptions{})
			if !strings.Contains(found, `link "Behind"`) || strings.Contains(found, "## behind the dialog") == strings.Contains(c.names, "Behind") {
				t.Errorf("%s: asked for, it says\n%s", name, found)
			}
		}
		said := fmt.Sprintf("%d elements of the page are behind the dialog", covered)
		if strings.Contains(text, said) != (covered > 0) || strings.Contains(text, `link "Behind"`) != strings.Contains(c.names, "Behind") || strings.Contains(text, "getElements") {
			t.Errorf("%s: the first look says\n%s", name, text)
		}
	}
}

// A fixed box that holds what is shown of the page is the page, whatever is hidden beside it.
func TestShellIsNoDialog(t *testing.T) {
	const (
		shell  = `<div style="position:fixed;inset:0"><h1>Mugs</h1><a href=/a>Blue</a><button>Buy</button></div>`
		dialog = `<div style="position:fixed;inset:0;background:#fff8"><p>Sure?<button>Yes</button></div>`
	)
	tb := newTab(t)
	for name, c := range map[string]struct {
		html string
		open bool
	}{
		"beside hidden settings":   {shell + `<div style="display:none">` + strings.Repeat(`<p><input type=checkbox>`, 99) + `</div>`, false},
		"beside unpainted ones":    {shell + `<div style="visibility:hidden">` + strings.Repeat(`<p>a`, 99) + `</div>`, false},
		"beside drawings":          {`<svg width=0 height=0 style="position:absolute">` + strings.Repeat(`<symbol><path d="M0 0h9"/></symbol>`, 99) + `</svg>` + shell, false},
		"over what is shown":       {strings.Repeat(`<p><a href=/a>Blue</a>`, 20) + dialog, true},
		"holds most, and is small": {`<p><a href=/a>Blue</a>` + dialog, true},
	} {
		tb.goTo("<body>" + c.html)
		s, _, err := pagecontext.New(tb, 0).Look(t.Context(), 0)
		tb.must(err)
		if open := len(s.Overlays) > 0; open != c.open {
			t.Errorf("%s: open are %q", name, s.Overlays)
		}
	}
}

// What is behind a dialog that is none of the browser's own, and covers all with its
// layer, is in no tree and in no text of the look; a message that covers nothing
// leaves both as they are.
func TestBehindALayer(t *testing.T) {
	const page = `<h1>Mugs</h1><p>Blue ones<p><a href=/a>Behind</a>`
	const dialog = `<div role=dialog style="position:absolute;left:200px;top:200px;background:#fff">Really? <button>Close</button></div>`
	for name, c := range map[string]struct {
		html  string
		modal bool
	}{
		"layer":   {page + `<div style="position:fixed;inset:0;background:#0008">` + dialog + `</div>`, true},
		"beside":  {page + `<div style="position:fixed;inset:0;background:#0008"></div><div style="position:relative;z-index:1">` + dialog + `</div>`, true},
		"message": {page + dialog, false},
	} {
		t.Run(name, func(t *testing.T) {
			tb := open(t, c.html)
			p := pagecontext.New(tb, 0)
			tree, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{})
			tb.must(err)
			if strings.Contains(tree.Tree, "Behind") == c.modal || strings.Contains(tree.Tree, "Blue ones") == c.modal || tree.Modal != c.modal || !strings.Contains(tree.Tree, "Really?") {
				t.Errorf("modal %t, the tree is\n%s", tree.Modal, tree.Tree)
			}
			s, _, err := p.Look(t.Context(), 0)
			tb.must(err)
			if strings.Contains(s.VisibleText, "Blue ones") == c.modal || !strings.Contains(s.VisibleText, "Really?") {
				t.Errorf("the text is %q", s.VisibleText)
			}
		})
	}
}

// Words of two elements that touch in the page's text and not on the screen are two.
func TestWordsApart(t *testing.T) {
	tb := open(t, `<p><span>Work</span><span style="margin-left:12px">Minutes</span><p><b>Wo</b>rd <i>let</i><i>ters</i><p><span style="padding-right:1em">Row</span><span>12</span>
		<div style="display:flex;gap:9px"><span>One</span><span>Two</span></div><p style="letter-spacing:8px"><b>S</b><b>P</b></p>`)
	s, _, err := pagecontext.New(tb, 0).Look(t.Context(), 0)
	tb.must(err)
	if want := "Work Minutes Word letters Row 12 One Two SP"; s.VisibleText != want {
		t.Errorf("the text is %q, want %q", s.VisibleText, want)
	}
}

// A star in a row that is pressed as a whole is in the tree as in the list.
func TestStarInATree(t *testing.T) {
	tb := open(t, `<style>.row,.star{cursor:pointer}</style><main><div class=row><span class=star title="Star">★</span><b>Ida</b> Invoice for May, sent today</div><div class=row><span class=star title="Star">★</span><b>Tom</b> Rent for the month of June</div></main>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	tree, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{})
	tb.must(err)
	stars := 0
	for _, e := range l.Elements {
		if e.Tag == "span" {
			stars++
			if !strings.Contains(tree.Tree, fmt.Sprintf("[%d]", e.Index)) {
				t.Errorf("no %s in\n%s", pagecontext.FormatRef(e.Index), tree.Tree)
			}
		}
	}
	if stars != 2 {
		t.Errorf("%d stars are listed: %+v", stars, l.Elements)
	}
}

// The box before a backdrop is the dialog, though it does not reach the middle of the view.
func TestDialogBesideItsBackdrop(t *testing.T) {
	const (
		page     = `<main><h1>Members</h1><a href=/a>Behind</a><button>Save</button></main>`
		backdrop = `<div onclick="1" class="modal backdrop" style="position:absolute;inset:0;z-index:50;background:#0008"></div>`
		box      = `<div style="position:relative;z-index:100;width:400px;margin:40px auto;background:#fff"><h4>Delete member account</h4><p>This deletes Ida Lind for good.<p><button id=cancel>Cancel</button><button>Delete member</button></div>`
	)
	tb := newTab(t)
	for name, html := range map[string]string{
		"in one layer": page + `<div style="position:absolute;inset:0;z-index:1000;pointer-events:none"><div style="position:absolute;inset:0;pointer-events:auto">` + backdrop + box + `</div></div>`,
		"on the page":  page + backdrop + `<div style="position:absolute;top:0;left:0;right:0;z-index:60">` + box + `</div>`,
	} {
		tb.goTo("<body>" + html)
		s, _, err := pagecontext.New(tb, 0).Look(t.Context(), 0)
		tb.must(err)
		if got := strings.Join(s.Overlays, ", "); got != "Delete member account" {
			t.Errorf("%s: open is %q", name, got)
		}
		if got := found(tb, "#cancel").Target.Dialog; got != "Delete member account" {
			t.Errorf("%s: Cancel stands in the dialog %q", name, got)
		}
	}
	tb.goTo("<body>" + page + backdrop)
	s, _, err := pagecontext.New(tb, 0).Look(t.Context(), 0)
	tb.must(err)
	if got := strings.Join(s.Overlays, ", "); strings.Contains(got, "Members") {
		t.Errorf("a page behind a bare backdrop is called its dialog: %q", got)
	}
}
