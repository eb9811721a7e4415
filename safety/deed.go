package safety

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Deed describes the effect of an act, to compare it with one that the user refused: a
// refusal covers the same deed done in any way, and nothing else. Reading, focusing
// and filling in have no effect.
type Deed struct {
	Class Class
	Site  string // host of the document that it happens in
	Page  string // that document, without query and fragment; "" matches any
	Name  string // of the pressed control, folded to lower case
	// Filled and Acted count the texts that the task has written and its acts so far.
	// Word says that the user wrote something with their refusal.
	Filled, Acted int
	Word          bool

	dest     string // where it leads: form action, link or address
	sends    bool   // it sends a form with a body to dest; form names its fields
	form     string
	opens    bool // dest is opened by a link, a GET form or a navigation
	scripted bool // … by a link that a script handles too
	loose    bool // it has no effect: a look, a draft, a dismissed dialog
	fills    bool // it only changes a field

	around  string // text of the control's row or group
	amount  string
	choice  string // recipient, files and options
	code    string
	request string // method, address and body of what a page is about to send

	flows, newSite string // site that would get another's data, or that is written to first; "" if no reason of the decision
	keyed          string // the site that a single character is typed on
}

// Likeness says how similar a deed is to a refused one.
type Likeness int

// The likenesses.
const (
	Unlike Likeness = iota
	Like            // with another amount, recipient or option: the user is asked again
	Same            // the refusal covers it
)

// DeedOf gives the deed of an act, however it is done: Enter in a form counts as a
// press of its default button.
func DeedOf(a Act, d Decision) Deed {
	out := Deed{Class: d.Class, amount: d.Amount, choice: strings.Join(append([]string{a.File}, a.Files...), "\n"), dest: a.URL, opens: a.URL != "", fills: a.Action == "type"}
	at := a.Page.URL
	if t := a.Target; t != nil {
		if readableURL(t.FrameURL) != nil {
			at = t.FrameURL
		}
		out.Name, out.around = t.Name, fold(cmp.Or(t.Row, t.Context))
		switch {
		case a.sendsForm():
			out.fills = false
			if u := t.Form.opens(); u != nil {
				out.dest, out.opens = u.String(), true
			} else if !strings.EqualFold(t.Form.Method, "dialog") { // such a form sends nothing: its buttons close the dialog
				out.dest, out.sends = t.Form.Action, true
			}
			choice, fields := t.Form.choices()
			out.choice, out.form = out.choice+choice, fields
			if a.pressesEnter() && t.DefaultButton != "" {
				out.Name = t.DefaultButton
			}
		case t.Href != "" && a.presses() && (readableURL(t.Href) == nil || !samePage(readableURL(t.Href), at)):
			out.dest, out.opens, out.scripted = t.Href, true, !plainLink(t)
		}
		if (out.fills || a.Action == "select") && t.Secret == "" {
			out.choice += a.Text
		}
	}
	if a.Drop != nil {
		out.choice += a.Drop.Name
	}
	if u := readableURL(at); u != nil {
		out.Site, out.Page = u.Host, bareURL(at)
	}
	out.Name = strings.Join(strings.Fields(strings.ToLower(out.Name)), " ")
	if d.Class == CodeClass {
		out.code = (&judgement{act: a}).param("code", "function", "fn", "predicate")
	}
	if d.Flows() {
		out.flows = Leaves(a).Site
	}
	if slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "new_site" }) {
		out.newSite = actSite(a)
	}
	if _, key := splitKey(a.Key); utf8.RuneCountInString(key) == 1 || slices.Contains(spaceKeys, key) {
		out.keyed = actSite(a)
	}
	accepts, _ := (&judgement{act: a}).params()["accept"].(bool)
	out.loose = d.Level < Confirm && out.dest == "" && (gravity[d.Class] <= gravity[Write] || a.Action == "handleDialog" && !accepts)
	return out
}

// WithRequest returns the deed with the request r that the act caused.
func (now Deed) WithRequest(r Request) Deed {
	now.request = r.Method + " " + r.URL + "\n" + r.Body
	now.sends = !strings.EqualFold(r.Method, "get")
	now.dest, now.opens, now.choice, now.loose, now.fills = r.URL, !now.sends, "", false, false
	return now
}

// Against compares a deed with one that was refused.
func (now Deed) Against(old Deed) Likeness {
	switch {
	case now.keyed != "" && now.keyed == old.flows:
		return Same // typed one key at a time, no key shows which data it is part of
	case now.loose, now.fills != old.fills:
		return Unlike
	case now.flows != "" && now.flows == old.flows, now.newSite != "" && now.newSite == old.newSite:
		return Same // another site's data, or text on a new site, sent in any way
	case now.request != "" && now.request == old.request:
		return Same
	case now.Class == CodeClass:
		// Code can press the very button that was refused.
		if old.Site == now.Site && (old.code == now.code || old.code == "" && !old.Word) {
			return Same
		}
		return Unlike
	}
	how := now.road(old)
	if how == Same && (otherPlace(old.dest, now.dest) || differ(old.amount, now.amount) || differ(old.choice, now.choice) ||
		differ(old.request, now.request) || now.Class == Communicate && now.Filled > old.Filled ||
		old.Word && (now.Acted > old.Acted || now.Name != old.Name || now.Class != old.Class)) {
		return Like // with a word: what the user wrote may be just this
	}
	return how
}

