package pagecontext_test

import (
	"regexp"
	"slices"
	"strings"

	"tabwright/e2e/standin"
	"tabwright/pagecontext"
)

// readBack reads the list as a model has to: each element must be there once, with its
// role, its name as far as that is written, and its states, but for what a dialog covers.
func (s *score) readBack(page string, l *pagecontext.Listing) {
	s.t.Helper()
	text := pagecontext.Render(nil, l, pagecontext.RenderOptions{})
	got := map[int][]standin.Line{}
	for _, line := range standin.ParseObservation(text).Lines {
		got[line.Index] = append(got[line.Index], line)
	}
	untold := 0
	for _, e := range l.Elements {
		lines := got[e.Index]
		if e.Covered { // it is only counted
			untold++
			if len(lines) > 0 {
				s.t.Errorf("%s: [%d] is told, and can't be pressed", page, e.Index)
			}
			continue
		}
		if len(lines) == 0 && saidOnce(&e, text) {
			untold++
			continue
		}
		if len(lines) != 1 {
			s.t.Errorf("%s: [%d] stands %d times in\n%s", page, e.Index, len(lines), text)
			return
		}
		read, role := lines[0], e.Role
		if role == "generic" {
			role = "clickable"
		}
		name := e.Name
		if name == "" {
			name = e.Text
		}
		if name == "" {
			name = e.Hint
		}
		begun, end, cut := strings.Cut(read.Name, "…") // in a row the end is kept
		if read.Role != role || read.Name != name && !(cut && len([]rune(read.Name)) >= 60 && strings.HasPrefix(name, begun) && strings.HasSuffix(name, strings.TrimSpace(end))) {
			s.t.Errorf("%s: %s is read as %s %q", page, pagecontext.Line(e), read.Role, read.Name)
		}
		said := strings.Fields(inQuotes.ReplaceAllString(read.Rest, ""))
		for state, is := range statesOf(&e) {
			if slices.Contains(said, state) != is && !(slices.Contains(said, state) && e.Row > 0) { // which may be its row's
				s.t.Errorf("%s: %s is read with %q", page, pagecontext.Line(e), said)
			}
		}
		if frame := strings.HasPrefix(read.Group, "frame "); frame != (e.Frame != "") {
			s.t.Errorf("%s: %s is read under %q", page, pagecontext.Line(e), read.Group)
		}
	}
	if len(got) != len(l.Elements)-untold {
		s.t.Errorf("%s: %d elements are read of %d", page, len(got), len(l.Elements)-untold)
	}
}

// statesOf are the states that a list says in words.
func statesOf(e *pagecontext.Element) map[string]bool {
	is := func(b *bool) bool { return b != nil && *b }
	return map[string]bool{
		"on": e.Role == "switch" && e.Checked == "true", "off": e.Role == "switch" && e.Checked == "false",
		"disabled": !e.IsEnabled, "checked": e.Role != "switch" && e.Checked == "true", "checked=mixed": e.Checked == "mixed", "pressed": is(e.Pressed),
		"draggable": e.Draggable, "aria-hidden": e.AriaHidden, "required": e.Required, "selected": is(e.Selected),
		"expanded": is(e.Expanded), "collapsed": e.Expanded != nil && !*e.Expanded, "current": e.Current, "invalid": e.Invalid,
		"popup": e.Expanded == nil && e.HasPopup != "" && e.HasPopup != "false",
	}
}

var inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
