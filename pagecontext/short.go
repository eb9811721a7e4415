package pagecontext

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minCounted is how many elements, called by numbers one after another, are
	// one line: cell "1" to "35" (index = number + 6). Their names have at most
	// countedName characters.
	minCounted  = 6
	countedName = 24
)

// held tells whether what is said of an element goes with its role: it is the
// same for those behind or below that are written without a role.
func held(state string) bool {
	return state == "collapsed" || state == "popup" || state == "draggable" || state == "aria-hidden" ||
		strings.HasPrefix(state, "type=") || strings.HasPrefix(state, "secret=")
}

// kindOf is an element's role with what goes with it.
func kindOf(e *Element) string { return kindBy(e, withoutImplied(e, states(e), "")) }

// kindBy is kindOf for an element of which it is known what is said. That it is
// expanded does not go with its role, but keeps what can be neither from having
// the role without saying it.
func kindBy(e *Element, said []string) string {
	kind := roleWord(e)
	for _, s := range said {
		if held(s) || s == "expanded" {
			kind += " " + s
		}
	}
	return kind
}

// goesOn tells whether an element that is written without a role can have that of
// a kind before it: the role is the same, and all that goes with it is so of the
// element too. What is so of the element alone it says itself; one that is expanded
// says by that that it is not collapsed, and one that could be is not after it.
func goesOn(before, kind string, e *Element) bool {
	role, with, _ := strings.Cut(before, " ")
	own, holds, _ := strings.Cut(kind, " ")
	if role != own {
		return false
	}
	for w := range strings.FieldsSeq(with) {
		opens := e.Expanded != nil && (w == "expanded" || w == "collapsed" && *e.Expanded)
		if !hasWord(holds, w) && !opens {
			return false
		}
	}
	return true
}

func hasWord(words, w string) bool {
	for one := range strings.FieldsSeq(words) {
		if one == w {
			return true
		}
	}
	return false
}

// withoutImplied leaves out what is so unless something else is said: that a
// combobox, or what opens a popup, is closed, and that a password's field is of
// that type; and what goes with the role of the kind that stands before.
func withoutImplied(e *Element, said []string, before string) []string {
	return slices.DeleteFunc(said, func(s string) bool {
		return held(s) && hasWord(before, s) || s == "type=password" && slices.Contains(said, "secret=password") ||
			s == "collapsed" && (e.Role == "combobox" || slices.Contains(said, "popup"))
	})
}

// isPlain tells whether a name can stand without quotes in a short list, where it
// goes on until the next bar or the first word of ours: it does not begin with a
// digit, holds nothing that a line is made of or that looks so, and no word of it is
// one of ours, in whatever letters and with whatever signs around it.
func isPlain(name string) bool {
	if name == "+" { // beside "−", which is plain
		return true
	}
	for i, r := range name {
		switch {
		case r < 0x80:
			if at := plainSigns[r]; at == 0 || at == 2 && i == 0 {
				return false
			}
		case likeOurs(r):
			return false
		case unicode.In(r, unicode.L, unicode.M), unicode.In(r, unicode.P, unicode.S):
		case i > 0 && unicode.In(r, unicode.Nd):
		default:
			return false
		}
	}
	first := true
	for w := range strings.FieldsFuncSeq(name, func(r rune) bool { return r != '-' && !isWord(r) }) {
		if w = strings.ToLower(strings.Trim(w, "-")); stateWords[w] || first && roleWords[w] {
			return false
		}
		first = false
	}
	return name != ""
}

// likeOurs tells whether a sign looks like one that a line is made of: bars, the
// brackets of an index, equals signs, quotes and arrows.
func likeOurs(r rune) bool {
	return strings.ContainsRune("｜＝［］＂＞│┃❘∣ǀ︱¦➔➜", r) ||
		r >= 0x2190 && r <= 0x21ff || r >= 0x27f0 && r <= 0x27ff || r >= 0x2900 && r <= 0x297f
}

// plainSaid is how many columns of what is said behind a key stand without quotes: of
// more it is easily missed where it ends.
const plainSaid = 24

// plainly writes what a field holds, or what an element stands beside, without quotes
// where it can stand so, as a name does, and is short; a digit may be its first.
func plainly(said string) string {
	key, words, ok := strings.Cut(said, "=")
	if words = strings.Trim(words, `"`); ok && (key == "value" || key == "near") && words != "" && columns(words) <= plainSaid && isPlain("x "+words) {
		return key + "=" + words
	}
	return said
}

// plainSigns are the ASCII ones that a name without quotes may have: anywhere (1),
// or behind its first (2).
var plainSigns = func() (at [0x80]byte) {
	for r := range at {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', strings.ContainsRune("#@$", rune(r)):
			at[r] = 1
		case r >= '0' && r <= '9', strings.ContainsRune(" .,!?&'/:;%+-_*()"+saidFirst, rune(r)):
			at[r] = 2
		}
	}
	return at
}()

