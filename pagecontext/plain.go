package pagecontext

import (
	"strings"
	"unicode/utf16"
)

// Plain is a look at a page for comparing with another look. Each part is a string of
// its own, so that a change elsewhere on the page does not change it. Scroll position
// and counts are left out.
type Plain struct {
	// Page is the address, the title, and the dialogs and overlays.
	Page []string
	// List holds the groups of elements and the elements' full lines without index,
	// each once.
	List []string
	// WholeList tells whether List is all that the page has.
	WholeList bool
	// Text is what can be read from the top of the viewport on.
	Text string
	// WholeText tells whether Text is all that the page has.
	WholeText bool
}

// roomOfText is how many UTF-16 units a text must be shorter than to be whole: a text
// a little below the limit of summaryText may have been cut before it was flattened.
const roomOfText = summaryText - 50

// PlainOf returns a look as Plain. Either argument may be nil.
func PlainOf(s *Summary, l *Listing) Plain {
	var p Plain
	if s != nil {
		p.Page = append(p.Page, "URL: "+Flatten(s.URL), "Title: "+Flatten(s.Title))
		for _, o := range append([]string{s.Dialog}, s.Overlays...) {
			if o = Flatten(o); o != "" {
				p.Page = append(p.Page, o)
			}
		}
		p.Text = Flatten(s.VisibleText)
		p.WholeText = s.ScrollPosition.Y == 0 && !strings.HasSuffix(p.Text, "…") && len(utf16.Encode([]rune(p.Text))) < roomOfText
	}
	if l == nil {
		return p
	}
	p.WholeList = l.Whole()
	had := map[string]bool{}
	for _, e := range l.Elements {
		line := lineOf(&e, shape{detail: levels[0], address: e.Href, noIndex: true})
		for _, part := range []string{Flatten(e.Group), line} {
			if part != "" && !had[part] {
				had[part] = true
				p.List = append(p.List, part)
			}
		}
	}
	return p
}
