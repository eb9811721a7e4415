package action

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"tabwright/safety"
)

// Secrets is the person's vault: values that they want filled in and that no
// model sees. The sites are hosts, each with its subdomains. field is the kind of
// field a value belongs into: one of safety.Target's Secret, "text" for a field
// that holds no secret, or empty for any field for secrets.
type Secrets interface {
	Lookup(name string) (value string, sites []string, field string, err error)
}

// secretRef is what a model writes in place of a value of the vault.
var secretRef = regexp.MustCompile(`^\s*\{\{\s*secret:([A-Za-z0-9][A-Za-z0-9_.-]{0,63})\s*\}\}\s*$`)

// IsSecretRef tells a placeholder of the vault, {{secret:name}}.
func IsSecretRef(text string) bool { return secretRef.MatchString(text) }

// filling is a value of the vault that an act is to fill in.
type filling struct {
	name  string
	value string
	sites []string
	field string
}

// filled reads a placeholder; nil without an error is a text that has none.
func (s *Session) filled(text string) (*filling, *Error) {
	m := secretRef.FindStringSubmatch(text)
	if m == nil {
		if strings.Contains(text, "{{secret:") {
			return nil, &Error{Code: InvalidParams, Message: "a placeholder of the vault stands alone", Hint: `Type exactly "{{secret:name}}", with nothing around it.`}
		}
		return nil, nil //nolint:nilnil // documented
	}
	if s.o.Secrets == nil {
		return nil, &Error{Code: Unsupported, Message: "there is no vault here", Hint: "Ask the person to fill it in with requestLogin."}
	}
	f := &filling{name: m[1]}
	var err error
	if f.value, f.sites, f.field, err = s.o.Secrets.Lookup(f.name); err != nil {
		return nil, &Error{Code: NotFound, Message: fmt.Sprintf("the vault gave nothing for %q: %v", f.name, err), Hint: "The person stores it with `tabwright secret set`; or hand the page to them with requestLogin."}
	}
	return f, nil
}

// fits refuses a value anywhere but on its sites, in its kind of field, in a form
// that stays there.
func (r *run) fits(f *filling, a *aim) *Error {
	no := func(format string, args ...any) *Error {
		return &Error{
			Code: Blocked, Message: fmt.Sprintf("{{secret:%s}} is not filled in here: ", f.name) + fmt.Sprintf(format, args...),
			Hint: "The person can fill it in themselves: requestLogin.",
		}
	}
	places := []string{a.frame.URL(), r.tab.MainURL()}
	if form := a.facts.Form; form != nil && form.Action != "" {
		places = append(places, form.Action)
	}
	for _, p := range places {
		if !f.allowedAt(p) {
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

// allowedAt reports an address of one of the value's sites, over an encrypted
// connection or on this computer.
func (f *filling) allowedAt(address string) bool {
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

// hide keeps a value out of everything the session says from now on.
func (s *Session) hide(value, name string) {
	const least = 6 // shorter ones stand on every page
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

// veil replaces hidden values in a text.
func (s *Session) veil() *strings.Replacer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.hidden) == 0 {
		return nil
	}
	var pairs []string
	for v, name := range s.hidden {
		pairs = append(pairs, v, name, url.QueryEscape(v), name)
		if b, err := json.Marshal(v); err == nil {
			pairs = append(pairs, strings.Trim(string(b), `"`), name)
		}
	}
	return strings.NewReplacer(pairs...)
}

// veilResult takes hidden values out of a result.
func (s *Session) veilResult(res *Result) {
	v := s.veil()
	if v == nil {
		return
	}
	for _, t := range []*string{&res.Text, &res.Line, &res.Target, &res.Effect, &res.Value} {
		*t = v.Replace(*t)
	}
	for lang, line := range res.In {
		res.In[lang] = v.Replace(line)
	}
	for _, list := range [][]string{res.Appeared, res.Notes} {
		for i := range list {
			list[i] = v.Replace(list[i])
		}
	}
	if res.Err != nil {
		res.Err.Message, res.Err.Hint = v.Replace(res.Err.Message), v.Replace(res.Err.Hint)
	}
	if b, err := json.Marshal(res.Data); err == nil && res.Data != nil {
		if clean := v.Replace(string(b)); clean != string(b) {
			res.Data = json.RawMessage(clean)
		}
	}
}

// veilObservation takes hidden values out of a look at the page.
func (s *Session) veilObservation(o *Observation) {
	v := s.veil()
	if v == nil {
		return
	}
	o.Text, o.Title, o.URL = v.Replace(o.Text), v.Replace(o.Title), v.Replace(o.URL)
	if o.Summary != nil {
		o.Summary.VisibleText, o.Summary.Title, o.Summary.URL = v.Replace(o.Summary.VisibleText), v.Replace(o.Summary.Title), v.Replace(o.Summary.URL)
	}
	if o.Elements != nil {
		for i := range o.Elements.Elements {
			e := &o.Elements.Elements[i]
			for _, t := range []*string{&e.Name, &e.Text, &e.Value, &e.Placeholder, &e.Near, &e.Hint, &e.Href, &e.Description, &e.Group} {
				*t = v.Replace(*t)
			}
			for j := range e.Options {
				e.Options[j] = v.Replace(e.Options[j])
			}
		}
		for i := range o.Elements.Rows {
			row := &o.Elements.Rows[i]
			row.Text = v.Replace(row.Text)
		}
	}
}

// secretClass is what filling in a field for secrets amounts to.
func secretClass(kind string) safety.Class {
	switch kind {
	case "card", "cvc", "iban":
		return safety.Purchase
	}
	return safety.Identity
}
