package safety

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// A request may name nothing that a list knows: POST /ajax/bz. After a press whose
// words no list knows either, the effect is unknown, so the user is asked.

// unknownRequest judges a writing request without known names, to the page's own
// site or a backend, after a press that no list knows.
func (j *judgement) unknownRequest(r Request, u *url.URL, where string, body *bodyReader) {
	told := r.Changes && body.kinds == 0 // the body is all that changed, and has no key of money, a message or a password
	if !j.own(u) {
		return
	}
	if j.erases() {
		j.raise(Confirm, Destroy, ruleRequest, j.say("The page is about to send %s after a press that nobody can make out", where))
		return
	}
	p := judgeAct(j.act, j.ctx).pressed
	if p == nil && (j.act.Key != "" || j.act.Menu) && j.act.Target != nil && !j.act.Target.Editable {
		press := j.act // its control may take a key or another mouse button for a press
		press.Action, press.Key, press.Menu = "click", "", false
		if d := Judge(press, j.ctx); d.Level >= Confirm {
			j.raise(Confirm, d.Class, ruleRequest, j.say("The page is about to send %s after a press that nobody can make out", where))
			return
		}
	}
	if p == nil && r.Type == "document" {
		j.raise(Confirm, Submit, ruleRequest, j.say("The page is about to send a form by itself: %s", where))
	}
	if p == nil && !told && j.isUnnamedEnter() {
		j.raise(Confirm, Submit, ruleRequest, j.say("The page is about to send %s after a press that nobody can make out", where))
	}
	if p == nil {
		return
	}
	if op := p.namedLikeIt(body); op != "" {
		j.raise(Confirm, Submit, ruleRequest, j.say("The page is about to send %s, which says: %s", where, clip(op, 80)))
		return
	}
	speaks := cmp.Or(p.begins, p.fills)
	if speaks == "" && (!p.puzzling && !p.mute() || told) {
		return
	}
	class := p.submitClass()
	if speaks != "" {
		class = speaks
	} else if h := p.verb(); h != nil {
		class = h.class
	} else if p.sumBeside() != "" {
		class = Purchase
	}
	text := j.say("The page is about to send %s after a press that nobody can make out", where)
	if at := p.riddle(); at != "" {
		text = j.say("The page is about to send %s after a press that nobody can make out, and at stake is: %s", where, at)
	}
	j.raise(Confirm, class, ruleRequest, text)
}

// isUnnamedEnter reports Enter in a field of one line that has no name: what it is for is unknown.
func (j *judgement) isUnnamedEnter() bool {
	t := j.act.Target
	return t != nil && t.Editable && t.Tag == "input" && j.act.pressesEnter() && !says(t.Name) && !says(t.Label) && !says(t.Title) && !j.isSearch(t)
}

// mute reports a control whose words say only that something is done: "Set".
func (p *press) mute() bool {
	said := false
	for _, s := range p.labels {
		if lb := p.j.lex.label(s); says(s) && p.j.lex.inSection("mute", &lb) == nil {
			return false
		}
		said = said || says(s)
	}
	return said
}

// backends are suffixes of hosts on which sites keep their data and programs: a
// request to them counts as one to the page's own site. Hosts for analytics only
// are in the section host of words/requests.
var backends = strings.Fields("supabase.co supabase.in firebaseio.com firebasedatabase.app cloudfunctions.net firestore.googleapis.com appspot.com run.app " +
	"amazonaws.com lambda-url.on.aws azurewebsites.net azure-api.net workers.dev pages.dev herokuapp.com vercel.app netlify.app onrender.com fly.dev railway.app deno.dev " +
	"parseapp.com back4app.com back4app.io hasura.app nhost.run convex.cloud convex.site appwrite.io pocketbase.io backendless.app xano.io bubbleapps.io retool.com")

// own reports a request to the site of the page or to a backend.
func (j *judgement) own(u *url.URL) bool {
	if Site("https://"+u.Host) == actSite(j.act) {
		return true
	}
	host := strings.ToLower(u.Hostname())
	return slices.ContainsFunc(backends, func(end string) bool {
		before, ok := strings.CutSuffix(host, end)
		return ok && (before == "" || strings.HasSuffix(before, "."))
	})
}

// harmless reports an address that names a read or a trifle.
func (p *requestPath) harmless() bool {
	return p.calm || len(p.names) > 0 && p.isTrifle(len(p.names)-1)
}

// tellKeys are keys that name the operation in a body sent to one address for all
// operations.
var tellKeys = wordSet("operationname fbapireqfriendlyname methodname mutation action")

// tells records whether an operation of the body only looks.
func (b *bodyReader) tells(key, val string, s sense) {
	switch {
	case !tellKeys[key] && (key != "method" || !b.path.dispatch): // elsewhere a way to pay or to deliver
	case s.class == "" && !b.v.makesElse(val) && (s.calm || s.still || s.trifle || key == "method" && isReadMethod(val)):
		b.looks = true
	default:
		b.acts, b.calledOps = true, append(b.calledOps, val)
	}
}

// readVerbs are verbs of remote methods that only read.
var readVerbs = wordSet("get read search list fetch find query count")

// isReadMethod reports a method whose last part is named after reading, or after working out what a form shows:
// "torrent-get", "model.party.default_get", "on_change_with_total". One that does a second thing is none: "read_and_lock".
func isReadMethod(method string) bool {
	ws := methodWords(method)
	if len(ws) == 0 || slices.Contains(ws, "and") || slices.Contains(ws, "then") {
		return false
	}
	return readVerbs[ws[0]] || readVerbs[ws[len(ws)-1]] || len(ws) > 1 && ws[0] == "on" && ws[1] == "change"
}

// makesElse reports a method that makes or changes what it does not find: "get_or_create".
func (v *vocabulary) makesElse(method string) bool {
	ws := methodWords(method)
	i := slices.Index(ws, "or")
	return i > 0 && i+1 < len(ws) && v.look(ws[i+1]).is(verbRole|makeRole|changeRole)
}

// methodWords gives the words of the last part of a method's name.
func methodWords(method string) []string {
	last := method[strings.LastIndexAny(method, "./:")+1:]
	return words(fold(strings.NewReplacer("_", " ", "-", " ").Replace(last)))
}

// namedLikeIt returns the operation of the body that has the name of the pressed control: "sale.confirm" after
// "Confirm"; "" if there is none.
func (p *press) namedLikeIt(b *bodyReader) string {
	said := words(fold(p.weak))
	i := slices.IndexFunc(b.calledOps, func(op string) bool { return len(said) > 0 && slices.Equal(said, methodWords(op)) })
	if i < 0 {
		return ""
	}
	return b.calledOps[i]
}

// onlyLooks reports a body whose named operations are all looks or trifles, sent to
// one address for all operations.
func (b *bodyReader) onlyLooks() bool {
	return b.looks && !b.acts && (b.path.graphql || b.path.dispatch || len(b.path.names) == 0)
}

// jmap judges a method of JMAP, which mail programs speak: "Email/query",
// "EmailSubmission/set".
func (b *bodyReader) jmap(call string) {
	thing, verb, _ := strings.Cut(call, "/")
	switch keyName(verb) {
	case "get", "query", "changes", "querychanges", "parse":
		b.looks = true
	default:
		b.acts, b.updates, b.jmapSets = true, true, true
		if thing == "EmailSubmission" {
			b.hard = append(b.hard, finding{Communicate, call})
		}
	}
}
