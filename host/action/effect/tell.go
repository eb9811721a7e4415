package effect

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// Teller puts the frames' changes into words.
type Teller struct {
	// Page gives elements their indices: an element gets one only when it is told.
	Page *pagecontext.Page
	// Mask masks the secrets in a text.
	Mask func(string) string
	// Frame and ID are the target of the act, whose row has been told; 0 where there is none.
	Frame string
	ID    int
	// Travels says that the act asked for another page, Stays that the address still shows
	// the same view.
	Travels, Stays bool
}

// Tell puts one frame's changes into words, with the tab's indices.
func (w Teller) Tell(f pagecontext.Frame, e page.Effects, into *Effect) {
	if len(e.Late) > 0 {
		var before Effect
		w.Tell(f, page.Effects{Changes: e.Late, Seen: e.Seen}, &before)
		into.Late = append(into.Late, before.Parts...)
	}
	// Texts are masked before they are shortened: a cut secret would not be recognized.
	safe := func(s string) string { return safety.Redact(w.Mask(pagecontext.Flatten(w.Mask(s)))) }
	if e.Launch != "" {
		into.Launch = safe(e.Launch)
	}
	into.Drag = cmp.Or(into.Drag, e.Drag)
	t := telling{Teller: w, f: f, seen: e.Seen, out: into, safe: safe}
	for _, c := range e.Changes {
		t.note(c)
	}
	if into.Changed = into.Changed || len(t.list) > 0; t.isView(e) {
		t.view(e)
		return
	}
	t.end()
	if slices.ContainsFunc(e.Changes, func(c page.Change) bool { return c.Items.Came > len(c.Items.Names) }) {
		t.partAnew(e)
	}
	into.More += e.More
	for _, r := range e.Rest {
		into.Rest.add(kindOf(r.Kind, r.Role, r.From, r.To), r.Count)
	}
}

// shownChanges is how many changes a result tells; the list tells the rest.
// The limit for new controls is higher: a call can use each without a look.
const shownChanges, shownControls = 12, 24

// shownAnew is how many elements that were drawn anew are told with their new index; the old
// index of another leads to an error that has the new one.
const shownAnew = 3

// telling puts the changes of one frame into words, the most important first.
type telling struct {
	Teller
	f    pagecontext.Frame
	seen int
	out  *Effect
	safe func(string) string
	list []said
	told map[string]bool // texts already told, which are not repeated
	anew int             // elements drawn anew that the client knew
}

// said is a change in words.
type said struct {
	head  string // New, Gone, or empty for a change
	rank  int
	words func() string
	of    *pagecontext.RawElement // that it names, if any
	in    bool                    // it is inside the item told before it
	count bool                    // it tells how many items there are
	apart bool                    // it is outside the part that changed
	kind  kind                    // for the count of those left out
	row   func() string           // of a new control: the row to tell it with
	bare  func() string           // … and its words without the row
	// becomes is the new text or value that it tells, if it tells one.
	becomes string
}

// New and Gone begin the lists of elements that came and went.
const (
	New  = "new: "
	Gone = "gone: "
)

// lines returns a value with its lines, or in one line if a secret goes over several.
func (t *telling) lines(value string) string {
	flat, lines := t.safe(value), strings.Split(value, "\n")
	for i, l := range lines {
		lines[i] = t.safe(l)
	}
	if text := strings.Join(lines, "\n"); pagecontext.Flatten(text) == flat {
		return text
	}
	return flat
}

