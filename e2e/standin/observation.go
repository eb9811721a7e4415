package standin

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tabwright/pagecontext"
)

// Line is one element of an observation: [12] button "Add to cart" disabled.
type Line struct {
	Index int
	Role  string
	Name  string
	Rest  string // states, value, -> link
	Group string // the heading line it stands under, without its dashes
}

// Observation is what a page looked like to the model.
type Observation struct {
	URL, Title string
	Lines      []Line
	Text       string // the whole text of it
}

var (
	leadIndex   = regexp.MustCompile(`^\[(\d+)\](?: +(.*))?$`)
	bareIndex   = regexp.MustCompile(`^(\d+)(?: (.*))?$`)
	nextIndex   = regexp.MustCompile(`^\|\d+(?: |$)`)
	countedRow  = regexp.MustCompile(`^\[(\d+)–(\d+)\] (.*?)("(?:[^"\\]|\\.)*") to "(?:[^"\\]|\\.)*" \(index = number(?: ([+-]) (\d+))?\)$`)
	goesOn      = regexp.MustCompile(`^(?:collapsed|popup|draggable|aria-hidden|(?:type|secret)=[\w-]+)$`)
	inQuotes    = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	keyWord     = regexp.MustCompile(`^(?:type|secret|value|placeholder|desc|options|near|hint)=`)
	roleLike    = regexp.MustCompile(`^[a-z][\w-]*$`)
	headingLine = regexp.MustCompile(`^-{2,}\s*(.*?)\s*(?:-{2,})?$|^#{1,6}\s+(.*)$`)
	manyFrames  = regexp.MustCompile(`^frames (\d[\d–, ]*?)( \(\S+\))?(?:, a line each|，每个一行)`)
	pageFence   = regexp.MustCompile(`(?s)<<<page (\S+)\n(.*?)\n(\S+) page>>>`)
)

// Observe reads the newest observation of a conversation: the page of the
// last user or tool message that holds one.
func Observe(conv Conversation) Observation {
	for i := len(conv.Messages) - 1; i >= 0; i-- {
		m := conv.Messages[i]
		if m.Role != "user" && m.Role != "tool" {
			continue
		}
		if o := ParseObservation(m.Text); o.URL != "" || len(o.Lines) > 0 {
			return o
		}
	}
	return Observation{}
}

// ParseObservation reads the lines of an observation. Where the text marks
// the page off (<<<page … page>>>), only the last such part counts.
func ParseObservation(text string) Observation {
	if all := pageFence.FindAllStringSubmatch(text, -1); len(all) > 0 {
		text = all[len(all)-1][2]
	}
	o := Observation{Text: text}
	group := ""
	var frames []string // of which the lines below have one each
	var kinds []string  // of the row above
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if v, ok := strings.CutPrefix(trimmed, "URL: "); ok && o.URL == "" {
			o.URL = v
			continue
		}
		if v, ok := strings.CutPrefix(trimmed, "Title: "); ok && o.Title == "" {
			o.Title = v
			continue
		}
		if m := headingLine.FindStringSubmatch(trimmed); m != nil {
			group = m[1] + m[2]
			frames = framesOf(group)
			continue
		}
		var row []Line
		if m := countedRow.FindStringSubmatch(trimmed); m != nil {
			row, kinds = countedLines(m), nil
		} else {
			row, kinds = rowLines(trimmed, kinds)
		}
		if len(row) > 0 && len(frames) > 0 {
			group, frames = frames[0], frames[1:]
		}
		for _, l := range row {
			l.Group = group
			o.Lines = append(o.Lines, l)
		}
	}
	return o
}

// framesOf gives the frames that a line over several of them names: frames 1–3, 6
// (pay.example), a line each.
func framesOf(group string) []string {
	m := manyFrames.FindStringSubmatch(group)
	if m == nil {
		return nil
	}
	var out []string
	for one := range strings.SplitSeq(m[1], ", ") {
		from, to, _ := strings.Cut(one, "–")
		first, _ := strconv.Atoi(from)
		last, err := strconv.Atoi(to)
		if err != nil {
			last = first
		}
		for n := first; n <= last && len(out) < 1000; n++ {
			out = append(out, "frame "+strconv.Itoa(n)+m[2])
		}
	}
	return out
}

