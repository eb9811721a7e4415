package safety

import (
	"net/url"
	"regexp"
	"strings"
)

// requestPath holds the senses of a request's address: those of its segments and
// the operations in its query, the most specific one last.
type requestPath struct {
	names    []sense
	page     bool         // the last segment is a page, and its noun names the content
	idLast   bool         // the last segment is the id of a thing
	dispatch bool         // the body names the operation
	acts     bool         // it ends in one of actionNames: a key of the body names the operation
	route    *requestPath // a path in the query, which may name the operation
	graphql  bool
	batch    bool
	still    bool // it only counts, so its body does not matter
	store    bool // it names an entry of a key store
	calm     bool // it only looks at something
	method   string
	asked    int       // where in names the operations of the query begin
	query    []finding // findings in keys of the query
}

// finding is a deed that some part of a request names.
type finding struct {
	class Class
	word  string
}

// opKeys are keys of queries and bodies that hold the operation, as keyName writes a
// key. The value of those in sayKeys is a command, even where it is a noun.
var (
	opKeys = wordSet("action actiontype act cmd command do op operation operationname opname method fn func function procedure task handler wcajax route r ajax mutation intent " +
		"formaction submit button btn commit event eventtarget javaxfacessource descriptor fbapireqfriendlyname methodname transition controller a m mode doaction subaction useraction verb type decision")
	sayKeys = wordSet("action actiontype act cmd command do op operation operationname intent formaction doaction subaction useraction submit button btn commit decision wcajax route r mutation")
)

// keyName writes a key, or the last part of a path of keys, in lower case without punctuation.
func keyName(key string) string {
	key = strings.ToLower(key)
	key = key[strings.LastIndexByte(key, '/')+1:]
	plain := true
	for i := 0; i < len(key); i++ {
		if c := key[i]; c == '_' || c == '-' || c == '.' || c == '$' || c == ':' {
			plain = false
			break
		}
	}
	if plain {
		return key
	}
	return strings.NewReplacer("_", "", "-", "", ".", "", "$", "", ":", "").Replace(key)
}

// pageExts are file extensions of pages and of server programs.
var pageExts = wordSet("php php5 phtml do action aspx asp ashx asmx svc jsp jspx jsf html htm xhtml json xml cgi pl py rb cfm dwr js axd ajax srf faces mvc api go dll")

// sameHost reports an address on the host of a page: that is no analytics host, whatever its name.
func sameHost(u *url.URL, page string) bool {
	at := readableURL(page)
	return at != nil && strings.EqualFold(at.Host, u.Host)
}

// maxSegments bounds what is read of a path, from its end.
const maxSegments = 12

func (v *vocabulary) path(u *url.URL, counter bool) requestPath {
	var p requestPath
	segments := strings.Split(u.EscapedPath(), "/")
	segments = segments[max(0, len(segments)-maxSegments):]
	for i, raw := range segments {
		s := unescape(raw)
		p.store = p.store || storeNames[strings.ToLower(s)] && i+1 < len(segments) && segments[i+1] != ""
		p.page = false
		if i := strings.LastIndexByte(s, '.'); i > 0 && pageExts[strings.ToLower(s[i+1:])] {
			s = s[:i]
			p.page = strings.HasSuffix(strings.ToLower(s), "s")
		}
		if i := strings.IndexByte(s, '('); i > 0 { // OData: Orders(17)
			p.add(v, s[:i])
			p.add(v, s[i:])
			continue
		}
		for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == ':' || r == ',' || r == ';' }) {
			p.add(v, part)
		}
	}
	p.asked = len(p.names)
	p.readQuery(v, u.RawQuery)
	p.still = counter || len(p.names) > 0 && p.names[len(p.names)-1].still
	return p
}

// add adds the sense of a segment. It leaves out ids and words that say nothing.
func (p *requestPath) add(v *vocabulary, segment string) {
	if segment == "" {
		return
	}
	p.acts = actionNames[strings.ToLower(segment)]
	if m := prefixedID.FindStringSubmatch(segment); m != nil && !v.look(m[1]).is(verbRole|changeRole) {
		p.idLast = true
		return
	}
	s := v.name(segment)
	switch s.bare {
	case "graphql", "gql":
		p.graphql = true
	case "batch", "bulk":
		p.batch = true
	}
	s.afterID = p.idLast
	if s.known {
		p.names = append(p.names, s)
		p.idLast, p.dispatch = false, false
		return
	}
	p.dispatch = s.dispatch || p.dispatch && s.count == 0
	if !s.dispatch && s.count > 0 || isID(segment) {
		if !isID(segment) {
			p.names = append(p.names, s) // a word that nobody knows ends the path
			p.idLast = false
			return
		}
		p.idLast = true
	}
}

var actionNames = wordSet("action actions command commands")

// prefixedID is an id that begins with the kind of its thing: "cart_01HQ8Z7".
var prefixedID = regexp.MustCompile(`^([a-z]{1,8})_[A-Z0-9][A-Za-z0-9]{5,}$`)

