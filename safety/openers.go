package safety

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// OpenerKey names a control that may only open a question, in a dialog or as a page: the same on all records of a
// site, without its numbers. It is "" for an act that does more than press a control, for a control that sends a form,
// leads to another site or states a sum, for a link with a token, and for a control in a dialog, which is itself the
// question.
func OpenerKey(a Act) string {
	t := a.Target
	if t == nil || a.Menu || a.Action != "click" && a.Action != "tap" || a.Page.Dialog != "" || t.Dialog != "" || t.Editable || t.submits() || isToggle(t) ||
		t.Method != "" || t.Asks != "" || t.OnChange {
		return ""
	}
	at := readableURL(frameURL(a))
	said := t.label()
	if at == nil || at.Host == "" || strings.TrimSpace(said) == "" || sumIn(said) != "" {
		return ""
	}
	if plainLink(t) {
		u := readableURL(t.Href)
		keys := slices.Sorted(maps.Keys(u.Query()))
		if Site(t.Href) != Site(frameURL(a)) || slices.ContainsFunc(keys, func(k string) bool { return tokenKeys[strings.ToLower(k)] }) {
			return ""
		}
		return strings.Join([]string{u.Host, placeOf(u), strings.Join(keys, "&"), withoutNumbers(said)}, "\n")
	}
	head, _, _ := strings.Cut(t.Context, " · ")
	if t.Row != "" || t.Item != "" {
		head = "row" // what stands at the head of a row is another in each
	}
	return strings.Join([]string{at.Host, placeOf(at), t.Tag, t.Role, withoutNumbers(said), t.Icon, withoutNumbers(head)}, "\n")
}

// frameURL gives the address of the document that an act's target is in.
func frameURL(a Act) string { return cmp.Or(a.Target.FrameURL, a.Page.URL) }

// Answers reports an act that answers the question that a press opened: in a dialog, or by a form of the page that a
// link led to. link is the link's address, "" for another control.
func (a Act) Answers(link string) bool {
	t := a.Target
	switch {
	case t == nil:
		return false
	case link == "":
		return t.Dialog != ""
	}
	to, _, _ := strings.Cut(link, "#")
	at, _, _ := strings.Cut(frameURL(a), "#")
	return to == at && a.sendsForm() && t.Form != nil && strings.EqualFold(t.Form.Method, "post")
}

// onlyAsks reports a plain link that was seen to only lead to a question.
func (p *press) onlyAsks() bool { return p.link && p.t.OnlyAsks }

// placeOf gives the path of an address and the route in its fragment, without the ids in them.
func placeOf(u *url.URL) string {
	parts := strings.Split(u.Path+"#"+u.Fragment, "/")
	for i, s := range parts {
		if isID(s) && s != "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "/")
}

func withoutNumbers(s string) string {
	return strings.Join(strings.FieldsFunc(fold(s), func(r rune) bool { return unicode.IsDigit(r) || unicode.IsSpace(r) }), " ")
}
