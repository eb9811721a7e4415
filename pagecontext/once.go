package pagecontext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// A name is told shorter by what the elements right after it, at most
	// partsSpan, are called, where that is leastPart bytes or more.
	partsSpan = 8
	leastPart = 4
	// leastSame is the same for what stands in a row after its first element.
	leastSame = 4
	// longName is how many columns of a name stand in a long list; ownName,
	// where those tell it from the others.
	longName  = 80
	ownName   = 60
	allOfName = 1 << 20
	// againName is how many columns stand of what was said before in a long list,
	// if it has leastAgain or more.
	againName  = 16
	leastAgain = 22
)

// What stands for words of a name: those that the elements within it say, and
// those of the first element of its row.
const (
	saidWithin = "…"
	saidFirst  = "~"
	// likeFirst stands for that sign where a page has it in a name.
	likeFirst = "\u223c"
)

// saidOnce takes out of a run what is told right beside it: of the name of a box
// the names of what is in it, and addresses that say no more than the name does.
// long is telling of the list.
func saidOnce(run []Element, long func(name string) int) []Element {
	out := make([]Element, len(run))
	leads := map[string]string{} // where the links of a name lead; "?" where to several places
	for _, e := range run {
		if to, ok := leads[e.Name]; !ok {
			leads[e.Name] = e.Href
		} else if to != e.Href {
			leads[e.Name] = "?"
		}
	}
	for i, e := range run {
		after := run[i+1 : min(len(run), i+1+partsSpan)]
		e.Name = cutColumns(withoutParts(e.Name, e, after), long(e.Name))
		if e.Name == "" {
			e.Text = withoutParts(e.Text, e, after)
		}
		e.Name, e.Text = strings.ReplaceAll(e.Name, saidFirst, likeFirst), strings.ReplaceAll(e.Text, saidFirst, likeFirst)
		switch {
		case e.Name != "" && leads[run[i].Name] != "?":
			e.Href = shortAddress(&e)
		case !hasText(&e) && leadsBeside(run, i):
			e.Href = ""
		}
		out[i] = e
	}
	return out
}

// beginnings are names by how they begin; "" where several names do so.
type beginnings map[string]string

func (b beginnings) note(begin, name string) {
	if known, ok := b[begin]; !ok {
		b[begin] = name
	} else if known != name {
		b[begin] = ""
	}
}

// only tells whether no other name begins so.
func (b beginnings) only(begin, name string) bool { return b[begin] == name }

// telling gives how many columns of a name are shown: fewer where no other name
// of the list begins with those, all where another begins with longName.
func telling(es []Element) func(name string) int {
	own, long := beginnings{}, beginnings{}
	for _, e := range es {
		own.note(cutColumns(e.Name, ownName), e.Name)
		long.note(cutColumns(e.Name, longName), e.Name)
	}
	return func(name string) int {
		switch {
		case own.only(cutColumns(name, ownName), name):
			return ownName
		case long.only(cutColumns(name, longName), name):
			return longName
		default:
			return allOfName
		}
	}
}

// said is what a list says of elements and headings.
type said struct {
	before map[string]bool // what was said so far
	begins beginnings      // by againName columns
	heads  beginnings      // headings by as much of them as is shown
	room   int             // for a heading, in columns
}

func newSaid(parts []section, short bool) *said {
	s := &said{before: map[string]bool{}, begins: beginnings{}, heads: beginnings{}, room: longHeading}
	if short {
		s.room = shortHeading
	}
	for _, p := range parts {
		name := p.headName(short)
		s.heads.note(cutColumns(name, s.room), name)
	}
	for _, p := range parts {
		s.note(s.heading(p.headName(short)))
		for _, r := range p.rows {
			for _, e := range r.es {
				s.note(e.Name)
				if e.Name == "" {
					s.note(e.Text) // else it is not shown
				}
				s.note(cut(e.Near, nearest))
			}
		}
	}
	return s
}

func (s *said) note(name string) { s.begins.note(shortly(name), name) }

// shortly is what is left of a name that was said before.
func shortly(name string) string { return cutColumns(name, againName) }

