package pagecontext

import (
	"context"
	"fmt"
	"slices"
)

// Lookup returns the entry that a ref (see ParseRef) stands for. A ref with a
// snapshot is read as that snapshot showed it. It fails with ErrNotFound for an
// index that was never given, and with *StaleError when its document is gone. It
// does not ask the extractor whether the node is still the same.
func (p *Page) Lookup(ctx context.Context, ref string) (Entry, error) {
	index, snap, err := ParseRef(ref)
	if err != nil {
		return Entry{}, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return p.lookup(ctx, ref, index, snap)
}

// LookupIndex is Lookup for a bare number.
func (p *Page) LookupIndex(ctx context.Context, index int) (Entry, error) {
	return p.lookup(ctx, FormatRef(index), index, "")
}

func (p *Page) lookup(ctx context.Context, ref string, index int, snap string) (Entry, error) {
	rev := p.src.PageRev()
	p.mu.Lock()
	e, ok := p.entries[index]
	given := index >= 1 && index <= p.next
	old := false
	if ok && snap != "" {
		s := p.snapshot(snap)
		if s == nil {
			old = true
		} else if e, ok = s.seen[index], s.shown[index]; !ok {
			given = false
		}
	}
	p.mu.Unlock()
	switch {
	case !ok && !given:
		return Entry{}, fmt.Errorf("%w: no element %s was ever listed in this tab", ErrNotFound, ref)
	case !ok:
		// Given before the broker restarted, or pruned: nothing else is known of it.
		return Entry{}, &StaleError{Ref: ref, CurrentPageRev: rev, Was: "unknown", Reason: "it was listed long ago"}
	case old:
		return Entry{}, p.Stale(ref, e, "its snapshot is no longer kept")
	}
	fs, err := p.frames(ctx)
	if err != nil {
		return Entry{}, err
	}
	if !slices.ContainsFunc(fs, func(f Frame) bool { return f.ID() == e.FrameID && f.Document() == e.Document }) {
		return Entry{}, p.Stale(ref, e, "the document it was in is gone")
	}
	return e, nil
}

// Stale returns the error for an entry that is no longer what it was.
func (p *Page) Stale(ref string, e Entry, reason string) *StaleError {
	return &StaleError{
		Ref: ref, SnapshotPageRev: e.PageRev, CurrentPageRev: p.src.PageRev(), URL: e.URL,
		Was: e.String(), In: RowOf(e.Name, e.Row, e.Near), Reason: reason,
	}
}

// FrameOf returns the live frame of an entry, or a *StaleError if its document is gone.
func (p *Page) FrameOf(ctx context.Context, e Entry) (Frame, error) {
	fs, err := p.frames(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range fs {
		if f.ID() == e.FrameID && f.Document() == e.Document {
			return f, nil
		}
	}
	return nil, p.Stale(FormatRef(e.Index), e, "the document it was in is gone")
}
