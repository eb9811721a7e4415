package action

import (
	"slices"
	"strings"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
)

// isView says that so much is new that the list says it better: it was asked for another
// page, controls that came would not be told, or much of another view.
func (t *telling) isView(e page.Effects) bool {
	if t.w.r.spec.Family == travelFamily {
		return true
	}
	if e.Part == nil {
		return false
	}
	came, untold := 0, 0
	for s, told := range t.inOrder() {
		if s.head != isNew || s.of == nil {
			continue
		}
		if came++; !told {
			untold++
		}
	}
	return untold > 0 || came > shownChanges && e.More > 0 || !t.inPlace(e) && came > 0 && len(t.list)+e.More > shownChanges
}

// inPlace says that the page shows what it showed, as far as that is not another view.
func (t *telling) inPlace(e page.Effects) bool {
	return samePlace(t.w.at, t.w.r.tab.MainURL()) && !slices.ContainsFunc(e.Changes, func(c page.Change) bool { return c.Kind == "view" })
}

// samePlace says that two addresses are of one view, whatever is asked of it.
func samePlace(a, b string) bool {
	bare := func(u string) string {
		page, place, _ := strings.Cut(u, "#")
		page, _, _ = strings.Cut(page, "?")
		place, _, _ = strings.Cut(place, "?")
		return page + "#" + place
	}
	return bare(a) == bare(b)
}

// view tells of what is new in a view only what matters first, and which part shows
// something else.
func (t *telling) view(e page.Effects) {
	other := !t.inPlace(e)
	t.list = slices.DeleteFunc(t.list, func(s said) bool { return s.rank > viewRank || other && s.count })
	t.end()
	t.out.more = 0
	if t.out.part == "" && e.Part != nil {
		t.out.part = pagecontext.FormatRef(t.w.r.page.IndexOf(t.f, *e.Part))
	}
	if e.Part != nil && !slices.ContainsFunc(e.Changes, func(c page.Change) bool { return c.Kind == "view" || c.Role == "dialog" && c.Kind == "added" }) {
		t.out.parts = append(t.out.parts, "much of the page is new")
	}
}
