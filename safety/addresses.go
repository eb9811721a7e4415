package safety

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// The address of a form, a link or a page may name the deed done there.

// postWords give the class of a deed by the words at the end of a path, in several
// languages: for forms that are sent and for links that a script handles.
var postWords = classList("post words")

// listWords are the postWords that, in a page's address, name a list or an entry as
// often as a deed.
var listWords = ruleWords("list words")

// pageDoes gives the class of the deed that a page exists for, by the last part of
// its address.
func pageDoes(u *url.URL) Class {
	if u == nil || listWords[strings.ToLower(u.Path[strings.LastIndexByte(u.Path, '/')+1:])] {
		return ""
	}
	return pathClass(u, 1)
}

// pathClass gives the gravest class that the last segments of an address name, ""
// for none.
func pathClass(u *url.URL, last int) Class {
	if u == nil {
		return ""
	}
	var found Class
	segments := strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' })
	urlParts(u, func(_ string, _, _ int, story bool) bool {
		if story {
			segments = nil
		}
		return !story
	})
	for i, s := range segments[max(0, len(segments)-last):] {
		ws := words(fold(s))
		if len(ws) > 2 {
			continue
		}
		if i+1 < min(last, len(segments)) && len(ws) == 1 && requestWords().look(ws[0]).is(placeRole) && !isID(segments[len(segments)-1]) {
			continue // "/apply/date-of-birth": a step on the way
		}
		for _, w := range append(ws, strings.Join(ws, "")) {
			if c := postWords[w]; c != "" && gravity[c] > gravity[found] {
				found = c
			}
		}
	}
	return found
}

// lastSegments is how many segments at an address's end may name the deed; those
// before name its object.
const lastSegments = 2

// lastSteps are words in the address of the page before a final deed; finals are
// words in the address to which the form there is sent.
var (
	lastSteps = ruleWords("last steps")
	finals    = ruleWords("finals")
)

// lastStep reports the address of a page for a last review.
func lastStep(u *url.URL) bool {
	return u != nil && slices.ContainsFunc(words(fold(u.Path)), func(w string) bool { return lastSteps[strings.TrimRight(w, "0123456789")] })
}

// commitsEnd reports an address whose last part has a word of finals.
func commitsEnd(u *url.URL) bool {
	return u != nil && slices.ContainsFunc(words(fold(u.Path[strings.LastIndexByte(u.Path, '/')+1:])), func(w string) bool { return finals[w] })
}

// samePage reports an address that differs from the page's in its fragment only:
// often a button that a script handles.
func samePage(u *url.URL, page string) bool {
	at := readableURL(page)
	return at != nil && at.Host == u.Host && at.Path == u.Path && at.RawQuery == u.RawQuery
}

// keptLists are the baskets whose entries are kept: taking one out loses it.
var keptLists = wordSet("wishlist favorites favourites")

// takeOut are the words of a button that takes a line out of a list.
var takeOut = ruleWords("take out")

// leavesBasket reports the "Remove" of a line on the page of a shopping basket: a draft of an order, to
// which the thing is put back as easily. Its requests are judged in any case.
func (p *press) leavesBasket() bool {
	u := readableURL(p.j.act.Page.URL)
	if u == nil || p.pressed || p.t.Row == "" && p.t.Item == "" && !p.t.Form.counts() || p.t.Method != "" || p.t.Asks != "" || p.t.Dialog != "" || p.j.actsByLink(p.t) {
		return false
	}
	last, _, _ := strings.Cut(strings.ToLower(path.Base(u.Path)), ".")
	return baskets[last] && !keptLists[last] && sensitiveURL(u) == "" && !slices.ContainsFunc(p.labels, func(s string) bool {
		said := words(fold(s))
		return len(said) > 3 || sumIn(s) != "" || slices.ContainsFunc(said, func(w string) bool { return !takeOut[w] })
	})
}

// baskets are path segments that name a shopping cart or a wish list. Putting a
// thing there is a draft.
var baskets = ruleWords("baskets")

func basket(u *url.URL) bool {
	if u == nil {
		return false
	}
	for s := range strings.SplitSeq(strings.ToLower(u.Path), "/") {
		if baskets[s] {
			return pathClass(u, lastSegments) != Purchase
		}
	}
	return false
}
