package effect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
)

// kind is what a change is: a new button, a text that is gone.
type kind struct{ head, noun string }

// changed heads the count of what is neither new nor gone.
const changed = "changed "

// Rest counts changes by kind.
type Rest map[kind]int

func (r *Rest) add(k kind, n int) {
	if *r == nil {
		*r = Rest{}
	}
	(*r)[k] += n
}

func kindOfChange(c page.Change) kind {
	return kindOf(c.Kind, c.Role, c.ID != 0 || c.From != "", c.ID != 0 || c.To != "")
}

// kindOf returns the kind of a change of that role; from and to say whether it has a former
// and a new value.
func kindOf(change, role string, from, to bool) kind {
	k := kind{changed, "item"}
	if role != "" {
		k.noun = pagecontext.RoleWord(&pagecontext.Element{Role: role})
	}
	switch change {
	case "added":
		k.head = New
	case "removed":
		k.head = Gone
	case "text":
		if role == "" {
			k.noun = "text"
		}
		if !from {
			k.head = New
		} else if !to {
			k.head = Gone
		}
	}
	return k
}

// words says what the changes are that are left out, all in number: ": new 9 texts, 3 buttons, gone 2 links".
// Those that were not counted by kind come last.
func (r Rest) words(all int) string {
	var out []string
	for _, head := range []string{changed, New, Gone} {
		if of := r.of(head); of != "" {
			out = append(out, strings.Replace(head, ":", "", 1)+of)
		}
	}
	if len(out) == 0 {
		return ""
	}
	for _, n := range r {
		all -= n
	}
	if all > 0 {
		out = append(out, fmt.Sprint(all, " of other kinds"))
	}
	return ": " + strings.Join(out, ", ")
}

// of counts the changes with a head, most first: 9 texts, 3 buttons.
func (r Rest) of(head string) string {
	kinds := slices.DeleteFunc(slices.Collect(maps.Keys(r)), func(k kind) bool { return k.head != head })
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Or(r[b]-r[a], cmp.Compare(a.noun, b.noun)) })
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = HowMany(r[k], k.noun)
	}
	return strings.Join(out, ", ")
}
