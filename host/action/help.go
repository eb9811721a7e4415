package action

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"tabwright/host/action/spec"
	"tabwright/pagecontext"
)

// An error is more useful with what the next try needs: the names nearest to one
// that was not found, or the fields that take text.

// nearBy is an element that may be meant.
type nearBy struct {
	Index int    `json:"index"`
	Ref   string `json:"ref"`
	Role  string `json:"role"`
	Name  string `json:"name"`
	Near  string `json:"near,omitempty"` // the text of its row
	off   float64
	look  string // the snapshot that saw it
}

// helpTime bounds the look that help takes.
const helpTime = frameTime

// addHelp adds to an error what is needed to go on.
func (r *run) addHelp(ctx context.Context, e *Error, params any) *Error {
	if e == nil || r.page == nil || r.tab == nil || r.tab.Dialog() != nil || e.Data != nil {
		return e
	}
	ctx, cancel := context.WithTimeout(ctx, helpTime)
	defer cancel()
	switch e.Code {
	case NotFound:
		if errors.Is(e, pagecontext.ErrNotFound) {
			return r.noSuchIndex(e)
		}
		if w, ok := params.(describer); ok && errors.Is(e, errNoMatch) {
			r.nearest(ctx, e, selectorWords(w.description()), "")
		}
	case NotEditable:
		r.fields(ctx, e)
	case Disabled:
		r.nameMissingFields(ctx, e)
	}
	return e
}

// noSuchIndex adds the highest index to the error.
func (r *run) noSuchIndex(e *Error) *Error {
	if top := r.page.HighWater(); top > 0 {
		e.Message = strings.TrimPrefix(e.Message, string(NotFound)+": ")
		e.Hint = fmt.Sprintf("The highest index so far is %d. Call getElements for those of the page as it is now.", top)
		e.Data = map[string]int{"highest": top}
	} else {
		e.Message = strings.TrimPrefix(e.Message, string(NotFound)+": ")
		e.Hint = "Nothing was listed yet. Call getElements first: it gives each element its index."
	}
	return e
}

// selectorNoise matches the parts of a selector that are not words of the page.
var selectorNoise = regexp.MustCompile(`[^\p{L}\p{N}]+|\b(?:xpath|css|text|div|span|input|button|a|type|class|id|name|value|aria|label|role|data|testid|contains|has|normalize|space|nth|child|of|html|body)\b`)

// camel matches the word boundaries in wordsLikeThis.
var camel = regexp.MustCompile(`(\p{Ll})(\p{Lu})`)

// selectorWords are the words in a selector: "search button" of
// #search-button, and of button:has-text("Search").
func selectorWords(selector string) string {
	words := selectorNoise.ReplaceAllString(camel.ReplaceAllString(selector, "$1 $2"), " ")
	return strings.ToLower(strings.Join(strings.Fields(words), " "))
}

// nearest names the elements whose names come nearest to words.
func (r *run) nearest(ctx context.Context, e *Error, words, role string) {
	words = strings.ToLower(strings.TrimSpace(words))
	if words == "" {
		return
	}
	l, err := r.page.Elements(ctx, pagecontext.Query{})
	if err != nil {
		return
	}
	var all []nearBy
	for _, el := range l.Elements {
		n := nearBy{Index: el.Index, Ref: el.Ref, Role: el.Role, Name: el.Name, Near: l.RowOf(&el), off: unlike(words, strings.ToLower(short(el.Name, 80))), look: l.SnapshotID}
		if role != "" && el.Role != role && el.Tag != role {
			n.off += roleOff
		}
		if el.Name != "" && n.off <= nearEnough {
			all = append(all, n)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].off < all[j].off })
	r.tell(e, "nearest", "The nearest by name: ", all)
}

// nearEnough is the greatest distance of a name that is told, and roleOff what
// another role than the wanted one adds.
const (
	nearEnough = 0.6
	roleOff    = 0.25
)

// unlike returns the distance of two texts, from 0 to 1: by their words, by whether
// one contains the other, and by their letters.
func unlike(a, b string) float64 {
	if a == "" || b == "" {
		return 1
	}
	if strings.Contains(b, a) || strings.Contains(a, b) {
		return 0.3 * (1 - float64(min(len(a), len(b)))/float64(max(len(a), len(b))))
	}
	longer := max(len([]rune(a)), len([]rune(b)))
	least := float64(distance(a, b)) / float64(longer)
	// One word that is nearly the same counts: "chekout" and "Go to checkout".
	for _, x := range strings.Fields(a) {
		for _, y := range strings.Fields(b) {
			if n := max(len([]rune(x)), len([]rune(y))); n >= 3 && min(len([]rune(x)), len([]rune(y))) >= 3 {
				least = min(least, 0.2+0.8*float64(distance(x, y))/float64(n))
			}
		}
	}
	return least
}

