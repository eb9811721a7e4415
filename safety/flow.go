package safety

import (
	"hash/maphash"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Memory is what a task was shown, and on which sites: so that data read on one
// site and about to leave for another is found, whatever it is dressed as. Of
// the texts only hashes are kept, of words and of pairs of words, the newest
// first. It may be used by several goroutines.
type Memory struct {
	seed maphash.Seed

	mu      sync.Mutex
	sites   []string // by number; the masks below have a bit for each
	seen    map[uint64]mark
	ring    []uint64 // what is in seen, in the order of its coming
	next    int
	free    map[uint64]bool // the person's own words
	links   map[uint64]bool // addresses that pages showed
	allowed map[uint64]bool // what the person let go, with its destination
}

// mark says where something was seen: own leaves out pages whose text may be
// that of a frame of another site.
type mark struct{ from, own uint64 }

const (
	maxSites = 64
	maxSeen  = 1 << 16
	maxLinks = 1 << 14
	maxFree  = 1 << 14
	// maxRead bounds what is remembered of one text, and maxOut what is looked at
	// of one that leaves, in bytes.
	maxRead = 200_000
	maxOut  = 16_000
	// shortValue is how many words a value has in which one plain word counts: a
	// name in a field, not a word in a letter.
	shortValue = 3
)

// Carried is data of one site in what goes to another.
type Carried struct {
	From string `json:"from"` // the site it was read on
	Text string `json:"text"` // the words, as they were found
	keys []uint64
}

// NewMemory begins a task with the person's own words, which may go anywhere.
func NewMemory(task string) *Memory {
	m := &Memory{
		seed: maphash.MakeSeed(), seen: map[uint64]mark{}, free: map[uint64]bool{},
		links: map[uint64]bool{}, allowed: map[uint64]bool{},
	}
	m.Said(task)
	return m
}

// Said adds words of the person's own.
func (m *Memory) Said(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, it := range items(clip(text, maxRead)) {
		if len(m.free) < maxFree {
			m.free[m.key(it.text)] = true
		}
	}
}

// Wrote adds words that the model wrote and that no page had said before: they
// are its own, and a page that shows them afterwards gives nothing away.
func (m *Memory) Wrote(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, it := range items(clip(text, maxOut)) {
		k := m.key(it.text)
		if _, seen := m.seen[k]; !seen && len(m.free) < maxFree {
			m.free[k] = true
		}
	}
}

// Saw notes a text that was read on a site. own is false where it may hold what
// a frame of another site says.
func (m *Memory) Saw(site, text string, own bool) {
	if site == "" || text == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	bit := m.bit(site)
	for _, it := range items(clip(text, maxRead)) {
		k := m.key(it.text)
		old, there := m.seen[k]
		old.from |= bit
		if own {
			old.own |= bit
		}
		m.seen[k] = old
		if there {
			continue
		}
		if len(m.ring) < maxSeen {
			m.ring = append(m.ring, k)
			continue
		}
		delete(m.seen, m.ring[m.next])
		m.ring[m.next] = k
		m.next = (m.next + 1) % maxSeen
	}
}

// SawLink notes an address that a page showed: opening it as it stands carries
// nothing but what that page wrote.
func (m *Memory) SawLink(address string) {
	if to, _ := CheckURL(address, Context{}); to != "" {
		m.mu.Lock()
		defer m.mu.Unlock()
		if len(m.links) < maxLinks {
			m.links[m.key(to)] = true
		}
	}
}

// Sites gives the sites that something was read on.
func (m *Memory) Sites() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.sites)
}

// InText finds what was read on other sites in a text that goes to a site, and
// in the addresses inside it, which whoever shows the text may ask for: a
// picture in a message is one.
func (m *Memory) InText(site, text string) []Carried {
	return merge(m.find(site, text), m.inside(site, text))
}

// inside looks into the addresses of other sites that stand in a text: a
// redirect takes them from a parameter.
func (m *Memory) inside(site, text string) []Carried {
	var out []Carried
	done := map[string]bool{}
	for _, view := range readings(clip(text, maxOut)) {
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

// merge puts findings together.
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

// InURL finds what was read on other sites in an address that is opened: in its
// sub-domain, path, query and fragment.
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
	return merge(m.inAddress(address), m.inside(siteOf(u.Hostname()), inside))
}

// inAddress finds what an address itself carries.
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

// Allow lets data go to a site from now on: the person was shown it and said yes.
func (m *Memory) Allow(site string, cs []Carried) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range cs {
		for _, k := range c.keys {
			if len(m.allowed) < maxFree {
				m.allowed[m.pass(site, k)] = true
			}
		}
	}
}

