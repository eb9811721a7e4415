package safety

import (
	"cmp"
	"slices"
	"strings"
)

// href judges the address that a press opens.
func (p *press) href(href string) {
	j := p.j
	u, bad := parseURL(href)
	if bad != nil {
		return // such a link leads nowhere
	}
	switch u.Scheme {
	case "javascript":
		p.judgeScriptAddress(href) // the page's own script, like any handler
		return
	case "mailto", "tel", "sms", "facetime", "skype", "whatsapp", "tg":
		j.raise(Confirm, Communicate, "external_scheme", j.say("The link opens another program: %s", u.Scheme))
		return
	case "blob":
		j.raise(Notify, Navigate, "blob", j.say("The link opens something the page has made"))
		return
	}
	_, d := CheckURL(href, j.ctx)
	if d.Level != Block && p.article() {
		return
	}
	if d.Level != Block && p.onlyAsks() {
		// The page that it leads to asks.
	} else if d.Level == Block || p.link {
		if d.Level != Notify || siteOf(u.Hostname()) != actSite(j.act) {
			j.take(d) // within the site a page of it is looked at, whatever it is about
		}
		j.fetchesProgram(u)
	} else if samePage(u, j.act.Page.URL) {
		// What stands open does nothing by being opened again; the script there is judged by its words.
	} else if does := addressDeedOf(u); does.word != "" {
		j.raise(Confirm, does.class, "acting_url", j.say("The link's address says: %s", does.word))
	} else if c := pathClass(u, lastSegments); c != "" {
		p.leads = c
	}
	if verb := ofRecord(u); (getVerbs[verb] || bareVerbs[verb]) && !slices.ContainsFunc(p.labels, says) {
		j.raise(Confirm, cmp.Or(postWords[verb], Settings), "acting_url", j.say("The link's address says: %s", verb)) // a bare picture: nothing else tells
	}
	if h := hostInText(p.t.Text); h != "" && u.Host != "" && siteOf(h) != siteOf(u.Hostname()) {
		j.raise(Confirm, Navigate, "link_text_host", j.say("The link reads %s and leads to %s", h, u.Hostname()))
	}
}

// hostInText gives the host a link's text shows, when the text is an address.
func hostInText(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text, " \t\n@") || !strings.Contains(text, ".") {
		return ""
	}
	u, bad := parseURL(text)
	if bad != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	h := u.Hostname()
	if _, ip := parseIP(h); ip {
		return h
	}
	// "index.html" and "Node.js" are no hosts: the top-level domain must be a
	// common one, or the text must look like an address.
	tld := h[strings.LastIndexByte(h, '.')+1:]
	if strings.Contains(text, "://") || strings.HasPrefix(strings.ToLower(text), "www.") || commonTLD[tld] {
		return h
	}
	return ""
}

var commonTLD = wordSet("com org net edu gov io co uk de fr es it pt br ru cn jp kr in eu nl ch at be se no dk fi pl us ca " +
	"au nz mx ar app dev shop store bank info biz online site xyz")
