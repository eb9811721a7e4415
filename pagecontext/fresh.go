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
	part  string
	count int
}

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

// linkKey is what makes a link the same on two pages.
type linkKey struct{ name, href, part string }

// linkOf returns the key of a link; false for other elements, for a link without a name or
// one that leads to no other page, and for a shortened address.
func linkOf(role, name, href, group string) (linkKey, bool) {
	href = Flatten(href)
	if role != "link" || name == "" || href == "" || href[0] == '#' || strings.HasPrefix(href, "javascript:") || strings.HasSuffix(href, "…") {
		return linkKey{}, false
	}
	part, _, _ := strings.Cut(group, ": ")
	return linkKey{name, href, part}, true
}

// documents are a frame's current document and the one that it was listed with before.
type documents struct{ now, before string }

// inheritLinks gives links of a frame's new document the indices that the client knows from
// the one before. A link is the same if its name, address and part of the page are those of
// exactly one shown link. p.mu is held.
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
