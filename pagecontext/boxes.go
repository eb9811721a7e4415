package pagecontext

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// mostBoxes is how many boxes to tick are told of one group where a list is cut,
	// firstBoxes how many of more than that.
	mostBoxes  = 12
	firstBoxes = 8
)

// boxRoles are the roles of what is chosen from a group.
var boxRoles = map[string]bool{"checkbox": true, "radio": true, "switch": true, "option": true, "menuitemcheckbox": true, "menuitemradio": true}

// boxRun says how many boxes of one kind a list begins with that say no more than their
// names, in no row but their own.
func (o *outline) boxRun(es []Element) int {
	if !o.boxes {
		return 0
	}
	n := 0
	for n < len(es) && isLike(&es[0], &es[n]) && es[n].Group == es[0].Group && es[n].Frame == es[0].Frame {
		if row := es[n].Row; row > 0 && row <= len(o.rows) {
			if n+1 < len(es) && es[n+1].Row == row || n > 0 && es[n-1].Row == row || !saysWords(shownName(&es[n]), o.rows[row-1].Text) {
				break
			}
		}
		n++
	}
	return n
}

func isLike(a, b *Element) bool { return boxRoles[a.Role] && a.Role == b.Role && shownName(b) != "" }

// isSet tells whether there is more to say of a box than that it is there and not ticked.
func isSet(e *Element) bool {
	return len(slices.DeleteFunc(states(e, detail{}, 0), func(s string) bool { return s == "off" })) > 0
}

// run writes elements that stand together; of more than a few boxes of one kind the first,
// and those that say more than their name.
func (o *outline) run(es []Element, depth int, inRow bool, over string) {
	for len(es) > 0 {
		n := 1
		for o.boxes && n < len(es) && isLike(&es[0], &es[n]) {
			n++
		}
		if n <= mostBoxes {
			n = 1
			o.element(es[:n], depth, inRow, nil)
			es = es[n:]
			continue
		}
		folded, at := 0, firstBoxes // what is told lies in the order of the list
		for i := range n {
			if i >= firstBoxes && !isSet(&es[i]) {
				folded++
				continue
			}
			o.element(es[i:i+1], depth, inRow, nil)
			o.entries[len(o.entries)-1].tells = es[min(at, i) : i+1]
			at = max(at, i+1)
		}
		if folded > 0 {
			o.put(entry{text: strings.Repeat("  ", depth) + fmt.Sprintf("… %d more %s (getElements scope=%s)", folded, RoleWord(&es[0]), over), tells: es[at:n]})
		}
		es = es[n:]
	}
}
