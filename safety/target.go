package safety

import "strings"

// submits reports whether a click on t sends its form. SubmitsForm alone may
// mean that Enter does.
func (t *Target) submits() bool {
	if !t.SubmitsForm || t.Editable || isToggle(t) {
		return false
	}
	switch t.Tag {
	case "input":
		return t.Type == "submit" || t.Type == "image" || t.Type == ""
	case "select", "textarea":
		return false
	}
	return true
}

// labels gives every text by which a user would know t. Each is judged by itself:
// a hidden innocent name does not excuse a visible "Pay".
func (t *Target) labels() []string {
	out := []string{t.Name, t.Text, t.Seen, t.Title, t.LinkText}
	switch {
	case t.Tag == "button", t.Type == "submit", t.Type == "button", t.Type == "reset", t.Type == "image":
		out = append(out, t.Value)
	}
	if isToggle(t) {
		out = append(out, t.Label)
	}
	return out
}

// label gives the text by which a reason quotes t.
func (t *Target) label() string {
	for _, s := range []string{t.Name, t.Text, t.Title, t.Label, t.LinkText, t.Value} {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	if t.Role != "" {
		return "unnamed " + t.Role
	}
	return "unnamed " + t.Tag
}

func isToggle(t *Target) bool {
	switch t.Role {
	case "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option":
		return true
	}
	return t.Type == "checkbox" || t.Type == "radio"
}

// plainLink reports facts that prove navigation: a link to a web page, with no
// handler and no form.
func plainLink(t *Target) bool {
	if t.Href == "" || t.HasHandler || t.Method != "" || t.Asks != "" || t.submits() || t.Tag != "a" && t.Tag != "area" && t.Role != "link" {
		return false
	}
	u := readableURL(t.Href)
	return u != nil && (u.Scheme == "http" || u.Scheme == "https")
}

// takesValues reports a control that arrow keys give another value.
func (t *Target) takesValues() bool {
	switch t.Role {
	case "slider", "spinbutton", "radio", "menuitemradio", "listbox", "option", "scrollbar":
		return true
	}
	return t.Tag == "select" || t.Type == "range" || t.Type == "number" || t.Type == "radio" || dateType[t.Type]
}

// isDrawn reports a control that the page draws itself.
func (t *Target) isDrawn() bool { return t.Tag != "input" && t.Tag != "select" && t.Tag != "textarea" }

var dateType = wordSet("date month week time datetime-local")
