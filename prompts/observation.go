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
	Notices    []string // texts of Notice
	LastResult string   // of the last action, if it has no message of its own
	Image      bool     // a screenshot is attached
}

// Observation returns the message that a model decides on. Text from the page
// stands in a fence that no page can know. Notices stand outside of it, last,
// where small models heed them most.
func Observation(d ObsData) string {
	d.Page = Fence("page", d.Nonce, d.Page)
	if d.LastResult != "" {
		d.LastResult = Fence("result", d.Nonce, d.LastResult)
	}
	text, err := render(d.Lang, "observation", d)
	if err != nil {
		// The templates are part of the program and pinned by tests. If one
		// fails all the same, send the page without it.
		return join(append([]string{d.LastResult, d.Page}, d.Notices...)...)
	}
	return text
}

// fenceLike matches text of a page that looks like the start or end of a fence.
var fenceLike = regexp.MustCompile(`(?i)<{2,}(\s*(?:page|result)\b)|(\b(?:page|result)\s*)>{2,}`)

// Fence puts text from a page between delimiters with a random nonce. It changes
// parts of the text that could close the fence.
func Fence(kind, nonce, text string) string {
	if nonce != "" {
		text = strings.ReplaceAll(text, nonce, "…")
	}
	text = fenceLike.ReplaceAllString(text, "‹‹‹$1$2›››")
	return "<<<" + kind + " " + nonce + "\n" + strings.TrimRight(text, "\n") + "\n" + nonce + " " + kind + ">>>"
}
