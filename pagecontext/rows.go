package pagecontext

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// A pattern of roles of at most maxPeriod elements that comes at least
	// minRows times is written a line a time. Elements of one role stand
	// perLine on a line; where they are fewer than minAlike, only before a
	// pattern.
	maxPeriod = 10
	minRows   = 3
	minAlike  = 4
	perLine   = 8
	// nearSpan is how many elements back the words may be that an element
	// stands beside.
	nearSpan = 10
	// longWords is how many bytes of words are not found somewhere by chance.
	longWords = 12
)

// staysUnder tells whether layer[k] still stands under the heading of the
// section that layer[i] began. A group within it whose name its own first
// element, or the one before it, says already needs no heading: in a list of
// articles each link is followed by the controls of "its" region.
func staysUnder(layer []Element, i, k int) bool {
	head, before, e := layer[i], layer[k-1], layer[k]
	if e.Frame != head.Frame {
		return false
	}
	if e.Group == head.Group || e.Group == before.Group {
		return true
	}
	kind, name, ok := strings.Cut(Flatten(e.Group), ": ")
	above, _, _ := strings.Cut(Flatten(head.Group), ": ")
	return ok && !e.Overlay && kind == above && (says(before, name) || says(e, name))
}

// says tells whether an element's name is all that a heading would say.
func says(e Element, heading string) bool {
	name := Flatten(e.Name)
	if name == "" {
		name = Flatten(e.Text)
	}
	n, h := utf8.RuneCountInString(name), utf8.RuneCountInString(heading)
	return n > 3 && h > 0 && (strings.Contains(name, heading) && 2*h >= n || strings.HasPrefix(heading, name) && 2*n >= h)
}

// withoutRepeats takes away the words that an element stands beside where the
// element after it, or one of the few before it, says them just as well.
func withoutRepeats(run []Element) []Element {
	out := slices.Clone(run)
	last := ""
	for i := range out {
		near := bareWords(out[i].Near)
		if near == "" || !hasWords(out[i]) {
			continue
		}
		told := strings.HasPrefix(last, near)
		for k := max(0, i-nearSpan); k < min(len(run), i+2) && !told; k++ {
			name := bareWords(onceSaid(run[k].Name))
			told = k != i && (strings.HasPrefix(name, near) || len(near) >= longWords && strings.Contains(name, near) ||
				len(name) > 5 && strings.HasPrefix(near, name))
		}
		if told {
			out[i].Near = ""
		} else {
			last = near
		}
	}
	return out
}

// bareWords is what words are compared by: letters and digits only.
func bareWords(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// onceSaid takes away the first words of a name that says them twice: a
// picture's text and the words below it, in one link.
func onceSaid(s string) string {
	for i := range s {
		if s[i] == ' ' && i > 3 && strings.HasPrefix(s[i+1:], s[:i]) {
			if rest := s[i+1+i:]; rest == "" || rest[0] == ' ' {
				return s[i+1:]
			}
		}
	}
	return s
}

// joined writes elements that come in a pattern (a link, a price field and a
// button, over and over) a line each time, with each number before what it
// stands for. Roles stand in the first such line; the lines below it have the
// same, and so have elements of one role on one line.
func joined(run []Element) []row {
	var out []row
	run = saidOnce(run)
	single := func(es []Element) {
		for _, e := range es {
			out = append(out, rowOf(e))
		}
	}
	for i := 0; i < len(run); {
		p, n := pattern(run[i:])
		if skip := beginning(run, i, p, n); skip > 0 {
			single(run[i : i+skip])
			i += skip
			continue
		}
		switch {
		case n == 0:
			single(run[i : i+1])
			i++
		case p == 1:
			if n < minAlike {
				n = beforePattern(run[i:], n)
			}
			if n < minAlike && fields[run[i].Role] {
				single(run[i : i+n])
				i += n
				continue
			}
			for end, from := i+n, i; i < end; {
				k := min(i+perLine, end)
				out = append(out, joinedRow(run[i:k], i > from, true))
				i = k
			}
		default:
			for k := range n {
				out = append(out, joinedRow(run[i:i+p], k > 0, false))
				i += p
			}
		}
	}
	return out
}

// fields are what a form is made of: a few of them have a line each.
var fields = map[string]bool{"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "slider": true, "listbox": true}

// beforePattern gives how many of the n elements of one role that a run begins
// with stand before a pattern of several roles that begins among them.
func beforePattern(run []Element, n int) int {
	for k := 1; k < n; k++ {
		if p, _ := pattern(run[k:]); p > 1 {
			return k
		}
	}
	return n
}

// pattern gives the length of the roles' pattern that a run begins with and how
// often it comes; n is 0 where there is none worth the name.
func pattern(run []Element) (period, n int) {
	for p := 1; p <= maxPeriod; p++ {
		k := p
		for k < len(run) && run[k].Role == run[k-p].Role {
			k++
		}
		if rows := k / p; (p == 1 && rows > 1 || p > 1 && rows >= minRows) && rows*p > period*n {
			period, n = p, rows
		}
	}
	return period, n
}

// beginning gives how many elements are left of an item that began before
// run[i], where a pattern of period p was found n times: the parts of one item
// take less room together than those of two.
func beginning(run []Element, i, p, n int) int {
	if p < 2 {
		return 0
	}
	end := min(i+n*p+p-1, len(run))
	room := func(skip int) float64 {
		sum, rows := 0.0, 0
		for k := i + skip; k+p <= end; k += p {
			sum, rows = sum+area(run[k:k+p]), rows+1
		}
		return sum / float64(max(rows, 1))
	}
	best, least := 0, room(0)*0.9
	for skip := 1; skip < p; skip++ {
		if a := room(skip); a < least {
			best, least = skip, a
		}
	}
	return best
}

// area is that of the smallest box around elements, in square CSS pixels.
func area(es []Element) float64 {
	r := es[0].Rect
	left, top, right, bottom := r.X, r.Y, r.X+r.Width, r.Y+r.Height
	for _, e := range es[1:] {
		left, top = min(left, e.Rect.X), min(top, e.Rect.Y)
		right, bottom = max(right, e.Rect.X+e.Rect.Width), max(bottom, e.Rect.Y+e.Rect.Height)
	}
	return (right - left) * (bottom - top)
}

// joinedRow writes some elements on one line. known says that the line before
// shows their roles already; alike, that they are all of one role.
func joinedRow(es []Element, known, alike bool) row {
	r := rowOf(es[0])
	r.stands = len(es)
	parts := make([]string, len(es))
	for i, e := range es {
		if !alike && i > 0 {
			e.Name = within(e.Name, es[0].Name)
			if near := bareWords(e.Near); near != "" && strings.Contains(bareWords(es[0].Name), near) {
				e.Near = ""
			}
		}
		e.Href = shortAddress(e)
		if (known || alike && i > 0) && hasWords(e) {
			parts[i] = lineWithoutRole(e)
		} else {
			parts[i] = Line(e)
		}
	}
	r.line = strings.Join(parts, "|")
	return r
}

func hasWords(e Element) bool {
	return e.Name != "" || e.Text != "" || e.Hint != "" || e.Value != "" && e.Role != "button"
}

// shortAddress is where a link of a row leads, as far as it says more than the
// link's name: the other site, or all of it where there is no name.
func shortAddress(e Element) string {
	if !hasText(e) || !strings.ContainsAny(e.Href, "/#?:") { // it has been made short
		return e.Href
	}
	if u, err := url.Parse(e.Href); err == nil && !strings.Contains(e.Name, u.Host) {
		return u.Host
	}
	return ""
}
