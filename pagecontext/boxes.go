package pagecontext

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// A list that is cut writes up to mostBoxes boxes (see boxRoles) in a run; of a longer
	// run only the first firstBoxes.
	mostBoxes  = 12
	firstBoxes = 8
)

// boxRoles are the roles of boxes: elements that a user ticks or chooses in a group.
var boxRoles = map[string]bool{"checkbox": true, "radio": true, "switch": true, "option": true, "menuitemcheckbox": true, "menuitemradio": true}

// boxRun returns how many boxes of one kind and group a list begins with. A box in a row must
// be alone in it, and its name must say the row's text.
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

// isSet tells whether a box has a state or value other than off.
func isSet(e *Element) bool {
	return len(slices.DeleteFunc(states(e, detail{}, 0), func(s string) bool { return s == "off" })) > 0
}

// run writes elements that stand together; of a long run of boxes of one kind the first ones
// and those with a state, the others as a count.
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
		folded, at := 0, firstBoxes // tells keep the order of the list: folded ones go with the next written
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
