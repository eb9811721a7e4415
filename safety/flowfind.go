package safety

import (
	"math/bits"
	"regexp"
	"slices"
	"strings"
)

// InText finds data of other sites in a text that goes to site, and in the addresses
// inside the text: a program that shows it may request them, such as the pictures
// of a message.
func (m *Memory) InText(site, text string) []Carried {
	views := readings(clip(text, maxOut))
	return merge(m.findIn(site, slices.Concat(views, decodedViews(text))), m.inside(site, views))
}

// inside searches the addresses of other sites in the readings of a text. A redirect
// may take such an address from a parameter.
func (m *Memory) inside(site string, views []string) []Carried {
	var out []Carried
	done := map[string]bool{}
	for _, view := range views {
		if !strings.Contains(view, "//") {
			continue
		}
		for _, in := range addressIn.FindAllString(view, 8) {
			in = "https:" + in[strings.Index(in, "//"):]
			u, bad := parseURL(in)
			if bad != nil || done[in] || siteOf(u.Hostname()) == site {
				continue
			}
			done[in] = true
			out = merge(out, m.inAddress(in))
		}
	}
	return out
}

var addressIn = regexp.MustCompile(`(?i)(?:https?:|wss?:|ftp:|\b)?//[a-z0-9][^\s"'<>()\[\]]+`)

// merge joins the findings in a and b, one for each site.
func merge(a, b []Carried) []Carried {
	for _, c := range b {
		i := slices.IndexFunc(a, func(o Carried) bool { return o.From == c.From })
		if i < 0 {
			a = append(a, c)
			continue
		}
		if !strings.Contains(a[i].Text, c.Text) {
			a[i].Text = clip(a[i].Text+" "+c.Text, 200)
		}
		a[i].keys = append(a[i].keys, c.keys...)
	}
	return a
}

// InURL finds data of other sites in an address that is opened: in its subdomain,
// path, query and fragment.
func (m *Memory) InURL(address string) []Carried {
	u, bad := parseURL(address)
	if bad != nil || u.Host == "" {
		return nil
	}
	m.mu.Lock()
	known := m.links[m.key(u.String())]
	m.mu.Unlock()
	if known {
		return nil
	}
	inside := ""
	if i := strings.Index(address, "//"); i >= 0 {
		inside = address[i+2:] // without the scheme, its own host is no address in it
	}
	return merge(m.inAddress(address), m.inside(siteOf(u.Hostname()), readings(clip(inside, maxOut))))
}

// inAddress finds data of other sites in one address, not in addresses inside it.
func (m *Memory) inAddress(address string) []Carried {
	u, bad := parseURL(address)
	if bad != nil || u.Host == "" {
		return nil
	}
	host := u.Hostname()
	site := siteOf(host)
	parts := []string{u.Path, u.Fragment, strings.TrimSuffix(strings.TrimSuffix(host, site), ".")}
	parts = append(parts, strings.Split(strings.Trim(u.Path, "/"), "/")...)
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		parts = append(parts, name, value)
	}
	if u.User != nil {
		pass, _ := u.User.Password()
		parts = append(parts, u.User.Username(), pass)
	}
	return m.find(site, append(parts, u.RawQuery)...)
}

// find looks for items of other sites in parts, in all their readings.
func (m *Memory) find(site string, parts ...string) []Carried {
	var views []string
	for _, part := range parts {
		views = append(append(views, readings(clip(part, maxOut))...), decodedViews(part)...)
	}
	return m.findIn(site, views)
}

// findIn looks for items of other sites in texts.
func (m *Memory) findIn(site string, views []string) []Carried {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.sites) == 0 || len(m.sites) == 1 && m.sites[0] == site {
		return nil
	}
	var here uint64
	if i := slices.Index(m.sites, site); i >= 0 {
		here = 1 << i
	}
	var out []Carried
	note := func(from uint64, text string, k uint64) {
		name := m.sites[bits.TrailingZeros64(from)]
		i := slices.IndexFunc(out, func(c Carried) bool { return c.From == name })
		if i < 0 {
			i = len(out)
			out = append(out, Carried{From: name})
		}
		c := &out[i]
		if slices.Contains(c.keys, k) {
			return
		}
		c.keys = append(c.keys, k)
		if len(c.Text) < 200 && !strings.Contains(c.Text, text) {
			c.Text = strings.TrimSpace(c.Text + " " + text)
		}
	}
	done := map[string]bool{}
	for _, view := range views {
		if done[view] {
			continue
		}
		done[view] = true
		eachOutgoingWord(view, func(text string, sure bool) {
			k := m.key(text)
			at, there := m.seen[k]
			from := at.from &^ here
			if !there || from == 0 || at.own&here != 0 || m.goesFreely(site, text, k) {
				return
			}
			if _, ok := factsOf(text).alone(); sure || ok {
				note(from, text, k)
			}
		})
	}
	for i := range out {
		out[i].Text = Redact(out[i].Text)
	}
	return out
}

func (m *Memory) goesFreely(site, text string, k uint64) bool {
	if m.free[k] || m.allowed[m.pass(site, k)] {
		return true
	}
	a, b, pair := strings.Cut(text, " ")
	return pair && (m.free[m.key(a)] || common[a]) && (m.free[m.key(b)] || common[b])
}

// common are everyday words and those that every site prints: they say nothing
// of where a text was read. Folded, in the six languages with the most pages;
// shorter words count for nothing anyway.
var common = ruleWords("common words")
