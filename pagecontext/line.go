package pagecontext

import (
	"strconv"
	"strings"
)

// plural names a run of one role.
func plural(role string) string {
	switch role = word(role); {
	case role == "generic":
		return "clickables"
	case strings.HasSuffix(role, "x"):
		return role + "es"
	default:
		return role + "s"
	}
}

// Line writes one element: [12] button "Add to cart" disabled.
func Line(e Element) string { return lineOf(e, true) }

// lineWithoutRole is Line for a row whose roles are known from the one before.
func lineWithoutRole(e Element) string { return lineOf(e, false) }

func lineOf(e Element, withRole bool) string {
	var b strings.Builder
	role := e.Role
	if role == "" {
		role = e.Tag
	}
	if role == "generic" {
		role = "clickable" // a control by behaviour only
	}
	b.WriteString("[" + strconv.Itoa(e.Index) + "]")
	if withRole {
		b.WriteString(" " + word(role))
	}
	name := e.Name
	if name == "" {
		name = e.Text
	}
	if name != "" {
		b.WriteString(" " + quote(cut(onceSaid(name), 100)))
	}
	if e.Hint != "" {
		b.WriteString(" hint=" + quote(cut(e.Hint, 60)))
	}
	if e.Near != "" {
		b.WriteString(" near=" + quote(cut(e.Near, 40)))
	}
	for _, s := range states(e) {
		b.WriteString(" " + s)
	}
	return b.String()
}

// word makes a role or type safe to stand without quotes.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return -1
	}, s)
	if s == "" {
		return "element"
	}
	return cut(s, 40)
}

func states(e Element) []string {
	var out []string
	say := func(ok bool, s string) {
		if ok {
			out = append(out, s)
		}
	}
	is := func(b *bool) bool { return b != nil && *b }
	say(e.Type != "" && e.Type != "text" && e.Type != "submit" && e.Type != "button" && e.Role == "textbox", "type="+word(e.Type))
	say(e.Secret != "", "secret="+word(e.Secret))
	say(e.Value != "" && e.Role != "button", "value="+quote(cut(e.Value, 80)))
	say(e.Placeholder != "" && e.Placeholder != e.Name && e.Value == "", "placeholder="+quote(cut(e.Placeholder, 60)))
	say(e.Checked == "true", "checked")
	say(e.Checked == "mixed", "mixed")
	say(is(e.Pressed), "pressed")
	say(is(e.Selected), "selected")
	if e.Expanded != nil {
		say(*e.Expanded, "expanded")
		say(!*e.Expanded, "collapsed")
	}
	say(e.HasPopup != "" && e.HasPopup != "false", "popup")
	say(e.Draggable, "draggable")
	say(e.AriaHidden, "aria-hidden")
	say(e.Current, "current")
	say(e.Required, "required")
	say(e.Invalid, "invalid")
	say(!e.IsEnabled, "disabled")
	if len(e.Options) > 0 {
		out = append(out, "options="+options(e.Options))
	}
	say(e.Href != "" && e.Href != "#" && !strings.HasPrefix(e.Href, "javascript:"), "-> "+link(e.Href))
	return out
}

const (
	optionsRoom = 120 // characters of the options in a line
	mostOptions = 12  // that an element carries
)

// options writes the first ones, and says where there may be more.
func options(of []string) string {
	var b strings.Builder
	for i, o := range of {
		o = quote(cut(o, 30))
		if i > 0 && b.Len()+len(o) > optionsRoom {
			return b.String() + "|… (getOptions)"
		}
		if i > 0 {
			b.WriteByte('|')
		}
		b.WriteString(o)
	}
	if len(of) >= mostOptions {
		b.WriteString("|… (getOptions)")
	}
	return b.String()
}

// link is a URL in a line: without white space, so that it can't run on.
func link(s string) string { return cut(strings.ReplaceAll(Flatten(s), " ", "%20"), 100) }
