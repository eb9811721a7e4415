package safety

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// bodyReader judges a body by keys with the name of an operation, and by keys that
// show a payment, a password or a message. Findings only add up: no part of a body
// cancels another.
type bodyReader struct {
	v    *vocabulary
	path *requestPath

	hard    []finding // operations
	soft    []finding // states and keys, which count unless the path only looks at something
	firm    []finding // values of keys, which count for unread operations of GraphQL too
	opsRead bool      // the operations of GraphQL are judged already
	// updates says that some operation of the body changes something.
	updates bool
	// reads says that it holds a statement that only reads, runs that it holds another.
	reads, runs bool
	// looks says that some named operation only reads or is about a trifle, acts
	// that some other does more.
	looks, acts bool
	calledOps   []string // the operations that it names and that do not only look
	queries     bool     // it has a document of GraphQL that only asks
	jmapSets    bool     // it has a JMAP call that writes
	calls       bool     // its method is "call", so its parameters name the operation
	method      string   // given in the body, instead of the request's own
	fields      []bodyField

	level int    // depth of the current value in JSON, from 1
	of    string // key of the object that it is in

	kinds keyKind // kinds of the keys read
}

// bodyField is a line for the card.
type bodyField struct{ key, value string }

// read judges a body in the format of its content type or its first characters.
func (b *bodyReader) read(r Request) {
	mime := strings.ToLower(r.Mime)
	body := r.Body
	if len(body) > MaxRequestBody {
		body = body[:MaxRequestBody]
	}
	trimmed := strings.TrimLeft(body, " \t\r\n\ufeff)]}',;")
	if strings.HasPrefix(body, "[") || strings.HasPrefix(body, "{") {
		trimmed = body
	}
	switch {
	case trimmed == "":
	case strings.HasPrefix(trimmed, "--"), strings.Contains(mime, "multipart"):
		b.multipart(trimmed)
	case trimmed[0] == '{' || trimmed[0] == '[':
		if b.path.graphql || mutationKey.MatchString(trimmed) {
			b.graphql(trimmed)
		}
		b.json(trimmed, strings.Contains(mime, "json-patch"), 0)
	case trimmed[0] == '<':
		b.xml(trimmed)
	case strings.Contains(mime, "gwt"):
		for part := range strings.SplitSeq(trimmed, "|") {
			if len(part) < maxName && !strings.ContainsAny(part, "/.: ") {
				b.operation("method", part)
			}
		}
	case strings.Contains(mime, "graphql"):
		b.document(trimmed, "")
	case strings.Contains(trimmed, "=") && !strings.ContainsAny(clip(trimmed, 200), "\n<{ "):
		b.form(trimmed)
	}
	b.together()
}

// mutationKey is the key of a mutation of GraphQL, to whatever address it is sent.
var mutationKey = regexp.MustCompile(`"query"\s*:\s*"(?:\s|\\n)*mutation\b`)

// form walks through the pairs of a form that is sent in the usual way.
func (b *bodyReader) form(text string) {
	for pair := range strings.SplitSeq(text, "&") {
		k, val, _ := strings.Cut(pair, "=")
		k, errK := url.QueryUnescape(k)
		val, errV := url.QueryUnescape(val)
		if errK == nil && errV == nil {
			b.formPair(k, val)
		}
	}
}

var partName = regexp.MustCompile(`(?i)content-disposition:[^\r\n]*[; ]name="([^"]{0,200})"`)

// batchLine is a request in a request: "DELETE /orders/17 HTTP/1.1".
var batchLine = regexp.MustCompile(`(?m)^(DELETE|POST|PUT|PATCH) (\S{1,300}) HTTP/1`)

