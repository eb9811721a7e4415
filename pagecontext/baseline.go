package pagecontext

import "slices"

// keptBaselines are how many trees are kept for deltas, of all documents and kinds.
const keptBaselines = 12

// baseline is the tree of one kind that a client was given of one document last: what
// a delta is told against.
type baseline struct {
	document, kind string
	lines          []string
}

// rebase keeps a tree, and gives the one before of its document and kind.
func (p *Page) rebase(document, kind string, lines []string) (before []string, ok bool) {
	p.baselines = slices.DeleteFunc(p.baselines, func(b baseline) bool {
		if b.document != document || b.kind != kind {
			return false
		}
		before, ok = b.lines, true
		return true
	})
	p.baselines = append(p.baselines, baseline{document, kind, lines})
	if len(p.baselines) > keptBaselines {
		p.baselines = slices.Delete(p.baselines, 0, 1)
	}
	return before, ok
}
