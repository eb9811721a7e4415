// Package grounding measures how well a model finds the element that a step of a task is
// about, for different forms of the element list. Pages are made by seed, each with questions
// whose answers its source marks; they are read once by a real browser with the product's own
// extractor, and every form is written from that. Start reading at Run; page.go says what a
// page is, form.go which forms there are.
package grounding
