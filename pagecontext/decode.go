package pagecontext

// The lists and trees of large pages are read by hand, in a third of the time that
// a JSON package takes: what the extractor gives has always the same shape. What
// has another one, down to the last sign, is left to the package.

func (s *scanner) rect() (r Rect) {
	s.object(func(name []byte) {
		switch string(name) {
		case "x":
			r.X = s.number()
		case "y":
			r.Y = s.number()
		case "width":
			r.Width = s.number()
		case "height":
			r.Height = s.number()
		default:
			s.bad = true
		}
	})
	return r
}

// deepest is how many lists of nodes may stand within one another. The extractor
// stops at 800 (aria.ts), and the package reads what is deeper up to a bound of its own.
const deepest = 1000

// nodes reads the nodes of a tree.
func (s *scanner) nodes() []ariaNode {
	if s.word("null") {
		return nil
	}
	if s.deep++; s.deep > deepest {
		s.bad = true
		return nil
	}
	defer func() { s.deep-- }()
	out := []ariaNode{}
	s.array(func() {
		out = append(out, ariaNode{})
		n := &out[len(out)-1]
		s.object(func(name []byte) { s.nodeField(n, name) })
	})
	return out
}

func (s *scanner) nodeField(n *ariaNode, name []byte) {
	switch string(name) {
	case "id":
		n.ID = s.integer()
	case "role":
		n.Role = s.again()
	case "tag":
		n.Tag = s.again()
	case "name":
		n.Name = s.text()
	case "level":
		n.Level = s.integer()
	case "checked":
		n.Checked = s.again()
	case "expanded":
		n.Expanded = s.maybe()
	case "selected":
		n.Selected = s.boolean()
	case "pressed":
		n.Pressed = s.boolean()
	case "current":
		n.Current = s.boolean()
	case "disabled":
		n.Disabled = s.boolean()
	case "frameOf":
		n.FrameOf = s.boolean()
	case "rect":
		n.Rect = s.rect()
	case "children":
		n.Children = s.nodes()
	default:
		s.bad = true
	}
}

// scanned reads an object and nothing behind it, field by field; false says that it
// is not as expected, and what it should go into is as it was.
func scanned[T any](raw []byte, into *T, field func(s *scanner, out *T, name []byte)) bool {
	s, out := &scanner{b: raw}, *into
	s.object(func(name []byte) { field(s, &out, name) })
	if s.bad || len(s.b) > 0 {
		return false
	}
	*into = out
	return true
}

// scan reads what tree of api.ts gives, as scanned does.
func (r *treeResult) scan(raw []byte) bool {
	return scanned(raw, r, func(s *scanner, out *treeResult, name []byte) {
		switch string(name) {
		case "nodes":
			out.Nodes = s.nodes()
		case "list":
			s.object(func(name []byte) { s.listField(&out.List, name) })
		case "truncated":
			out.Truncated = s.boolean()
		case "nodeCount":
			out.NodeCount = s.integer()
		case "changed":
			out.Changed = s.boolean()
		case "modal":
			out.Modal = s.boolean()
		case "seen":
			out.Seen = s.integer()
		default:
			s.bad = true
		}
	})
}

// scan reads what list of api.ts gives, as scanned does.
func (r *listResult) scan(raw []byte) bool {
	return scanned(raw, r, (*scanner).listField)
}

func (s *scanner) listField(out *listResult, name []byte) {
	switch string(name) {
	case "elements":
		out.Elements = s.elements()
	case "rows":
		out.Rows = s.rows()
	case "truncated":
		out.Truncated = s.boolean()
	case "nodes":
		out.Nodes = s.integer()
	case "viewport":
		s.figures(map[string]*float64{"width": &out.Viewport.Width, "height": &out.Viewport.Height})
	case "left":
		s.counts(map[string]*int{"inView": &out.Left.InView, "below": &out.Left.Below, "above": &out.Left.Above, "covered": &out.Left.Covered})
	case "paging":
		out.Paging = s.text()
	case "modal":
		out.Modal = s.boolean()
	case "changed":
		out.Changed = s.boolean()
	case "seen":
		out.Seen = s.integer()
	default:
		s.bad = true
	}
}

// elements reads the elements of a list.
func (s *scanner) elements() []RawElement {
	if s.word("null") {
		return nil
	}
	const least = 256 // bytes of most elements
	out := make([]RawElement, 0, len(s.b)/least)
	s.array(func() {
		out = append(out, RawElement{})
		s.element(&out[len(out)-1])
	})
	return out
}

// rows reads the rows of a list.
func (s *scanner) rows() []RawRow {
	if s.word("null") {
		return nil
	}
	out := []RawRow{}
	s.array(func() {
		out = append(out, RawRow{})
		r := &out[len(out)-1]
		s.object(func(name []byte) {
			switch string(name) {
			case "role":
				r.Role = s.again()
			case "text":
				r.Text = s.text()
			case "states":
				r.States = s.texts()
			case "el":
				r.El = s.integer()
			default:
				s.bad = true
			}
		})
	})
	return out
}

// element reads an element of a list.
func (s *scanner) element(e *RawElement) {
	s.object(func(name []byte) {
		if !s.elementText(e, name) && !s.elementFlag(e, name) {
			s.bad = true
		}
	})
}

// elementText reads what is no yes or no of an element.
func (s *scanner) elementText(e *RawElement, name []byte) bool {
	switch string(name) {
	case "id":
		e.ID = s.integer()
	case "tag":
		e.Tag = s.again()
	case "role":
		e.Role = s.again()
	case "name":
		e.Name = s.text()
	case "text":
		e.Text = s.text()
	case "type":
		e.Type = s.again()
	case "placeholder":
		e.Placeholder = s.text()
	case "href":
		e.Href = s.text()
	case "value":
		e.Value = s.text()
	case "rect":
		e.Rect = s.rect()
	case "checked":
		e.Checked = s.again()
	case "haspopup":
		e.HasPopup = s.again()
	case "level":
		e.Level = s.integer()
	case "secret":
		e.Secret = s.again()
	case "description":
		e.Description = s.text()
	case "hint":
		e.Hint = s.text()
	case "near":
		e.Near = s.text()
	case "group":
		e.Group = s.again()
	case "options":
		e.Options = s.texts()
	case "row":
		e.Row = s.integer()
	default:
		return false
	}
	return true
}

// elementFlag reads a yes or no of an element.
func (s *scanner) elementFlag(e *RawElement, name []byte) bool {
	switch string(name) {
	case "visible":
		e.Visible = s.boolean()
	case "enabled":
		e.Enabled = s.boolean()
	case "expanded":
		e.Expanded = s.maybe()
	case "selected":
		e.Selected = s.maybe()
	case "required":
		e.Required = s.boolean()
	case "invalid":
		e.Invalid = s.boolean()
	case "pressed":
		e.Pressed = s.maybe()
	case "current":
		e.Current = s.boolean()
	case "behaves":
		e.Behaves = s.boolean()
	case "draggable":
		e.Draggable = s.boolean()
	case "ariaHidden":
		e.AriaHidden = s.boolean()
	case "overlay":
		e.Overlay = s.boolean()
	case "covered":
		e.Covered = s.boolean()
	case "stood":
		e.Stood = s.boolean()
	case "onHover":
		e.OnHover = s.boolean()
	case "frameOf":
		e.FrameOf = s.boolean()
	default:
		return false
	}
	return true
}
