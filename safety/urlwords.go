package safety

import (
	"net/url"
	"strings"
)

// A URL is judged by its parts: labels of the host, segments of the path, a
// route in the fragment, and the query's own verbs (action=delete). A word
// inside a long slug says what an article is about, not what a page does.

// maxSlug is how many words a path segment may have and still name a function:
// "delete-account", "confirm-your-order", but not "bank-of-england-raises-rates".
const maxSlug = 3

// storyParts are path segments under which words are subjects.
var storyParts = wordSet("blog blogs news article articles story stories wiki docs doc documentation help support faq " +
	"guide guides tutorial tutorials learn questions question forum forums topic topics tag tags press magazine " +
	"opinion world sport sports science culture books music")

// weakParts count only as a whole segment: in company they are mostly nouns.
var weakParts = wordSet("bank wire transfer profile account remove cancel delete order")

// verbKeys are query keys whose value names a function.
var verbKeys = wordSet("action act cmd command do op operation mode page route view step task func method event tab section")

// actingParts are path parts that often act on a mere GET.
var actingParts = wordSet("delete destroy remove unsubscribe cancel revoke deactivate terminate purge erase logout signout")

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// urlParts gives the words of a URL with the number of words of the segment
// each stands in; ok false stops the walk.
func urlParts(u *url.URL, visit func(word string, of int, story bool) bool) {
	story := false
	segment := func(s string) bool {
		ws := words(fold(s))
		if len(ws) == 1 && storyParts[ws[0]] {
			story = true
			return true
		}
		joined := strings.Join(ws, "")
		if len(ws) > 1 && len(ws) <= maxSlug && !visit(joined, 1, story) {
			return false
		}
		for _, w := range ws {
			if !visit(w, len(ws), story) {
				return false
			}
		}
		return true
	}
	for s := range strings.SplitSeq(u.Path, "/") {
		if s != "" && !segment(s) {
			return
		}
	}
	if f := u.Fragment; strings.HasPrefix(f, "/") || strings.HasPrefix(f, "!") {
		f = cutTail(strings.TrimLeft(f, "!/"))
		for s := range strings.SplitSeq(f, "/") {
			if s != "" && !segment(s) {
				return
			}
		}
	}
	if u.RawQuery == "" {
		return
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		k, v, _ := strings.Cut(pair, "=")
		if k == "" || !verbKeys[strings.ToLower(k)] {
			continue
		}
		if dec, err := url.QueryUnescape(v); err == nil && !segment(dec) {
			return
		}
	}
}

// sensitiveURL gives the word by which u is sensitive, or nothing.
func sensitiveURL(u *url.URL) string {
	if u == nil {
		return ""
	}
	urlWords := lex().urls
	found := ""
	host := u.Hostname()
	if _, ip := parseIP(host); !ip {
		labels := strings.Split(host, ".")
		for i, l := range labels {
			if i == len(labels)-1 && i > 0 {
				break // the top-level domain, .bank aside
			}
			for _, w := range strings.Split(l, "-") {
				if _, ok := urlWords[w]; ok {
					return w
				}
			}
		}
		if labels[len(labels)-1] == "bank" {
			return "bank"
		}
		if s := strings.Split(siteOf(host), ".")[0]; strings.HasSuffix(s, "bank") || strings.HasPrefix(s, "bank") {
			return "bank"
		}
	}
	urlParts(u, func(w string, of int, story bool) bool {
		if story || of > maxSlug {
			return true
		}
		_, ok := urlWords[w]
		if !ok && len(w) > 3 {
			if s := strings.TrimSuffix(w, "s"); s != w {
				_, ok = urlWords[s]
			}
		}
		if ok && (of == 1 || !weakParts[w]) {
			found = w
			return false
		}
		return true
	})
	return found
}

// actingPath gives the word by which opening u may already do something.
func actingPath(u *url.URL) string {
	if u == nil {
		return ""
	}
	found := ""
	urlParts(u, func(w string, of int, story bool) bool {
		if actingParts[w] && !story && of <= 2 {
			found = w
			return false
		}
		return true
	})
	return found
}

func parsed(raw string) *url.URL {
	if raw == "" {
		return nil
	}
	u, reason := parseURL(raw)
	if reason != nil {
		return nil
	}
	return u
}
