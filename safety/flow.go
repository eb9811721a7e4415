package safety

import (
	"crypto/sha256"
	"hash/maphash"
	"math/bits"
	"slices"
	"sync"
)

// Memory records the texts that a task read, and on which sites. It finds data of
// one site in a text that goes to another, encoded or not. It keeps only hashes of
// words and pairs of words, and drops the oldest when full. It is safe for
// concurrent use.
type Memory struct {
	seed maphash.Seed

	mu      sync.Mutex
	sites   []string // by number; the masks below have a bit for each
	seen    map[uint64]mark
	ring    []uint64 // keys of seen, in the order they were added
	next    int
	free    map[uint64]bool // the user's own words
	links   map[uint64]bool // addresses that pages showed
	allowed map[uint64]bool // items that the user let go to a site: see pass
	noted   map[noted]bool  // texts whose items are all in seen
}

// noted identifies a text that was read on a site, so that an unchanged page is
// recorded once.
type noted struct {
	sum [sha256.Size]byte
	bit uint64
	own bool
}

// mark holds the sites of an item, a bit each: from all of them, own those where no
// frame of another site may have shown it.
type mark struct{ from, own uint64 }

const (
	maxSites = 64
	maxSeen  = 1 << 16
	maxLinks = 1 << 14
	maxFree  = 1 << 14
	maxNoted = 64
	// maxRead bounds how much of a text that is read is recorded, and maxOut how
	// much of one that leaves is searched, in bytes.
	maxRead = 200_000
	maxOut  = 16_000
	// shortValue is how many words a value may have for one plain word to count: a
	// name in a field, not a word in a letter.
	shortValue = 3
)

// Carried is data of one site found in a text that goes to another.
type Carried struct {
	From string `json:"from"` // the site it was read on
	Text string `json:"text"` // the words found
	keys []uint64
}

// NewMemory returns the memory of a new task. The words of task may go anywhere.
func NewMemory(task string) *Memory {
	m := &Memory{
		seed: maphash.MakeSeed(), seen: map[uint64]mark{}, free: map[uint64]bool{},
		links: map[uint64]bool{}, allowed: map[uint64]bool{}, noted: map[noted]bool{},
	}
	m.AddUserWords(task)
	return m
}

// AddUserWords adds words of the user, which may go anywhere.
func (m *Memory) AddUserWords(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	eachItem(clip(text, maxRead), func(piece []byte, _ itemKind) {
		if len(m.free) < maxFree {
			m.free[maphash.Bytes(m.seed, piece)] = true
		}
	})
}

// Wrote adds words that the model wrote. Those that no page showed before may go
// anywhere, even if a page shows them later.
func (m *Memory) Wrote(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	eachItem(clip(text, maxOut), func(piece []byte, _ itemKind) {
		k := maphash.Bytes(m.seed, piece)
		if _, seen := m.seen[k]; !seen && len(m.free) < maxFree {
			m.free[k] = true
		}
	})
}

// Saw records a text that was read on a site. own is false where the text may
// include that of a frame of another site.
func (m *Memory) Saw(site, text string, own bool) {
	if site == "" || text == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	text = clip(text, maxRead)
	look := noted{sha256.Sum256([]byte(text)), m.bit(site), own}
	if m.noted[look] {
		return
	}
	dropped := false
	eachItem(text, func(piece []byte, _ itemKind) {
		dropped = m.note(maphash.Bytes(m.seed, piece), look.bit, own) || dropped
	})
	// What is noted stays so until the first item is dropped for a new one.
	if dropped || len(m.noted) >= maxNoted {
		clear(m.noted)
	}
	if !dropped {
		m.noted[look] = true
	}
}

// note records an item as seen. It reports whether it dropped another for it.
func (m *Memory) note(k, bit uint64, own bool) bool {
	old, there := m.seen[k]
	now := old
	now.from |= bit
	if own {
		now.own |= bit
	}
	if there {
		if now != old {
			m.seen[k] = now
		}
		return false
	}
	m.seen[k] = now
	if len(m.ring) < maxSeen {
		m.ring = append(m.ring, k)
		return false
	}
	delete(m.seen, m.ring[m.next])
	m.ring[m.next] = k
	m.next = (m.next + 1) % maxSeen
	return true
}

// SawLink records an address that a page showed: opening it unchanged sends only
// that page's own text.
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

// Allow lets data go to a site from now on: the user was shown it and said yes.
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
