package pagecontext

import (
	"fmt"
	"slices"
	"strings"
)

// leastTogether is how many frames stand under one heading, a line each; of fewer the
// headings of their own are shorter.
const leastTogether = 3

// together puts frames of a short list that follow one another, each of which is a
// line under a heading that says nothing but the frame, under one heading.
func together(parts []section) []section {
	var out []section
	for i := 0; i < len(parts); {
		j := i + 1
		for j < len(parts) && isLine(&parts[i]) && isBeside(parts[i:j], &parts[j]) {
			j++
		}
		if j-i < leastTogether {
			out = append(out, parts[i:j]...)
			i = j
			continue
		}
		s := parts[i]
		s.rows = nil
		for _, p := range parts[i:j] {
			s.frames = append(s.frames, p.first)
			s.rows = append(s.rows, p.rows...)
		}
		markItems(s.rows)
		out = append(out, s)
		i = j
	}
	return out
}

// isLine tells whether a section is a line of a frame, under no name.
func isLine(s *section) bool {
	return s.first.Frame != "" && !s.first.Overlay && s.kind == "page" && s.headName(true) == "" && len(s.rows) == 1
}

// isBeside tells whether a section is the line of another frame of the same host as
// those before it.
func isBeside(before []section, s *section) bool {
	return isLine(s) && s.away == "" && s.layer == before[0].layer && frameHost(s.first) == frameHost(before[0].first) &&
		!slices.ContainsFunc(before, func(b section) bool { return b.first.Frame == s.first.Frame })
}

// markItems finds the lines that are made alike, as those of one list are.
func markItems(rows []row) {
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[i].es != nil && slices.EqualFunc(rows[i].es, rows[j].es, func(a, b Element) bool { return a.Role == b.Role }) {
			j++
		}
		for k := i; k < j && j-i >= minRows; k++ {
			rows[k].item = true
		}
		i = j
	}
}

// framesOf is the line over frames that stand together: frames 1–3, 6 (pay.example).
func (h *headings) framesOf(first []Element) string {
	var numbers []string
	for i := 0; i < len(first); {
		j, n := i, h.number(first[i])
		for ; j+1 < len(first) && h.number(first[j+1]) == n+j+1-i; j++ {
		}
		if j > i {
			numbers = append(numbers, fmt.Sprintf("%d–%d", n, n+j-i))
		} else {
			numbers = append(numbers, fmt.Sprint(n))
		}
		i = j + 1
	}
	return "frames " + strings.Join(numbers, ", ") + h.newHost(first[0])
}
