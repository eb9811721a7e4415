package action

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"tabwright/host/action/spec"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// FindParams are the parameters of find. All that is given must hold.
type FindParams struct {
	Role        string `json:"role,omitempty" jsonschema:"ARIA role: button, link, textbox, heading, …"`
	Name        string `json:"name,omitempty" jsonschema:"accessible name"`
	Text        string `json:"text,omitempty" jsonschema:"text that it shows"`
	Label       string `json:"label,omitempty" jsonschema:"label of a field"`
	Placeholder string `json:"placeholder,omitempty"`
	Alt         string `json:"alt,omitempty" jsonschema:"text of a picture"`
	Title       string `json:"title,omitempty" jsonschema:"title attribute"`
	TestID      string `json:"testId,omitempty" jsonschema:"data-testid and its like"`
	Selector    string `json:"selector,omitempty" jsonschema:"CSS selector or XPath, alone: how many match"`
	Exact       *bool  `json:"exact,omitempty" jsonschema:"the whole text, letter by letter; else a part in any case"`
	Nth         *int   `json:"nth,omitempty" jsonschema:"only this match, from 0; -1 is the last"`
	Index       *int   `json:"index,omitempty" jsonschema:"look only within this element"`
	Ref         string `json:"ref,omitempty" jsonschema:"look only within this element"`
}

// SnapshotParams are the parameters of snapshot.
type SnapshotParams struct {
	Interactive *bool  `json:"interactive,omitempty" jsonschema:"only what can be acted on"`
	Compact     *bool  `json:"compact,omitempty" jsonschema:"leave out wrappers without a name"`
	MaxDepth    *int   `json:"maxDepth,omitempty" jsonschema:"levels of the tree; all if left out"`
	Scope       string `json:"scope,omitempty" jsonschema:"ref, selector or heading (main: Mugs)"`
	Delta       *bool  `json:"delta,omitempty" jsonschema:"only what changed since the last such snapshot of this page"`
}

const findLimit = 50

func lookupActions() []declared {
	read := Spec{Family: "reading", Class: safety.Read, NeedsTab: true}
	finding, snap, content := read, read, read
	finding.Name, finding.Strong = "find", true
	snap.Name, snap.Strong = "snapshot", true
	content.Name, content.ModelVisible, content.Advanced = "extractContent", true, []string{"format", "links", "page"}
	return []declared{
		declare(finding, findElements),
		declare(snap, snapshot, spec.Between("maxDepth", 1, 1000)),
		declare(content, extractContent, spec.Enum("format", "markdown", "text"), spec.Between("maxChars", leastChars, mostChars), spec.Between("page", 1, 100000)),
	}
}

func isOn(b *bool) bool { return b != nil && *b }

// findElements finds by role and name, text, label and so on, in every frame.
func findElements(ctx context.Context, r *run, p FindParams) *Error {
	if p.Selector != "" {
		if (FindParams{Selector: p.Selector}) != p {
			return &Error{Code: InvalidParams, Message: "selector stands alone: it says all that is to be found"}
		}
		return r.countMatches(ctx, p.Selector)
	}
	w := pagecontext.Wanted{
		Role: strings.ToLower(strings.TrimSpace(p.Role)), Name: p.Name, Text: p.Text, Label: p.Label, Placeholder: p.Placeholder,
		Alt: p.Alt, Title: p.Title, TestID: p.TestID, Exact: isOn(p.Exact), Limit: findLimit,
	}
	if (pagecontext.Wanted{Exact: w.Exact, Limit: findLimit}) == w {
		return &Error{Code: InvalidParams, Message: "nothing to find: give role, name, text, label, placeholder, alt, title, testId or selector"}
	}
	if p.Nth != nil && (*p.Nth >= findLimit || *p.Nth < 0) {
		w.Limit = 5000
	}
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	if within := (Target{Index: p.Index, Ref: p.Ref}); within.isSet() {
		a, err := r.resolve(ctx, targetQuery{Target: within})
		if err != nil {
			return err
		}
		w.Scope = pagecontext.FormatRef(a.index)
	}
	l, err := r.page.Find(ctx, w)
	if err != nil {
		return wrap("find elements", err)
	}
	if p.Nth != nil {
		i := *p.Nth
		if i < 0 {
			i += len(l.Elements)
		}
		if i < 0 || i >= len(l.Elements) {
			return &Error{Code: NotFound, Message: fmt.Sprintf("there are %d matches, and none number %d", l.Total, *p.Nth), Data: map[string]int{"total": l.Total}}
		}
		l.Elements = l.Elements[i : i+1]
	}
	*r.object = fmt.Sprint(l.Total)
	r.res.Data = l
	if len(l.Elements) == 0 {
		return r.nothingLike(ctx, w, l)
	}
	var lines []string
	for _, e := range l.Elements {
		lines = append(lines, pagecontext.Line(e)+away(e))
	}
	var n int
	r.res.Text, n = fitLines(fmt.Sprintf("OK: %d found:", l.Total), lines, listBudget, "say more of what is looked for, or which by nth")
	r.page.ShowAll(l.SnapshotID, l.Elements[:r.read(n, len(l.Elements))])
	return nil
}