// multipart walks through the named parts of a body and the requests in it.
func (b *bodyReader) multipart(text string) {
	for _, m := range partName.FindAllStringSubmatchIndex(text, -1) {
		name, val := text[m[2]:m[3]], ""
		if i := strings.Index(text[m[1]:], "\r\n\r\n"); i >= 0 {
			val = text[m[1]+i+4:]
			if end := strings.Index(val, "\r\n--"); end >= 0 {
				val = val[:end]
			}
		}
		if !strings.Contains(text[m[0]:m[1]], "filename") {
			b.formPair(name, val)
		}
	}
	for _, m := range batchLine.FindAllStringSubmatch(text, -1) {
		b.address(m[1], m[2])
	}
}

// address judges a request inside a body.
func (b *bodyReader) address(method, raw string) {
	u, err := url.Parse(raw)
	if err != nil {
		return
	}
	inner := b.v.path(u, false)
	if f := inner.deed(strings.ToUpper(method)); f.class != "" {
		b.hard = append(b.hard, f)
	}
}

var (
	xmlMethod = regexp.MustCompile(`<(?:\w+:)?methodName>\s*([\w.:$-]{1,80})`)
	soapBody  = regexp.MustCompile(`<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?([\w.-]{1,80})`)
)

// xml reads the operation of XML-RPC and SOAP.
func (b *bodyReader) xml(text string) {
	for _, re := range []*regexp.Regexp{xmlMethod, soapBody} {
		for _, m := range re.FindAllStringSubmatch(text, 8) {
			b.operation("methodname", m[1])
		}
	}
}

// formPair judges a key of a form with its value. The key may be the form's button.
func (b *bodyReader) formPair(key, val string) {
	if i := strings.LastIndexByte(key, '['); i > 0 && strings.HasSuffix(key, "]") {
		if inner := strings.Trim(key[i:], "[]"); inner != "" && !isNumber(inner) {
			b.pair(inner, val, 0)
			return
		}
	}
	if b.isButtonKey(key, val) {
		if s := b.v.name(key); s.class != "" && !s.lone && !(s.class == Destroy && b.about(s)) {
			b.hard = append(b.hard, finding{s.class, s.word})
		}
	}
	switch strings.ToLower(val) {
	case "1", "true", "on", "yes":
		b.flag(key)
	case "0", "false", "off", "no":
		b.off(key)
	}
	b.pair(key, val, 0)
}

// isButtonKey reports the key of a form's button: its name says so, or its value
// repeats its name ("place_order=Place order").
func (b *bodyReader) isButtonKey(key, val string) bool {
	if len(key) > 200 || len(val) > maxName || !truthy(val) {
		return false
	}
	k := keyName(key)
	if strings.Contains(k, "btn") || strings.Contains(k, "button") || strings.HasPrefix(k, "submit") || strings.Contains(key, "$lnk") {
		return true
	}
	repeated := strings.ReplaceAll(keyName(val), " ", "")
	return len(repeated) > 2 && strings.HasSuffix(k, repeated)
}

// pair judges one key with its text.
func (b *bodyReader) pair(key, val string, depth int) {
	b.field(key, val)
	k := keyName(key)
	switch {
	case b.opsRead && k == "operationname":
	case k == "api":
		b.operation("fn", val)
	case opKeys[k]:
		b.operation(k, val)
	case b.path.acts && b.level < 2 && k == "name" && len(words(fold(val))) == 1:
		b.operation("fn", val)
	case k == "params" && b.calls && len(val) <= maxName:
		b.operation("action", val)
	case val != "" && isStateKey(strings.TrimSuffix(k, "id")) && b.path.ofSale():
		b.hard = append(b.hard, finding{Purchase, key})
	case k == "methodcalls" && strings.Contains(val, "/"):
		b.jmap(val)
	case b.path.batch && addressKeys[k]:
		b.address("", val)
	case keyKinds[k]&ofText != 0 && slashCommand.MatchString(val):
		m := slashCommand.FindStringSubmatch(val)
		b.command(m[1], m[2])
	case rightsKeys[k] && val != "":
		b.soft = append(b.soft, finding{Identity, key + ": " + clip(val, maxName)})
	case (k == "delete" || k == "destroy" && b.jmapSets) && val != "" && truthy(val):
		b.soft = append(b.soft, finding{Destroy, key})
	}
	b.state(key, val)
	b.kind(k, val)
	b.givesAccess(key, val)
	if depth < 2 && len(val) > 2 && (val[0] == '{' || val[0] == '[') {
		if b.path.graphql && depth == 0 {
			b.graphql(val)
		}
		b.json(val, false, depth+1)
	}
}

