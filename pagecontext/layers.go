package pagecontext

import "slices"

// Layers of a list, in the order in which they are told.
const (
	layerOver    = iota // dialogs and what else lies over the page
	layerLead           // what a view begins with (see markLeads)
	layerView           // what is in view
	layerBelow          // what is not
	layerAbove          // what was scrolled past
	layerCovered        // what a dialog takes presses from; told only where the list was narrowed
	layerCount
)

// layers takes a list apart, each layer in document order.
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

// isNotice tells whether an element is a message that can be pressed, as a toast: it is told
// first, wherever the page has put it.
func isNotice(e *Element) bool { return e.Role == "status" || e.Role == "alert" }

// markBeside marks what is out of view only to the side of the elements of its row that
// are in view: it is told with them.
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

// isAbove tells whether an element was scrolled out of the view at its top.
func isAbove(e *Element) bool { return !e.IsVisible && e.Rect.Y < 0 && e.Rect.Y+e.Rect.Height <= 0 }

// inOrder gives the elements in the order in which they are told and paged.
func inOrder(es []Element) []Element {
	ls := layers(es)
	return slices.Concat(ls[:]...)
}
