package pagecontext

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	nameRoom    = 80  // characters of a name, unless more are needed to tell two apart
	nearRoom    = 40  // of the words beside an element
	addressRoom = 100 // of an address
	optionsRoom = 120 // of the options
	mostOptions = 12  // that an element carries
)

// shape is how an element is written.
type shape struct {
	detail
	name    int      // characters of its name; 0: all
	cell    bool     // one of a row of alike cells: its role is said before it
	inRow   bool     // its row is told over it
	address string   // where it leads
	states  []string // of the row that it is
	noIndex bool
	like    int       // the index of one written before it that offers the same
	ends    bool      // of its name the end is kept as well: a row says there how it is
	under   []Element // what stands in the row that it is
}

// Line writes one element in full: button "Add to cart" disabled [12].
func Line(e Element) string {
	return lineOf(&e, shape{detail: levels[0], name: nameRoom, address: e.Href})
}

// lineOf writes an element: its role and name, what it holds, its states, where it
// leads, and its index at the end, where models read it most reliably.
func lineOf(e *Element, s shape) string {
	var b strings.Builder
	say := func(words string) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(words)
	}
	if !s.cell {
		say(RoleWord(e))
	}
	name, hint := shownName(e), e.Hint
	if name == "" {
		name, hint = hint, ""
	}
	if s.name > 0 && s.ends {
		name = cutRow(name, s.name, s.under)
	} else if s.name > 0 {
		name = Cut(name, s.name)
	}
	if name != "" || s.cell {
		say(quote(name))
	}
	if hint != "" {
		say(HintWords(hint))
	}
	if e.OnHover {
		say("(on hover)")
	}
	if e.Near != "" && !s.inRow && (name == "" || !saysWords(name, e.Near)) {
		say("near=" + quote(Cut(e.Near, nearRoom)))
	}
	said := states(e, s.detail, s.like)
	for _, w := range said {
		say(w)
	}
	for _, w := range s.states {
		if !slices.Contains(said, w) {
			say(w)
		}
	}
	if a := s.address; a != "" && a != "#" && !strings.HasPrefix(a, "javascript:") {
		say("→ " + link(a))
	}
	if !s.noIndex {
		say(indexWord(e.Index))
	}
	return b.String()
}

func indexWord(i int) string { return "[" + strconv.Itoa(i) + "]" }

// States says what an element holds and how it is, each as its line does.
func States(frame Frame, raw RawElement) []string {
	e := element(0, raw, frameState{frame: frame})
	return states(&e, detail{}, 0)
}

// Called names an element by role, or tag, and name: button "Add to cart".
func Called(role, tag, name string) string {
	out := RoleWord(&Element{Role: role, Tag: tag})
	if name = Flatten(name); name != "" {
		out += " " + quote(Cut(name, nameRoom))
	}
	return out
}

// RowOf is what tells an element from its namesakes where no row stands over it: the
// words of its row, or those beside it, unless its name says them.
func RowOf(name, row, near string) string {
	if row = cmp.Or(row, near); saysWords(name, row) {
		return ""
	}
	return Cut(Flatten(row), rowRoom)
}

// Describe is what an element is called by its role, or its tag, and its name.
func Describe(role, tag, name string) string {
	what := role
	if what == "" || what == "generic" {
		what = cmp.Or(tag, "clickable")
	}
	if name = Flatten(name); name != "" {
		what += " " + strconv.Quote(Cut(name, 80))
	}
	return what
}

// RowBeside is what is said of the row of an element that is named by Describe: nothing
// where the name says it.
func RowBeside(role, name, row string) string {
	name, row = Flatten(name), Flatten(row)
	if strings.Contains(name, row) || name != "" && strings.HasPrefix(row, name) && fieldRoles[role] || beginAlike(name, row) {
		return ""
	}
	return Cut(row, 60)
}