// slashCommand is the beginning of a text that a chat takes for a command: "/kick tom".
var slashCommand = regexp.MustCompile(`^/([A-Za-z][A-Za-z_-]{0,30})(?:\s+(\S)|\s*$)`)

// command judges a command of a chat. One whose name no list knows may change what others see, unless
// it is about nothing: "/close" closes one's own window.
func (b *bodyReader) command(name, with string) {
	s := b.v.name(name)
	if s.class == "" && with != "" && !s.calm && !s.still {
		s.class = Communicate
	}
	if s.class != "" {
		b.soft = append(b.soft, finding{s.class, "/" + name})
	}
}

// rightsKeys are keys of what somebody may do.
var rightsKeys = wordSet("permissions privileges accessrights")

var addressKeys = wordSet("url path relativeurl uri href")

// operation judges the name of an operation in a body.
func (b *bodyReader) operation(key, val string) {
	if methodKeys[key] && isDelete(val) {
		b.method = "DELETE"
		return
	}
	if len(val) > maxName || strings.Count(val, " ") > 4 {
		return
	}
	if i := strings.LastIndexAny(val, "/\\"); i >= 0 && i+1 < len(val) && strings.Contains(val, "://") {
		val = val[i+1:]
	}
	s := b.v.name(val)
	b.updates = b.updates || s.changes || s.makes
	b.tells(key, val, s)
	b.calls = b.calls || key == "method" && s.bare == "call"
	if f, ok := b.onPath(s); ok && sayKeys[key] {
		b.hard = append(b.hard, f)
		return
	}
	if (sayKeys[key] || b.path.acts) && s.bare == "restart" && !b.about(s) {
		b.hard = append(b.hard, finding{Destroy, val})
		return
	}
	switch {
	case s.class == "" && s.makes && s.count == 1 && len(b.path.names) > 0:
		if at := b.path.names[len(b.path.names)-1]; at.noun != "" && !at.draft && !b.path.calm {
			b.hard = append(b.hard, finding{at.noun, at.bare + " " + val})
		}
	case s.class == "", s.lone && !sayKeys[key], s.class == Destroy && b.about(s), s.mild && b.about(s):
	case key == "type" && (len(words(fold(val))) < 2 || s.class != Destroy && s.class != Purchase):
	case key == "method" && len(words(fold(val))) == 1 && s.class != Destroy: // a way to pay
	default:
		b.hard = append(b.hard, finding{s.class, val})
	}
}

// onPath gives the deed that a verb in the body does to the thing at the end of the path: {"action":"resume"}
// to /job.
func (b *bodyReader) onPath(s sense) (f finding, ok bool) {
	n := len(b.path.names)
	if n == 0 || s.class != "" || s.count != 1 || s.calm || b.path.calm || b.path.isTrifle(n-1) {
		return finding{}, false
	}
	whole := requestPath{names: append(slices.Clone(b.path.names), s)}
	return whole.joinSegments(n)
}

// about reports an operation on a trifle: by its name, or by the request's path.
func (b *bodyReader) about(s sense) bool {
	if s.trifle {
		return true
	}
	n := len(b.path.names)
	return s.count == 1 && n > 0 && b.path.isTrifle(n-1)
}

// field records a key and its value for the card.
func (b *bodyReader) field(key, val string) {
	if len(b.fields) < 4*maxShown && key != "" && strings.TrimSpace(val) != "" {
		b.fields = append(b.fields, bodyField{key, clip(val, 400)})
	}
}
