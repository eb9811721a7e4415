package safety

import (
	"encoding/json"
	"slices"
)

// CriticFacts is all that a critic is told of an act, beside the task: what it
// is and where it goes. No text of the page is among it, no name of a control,
// no path, nothing that was typed: whoever writes the page must not be able to
// speak to the critic.
type CriticFacts struct {
	Action      string   `json:"action"`
	Class       Class    `json:"class"`
	Level       string   `json:"level"`
	Site        string   `json:"site"`                  // host of the page
	Frame       string   `json:"frame,omitempty"`       // host of the frame, where it is another
	Destination string   `json:"destination,omitempty"` // scheme and host it leads to
	OtherSite   bool     `json:"otherSite,omitempty"`   // that is another site than the page's
	Control     string   `json:"control,omitempty"`     // role of what is pressed or filled
	Submits     bool     `json:"submits,omitempty"`     // a form is sent
	Method      string   `json:"method,omitempty"`      // of the form
	Fields      []string `json:"fields,omitempty"`      // types of its fields
	Secrets     []string `json:"secrets,omitempty"`     // kinds of secret fields in it
	Data        int      `json:"data,omitempty"`        // characters in the address's query and fragment
	Rules       []string `json:"rules,omitempty"`       // ids of the gate's reasons
}

// String is the facts as the critic reads them, one object of JSON.
func (f CriticFacts) String() string {
	b, _ := json.Marshal(f) // plain strings
	return string(b)
}

// WantsCritic tells whether a second look at an act is worth a model's time:
// what would pass without a question, and goes somewhere or sends something.
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

// FactsForCritic picks them from an act and what the gate makes of it. Words
// that a page chooses freely pass only where they are from a known list.
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

// RaiseForCritic is a decision after the critic doubted the act: the user is asked.
// What is stricter already stays so. The reason is ours: a card shows nothing
// that a model wrote.
func RaiseForCritic(d Decision, c Context) Decision {
	if d.Level >= Confirm {
		return d
	}
	d.Reasons, d.parts = slices.Clip(d.Reasons), slices.Clip(d.parts)
	d.raise(Confirm, d.Class, Reason{"critic", c.say("A second look could not see what this has to do with the task")})
	return d
}
