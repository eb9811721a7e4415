// Package recall measures how many of the elements that a user could operate in a page's
// viewport are in the text that a model reads. Parse reads the text line by line. It knows
// only the format in docs/elements.md, not the program that writes the text. InView finds the
// elements in view, by Chromium's accessibility tree and hit testing.
package recall

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Line is one element as the text tells of it.
type Line struct {
	Index int
	Role  string
	Name  string
	Rest  string // value, states, address
	Group string // the heading line that it stands under, without its marks
	Row   string // the words of the row that it stands in, or is
	Below bool   // under "## below the fold"
}

var (
	headingLine = regexp.MustCompile(`^#{1,6}\s+(.*)$`)
	elementLine = regexp.MustCompile(`^(- )?([a-z][\w-]*)( .*)? \[(\d+)\]:?$`)
	rowLine     = regexp.MustCompile(`^- [a-z][\w-]*(?: (.*))?$`)
	gridLine    = regexp.MustCompile(`^- row(?: ("(?:[^"\\]|\\.)*"))?: ([a-z][\w-]*) (".*\[\d+\])$`)
	gridCell    = regexp.MustCompile(`^("(?:[^"\\]|\\.)*")((?: [^"\[]*(?:"(?:[^"\\]|\\.)*")?)*?) \[(\d+)\](?: |$)`)
)

// Parse reads the elements of a text.
func Parse(text string) []Line {
	var out []Line
	group, row, below := "", "", false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if m := headingLine.FindStringSubmatch(trimmed); m != nil {
			group, row = m[1], ""
			below = below || strings.HasPrefix(group, "below the fold") || strings.HasPrefix(group, "视口之外")
			continue
		}
		if m := gridLine.FindStringSubmatch(trimmed); m != nil {
			name, _ := cutName(m[1])
			row = name // of what else is in it
			for _, l := range cells(m[2], m[3]) {
				l.Group, l.Row, l.Below = group, name, below
				out = append(out, l)
				row = strings.TrimSpace(row + " " + l.Name)
			}
			continue
		}
		if m := elementLine.FindStringSubmatch(trimmed); m != nil {
			l := Line{Role: m[2], Group: group, Below: below}
			l.Name, l.Rest = cutName(strings.TrimSpace(m[3]))
			l.Index, _ = strconv.Atoi(m[4])
			switch {
			case m[1] != "":
				row = l.Name
			case !strings.HasPrefix(line, " "):
				row = ""
			}
			l.Row = row
			out = append(out, l)
		} else if m := rowLine.FindStringSubmatch(trimmed); m != nil {
			row, _ = cutName(m[1])
		}
	}
	return out
}

// IsDisabled says that the element can't be used.
func (l Line) IsDisabled() bool { return slices.Contains(strings.Fields(l.Rest), "disabled") }

// Value is what a field holds.
func (l Line) Value() string { return l.said(" value=") }

// Placeholder is what an empty field shows.
func (l Line) Placeholder() string { return l.said(" placeholder=") }

func (l Line) said(what string) string {
	_, rest, _ := strings.Cut(" "+l.Rest, what)
	v, _ := cutName(rest)
	return v
}

// cells reads a row of alike cells: "1" [5] "2" selected [6].
func cells(role, text string) []Line {
	var out []Line
	for m := gridCell.FindStringSubmatch(text); m != nil; m = gridCell.FindStringSubmatch(text) {
		l := Line{Role: role, Rest: strings.TrimSpace(m[2])}
		l.Name, _ = cutName(m[1])
		l.Index, _ = strconv.Atoi(m[3])
		out = append(out, l)
		text = text[len(m[0]):]
	}
	return out
}

// cutName takes the quoted name off the front of s.
func cutName(s string) (name, rest string) {
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
