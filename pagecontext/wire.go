// Package pagecontext turns what the extractor finds on a page into the text that a model
// reads. It writes a summary, the list of elements with their indices, details of elements,
// and what is new since the last look. Of a tab, it needs only the interfaces Frame and
// Source. It imports nothing from host. Start reading at Page.
package pagecontext

import "context"

// Rect is a box in CSS pixels of the main frame's viewport.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Frame is one document's extractor. Call runs a function of the extractor
// (extension/src/extractor/api.ts) in the frame's isolated world with JSON in
// and out; it injects the extractor first where that is needed.
type Frame interface {
	ID() string       // CDP frame id
	ParentID() string // empty for the main frame
	Document() string // CDP loader id: changes with each new document
	URL() string
	// Offset is where this frame's viewport starts in the main frame's, in CSS
	// pixels; ok is false when the frame is not rendered.
	Offset(ctx context.Context) (x, y float64, ok bool)
	// Scale is the size of one CSS pixel of this frame in CSS pixels of the main
	// frame, as of the last Offset.
	Scale() (kx, ky float64)
	Call(ctx context.Context, fn string, arg, result any) error
}

// Source is a tab as pagecontext needs it.
type Source interface {
	// PageRev counts the main frame's documents in the life of the tab.
	PageRev() int
	// Frames returns the current frames, the main frame first, parents before
	// children.
	Frames(ctx context.Context) ([]Frame, error)
}

// RawElement is an element as one frame's extractor lists it; the fields are
// those of RawElement in api.ts.
type RawElement struct {
	ID          int      `json:"id"`
	Tag         string   `json:"tag"`
	Role        string   `json:"role"`
	Name        string   `json:"name"`
	Text        string   `json:"text"`
	Type        string   `json:"type,omitempty"`
	Placeholder string   `json:"placeholder,omitempty"`
	Href        string   `json:"href,omitempty"`
	Value       string   `json:"value,omitempty"`
	Visible     bool     `json:"visible"`
	Enabled     bool     `json:"enabled"`
	Rect        Rect     `json:"rect"`
	Checked     string   `json:"checked,omitempty"`
	Expanded    *bool    `json:"expanded,omitempty"`
	Selected    *bool    `json:"selected,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Invalid     bool     `json:"invalid,omitempty"`
	Pressed     *bool    `json:"pressed,omitempty"`
	Current     bool     `json:"current,omitempty"`
	HasPopup    string   `json:"haspopup,omitempty"`
	Level       int      `json:"level,omitempty"`
	Secret      string   `json:"secret,omitempty"`
	Description string   `json:"description,omitempty"`
	Behaves     bool     `json:"behaves,omitempty"`
	Static      bool     `json:"static,omitempty"`
	Draggable   bool     `json:"draggable,omitempty"`
	Hint        string   `json:"hint,omitempty"`
	Near        string   `json:"near,omitempty"`
	Labelled    bool     `json:"labelled,omitempty"`
	AriaHidden  bool     `json:"ariaHidden,omitempty"`
	Group       string   `json:"group,omitempty"`
	Frames      bool     `json:"frames,omitempty"`
	Overlay     bool     `json:"overlay,omitempty"`
	Covered     bool     `json:"covered,omitempty"`
	OnHover     bool     `json:"onHover,omitempty"`
	FrameOf     bool     `json:"frameOf,omitempty"`
	Options     []string `json:"options,omitempty"`
	Row         int      `json:"row,omitempty"` // number in its frame's rows, from 1
	Stood       bool     `json:"stood,omitempty"`
	Lost        int      `json:"lost,omitempty"`

	row    string // the text of that row
	framed bool   // it stands in the frame of a site (see inFrame)
}

// RawRow is a row as one frame's extractor lists it; the fields are those of
// RawRow in api.ts.
type RawRow struct {
	Role   string   `json:"role"`
	Text   string   `json:"text"`
	States []string `json:"states,omitempty"`
	El     int      `json:"el,omitempty"`
}
