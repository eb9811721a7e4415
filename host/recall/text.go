// Package recall measures how much of what a user could operate in a page's viewport
// stands in the text that a model reads of it. The text is read line by line by Parse,
// which knows docs/elements.md and nothing of the program that writes it; what is in
// view says InView, from Chromium's accessibility tree and by hit testing.
package recall

import (
	"regexp"
	"strconv"
	"strings"
)

// Line is one element as the text tells of it.
type Line struct {
	Index int
	Role  string
	Name  string
	Rest  string // value, states, address
	Below bool   // under "## below the fold"
}

var (
	endIndex = regexp.MustCompile(`^(.*?) ?\[(\d+)\]:?$`)
	gridLine = regexp.MustCompile(`^- row(?: "(?:[^"\\]|\\.)*")?: ([a-z][\w-]*) (".*\[\d+\])$`)
	gridCell = regexp.MustCompile(`("(?:[^"\\]|\\.)*"[^"\[\]]*?) \[(\d+)\]`)
)

// Parse reads the elements of a text.
func Parse(text string) []Line {
	var out []Line
	below := false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "## ") {
			below = below || strings.HasPrefix(line, "## below the fold") || strings.HasPrefix(line, "## 视口之外")
			continue
		}
		for _, l := range elements(line) {
			l.Below = below
			out = append(out, l)
		}
	}
	return out
}

// elements reads one line: one element, or a row of cells each with an index.
func elements(line string) []Line {
	if m := gridLine.FindStringSubmatch(line); m != nil {
		return cells(m[1], m[2])
	}
	m := endIndex.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	l, ok := element(strings.TrimPrefix(m[1], "- "))
	if !ok {
		return nil
	}
	l.Index, _ = strconv.Atoi(m[2])
	return []Line{l}
}

// cells reads the cells of a row of a grid.
func cells(role, text string) []Line {
	var out []Line
	for _, c := range gridCell.FindAllStringSubmatch(text, -1) {
		if l, ok := element(role + " " + c[1]); ok {
			l.Index, _ = strconv.Atoi(c[2])
			out = append(out, l)
		}
	}
	return out
}

// element reads a role, a name in quotes and what else is said.
func element(s string) (Line, bool) {
	role, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	if role == "" || strings.ContainsAny(role, `"[]:`) {
		return Line{}, false
	}
	l := Line{Role: role, Rest: rest}
	if q, err := strconv.QuotedPrefix(rest); err == nil && strings.HasPrefix(rest, `"`) {
		if l.Name, err = strconv.Unquote(q); err != nil {
			l.Name = strings.Trim(q, `"`)
		}
		l.Rest = strings.TrimSpace(rest[len(q):])
	}
	return l, true
}
