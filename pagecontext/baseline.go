package pagecontext

import (
	"fmt"
	"slices"
)

// keptBaselines are how many trees are kept for deltas, of all documents and kinds.
const keptBaselines = 12

// baseline is the tree of one kind that a client was given of one document last: what
// a delta is told against.
type baseline struct {
	document, kind string
	lines          []string
	options        SnapshotOptions
}

// lastOptions gives the options of a delta: where there was no snapshot of a document
// with those that it asks for, those of the last one of the same part of it; p.mu is held.
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

// rebase keeps a tree, and gives the one before of its document and kind.
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

// kind names snapshots that can be compared.
func (o SnapshotOptions) kind() string {
	return fmt.Sprintf("%t %t %d %s", o.Interactive, o.Compact, o.MaxDepth, o.Scope)
}
