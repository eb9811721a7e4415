package pagecontext_test

import (
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
