package safety

import (
	"cmp"
	"encoding/hex"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// OpenerKey names a control that may only open a question, in a dialog or as a page: the same on all records of a
// site, without its numbers. It is "" for an act that does more than press a control, for a control without words, one
// that sends a form, leads to another site or states a sum, for a link with a token, and for a control in a dialog,
// which is itself the question.
func OpenerKey(a Act) string {
	t := a.Target
	if t == nil || a.Menu || a.Action != "click" && a.Action != "tap" || a.Page.Dialog != "" || t.Dialog != "" || t.Editable || t.submits() || isToggle(t) ||
		t.Method != "" || t.Asks != "" || t.OnChange {
		return ""
	}
	at, said := readableURL(frameURL(a)), t.label()
	if at == nil || at.Host == "" || !slices.ContainsFunc(t.labels(), says) || sumIn(said) != "" {
		return ""
	}
	key := []string{Site(a.Page.URL), at.Scheme, at.Host}
	if plainLink(t) {
		u := readableURL(t.Href)
		if Site(t.Href) != Site(frameURL(a)) || u.Fragment != "" || samePage(u, frameURL(a)) || hasToken(u) {
			return ""
		}
		return strings.Join(append(key, placeOf(u), withoutNumbers(said)), "\n")
	}
	head, _, _ := strings.Cut(t.Context, " · ")
	if strings.Contains(t.Row, head) || strings.Contains(t.Item, head) {
		head = "row" // it is another in each
	}
	return strings.Join(append(key, placeOf(at), t.Tag, t.Role, withoutNumbers(said), t.Icon, withoutNumbers(head)), "\n")
}

// FollowsLink reports a press of a plain link.
func (a Act) FollowsLink() bool { return a.Target != nil && plainLink(a.Target) }

// Answers reports an act that answers the question that a press opened: in a dialog, or by the form of the page that a
// link led to, which goes to the link's own address. link is that address, "" for another control.
func (a Act) Answers(link string) bool {
	t := a.Target
	switch {
	case t == nil:
		return false
	case link == "":
		return t.Dialog != ""
	}
	return frameURL(a) == link && a.sendsForm() && t.Form != nil && strings.EqualFold(t.Form.Method, "post") && (t.Form.Action == "" || t.Form.Action == link)
}

// frameURL gives the address of the document that an act's target is in.
func frameURL(a Act) string { return cmp.Or(a.Target.FrameURL, a.Page.URL) }

// onlyAsks reports a plain link that was seen to only lead to a question.
func (p *press) onlyAsks() bool { return p.link && p.t.OnlyAsks }

// recordID matches a number or an id made of hexadecimal digits, which differs from record to record.
var recordID = regexp.MustCompile(`^(?:\d+|[0-9a-fA-F]{24}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`)

// placeOf gives the path and the query of an address, and the route in its fragment, without the ids in them.
func placeOf(u *url.URL) string {
	parts := strings.Split(u.Path+"/#/"+u.Fragment, "/")
	for i, s := range parts {
		parts[i] = recordID.ReplaceAllString(s, "*")
	}
	q := u.Query()
	for _, k := range slices.Sorted(maps.Keys(q)) {
		parts = append(parts, k+"="+recordID.ReplaceAllString(strings.Join(q[k], ","), "*"))
	}
	return strings.Join(parts, "/")
}

// leastToken is the least number of bytes of a token, written as hexadecimal digits.
const leastToken = 8

// hasToken reports an address with a key against forged requests, or with one that only its reader was told: such an
// address acts by being opened.
func hasToken(u *url.URL) bool {
	secret := func(s string) bool {
		b, err := hex.DecodeString(s)
		return err == nil && len(b) >= leastToken && !recordID.MatchString(s) || len(s) > 24 && !strings.ContainsAny(s, "-_. ")
	}
	for k, vals := range u.Query() {
		if tokenKeys[strings.ToLower(k)] || slices.ContainsFunc(vals, func(v string) bool { return isSecretParam(k, v) || secret(v) }) {
			return true
		}
	}
	return slices.ContainsFunc(strings.Split(u.Path, "/"), secret)
}

// withoutNumbers folds a text and removes its digits.
func withoutNumbers(s string) string {
	return strings.Join(strings.FieldsFunc(fold(s), func(r rune) bool { return unicode.IsDigit(r) || unicode.IsSpace(r) }), " ")
}
