package standin

import (
	"regexp"
	"strconv"
	"strings"
)

// Line is one element of an observation: button "Add to cart" disabled [12].
type Line struct {
	Index int
	Role  string
	Name  string
	Rest  string // value, states, → address
	Group string // the heading line it stands under, without its marks
	Row   string // the words of the row that it stands in, or is
}

// Observation is what a page looked like to the model.
type Observation struct {
	URL, Title string
	Lines      []Line
	Text       string // the whole text of it
}

var (
	headingLine = regexp.MustCompile(`^#{1,6}\s+(.*)$`)
	elementLine = regexp.MustCompile(`^(- )?([a-z][\w-]*)( .*)? \[(\d+)\]$`)
	rowLine     = regexp.MustCompile(`^- [a-z][\w-]*(?: |$)`)
	gridLine    = regexp.MustCompile(`^- row(?: ("(?:[^"\\]|\\.)*"))?: ([a-z][\w-]*) (".*\])$`)
	gridCell    = regexp.MustCompile(`^("(?:[^"\\]|\\.)*")((?: [^"\[]*(?:"(?:[^"\\]|\\.)*")?)*?) \[(\d+)\](?: |$)`)
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
	group, row := "", ""
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
			group, row = m[1], ""
			continue
		}
		if m := gridLine.FindStringSubmatch(trimmed); m != nil {
			label, _ := quoted(m[1])
			o.cells(m[2], m[3], group, label)
			continue
		}
		m := elementLine.FindStringSubmatch(trimmed)
		if m == nil {
			if rowLine.MatchString(trimmed) {
				_, rest, _ := strings.Cut(strings.TrimPrefix(trimmed, "- "), " ")
				row, _ = quoted(rest)
			}
			continue
		}
		l := Line{Role: m[2], Group: group}
		l.Name, l.Rest = quoted(strings.TrimSpace(m[3]))
		l.Index, _ = strconv.Atoi(m[4])
		switch {
		case m[1] != "":
			row = l.Name
		case !strings.HasPrefix(line, " "):
			row = ""
		}
		l.Row = row
		o.Lines = append(o.Lines, l)
	}
	return o
}

// cells reads a row of alike cells: "1" [5] "2" selected [6].
func (o *Observation) cells(role, cells, group, row string) {
	for cells != "" {
		m := gridCell.FindStringSubmatch(cells)
		if m == nil {
			return
		}
		l := Line{Role: role, Rest: strings.TrimSpace(m[2]), Group: group, Row: row}
		l.Name, _ = quoted(m[1])
		l.Index, _ = strconv.Atoi(m[3])
		o.Lines = append(o.Lines, l)
		cells = cells[len(m[0]):]
	}
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
