package pagecontext

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
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
func Line(e Element) string { return lineOf(&e, shape{}) }

// nameRoom is how many characters of a name stand in a line.
const nameRoom = 100

// nearest is how many characters stand of the words beside an element.
const nearest = 40

// shape is how an element is written. In a short list (see part) what is not
// lead stands behind others on its line, its number without brackets. known is the
// role, with what goes with it, that stands before it or above and goes on with it.
// whole is of one whose name is told from another's by its end only.
type shape struct {
	short, lead, whole bool
	known              string
}

func lineOf(e *Element, s shape) string { return lineSaying(e, s, states(e)) }

// lineSaying is lineOf for an element of which it is known what is said of its states.
func lineSaying(e *Element, s shape, said []string) string {
	var b strings.Builder
	b.WriteString(indexOf(e.Index, !s.short || s.lead))
	if s.known == "" {
		b.WriteString(" " + roleWord(e))
	}
	name := e.Name
	if name == "" {
		name = e.Text
	}
	var rest []string
	if e.Hint != "" {
		rest = append(rest, hint(e.Hint))
	}
	if e.Near != "" {
		rest = append(rest, "near="+quote(cut(e.Near, nearest)))
	}
	rest = append(rest, said...)
	if s.short {
		rest = withoutImplied(e, rest, s.known)
		for i := range rest {
			rest[i] = plainly(rest[i])
		}
	}
	if name = onceSaid(name); e.Name == "" || !s.whole && !s.short { // of a short one it was cut where it may be
		name = cut(name, nameRoom)
	}
	if name != "" {
		if s.short && e.Hint == "" && isPlain(name) && roleWords[roleWord(e)] {
			b.WriteString(" " + name)
		} else {
			b.WriteString(" " + quote(name))
		}
	}
	for _, r := range rest {
		b.WriteString(" " + r)
	}
	return b.String()
}

func indexOf(i int, brackets bool) string {
	if brackets {
		return "[" + strconv.Itoa(i) + "]"
	}
	return strconv.Itoa(i)
}

// roleWord is an element's role as a line says it.
func roleWord(e *Element) string {
	switch e.Role {
	case "generic":
		return "clickable" // a control by behaviour only
	case "":
		return word(e.Tag)
	default:
		return word(e.Role)
	}
}

// hint writes what is known of an element without a name: (heart), or between
// quotes where it could be taken for something else.
func hint(s string) string {
	s = cut(s, 60)
	for _, r := range s {
		if r != ' ' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return "hint=" + quote(s)
		}
	}
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if stateWords[w] {
			return "hint=" + quote(s)
		}
	}
	return "(" + Flatten(s) + ")"
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

func states(e *Element) []string {
	var out []string
	say := func(ok bool, s string) {
		if ok {
			out = append(out, s)
		}
	}
	// What has to be written first is written only where it is said.
	tell := func(ok bool, s func() string) {
		if ok {
			out = append(out, s())
		}
	}
	is := func(b *bool) bool { return b != nil && *b }
	// What is a button to the eye, and to its role, may be a field.
	picker := e.Type == "color" || e.Type == "file"
	tell(picker || e.Type != "" && e.Type != "text" && e.Type != "submit" && e.Type != "button" && e.Role == "textbox", func() string { return "type=" + word(e.Type) })
	tell(e.Secret != "", func() string { return "secret=" + word(e.Secret) })
	tell(e.Value != "" && (picker || e.Role != "button"), func() string { return "value=" + quote(cut(e.Value, 80)) })
	tell(e.Placeholder != "" && e.Placeholder != e.Name && e.Value == "", func() string { return "placeholder=" + quote(cut(e.Placeholder, 60)) })
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
	tell(e.Description != "" && (e.Invalid || described[e.Role]), func() string { return "desc=" + quote(cut(e.Description, 60)) })
	say(!e.IsEnabled, "disabled")
	if len(e.Options) > 0 {
		out = append(out, "options="+options(e.Options))
	}
	tell(e.Href != "" && e.Href != "#" && !strings.HasPrefix(e.Href, "javascript:"), func() string { return "-> " + link(e.Href) })
	return out
}

// described are the roles of fields: what to fill in there, and what was wrong
// with it, is worth its tokens.
var described = map[string]bool{
	"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "listbox": true, "slider": true, "checkbox": true, "radio": true, "switch": true,
}

const (
	optionsRoom = 120 // characters of the options in a line
	mostOptions = 12  // that an element carries
)

// options writes the first ones, "Small|Large", and says where there may be
// more; each has quotes of its own where one of them holds the bar itself.
func options(of []string) string {
	bare := !slices.ContainsFunc(of, func(o string) bool { return strings.Contains(o, "|") })
	var b strings.Builder
	more := len(of) >= mostOptions
	for i, o := range of {
		if o = cut(o, 30); !bare {
			o = quote(o)
		}
		if i > 0 && b.Len()+len(o) > optionsRoom {
			more = true
			break
		}
		if i > 0 {
			b.WriteByte('|')
		}
		b.WriteString(o)
	}
	out := b.String()
	if bare {
		out = quote(out)
	}
	if more {
		out += "|… (getOptions)"
	}
	return out
}

// link is a URL in a line: without white space, bars or quotes, so that it can't run on.
func link(s string) string { return cut(unsafeInLink.Replace(Flatten(s)), 100) }

// unsafeInLink is what would end an address in a line.
var unsafeInLink = strings.NewReplacer(" ", "%20", "|", "%7C", `"`, "%22")
