package pagecontext

// Shown returns the entry of an index as the given snapshot showed it, or else as
// it was last shown. It does not look at the page.
func (p *Page) Shown(index int, snapshot string) (Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.snapshot(snapshot); s != nil && s.shown[index] {
		return s.seen[index], true
	}
	e, ok := p.entries[index]
	return e, ok
}
