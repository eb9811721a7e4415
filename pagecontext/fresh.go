package pagecontext

import (
	"slices"
	"strings"
)

// After an act a client needs what is new. What stood there before it, and what a page has
// in common with the one before, goes on to have its index, and is counted by the part of
// the page that it stands in.

// standing is how many elements of a part of the page (navigation, main) were there before
// and are known to the client; the part is "" of those that it was never shown.
type standing struct {
	part  string
	count int
}

// toldFrames says of which frames the client was shown something of the document that is in
// them now: only there can something be as it was.
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

// foldStanding takes what was there before the last act out of a list, a row as a whole,
// with what shows in it under the mouse only. A list of nothing else is left as it is.
func foldStanding(es []Element) ([]Element, []standing) {
	fresh := map[int]bool{} // rows in which something came
	for i := range es {
		if !es[i].stood && es[i].Row > 0 && !es[i].OnHover {
			fresh[es[i].Row] = true
		}
	}
	var kept []Element
	var parts []standing
	for i := range es {
		e := &es[i]
		if !e.stood && !(e.OnHover && e.Row > 0) || fresh[e.Row] {
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
	}
	if len(kept) == 0 {
		return es, nil
	}
	return kept, parts
}

// framing are the parts of a page that its others have as well.
var framing = []string{"navigation", "banner", "contentinfo", "complementary", "search"}

// isFraming tells whether an element stands in such a part.
func isFraming(e *Element) bool { return slices.Contains(framing, headingOver(e).kind) }

// linkKey is what makes a link the same on two pages.
type linkKey struct{ name, href, part string }

// linkOf is false for what is no link, leads nowhere or is not known to the end.
func linkOf(role, name, href, group string) (linkKey, bool) {
	href = Flatten(href)
	if role != "link" || name == "" || href == "" || href[0] == '#' || strings.HasPrefix(href, "javascript:") || strings.HasSuffix(href, "…") {
		return linkKey{}, false
	}
	part, _, _ := strings.Cut(group, ": ")
	return linkKey{name, href, part}, true
}

// documents are the one that a frame shows and the one that it was listed with before.
type documents struct{ now, before string }

// inheritLinks gives the links of a new document the indices by which the client knows them
// from the one before it: what has the name, the address and the part of the page that one
// other link had is the same link, and does the same. p.mu is held.
func (p *Page) inheritLinks(frame Frame, raws []RawElement, rev, seen int) {
	id, d := frame.ID(), p.docs[frame.ID()]
	if d.now != frame.Document() {
		d = documents{frame.Document(), d.now}
		p.docs[id] = d
	}
	if d.before == "" {
		return
	}
	old := map[linkKey]int{} // -1: several
	for i, e := range p.entries {
		if e.FrameID != id || e.Document != d.before || !e.shown {
			continue
		}
		if l, ok := linkOf(e.Role, e.Name, e.Href, e.Group); ok {
			if old[l] == 0 {
				old[l] = i
			} else {
				old[l] = -1
			}
		}
	}
	for k := range raws {
		raw := &raws[k]
		key := nodeKey{id, d.now, raw.ID}
		l, ok := linkOf(raw.Role, Flatten(raw.Name), raw.Href, Flatten(raw.Group))
		i := old[l]
		if _, known := p.byKey[key]; known || !ok || i <= 0 {
			continue
		}
		delete(old, l)
		was := p.entries[i]
		delete(p.byKey, nodeKey{id, d.before, was.LocalID})
		p.byKey[key] = i
		was.Document, was.LocalID, was.URL, was.PageRev, was.Seen, was.inherited = d.now, raw.ID, frame.URL(), rev, seen, true
		was.Row, was.Rect = "", raw.Rect
		p.entries[i] = was
	}
}
