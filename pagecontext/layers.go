package pagecontext

import "slices"

// Layers of a list, in the order in which they are written.
const (
	layerOver    = iota // dialogs, other overlays, notices
	layerLead           // elements moved before the view (see markLeads)
	layerView           // in view
	layerBelow          // out of view, not above
	layerAbove          // scrolled past
	layerCovered        // behind a dialog, which takes clicks there; listed only for a narrow query
	layerCount
)

// layers divides a list into its layers, each in document order.
func layers(es []Element) [layerCount][]Element {
	var n [layerCount]int
	for i := range es {
		n[layerOf(&es[i])]++
	}
	var out [layerCount][]Element
	for k := range out {
		out[k] = make([]Element, 0, n[k])
	}
	for i := range es {
		k := layerOf(&es[i])
		out[k] = append(out[k], es[i])
	}
	return out
}

func layerOf(e *Element) int {
	switch {
	case e.Covered:
		return layerCovered
	case e.Overlay || isNotice(e):
		return layerOver
	case e.lead:
		return layerLead
	case e.IsVisible || e.beside:
		return layerView
	case isAbove(e):
		return layerAbove
	}
	return layerBelow
}

// isNotice tells whether an element is a message that can be clicked, such as a toast. It is
// listed first, wherever it is on the page.
func isNotice(e *Element) bool { return e.Role == "status" || e.Role == "alert" }

// markBeside marks elements that are out of view but at the height of elements of their row
// that are in view: they are listed with those.
func markBeside(es []Element) {
	type span struct{ top, bottom float64 }
	seen := map[int]span{}
	for i := range es {
		if e := &es[i]; e.Row > 0 && e.IsVisible {
			s, ok := seen[e.Row]
			if !ok {
				s = span{e.Rect.Y, e.Rect.Y}
			}
			seen[e.Row] = span{min(s.top, e.Rect.Y), max(s.bottom, e.Rect.Y+e.Rect.Height)}
		}
	}
	for i := range es {
		if e := &es[i]; e.Row > 0 && !e.IsVisible {
			middle := e.Rect.Y + e.Rect.Height/2
			s, ok := seen[e.Row]
			e.beside = ok && middle > s.top && middle < s.bottom
		}
	}
}

// isAbove tells whether an element is above the viewport.
func isAbove(e *Element) bool { return !e.IsVisible && e.Rect.Y < 0 && e.Rect.Y+e.Rect.Height <= 0 }

// inOrder returns the elements in the order of layers, in which they are written and paged.
func inOrder(es []Element) []Element {
	ls := layers(es)
	return slices.Concat(ls[:]...)
}
