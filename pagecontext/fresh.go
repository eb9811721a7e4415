package pagecontext

import (
	"slices"
	"strings"
)

// After an act a client needs what is new. Elements that were there before it, and those that
// a page shares with the one before, keep their indices and are only counted, by part of the
// page.

// standing counts the elements of a part of the page (navigation, main) that were there before
// and that the client knows. Those that it was never shown are counted with part "".
type standing struct {
	part    string
	count   int
	buttons []Element // outside of rows and of the parts that pages share, as they may end a form
}

// mostStanding is how many unchanged buttons of a part are named; more are only counted.
const mostStanding = 6

// toldFrames returns the ids of the frames whose current document the client was shown
// something of: only there can an element be unchanged.
func (p *Page) toldFrames(fs []Frame) map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	docs := make(map[string]string, len(fs))
	for _, f := range fs {
		docs[f.ID()] = f.Document()
	}
	out := map[string]bool{}
	for _, e := range p.entries {
		if doc, ok := docs[e.FrameID]; ok && e.shown && !e.inherited && e.Document == doc {
			out[e.FrameID] = true
		}
	}
	return out
}

// foldStanding takes elements that were there before the last act out of a list and counts
// them by part. A row with something new stays whole; without it, what the row shows on hover
// goes too. If nothing would be left, the list is returned as it is, and same is true.
func foldStanding(es []Element) (kept []Element, parts []standing, same bool) {
	fresh := map[int]bool{} // rows in which something came
	lasts := map[int]bool{} // rows with elements that show without the mouse
	for i := range es {
		if es[i].Row > 0 && !es[i].OnHover {
			lasts[es[i].Row] = true
			fresh[es[i].Row] = fresh[es[i].Row] || !es[i].stood
		}
	}
	over := slices.ContainsFunc(es, func(e Element) bool { return e.Overlay })
	for i := range es {
		e := &es[i]
		if !e.stood && !(e.OnHover && lasts[e.Row]) || fresh[e.Row] {
			kept = append(kept, *e)
			continue
		}
		part := ""
		if e.told {
			part = headingOver(e).kind
		}
		k := slices.IndexFunc(parts, func(s standing) bool { return s.part == part })
		if k < 0 {
			k = len(parts)
			parts = append(parts, standing{part: part})
		}
		parts[k].count++
		if part != "" && !isFraming(e) && e.Role == "button" && e.Name != "" && e.Row == 0 && e.IsEnabled && e.Overlay == over {
			parts[k].buttons = append(parts[k].buttons, *e)
		}
	}
	if len(kept) == 0 {
		return es, nil, len(es) > 0
	}
	return kept, parts, false
}

// framing are the parts that the pages of a site have in common.
var framing = []string{"navigation", "banner", "contentinfo", "complementary", "search"}

// isFraming tells whether an element stands in one of the framing parts.
func isFraming(e *Element) bool { return slices.Contains(framing, headingOver(e).kind) }

// inFrame returns how many of a frame's elements, from the first on, stand before the first one of the page's
// own content: those in framing parts are the frame that the pages of a site share. What comes later
// may belong to what the page shows, and act on that.
func inFrame(raws []RawElement) int {
	hasMain := slices.ContainsFunc(raws, func(r RawElement) bool { return partOf(r) == "main" })
	n := slices.IndexFunc(raws, func(r RawElement) bool { return !r.Frames && (!hasMain || partOf(r) != "page") })
	if n < 0 {
		return len(raws)
	}
	return n
}

// mayActOnPage reports a control of a framing part that may belong to what the page shows: a button that opens
// nothing, as "Follow" in the banner of a profile, and after the page's own content (later) all but fields,
// searches and buttons of menus.
func mayActOnPage(r RawElement, later bool) bool {
	part := partOf(r)
	if part == "search" {
		return false
	}
	if later && part != "navigation" && part != "contentinfo" {
		return true
	}
	return r.Role == "button" && r.Expanded == nil && r.HasPopup == "" && (later || part != "navigation")
}

// partOf returns the kind of the part of the page that an element is in: navigation, main.
func partOf(r RawElement) string { return headingOver(&Element{Group: Flatten(r.Group)}).kind }

// lasting are the roles of controls other than links that a site's frame has on every page.
var lasting = map[string]bool{"button": true, "textbox": true, "searchbox": true}

// frameKey is what makes an element the same on two pages.
type frameKey struct{ role, name, href, part, row string }

// keyOf returns the key of an element, which for a link is its name, address and kind of part, for a control of
// a site's frame (framed) its role, name, part and row. It returns false for others: without a name, or with an
// address that leads to no other page or is shortened.
func keyOf(role, name, href, group, row string, framed bool) (frameKey, bool) {
	href = Flatten(href)
	switch {
	case name == "":
		return frameKey{}, false
	case role == "link":
		part, _, _ := strings.Cut(group, ": ")
		return frameKey{role, name, href, part, ""}, href != "" && href[0] != '#' && !strings.HasPrefix(href, "javascript:") && !strings.HasSuffix(href, "…")
	}
	return frameKey{role, name, href, group, row}, framed && lasting[role]
}

// documents are a frame's current document and the one that it was listed with before.
type documents struct{ now, before string }

// inherit gives links of a frame's new document, and controls of its site's frame, the indices that the client
// knows from the document before. An element is the same if its key is that of exactly one shown element, and, but
// for links, of one new element. p.mu is held.
func (p *Page) inherit(frame Frame, raws []RawElement, rev, seen int) {
	id, d := frame.ID(), p.docs[frame.ID()]
	if d.now != frame.Document() {
		d = documents{frame.Document(), d.now}
		p.docs[id] = d
	}
	first := inFrame(raws)
	for k := range raws {
		raws[k].framed = raws[k].Frames && !raws[k].Overlay && !mayActOnPage(raws[k], k >= first)
	}
	if d.before == "" {
		return
	}
	old := map[frameKey]int{} // -1: several
	for i, e := range p.entries {
		if e.FrameID != id || e.Document != d.before || !e.shown {
			continue
		}
		if key, ok := keyOf(e.Role, e.Name, e.Href, e.Group, e.Row, e.framed); ok {
			if old[key] == 0 {
				old[key] = i
			} else {
				old[key] = -1
			}
		}
	}
	keys := make([]frameKey, len(raws))
	count := map[frameKey]int{}
	for k := range raws {
		key, ok := keyOf(raws[k].Role, Flatten(raws[k].Name), raws[k].Href, Flatten(raws[k].Group), raws[k].row, raws[k].framed)
		if ok {
			keys[k] = key
			count[key]++
		}
	}
	for k := range raws {
		raw, is := &raws[k], keys[k]
		key := nodeKey{id, d.now, raw.ID}
		i := old[is]
		if _, known := p.byKey[key]; known || i <= 0 || is.role != "link" && count[is] > 1 {
			continue
		}
		delete(old, is)
		was := p.entries[i]
		delete(p.byKey, nodeKey{id, d.before, was.LocalID})
		p.byKey[key] = i
		was.Document, was.LocalID, was.URL, was.PageRev, was.Seen, was.inherited = d.now, raw.ID, frame.URL(), rev, seen, true
		was.Row, was.Rect = is.row, raw.Rect
		p.entries[i] = was
	}
}
