package pagecontext_test

import (
	"fmt"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// TestFirstLookCounts: of the many controls below what a first look lists only
// some are looked at. What it lists is exact all the same, and the numbers of
// what it leaves out are those of the whole list, wherever style sheets can be
// seen to tell one from another.
func TestFirstLookCounts(t *testing.T) {
	const rows, first = 600, 80
	page := func(style, row, after string) string {
		return `<style>.none{clip-path:inset(50%)}.faint{color:#fff}.hid{visibility:hidden}.clear{opacity:0}` + style + `</style><h1>Rows</h1><ul></ul>` + after + `<script>
			let html = "";
			for (let i = 0; i < ` + fmt.Sprint(rows) + `; i++) html += ` + row + `;
			document.querySelector("ul").innerHTML = html;
		</script>`
	}
	const row = "`<li><a href=\"/r/${i}\">Row ${i}</a></li>`"
	tb := newTab(t)
	for _, c := range []struct {
		name, page  string
		gone, there string // names that may not, and must, be listed
		exact       bool
	}{
		{name: "all alike", page: page("", row, ""), there: "Row 60", exact: true},
		{name: "some hidden by class", page: page("", "`<li><a href=\"/r/${i}\" class=\"${['', '', 'none', 'faint', 'hid', 'clear'][i % 6]}\">Row ${i}</a></li>`", ""), gone: "Row 63", there: "Row 60", exact: true},
		{name: "some by the class of what is around them", page: page("", "`<li class=\"${['', 'none', 'hid', 'clear'][i % 4]}\"><a href=\"/r/${i}\">Row ${i}</a></li>`", ""), gone: "Row 61", there: "Row 60", exact: true},
		{name: "some by their own style", page: page("", "`<li style=\"${i % 2 ? 'opacity:0' : ''}\"><a href=\"/r/${i}\">Row ${i}</a></li>`", ""), gone: "Row 61", there: "Row 60", exact: true},
		{name: "by where it stands among its like", page: page("li:nth-child(61) a{color:#fff}", row, ""), gone: "Row 60", there: "Row 61"},
		{name: "in view from the end of the page", page: page("", row, `<footer><p><a href="#">Imprint</a> <a href="#" style="position:fixed;bottom:9px;right:9px">Top</a></p></footer>`), there: "Top", exact: true},
		{name: "in view by the box before it", page: page("li div{display:none}:checked~div{display:block}:checked:enabled~div{position:fixed;left:9px;top:9px;background:#fff}",
			"`<li><input type=checkbox${i === 300 ? ' checked' : i % 100 ? '' : ' checked disabled'}> <div><button>First ${i}</button> <button>Second ${i}</button></div></li>`", ""), there: "Second 300"},
		{name: "clickable boxes", page: page("", "`<li><div onclick=\"0\">Do ${i} <b tabindex=0>now</b></div></li>`", ""), there: "now", exact: true},
	} {
		tb.goTo(c.page)
		sum := inWorld[struct {
			List struct {
				Elements []pagecontext.RawElement
				Left     struct{ InView, Below, Above int }
			}
			Counts struct{ Links int }
		}](tb, fmt.Sprintf(`__tabwright.summary({first: %d})`, first))
		whole := inWorld[slicedList](tb, `__tabwright.list({})`)
		names := map[string]int{}
		for _, e := range sum.List.Elements {
			names[e.Name]++
			if whole.names()[e.Name] == 0 {
				t.Errorf("%s: %q is listed first, and not in the whole list", c.name, e.Name)
			}
		}
		if c.gone != "" && names[c.gone] > 0 || names[c.there] == 0 {
			t.Errorf("%s: %q is listed %d times, %q %d times", c.name, c.gone, names[c.gone], c.there, names[c.there])
		}
		left := sum.List.Left
		if n := len(sum.List.Elements) + left.InView + left.Below + left.Above; left.Below+left.Above < 30 || c.exact && n != len(whole.Elements) {
			t.Errorf("%s: %d are listed, and %+v left, of %d", c.name, len(sum.List.Elements), left, len(whole.Elements))
		}
		if links := strings.Count(c.page, "onclick"); c.exact && links == 0 && sum.Counts.Links != len(whole.Elements) {
			t.Errorf("%s: %d links are counted of %d", c.name, sum.Counts.Links, len(whole.Elements))
		}
	}
}
