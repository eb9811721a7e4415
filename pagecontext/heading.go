package pagecontext

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
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
	each   string         // said of frames that have a line each
	last   string         // the part of the heading before, and its frame
	frames map[string]int // by their ids
	host   string         // of the frame before
	said   *said
}

// of writes the line over a section.
func (h *headings) of(s section) string {
	if h.short {
		return h.shortly(s)
	}
	e, part, name := s.first, s.kind, s.name
	if e.Frame != "" {
		part = "frame " + frameHost(e) + " " + s.kind
	}
	head := "--- " + part
	switch {
	case name == "":
	case e.Overlay:
		head += " " + quote(h.said.heading(name))
	default:
		head += ": " + quote(h.said.heading(name))
	}
	if s.away != "" {
		head += " " + s.away
	}
	return head + " ---"
}

func (h *headings) shortly(s section) string {
	if len(s.frames) > 0 {
		h.last = ""
		return strings.TrimSuffix("--- "+h.framesOf(s.frames)+h.each+" "+s.away, " ")
	}
	e, part := s.first, s.kind
	if tag := tagOf[part]; tag != "" {
		part = tag
	}
	if e.Frame != "" {
		part = strings.TrimSuffix(h.frame(e)+" "+part, " page")
	}
	name, words := h.said.heading(s.headName(true)), ""
	if name != "" {
		name = h.said.again(name)
		words = quote(name)
	}
	now := s.kind + " " + e.Frame
	head := "--- " + part
	switch {
	case words == "":
	case now == h.last && s.away == "" && isPlainHead(name):
		head = "--- " + name
	case now == h.last && s.away == "":
		head = "--- " + words
	case e.Overlay:
		head += " " + words
	case isPlainHead(name):
		head += ": " + name
	default:
		head += ": " + words
	}
	h.last = now
	if s.away != "" {
		head += " " + s.away
	}
	return head
}

// isPlainHead tells whether a heading can stand without quotes, behind the dashes
// alone or behind the part of the page: nothing in it could be taken for a part of the page, or for our words.
func isPlainHead(name string) bool {
	first := name
	if at := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }); at >= 0 {
		first = name[:at]
	}
	return isPlain(name) && !strings.ContainsAny(name, ":(：（︰﹕") && !strings.HasSuffix(name, "-") && !partWords[strings.ToLower(first)]
}

// partWords are what a line over a section begins with that says a part of the page.
var partWords = setOf("page nav header footer aside overlay frame frames main navigation banner contentinfo complementary search form region section table")

// frame names the frame of an element: frame 2, frame 1 (pay.example).
func (h *headings) frame(e Element) string {
	return fmt.Sprintf("frame %d", h.number(e)) + h.newHost(e)
}

func (h *headings) number(e Element) int {
	if h.frames[e.Frame] == 0 {
		h.frames[e.Frame] = len(h.frames) + 1
	}
	return h.frames[e.Frame]
}

// newHost says the host of an element's frame where it is another one than before.
func (h *headings) newHost(e Element) string {
	host := frameHost(e)
	// What has no host of its own is of the page that it stands in.
	if host == h.host || host == noHost {
		return ""
	}
	h.host = host
	return " (" + host + ")"
}

func frameHost(e Element) string {
	if u, err := url.Parse(e.FrameURL); err == nil && u.Host != "" {
		return strings.Map(hostSign, u.Host)
	}
	return noHost
}

// hostSign keeps what hosts are made of: a bracket could end one early.
func hostSign(r rune) rune {
	if isWord(r) || strings.ContainsRune(".-_:[]%", r) {
		return r
	}
	return '_'
}

// noHost is what a frame is called that was given its content by the page.
const noHost = "about:blank"

// headName is what stands over a section; short, without what the line below says.
func (s section) headName(short bool) string {
	if short {
		return strings.TrimSuffix(s.name, " ["+s.first.Name+"]")
	}
	return s.name
}

// tagOf are parts of a page by their names in HTML, where those are shorter.
var tagOf = map[string]string{"navigation": "nav", "banner": "header", "contentinfo": "footer", "complementary": "aside"}

// standsIn says in which part of the page, or of its frame, the first element of a
// section stands, and under which name: main and "Blue mugs" of --- main: "Blue mugs" ---.
// There is no name where the line below says it.
func standsIn(e Element, names *layerNames) (kind, name string) {
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
	if names.say(&e, name) {
		name = ""
	}
	return kind, name
}

// landmarks are the kinds of group the extractor gives; anything else would be
// a page's words posing as ours.
var landmarks = map[string]bool{
	"main": true, "navigation": true, "banner": true, "contentinfo": true, "complementary": true, "search": true,
	"form": true, "region": true, "section": true, "table": true, "page": true,
}
