package effect

import (
	"slices"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
)

// isView tells whether the list says it better than single changes: the act asked for
// another page, new controls would be left out, or much of another view is new.
func (t *telling) isView(e page.Effects) bool {
	if t.Travels {
		return true
	}
	if e.Part == nil {
		return false
	}
	came, untold := 0, 0
	for s, told := range t.inOrder() {
		if s.head != New || s.of == nil {
			continue
		}
		if came++; !told {
			untold++
		}
	}
	return untold > 0 || came > shownChanges && e.More > 0 || !t.inPlace(e) && came > 0 && len(t.list)+e.More > shownChanges
}

// inPlace tells whether the page still shows the same view.
func (t *telling) inPlace(e page.Effects) bool {
	return t.Stays && !slices.ContainsFunc(e.Changes, func(c page.Change) bool { return c.Kind == "view" })
}

// partAnew sets the part that the list should describe.
func (t *telling) partAnew(e page.Effects) {
	if t.out.Part == "" && e.Part != nil {
		t.out.Part = pagecontext.FormatRef(t.Page.IndexOf(t.f, *e.Part))
	}
}

// view tells only the most important changes of a view, and which part of it changed.
func (t *telling) view(e page.Effects) {
	other := !t.inPlace(e)
	t.list = slices.DeleteFunc(t.list, func(s said) bool { return s.rank > viewRank && !s.apart || other && s.count && !s.apart })
	t.end()
	if !slices.ContainsFunc(t.list, func(s said) bool { return s.apart }) {
		t.out.More, t.out.Rest = 0, nil
	}
	t.partAnew(e)
	named := func(c page.Change) bool {
		return c.Kind == "view" || c.Kind == "added" && (c.Role == "dialog" || c.ID == 0 && c.Rank == noticeRank)
	}
	if e.Part != nil && !slices.ContainsFunc(e.Changes, named) {
		t.out.Parts = append(t.out.Parts, "much of the page is new")
	}
}
