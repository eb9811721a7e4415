package page

import (
	"context"

	"tabwright/pagecontext"
)

// Mask masks the values of a frame's secret fields in a text.
func Mask(ctx context.Context, f Frame, text string) (string, error) {
	return one[string](ctx, f, "mask", args{"text": text}, "text")
}

// Text is the visible text of an element, or of the page.
type Text struct {
	Text  string `json:"text"`
	More  bool   `json:"more"`
	Error *Error `json:"error"`
}

// ReadText reads the text of an element; id is 0 for the page.
func ReadText(ctx context.Context, f Frame, id, most int) (Text, error) {
	return call[Text](ctx, f, "text", args{"id": id, "max": most})
}

// Attribute is an attribute of an element; Value is nil if it has none.
type Attribute struct {
	Value  *string `json:"value"`
	Masked bool    `json:"masked"`
	Error  *Error  `json:"error"`
}

// ReadAttribute reads an attribute.
func ReadAttribute(ctx context.Context, f Frame, id int, name string) (Attribute, error) {
	return call[Attribute](ctx, f, "attribute", args{"id": id, "name": name})
}

// HTML is the markup of an element, or of the page.
type HTML struct {
	HTML  string `json:"html"`
	More  bool   `json:"more"`
	Error *Error `json:"error"`
}

// ReadHTML reads the markup of an element; id is 0 for the page.
func ReadHTML(ctx context.Context, f Frame, id int, inner bool, most int) (HTML, error) {
	return call[HTML](ctx, f, "html", args{"id": id, "inner": inner, "max": most})
}

// ContentOptions say what to read as Markdown: an element, or the page if ID is 0.
type ContentOptions struct {
	ID    int  `json:"id"`
	Max   int  `json:"max"`
	Links bool `json:"links"`
}

// Content is the readable part of a page, as Markdown.
type Content struct {
	Markdown string `json:"markdown"`
	More     bool   `json:"more"`
	Title    string `json:"title"`
	Error    *Error `json:"error"`
}

// ReadContent reads the content of an element or of the page.
func ReadContent(ctx context.Context, f Frame, o ContentOptions) (Content, error) {
	return call[Content](ctx, f, "content", o)
}

// Inside are the controls within an element, and the id of the look that listed them.
type Inside struct {
	Elements []pagecontext.RawElement `json:"elements"`
	Seen     int                      `json:"seen"`
}

// ListInside lists the controls within an element.
func ListInside(ctx context.Context, f Frame, id, most int) (Inside, error) {
	return call[Inside](ctx, f, "list", args{"scopeId": id, "limit": most})
}

// Wanted is what to look for on a page.
type Wanted struct {
	Selector string `json:"selector,omitempty"`
	Text     string `json:"text,omitempty"`
	Items    string `json:"items,omitempty"`
}

// Probe is a quick look at a page, with whether the wanted elements are there.
type Probe struct {
	ReadyState string                  `json:"readyState"`
	URL        string                  `json:"url"`
	Y          float64                 `json:"y"`
	Height     float64                 `json:"height"`
	Nodes      int                     `json:"nodes"`
	Attached   bool                    `json:"attached"`
	Selector   *pagecontext.RawElement `json:"selector"`
	Text       *pagecontext.RawElement `json:"text"`
	Items      int                     `json:"items"`
	Error      *Error                  `json:"error"`
}

// Look takes a Probe of a page.
func Look(ctx context.Context, f Frame, w Wanted) (Probe, error) {
	return call[Probe](ctx, f, "probe", w)
}
