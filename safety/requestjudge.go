package safety

import (
	"net/url"
	"slices"
	"sort"
	"strings"
)

// JudgeRequest judges a request that a page is about to send after an act a that
// was not proven harmless: by the method, the address, and the operations and keys
// of the body. A request without findings is Auto. Like Judge it is deterministic
// and pure, and applies the user's policy last. Findings only add up: no field of
// a body cancels another part.
func JudgeRequest(r Request, a Act, c Context) Decision {
	v := requestWords()
	j := &judgement{act: a, ctx: c, lex: lex(), d: Decision{Level: Auto, Class: Write}}
	if j.sendsAside(r) {
		return j.d
	}
	method := strings.ToUpper(r.Method)
	u, err := url.Parse(r.URL)
	if err != nil {
		u = &url.URL{}
	}
	where := strings.ToUpper(clip(r.Method, 10)) + " " + r.displayAddress(u)
	path := v.path(u, v.counts(u) && !sameHost(u, a.Page.URL))
	var m message
	if r.Type == MessageType {
		m = readMessage(v, r.Body)
		if m.body == "" && m.to == "" {
			return j.d
		}
		where = j.say("a message to %s", r.displayAddress(u))
		method, r.Body = "POST", m.body
		path = v.path(&url.URL{Path: m.to}, false)
		path.graphql = m.graphql
	}
	if path.method != "" && method == "POST" {
		method = path.method
	}
	body := &bodyReader{v: v, path: &path}
	found := path.query
	reads := method == "GET" || method == "HEAD" || method == "OPTIONS"
	if reads {
		found = path.readOnlyFindings(u, method, r.Type == "document")
	} else if f := path.deed(method); f.class != "" {
		found = append(found, f)
	} else if path.route != nil && method != "DELETE" {
		if f := path.route.deed(method); f.class != "" {
			found = append(found, f)
		}
	}
	counted := path.still && !path.store || r.Type == "ping" && !path.graphql // a beacon's body says what was seen
	if !counted || method == "DELETE" {
		body.read(r)
		found = append(found, body.findings()...)
	}
	if body.asksStore() {
		found = slices.DeleteFunc(found, func(f finding) bool { return f.class == CodeClass })
	}
	if body.setsEntry(method) {
		found = append(found, finding{Settings, "key"})
	}
	if len(v.terms) == 0 {
		j.raise(Confirm, Submit, "no_words", j.say("The word lists could not be read, so everything is asked about"))
	}
	for _, f := range gravest(found) {
		j.raise(Confirm, f.class, ruleRequest, j.say("The page is about to send %s, which says: %s", where, clip(f.word, 80)))
	}
	// A form that is sent counts nothing and asks for nothing: a page comes of it.
	if len(found) == 0 && !reads && (r.Type != MessageType || m.changes) && !path.harmless() && (r.Type == "document" || !counted && !body.onlyLooks()) && !j.asksOnly(r, body) {
		j.unknownRequest(r, u, where, body)
	}
	if j.d.Level == Auto {
		return j.d // the policy is about deeds, and here is none
	}
	j.act = requestAct(a, r, u, c)
	j.d = c.Policy.apply(j)
	j.act = a
	if j.d.Level >= Confirm {
		j.detail(where)
		for _, line := range body.lines() {
			j.detail(line)
		}
		j.d.to = body.receiver()
	}
	j.finish()
	return j.d
}

// ruleRequest is the rule of findings in a request.
const ruleRequest = "request"

// gravest keeps the first finding of each class, the gravest class first.
func gravest(found []finding) []finding {
	var out []finding
	for _, f := range found {
		if !slices.ContainsFunc(out, func(o finding) bool { return o.class == f.class }) {
			out = append(out, f)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return gravity[out[i].class] > gravity[out[j].class] })
	return out
}

// findings gives the findings of the body, in view of the request's path.
func (b *bodyReader) findings() []finding {
	out := b.hard
	if b.method == "DELETE" {
		if f := b.path.deed(b.method); f.class != "" {
			out = append(out, f)
		}
	}
	if !b.path.calm && (!b.path.dispatch && !b.path.graphql || b.updates) {
		out = append(out, b.soft...)
	}
	if !b.path.calm && (!b.queries || b.updates) {
		out = append(out, b.firm...)
	}
	return out
}

// requestAct is the act whose sites the policy is asked about: the page's and the
// request's, where that is another or has rules of its own.
func requestAct(a Act, r Request, u *url.URL, c Context) Act {
	t := Target{}
	if a.Target != nil {
		t.FrameURL = a.Target.FrameURL
	}
	page := readableURL(a.Page.URL)
	if Site(r.URL) != actSite(a) || page == nil || slices.ContainsFunc(Classes, func(class Class) bool {
		at, _ := c.Policy.For(page.Host, class)
		to, _ := c.Policy.For(u.Host, class)
		return at != to
	}) {
		t.Href = r.URL
	}
	a.URL, a.Drop, a.Target = "", nil, &t
	return a
}

// maxShownSegment is how many characters of a path segment are shown. A longer one
// is a key or a text.
const maxShownSegment = 40

// displayAddress gives a request's host and path in a form for the user.
func (r Request) displayAddress(u *url.URL) string {
	segments := strings.Split(u.Path, "/")
	for i, s := range segments {
		segments[i] = clip(s, maxShownSegment)
	}
	return Redact(clip(u.Host+strings.Join(segments, "/"), 160))
}

// maxShown is how many fields of a body a card shows.
const maxShown = 5

// hiddenKeys are words of keys whose values a card must not show.
var hiddenKeys = wordSet("password passwd pwd passwort contrasena senha secret token csrf xsrf auth authorization key apikey signature sig hash nonce session sessionid sid cvc cvv cvv2 csc " +
	"otp totp pin code captcha recaptcha fingerprint cookie jwt bearer credential credentials viewstate eventvalidation card cardnumber pan number query extensions sha256hash iv " +
	"ssn passport license securitycode encrypted nonce crumb")

// lines gives the lines of a card for the body: values that the user wrote or chose.
func (b *bodyReader) lines() []string {
	var out []string
	for _, f := range b.fields {
		ws := words(fold(f.key))
		if len(out) == maxShown || len(f.key) > 60 {
			break
		}
		if slices.ContainsFunc(ws, func(w string) bool { return hiddenKeys[w] }) || hiddenKeys[keyName(f.key)] || opaque(f.value) {
			continue
		}
		line := clip(f.key, 40) + ": " + Redact(clip(strings.Join(strings.Fields(f.value), " "), 100))
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// opaque reports a value that is not for reading: a key, a structure. s must not be
// empty.
func opaque(s string) bool {
	if s[0] == '{' || s[0] == '[' || s[0] == '<' {
		return true
	}
	return len(s) >= 24 && !strings.ContainsAny(s, " .@/") && strings.ContainsAny(s, "0123456789")
}
