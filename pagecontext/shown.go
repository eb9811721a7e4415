package pagecontext

// Shown gives what an index stood for when it was last shown, or in a snapshot,
// without asking the page whether it still does.
func (p *Page) Shown(index int, snapshot string) (Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.snapshot(snapshot); s != nil && s.shown[index] {
		return s.seen[index], true
	}
	e, ok := p.entries[index]
	return e, ok
}
