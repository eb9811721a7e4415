package pagecontext

// Shown gives what an index stood for when it was last shown, without asking
// the page whether it still does.
func (p *Page) Shown(index int) (Entry, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.entries[index]
	return e, ok
}