var fieldRoles = map[string]bool{"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "slider": true}

// RowOf is RowOf for an element of the listing.
func (l *Listing) RowOf(e *Element) string { return RowOf(e.Name, l.rowText(e), e.Near) }

// rowText is what the row of an element says.
func (l *Listing) rowText(e *Element) string {
	if e.Row < 1 || e.Row > len(l.Rows) {
		return ""
	}
	return l.Rows[e.Row-1].Text
}

// rowRoom is how many characters of a row name an element outside of the list.
const rowRoom = 60

// RoleWord is an element's role as a line says it.
func RoleWord(e *Element) string {
	switch e.Role {
	case "generic":
		return "clickable" // a control by behaviour only
	case "":
		return word(e.Tag)
	default:
		return word(e.Role)
	}
}

// shownName is what an element is called in its line.
func shownName(e *Element) string {
	if n := len(e.Text); e.Name == "" || n > 0 && len(e.Name) == 2*n+1 && e.Name[:n] == e.Text && e.Name[n] == ' ' && e.Name[n+1:] == e.Text {
		return e.Text // an icon is called as the words beside it
	}
	return e.Name
}

// HintWords write what is known of an element that is called by a sign: (Add star), or
// between quotes where it could be taken for something else.
func HintWords(s string) string {
	s = Flatten(Cut(s, 60))
	if strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return "hint=" + quote(s)
	}
	return "(" + s + ")"
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
	return Cut(s, 40)
}

// states says what an element holds and how it is, in the words of ARIA and always in
// this order.
func states(e *Element, d detail, like int) []string {
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
	// What is a button to its role may be a field: of a colour or file, or one that opens what is chosen from.
	picker := e.Type == "color" || e.Type == "file"
	plain := e.Type == "" || e.Type == "text" || e.Type == "submit" || e.Type == "button" || e.Type == "password" && e.Secret == "password"
	tell(picker || !plain && e.Role == "textbox", func() string { return "type=" + word(e.Type) })
	tell(e.Secret != "", func() string { return "secret=" + word(e.Secret) })
	tell(e.Value != "" && (picker || e.Role != "button" || e.HasPopup != ""), func() string { return "value=" + quote(Cut(e.Value, nameRoom)) })
	if d.fields {
		tell(e.Placeholder != "" && e.Placeholder != e.Name && e.Value == "", func() string { return "placeholder=" + quote(Cut(e.Placeholder, 60)) })
		tell(e.Description != "" && (e.Invalid || described[e.Role]), func() string { return "desc=" + quote(Cut(e.Description, 60)) })
		tell(len(e.Options) > 0 && like == 0, func() string { return "options=" + options(e.Options) })
		tell(len(e.Options) > 0 && like > 0, func() string { return "options=as " + indexWord(like) })
	}
	if e.Role == "switch" && (e.Checked == "true" || e.Checked == "false") {
		say(true, SwitchWord(e.Checked))
	} else {
		say(e.Checked == "true", "checked")
	}
	say(e.Checked == "mixed", "checked=mixed")
	say(is(e.Pressed), "pressed")
	say(is(e.Selected), "selected")
	if e.Expanded != nil {
		say(*e.Expanded, "expanded")
		say(!*e.Expanded, "collapsed")
	} else {
		say(e.HasPopup != "" && e.HasPopup != "false", "popup")
	}
	say(e.Current, "current")
	say(!e.IsEnabled, "disabled")
	say(e.Required, "required")
	say(e.Invalid, "invalid")
	say(e.Draggable, "draggable")
	say(e.AriaHidden, "aria-hidden")
	return out
}

// SwitchWord is how a line says what a switch is set to.
func SwitchWord(checked string) string {
	if checked == "true" {
		return "on"
	}
	return "off"
}

// described are the roles of fields: what to fill in there is worth its tokens.
var described = map[string]bool{
	"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "listbox": true, "slider": true, "checkbox": true, "radio": true, "switch": true,
}

// options writes the first ones, "Small|Large", and says where there may be
// more; each has quotes of its own where one of them holds the bar itself.
func options(of []string) string {
	bare := !slices.ContainsFunc(of, func(o string) bool { return strings.Contains(o, "|") })
	var b strings.Builder
	more := len(of) >= mostOptions
	for i, o := range of {
		if o = Cut(o, 30); !bare {
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

// link is a URL in a line: without white space or quotes, so that it can't run on.
func link(s string) string { return Cut(unsafeInLink.Replace(Flatten(s)), addressRoom) }

// unsafeInLink is what would end an address in a line, or look like an index.
var unsafeInLink = strings.NewReplacer(" ", "%20", `"`, "%22", "[", "%5B", "]", "%5D")

// otherSite is the host of an address that leads to another site.
func otherSite(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return ""
}

// WithoutIndices takes the indices out of what Render writes: another look, or
// another run, may have others for the same elements.
func WithoutIndices(text string) string { return anyIndex.ReplaceAllString(text, "") }

var anyIndex = regexp.MustCompile(` ?\[(?:snap_[0-9a-z]{6}:e)?\d+\]`)
