package safety

import (
	"slices"
	"strings"
)

// Crossing holds the effects of an act beyond its page: facts of the task, not
// of the page.
type Crossing struct {
	// To is the site that gets the act's text or address, and Carried the data of
	// other sites in it.
	To      string
	Carried []Carried
	// New is a site that the act would write to and that the user neither named nor
	// allowed.
	New string
	// Pastes says that the clipboard may hold text of another site. From is the site
	// where a drag began that ends on another.
	Pastes bool
	From   string
	// Secret names a value of the user's vault that would be filled in; SecretClass
	// is its class.
	Secret      string
	SecretClass Class
	// Signals says that the site's text shows signs of addressing the model.
	Signals bool
}

// Cross raises a decision by the act's effects beyond its page. It runs after the
// user's policy, which can't lower it.
func (d *Decision) Cross(a Act, c Context, x Crossing) {
	class := d.Class
	if class == Read {
		class = Navigate
	}
	before := d.Level
	for _, got := range x.Carried {
		d.raise(Confirm, class, Reason{"data_flow", c.say("What was read on %s would go to %s: %s", got.From, x.To, quote(got.Text))})
	}
	if x.Pastes {
		d.raise(Confirm, class, Reason{"data_flow", c.say("The clipboard may hold what was read on another site than %s", x.To)})
	}
	if x.From != "" {
		d.raise(Confirm, class, Reason{"data_flow", c.say("What is dragged is of %s and would go to %s", x.From, x.To)})
	}
	if x.New != "" {
		d.raise(Confirm, class, Reason{"new_site", c.say("Nothing was written on %s before, and the task does not name it", x.New)})
	}
	if x.Secret != "" {
		d.raise(Confirm, x.SecretClass, Reason{"vault", c.say("The stored secret %s would be filled in on %s", quote(x.Secret), x.To)})
	}
	if x.Signals && !d.moves(a) {
		d.raise(min(d.Level+1, Confirm), class, Reason{"injection", c.say("The text of %s speaks to an assistant, so more is asked", x.To)})
	}
	if d.Level > before {
		d.Once = nil // a yes to this is a yes to this only
	}
}

// moves reports an act that only looks or goes somewhere.
func (d Decision) moves(a Act) bool {
	still := func(c Class) bool { return c == Read || c == Navigate }
	return still(a.Base) || still(d.Class) || d.Class == Write && a.Target != nil && plainLink(a.Target) && !d.writes
}

// Flows reports a decision with a reason about data that goes to another site.
func (d Decision) Flows() bool {
	return slices.ContainsFunc(d.Reasons, func(r Reason) bool { return r.Rule == "data_flow" })
}

// Outgoing holds the texts that an act sends to a site, or the address it opens.
type Outgoing struct {
	Site  string
	Texts []string
	URL   string
}

// Leaves gives the texts that an act sends and their site. A frame counts by its own
// origin.
func Leaves(a Act) Outgoing {
	j := judgement{act: a}
	out := Outgoing{Site: actSite(a)}
	switch a.Action {
	case "navigate", "openTab", "webSearch", "download":
		out.URL = a.URL
		if out.URL == "" {
			out.URL = j.param("url")
		}
		if out.URL != "" {
			out.Site = Site(out.URL)
		}
	case "type", "executeJS":
		out.Texts = []string{a.Text}
		if t := a.Target; t != nil && t.Secret == "" && t.Value != "" && a.Text != "" && len(t.Value) < 300 {
			out.Texts = append(out.Texts, t.Value+a.Text) // a word in two parts
		}
	case "select":
		if a.Target != nil && a.Target.Editable {
			out.Texts = []string{a.Text}
		}
	case "handleDialog":
		out.Texts = []string{j.param("text", "promptText")}
	case "waitFor":
		out.Texts = []string{j.param("function", "fn", "predicate")}
	case "click", "pressKey", "keyDown", "mouseUp", "tap":
		if to, texts := sentAway(a); to != "" {
			out.Site, out.Texts = to, texts
		}
	}
	return out
}

// sentAway gives the other site to which an act sends its form, and the form's
// texts.
func sentAway(a Act) (site string, texts []string) {
	t := a.Target
	if t == nil || t.Form == nil || !t.SubmitsForm {
		return "", nil
	}
	if site = Site(t.Form.Action); site == "" || site == actSite(a) {
		return "", nil
	}
	for _, f := range t.Form.Fields {
		if f.Secret == "" && f.Type != "hidden" {
			texts = append(texts, f.Value)
		}
	}
	return site, texts
}

// actSite is the site an act happens on: that of the target's frame.
func actSite(a Act) string {
	if t := a.Target; t != nil {
		if s := Site(t.FrameURL); s != "" {
			return s
		}
	}
	return Site(a.Page.URL)
}

// Knows reports a site that the task began on, that the user named or that
// they allowed. A name that begins with a dot covers all below it.
func (c Context) Knows(site string) bool {
	return c.AnySite || slices.ContainsFunc(c.Sites, func(s string) bool {
		return s == site || Site(s) == site || strings.HasPrefix(s, ".") && strings.HasSuffix("."+site, s)
	})
}

// NewSite gives the site that an act would write to and that the task does not
// know, or "". Reading, navigating, searching and filtering do not write. A draft
// does where it is text in a field.
func NewSite(a Act, d Decision, c Context) string {
	j := &judgement{act: a, ctx: c, lex: lex()}
	t := a.Target
	switch {
	case a.Base == Read, d.Class == Read, d.Class == Navigate:
		return ""
	case t != nil && j.isSearch(t) && d.Level < Confirm:
		return ""
	case a.Action == "type" && a.Text != "":
	case d.Level < Notify:
		return ""
	}
	sites := []string{actSite(a)}
	if t != nil && t.Form != nil && t.Form.Action != "" && (t.SubmitsForm || a.Submit || a.Key != "") {
		sites = append(sites, Site(t.Form.Action))
	}
	for _, s := range sites {
		if s != "" && !c.Knows(s) {
			return s
		}
	}
	return ""
}
