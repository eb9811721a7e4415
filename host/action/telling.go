package action

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
)

// telling puts the changes of one frame into words, those first that matter most.
type telling struct {
	w    *effectRecorder
	f    frame
	seen int
	out  *outcome
	safe func(string) string
	list []said
	told map[string]bool // in words, which are told once
}

// said is a change in words.
type said struct {
	head  string // isNew, isGone, or empty for what is another than it was
	rank  int
	words func() string
	of    *pagecontext.RawElement // that it names, if any
	in    bool                    // the item that was told before it
	count bool                    // it tells how many items there are
}

const (
	// isNew and isGone are said before what came and what went.
	isNew  = "new: "
	isGone = "gone: "
)

func (t *telling) note(c page.Change) {
	from, to := apart(t.safe(c.From), t.safe(c.To))
	raw := &pagecontext.RawElement{ID: c.ID, Role: c.Role, Name: c.Name}
	if c.ID == 0 {
		raw = nil
	}
	own := c.ID != 0 && t.w.target != nil && t.w.target.frame.ID() == t.f.ID() && t.w.target.id == c.ID
	// An element gets its number when it is told, not before.
	called := cmp.Or(c.Name, t.safe(c.Text))
	if called == "" && c.Now != nil {
		called = t.safe(c.Now.Hint)
	}
	name := func(tag string) string {
		what, index := describe(c.Role, tag, called), 0
		switch {
		case raw == nil:
		case c.Kind == "removed": // by the number that it had, if any
			index = t.w.r.page.Given(t.f, raw.ID)
		default:
			index = t.w.r.page.Seen(t.f, *raw, t.seen).Index
		}
		row := t.safe(c.Row)
		if raw != nil {
			row = cmp.Or(t.safe(t.w.r.page.RowGiven(t.f, raw.ID)), row)
		}
		if c.Near != "" {
			what, row = what+" near="+strconv.Quote(short(t.safe(c.Near), 40)), ""
		}
		if c.Now != nil {
			now := *c.Now
			now.Value = t.safe(now.Value)
			for _, s := range pagecontext.States(t.f, now) {
				what += " " + s
			}
		}
		if own { // the row has been told
			row = ""
		}
		return pagecontext.Mention(what, rowBeside(c.Role, called, row), index)
	}
	kind := "clickable"
	if raw == nil {
		kind = map[bool]string{true: "text", false: "item"}[c.Kind == "text"]
	}
	add := func(head string, words func() string) {
		rank := c.Rank
		if rank == 0 {
			rank = anyRank
		}
		t.list = append(t.list, said{head, rank, words, raw, c.Within, c.Kind == "count"})
	}
	item := func(words string) string { // of an item without a role, what it says
		if raw == nil && c.Role == "" {
			words = strings.TrimPrefix(words, kind+" ")
		}
		return words
	}
	out := t.out
	switch c.Kind {
	case "added":
		if called != "" {
			out.appeared = append(out.appeared, called)
		}
		add(isNew, func() string { return item(name(kind)) })
	case "removed":
		add(isGone, func() string { return item(name(kind)) })
	case "focus":
		if !own && c.ID != 0 { // that what was clicked has it nobody needs to be told, nor that nothing has
			add("", func() string { return "focus on " + name("element") })
		}
	case "said":
		said := strconv.Quote(short(t.safe(c.To), 200))
		if c.Role != "" {
			add("", func() string { return c.Role + " " + said + " for a moment" })
		} else {
			add("", func() string { return "the page announces " + said })
		}
	case "drawn":
		add("", func() string {
			what := "in the drawing"
			if c.Name != "" {
				what += fmt.Sprintf(" %q", short(t.safe(c.Name), 60))
			}
			return fmt.Sprintf("%s %s: %s", what, c.Role, short(t.safe(c.To), 160))
		})
	case "invalid":
		add("", func() string {
			return fmt.Sprintf("the browser says %q at %s", short(t.safe(c.To), 200), name("element"))
		})
	case "open":
		add("", func() string { return "the " + describe(c.Role, "dialog", called) + " is still open" })
	case "scroll":
		add("", func() string { return "scrolled" })
	case "count":
		add("", func() string { return t.count(c) })
	case "view":
		out.appeared = append(out.appeared, t.safe(c.To))
		add("", func() string {
			if c.To == "" {
				return "the view changed"
			}
			return fmt.Sprintf("the view changed to %q", short(t.safe(c.To), 80))
		})
	case "title":
		out.retitled = fmt.Sprintf("page title %q → %q", from, to)
	case "text":
		out.appeared = append(out.appeared, cameUp(to, t.safe(c.To)))
		plain := c.Name == "" && c.ID == 0
		what := func(text string, most int) string {
			return strings.TrimSpace(c.Role + " " + strconv.Quote(short(t.safe(text), most)))
		}
		switch {
		case plain && c.From == "":
			most := 120
			if c.Role != "" {
				most = 200
			}
			add(isNew, func() string { return what(c.To, most) })
		case plain && c.To == "":
			add(isGone, func() string { return what(c.From, 120) })
		case plain:
			add("", func() string {
				return fmt.Sprintf("%s %q → %q", cmp.Or(short(t.safe(c.Near), 40), "text"), from, to)
			})
		case c.From == "":
			add("", func() string { return fmt.Sprintf("%s: + %q", name(kind), to) })
		case c.To == "":
			add("", func() string { return fmt.Sprintf("%s: − %q", name(kind), from) })
		default:
			add("", func() string { return fmt.Sprintf("%s %q → %q", name(kind), from, to) })
		}
	case "attr":
		for _, state := range statesIn(c) {
			add("", func() string { return name(kind) + " " + state })
		}
	default:
		if c.Kind == "checked" && !own {
			if out.boxes == nil {
				out.boxes = map[string]int{}
			}
			out.boxes[c.To]++
		}
		if c.Kind == "value" && own {
			if out.value = c.To; strings.HasPrefix(c.To, tail) {
				out.value = "" // a part is not what it holds
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
		add("", func() string { return fmt.Sprintf("%s %s %q → %q", name(kind), c.Kind, from, to) })
	}
}

// The ranks of changes, as inOrder of the extractor gives them: from listRank on they
// are one list of what came, up to controlRank the controls that are told first; anyRank
// is that of changes that have none.
const (
	viewRank    = 3 // up to it a view that changed is told
	anyRank     = 4
	listRank    = 5
	controlRank = 7
	lastRank    = 10
)

// statesIn are the states that a change is about, each as it was and as it is.
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

// itemNames are what several items are called.
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
	text := describe(c.Role, "list", c.Name)
	if c.From == c.To {
		text += fmt.Sprintf(" has %s other %s", c.To, word)
	} else {
		text += fmt.Sprintf(" went from %s to %s %s", c.From, c.To, word)
	}
	names := make([]string, len(c.Items.Names))
	for i, n := range c.Items.Names {
		names[i] = strconv.Quote(short(t.safe(n), 60))
		t.out.appeared = append(t.out.appeared, t.safe(n))
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
		if fmt.Sprint(len(names)) != c.To {
			text += ", …"
		}
	}
	return text
}

// inOrder gives the changes as a result tells them, and whether it does: it has room for
// so many.
func (t *telling) inOrder() iter.Seq2[said, bool] {
	return func(yield func(said, bool) bool) {
		n := 0
		for rank := 1; rank <= lastRank; rank++ {
			for _, head := range []string{"", isNew, isGone} {
				for _, s := range t.list {
					if s.rank != rank || s.head != head {
						continue
					}
					most := shownChanges
					if s.of != nil && head == isNew && rank <= controlRank {
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

// end writes the changes into the outcome, as many as a result tells.
func (t *telling) end() {
	var last said
	t.told = map[string]bool{}
	for s, told := range t.inOrder() {
		if !told {
			t.out.more++
			continue
		}
		text, begun := s.words(), last.words != nil && s.head == last.head
		if !s.in && s.head == "" && t.told[text] {
			continue
		}
		t.told[text] = true
		switch n := len(t.out.parts) - 1; {
		case begun && s.rank == last.rank:
			sep := ", "
			switch {
			case s.in && !last.in:
				sep = ": "
			case s.head == "":
				sep = "; "
			}
			t.out.parts[n] += sep + text
		case begun && s.rank > listRank && s.head != "" && !last.in:
			t.out.parts[n] += ", " + text
		default:
			t.out.parts = append(t.out.parts, s.head+text)
		}
		last = s
		if s.of == nil {
			continue
		}
		switch s.head {
		case isNew:
			t.w.r.page.TellNew(t.f, *s.of, t.seen)
		case "":
			t.w.r.page.Tell(t.f, *s.of, t.seen)
		}
	}
}

// tail begins a text that the extractor tells from before where it differs: what
// stands before that is left out.
const tail = "…"

// apart shortens two texts to where they differ. It begins in no number: half of
// one is another.
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
		from, to = tail+string(f[at:]), tail+string(t[at:])
	}
	size := most
	if at > 0 {
		size = max(most, n-at+most-before)
	}
	return short(from, size), short(to, size)
}

// cameUp is of a text that came up what is looked for when the step is done again:
// the part that is new, and words that stand there as they are.
func cameUp(part, whole string) string {
	if !strings.HasPrefix(part, tail) {
		part = short(whole, 80)
	}
	return strings.TrimSpace(strings.Trim(part, tail))
}

func ofNumber(r rune) bool {
	return unicode.IsNumber(r) || unicode.IsSpace(r) || unicode.Is(unicode.Sc, r) || strings.ContainsRune(".,:'’-−", r)
}
