package pagecontext_test

import (
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// TestDrawnSwitches: a track with a knob in it that a class calls a switch is one switch,
// called by the words beside it; whether it is on is told by a class or by its knob.
func TestDrawnSwitches(t *testing.T) {
	const style = `<style>.row{display:flex;justify-content:space-between;padding:8px}
.toggle-switch{width:40px;height:20px;border-radius:10px;background:#ccc;position:relative;cursor:pointer}
.toggle-knob{position:absolute;left:2px;top:2px;width:16px;height:16px;border-radius:8px;background:#fff}.active>.toggle-knob{left:22px}
.switch{width:44px;height:24px;cursor:pointer}.switch-track{width:44px;height:24px;border-radius:12px;background:#ccc;position:relative}
.switch-track::after{content:"";position:absolute;left:2px;top:2px;width:20px;height:20px;background:#fff}.moved .switch-track::after{transform:translateX(20px)}
.menu-toggle{display:block;width:40px;height:24px;cursor:pointer}.menu-toggle i{display:block;width:14px;height:14px;background:#999}
label.real{position:relative;display:inline-block;width:44px;height:24px}label.real input{opacity:0;width:0;height:0}label.real .toggle{position:absolute;inset:0;background:#ccc}</style><body>`
	row := func(words, control string) string {
		return `<div class=row><div><b>` + words + `</b><p>More of it.</p></div>` + control + `</div>`
	}
	knob := func(class string) string {
		return `<div class="toggle-switch ` + class + `"><div class=toggle-knob></div></div>`
	}
	tb := open(t, style+row("News", knob("active"))+row("Mail", knob(""))+
		row("Sound", `<div class="switch moved"><div class=switch-track></div></div>`)+row("Light", `<div class=switch><div class=switch-track></div></div>`)+
		row("Menu", `<a class=menu-toggle><i></i></a>`)+row("Real", `<label class=real>Real<input type=checkbox checked><span class=toggle></span></label>`)+
		row("Said", `<div class=toggle-switch role=switch aria-checked=true aria-label=Said tabindex=0><div class=toggle-knob></div></div>`))
	want := []string{`switch "News" on`, `switch "Mail" off`, `switch "Sound" on`, `switch "Light" off`, `checkbox "Real" checked`, `switch "Said" on`}
	p := pagecontext.New(tb, 0)
	lines := func(text string) []string {
		var out []string
		for line := range strings.Lines(pagecontext.WithoutIndices(text)) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "switch") || strings.HasPrefix(line, "checkbox") || strings.Contains(line, "knob") {
				out = append(out, line)
			}
		}
		return out
	}
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	if got := lines(p.RenderList(l, pagecontext.RenderOptions{})); !slices.Equal(got, want) {
		t.Errorf("list:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	tree, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{})
	tb.must(err)
	if got := lines(tree.Tree); !slices.Equal(got, want) {
		t.Errorf("tree:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestMenusWithoutScript: a transparent box over words opens the list beside it; it is
// a button with these words, open or not, and what is drawn for it is not listed too.
func TestMenusWithoutScript(t *testing.T) {
	tb := open(t, `<style>nav{position:relative;float:left;padding:8px;cursor:pointer}nav input{position:absolute;inset:0;z-index:1;opacity:0;width:100%;height:100%;margin:0;cursor:pointer}
.body{position:absolute;top:100%;visibility:hidden}input:checked~.body{visibility:visible}</style>
<nav aria-label=Actions><input type=checkbox role=button aria-haspopup=true aria-labelledby=more><label id=more><span>More</span></label><div class=body><a href=#move>Move</a> <a href=#delete>Delete</a></div></nav>`)
	p := pagecontext.New(tb, 0)
	list := func() string {
		l, err := p.Elements(t.Context(), pagecontext.Query{})
		tb.must(err)
		return pagecontext.WithoutIndices(p.RenderList(l, pagecontext.RenderOptions{}))
	}
	if got := list(); !strings.Contains(got, "\nbutton \"More\" popup") || strings.Contains(got, "navigation \"") {
		t.Errorf("closed:\n%s", got)
	}
	tb.js(`document.querySelector("input").checked = true`)
	if got := list(); !strings.Contains(got, "button \"More\" checked popup") || !strings.Contains(got, "link \"Move\"") {
		t.Errorf("open:\n%s", got)
	}
}
