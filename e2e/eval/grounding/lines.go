package grounding

import (
	"fmt"
	"slices"
	"strings"
)

// liner writes one element a line.
type liner struct {
	last      bool // index at the end
	ref       bool // e12
	in        bool // row's words on each line
	joined    bool // a row on one line
	stateless bool
	both      bool // also says what is not checked
	flat      bool // without rows, parts and headings
}

func (l *liner) write(c *Capture) string {
	var b strings.Builder
	b.WriteString(top(c))
	over := func(n Node) bool { return n.T == "part" && n.Role == "dialog" }
	overlays, page := split(c.Tree, over)
	l.nodes(&b, c, overlays, 0, "")
	inView := func(n Node) bool { return c.Elements[n.Index].IsVisible }
	seen := keep(page, inView)
	below := keep(page, func(n Node) bool { return !inView(n) })
	l.nodes(&b, c, seen, 0, "")
	if len(below) > 0 {
		if !l.flat {
			b.WriteString("## below the fold\n")
		}
		l.nodes(&b, c, below, 0, "")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// split separates the nodes for which is returns true from the rest, at any depth.
func split(ns []Node, is func(Node) bool) (out, rest []Node) {
	for _, n := range ns {
		if is(n) {
			out = append(out, n)
			continue
		}
		inner, kids := split(n.Kids, is)
		n.Kids = kids
		out, rest = append(out, inner...), append(rest, n)
	}
	return out, rest
}

// keep removes all elements but the wanted ones and the nodes around them.
func keep(ns []Node, want func(Node) bool) []Node {
	var out []Node
	for _, n := range ns {
		n.Kids = keep(n.Kids, want)
		if n.T == "element" && !want(n) {
			out = append(out, n.Kids...)
			continue
		}
		if n.T == "element" || n.T == "heading" || elements(n.Kids) > 0 {
			out = append(out, n)
		}
	}
	return bareHeadings(out)
}

// bareHeadings drops headings with nothing under them.
func bareHeadings(ns []Node) []Node {
	var out []Node
	for i, n := range ns {
		if n.T == "heading" && (i+1 == len(ns) || ns[i+1].T == "heading") {
			continue
		}
		out = append(out, n)
	}
	return out
}

func elements(ns []Node) int {
	n := 0
	for _, k := range ns {
		if k.T == "element" {
			n++
		}
		n += elements(k.Kids)
	}
	return n
}

func (l *liner) nodes(b *strings.Builder, c *Capture, ns []Node, depth int, row string) {
	pad := strings.Repeat("  ", depth)
	for _, n := range ns {
		switch {
		case n.T == "element":
			fmt.Fprintf(b, "%s%s\n", pad, l.element(c, n, row))
			l.nodes(b, c, n.Kids, depth+1, row)
		case n.T == "heading" && !l.flat:
			fmt.Fprintf(b, "# %s\n", cut(n.Name, 80))
		case n.T == "part":
			if !l.flat && elements(n.Kids) > 0 {
				head := "## " + n.Role
				if n.Name != "" {
					head += ": " + cut(n.Name, 80)
				}
				b.WriteString(head + "\n")
			}
			kids := n.Kids
			if len(kids) > 0 && (kids[0].T == "heading" && kids[0].Name == n.Name || kids[0].T == "part" && kids[0].Role == n.Role && kids[0].Name == n.Name) {
				kids = append(slices.Clone(kids[0].Kids), kids[1:]...) // said already
			}
			l.nodes(b, c, kids, depth, row)
		case n.T == "row" && !l.flat && tellsMore(c, n):
			l.row(b, c, n, depth, row)
		default:
			l.nodes(b, c, n.Kids, depth, row)
		}
	}
}

// tellsMore reports whether a row's text says more than its only element.
func tellsMore(c *Capture, n Node) bool {
	if elements(n.Kids) > 1 || n.Unread {
		return n.Name != ""
	}
	only := n.Kids
	for len(only) == 1 && only[0].T != "element" {
		only = only[0].Kids
	}
	if len(only) != 1 {
		return n.Name != ""
	}
	e := c.Elements[only[0].Index]
	return n.Name != "" && n.Name != name(&e)
}

func (l *liner) row(b *strings.Builder, c *Capture, n Node, depth int, outer string) {
	pad, words := strings.Repeat("  ", depth), cut(n.Name, 100)
	unread := ""
	if n.Unread && !l.stateless {
		unread = " unread"
	}
	switch {
	case l.in:
		if outer != "" {
			words = outer
		}
		l.nodes(b, c, n.Kids, depth, words+strings.Replace(unread, " ", ", ", 1))
	case l.joined:
		var inner strings.Builder
		l.nodes(&inner, c, n.Kids, 0, words)
		fmt.Fprintf(b, "%s- row %q%s: %s\n", pad, words, unread, strings.Join(strings.FieldsFunc(inner.String(), func(r rune) bool { return r == '\n' }), " "))
	default:
		fmt.Fprintf(b, "%s- row %q%s\n", pad, words, unread)
		l.nodes(b, c, n.Kids, depth+1, words)
	}
}

func (l *liner) element(c *Capture, n Node, row string) string {
	e := c.Elements[n.Index]
	index := fmt.Sprintf("[%d]", n.Index)
	if l.ref {
		index = fmt.Sprintf("[e%d]", n.Index)
	}
	said := []string{role(&e)}
	if s := name(&e); s != "" {
		said = append(said, fmt.Sprintf("%q", s))
	}
	if !l.stateless {
		said = append(said, states(&e, n.Current, l.both)...)
	}
	if l.in && row != "" && row != name(&e) {
		said = append(said, fmt.Sprintf("in %q", row))
	}
	if l.last {
		return strings.Join(append(said, index), " ")
	}
	return strings.Join(append([]string{index}, said...), " ")
}

// tags writes elements as HTML tags, with the text between.
func tags(c *Capture) string {
	var b strings.Builder
	var write func(ns []Node, depth int)
	write = func(ns []Node, depth int) {
		pad := strings.Repeat("\t", depth)
		for _, n := range ns {
			switch n.T {
			case "text", "heading":
				fmt.Fprintf(&b, "%s%s\n", pad, cut(n.Name, 200))
			case "element":
				e := c.Elements[n.Index]
				var attrs strings.Builder
				add := func(k, v string) {
					if v != "" {
						fmt.Fprintf(&attrs, " %s=%s", k, cut(v, 60))
					}
				}
				if e.Role != "" && e.Role != "generic" && e.Role != e.Tag {
					add("role", e.Role)
				}
				add("type", e.Type)
				if e.Name != e.Text {
					add("aria-label", e.Name)
				}
				add("title", e.Hint)
				add("placeholder", e.Placeholder)
				if e.Tag != "a" {
					add("value", e.Value)
				}
				add("checked", e.Checked)
				flag := func(k string, v *bool) {
					if v != nil {
						add(k, fmt.Sprint(*v))
					}
				}
				flag("aria-expanded", e.Expanded)
				flag("aria-pressed", e.Pressed)
				flag("aria-selected", e.Selected)
				if e.Current {
					add("aria-current", "true")
				}
				if !e.IsEnabled {
					add("disabled", "true")
				}
				if e.Required {
					add("required", "true")
				}
				if e.Text == "" {
					fmt.Fprintf(&b, "%s[%d]<%s%s />\n", pad, n.Index, e.Tag, attrs.String())
				} else {
					fmt.Fprintf(&b, "%s[%d]<%s%s>%s</%s>\n", pad, n.Index, e.Tag, attrs.String(), e.Text, e.Tag)
				}
				write(n.Kids, depth+1)
			default:
				write(n.Kids, depth)
			}
		}
	}
	write(c.Tree, 0)
	return strings.TrimSuffix(b.String(), "\n")
}
