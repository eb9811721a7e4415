package pagecontext

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp/jsonv2"
)

const summaryText = 500 // characters of visible text

// Summary is what a client is always sent about a page.
type Summary struct {
	URL            string   `json:"url"`
	Title          string   `json:"title"`
	Viewport       Size     `json:"viewport"`
	ScrollPosition Position `json:"scrollPosition"`
	Elements       Counts   `json:"elements"`
	VisibleText    string   `json:"visibleText"`
	FocusedElement *Focused `json:"focusedElement,omitempty"`
	PageRev        int      `json:"pageRev"`
	SnapshotID     string   `json:"snapshotId"`
	Overlays       []string `json:"overlays,omitempty"`
	// Dialog is the text of an open native dialog; the host sets it.
	Dialog     string   `json:"dialog,omitempty"`
	ScrollMax  Position `json:"scrollMax"`
	ReadyState string   `json:"readyState"`
	// Loading tells that a large part of the view has only a sign that it is being loaded.
	Loading bool   `json:"loading,omitempty"`
	Lang    string `json:"lang,omitempty"`
}

// Size is a viewport's.
type Size struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Position is a scroll offset.
type Position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Counts says how many elements of each kind all frames hold.
type Counts struct {
	Buttons int `json:"buttons"`
	Inputs  int `json:"inputs"`
	Links   int `json:"links"`
	Selects int `json:"selects"`
	Images  int `json:"images"`
	Forms   int `json:"forms"`
}

// Focused is the element that has the keyboard.
type Focused struct {
	Tag   string `json:"tag"`
	Index int    `json:"index"`
}

// frameSummary is FrameSummary of api.ts.
type frameSummary struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	ReadyState string `json:"readyState"`
	Viewport   Size   `json:"viewport"`
	Scroll     struct {
		X    float64 `json:"x"`
		Y    float64 `json:"y"`
		MaxX float64 `json:"maxX"`
		MaxY float64 `json:"maxY"`
	} `json:"scroll"`
	Counts      Counts `json:"counts"`
	VisibleText string `json:"visibleText"`
	Focused     *struct {
		ID  int    `json:"id"`
		Tag string `json:"tag"`
	} `json:"focused"`
	Overlays []string `json:"overlays"`
	Loading  bool     `json:"loading"`
	Lang     string   `json:"lang"`
	Frames   []Rect   `json:"frames"`
	// List is set if it was asked for, unless the page still has an older
	// extractor, from before an update of the extension, that can't give one.
	List *listResult `json:"list"`
	// Changed is as in the list.
	Changed bool `json:"changed"`
}

// UnmarshalJSON uses version 2 of the package, as treeResult does.
func (s *frameSummary) UnmarshalJSON(raw []byte) error {
	type plain frameSummary
	return jsonv2.Unmarshal(raw, (*plain)(s), jsonv2.AllowInvalidUTF8(true))
}

// Summary returns a summary of all frames.
func (p *Page) Summary(ctx context.Context) (*Summary, error) {
	rev := p.src.PageRev()
	fs, err := p.frames(ctx)
	if err != nil {
		return nil, err
	}
	states, err := p.summaries(ctx, fs, nil)
	if err != nil {
		return nil, err
	}
	place(states)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.summary(states, p.newSnapshot(rev)), nil
}

// summaryOptions asks for a list along with the summary.
type summaryOptions struct {
	First int `json:"first"` // about how many elements; 0 for all
}

// summaries asks all frames; o may be nil for no list.
func (p *Page) summaries(ctx context.Context, fs []Frame, o *summaryOptions) ([]frameState, error) {
	var arg any
	if o != nil {
		arg = o
	}
	states := eachAtOnce(ctx, fs, func(ctx context.Context, f *frameState) error {
		if err := f.frame.Call(ctx, "summary", arg, &f.sum); err != nil {
			return err
		}
		if f.sum.List != nil {
			f.list = *f.sum.List
			f.list.Changed = f.sum.Changed
			return nil
		}
		f.list.Viewport = f.sum.Viewport
		for _, r := range f.sum.Frames {
			f.list.Elements = append(f.list.Elements, RawElement{FrameOf: true, Rect: r})
		}
		return nil
	})
	if err := states[0].err; err != nil {
		return nil, fmt.Errorf("summarise page: %w", err)
	}
	return states, nil
}

// summary puts the frames' summaries together; p.mu is held.
func (p *Page) summary(states []frameState, snap *snapshot) *Summary {
	m, rev := states[0].sum, snap.pageRev
	s := &Summary{
		URL: Flatten(m.URL), Title: Flatten(m.Title), Viewport: m.Viewport, PageRev: rev, SnapshotID: snap.id,
		ScrollPosition: Position{m.Scroll.X, m.Scroll.Y}, ScrollMax: Position{m.Scroll.MaxX, m.Scroll.MaxY},
		ReadyState: m.ReadyState, Loading: m.Loading, Lang: Flatten(m.Lang),
	}
	var text []string
	for _, f := range states {
		if f.err != nil || !f.shown {
			continue
		}
		s.Elements.add(f.sum.Counts)
		if t := Flatten(f.sum.VisibleText); t != "" {
			text = append(text, t)
		}
		for _, o := range f.sum.Overlays {
			s.Overlays = append(s.Overlays, Flatten(o))
		}
		// Frames come parents first: a child's focus is the deeper one.
		if fo := f.sum.Focused; fo != nil && (s.FocusedElement == nil || s.FocusedElement.Tag == "iframe" || s.FocusedElement.Tag == "frame") {
			i := p.note(f.frame, RawElement{ID: fo.ID, Tag: fo.Tag}, rev, 0, nil).Index
			s.FocusedElement = &Focused{Tag: fo.Tag, Index: i}
		}
	}
	s.VisibleText = Cut(strings.Join(text, " "), summaryText)
	return s
}

func (c *Counts) add(o Counts) {
	c.Buttons += o.Buttons
	c.Inputs += o.Inputs
	c.Links += o.Links
	c.Selects += o.Selects
	c.Images += o.Images
	c.Forms += o.Forms
}
