package safety

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Some buttons of a form do not do what the form is for: they open another page, show a draft, call
// it off, or run a statement that only reads. The request is still judged where it differs from the
// form that was pressed.

// formLeads reports the button of a GET form without a field to fill in: it opens an address of its
// site, as a link does.
func (p *press) formLeads() bool {
	t, f := p.t, p.t.Form
	if f == nil || p.pressed || !t.submits() || t.Method != "" || t.Asks != "" || slices.ContainsFunc(f.Fields, func(x Field) bool {
		return x.Secret != "" || x.Type != "hidden" && x.Type != "submit" && x.Type != "button"
	}) {
		return false
	}
	u := f.opens()
	return u != nil && Site(f.Action) == actSite(p.j.act) && addressDeedOf(u).word == "" && !commits(u) && pathClass(u, lastSegments) == ""
}

// previewWords begin the label of a button that shows a draft.
var previewWords = ruleWords("preview words")

// differences are labels of buttons that show in what a draft differs from what is kept.
var differences = ruleWords("differences")

// isAside reports a button that sends its form only to show a draft of it or to call it off: bare
// "Preview" or "Cancel" in a form that has another button for what it is for.
func (p *press) isAside(lb *label) bool {
	f := p.t.Form
	if f == nil || p.pressed || !p.t.submits() || p.t.Asks != "" || len(lb.tokens) == 0 || len(lb.tokens) > 2 || sumIn(lb.raw) != "" {
		return false
	}
	l, said := p.j.lex, words(fold(lb.raw))
	calls := len(said) == 1 && l.inSection("dismiss", lb) != nil
	rest := l.label(strings.Join(said[1:], " "))
	shows := (previewWords[said[0]] || differences[strings.ToLower(strings.Join(strings.Fields(lb.raw), ""))]) && lb.oneSentence() && !l.ands[said[len(said)-1]] && !slices.ContainsFunc(append(l.hits(lb), l.hits(&rest)...), func(h *pattern) bool { return h.level >= Confirm })
	if !calls && !shows {
		return false
	}
	begins := func(text string) bool { // "Cancel the order?" is about cancelling
		return slices.ContainsFunc(words(fold(text)), func(w string) bool { return strings.HasPrefix(w, said[0]) })
	}
	if calls && (p.isAbout(said[0]) || begins(p.t.Dialog) || begins(p.j.act.Page.Title) || begins(pathEnd(f.Action))) {
		return false
	}
	other := false
	for _, b := range f.Buttons {
		if b == lb.raw {
			continue
		}
		if calls && begins(b) {
			return false
		}
		of := l.label(b)
		other = other || slices.ContainsFunc(l.hits(&of), func(h *pattern) bool { return !h.mild() && h.level >= Notify || h.class == Submit })
	}
	return other
}

// keepsDraft reports the bare "Save" of a form that has another button to publish or send what is in it, in the form or
// in the bar where "Save" is: only that makes it known to others.
func (p *press) keepsDraft(lb *label) bool {
	t, f, l := p.t, p.t.Form, p.j.lex
	one := func(of *label, is func(h *pattern) bool) bool {
		return len(of.tokens) == 1 && slices.ContainsFunc(l.hits(of), is)
	}
	if f == nil || p.pressed || t.Method != "" || t.Asks != "" || f.secret() != "" || f.names(l, "redirect") != "" || !one(lb, func(h *pattern) bool { return h.class == Settings && h.level < Confirm && h.anchor == whole }) {
		return false
	}
	bar := t.Context
	if _, rest, ok := strings.Cut(bar, " · "); ok {
		bar = rest
	}
	beside := strings.Fields(bar)
	if len(beside) > mostInBar {
		beside = nil
	}
	for i := 0; i+1 < len(beside); i++ {
		if beside[i+1] == strings.ToLower(beside[i+1]) {
			beside[i] = "" // the label goes on: "Send test mail"
		}
	}
	return slices.ContainsFunc(slices.Concat(f.Buttons, beside), func(b string) bool {
		of := l.label(b)
		return one(&of, func(h *pattern) bool { return h.class == Communicate && h.level >= Confirm })
	})
}

// mostInBar is how many words a bar of buttons has; more are a text.
const mostInBar = 8

// isAbout reports a text around a button that has its verb otherwise than as the button's own label, alone or
// before that of another button of its form.
func (p *press) isAbout(verb string) bool {
	around, own := words(fold(p.t.Context)), 0
	for i, w := range around {
		if !strings.HasPrefix(w, verb) {
			continue
		}
		label := i+1 == len(around) || slices.ContainsFunc(p.t.Form.Buttons, func(b string) bool {
			first := words(fold(b))
			return len(first) > 0 && first[0] == around[i+1]
		})
		if own++; own > 1 || w != verb || !label {
			return true
		}
	}
	return false
}