// read returns how much of a result the client reads: all of its data, or with TextOnly
// only its text.
func (r *run) read(text, data int) int {
	if r.s.o.TextOnly {
		return text
	}
	return data
}

func away(e pagecontext.Element) string {
	if e.IsVisible {
		return ""
	}
	return " (not in view)"
}

// nothingLike returns the error for a search that found nothing: with what is there but
// hidden, or else the elements nearest by name.
func (r *run) nothingLike(ctx context.Context, w pagecontext.Wanted, l *pagecontext.Listing) *Error {
	e := &Error{Code: NotFound, Message: "nothing on the page answers to that"}
	there := ""
	if h := l.Hidden; h != nil {
		e.Message = "nothing that is shown answers to that"
		there = pagecontext.Called(h.Role, "", h.Name) + " is there but hidden"
		if by := h.Under; by != nil {
			r.page.ShowAll(l.SnapshotID, []pagecontext.Element{*by})
			e.Hint = there + ", under " + pagecontext.Mention(pagecontext.Called(by.Role, by.Tag, by.Name), "", by.Index) + "."
			return e
		}
		there += ". "
	}
	r.nearest(ctx, e, strings.Join([]string{w.Name, w.Text, w.Label, w.Placeholder, w.Alt, w.Title}, " "), w.Role)
	e.Hint = strings.TrimSpace(there + e.Hint)
	return e
}

// distance returns how many letters must change to turn one text into the other
// (Levenshtein).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, c := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range y {
			cost := 1
			if c == d {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(y)]
}

// scopeHint says what a scope is.
const scopeHint = "A scope is a ref ([12]), a CSS selector, a heading (## main: Mugs) or the line over a row (row \"Ida Lind\"), as the list prints them."

// endIndex matches the index at the end of a line of the list.
var endIndex = regexp.MustCompile(` (\[\d+\]):?$`)

// scopeRef returns the ref of the part of the page that a scope names by a ref, a
// line of the list, or a selector; "" for the whole page.
func (r *run) scopeRef(ctx context.Context, scope string) (string, *Error) {
	scope = strings.TrimSpace(scope)
	if scope == "" {
		return "", nil
	}
	g := targetQuery{Target: Target{Selector: scope}, exact: true, part: true}
	ref := scope
	if index := endIndex.FindStringSubmatch(scope); index != nil {
		ref = index[1]
	}
	if _, _, err := pagecontext.ParseRef(ref); err == nil {
		g = targetQuery{Target: Target{Ref: ref}}
	}
	a, err := r.resolve(ctx, g)
	if err != nil {
		if g.Selector != "" && (err.Code == NotFound || err.Code == InvalidParams) && err.Data == nil {
			err.Hint = scopeHint
		}
		return "", err
	}
	return pagecontext.FormatRef(a.index), nil
}

// snapshot gives the page as a tree of roles and names with refs.
func snapshot(ctx context.Context, r *run, p SnapshotParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	o := pagecontext.SnapshotOptions{Interactive: isOn(p.Interactive), Compact: isOn(p.Compact), Delta: isOn(p.Delta)}
	if p.MaxDepth != nil {
		o.MaxDepth = *p.MaxDepth
	}
	var bad *Error
	if o.Scope, bad = r.scopeRef(ctx, p.Scope); bad != nil {
		return bad
	}
	snap, err := r.page.Snapshot(ctx, o)
	if err != nil {
		return wrap("read the page", err)
	}
	defer r.notePDF(ctx)
	snap.Tree = safety.Redact(snap.Tree)
	*r.object = fmt.Sprint(snap.Stats.Refs)
	r.res.Data = snap
	head := "OK: the page as a tree:"
	switch {
	case snap.Delta && snap.Tree == "":
		r.res.Text = "OK: nothing changed since the last snapshot."
		return nil
	case snap.Delta:
		head = "OK: changes since the last snapshot:"
	case snap.Tree == "":
		r.res.Text = "OK: there is nothing on the page."
		if o.Interactive {
			r.res.Text = "OK: there is nothing to operate there; a snapshot without \"interactive\" shows what there is to read."
		}
		return nil
	case o.Delta && !snap.Delta:
		head = "OK: the page as a tree (all of it: there is no snapshot of this page with these options before):"
	}
	if snap.Truncated {
		head = strings.TrimSuffix(head, ":") + " (its first elements; scope or getElements query=… finds the others):"
	}
	if snap.Modal {
		head = strings.TrimSuffix(head, ":") + " (without the rest of the page, which is behind the dialog and can't be used until that is closed):"
	}
	lines := strings.Split(snap.Tree, "\n")
	var n int
	r.res.Text, n = fitLines(head, lines, listBudget, "narrow it by scope=e…, interactive or maxDepth; getElements query=… finds one")
	r.page.ShowTree(snap, r.read(n, len(lines)))
	return nil
}
