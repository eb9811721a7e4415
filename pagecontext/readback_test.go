package pagecontext_test

import (
	"regexp"
	"slices"
	"strings"

	"tabwright/e2e/standin"
	"tabwright/pagecontext"
)

// readBack reads the short list as a model has to: each element must be there
// once, with its role, what is left of its name, and its states, but for what a dialog
// covers.
func (s *score) readBack(page string, l *pagecontext.Listing) {
	s.t.Helper()
	text := pagecontext.Render(nil, l, pagecontext.RenderOptions{Compact: true})
	got := map[int][]standin.Line{}
	for _, line := range standin.ParseObservation(text).Lines {
		got[line.Index] = append(got[line.Index], line)
	}
	covered := 0
	frames := map[string]string{} // by the numbers that the list gives them
	for _, e := range l.Elements {
		lines := got[e.Index]
		if e.Covered { // it is only counted
			covered++
			if len(lines) > 0 {
				s.t.Errorf("%s: [%d] is told, and can't be pressed", page, e.Index)
			}
			continue
		}
		if len(lines) != 1 {
			s.t.Errorf("%s: [%d] stands %d times in\n%s", page, e.Index, len(lines), text)
			return
		}
		read := lines[0]
		name, role := e.Name, e.Role
		if name == "" {
			name = e.Text
		}
		if role == "generic" {
			role = "clickable"
		}
		if read.Role != role || !partsOf(name, read.Name) {
			s.t.Errorf("%s: %s is read as %s %q", page, pagecontext.Line(e), read.Role, read.Name)
		}
		if frame := frameNumber.FindString(read.Group); frame != "" {
			if of, known := frames[frame]; e.Frame == "" || known && of != e.Frame {
				s.t.Errorf("%s: %s is read under %q", page, pagecontext.Line(e), read.Group)
			}
			frames[frame] = e.Frame
		}
		said := strings.Fields(inQuotes.ReplaceAllString(read.Rest, ""))
		for state, is := range statesOf(&e) {
			if slices.Contains(said, state) != is {
				s.t.Errorf("%s: %s is read with %q", page, pagecontext.Line(e), said)
			}
		}
		whole := strings.Fields(inQuotes.ReplaceAllString(pagecontext.Line(e), ""))
		for _, key := range []string{"type=", "secret="} {
			if got, want := keyed(said, key), keyed(whole, key); got != want && !(want == "type=password" && keyed(said, "secret=") == "secret=password") {
				s.t.Errorf("%s: %s is read with %q", page, pagecontext.Line(e), said)
			}
		}
	}
	if len(got) != len(l.Elements)-covered {
		s.t.Errorf("%s: %d elements are read of %d", page, len(got), len(l.Elements)-covered)
	}
}

// statesOf are the states that a short list says in words. That a combobox, or what
// opens a popup, is closed, it doesn't.
func statesOf(e *pagecontext.Element) map[string]bool {
	is := func(b *bool) bool { return b != nil && *b }
	popup := e.HasPopup != "" && e.HasPopup != "false"
	return map[string]bool{
		"disabled": !e.IsEnabled, "checked": e.Checked == "true", "mixed": e.Checked == "mixed", "pressed": is(e.Pressed),
		"draggable": e.Draggable, "aria-hidden": e.AriaHidden, "required": e.Required, "selected": is(e.Selected),
		"expanded": is(e.Expanded), "collapsed": e.Expanded != nil && !*e.Expanded && !popup && e.Role != "combobox",
		"popup": popup, "current": e.Current, "invalid": e.Invalid,
	}
}

// keyed gives the first word that begins with a key.
func keyed(words []string, key string) string {
	for _, w := range words {
		if strings.HasPrefix(w, key) {
			return w
		}
	}
	return ""
}

var inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

var frameNumber = regexp.MustCompile(`^frame \d+`)

// partsOf tells whether a short name is a name but for what … stands for.
func partsOf(name, short string) bool {
	if (name == "") != (short == "") {
		return false
	}
	name = strings.ToLower(strings.ReplaceAll(name, "~", "\u223c"))
	for part := range strings.SplitSeq(strings.ToLower(short), "…") {
		_, rest, ok := strings.Cut(name, strings.TrimSpace(part))
		if !ok {
			return false
		}
		name = rest
	}
	return strings.Contains(short, "…") || len(short) > 3 || strings.TrimSpace(name) == ""
}