// isID reports a segment that is the number of a thing.
func isID(s string) bool {
	s = strings.Trim(s, "()'\"{}")
	digits := 0
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			digits++
		}
	}
	switch {
	case s == "" || digits == len(s):
		return true
	case len(s) < 4 && (s[0] == 'v' || s[0] == 'V'):
		return false // a version
	}
	return digits > 0 && (len(s) >= 4 || digits*2 >= len(s)) || len(s) >= 20 && !strings.ContainsAny(s, "-_. ")
}

// readQuery takes the operations in a query as segments of the path.
func (p *requestPath) readQuery(v *vocabulary, raw string) {
	for pair := range strings.SplitSeq(clip(raw, 2000), "&") {
		k, val, _ := strings.Cut(pair, "=")
		k, val = keyName(unescape(k)), unescape(val)
		if i := strings.LastIndexByte(k, '['); i >= 0 && actingKeys[strings.Trim(k[i:], "[]")] { // cmd[page][4][delete]
			k = strings.Trim(k[i:], "[]")
		}
		switch {
		case k == "":
		case methodKeys[k] && isDelete(val):
			p.method = "DELETE"
		case k == "type" || k == "event" || k == "m" || k == "a":
			if s := v.name(val); s.class != "" && !s.lone {
				p.names = append(p.names, s)
			}
		case k == "api", pathKeys[k] && strings.Contains(val, "/"):
			route := requestPath{}
			for part := range strings.SplitSeq(val, "/") {
				route.add(v, part)
			}
			p.route = &route
		case opKeys[k]:
			for part := range strings.SplitSeq(val, "/") {
				p.add(v, part)
			}
		case notifyKeys[k] && truthy(val):
			p.query = append(p.query, finding{Communicate, k})
		case actingKeys[k] && truthy(val):
			p.query = append(p.query, finding{Destroy, k})
		}
	}
}

// pathKeys are keys of queries that may hold a path: ?p=admin/orders/4/cancel.
var pathKeys = wordSet("p page path")

// notifyKeys are keys of whether others are told by mail.
var notifyKeys = wordSet("sendupdates sendnotifications sendinvitations sendmail sendemail")

var methodKeys = wordSet("method httpmethod xhttpmethod xhttpmethodoverride httpmethodoverride methodoverride")

func isDelete(s string) bool { return strings.EqualFold(s, "delete") }

// truthy reports a value other than "false", "0", "off" and the like.
func truthy(s string) bool {
	switch strings.ToLower(s) {
	case "0", "false", "no", "off", "null", "none":
		return false
	}
	return true
}

// counts reports a host for analytics only.
func (v *vocabulary) counts(u *url.URL) bool {
	labels := strings.Split(strings.ToLower(u.Hostname()), ".")
	for _, l := range labels[:max(0, len(labels)-1)] {
		if v.sets["host"][l] {
			return true
		}
		for part := range strings.SplitSeq(l, "-") {
			if len(labels) > 2 && v.sets["host"][part] {
				return true
			}
		}
	}
	return false
}

// near is how many last segments may name a trifle as the request's object:
// /cart/lines/7/items/3.
const near = 3

// isTrifle reports a path that is about a trifle from its i-th segment on.
func (p *requestPath) isTrifle(i int) bool {
	for _, s := range p.names[max(0, i-near+1) : i+1] {
		if s.trifle {
			return true
		}
	}
	return false
}

// deed gives the deed that the path names for a method. It sets p.calm where the path
// only reads.
func (p *requestPath) deed(method string) finding {
	last := len(p.names) - 1
	switch {
	case method == "DELETE":
		if last >= 0 && (p.isTrifle(last) || p.names[last].still && p.names[last].count == 1 && !p.idLast) {
			return finding{}
		}
		return finding{Destroy, "delete"}
	case method == "MOVE":
		return finding{Settings, "move"}
	case (method == "POST" || method == "PUT") && last == 0 && !p.idLast && machineVerbs[p.names[0].bare]:
		return finding{Destroy, p.names[0].bare} // of the program itself: /api/restart
	case p.still:
		f, _ := p.joinSegments(last)
		return f
	}
	for i := last; i >= 0; i-- {
		s := p.names[i]
		if f, ok := p.joinSegments(i); ok {
			return f
		}
		if i == last && i > 0 && method != "POST" && stateKeys[s.bare] && s.guard == "" {
			continue // the state itself is written
		}
		if s.calm && method != "PATCH" && !p.namesThings(i) || s.still && i == last || i > 0 && p.names[i-1].looks {
			p.calm = true
			return finding{}
		}
		f, done := p.segment(i, method)
		if done {
			return f
		}
	}
	return finding{}
}

// namesThings reports that the i-th segment names the kind of a thing, with whose id a later word
// does something that no list knows: /storages/export/files/1/sync.
func (p *requestPath) namesThings(i int) bool {
	last := len(p.names) - 1
	return i < last && p.names[last].afterID && !p.names[last].known
}

// machineVerbs stop the server itself, where the address names no other object.
var machineVerbs = wordSet("restart halt stop exit quit kill")

