package pagecontext

import (
	"slices"
	"sort"
)

const (
	// mostLead and leadRows are how many elements and rows above the view may be listed
	// before it.
	mostLead = 24
	leadRows = 3
	// leastTokens is about the least that a line with shortened names takes.
	leastTokens = 6
	// leastFields is how many fields make a form the subject of a page.
	leastFields = 3
)

// markLeads marks the elements that a list of new elements begins with, ahead of their order.
// If some are above the view, these are the first of those (see beginning). Else, if those in
// view do not fit into tokens and half of the tokens would go to what stands before the
// subject of the page, they are the subject: the main part, or else the form.
func markLeads(es []Element, tokens int) {
	var view, above []int
	for i := range es {
		es[i].lead, es[i].order = false, i
		switch layerOf(&es[i]) {
		case layerView:
			view = append(view, i)
		case layerAbove:
			above = append(above, i)
		}
	}
	if len(view) == 0 {
		return
	}
	if len(above) > 0 {
		for _, i := range beginning(es, above) {
			es[i].lead = true
		}
		return
	}
	if tokens == 0 || len(view)*leastTokens <= tokens {
		return
	}
	of := subject(es, view)
	if len(of) == 0 || slices.Index(view, of[0])*leastTokens*2 <= tokens {
		return // there is room for what stands before it
	}
	for _, i := range of {
		es[i].lead = true
	}
}

// beginning returns the first of some elements, up to mostLead and with up to leadRows rows.
func beginning(es []Element, of []int) []int {
	var out []int
	rows := map[int]bool{}
	for _, i := range of {
		if row := es[i].Row; row == 0 || !rows[row] {
			if len(out) >= mostLead || row > 0 && len(rows) == leadRows {
				break
			}
			if row > 0 {
				rows[row] = true
			}
		}
		out = append(out, i)
	}
	return out
}

// subject returns the elements in view of the page's main part or, without one, of its form:
// the fields, what stands between them, and the submit button.
func subject(es []Element, view []int) []int {
	var main, fields []int
	for at, i := range view {
		e := &es[i]
		switch {
		case headingOver(e).kind == "main":
			main = append(main, i)
		case described[e.Role] && e.Role != "searchbox" && !isFraming(e):
			fields = append(fields, at)
		}
	}
	if len(main) > 0 {
		return main
	}
	if len(fields) < leastFields {
		return nil
	}
	from, to := fields[0], fields[len(fields)-1]
	inRow := func(a, b int) bool { return es[view[a]].Row > 0 && es[view[a]].Row == es[view[b]].Row }
	for from > 0 && inRow(from-1, from) {
		from--
	}
	for end := to + 1; end < len(view) && end <= to+leastFields; end++ {
		if es[view[end]].Type == "submit" || inRow(end, to) {
			to = end
		}
	}
	return view[from : to+1]
}

// withoutLeads returns the layers with the leads put back in document order.
func withoutLeads(told [layerCount][]Element) [layerCount][]Element {
	lead := told[layerLead]
	if len(lead) == 0 {
		return told
	}
	to := layerView
	if isAbove(&lead[0]) {
		to = layerAbove
	}
	all := slices.Concat(lead, told[to])
	sort.SliceStable(all, func(i, j int) bool { return all[i].order < all[j].order })
	told[layerLead], told[to] = nil, all
	return told
}