// sendsAside reports the request of such a button: its form, to the address and with the operations that
// the form had when the button was pressed.
func (j *judgement) sendsAside(r Request) bool {
	if r.Type != "document" {
		return false
	}
	p := judgeAct(j.act, j.ctx).pressed
	if p == nil || !p.aside || !samePage(urlOrEmpty(r.URL), p.t.Form.Action) {
		return false
	}
	pairs, err := url.ParseQuery(r.Body)
	if err != nil || strings.Contains(r.Mime, "multipart") {
		return false
	}
	for key, vals := range pairs {
		for _, val := range vals {
			held := slices.ContainsFunc(p.t.Form.Fields, func(x Field) bool { return x.Name == key && (x.Value == val || clip(x.Value, len(val)) == val) })
			if opKeys[keyName(key)] && !held {
				return false
			}
		}
	}
	return true
}

// urlOrEmpty reads an address, and gives an empty one for what is none.
func urlOrEmpty(raw string) *url.URL {
	if u := readableURL(raw); u != nil {
		return u
	}
	return &url.URL{}
}

// languageKeys are names of fields that hold the language of a page.
var languageKeys = ruleWords("language keys")

// languageTag is a value of such a field.
var languageTag = regexp.MustCompile(`^[a-z]{2,3}(?:[-_][A-Za-z]{2,4}){0,2}$`)

// choosesLanguage reports a select for the language of the page, the only field of its form.
func (j *judgement) choosesLanguage(t *Target) bool {
	if t.Tag != "select" || t.Form == nil || t.Form.secret() != "" {
		return false
	}
	selects := 0
	for _, x := range t.Form.Fields {
		switch {
		case strings.HasPrefix(x.Type, "select") && languageKeys[keyName(x.Name)]: // its value is the name of a language in any script
			selects++
		case x.Type != "hidden" && x.Type != "submit" && x.Type != "button", actionKeys[strings.ToLower(x.Name)]:
			return false
		}
	}
	return selects == 1
}

// setsLanguage reports the button of a form that holds nothing but a language and tokens, or whose address ends in
// one: "Deutsch", to /set-language/de.
func (p *press) setsLanguage(lb *label) bool {
	f := p.t.Form
	if f == nil || p.pressed || !p.t.submits() || p.t.Asks != "" || f.secret() != "" || slices.ContainsFunc(p.j.lex.hits(lb), func(h *pattern) bool { return h.level >= Confirm }) {
		return false
	}
	u := urlOrEmpty(f.Action)
	at, last := path.Split(strings.TrimSuffix(u.Path, "/"))
	told := languageTag.MatchString(last) && languageEnds[keyName(path.Base(at))] || languageTag.MatchString(p.t.Value) && languageEnds[keyName(last)]
	for _, x := range f.Fields {
		switch {
		case x.Type != "hidden":
			return false
		case languageKeys[keyName(x.Name)] && languageTag.MatchString(x.Value):
			told = told || addressDeedOf(u).word == "" && !commits(u) && pathClass(u, lastSegments) == ""
		case x.Value != "" && !tokenKeys[strings.ToLower(x.Name)] && !returnKeys[keyName(x.Name)]:
			return false
		}
	}
	return told && Site(f.Action) == actSite(p.j.act)
}

// languageEnds are last words of addresses that set the language of a page, returnKeys names of fields for the page
// that is shown then.
var (
	languageEnds = wordSet("setlanguage setlang setlocale changelanguage changelocale switchlanguage switchlocale language lang locale i18n")
	returnKeys   = wordSet("next redirect redirectto return returnto returnurl back referer")
)

// onlyLanguage reports the body of such a form: a language, and keys against forged requests.
func onlyLanguage(r Request) bool {
	pairs, err := url.ParseQuery(r.Body)
	if err != nil || len(pairs) == 0 || len(pairs) > 3 {
		return false
	}
	named := false
	for key, vals := range pairs {
		k := keyName(key)
		switch {
		case len(vals) == 1 && languageKeys[k] && languageTag.MatchString(vals[0]):
			named = true
		case k != "token" && !tokenKeys[strings.ToLower(key)]:
			return false
		}
	}
	return named
}

