package safety

import (
	"net/url"
	"slices"
	"strings"
)

// A URL is judged by its parts: labels of the host, segments of the path, a
// route in the fragment, and the query's own verbs (action=delete). A word
// inside a long slug says what an article is about, not what a page does.

// maxSlug is how many words a path segment may have and still name a function:
// "delete-account", "confirm-your-order", but not "bank-of-england-raises-rates".
const maxSlug = 3

// storyParts are path segments of articles: words below them are subjects.
var storyParts = ruleWords("story parts")

// Beside other words some words are mostly nouns. firstParts count at the start of a
// segment ("delete-account"), lastParts at its end ("my-account"), aloneParts only
// alone.
var (
	firstParts = wordSet("delete remove cancel")
	lastParts  = wordSet("transfer profile account order")
	aloneParts = wordSet("bank wire")
)

// names reports whether the i-th of n words of a segment names its function.
func names(w string, i, n int) bool {
	switch {
	case n == 1:
		return true
	case firstParts[w]:
		return i == 0
	case lastParts[w]:
		return i == n-1
	}
	return !aloneParts[w]
}

// urlWord gives the entry of the url lists that w is, in the singular or plural.
func urlWord(w string) bool {
	urlWords := lex().urls
	if _, ok := urlWords[w]; ok {
		return true
	}
	s := strings.TrimSuffix(w, "s")
	_, ok := urlWords[s]
	return ok && len(s) > 3
}

// verbKeys are query keys whose value names a function.
var verbKeys = wordSet("action act cmd command do op operation mode page route view step task func method tab section")

// actingParts are path parts that often act on a GET request.
var actingParts = ruleWords("acting parts")

// actingValues are verbs that only a query has as a value (do=del), and actingKeys
// verbs that some queries have as a key (?delete=31).
var (
	actingValues = wordSet("del rm trash wipe unlink drop")
	actingKeys   = wordSet("delete destroy unsubscribe deactivate terminate purge erase")
)