func (m *Memory) key(s string) uint64 { return maphash.String(m.seed, s) }

func (m *Memory) pass(site string, k uint64) uint64 { return m.key(site) ^ bits.RotateLeft64(k, 17) }

// bit gives the site's bit; those beyond the sixty-third share the last.
func (m *Memory) bit(site string) uint64 {
	i := slices.Index(m.sites, site)
	if i < 0 {
		if len(m.sites) == maxSites {
			return 1 << (maxSites - 1)
		}
		i = len(m.sites)
		m.sites = append(m.sites, site)
	}
	return 1 << i
}

// find looks for items of other sites in parts, in all their readings.
func (m *Memory) find(site string, parts ...string) []Carried {
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
	for _, part := range parts {
		for _, view := range readings(clip(part, maxOut)) {
			if done[view] {
				continue
			}
			done[view] = true
			outgoing(view, func(text string, sure bool) {
				k := m.key(text)
				at, there := m.seen[k]
				from := at.from &^ here
				if !there || from == 0 || at.own&here != 0 || m.goesFreely(site, text, k) {
					return
				}
				if _, ok := single1(text); sure || ok {
					note(from, text, k)
				}
			})
		}
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

// item is a piece of a text that tells where it comes from.
type item struct {
	text string
	kind itemKind
}

type itemKind int

const (
	plain  itemKind = iota // one word: tells something only in a short value
	strong                 // an order number, a code, a key: tells it anywhere
	pair                   // two words, or four characters, in a row
)

// items are the pieces by which a text is remembered.
func items(text string) []item { return itemsOf(words(fold(text))) }

func itemsOf(ws []string) []item {
	out := make([]item, 0, 2*len(ws))
	for i, w := range ws {
		if it, ok := single1(w); ok {
			out = append(out, it)
		}
		if i+1 < len(ws) && telling(w, ws[i+1]) {
			out = append(out, item{w + " " + ws[i+1], pair})
		}
		if i+1 < len(ws) && grouped(w, ws[i+1]) {
			out = append(out, item{w + ws[i+1], strong})
		}
		if cjk(w) {
			out = append(out, runs(ws, i)...)
		}
	}
	return out
}

// single1 is what one word tells.
func single1(w string) (item, bool) {
	digits, n := 0, 0
	for _, r := range w {
		n++
		if unicode.IsDigit(r) {
			digits++
		}
	}
	switch {
	case digits > 0 && n >= 5, n >= 20:
		return item{w, strong}, true
	case n >= 4 && digits == 0 && !common[w]:
		return item{w, plain}, true
	}
	return item{}, false
}

// telling reports two words that are not both everyday ones.
func telling(a, b string) bool {
	return len(a)+len(b) >= 8 && !cjk(a) && !cjk(b) && !(everyday(a) && everyday(b))
}

// grouped reports two groups of a number or a code, which is written with marks
// between them or without.
func grouped(a, b string) bool {
	if cjk(a) || cjk(b) || len(a)+len(b) < 6 || len(a)+len(b) > 24 {
		return false
	}
	digits := 0
	for _, r := range a + b {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= 5
}

func everyday(w string) bool { return common[w] || len(w) < 3 }

func cjk(w string) bool { return single(firstRune(w)) }

// runs are the two and four characters that begin at i, in scripts without
// spaces.
func runs(ws []string, i int) []item {
	var out []item
	for _, n := range []int{2, 4} {
		if i+n > len(ws) || !cjk(ws[i+n-1]) {
			break
		}
		kind := plain
		if n == 4 {
			kind = pair
		}
		out = append(out, item{strings.Join(ws[i:i+n], ""), kind})
	}
	return out
}

// outgoing gives the items of a text that leaves: those of a short value whole,
// of a longer one only what tells its origin anywhere. In what has no spaces of
// its own, words that were run together are found too; of those sure is false,
// since not every stretch of letters tells something.
func outgoing(text string, give func(text string, sure bool)) {
	ws := words(fold(text))
	chars, letters := 0, 0
	for _, w := range ws {
		letters += len(w)
		if cjk(w) {
			chars++
		}
	}
	short := len(ws)-chars <= shortValue && chars <= 6
	for _, it := range itemsOf(ws) {
		if it.kind != plain || short {
			give(it.text, true)
		}
	}
	// "johnsmith4711", "j o h n"
	const shortest, longest, most = 7, 24, 400
	apart := len(ws) >= 5 && letters <= 2*len(ws)
	if !apart && strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace) {
		return
	}
	s := strings.Join(ws, "")
	s = s[:min(len(s), most)]
	for i := range s {
		for n := shortest; n <= longest && i+n <= len(s); n++ {
			give(s[i:i+n], false)
		}
	}
}