// readStatement matches the beginning of an SQL statement that reads; writingWords are words of SQL
// that change something, or call what may.
var (
	readStatement = regexp.MustCompile(`(?i)^(?:explain\s+(?:query\s+plan\s+)?)?select\s|^(?:show|describe|desc)\s+[\w."` + "`" + `]+`)
	writingWords  = wordSet("insert update delete drop alter create truncate replace merge into call exec execute do grant revoke set lock attach detach vacuum reindex analyze pragma copy load rename " +
		"outfile dumpfile declare begin commit rollback handler with using returning kill shutdown flush reset for")
	calledBracket = regexp.MustCompile(`\)\s*\(`)
	sqlCall       = regexp.MustCompile(`([\w.$"` + "`" + `]+)\s*\(`)
	// pureCalls are functions of SQL that only compute, and words before a bracket.
	pureCalls = wordSet("count sum avg min max abs round floor ceil ceiling length char_length lower upper trim ltrim rtrim substr substring coalesce ifnull nullif concat date strftime now year month day " +
		"in and or not exists from where on select as over values any all join between like group_concat distinct cast")
)

// readsOnly reports a single SQL statement that changes nothing, whatever database reads it.
func readsOnly(statement string) bool {
	s := strings.TrimRight(strings.TrimSpace(statement), "; \t\r\n")
	if !readStatement.MatchString(s) || len(s) > 4000 || strings.ContainsAny(s, ";\\@#$:{}") || strings.Contains(s, "--") || strings.Contains(s, "/*") {
		return false
	}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		if writingWords[w] {
			return false
		}
	}
	if calledBracket.MatchString(s) {
		return false
	}
	for _, m := range sqlCall.FindAllStringSubmatch(strings.ToLower(s), -1) {
		if !pureCalls[m[1]] {
			return false
		}
	}
	return true
}

// readCommands are commands of key stores that only read.
var readCommands = wordSet("get mget getrange strlen exists keys scan ttl pttl type llen lrange lindex hget hgetall hkeys hvals hlen hmget hexists hscan scard smembers sismember sscan " +
	"zcard zrange zscore zrank zcount zscan xlen xrange dbsize")

// commandLine matches a command with plain arguments.
var commandLine = regexp.MustCompile(`^[A-Za-z]+(?: [\w*?.:/@-]+)*$`)

// readsKeys reports a command of a key store that only reads.
func readsKeys(command string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	return len(command) < 400 && commandLine.MatchString(strings.TrimSpace(command)) && readCommands[strings.ToLower(first)]
}

// asksStore reports a body that holds nothing but a statement or a command that only reads.
func (b *bodyReader) asksStore() bool {
	if len(b.fields) != 1 {
		return false
	}
	k, val := keyName(b.fields[0].key), b.fields[0].value
	return sqlKeys[k] && readsOnly(val) || (k == "cmd" || k == "command") && readsKeys(val)
}

// runsRead reports the button that runs the statement in its form, if that only reads. A statement that
// turns out to be another is asked about as it is sent.
func (p *press) runsRead() bool {
	f := p.t.Form
	if f == nil || f.secret() != "" || !strings.EqualFold(f.Method, "post") || !p.t.submits() && !p.pressed {
		return false
	}
	found := false
	for _, x := range f.Fields {
		switch {
		case sqlKeys[keyName(x.Name)] && x.Type != "hidden":
			if !readsOnly(x.Value) {
				return false
			}
			found = true
		case x.Type == "file" && x.Value != "", strings.HasPrefix(x.Type, "select"), x.Type == "textarea":
			return false
		}
	}
	return found
}

// storeNames are segments of an address behind which an entry of a key store is named.
var storeNames = wordSet("key kv keyvalue hash hset zset")

// setsEntry reports a body that changes an entry of a key store: its address names the entry, or its keys do.
func (b *bodyReader) setsEntry(method string) bool {
	if b.path.calm && !b.path.store || method != "POST" && method != "PUT" && method != "PATCH" {
		return false
	}
	keys := map[string]bool{}
	for _, f := range b.fields {
		keys[keyName(f.key)] = true
	}
	value := keys["value"] || keys["newvalue"]
	if value && keys["field"] && (keys["key"] || keys["keyname"]) {
		return true
	}
	return b.path.store && (value || keys["stringvalue"] || keys["key"] || keys["newkey"] || keys["keyname"])
}

// asksOnly reports a request that holds nothing but what the control is known to send: a statement that
// only reads, or the language of the page.
func (j *judgement) asksOnly(r Request, b *bodyReader) bool {
	if t := j.act.Target; j.act.Action == "select" && t != nil && j.choosesLanguage(t) {
		return onlyLanguage(r)
	}
	if b.asksStore() {
		return true
	}
	if !b.reads || b.runs {
		return false
	}
	p := judgeAct(j.act, j.ctx).pressed
	return p != nil && p.runsQuery
}
