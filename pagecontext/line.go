package pagecontext

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	nameRoom    = 80  // characters of a name, unless more are needed to tell two apart
	nearRoom    = 40  // characters of the words beside an element
	addressRoom = 100 // characters of an address
	optionsRoom = 120 // characters of the options
	fewOptions  = 24  // characters of options that are written even where little is
	mostOptions = 12  // options that an element carries
)

// shape is how an element is written.
type shape struct {
	detail
	name    int      // characters of its name; 0: all
	cell    bool     // a cell of a grid: its role is written once, before the row
	inRow   bool     // the line over it says the words beside it
	address string   // where it leads
	states  []string // of the row, if it is a row
	noIndex bool
	like    int       // index of an earlier field with the same options (see offersAs)
	ends    bool      // keep the end of its name too, where a row has its state
	under   []Element // if it is a row: the elements written under it
}

// Line writes one element in full: button "Add to cart" disabled [12].
func Line(e Element) string {
	return lineOf(&e, shape{detail: levels[0], name: nameRoom, address: e.Href})
}

// lineOf returns the line of an element: role, name, value, states, address and, at
// the end, where models read it most reliably, the index.
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
	name, hint := shownName(e), cmp.Or(e.Hint, unsaid(e))
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
	if e.Near != "" && !s.inRow && (name == "" || e.labelled || !saysWords(name, e.Near)) {
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

// States returns an element's value and states as its line writes them.
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

// RowOf returns the words that tell an element from others of its name where its row
// is not written: the text of its row or, without one, the words beside it. It
// returns "" if the name says them.
func RowOf(name, row, near string) string {
	if row = cmp.Or(row, near); saysWords(name, row) {
		return ""
	}
	return Cut(Flatten(row), rowRoom)
}

// Describe names an element by role, or tag, and name, as Called does, with Go quotes.
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

// RowBeside returns the text of the row of an element that Describe names; "" if the
// name says it.
func RowBeside(role, name, row string) string {
	name, row = Flatten(name), Flatten(row)
	if strings.Contains(name, row) || name != "" && strings.HasPrefix(row, name) && fieldRoles[role] || beginAlike(name, row) {
		return ""
	}
	return Cut(row, 60)
}

var fieldRoles = map[string]bool{
	"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "slider": true, "switch": true, "checkbox": true, "radio": true,
}

// RowOf is RowOf for an element of the listing.
func (l *Listing) RowOf(e *Element) string { return RowOf(e.Name, l.rowText(e), e.Near) }

// rowText returns the text of an element's row, "" without one.
func (l *Listing) rowText(e *Element) string {
	if e.Row < 1 || e.Row > len(l.Rows) {
		return ""
	}
	return l.Rows[e.Row-1].Text
}

// rowRoom is how many characters of a row's text RowOf returns.
const rowRoom = 60

// RoleWord returns the role of an element as its line writes it, or its tag.
func RoleWord(e *Element) string {
	switch e.Role {
	case "generic":
		if e.Static {
			return "text"
		}
		return "clickable" // a control by behaviour only
	case "":
		return word(e.Tag)
	default:
		return word(e.Role)
	}
}

// shownName returns the name that an element's line shows.
func shownName(e *Element) string {
	if n := len(e.Text); e.Name == "" || n > 0 && len(e.Name) == 2*n+1 && e.Name[:n] == e.Text && e.Name[n] == ' ' && e.Name[n+1:] == e.Text {
		return e.Text // the icon's name repeats the text
	}
	return e.Name
}

// mostUnsaid is the most characters of a visible text that is told beside another name.
const mostUnsaid = 40

// pressedRoles are of elements whose text is what they are called on the page.
var pressedRoles = map[string]bool{"button": true, "link": true, "tab": true, "menuitem": true}

// unsaid returns the visible text of an element whose name has none of its words: a user knows it by the text.
func unsaid(e *Element) string {
	if e.Name == "" || e.Value != "" || !pressedRoles[e.Role] || len(e.Text) > mostUnsaid || !strings.ContainsFunc(e.Text, unicode.IsLetter) || utf8.RuneCountInString(bareWords(e.Text)) < 2 {
		return ""
	}
	for w := range strings.FieldsSeq(e.Text) {
		if bareWords(w) != "" && saysWords(e.Name, w) {
			return ""
		}
	}
	return e.Text
}

// HintWords writes a hint: (Add star), or hint="…" if it has other characters than
// letters, digits, spaces and hyphens.
func HintWords(s string) string {
	s = Flatten(Cut(s, 60))
	if strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return "hint=" + quote(s)
	}
	return "(" + s + ")"
}

