package pagecontext

import (
	"fmt"
	"slices"
)

// keptBaselines is how many trees are kept for deltas, over all documents and kinds.
const keptBaselines = 12

// baseline is the last tree of one document and kind that a client was given. A delta is
// the difference to it.
type baseline struct {
	document, kind string
	lines          []string
	options        SnapshotOptions
}

// lastOptions returns the options of a delta. If the document has no baseline for o, they
// are those of its last baseline with the same scope; p.mu is held.
func (p *Page) lastOptions(document string, o SnapshotOptions) SnapshotOptions {
	if !o.Delta || slices.ContainsFunc(p.baselines, func(b baseline) bool { return b.document == document && b.kind == o.kind() }) {
		return o
	}
	for _, b := range slices.Backward(p.baselines) {
		if b.document == document && b.options.Scope == o.Scope {
			o = b.options
			o.Delta = true
			break
		}
	}
	return o
}

// rebase keeps a tree as the baseline of its document and kind, and returns the one before.
func (p *Page) rebase(document string, o SnapshotOptions, lines []string) (before []string, ok bool) {
	kind := o.kind()
	p.baselines = slices.DeleteFunc(p.baselines, func(b baseline) bool {
		if b.document != document || b.kind != kind {
			return false
		}
		before, ok = b.lines, true
		return true
	})
	p.baselines = append(p.baselines, baseline{document, kind, lines, o})
	if len(p.baselines) > keptBaselines {
		p.baselines = slices.Delete(p.baselines, 0, 1)
	}
	return before, ok
}

// kind returns a key that is the same for snapshots that can be compared.
func (o SnapshotOptions) kind() string {
	return fmt.Sprintf("%t %t %d %s", o.Interactive, o.Compact, o.MaxDepth, o.Scope)
}
