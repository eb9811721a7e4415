package pagecontext

import (
	"context"
	"fmt"
)

// Wanted says what to find, as a user or a test would name it; all fields that
// are set must match. Unless Exact is set, parts match too and case is ignored.
type Wanted struct {
	Role        string `json:"role,omitempty"`
	Name        string `json:"name,omitempty"`
	Text        string `json:"text,omitempty"`
	Label       string `json:"label,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	Alt         string `json:"alt,omitempty"`
	Title       string `json:"title,omitempty"`
	TestID      string `json:"testId,omitempty"`
	Exact       bool   `json:"exact,omitempty"`
	Limit       int    `json:"limit,omitempty"`
	// Scope is a ref: only what stands within.
	Scope string `json:"-"`
}

// HiddenMatch is an element that answers to what is wanted but is hidden. Under is the
// element that may show it, nil if it is not known.
type HiddenMatch struct {
	Role, Name string
	Under      *Element
}

// rawHidden is HiddenMatch of api.ts.
type rawHidden struct {
	Role  string      `json:"role"`
	Name  string      `json:"name"`
	Under *RawElement `json:"under"`
}

// Find returns the elements that match w, those of the main frame first. Total
// counts all of them; Elements holds at most Limit per frame.
func (p *Page) Find(ctx context.Context, w Wanted) (*Listing, error) {
	rev := p.src.PageRev()
	fs, id, err := p.within(ctx, w.Scope)
	if err != nil {
		return nil, err
	}
	arg := struct {
		Wanted
		ScopeID int `json:"scopeId,omitempty"`
	}{w, id}
	states := each(ctx, fs, func(ctx context.Context, f *frameState) error {
		var r struct {
			Elements []RawElement `json:"elements"`
			Total    int          `json:"total"`
			Seen     int          `json:"seen"`
			Hidden   *rawHidden   `json:"hidden"`
		}
		if err := f.frame.Call(ctx, "findBy", arg, &r); err != nil {
			return err
		}
		f.list.Elements, f.list.Nodes, f.list.Seen, f.hidden = r.Elements, r.Total, r.Seen, r.Hidden
		return nil
	})
	if err := states[0].err; err != nil {
		return nil, fmt.Errorf("find elements: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.newSnapshot(rev)
	l := &Listing{PageRev: rev, SnapshotID: s.id, Elements: []Element{}}
	for _, f := range states {
		if f.err != nil {
			l.Unread++
			continue
		}
		if !f.shown {
			continue
		}
		l.Total += f.list.Nodes
		if h := f.hidden; h != nil && l.Hidden == nil {
			l.Hidden = &HiddenMatch{Role: Flatten(h.Role), Name: Flatten(h.Name)}
			if by := h.Under; by != nil {
				e := element(p.note(f.frame, *by, rev, f.list.Seen, s).Index, *by, f)
				l.Hidden.Under = &e
			}
		}
		for _, raw := range f.list.Elements {
			e := element(p.note(f.frame, raw, rev, f.list.Seen, s).Index, raw, f)
			if e.Role == "row" {
				e.Name = e.Text // without the names of its controls
			}
			l.Elements = append(l.Elements, e)
		}
	}
	return l, nil
}

// within returns the frames to look in and the local id of the scope; without a
// scope, every frame and 0.
func (p *Page) within(ctx context.Context, scope string) ([]Frame, int, error) {
	if scope == "" {
		fs, err := p.frames(ctx)
		return fs, 0, err
	}
	e, err := p.Lookup(ctx, scope)
	if err != nil {
		return nil, 0, err
	}
	f, err := p.FrameOf(ctx, e)
	if err != nil {
		return nil, 0, err
	}
	return []Frame{f}, e.LocalID, nil
}
