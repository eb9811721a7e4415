package action

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// Secrets is the user's vault: values to fill in that no model sees. The sites are
// hosts, each with its subdomains. field is the kind of field for a value: one of
// safety.Target's Secret, "text" for a field that holds no secret, or empty for any
// field for secrets.
type Secrets interface {
	Lookup(name string) (value string, sites []string, field string, err error)
}

// secretRef matches a placeholder that a model writes instead of a value of the vault.
var secretRef = regexp.MustCompile(`^\s*\{\{\s*secret:([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\s*\}\}\s*$`)

// IsSecretRef tells whether text is a placeholder of the vault, {{secret:name}}.
func IsSecretRef(text string) bool { return secretRef.MatchString(text) }

// filling is a value of the vault that an act fills in.
type filling struct {
	name  string
	value string
	sites []string
	field string
}

// readPlaceholder reads a placeholder; nil without an error if text has none.
func (s *Session) readPlaceholder(text string) (*filling, *Error) {
	m := secretRef.FindStringSubmatch(text)
	if m == nil {
		if strings.Contains(text, "{{secret:") {
			return nil, &Error{Code: InvalidParams, Message: "a placeholder of the vault stands alone", Hint: `Type exactly "{{secret:name}}", with nothing around it.`}
		}
		return nil, nil //nolint:nilnil // documented
	}
	if s.o.Secrets == nil {
		return nil, &Error{Code: Unsupported, Message: "there is no vault here", Hint: "Ask the user to fill it in with requestLogin."}
	}
	f := &filling{name: m[1]}
	var err error
	if f.value, f.sites, f.field, err = s.o.Secrets.Lookup(f.name); err != nil {
		return nil, &Error{Code: NotFound, Message: fmt.Sprintf("the vault gave nothing for %q: %v", f.name, err), Hint: "The user stores it with `tabwright secret set`; or hand the page to them with requestLogin."}
	}
	return f, nil
}

// fits returns an error unless the value belongs on the page's sites and in the kind of
// field, and the form is sent only to its sites.
func (r *run) fits(f *filling, a *element) *Error {
	no := func(format string, args ...any) *Error {
		return &Error{
			Code: Blocked, Message: fmt.Sprintf("{{secret:%s}} is not filled in here: ", f.name) + fmt.Sprintf(format, args...),
			Hint: "The user can fill it in themselves: requestLogin.",
		}
	}
	places := []string{a.frame.URL(), r.tab.MainURL()}
	if form := a.facts.Form; form != nil && form.Action != "" {
		places = append(places, form.Action)
	}
	for _, p := range places {
		if !f.isAllowedAt(p) {
			return no("%s is none of its sites", siteOf(p))
		}
	}
	switch kind := a.facts.Secret; {
	case f.field == "text" && kind == "", f.field == "" && kind != "", f.field != "" && f.field == kind:
		return nil
	case kind == "":
		return no("%s is no field for secrets", a)
	default:
		return no("%s is a field of another kind (%s)", a, kind)
	}
}

// isAllowedAt tells whether an address is on one of the value's sites, over an encrypted
// connection or on this computer.
func (f *filling) isAllowedAt(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && !(u.Scheme == "http" && plainHTTP(u.Host)) {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, s := range f.sites {
		if host == s || strings.HasSuffix(host, "."+s) {
			return true
		}
	}
	return false
}

// registerSecret replaces a value by name in all later texts of the session.
func (s *Session) registerSecret(value, name string) {
	const least = 6 // shorter values occur on every page
	if len([]rune(value)) < least {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hidden == nil {
		s.hidden = map[string]string{}
	}
	s.hidden[value] = name
}

// masker returns a function that masks hidden values in a text, and secrets in addresses.
func (s *Session) masker() func(string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.hidden) == 0 {
		return sayable
	}
	var pairs []string
	for v, name := range s.hidden {
		pairs = append(pairs, v, name, url.QueryEscape(v), name)
		if b, err := json.Marshal(v); err == nil {
			pairs = append(pairs, strings.Trim(string(b), `"`), name)
		}
	}
	hidden := strings.NewReplacer(pairs...)
	return func(text string) string { return sayable(hidden.Replace(text)) }
}

// sayable returns a text with secrets in addresses masked, and without invisible characters
// and those that reverse its direction.
func sayable(text string) string { return safety.HideInAddresses(pagecontext.Visible(text)) }

// maskResult masks hidden values in a result.
func (s *Session) maskResult(res *Result) {
	v := s.masker()
	for _, t := range []*string{&res.Text, &res.Line, &res.Target, &res.Effect, &res.Value} {
		*t = v(*t)
	}
	for lang, line := range res.In {
		res.In[lang] = v(line)
	}
	for _, list := range [][]string{res.Appeared, res.Notes} {
		for i := range list {
			list[i] = v(list[i])
		}
	}
	if res.Err != nil {
		res.Err.Message, res.Err.Hint = v(res.Err.Message), v(res.Err.Hint)
	}
	switch data := res.Data.(type) {
	case nil:
	case pagecontext.Listing:
		maskListing(&data, v) // its parts are shared
	default:
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false) // addresses as they are written
		if enc.Encode(data) == nil {
			if clean := v(b.String()); clean != b.String() {
				res.Data = json.RawMessage(strings.TrimSpace(clean))
			}
		}
	}
}

// maskListing masks hidden values in a list.
func maskListing(l *pagecontext.Listing, v func(string) string) {
	for i := range l.Elements {
		e := &l.Elements[i]
		for _, t := range []*string{&e.Name, &e.Text, &e.Value, &e.Placeholder, &e.Near, &e.Hint, &e.Href, &e.Description, &e.Group} {
			*t = v(*t)
		}
		for j := range e.Options {
			e.Options[j] = v(e.Options[j])
		}
	}
	for i := range l.Rows {
		l.Rows[i].Text = v(l.Rows[i].Text)
	}
}

// maskObservation masks hidden values in an observation.
func (s *Session) maskObservation(o *Observation) {
	v := s.masker()
	o.Text, o.Title, o.URL = v(o.Text), v(o.Title), v(o.URL)
	if o.Summary != nil {
		o.Summary.VisibleText, o.Summary.Title, o.Summary.URL = v(o.Summary.VisibleText), v(o.Summary.Title), v(o.Summary.URL)
	}
	if o.Elements != nil {
		maskListing(o.Elements, v)
	}
}

// secretClass returns the consequence class of filling in a secret of this kind.
func secretClass(kind string) safety.Class {
	switch kind {
	case "card", "cvc":
		return safety.Purchase
	}
	return safety.Identity
}
