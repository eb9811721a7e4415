package prompts

import (
	"regexp"
	"strings"
)

// ObsData fills the frame around one look at the page.
type ObsData struct {
	Lang       string
	Nonce      string // random, new for each request
	Step       int
	MaxSteps   int
	Page       string   // as pagecontext renders it
	Notices    []string // ours, from Notice
	LastResult string   // of the last action, where it has no message of its own
	Image      bool     // a screenshot is attached
}

// Observation gives the message a model decides on. What comes from the page
// stands in a fence that no page can know; our own words stand outside of it,
// last, where small models heed them most.
func Observation(d ObsData) string {
	d.Page = Fence("page", d.Nonce, d.Page)
	if d.LastResult != "" {
		d.LastResult = Fence("result", d.Nonce, d.LastResult)
	}
	text, err := render(d.Lang, "observation", d)
	if err != nil {
		// The templates are part of the program and pinned by tests; without
		// them the page itself still is what matters.
		return join(append([]string{d.LastResult, d.Page}, d.Notices...)...)
	}
	return text
}

// fenceLike finds what could be taken for one of our fences inside page text.
var fenceLike = regexp.MustCompile(`(?i)<{2,}(\s*(?:page|result)\b)|(\b(?:page|result)\s*)>{2,}`)

// Fence puts text from a page between delimiters with a random nonce. Whatever
// in the text could close the fence is made harmless.
func Fence(kind, nonce, text string) string {
	if nonce != "" {
		text = strings.ReplaceAll(text, nonce, "…")
	}
	text = fenceLike.ReplaceAllString(text, "‹‹‹$1$2›››")
	return "<<<" + kind + " " + nonce + "\n" + strings.TrimRight(text, "\n") + "\n" + nonce + " " + kind + ">>>"
}
