package standin

import (
	"regexp"
	"strconv"
	"strings"
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
	elementLine = regexp.MustCompile(`^\s*\[(\d+)\]\s+([A-Za-z][\w-]*)(?:\s+(.*))?$`)
	withoutRole = regexp.MustCompile(`^\[(\d+)\]() *(.*)$`)
	headingLine = regexp.MustCompile(`^-{2,}\s*(.*?)\s*(?:-{2,})?$|^#{1,6}\s+(.*)$`)
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
	var roles []string // of the row above
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
			continue
		}
		row := inRow(line)
		if elementLine.FindString(row[0]) == "" && (len(roles) == 0 || withoutRole.FindString(row[0]) == "") {
			continue
		}
		first := ""
		for i, part := range row {
			m := elementLine.FindStringSubmatch(part)
			if m == nil { // its role stands in the row above
				m = withoutRole.FindStringSubmatch(part)
			}
			if m == nil {
				continue
			}
			role := m[2]
			if role == "" && len(roles) == len(row) {
				role = roles[i]
			} else if role == "" && len(o.Lines) > 0 {
				role = o.Lines[len(o.Lines)-1].Role
			}
			index, err := strconv.Atoi(m[1])
			if err != nil {
				continue
			}
			name, rest := quoted(m[3])
			if i == 0 {
				first = name
			} else if len(row) > 1 && first != "" { // what the first of a row is called is not said again in it
				name = strings.ReplaceAll(name, "~", first)
			}
			o.Lines = append(o.Lines, Line{Index: index, Role: role, Name: name, Rest: rest, Group: group})
			row[i] = role
		}
		roles = row
	}
	return o
}

// inRow takes a line apart that has several elements, each behind a |.
func inRow(line string) []string {
	var out []string
	from, within := 0, false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && within:
			i++
		case line[i] == '"':
			within = !within
		case !within && strings.HasPrefix(line[i:], "|["):
			out = append(out, line[from:i])
			from = i + len("|")
		}
	}
	return append(out, line[from:])
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