// urlParts gives the words of a URL, each with its place in its segment and the
// number of words there; story says that the segment stands under an article.
// The walk stops when visit returns false.
func urlParts(u *url.URL, visit func(word string, i, of int, story bool) bool) {
	story := false
	segment := func(s string) bool {
		ws := words(fold(s))
		if len(ws) == 1 && storyParts[ws[0]] || len(ws) == 2 && storyParts[ws[0]+ws[1]] {
			story = true
			return true
		}
		joined := strings.Join(ws, "")
		if len(ws) > 1 && len(ws) <= maxSlug && !visit(joined, 0, 1, story) {
			return false
		}
		for i, w := range ws {
			if !visit(w, i, len(ws), story) {
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
	found := ""
	host := u.Hostname()
	if _, ip := parseIP(host); !ip {
		labels := strings.Split(host, ".")
		for i, l := range labels {
			if i == len(labels)-1 && i > 0 {
				break // the top-level domain, .bank aside
			}
			for _, w := range strings.Split(l, "-") {
				if urlWord(w) {
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
	urlParts(u, func(w string, i, of int, story bool) bool {
		if story || of > maxSlug || !urlWord(w) || !names(w, i, of) {
			return true
		}
		found = w
		return false
	})
	return found
}

// addressDeed is a deed that opening an address may do, by a word of the address.
type addressDeed struct {
	word  string
	class Class
	token bool // known by a token only, which any form may have
}

// addressDeedOf gives the deed that opening u may do: delete, change, pay. Its word is "" if there
// is none.
func addressDeedOf(u *url.URL) addressDeed {
	if u == nil {
		return addressDeed{}
	}
	if w := deletingWord(u); w != "" {
		class := Destroy
		if w == "logout" || w == "signout" {
			class = Identity
		}
		return addressDeed{word: w, class: class}
	}
	if w := changingWord(u); w != "" {
		return addressDeed{word: w, class: Settings, token: tokenKeys[w]}
	}
	if w := payingWord(u); w != "" {
		return addressDeed{word: w, class: Purchase}
	}
	return addressDeed{}
}

// acts reports an address with a deed that is known by more than a token.
func acts(u *url.URL) bool {
	d := addressDeedOf(u)
	return d.word != "" && !d.token
}

// deletingWord gives the word by which opening u may delete or end something.
func deletingWord(u *url.URL) string {
	found := ""
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		k, v, _ := strings.Cut(pair, "=")
		k, v = strings.ToLower(unescape(k)), strings.ToLower(unescape(v))
		switch {
		case actingKeys[k] && v != "0" && v != "false" && v != "no":
			return k
		case verbKeys[k] && actingValues[v]:
			return v
		case writes.MatchString(v):
			return k
		}
	}
	urlParts(u, func(w string, i, of int, story bool) bool {
		if actingParts[w] && !story && of <= 2 && i == 0 {
			found = w
			return false
		}
		return true
	})
	return found
}

// commitWords stand in addresses that carry an order out rather than show it.
var commitWords = wordSet("confirm place execute process complete create submit commit finalize finalise oneclick 1click")

// commits reports an address with a word of commitWords.
func commits(u *url.URL) bool {
	if u == nil {
		return false
	}
	for _, part := range strings.FieldsFunc(strings.ToLower(u.EscapedPath()), func(r rune) bool { return strings.ContainsRune("/-_.", r) }) {
		if commitWords[part] {
			return true
		}
	}
	return false
}

// payingPhrases name an order in an address by themselves; payingWords only beside
// a query key of settledKeys, amountWords beside one of amountKeys.
var (
	payingPhrases = ruleWords("paying phrases")
	payingWords   = wordSet("pay payment buy purchase checkout order transfer wire withdraw donate subscribe book bid tip send topup refund")
	amountWords   = wordSet("pay payment transfer wire withdraw donate bid tip send topup")
	settledKeys   = wordSet("confirm confirmed execute submit commit approve approved final force")
	amountKeys    = ruleWords("amount keys")
)

// payingWord gives the word by which opening u may pay.
func payingWord(u *url.URL) string {
	settled, amount := false, false
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		k, v, _ := strings.Cut(pair, "=")
		k, v = strings.ToLower(unescape(k)), strings.ToLower(unescape(v))
		settled = settled || settledKeys[k] && v != "0" && v != "false" && v != "no"
		amount = amount || amountKeys[k] && strings.ContainsAny(v, "123456789")
	}
	found := ""
	urlParts(u, func(w string, i, of int, story bool) bool {
		switch {
		case story:
			return true
		case payingPhrases[w], of <= 2 && (settled && payingWords[w] || amount && amountWords[w]):
			found = w
			return false
		}
		return true
	})
	return found
}

func readableURL(raw string) *url.URL {
	if raw == "" {
		return nil
	}
	u, reason := parseURL(raw)
	if reason != nil {
		return nil
	}
	return u
}

// Addresses that act when they are opened have a verb in the query, or a token against forged
// requests, which sites ask for where a request changes something.
var (
	getVerbs  = ruleWords("get verbs")
	tokenKeys = wordSet("_wpnonce nonce _nonce csrf csrftoken csrf_token _csrf _csrf_token csrfmiddlewaretoken xsrf xsrf_token _xsrf sesskey sectok form_key formkey " +
		"authenticity_token security_token securitytoken form_token formtoken anticsrf __requestverificationtoken")
	lookVerbs = ruleWords("look verbs")
)

// changingWord gives the word by which opening u may change something without deleting it.
func changingWord(u *url.URL) string {
	token, verb, looks, acts := "", "", false, false
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		k, v, _ := strings.Cut(pair, "=")
		k, v = strings.ToLower(unescape(k)), strings.ToLower(unescape(v))
		switch {
		case tokenKeys[k] && v != "":
			token = k
		case actionKeys[k] && v != "":
			first, _, _ := strings.Cut(strings.ReplaceAll(v, "_", "-"), "-")
			if getVerbs[v] || getVerbs[first] || joinsVerb(first) {
				return v
			}
			verb = first
		case v == "" && bareVerbs[k]: // ?close
			return k
		default: // fn[edit][ida]=1
			for _, part := range strings.FieldsFunc(k, func(r rune) bool { return r == '[' || r == ']' }) {
				acts = acts || getVerbs[part] || actingKeys[part]
				looks = looks || lookVerbs[part] && strings.Contains(k, "[")
			}
		}
	}
	if token == "" || !acts && (looks || lookVerbs[verb]) {
		return recordVerb(u)
	}
	return token
}

// bareVerbs are what a record is told by a query key without a value.
var bareVerbs = wordSet("take claim assign unassign close reopen resolve approve reject accept decline lock unlock archive unarchive publish unpublish restore enable disable")

// recordVerb gives the end of a path that makes a record of many the one that is taken from then
// on, or turns it on or off: /addresses/2/default_for_shipping, /questions/1/toggle.
func recordVerb(u *url.URL) string {
	last := ofRecord(u)
	name := strings.ReplaceAll(last, "-", "_")
	if recordSwitches[name] || slices.ContainsFunc([]string{"toggle_", "default_for", "set_default", "set_as_default", "make_default", "set_primary", "set_as_primary", "make_primary"}, func(begin string) bool {
		return strings.HasPrefix(name, begin)
	}) {
		return last
	}
	return ""
}

var recordSwitches = wordSet("toggle activate deactivate enable disable default")

// ofRecord gives the last part of a path that follows the name of a record, one with a digit.
func ofRecord(u *url.URL) string {
	parts := strings.Split(strings.Trim(strings.ToLower(u.Path), "/"), "/")
	if len(parts) < 2 || !strings.ContainsAny(parts[len(parts)-2], "0123456789") {
		return ""
	}
	return parts[len(parts)-1]
}

// joinsVerb reports a joined name of a verb that acts and a word of wholes: "stopall",
// "clearlog".
func joinsVerb(name string) bool {
	for i := len(name) - leastHalf; i >= leastHalf; i-- {
		if (getVerbs[name[:i]] || actingValues[name[:i]]) && wholes[name[i:]] {
			return true
		}
	}
	return false
}

// wholes are objects of such verbs.
var wholes = ruleWords("wholes")

// actionKeys are query keys that hold a verb, not the name of a view.
var actionKeys = wordSet("action act cmd command do op operation task func method _action doaction")
