package pagecontext

import (
	"fmt"
	"net/url"
	"strings"
)

// How many columns of a heading stand in a list, and in a long one, where no other
// begins so.
const (
	longHeading  = 80
	shortHeading = 50
)

// headings writes the lines over the sections of a list. In a short one no dashes
// end them, a part of the page is called as in HTML, the frames have numbers and
// say their host where it is not that of the one before, and a heading in the
// same part of the page as the one before it is its name only.
type headings struct {
	short  bool
	last   string         // the part of the heading before, and its frame
	frames map[string]int // by their ids
	host   string         // of the frame before
	said   *said
}

// of writes the line over a section that begins with e; away is said in it.
func (h *headings) of(e Element, away string) string {
	kind, name := standsIn(e)
	if h.short {
		return h.shortly(e, kind, away)
	}
	part := kind
	if e.Frame != "" {
		part = "frame " + frameHost(e) + " " + kind
	}
	head := "--- " + part
	switch {
	case name == "":
	case e.Overlay:
		head += " " + quote(h.said.heading(name))
	default:
		head += ": " + quote(h.said.heading(name))
	}
	if away != "" {
		head += " " + away
	}
	return head + " ---"
}

func (h *headings) shortly(e Element, kind, away string) string {
	part := kind
	if tag := tagOf[kind]; tag != "" {
		part = tag
	}
	if e.Frame != "" {
		part = strings.TrimSuffix(h.frame(e)+" "+part, " page")
	}
	words := ""
	if name := h.said.heading(headName(e, true)); name != "" {
		words = quote(h.said.again(name))
	}
	now := kind + " " + e.Frame
	head := "--- " + part
	switch {
	case words == "":
	case now == h.last && away == "":
		head = "--- " + words
	case e.Overlay:
		head += " " + words
	default:
		head += ": " + words
	}
	h.last = now
	if away != "" {
		head += " " + away
	}
	return head
}

// frame names the frame of an element: frame 2, frame 1 (pay.example).
func (h *headings) frame(e Element) string {
	if h.frames[e.Frame] == 0 {
		h.frames[e.Frame] = len(h.frames) + 1
	}
	name := fmt.Sprintf("frame %d", h.frames[e.Frame])
	// What has no host of its own is of the page that it stands in.
	if host := frameHost(e); host != h.host && host != noHost {
		h.host = host
		name += " (" + host + ")"
	}
	return name
}

func frameHost(e Element) string {
	if u, err := url.Parse(e.FrameURL); err == nil && u.Host != "" {
		return u.Host
	}
	return noHost
}

// noHost is what a frame is called that was given its content by the page.
const noHost = "about:blank"

// headName is what stands over a section that begins with e; short, without what
// the line below says.
func headName(e Element, short bool) string {
	_, name := standsIn(e)
	if short {
		return strings.TrimSuffix(name, " ["+e.Name+"]")
	}
	return name
}

// tagOf are parts of a page by their names in HTML, where those are shorter.
var tagOf = map[string]string{"navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside"}

// standsIn says in which part of the page, or of its frame, an element stands,
// and under which name: main and "Blue mugs" of --- main: "Blue mugs" ---.
func standsIn(e Element) (kind, name string) {
	kind, name, ok := strings.Cut(Flatten(e.Group), ": ")
	if e.Overlay {
		if kind != "overlay" || !ok {
			name = ""
		}
		return "overlay", name
	}
	if !landmarks[kind] {
		kind, name = "page", ""
	}
	if says(e, name) {
		name = "" // the line below says it
	}
	return kind, name
}

// landmarks are the kinds of group the extractor gives; anything else would be
// a page's words posing as ours.
var landmarks = map[string]bool{
	"main": true, "navigation": true, "banner": true, "contentinfo": true, "complementary": true, "search": true,
	"form": true, "region": true, "section": true, "table": true, "page": true,
}