// readOnlyFindings gives the deeds of a GET request by its address, as for a link to it. A path
// alone counts for documents only: a script fetches the dialog of /orders/17/cancel as well.
func (p *requestPath) readOnlyFindings(u *url.URL, method string, document bool) []finding {
	if method != "GET" {
		return nil
	}
	out := p.query
	if document || u.RawQuery != "" {
		if does := addressDeedOf(u); does.word != "" && does.class != Settings {
			out = append(out, finding{does.class, does.word})
		}
	}
	if p.asked < len(p.names) {
		op := requestPath{names: p.names[p.asked:], idLast: true}
		if f := op.deed("GET"); f.class == Destroy || f.class == Purchase {
			out = append(out, f)
		}
	}
	return out
}

// segment gives the deed of the i-th segment; done says that no earlier one
// counts.
func (p *requestPath) segment(i int, method string) (f finding, done bool) {
	s, last := p.names[i], i == len(p.names)-1
	switch {
	case s.class != "" && !s.lone:
		if s.place && (!last || p.idLast && method != "POST") {
			return finding{}, false
		}
		if (s.class == Destroy || s.mild) && s.count < 3 && p.isTrifle(i) && (i < 2 || p.names[i-2].guard == "") {
			return finding{}, true
		}
		return finding{p.whole(i, s.class), s.word}, true
	case i == len(p.names)-2 && s.lone && s.guard != "" && (method == "PATCH" || method == "PUT") && !p.names[i+1].known:
		return finding{s.class, s.word}, true // /hooks/baker: an id without a digit
	case !last:
		return finding{}, false
	case s.lone && s.guard != "":
		return finding{s.class, s.word}, true
	case s.lone && i > 0 && p.names[i-1].calm:
		p.calm = true
		return finding{}, true
	case s.lone && (!p.idLast || s.class == Destroy && method == "PUT") && !p.page && !p.graphql && (method == "POST" || method == "PUT"):
		return finding{s.class, s.word}, true
	case i > 0:
		return p.bareVerb(i)
	}
	return finding{}, false
}

// whole gives the class of a verb in view of the segment before it:
// /payments/send.
func (p *requestPath) whole(i int, c Class) Class {
	if i == 0 || p.names[i].count > 1 {
		return c
	}
	switch before := p.names[i-1]; {
	case c == Communicate && (before.noun == Purchase || before.class == Purchase):
		return Purchase
	case c == Communicate && before.class == Destroy && before.count == 1:
		return Destroy // what is asked for is the end of something
	case before.guard != "" && p.names[i].word == "reset":
		return before.guard
	}
	return c
}

// joinSegments reads a single word and a segment before it as one phrase:
// /account/close, /orders/place.
func (p *requestPath) joinSegments(i int) (finding, bool) {
	if i <= 0 || p.names[i].count != 1 {
		return finding{}, false
	}
	v, s := requestWords(), p.names[i].bare
	for at := i - 1; at >= 0 && i-at < near; at-- {
		before, tail := p.names[at].bare, p.names[at].tail // "personal-access-tokens" are tokens
		for _, b := range []string{before, strings.TrimSuffix(before, "s"), tail, strings.TrimSuffix(tail, "s")} {
			for _, phrase := range []string{s + b, b + s} {
				switch t := v.terms[phrase]; {
				case t.is(verbRole):
					return finding{t.verb, before + "/" + s}, true
				case t.is(guardRole):
					return finding{t.guard, before + "/" + s}, true
				}
			}
		}
		if p.names[at].known {
			break // further back only past the name of one thing: /repos/walnut/archive
		}
	}
	return finding{}, false
}

// bareVerb reads a single verb at the end by the segment before it:
// /orders/17/confirm, /account/close.
func (p *requestPath) bareVerb(i int) (finding, bool) {
	s, before := p.names[i], p.names[i-1]
	word := before.bare + "/" + s.bare
	switch {
	case (s.makes || s.changes) && before.guard != "":
		return finding{before.guard, word}, true
	case s.count > 1:
	case s.noun != "" && before.place && before.class == s.noun:
		return finding{s.noun, word}, true
	case s.makes && before.noun != "" && !before.draft:
		return finding{before.noun, word}, true
	case s.makes && before.class != "" && before.place:
		return finding{before.class, word}, true
	case stateKeys[before.bare] && machineVerbs[s.bare]: // /vms/4/status/stop
		return finding{Destroy, s.bare}, true
	case s.afterID && (s.bare == "submit" || s.bare == "finalize"):
		return finding{Communicate, word}, true
	}
	return finding{}, false
}

// ofSale reports the path of the state of an order, a booking or the like: /orders/12/status.
func (p *requestPath) ofSale() bool {
	n := len(p.names)
	return n > 1 && stateKeys[p.names[n-1].bare] && p.names[n-2].lone && p.names[n-2].class == Purchase
}

// drafts reports the path of a draft, which is sent to nobody.
func (p *requestPath) drafts() bool {
	n := len(p.names)
	return n > 0 && p.names[n-1].draft && p.names[n-1].count == 1
}

// ofAccount reports the path of somebody's account: /members/7.
func (p *requestPath) ofAccount() bool {
	n := len(p.names)
	return n > 0 && p.idLast && p.names[n-1].lone && p.names[n-1].class == Identity
}
