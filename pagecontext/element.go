package pagecontext

// Element is one element as models and programs read it. Its JSON names
// are part of what MCP and HTTP promise (docs/mcp.md).
type Element struct {
	Index       int    `json:"index"`
	Ref         string `json:"ref"`
	Tag         string `json:"tag"`
	Text        string `json:"text"`
	Role        string `json:"role,omitempty"`
	Name        string `json:"name,omitempty"`
	Type        string `json:"type,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	Href        string `json:"href,omitempty"`
	Value       string `json:"value,omitempty"`
	IsVisible   bool   `json:"isVisible"` // in the viewport
	IsEnabled   bool   `json:"isEnabled"`
	Rect        Rect   `json:"rect"` // of the main frame's viewport

	Checked  string `json:"checked,omitempty"`
	Expanded *bool  `json:"expanded,omitempty"`
	Selected *bool  `json:"selected,omitempty"`
	Required bool   `json:"required,omitempty"`
	Invalid  bool   `json:"invalid,omitempty"`
	Pressed  *bool  `json:"pressed,omitempty"`
	Current  bool   `json:"current,omitempty"`
	HasPopup string `json:"hasPopup,omitempty"`
	Level    int    `json:"level,omitempty"`
	Secret   string `json:"secret,omitempty"`
	// Description is a text elsewhere on the page that describes it: a field's
	// rule, or an error in its value.
	Description string `json:"description,omitempty"`

	AriaHidden bool     `json:"ariaHidden,omitempty"`
	Static     bool     `json:"static,omitempty"` // found by its words: a text, which nothing presses
	Draggable  bool     `json:"draggable,omitempty"`
	Hint       string   `json:"hint,omitempty"` // if it has no name: its tooltip or the name of its icon
	Near       string   `json:"near,omitempty"` // if it has no name, or shares it: the words beside it
	Group      string   `json:"group,omitempty"`
	Overlay    bool     `json:"overlay,omitempty"`
	Covered    bool     `json:"covered,omitempty"` // behind an open overlay, which takes clicks there
	OnHover    bool     `json:"onHover,omitempty"` // shows only while the mouse is over its row; actions move the mouse there
	Options    []string `json:"options,omitempty"`
	Row        int      `json:"row,omitempty"`      // number in the listing's rows, from 1; 0 for none
	Frame      string   `json:"frame,omitempty"`    // CDP id of a child frame; empty in the main frame
	FrameURL   string   `json:"frameUrl,omitempty"` // of that child frame

	labelled bool // Near begins with its label
	stood    bool // it was drawn before the last act, or on the page before
	told     bool // the client had been shown it before this look
	beside   bool // out of view, but at the height of elements of its row that are in view
	lead     bool // listed before what is in view (see markLeads)
	order    int  // its position in the list
}

// Row is a repeated part of the page that elements stand in: a row of a table, an
// item of a list, one of several cards made alike.
type Row struct {
	Role   string   `json:"role"` // row, listitem, article, option, treeitem, else group
	Text   string   `json:"text"` // what a user reads in it besides its controls
	States []string `json:"states,omitempty"`
	Index  int      `json:"index,omitempty"` // of the row itself, if it can be clicked as a whole
}

// Details is an element with its attributes, selectors and surroundings.
type Details struct {
	Element
	Attributes map[string]string `json:"attributes"`
	Selector   string            `json:"selector"`
	XPath      string            `json:"xpath"`
	ParentText string            `json:"parentText,omitempty"`
	ChildCount int               `json:"childCount"`
	Ancestors  []string          `json:"ancestors,omitempty"`
	AllOptions []Option          `json:"allOptions,omitempty"`
}

// Option is one option of a select.
type Option struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Selected bool   `json:"selected"`
}

// rawDetails is RawDetails of api.ts.
type rawDetails struct {
	RawElement
	Attributes map[string]string `json:"attributes"`
	Selector   string            `json:"selector"`
	XPath      string            `json:"xpath"`
	ParentText string            `json:"parentText"`
	ChildCount int               `json:"childCount"`
	Ancestors  []string          `json:"ancestors"`
	AllOptions []Option          `json:"allOptions"`
}

// element turns a raw element of a frame into an Element with that index. It
// flattens the page's strings, so that no line break or invisible character in
// them misleads a reader of the Element. Only a value keeps its lines.
func element(index int, raw RawElement, f frameState) Element {
	e := Element{
		Index: index, Ref: FormatRef(index),
		Tag: Flatten(raw.Tag), Role: Flatten(raw.Role), Name: Flatten(raw.Name), Text: Flatten(raw.Text),
		Type: Flatten(raw.Type), Placeholder: Flatten(raw.Placeholder), Href: Flatten(raw.Href),
		Value: flattenLines(raw.Value), IsVisible: raw.Visible && f.shows(raw.Rect), IsEnabled: raw.Enabled,
		Rect: f.main(raw.Rect), Checked: raw.Checked, Expanded: raw.Expanded, Selected: raw.Selected,
		Required: raw.Required, Invalid: raw.Invalid, Pressed: raw.Pressed, Current: raw.Current,
		HasPopup: raw.HasPopup, Level: raw.Level, Secret: raw.Secret, AriaHidden: raw.AriaHidden,
		Description: Flatten(raw.Description), Static: raw.Static, Draggable: raw.Draggable, Hint: Flatten(raw.Hint), Near: Flatten(raw.Near), labelled: raw.Labelled,
		Group: Flatten(raw.Group), Overlay: raw.Overlay, Covered: raw.Covered, OnHover: raw.OnHover, Row: raw.Row,
	}
	if words := glyphWords(e.Name); words != "" && saysWords(words, e.Hint) {
		e.Hint = words // a class that says "star" says less than "white star"
	}
	for _, o := range raw.Options {
		e.Options = append(e.Options, Flatten(o))
	}
	if raw.Secret != "" {
		e.Value = ""
	}
	if f.frame.ParentID() != "" {
		e.Frame, e.FrameURL = f.frame.ID(), f.frame.URL()
	}
	return e
}

func rowFrom(raw RawRow) Row {
	r := Row{Role: Flatten(raw.Role), Text: Flatten(raw.Text)}
	for _, s := range raw.States {
		r.States = append(r.States, Flatten(s))
	}
	return r
}

func (r Rect) shift(x, y float64) Rect {
	r.X += x
	r.Y += y
	return r
}

func (r Rect) overlaps(o Rect) bool {
	return r.X < o.X+o.Width && o.X < r.X+r.Width && r.Y < o.Y+o.Height && o.Y < r.Y+r.Height
}

func (r Rect) intersect(o Rect) Rect {
	x, y := max(r.X, o.X), max(r.Y, o.Y)
	return Rect{
		X: x, Y: y,
		Width:  max(0, min(r.X+r.Width, o.X+o.Width)-x),
		Height: max(0, min(r.Y+r.Height, o.Y+o.Height)-y),
	}
}
