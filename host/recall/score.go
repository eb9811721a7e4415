package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tabwright/pagecontext"
)

// Miss is an element in view that the text does not tell of as it is.
type Miss struct {
	Kind string `json:"kind"` // absent, name or role
	How  string `json:"how"`  // why it counts: native, role, tabindex, pointer
	Tag  string `json:"tag"`
	Role string `json:"role"`
	Name string `json:"name"`
	Text string `json:"text,omitempty"` // what the text says of it instead
}

// Score is how much of what is in view the text tells of.
type Score struct {
	InView int `json:"inView"`
	// Told have a line with their role and name, case and white space aside.
	Told int `json:"told"`
	// Listed have a line with their index, of which Named say their name.
	Listed int    `json:"listed"`
	Named  int    `json:"named"`
	Missed []Miss `json:"missed,omitempty"`
}

// Compare holds the lines of a text against what is in view. nodes says which node
// the index of a line stands for.
func Compare(view []Element, lines []Line, nodes map[int]int64) Score {
	s := Score{InView: len(view)}
	own := map[int64]int{}
	for i, l := range lines {
		if n, ok := nodes[l.Index]; ok {
			own[n] = i
		}
	}
	used := make([]bool, len(lines))
	told := make([]bool, len(view))
	tells := func(e Element, l Line) bool { return roleTold(e, l) && nameTold(e, l) }
	for k, e := range view { // each its own line first, so that alike ones don't take each other's
		if i, ok := own[e.Node]; ok && tells(e, lines[i]) {
			used[i], told[k] = true, true
		}
	}
	for k, e := range view {
		for i, l := range lines {
			if !told[k] && !used[i] && tells(e, l) {
				used[i], told[k] = true, true
			}
		}
		i, listed := own[e.Node]
		if listed {
			s.Listed++
			if nameTold(e, lines[i]) {
				s.Named++
			}
		}
		if told[k] {
			s.Told++
			continue
		}
		m := Miss{Kind: "absent", How: e.How, Tag: e.Tag, Role: e.Role, Name: clip(e.Name)}
		if listed {
			m.Kind, m.Text = "role", lines[i].Role+` "`+clip(lines[i].Name)+`"`
			if !nameTold(e, lines[i]) {
				m.Kind = "name"
			}
		}
		s.Missed = append(s.Missed, m)
	}
	return s
}

// roleTold: of what Chromium's tree has no role of a control for, any will do.
func roleTold(e Element, l Line) bool { return e.Role == "" || strings.EqualFold(e.Role, l.Role) }

// nameTold compares names. A long one may be told by its beginning, or by that and its end; one that is only
// what is shown, as Chromium's tree has none, by a part of it.
func nameTold(e Element, l Line) bool {
	want, got := bare(e.Name), bare(l.Name)
	switch {
	case want == got || want == "":
		return true
	case strings.Contains(l.Rest, "placeholder=") && bare(l.Placeholder()) == want: // beside a label that Chromium's tree has not
		return true
	case strings.Contains(l.Name, "…"):
		begun, end, _ := strings.Cut(l.Name, "…")
		begun, end = bare(begun), bare(end)
		return utf8.RuneCountInString(begun+end) >= 30 && strings.HasPrefix(want, begun) && strings.HasSuffix(want, end)
	}
	return !e.Heard && got != "" && (strings.Contains(want, got) || strings.Contains(got, want))
}

func same(a, b string) bool { return bare(a) == bare(b) }

// bare leaves the letters of a name that can be read: no case, no white space, no
// glyphs of icon fonts, no ellipsis at its end.
func bare(s string) string {
	return strings.TrimSuffix(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s)), "...")
}

func clip(s string) string { return pagecontext.Cut(s, 81) }
