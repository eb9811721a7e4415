package grounding

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tabwright/pagecontext"
)

// Form is a way to write the elements of a page.
type Form struct {
	Name   string
	About  string // for the table
	Legend string // what a model is told of it
	Ref    bool   // elements are named e12, not 12
	write  func(*Capture) string
	index  *regexp.Regexp // finds the elements that a text tells; its group is the index
}

var (
	bracketed = regexp.MustCompile(`(?m)\[e?(\d+)\]`)
	asRef     = regexp.MustCompile(`\[ref=e(\d+)\]`)
)

// Forms are all that can be measured.
var Forms = []Form{
	{
		Name: "list", About: "the list as the product sends it, at most 2,000 tokens", index: bracketed, write: func(c *Capture) string { return c.List },
		Legend: `The elements are written one a line, like button "Add to cart" [907]: 907 is its index. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "lines", About: "one element a line, rows indented under what the row says, parts and headings as lines", index: bracketed, write: (&liner{}).write,
		Legend: `The elements are written one a line, like [907] button "Add to cart": 907 is its index. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "snapshot", About: "tree of roles with text and refs, as Playwright MCP's", Ref: true, index: asRef, write: withTitle(func(c *Capture) string { return asTree(c.Snapshot) }),
		Legend: `The page is written as a tree of roles, like - button "Add to cart" [ref=e907]: e907 is its ref.`,
	},
	{
		Name: "interactive", About: "what can be acted on of that tree, as agent-browser's", Ref: true, index: asRef, write: withTitle(func(c *Capture) string { return asTree(c.Interactive) }),
		Legend: `The elements are written one a line, like - button "Add to cart" [ref=e907]: e907 is its ref.`,
	},
	{
		Name: "tags", About: "elements as HTML tags with the text between, as browser-use's", index: bracketed, write: withTitle(tags),
		Legend: `The elements are written like [907]<button aria-label=Close>Add to cart</button>: 907 is its index. Lines without an index are text of the page.`,
	},
	{
		Name: "lines-last", About: "lines, with the index at the end", index: bracketed, write: (&liner{last: true}).write,
		Legend: `The elements are written one a line, like button "Add to cart" [907]: 907 is its index. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "lines-e", About: "lines, with indices as e12", Ref: true, index: bracketed, write: (&liner{ref: true}).write,
		Legend: `The elements are written one a line, like [e907] button "Add to cart": e907 is its ref. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "lines-in", About: "lines, with the row's words on each line instead of over them", index: bracketed, write: (&liner{in: true}).write,
		Legend: `The elements are written one a line, like [907] button "Add to cart" in "Blue mug": 907 is its index, Blue mug the row that it stands in.`,
	},
	{
		Name: "lines-in-last", About: "lines, with the row's words on each and the index at the end", index: bracketed, write: (&liner{in: true, last: true}).write,
		Legend: `The elements are written one a line, like button "Add to cart" in "Blue mug" [907]: 907 is its index, Blue mug the row that it stands in.`,
	},
	{
		Name: "lines-last-e", About: "lines, with the index at the end as e12", Ref: true, index: bracketed, write: (&liner{last: true, ref: true}).write,
		Legend: `The elements are written one a line, like button "Add to cart" [e907]: e907 is its ref. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "lines-joined", About: "lines, with a row and all that is in it on one line", index: bracketed, write: (&liner{joined: true}).write,
		Legend: `The elements are written like [907] button "Add to cart": 907 is its index. A row stands on one line with its elements.`,
	},
	{
		Name: "lines-stateless", About: "lines, without states and values", index: bracketed, write: (&liner{stateless: true}).write,
		Legend: `The elements are written one a line, like [907] button "Add to cart": 907 is its index. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "lines-both", About: "lines, saying unchecked and not pressed as well", index: bracketed, write: (&liner{both: true}).write,
		Legend: `The elements are written one a line, like [907] button "Add to cart": 907 is its index. What belongs to one row is indented under a line that says what the row is.`,
	},
	{
		Name: "lines-flat", About: "lines, without rows, parts and headings", index: bracketed, write: (&liner{flat: true}).write,
		Legend: `The elements are written one a line, like [907] button "Add to cart": 907 is its index.`,
	},
}

// FormByName returns a form.
func FormByName(name string) (Form, error) {
	i := slices.IndexFunc(Forms, func(f Form) bool { return f.Name == name })
	if i < 0 {
		var names []string
		for _, f := range Forms {
			names = append(names, f.Name)
		}
		return Form{}, fmt.Errorf("no form %q; there are %s", name, strings.Join(names, ", "))
	}
	return Forms[i], nil
}

// Text writes a page.
func (f Form) Text(c *Capture) string { return f.write(c) }

// Occurrences returns how often a text lists each element.
func (f Form) Occurrences(text string) map[int]int {
	out := map[int]int{}
	for _, m := range f.index.FindAllStringSubmatch(text, -1) {
		if i, err := strconv.Atoi(m[1]); err == nil {
			out[i]++
		}
	}
	return out
}

func withTitle(body func(*Capture) string) func(*Capture) string {
	return func(c *Capture) string { return top(c) + body(c) }
}

func top(c *Capture) string { return "URL: " + c.URL + "\nTitle: " + c.Title + "\n" }

func role(e *pagecontext.Element) string {
	switch e.Role {
	case "", "generic":
		return "clickable"
	}
	return e.Role
}

func name(e *pagecontext.Element) string {
	for _, s := range []string{e.Name, e.Text, e.Hint, e.Placeholder} {
		if s != "" {
			return cut(s, 80)
		}
	}
	return ""
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// states says value and states, by the words of ARIA; both says what is not so as well.
func states(e *pagecontext.Element, current, both bool) []string {
	var out []string
	add := func(on bool, word string) {
		if on {
			out = append(out, word)
		}
	}
	switch e.Role {
	case "textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox":
		add(e.Value != "", fmt.Sprintf("value=%q", cut(e.Value, 60)))
	}
	add(e.Checked == "true", "checked")
	add(e.Checked == "mixed", "checked=mixed")
	add(both && e.Checked == "false", "unchecked")
	add(e.Pressed != nil && *e.Pressed, "pressed")
	add(both && e.Pressed != nil && !*e.Pressed, "not pressed")
	add(e.Selected != nil && *e.Selected, "selected")
	add(e.Expanded != nil && *e.Expanded, "expanded")
	add(e.Expanded != nil && !*e.Expanded, "collapsed")
	add(e.Current || current && (e.Selected == nil || !*e.Selected), "current")
	add(!e.IsEnabled, "disabled")
	add(e.Required, "required")
	add(e.Invalid, "invalid")
	return out
}