// road says whether a deed is a way to do the refused one, by its destination or by its
// name.
func (now Deed) road(old Deed) Likeness {
	sameSite, sameClass := old.Site == now.Site, old.Class == now.Class
	switch {
	case now.opens && old.dest == now.dest && (old.opens || old.elsewhere()):
		if old.scripted {
			return Like // its script may do more than opening the address does
		}
		return Same
	case sameSite && old.sends && now.sends && !otherPlace(old.dest, now.dest) && (old.elsewhere() || old.form == now.form):
		return Same // another button of the form
	case sameSite && sameClass && old.Name == now.Name && (now.Name != "" || old.dest == now.dest && old.Page == now.Page):
		if differ(old.around, now.around) && !now.sends {
			return Like // in another row
		}
		return Same
	case sameSite && sameClass && slices.Contains(final, now.Class) && (old.Page == "" || old.Page == now.Page):
		return Same
	case now.opens && old.elsewhere() && !otherPlace(old.dest, now.dest):
		return Like
	}
	return Unlike
}

// WayTo returns the deed with the counts of old, a refused one. It reports whether the
// deed adds a destination: it sends a form to an address, and old has none.
func (now Deed) WayTo(old Deed) (Deed, bool) {
	now.Filled, now.Acted, now.Word = old.Filled, old.Acted, old.Word
	return now, old.dest == "" && now.elsewhere()
}

// elsewhere reports a form that is sent to another address than its page's. The page's
// own address is opened for reading as well.
func (now Deed) elsewhere() bool { return now.sends && bareURL(now.dest) != now.Page }

// final are the classes whose refusal covers every other deed of the class on that
// page: by another button, Enter, a dialog.
var final = []Class{Purchase, Identity, Legal}

// differ reports two values that are both known and not equal.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// otherPlace reports two readable addresses that differ in host or path, or in their
// queries where both have one.
func otherPlace(a, b string) bool {
	u, v := readableURL(a), readableURL(b)
	if u == nil || v == nil {
		return false
	}
	return u.Host != v.Host || u.Path != v.Path || differ(u.RawQuery, v.RawQuery)
}

func bareURL(raw string) string {
	u := readableURL(raw)
	if u == nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

var spaceKeys = []string{" ", "space", "spacebar"}

// pressesEnter reports an act that presses Enter: by key, by submit, or by a line break in
// a text typed into a field of one line.
func (a Act) pressesEnter() bool {
	switch a.Action {
	case "type":
		return a.Submit || strings.ContainsAny(a.Text, "\r\n") && a.Target != nil && a.Target.Tag != "textarea"
	case "pressKey", "keyDown", "keyUp":
		_, key := splitKey(a.Key)
		return slices.Contains([]string{"enter", "numpadenter", "return"}, key)
	}
	return false
}

// presses reports an act that presses its target.
func (a Act) presses() bool {
	_, key := splitKey(a.Key)
	return a.pressesEnter() || a.Key != "" && slices.Contains(spaceKeys, key) ||
		a.Base != Read && a.Key == "" && !a.Menu && !slices.Contains([]string{"type", "select", "uploadFile", "dragDrop", "savePDF", "exportFile"}, a.Action)
}

// sendsForm reports an act that sends its target's form.
func (a Act) sendsForm() bool {
	t := a.Target
	if t == nil || t.Form == nil || a.Base == Read {
		return false
	}
	changes := slices.Contains([]string{"select", "check", "uncheck", "uploadFile"}, a.Action) || a.presses() && isToggle(t)
	return a.pressesEnter() && (t.SubmitsForm || t.DefaultButton != "" || a.Submit) || t.OnChange && changes || a.presses() && t.submits()
}

// tokenSize is the length in bytes above which a hidden value is taken for a token
// against forged requests: it changes with each load and names no recipient.
const tokenSize = 24

// choices gives the fields with the form's recipients, amounts and options, without
// free text; fields are the names of all.
func (f *Form) choices() (choice, fields string) {
	var out, names []string
	for _, x := range f.Fields {
		if x.Type != "radio" { // an unchosen radio button is not among the fields
			names = append(names, x.Name)
		}
		note := x.Type == "text" || x.Type == "textarea" || x.Type == "search" || x.Type == ""
		money := slices.ContainsFunc(words(fold(x.Name)), func(w string) bool { return moneyFields[w] })
		if x.Secret == "" && (!note || money) && (x.Type != "hidden" || len(x.Value) <= tokenSize) {
			out = append(out, x.Name+"="+x.Value)
		}
	}
	return strings.Join(out, "\n"), strings.Join(names, "\n")
}

// RaiseForRefusal raises a decision to Confirm for an act like the refused deed old.
func (d *Decision) RaiseForRefusal(c Context, old Deed) {
	d.raise(Confirm, old.Class, Reason{"refused_like", c.say("You said no to something like this before: %s", quote(old.Name))})
	d.Once = nil
}