// rowLines reads a line of one or several elements. above are the roles, with what
// goes with them, of the elements of the line above: a line that begins without a
// role has those, each in its place, until one says its own; else an element has that
// of the one before.
func rowLines(line string, above []string) (row []Line, kinds []string) {
	parts := inRow(line)
	first, places := "", false
	for i, part := range parts {
		form := bareIndex
		if i == 0 {
			form = leadIndex
		}
		m := form.FindStringSubmatch(part)
		if m == nil {
			return nil, above // none of the list
		}
		index, err := strconv.Atoi(m[1])
		if err != nil {
			return nil, above
		}
		l, kind := element(m[2])
		switch {
		case kind != "":
			places = false
		case i == 0 && len(above) > 0:
			kind, places = above[0], true
		case i == 0:
			return nil, above // no role anywhere
		case places && i < len(above):
			kind = above[i]
		default:
			kind = kinds[i-1]
		}
		role, held, _ := strings.Cut(kind, " ")
		said := inQuotes.ReplaceAllString(l.Rest, `""`)
		for _, w := range strings.Fields(said) { // what it says itself goes on as well
			if goesOn.MatchString(w) && !hasWord(held, w) {
				held = strings.TrimSpace(held + " " + w)
			}
		}
		if hasWord(said, "expanded") {
			held = strings.Join(slices.DeleteFunc(strings.Fields(held), func(w string) bool { return w == "collapsed" }), " ")
		}
		kind = strings.TrimSpace(role + " " + held)
		l.Index, l.Role = index, role
		for _, w := range strings.Fields(held) {
			if !hasWord(said, w) {
				l.Rest = strings.TrimSpace(l.Rest + " " + w)
			}
		}
		if i == 0 {
			first = l.Name
		} else if first != "" { // what the first of a row is called is not said again in it
			l.Name = strings.ReplaceAll(l.Name, "~", first)
		}
		row, kinds = append(row, l), append(kinds, kind)
	}
	return row, kinds
}

// element reads what stands behind an index: a role, which may be left out, a name
// in quotes or without them, and what else is known.
func element(s string) (l Line, role string) {
	word, rest, _ := strings.Cut(s, " ")
	if roleLike.MatchString(word) && !pagecontext.IsStateWord(word) && (pagecontext.IsRoleWord(word) || strings.HasPrefix(rest, `"`)) {
		role, s = word, strings.TrimSpace(rest)
	}
	word, _, _ = strings.Cut(s, " ")
	switch {
	case strings.HasPrefix(s, `"`):
		l.Name, l.Rest = quoted(s)
	case s == "", strings.HasPrefix(s, "("), word == "->", keyWord.MatchString(word), pagecontext.IsStateWord(word):
		l.Rest = s
	default:
		l.Name, l.Rest = untilOurs(s)
	}
	return l, role
}

// untilOurs takes a name without quotes apart from what is said behind it: it ends
// before the first word of ours.
func untilOurs(s string) (name, rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		word, _, _ := strings.Cut(s[i+1:], " ")
		if word == "->" || keyWord.MatchString(word) || pagecontext.IsStateWord(word) {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// inRow takes a line apart that has several elements, each behind a | and with
// its index.
func inRow(line string) []string {
	var out []string
	from, within := 0, false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && within:
			i++
		case line[i] == '"':
			within = !within
		case !within && line[i] == '|' && nextIndex.MatchString(line[i:]):
			out = append(out, line[from:i])
			from = i + len("|")
		}
	}
	return append(out, line[from:])
}

// countedLines reads a line that stands for elements called by numbers.
func countedLines(m []string) []Line {
	from, err := strconv.Atoi(m[1])
	last, err2 := strconv.Atoi(m[2])
	plus, _ := strconv.Atoi(m[6])
	if err != nil || err2 != nil || last < from || last-from > 10_000 {
		return nil
	}
	if m[5] == "-" {
		plus = -plus
	}
	name, _ := quoted(m[4])
	role, held, _ := strings.Cut(strings.TrimSpace(m[3]), " ")
	var out []Line
	for i := from; i <= last; i++ {
		out = append(out, Line{Index: i, Role: role, Rest: held, Name: strings.Replace(name, strconv.Itoa(from-plus), strconv.Itoa(i-plus), 1)})
	}
	return out
}

// quoted takes the quoted name off the front of s.
func quoted(s string) (name, rest string) {
	if !strings.HasPrefix(s, `"`) {
		return "", strings.TrimSpace(s)
	}
	if q, err := strconv.QuotedPrefix(s); err == nil {
		if name, err = strconv.Unquote(q); err == nil {
			return name, strings.TrimSpace(s[len(q):])
		}
	}
	if end := strings.LastIndexByte(s, '"'); end > 0 {
		return s[1:end], strings.TrimSpace(s[end+1:])
	}
	return s[1:], ""
}

// Find gives the first line of a role (any if empty) whose name contains all
// words, whatever their case.
func (o Observation) Find(role string, words ...string) (Line, bool) {
	all := o.FindAll(role, words...)
	if len(all) == 0 {
		return Line{}, false
	}
	return all[0], true
}

// FindAll gives all such lines.
func (o Observation) FindAll(role string, words ...string) []Line {
	var out []Line
	for _, l := range o.Lines {
		if role != "" && l.Role != role {
			continue
		}
		name, all := strings.ToLower(l.Name), true
		for _, w := range words {
			all = all && strings.Contains(name, strings.ToLower(w))
		}
		if all {
			out = append(out, l)
		}
	}
	return out
}

// Disabled says that the element can't be used.
func (l Line) Disabled() bool {
	for _, w := range strings.Fields(l.Rest) {
		if w == "disabled" {
			return true
		}
	}
	return false
}