func (t *telling) note(c page.Change) {
	say := t.safe
	if c.Kind == "value" {
		say = t.lines
	}
	from, to := apart(say(c.From), say(c.To))
	raw := &pagecontext.RawElement{ID: c.ID, Role: c.Role, Name: c.Name}
	if c.ID == 0 {
		raw = nil
	}
	own := c.ID != 0 && t.Frame == t.f.ID() && t.ID == c.ID
	// An element gets its number when it is told, not before.
	called := cmp.Or(c.Name, t.safe(c.Text))
	if called == "" && c.Now != nil {
		called = t.safe(c.Now.Hint)
	}
	row := func() string {
		if own || c.Near != "" { // the row of the target has been told
			return ""
		}
		row := t.safe(c.Row)
		if raw != nil {
			row = pagecontext.RowNow(t.safe(t.Page.RowGiven(t.f, raw.ID)), row)
		}
		return pagecontext.RowApart(pagecontext.RowBeside(c.Role, called, row), raw != nil && c.Kind != "added" && t.Page.Alone(t.f, raw.ID, c.Role, c.Name))
	}
	nameIn := func(tag, row string) string {
		what, index := pagecontext.Describe(c.Role, tag, called), 0
		switch {
		case raw == nil:
		case c.Kind == "removed": // by the number that it had, if any
			index = t.Page.Given(t.f, raw.ID)
		default:
			index = t.Page.Seen(t.f, *raw, t.seen).Index
		}
		if c.Near != "" {
			what += " near=" + strconv.Quote(pagecontext.Cut(t.safe(c.Near), 40))
		}
		if hint := t.safe(c.Hint); hint != "" {
			what += " " + pagecontext.HintWords(hint)
		}
		if c.Now != nil {
			now := *c.Now
			now.Value = t.safe(now.Value)
			now.Options = slices.Clone(now.Options)
			for i, o := range now.Options {
				now.Options[i] = t.safe(o)
			}
			for _, s := range pagecontext.States(t.f, now) {
				what += " " + s
			}
		}
		return pagecontext.Mention(what, row, index)
	}
	name := func(tag string) string { return nameIn(tag, row()) }
	kind := "clickable"
	if raw == nil {
		kind = map[bool]string{true: "text", false: "item"}[c.Kind == "text"]
	}
	add := func(head string, words func() string) {
		rank := c.Rank
		if rank == 0 {
			rank = anyRank
		}
		t.list = append(t.list, said{head: head, rank: rank, words: words, of: raw, in: c.Within, count: c.Kind == "count", apart: c.Outside, kind: kindOfChange(c)})
	}
	item := func(words string) string { // drops the kind of an item without a role
		if raw == nil && c.Role == "" {
			words = strings.TrimPrefix(words, kind+" ")
		}
		return words
	}
	out := t.out
	becomes := func(words func() string) {
		add("", words)
		t.list[len(t.list)-1].becomes = to
	}
	switch c.Kind {
	case "added":
		if called != "" {
			out.Appeared = append(out.Appeared, called)
		}
		if raw != nil && c.Role == "option" {
			out.Options = append(out.Options, called)
		}
		add(New, func() string { return item(name(kind)) })
		if raw != nil {
			s := &t.list[len(t.list)-1]
			s.row, s.bare = row, func() string { return item(nameIn(kind, "")) }
		}
	case "removed":
		if raw == nil && c.Role == "dialog" {
			add("", func() string { return pagecontext.Describe(c.Role, kind, called) + " closed" })
			return
		}
		add(Gone, func() string {
			words := item(name(kind))
			if c.Held > 0 {
				words += fmt.Sprintf(" (%s)", HowMany(c.Held, "element"))
			}
			return words
		})
	case "focus":
		if !own && c.ID != 0 { // not told if the target or nothing has it
			add("", func() string { return "focus on " + name("element") })
		}
	case "said":
		said := strconv.Quote(pagecontext.Cut(t.safe(c.To), 200))
		if c.Role != "" {
			add("", func() string { return c.Role + " " + said + " for a moment" })
		} else {
			add("", func() string { return "the page announces " + said })
		}
	case "drawn":
		add("", func() string {
			what := "in the drawing"
			if c.Name != "" {
				what += fmt.Sprintf(" %q", pagecontext.Cut(t.safe(c.Name), 60))
			}
			return fmt.Sprintf("%s %s: %s", what, c.Role, pagecontext.Cut(t.safe(c.To), 160))
		})
	case "invalid":
		add("", func() string {
			return fmt.Sprintf("the browser says %q at %s", pagecontext.Cut(t.safe(c.To), 200), name("element"))
		})
	case "anew": // not told if the client does not know the former index
		was := t.Page.Given(t.f, c.Was)
		if was > 0 {
			t.anew++
		}
		switch {
		case was == 0:
		case t.anew == shownAnew+1:
			add("", func() string { return "also drawn anew: " + HowMany(t.anew-shownAnew, "element") })
		case t.anew <= shownAnew:
			add("", func() string {
				return fmt.Sprintf("%s is now [%d]", pagecontext.Mention(pagecontext.Describe(c.Role, kind, called), row(), was), t.Page.Seen(t.f, *raw, t.seen).Index)
			})
		}
	case "open":
		add("", func() string { return "the " + pagecontext.Describe(c.Role, "dialog", called) + " is still open" })
	case "scroll":
		add("", func() string { return "scrolled" })
	case "count":
		add("", func() string { return t.count(c) })
	case "view":
		out.Appeared = append(out.Appeared, t.safe(c.To))
		add("", func() string {
			if c.To == "" {
				return "the view changed"
			}
			return fmt.Sprintf("the view changed to %q", pagecontext.Cut(t.safe(c.To), 80))
		})
	case "title":
		out.Retitled = fmt.Sprintf("page title %q → %q", from, to)
	case "text":
		out.Appeared = append(out.Appeared, cameUp(to, t.safe(c.To)))
		plain := c.Name == "" && c.ID == 0
		what := func(text string, most int) string {
			return strings.TrimSpace(c.Role + " " + strconv.Quote(pagecontext.Cut(t.safe(text), most)))
		}
		switch {
		case plain && c.From == "":
			most := 120
			if c.Role != "" {
				most = 200
			}
			add(New, func() string { return what(c.To, most) })
		case plain && c.To == "":
			add(Gone, func() string { return what(c.From, 120) })
		case plain:
			if c.Row != "" {
				t.Page.Reword(t.f, c.Row, c.From, c.To)
			}
			becomes(func() string {
				of := cmp.Or(pagecontext.Cut(t.safe(c.Near), 40), "text")
				return fmt.Sprintf("%s %q → %q", pagecontext.Mention(of, pagecontext.Cut(t.safe(c.Row), 60), 0), from, to)
			})
		case c.From == "":
			add("", func() string { return fmt.Sprintf("%s: + %q", name(kind), to) })
		case c.To == "":
			add("", func() string { return fmt.Sprintf("%s: − %q", name(kind), from) })
		default:
			becomes(func() string { return fmt.Sprintf("%s %q → %q", name(kind), from, to) })
		}
	case "attr":
		for _, state := range statesIn(c) {
			add("", func() string { return name(kind) + " " + state })
		}
	default:
		if c.Kind == "checked" && !own {
			if out.Boxes == nil {
				out.Boxes = map[string]int{}
			}
			out.Boxes[c.To]++
		}
		if c.Kind == "value" && own {
			if out.Value = pagecontext.Flatten(c.To); strings.HasPrefix(c.To, Tail) {
				out.Value = "" // a shortened text is not its value
			}
		}
		if c.From == "" && c.To == "" { // a secret's: never told
			add("", func() string { return fmt.Sprintf("%s %s changed", name(kind), c.Kind) })
			return
		}
		if c.Role == "switch" && c.Kind == "checked" {
			add("", func() string {
				return name(kind) + " " + pagecontext.SwitchWord(from) + " → " + pagecontext.SwitchWord(to)
			})
			return
		}
		becomes(func() string { return fmt.Sprintf("%s %s %q → %q", name(kind), c.Kind, from, to) })
	}
}