// heading gives as much of a heading as there is room for, or all of it where
// another one begins so.
func (s *said) heading(name string) string {
	if begin := cutColumns(name, s.room); s.heads.only(begin, name) {
		return begin
	}
	return name
}

// again gives the beginning of a name that was said before, if it is long, no
// other begins so and no figure is in the rest; else all of it.
func (s *said) again(name string) string {
	if name == "" || !s.before[name] {
		s.before[name] = true
		return name
	}
	b := shortly(name)
	if columns(name) < leastAgain || !s.begins.only(b, name) || strings.ContainsFunc(name[len(strings.TrimSuffix(b, saidWithin)):], unicode.IsNumber) {
		return name
	}
	return b
}

// shorten leaves of what the elements of rows are called the beginning, where it
// was said before. What a field is called stands there in full.
func (s *said) shorten(rows []row) {
	for _, r := range rows {
		for i, e := range r.es {
			if fields[e.Role] {
				s.before[shownName(&e)] = true
				continue
			}
			r.es[i].Name = s.again(e.Name)
			r.es[i].Near = s.again(cut(e.Near, nearest))
		}
	}
}

func hasText(e *Element) bool { return e.Name != "" || e.Text != "" }

// leadsBeside tells whether a link without a name, a picture, leads where the
// named one right beside it does.
func leadsBeside(run []Element, i int) bool {
	for _, k := range []int{i - 1, i + 1} {
		if k >= 0 && k < len(run) && run[k].Href == run[i].Href && run[k].Href != "" && hasText(&run[k]) {
			return true
		}
	}
	return false
}

// withoutParts takes out of the name of a box what the elements in it, those
// that follow one after another, are called. A name that was cut short within
// those of what follows, as a list's by its options, is nothing but them.
func withoutParts(name string, box Element, after []Element) string {
	name = onceSaid(name)
	if begun, ok := strings.CutSuffix(name, saidWithin); ok && len(begun) >= longWords {
		all := ""
		for _, e := range after {
			if all = strings.TrimSpace(all + " " + e.Name); strings.HasPrefix(all, begun) {
				return saidWithin
			}
		}
	}
	for _, e := range after {
		if !box.Rect.holdsMiddle(e.Rect) {
			break
		}
		if len(e.Name) >= leastPart && len(e.Name) < len(name) {
			name = replaced(name, e.Name, saidWithin)
		}
	}
	name = strings.ReplaceAll(name, saidWithin+" "+saidWithin, saidWithin)
	// At its ends the mark says nothing that the elements after it don't.
	if left := strings.TrimSuffix(strings.TrimPrefix(name, saidWithin+" "), " "+saidWithin); len(left) >= longWords {
		return left
	}
	return name
}

// within shortens a name by what the first of its row is called: "Add ~" in the
// row of "Blue mug".
func within(name, first string) string {
	first = strings.Trim(first, " "+saidWithin)
	if len(first) < leastSame || len(first) > len(name) || strings.Contains(name, saidFirst) || strings.Contains(first, saidWithin) {
		return name
	}
	return replaced(name, first, saidFirst)
}

// replaced puts a mark in the place of part, in any case of its letters, where
// it stands between words.
func replaced(name, part, mark string) string {
	at := strings.Index(name, part)
	if at < 0 && sameLower(name, part) {
		at = strings.Index(strings.ToLower(name), strings.ToLower(part))
	}
	if at < 0 {
		return name
	}
	end := at + len(part)
	before, _ := utf8.DecodeLastRuneInString(name[:at])
	behind, _ := utf8.DecodeRuneInString(name[end:])
	if at > 0 && isWord(before) && !isWide(before) || end < len(name) && isWord(behind) && !isWide(behind) {
		return name
	}
	return name[:at] + mark + name[end:]
}

// sameLower tells whether letters take the same room in lower case, so that a
// place in the one is a place in the other.
func sameLower(name, part string) bool {
	return len(strings.ToLower(name)) == len(name) && len(strings.ToLower(part)) == len(part)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