// word makes a role or type safe to write without quotes.
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

// states returns an element's value and states in the words of ARIA, always in this
// order.
func states(e *Element, d detail, like int) []string {
	var out []string
	say := func(ok bool, s string) {
		if ok {
			out = append(out, s)
		}
	}
	// tell is say for words that cost time to make.
	tell := func(ok bool, s func() string) {
		if ok {
			out = append(out, s())
		}
	}
	is := func(b *bool) bool { return b != nil && *b }
	// An element with role button may be a field: for a colour or a file, or one that opens choices.
	picker := e.Type == "color" || e.Type == "file"
	plain := e.Type == "" || e.Type == "text" || e.Type == "submit" || e.Type == "button" || e.Type == "password" && e.Secret == "password"
	tell(picker || !plain && e.Role == "textbox", func() string { return "type=" + word(e.Type) })
	tell(e.Secret != "", func() string { return "secret=" + word(e.Secret) })
	tell(e.Value != "" && (picker || e.Role != "button" || e.HasPopup != ""), func() string { return "value=" + quoteLines(Cut(e.Value, nameRoom)) })
	if d.fields {
		tell(e.Placeholder != "" && e.Placeholder != e.Name && e.Value == "", func() string { return "placeholder=" + quote(Cut(e.Placeholder, 60)) })
		tell(e.Description != "" && (e.Invalid || described[e.Role]), func() string { return "desc=" + quote(Cut(e.Description, 60)) })
	}
	tell(len(e.Options) > 0 && like > 0, func() string { return "options=as " + indexWord(like) })
	tell(len(e.Options) > 0 && like == 0, func() string { return "options=" + options(e.Options, d.fields) })
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

// SwitchWord returns the state of a switch as its line writes it.
func SwitchWord(checked string) string {
	if checked == "true" {
		return "on"
	}
	return "off"
}

// described are the roles of fields, whose descriptions are worth their tokens.
var described = map[string]bool{
	"textbox": true, "searchbox": true, "combobox": true, "spinbutton": true, "listbox": true, "slider": true, "checkbox": true, "radio": true, "switch": true,
}

// options writes the first options, "Small|Large", and a mark if there may be more. If one
// of them contains the bar, each is quoted by itself. Without first, several options that
// take more room than the mark are left to the mark.
func options(of []string, first bool) string {
	const mark = "… (getOptions)"
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
	switch {
	case !first && len(of) > 1 && (more || len(out) > fewOptions):
		return mark
	case more:
		return out + "|" + mark
	}
	return out
}

// link writes a URL so that it can't be read as more than one: see unsafeInLink.
func link(s string) string { return Cut(unsafeInLink.Replace(Flatten(s)), addressRoom) }

// unsafeInLink escapes what would end an address in a line, or look like an index.
var unsafeInLink = strings.NewReplacer(" ", "%20", `"`, "%22", "[", "%5B", "]", "%5D")

// otherSite returns the host of an address; "" for a relative one, which stays on the site.
func otherSite(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return ""
}

// WithoutIndices removes the indices from Render's text: another run may give the
// same elements other indices.
func WithoutIndices(text string) string { return anyIndex.ReplaceAllString(text, "") }

var anyIndex = regexp.MustCompile(` ?\[(?:snap_[0-9a-z]{6}:e)?\d+\]`)