// The ranks of changes, as inOrder of the extractor gives them. From listRank on, new
// elements form one list, in which controls up to ControlRank are told first. anyRank is
// for changes without a rank.
const (
	noticeRank  = 1 // of what asks for attention, and of a part of the page that opened or closed
	viewRank    = 3 // up to it changes are told if the view changed
	anyRank     = 4
	listRank    = 5
	ControlRank = 7
	LastRank    = 10
)

// statesIn returns the states that changed, each with its old and new value.
func statesIn(c page.Change) []string {
	was, is := strings.Fields(c.From), strings.Fields(c.To)
	if kind, _, two := strings.Cut(c.From+c.To, " "); two && kind == "sorted" {
		order := func(s string) string { return strings.TrimPrefix(s, "sorted ") }
		return []string{fmt.Sprintf("sorted %q → %q", order(c.From), order(c.To))}
	}
	var out []string
	for _, s := range was {
		if !slices.Contains(is, s) {
			out = append(out, s+` "true" → "false"`)
		}
	}
	for _, s := range is {
		if !slices.Contains(was, s) {
			out = append(out, s+` "false" → "true"`)
		}
	}
	return out
}

// itemNames are the singular and plural words for items, by role.
var itemNames = map[string][2]string{
	"row": {"row", "rows"}, "option": {"option", "options"}, "article": {"article", "articles"}, "treeitem": {"item", "items"},
}

// count tells how many items a list has, and the first of those that it has now, or
// that came.
func (t *telling) count(c page.Change) string {
	noun, ok := itemNames[c.Items.Role]
	if !ok {
		noun = [2]string{"item", "items"}
	}
	word := noun[1]
	if c.To == "1" || c.From == c.To && c.From == "1" {
		word = noun[0]
	}
	text := pagecontext.Describe(c.Role, "list", c.Name)
	if c.From == c.To {
		text += fmt.Sprintf(" has %s other %s", c.To, word)
	} else {
		text += fmt.Sprintf(" went from %s to %s %s", c.From, c.To, word)
	}
	names := make([]string, len(c.Items.Names))
	for i, n := range c.Items.Names {
		names[i] = strconv.Quote(pagecontext.Cut(t.safe(n), 60))
		if i < len(c.Items.Links) && c.Items.Links[i] != nil {
			names[i] += fmt.Sprintf(" [%d]", t.Page.TellNew(t.f, *c.Items.Links[i], t.seen))
		}
		t.out.Appeared = append(t.out.Appeared, t.safe(n))
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
		if fmt.Sprint(len(names)) != c.To {
			text += ", …"
		}
	}
	return text
}

