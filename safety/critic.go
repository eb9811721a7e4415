package safety

import (
	"encoding/json"
	"slices"
)

// CriticFacts is all that a critic gets to know of an act, beside the task. It holds
// no text of the page, no name of a control, no path and no typed text, so that the
// author of a page can't address the critic.
type CriticFacts struct {
	Action      string   `json:"action"`
	Class       Class    `json:"class"`
	Level       string   `json:"level"`
	Site        string   `json:"site"`                  // host of the page
	Frame       string   `json:"frame,omitempty"`       // host of the target's frame, if another
	Destination string   `json:"destination,omitempty"` // scheme and host it leads to
	OtherSite   bool     `json:"otherSite,omitempty"`   // Destination is another site than the page's
	Control     string   `json:"control,omitempty"`     // role of the target
	Submits     bool     `json:"submits,omitempty"`     // a form is sent
	Method      string   `json:"method,omitempty"`      // of the form
	Fields      []string `json:"fields,omitempty"`      // types of its fields
	Secrets     []string `json:"secrets,omitempty"`     // kinds of secret fields in it
	Data        int      `json:"data,omitempty"`        // characters in the address's query and fragment
	Rules       []string `json:"rules,omitempty"`       // ids of the gate's reasons
}

// String gives the facts as the critic reads them: one JSON object.
func (f CriticFacts) String() string {
	b, _ := json.Marshal(f) // plain strings
	return string(b)
}

// WantsCritic reports whether an act is worth a critic's look: no question would be
// asked, and the act leads to an address, sends something or is shown to the user.
func WantsCritic(a Act, d Decision) bool {
	if d.Level >= Confirm {
		return false
	}
	f := FactsForCritic(a, d)
	return f.OtherSite || f.Submits || d.Level == Notify || a.URL != ""
}

var (
	knownRoles   = wordSet("button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton menuitem menuitemcheckbox menuitemradio tab treeitem row cell gridcell dialog img")
	knownTypes   = wordSet("text search email tel url password number date time month week color range file checkbox radio hidden submit button image reset select textarea select-one select-multiple datetime-local")
	knownMethods = wordSet("get post dialog put delete patch")
)

// FactsForCritic takes the facts from an act and the gate's decision. Words that a
// page chooses freely pass only if they are in a known list.
func FactsForCritic(a Act, d Decision) CriticFacts {
	f := CriticFacts{Action: a.Action, Class: d.Class, Level: d.Level.String(), Site: host(a.Page.URL)}
	for _, r := range d.Reasons {
		f.Rules = append(f.Rules, r.Rule)
	}
	to := a.URL
	if t := a.Target; t != nil {
		if h := host(t.FrameURL); h != f.Site {
			f.Frame = h
		}
		if knownRoles[t.Role] {
			f.Control = t.Role
		}
		f.Submits = t.SubmitsForm && (a.Action != "type" || a.Submit)
		if to == "" {
			to = t.Href
		}
		if t.Form != nil && f.Submits {
			f.form(t.Form)
			to = t.Form.Action
		}
	}
	if u := readableURL(to); u != nil && u.Host != "" {
		f.Destination = u.Scheme + "://" + u.Host
		f.OtherSite = f.Site != "" && Site(to) != Site(a.Page.URL)
		f.Data = len(u.RawQuery) + len(u.Fragment)
	}
	return f
}

func (f *CriticFacts) form(form *Form) {
	if knownMethods[form.Method] {
		f.Method = form.Method
	}
	for _, x := range form.Fields {
		if knownTypes[x.Type] && !slices.Contains(f.Fields, x.Type) {
			f.Fields = append(f.Fields, x.Type)
		}
		if x.Secret != "" && !slices.Contains(f.Secrets, x.Secret) {
			f.Secrets = append(f.Secrets, x.Secret)
		}
	}
}

// RaiseForCritic returns d raised to Confirm after the critic doubted the act; a
// stricter decision is unchanged. The reason is a fixed sentence: a card shows no
// text of a model.
func RaiseForCritic(d Decision, c Context) Decision {
	if d.Level >= Confirm {
		return d
	}
	d.Reasons, d.parts = slices.Clip(d.Reasons), slices.Clip(d.parts)
	d.raise(Confirm, d.Class, Reason{"critic", c.say("A second look could not see what this has to do with the task")})
	return d
}
