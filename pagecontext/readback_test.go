package pagecontext_test

import (
	"regexp"
	"slices"
	"strings"

	"tabwright/e2e/standin"
	"tabwright/pagecontext"
)

// readBack reads the short list as a model has to: each element must be there
// once, with its role, what is left of its name, and its states.
func (s *score) readBack(page string, l *pagecontext.Listing) {
	s.t.Helper()
	text := pagecontext.Render(nil, l, pagecontext.RenderOptions{Compact: true})
	got := map[int][]standin.Line{}
	for _, line := range standin.ParseObservation(text).Lines {
		got[line.Index] = append(got[line.Index], line)
	}
	for _, e := range l.Elements {
		lines := got[e.Index]
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
		said := strings.Fields(inQuotes.ReplaceAllString(read.Rest, ""))
		for state, is := range map[string]bool{
			"disabled": !e.IsEnabled, "checked": e.Checked == "true", "draggable": e.Draggable, "aria-hidden": e.AriaHidden,
			"required": e.Required, "selected": e.Selected != nil && *e.Selected, "expanded": e.Expanded != nil && *e.Expanded,
		} {
			if slices.Contains(said, state) != is {
				s.t.Errorf("%s: %s is read with %q", page, pagecontext.Line(e), said)
			}
		}
	}
	if len(got) != len(l.Elements) {
		s.t.Errorf("%s: %d elements are read of %d", page, len(got), len(l.Elements))
	}
}

var inQuotes = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// partsOf tells whether a short name is a name but for what … stands for.
func partsOf(name, short string) bool {
	if (name == "") != (short == "") {
		return false
	}
	name = strings.ToLower(name)
	for part := range strings.SplitSeq(strings.ToLower(short), "…") {
		_, rest, ok := strings.Cut(name, strings.TrimSpace(part))
		if !ok {
			return false
		}
		name = rest
	}
	return strings.Contains(short, "…") || len(short) > 3 || strings.TrimSpace(name) == ""
}
