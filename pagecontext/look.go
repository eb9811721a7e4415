package pagecontext

import (
	"context"
	"slices"
)

const (
	// lineTokens is about the least a line of the list costs, so that what is
	// listed within a budget is at least what can be said of it.
	lineTokens = 8
	leastLines = 20
)

// Look is Summary and Elements in one: every frame is walked once. With a
// budget (of tokens, as for Render) only the elements that come first in it
// are listed and numbered, those over the page, in view and below, and the
// rest is counted: on a page of thousands describing them all costs ten times
// what a model is told. Elements lists all of them.
func (p *Page) Look(ctx context.Context, budget int) (*Summary, *Listing, error) {
	rev := p.src.PageRev()
	fs, err := p.frames(ctx)
	if err != nil {
		return nil, nil, err
	}
	var o summaryOptions
	if budget > 0 {
		o.First = max(leastLines, budget/lineTokens)
	}
	states, err := p.summaries(ctx, fs, &o)
	if err != nil {
		return nil, nil, err
	}
	if slices.ContainsFunc(states, func(f frameState) bool { return f.shown && f.err == nil && f.sum.List == nil }) {
		return p.lookTwice(ctx, states, rev)
	}
	kids := place(states)
	p.mu.Lock()
	defer p.mu.Unlock()
	snap := p.newSnapshot(rev)
	p.remember(snap, Query{})
	l := p.gather(states, kids, snap, nil)
	if l.left.above > 0 { // they come last, so that a cursor goes on where all of them are left
		snap.elements = slices.DeleteFunc(snap.elements, func(e Element) bool {
			above := layerOf(&e) == layerAbove
			if above {
				l.left.above++
			}
			return above
		})
	}
	p.pruneTo(fs)
	sum := p.summary(states, snap)
	l = pageOf(l, snap, 0, 0)
	if n := l.left.total(); n > 0 {
		l.Total += n
		snap.elements = nil // not the whole listing: no cursor goes on in it
	}
	return sum, l, nil
}

// lookTwice is Look where a frame gave a summary without a list.
func (p *Page) lookTwice(ctx context.Context, states []frameState, rev int) (*Summary, *Listing, error) {
	place(states)
	p.mu.Lock()
	sum := p.summary(states, p.newSnapshot(rev))
	p.mu.Unlock()
	l, err := p.Elements(ctx, Query{})
	return sum, l, err
}
