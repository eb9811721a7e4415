package pagecontext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// Controls of one role and name are told apart by the words of their rows, cards and
// chips; where nothing tells them apart, nothing is said.
func TestNamesakes(t *testing.T) {
	tb := newTab(t)
	month := func(name string, days int) string {
		b := strings.Builder{}
		b.WriteString("<div><div>" + name + "</div><table><thead><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su<tbody>")
		for d := 1; d <= days; d++ {
			if d%7 == 1 {
				b.WriteString("<tr>")
			}
			fmt.Fprintf(&b, "<td><button>%d</button>", d)
		}
		return b.String() + "</table></div>"
	}
	titled := func(from string) string {
		b := strings.Builder{}
		b.WriteString("<table><tr>")
		for d := 20; d < 23; d++ {
			fmt.Fprintf(&b, `<td role=gridcell tabindex=0 title=%s-%d>%d</td>`, from, d, d)
		}
		return b.String() + "</table>"
	}
	mail := func(from, subject string) string {
		return "<div class=r><input type=checkbox aria-label=Select><span class=star title=Star>☆</span><span>" + from + "</span><span><b>" + subject + "</b> " +
			strings.Repeat("and so on ", 30) + "</span></div>"
	}
	for _, c := range []struct {
		name, html string
		of         string // the name of those that are asked about
		want       []string
	}{
		{
			"rows of a list", `<ul><li>Apple <button>Remove</button><li>Apple pie <button>Remove</button><li>Fig <button>Remove</button></ul>`,
			"Remove",
			[]string{"Apple", "Apple pie", "Fig"},
		},
		{
			"cards with headings of their own", `<div><div><div>New</div><h3>Blue mug</h3><p>$4.00<button>Buy</button></div><div><div>New</div><h3>Red mug</h3><p>$5.00<button>Buy</button></div></div>`,
			"Buy",
			[]string{"", ""},
		}, // told by the headings of the list
		{
			"cards without", `<div><div><p>Blue mug<p>$4.00<p><button>Buy</button></div><div><p>Red mug<p>$5.00<p><button>Buy</button></div></div>`,
			"Buy",
			[]string{"Blue mug", "Red mug"},
		},
		{
			"chips with the label before", `<p><span><b>Red</b><button aria-label=Remove>x</button></span><span><b>Blue</b><button aria-label=Remove>x</button></span></p>`,
			"Remove",
			[]string{"Red", "Blue"},
		},
		{
			"chips with the label after", `<p><span><button aria-label=Remove>x</button><b>North</b></span><span><button aria-label=Remove>x</button><b>South</b></span></p>`,
			"Remove",
			[]string{"North", "South"},
		},
		{
			"labels and controls side by side", `<p><label>North</label><button>Remove</button><label>South</label><button>Remove</button></p>`,
			"Remove",
			[]string{"North", "South"},
		},
		{
			"a table's rows, by the first cell", `<table><tr><td>1<td>Kim Lee<td>Paid<td><button>Edit</button><button>Delete</button><tr><td>2<td>Ann Ray<td>Paid<td><button>Edit</button><button>Delete</button></table>`,
			"Delete",
			[]string{"1 Kim Lee", "2 Ann Ray"},
		},
		{
			"a table's rows, by th", `<table><tr><td>1<th scope=row>Kim<td><button>Edit</button><tr><td>2<th scope=row>Ann<td><button>Edit</button></table>`,
			"Edit",
			[]string{"1 Kim", "2 Ann"},
		},
		{
			"actions that are links", `<table><tr><td>Kim<td><a href=/u/17/edit>Edit</a><tr><td>Ann<td><a href=/u/18/edit>Edit</a></table>`,
			"Edit",
			[]string{"Kim", "Ann"},
		},
		{"links to one place, by which a script acts on their rows", `<table><tr><td>Kim<td><a href=/u>Edit</a><tr><td>Ann<td><a href=/u>Edit</a></table>`, "Edit", []string{"Kim", "Ann"}},
		{"links to one place in one row", `<table><tr><td>Kim<td><a href=/u>Edit</a><td><a href=/u>Edit</a></table>`, "Edit", []string{"", ""}},
		{
			"names that come again, by more of the row", `<table><tr><td>Kim<td>Berlin<td><button>Edit</button><tr><td>Kim<td>Paris office on the hill<td><button>Edit</button></table>`,
			"Edit",
			[]string{"Kim Berlin", "Kim Paris"},
		},
		{
			"a list in each of several", `<div><section><p>Monday<ul><li>Apple <button>Remove</button><li>Pear <button>Remove</button></ul></section><section><p>Tuesday<ul><li>Apple <button>Remove</button><li>Pear <button>Remove</button></ul></section></div>`,
			"Remove",
			[]string{"Apple, Monday", "Pear, Monday", "Apple, Tuesday", "Pear, Tuesday"},
		},
		{
			"columns that are compared", `<table><tr><td><th>Basic<th>Plus<tr><td><td><button>Buy</button><td><button>Buy</button></table>`,
			"Buy",
			[]string{"Basic", "Plus"},
		},
		{
			"what the same words head, far from each other", `<div><div><p>Column Value</p><div style="height:200px"></div><button>Go</button></div><div><p>Column Value</p><div style="height:200px"></div><button>Go</button></div><div><p>All of it</p><button>Go</button></div></div>`,
			"Go",
			[]string{"Column Value (1 of 2)", "Column Value (2 of 2)", "All of it"},
		},
		{"two months", "<div>" + month("May 2026", 31) + month("June 2026", 30) + "</div>", "30", []string{"May 2026", "June 2026"}},
		{"days with dates", "<div>" + titled("2026-05") + titled("2026-06") + "</div>", "20", []string{"2026-05", "2026-06"}},
		{
			"columns of hours and minutes", `<div><ul data-type=hour><li><div role=button>00</div></ul><ul data-type=minute><li><div role=button>00</div></ul></div>`,
			"00",
			[]string{"hour", "minute"},
		},
		{
			"long rows that begin alike", `<ul><li>A stand for headphones of oiled oak with a long holder in red <button>Add</button><li>A stand for headphones of oiled oak with a long holder in blue <button>Add</button></ul>`,
			"Add",
			[]string{"…red", "…blue"},
		},
		{
			"rows that can be pressed, of more than one reads", `<style>.r{cursor:pointer;display:flex}</style>` + mail("Ruben Vega", "Minutes") + mail("Ida Lund", "Rota") + mail("Ruben Vega", "Keys"),
			"Select",
			[]string{"Ruben Vega Minutes", "Ida Lund", "Ruben Vega Keys"},
		},
		{"signs in them", `<style>.r{cursor:pointer;display:flex}</style>` + mail("Ruben Vega", "Minutes") + mail("Ida Lund", "Rota"), "Star", []string{"Ruben Vega", "Ida Lund"}},
		{"signs in those of one sender", `<style>.r{cursor:pointer;display:flex}</style>` + mail("Ida Lund", "Minutes") + mail("Ida Lund", "Rota"), "Star", []string{"Ida Lund Minutes", "Ida Lund Rota"}},
		{
			"a button of one row only is no word of it", `<table><tr><td><button>Edit</button><button>Delete</button><td>Kim Lee<tr><td><button>Edit</button><td>Ann Ray</table>`,
			"Edit",
			[]string{"Kim Lee", "Ann Ray"},
		},
		{
			"choices in the rows of a form", `<table><tr><td>Everyday account<td><label><input type=radio name=a> Paper</label><td><label><input type=radio name=a> Online</label><tr><td>Savings<td><label><input type=radio name=b> Paper</label><td><label><input type=radio name=b> Online</label></table>`,
			"Online",
			[]string{"Everyday", "Savings"},
		},
		{
			"choices without a name, called by their columns, by their rows", `<table><tr><th>Account<th>Paper<th>Online<tr><td>Everyday account<td><input type=radio name=a><td><input type=radio name=a><tr><td>Savings<td><input type=radio name=b><td><input type=radio name=b></table>`,
			"Online",
			[]string{"Everyday", "Savings"},
		},
		{
			"boxes before the actions of their rows", `<table><tr><td><input type=checkbox><td><a href=/e>Edit</a><td>Kim Lee<tr><td><input type=checkbox><td><a href=/e>Edit</a><td>Ann Ray</table>`,
			"",
			[]string{"Kim Lee", "Ann Ray"},
		},
		{"equal words everywhere", `<ul><li>Apple <button>Remove</button><li>Apple <button>Remove</button></ul>`, "Remove", []string{"", ""}},
		{"no words at all", `<p><button>Remove</button><button>Remove</button></p>`, "Remove", []string{"", ""}},
		{"what stands in no rows", `<header>Shop <div><button>Search</button></div></header><article>Words of it <p><button>Search</button></article>`, "Search", []string{"", ""}},
		{"one alone, in a row that can be pressed", `<ul><li onclick="">Apple <button>Remove</button><li onclick="">Pear</ul>`, "Remove", []string{"Apple"}},
		{"one alone", `<ul><li>Apple <button>Remove</button><li>Pear</ul>`, "Remove", []string{""}},
	} {
		tb.goTo("<body>" + c.html + "</body>")
		l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{})
		var got []string
		for _, e := range l.Elements {
			if e.Name == c.of {
				got = append(got, e.Near)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}

	// What is looked for is found by the words of its row.
	tb.goTo(`<ul><li>Apple <button>Remove</button><li>Pear <button>Remove</button></ul>`)
	l := do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{"query": "remove pear"})
	if len(l.Elements) != 1 || l.Elements[0].Near != "Pear" {
		t.Errorf("query: %+v", l.Elements)
	}
}
