package pagecontext

import "slices"

// Layers of a list, in the order in which they are told.
const (
	layerOver    = iota // dialogs and what else lies over the page
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
	case e.Overlay:
		return layerOver
	case e.IsVisible:
		return layerView
	case isAbove(e):
		return layerAbove
	}
	return layerBelow
}

// isAbove tells whether an element was scrolled out of the view at its top.
func isAbove(e *Element) bool { return !e.IsVisible && e.Rect.Y < 0 && e.Rect.Y+e.Rect.Height <= 0 }

// inOrder gives the elements in the order in which they are told and paged.
func inOrder(es []Element) []Element {
	ls := layers(es)
	return slices.Concat(ls[:]...)
}