// inOrder yields the changes in the order of a result, each with whether the result has
// room for it.
func (t *telling) inOrder() iter.Seq2[said, bool] {
	return func(yield func(said, bool) bool) {
		n := 0
		for rank := 1; rank <= LastRank; rank++ {
			for _, head := range []string{"", New, Gone} {
				for _, s := range t.list {
					if s.rank != rank || s.head != head {
						continue
					}
					most := shownChanges
					if s.of != nil && head == New && rank <= ControlRank {
						most = shownControls
					}
					told := n < most
					if told {
						n++
					}
					if !yield(s, told) {
						return
					}
				}
			}
		}
	}
}

// place returns the row that a new control is told with; "" if it has none, or is told with the
// item before it.
func (s said) place() string {
	if s.row == nil || s.in {
		return ""
	}
	return s.row()
}

// end writes the changes into the outcome, as many as a result tells.
// A row of several new controls is said once, before them.
func (t *telling) end() {
	var list []said
	for s, told := range t.inOrder() {
		if !told {
			t.out.More++
			t.out.Rest.add(s.kind, 1)
			t.out.MoreNew = t.out.MoreNew || s.head == New && s.of != nil
			continue
		}
		list = append(list, s)
	}
	rows := make([]string, len(list)+2) // the row of each, shifted by one
	for i, s := range list {
		rows[i+1] = s.place()
	}
	var last said
	group := "" // the row under which the last one was told
	t.told = map[string]bool{}
	for i, s := range list {
		row, words := "", s.words
		if at := rows[i+1]; at != "" && (at == rows[i] || at == rows[i+2]) {
			row, words = at, s.bare
		}
		text, begun := words(), last.words != nil && s.head == last.head && row == group
		if !s.in && s.head == "" && t.told[text] {
			continue
		}
		t.told[text] = true
		if s.becomes != "" {
			t.out.Became = append(t.out.Became, s.becomes)
		}
		switch n := len(t.out.Parts) - 1; {
		case row != "" && row != group:
			t.out.Parts = append(t.out.Parts, fmt.Sprintf("new in %q: %s", row, text))
		case begun && s.rank == last.rank:
			sep := ", "
			switch {
			case s.in && !last.in:
				sep = ": "
			case s.head == "":
				sep = "; "
			}
			t.out.Parts[n] += sep + text
		case begun && s.rank > listRank && s.head != "" && !last.in:
			t.out.Parts[n] += ", " + text
		default:
			t.out.Parts = append(t.out.Parts, s.head+text)
		}
		last, group = s, row
		if s.of == nil {
			continue
		}
		switch s.head {
		case New:
			t.Page.TellNew(t.f, *s.of, t.seen)
		case "":
			t.Page.Tell(t.f, *s.of, t.seen)
		}
	}
}

// Tail begins a text whose beginning is left out, because it is the same before and
// after the change.
const Tail = "…"

// apart shortens two texts to where they differ. It does not cut inside a number,
// because the rest would be another number.
func apart(from, to string) (string, string) {
	const most, before, back = 60, 12, 30
	f, t := []rune(from), []rune(to)
	n := 0
	for n < min(len(f), len(t)) && f[n] == t[n] {
		n++
	}
	at := 0
	if max(len(f), len(t)) > most && n > most/2 {
		for at = n - before; at > n-before-back && ofNumber(f[at]) && ofNumber(f[at-1]); {
			at--
		}
		for at < n && unicode.IsSpace(f[at]) {
			at++
		}
		from, to = Tail+string(f[at:]), Tail+string(t[at:])
	}
	size := most
	if at > 0 {
		size = max(most, n-at+most-before)
	}
	return pagecontext.Cut(from, size), pagecontext.Cut(to, size)
}

// cameUp returns the part of a new text to look for when the step is done again,
// without the marks of a cut.
func cameUp(part, whole string) string {
	if !strings.HasPrefix(part, Tail) {
		part = pagecontext.Cut(whole, 80)
	}
	return strings.TrimSpace(strings.Trim(part, Tail))
}

func ofNumber(r rune) bool {
	return unicode.IsNumber(r) || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || strings.ContainsRune(".,:'’-−", r)
}
