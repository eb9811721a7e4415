package pagecontext_test

import (
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// What is new begins with its tools and first rows though it is scrolled, and with its form
// though a tree of links stands before that; its cursors tell the rest, each element once.
func TestNewListBeginsWithWhatMatters(t *testing.T) {
	const rows = `<script>for(let i=0;i<60;i++)document.write('<tr style="height:40px"><td><input type=checkbox aria-label=Select><td><a href=/c/'+i+'>Customer '+i+'</a><td>Oslo '+i+'<td><button>Edit</button> <button>Copy</button> <button>Delete</button>')</script>`
	const tree = `<ul style="column-count:8;font-size:10px;margin:0"><script>for(let i=0;i<300;i++)document.write('<li><a href=/t/'+i+'>Table '+i+'</a>')</script></ul>`
	const types = `<select aria-label=Type><option>INT<option>VARCHAR<option>TEXT<option>DATE<option>UUID</select>`
	const form = `<form><table><tr><td><input aria-label=Name><td>` + types + `<td><input aria-label=Length><tr><td><input aria-label=Name><td>` + types + `<td><input aria-label=Length></table><button>Save</button></form>`
	for name, tt := range map[string]struct {
		page, begins string
		has          []string
	}{
		"a scrolled table": {
			`<div id=m style="height:500px;overflow:auto"><div><button>Filter</button> <input aria-label="Search customers"></div><table>` + rows + `</table></div><script>document.getElementById('m').scrollTop=1200</script>`,
			"## above the view\n## page\nbutton \"Filter\" [1]\ntextbox \"Search customers\" [2]\n- row \"Customer 0 Oslo 0\"\n",
			[]string{"- row \"Customer 2 Oslo 2\"", "## in view\n## page\n- row \"Customer 28 Oslo 28\"\n"},
		},
		"a form behind a tree": {
			tree + form,
			"## page\n- row \"1 of 2\"\n  textbox \"Name\" [301]\n  combobox \"Type\" value=\"INT\" options=\"INT|VARCHAR|TEXT|DATE|UUID\" [302]\n",
			[]string{`  combobox "Type" value="INT" options=as [302] [305]`, "button \"Save\" [307]\n## page\nlink \"Table 0\""},
		},
		"a main part behind a tree": {tree + "<main><h1>Goods</h1><button>Add</button></main>", "## main: Goods\nbutton \"Add\" [301]\n## page\nlink \"Table 0\"", nil},
		"a form that fits":          {`<p><a href=/>Home</a></p>` + form, "## page\nlink \"Home\"", nil},
	} {
		tb := open(t, tt.page)
		p := pagecontext.New(tb, 0)
		l, err := p.Elements(t.Context(), pagecontext.Query{Fresh: true, Cut: 600, Budget: 2400})
		tb.must(err)
		text := p.RenderList(l, pagecontext.RenderOptions{Budget: 600, TextOnly: true})
		if !strings.HasPrefix(text, tt.begins) {
			t.Errorf("%s begins:\n%s", name, text[:min(len(text), 800)])
		}
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
		told := map[int]int{}
		for calls := 0; calls < 20; calls++ {
			for _, e := range l.Elements {
				told[e.Index]++
			}
			if l.NextCursor == "" {
				break
			}
			l, err = p.Elements(t.Context(), pagecontext.Query{Cursor: l.NextCursor})
			tb.must(err)
			p.RenderList(l, pagecontext.RenderOptions{Budget: 600, TextOnly: true})
		}
		for i, n := range told {
			if n != 1 {
				t.Errorf("%s: [%d] was told %d times", name, i, n)
			}
		}
		if len(told) != l.Total {
			t.Errorf("%s: %d of %d were told", name, len(told), l.Total)
		}
	}
}
