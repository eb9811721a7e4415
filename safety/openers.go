package safety

import (
	"net/url"
	"strings"
	"unicode"
)

// OpenerKey names a control that may only open a question: the same on all records of a site, without its numbers.
// It is "" for an act that does more than press a control, for a control that sends a form, leads elsewhere or states
// a sum, and for one in a dialog, which is itself the question.
func OpenerKey(a Act) string {
	t := a.Target
	if t == nil || a.Menu || a.Action != "click" && a.Action != "tap" || a.Page.Dialog != "" || t.Dialog != "" || t.Editable || t.submits() || isToggle(t) ||
		t.Method != "" || t.Asks != "" || t.OnChange || plainLink(t) {
		return ""
	}
	at := readableURL(a.Page.URL)
	said := t.label()
	if at == nil || at.Host == "" || strings.TrimSpace(said) == "" || sumIn(said) != "" {
		return ""
	}
	head, _, _ := strings.Cut(t.Context, " · ")
	if t.Row != "" || t.Item != "" {
		head = "row" // what stands at the head of a row is another in each
	}
	return strings.Join([]string{at.Host, placeOf(at), t.Tag, t.Role, withoutNumbers(said), t.Icon, withoutNumbers(head)}, "\n")
}

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