// takesNone is wrapped by the error for an element that takes no text.
type takesNone struct{ index int }

func (*takesNone) Error() string { return "it takes no text" }

// writable returns an error if a takes no text.
func writable(a *element) *Error {
	switch {
	case a.facts.Editable:
		return nil
	case !a.el.Enabled:
		return &Error{Code: Disabled, Message: a.String() + " is disabled"}
	}
	return notEditable(a)
}

// notEditable returns the error for an element that takes no text. For a read-only
// field, which the page fills itself, the error says so.
func notEditable(a *element) *Error {
	e := &Error{Code: NotEditable, Message: a.String() + " takes no text", Err: &takesNone{a.index}}
	if !settable(a) && (a.facts.Tag == "input" || a.facts.Tag == "textarea") && slices.Contains(textRoles, a.el.Role) {
		e.Message += ": it can only be read. Where the page fills it in from a calendar or a list of its own, click it and choose there"
	}
	if a.facts.Tag == "canvas" || a.el.Tag == "canvas" {
		e.Message += ". Where it draws text itself: click it, then type without a target; where it only hears keys, pressKey"
	}
	return e
}

// textRoles are the roles of text fields.
var textRoles = []string{"textbox", "searchbox", "combobox", "spinbutton"}

// fields names fields that take text.
func (r *run) fields(ctx context.Context, e *Error) {
	l, err := r.page.Elements(ctx, pagecontext.Query{Type: "input"})
	if err != nil {
		return
	}
	refused := 0
	var no *takesNone
	if errors.As(e, &no) {
		refused = no.index
	}
	var all []nearBy
	for _, el := range l.Elements {
		if slices.Contains(textRoles, el.Role) && el.IsEnabled && el.Tag != "select" && el.Index != refused {
			all = append(all, nearBy{Index: el.Index, Ref: el.Ref, Role: el.Role, Name: el.Name, Near: l.RowOf(&el), look: l.SnapshotID})
		}
	}
	r.tell(e, "fields", "Fields that do: ", all)
}

// nameMissingFields names fields that are required and empty, or hold what the page
// refuses: disabled buttons mostly wait for them.
func (r *run) nameMissingFields(ctx context.Context, e *Error) {
	l, err := r.page.Elements(ctx, pagecontext.Query{})
	if err != nil {
		return
	}
	var all []nearBy
	for _, el := range l.Elements {
		empty := el.Required && el.Value == "" && el.Checked != "true"
		if el.IsEnabled && (empty || el.Invalid) {
			all = append(all, nearBy{Index: el.Index, Ref: el.Ref, Role: el.Role, Name: el.Name, Near: l.RowOf(&el), look: l.SnapshotID})
		}
	}
	r.tell(e, "missing", "Required and empty, or not accepted: ", all)
}

// errNoMatch says that no element matches a selector.
var errNoMatch = errors.New("nothing matches the selector")

func noMatch(e *Error) *Error {
	if e != nil && e.Code == NotFound && e.Err == nil {
		e.Err = errNoMatch
	}
	return e
}

// tabsLeft names the tabs to switch to in the error for a closed tab.
func (s *Session) tabsLeft(e *Error) *Error {
	if e == nil || e.Code != TabClosed || e.Hint != "" {
		return e
	}
	e.Hint = "The task has no tab left. Open one with openTab."
	if tabs := s.Tabs(); len(tabs) > 0 {
		e.Hint = TabClosed.Hint() + " They are: " + tabList(tabs) + "."
	}
	return e
}

// tell puts elements into the hint and the data.
func (r *run) tell(e *Error, key, head string, all []nearBy) {
	if len(all) == 0 {
		return
	}
	all = all[:min(len(all), spec.CandidatesShown)]
	said := make([]string, len(all))
	for i := range all {
		n := &all[i]
		n.Ref = r.page.Offer(n.look, n.Index, false)
		said[i] = pagecontext.Mention(pagecontext.Describe(n.Role, "", n.Name), pagecontext.RowOf(n.Name, "", n.Near), 0) + " [" + strings.TrimPrefix(n.Ref, "e") + "]"
	}
	e.Data = map[string]any{key: all}
	e.Hint = strings.TrimSpace(e.Code.Hint() + " " + head + strings.Join(said, ", ") + ".")
}
