package pagecontext

import (
	"context"
	"slices"
)

const (
	// lineTokens is about the least that a line of the list costs: a budget divided
	// by it gives at least as many elements as fit.
	lineTokens = 8
	leastLines = 20
)

// Look is Summary and Elements in one: every frame is walked once. With a
// budget (of tokens, as for Render) it lists and numbers only the first
// elements, those over the page, in view and below, and counts the rest: on a
// page of thousands, describing all of them costs ten times as much. Elements
// lists all of them.
func (p *Page) Look(ctx context.Context, budget int) (*Summary, *Listing, error) {
	rev := p.src.PageRev()
	fs, err := p.frames(ctx)
	if err != nil {
		return nil, nil, err
	}
	var o summaryOptions
	if budget > 0 {
		o.First = firstLines(budget)
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
	p.pruneTo(fs)
	sum := p.summary(states, snap)
	return sum, pageOfFirst(l, snap), nil
}

// firstLines returns how many elements to list for a budget in tokens.
func firstLines(budget int) int { return max(leastLines, budget/lineTokens) }

// lookTwice is Look where a frame gave a summary without a list.
func (p *Page) lookTwice(ctx context.Context, states []frameState, rev int) (*Summary, *Listing, error) {
	place(states)
	p.mu.Lock()
	sum := p.summary(states, p.newSnapshot(rev))
	p.mu.Unlock()
	l, err := p.Elements(ctx, Query{})
	return sum, l, err
}