// stateWords and roleWords are what a name without quotes could be taken for.
var (
	stateWords = setOf("checked mixed pressed selected expanded collapsed popup draggable aria-hidden current required invalid disabled")
	roleWords  = setOf("alert alertdialog application area article audio banner blockquote button canvas caption cell checkbox clickable code " +
		"columnheader combobox complementary contentinfo definition deletion dialog directory document element emphasis embed feed figure form " +
		"generic grid gridcell group heading iframe image img input insertion label link list listbox listitem log main marquee math menu menubar " +
		"menuitem menuitemcheckbox menuitemradio meter navigation none note object option paragraph presentation progressbar radio radiogroup " +
		"region row rowgroup rowheader scrollbar search searchbox select separator slider spinbutton status strong subscript summary superscript " +
		"switch tab table tablist tabpanel term textarea textbox time timer toolbar tooltip tree treegrid treeitem video")
)

// IsStateWord tells whether a word of a line says a state, such as checked.
func IsStateWord(w string) bool { return stateWords[w] }

// IsRoleWord tells whether a word of a line, its first one, says a role.
func IsRoleWord(w string) bool { return roleWords[w] }

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// numbered takes a name apart at its first number: "Page ", 2, " of 9".
func numbered(name string) (before string, n int, after string, ok bool) {
	from := strings.IndexAny(name, "0123456789")
	if from < 0 || utf8.RuneCountInString(name) > countedName {
		return "", 0, "", false
	}
	to := from
	for to < len(name) && name[to] >= '0' && name[to] <= '9' {
		to++
	}
	n, err := strconv.Atoi(name[from:to])
	return name[:from], n, name[to:], err == nil && strconv.Itoa(n) == name[from:to]
}

// counted gives how many elements a run begins with that are alike, have indices
// one after another, and are called by numbers one after another; 0 where those
// are too few.
func counted(run []Element) int {
	alone := func(e Element) bool {
		if e.Name == "" || e.Hint != "" || e.Near != "" {
			return false
		}
		e.Href = shortAddress(&e)
		return len(withoutImplied(&e, states(&e), kindOf(&e))) == 0
	}
	before, n, after, ok := numbered(run[0].Name)
	if !ok || !alone(run[0]) {
		return 0
	}
	k := 1
	for ; k < len(run) && run[k].Index == run[0].Index+k && kindOf(&run[k]) == kindOf(&run[0]) && alone(run[k]); k++ {
		if b, m, a, ok := numbered(run[k].Name); !ok || b != before || a != after || m != n+k {
			break
		}
	}
	if k < minCounted {
		return 0
	}
	return k
}

// beforeCounted gives how many of the n elements that a run begins with stand
// before such a row.
func beforeCounted(run []Element, n int) int {
	for k := 1; k < n; k++ {
		if counted(run[k:]) > 0 {
			return k
		}
	}
	return n
}

// countedRow says how the index of each follows from its number.
func countedRow(run []Element) row {
	first, last := &run[0], &run[len(run)-1]
	_, n, _, _ := numbered(first.Name)
	sum := "number"
	if d := first.Index - n; d > 0 {
		sum = fmt.Sprintf("number + %d", d)
	} else if d < 0 {
		sum = fmt.Sprintf("number - %d", -d)
	}
	r := unwritten(first)
	r.stands = len(run)
	r.line = fmt.Sprintf("[%d–%d] %s %s to %s (index = %s)", first.Index, last.Index, kindOf(first), quote(first.Name), quote(last.Name), sum)
	return r
}

// WithoutIndices takes the indices out of what Render writes: another look, or
// another run, may have others for the same elements.
func WithoutIndices(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if counts.MatchString(line) {
			line = counts.ReplaceAllString(line, "")
		} else if lead.MatchString(line) {
			line = withoutBare(lead.ReplaceAllString(line, ""))
		}
		lines[i] = inBrackets.ReplaceAllString(line, " ")
	}
	return strings.Join(lines, "\n")
}

var (
	lead       = regexp.MustCompile(`^\[\d+\]`)
	counts     = regexp.MustCompile(` \(index = number( [+-] \d+)?\)$`)
	inBrackets = regexp.MustCompile(`\[\d+(?:–\d+)?\]`)
	bareIndex  = regexp.MustCompile(`^\|\d+(?: |$)`)
)

// withoutBare takes the indices behind bars out of a line, where those are not
// within quotes.
func withoutBare(line string) string {
	var b strings.Builder
	within := false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && within && i+1 < len(line):
			b.WriteByte(line[i])
			i++
		case line[i] == '"':
			within = !within
		case line[i] == '|' && !within:
			if m := bareIndex.FindString(line[i:]); m != "" {
				b.WriteString("| ")
				i += len(m) - 1
				continue
			}
		}
		b.WriteByte(line[i])
	}
	return b.String()
}
