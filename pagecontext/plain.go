package pagecontext

import (
	"strings"
	"unicode/utf16"
)

// Plain is what two looks at a page are compared by: each part of it is written by
// itself, so that what comes and goes elsewhere on the page changes none of it. What
// moves by itself, such as where the page is scrolled to and how much there is of
// what, is not in it.
type Plain struct {
	// Page is the address, the title, and what lies over the page.
	Page []string
	// List are what the elements stand under, and the elements, each in full, without
	// its index.
	List []string
	// WholeList tells whether List is all that the page has.
	WholeList bool
	// Text is what can be read from the top of the viewport on.
	Text string
	// WholeText tells whether Text is all that the page has.
	WholeText bool
}

// roomOfText is how many UTF-16 units a frame gives of its text; of one with a few
// less something may have been taken out.
const roomOfText = summaryText - 50

// PlainOf writes a look. Either argument may be nil.
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
