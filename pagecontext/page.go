package pagecontext

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
)

const (
	keptSnapshots = 5     // DESIGN.md: the five newest per tab
	keptEntries   = 20000 // more are forgotten, a tenth at a time, but for what a kept snapshot shows
)

// Page is the memory of one tab: which index names which node, and what was
// shown of it. Its methods may be called from several goroutines.
type Page struct {
	src Source

	mu      sync.Mutex
	next    int // highest index given
	byKey   map[nodeKey]int
	entries map[int]Entry
	order   []int // indices in the order given, for pruning
	snaps   []*snapshot
	asked   []question          // what the last listings were asked for
	trees   map[string][]string // the lines of the last snapshot of each kind, for deltas
}

// nodeKey is a DOM node: one frame's document and the extractor's own number.
type nodeKey struct {
	frame, document string
	local           int
}

// Entry is what an index stands for, as it was last shown.
type Entry struct {
	Index      int
	FrameID    string
	Document   string
	LocalID    int
	Tag        string
	Role       string
	Name       string
	Href       string
	Group      string
	Rect       Rect
	PageRev    int    // when it was last shown
	URL        string // of the frame it is in, when it was last shown
	SnapshotID string
}

// String says what it was in words: button "Pay".
func (e Entry) String() string {
	what := e.Role
	if what == "" {
		what = e.Tag
	}
	if e.Name == "" {
		return what
	}
	return what + " " + quote(cut(e.Name, 80))
}

type snapshot struct {
	id       string
	pageRev  int
	shown    map[int]Entry
	elements []Element // of a listing, for its cursor
}

// New gives the page context of a tab. start is the highest index ever given
// in this tab (the journal's high-water mark), 0 for a new tab.
func New(src Source, start int) *Page {
	return &Page{src: src, next: start, byKey: map[nodeKey]int{}, entries: map[int]Entry{}}
}

// HighWater is the highest index given so far; it never falls.
func (p *Page) HighWater() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next
}

// IndexOf gives the index of a frame's element, a new one if the node has
// none, and remembers how it looks now.
func (p *Page) IndexOf(frame Frame, raw RawElement) int {
	rev := p.src.PageRev()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.note(frame, raw, rev, nil)
}

// note gives the index and records what is shown; p.mu is held.
func (p *Page) note(frame Frame, raw RawElement, rev int, s *snapshot) int {
	key := nodeKey{frame.ID(), frame.Document(), raw.ID}
	i, known := p.byKey[key]
	if !known {
		p.next++
		i = p.next
		p.byKey[key] = i
		p.order = append(p.order, i)
	}
	e := Entry{
		Index: i, FrameID: key.frame, Document: key.document, LocalID: raw.ID,
		Tag: raw.Tag, Role: raw.Role, Name: Flatten(raw.Name), Href: raw.Href, Group: Flatten(raw.Group), Rect: raw.Rect,
		PageRev: rev, URL: frame.URL(),
	}
	if old, ok := p.entries[i]; ok {
		e = old.freshened(e)
	}
	if s != nil {
		e.SnapshotID = s.id
		s.shown[i] = e
	}
	p.entries[i] = e
	return i
}

// freshened gives the newer look at an element; what that one did not say (the
// focused element comes with a tag only, an effect with role and name, a
// resolved target without its group) stays as it was known.
func (e Entry) freshened(now Entry) Entry {
	if now.Role == "" {
		now.Role, now.Name = e.Role, e.Name
	}
	if now.Tag == "" {
		now.Tag = e.Tag
	}
	if now.Group == "" {
		now.Group = e.Group
	}
	if now.Href == "" && now.Rect == (Rect{}) {
		now.Href = e.Href
	}
	if now.Rect == (Rect{}) {
		now.Rect = e.Rect
	}
	if now.SnapshotID == "" {
		now.SnapshotID = e.SnapshotID
	}
	return now
}

// prune forgets the oldest elements of documents that are gone; where pages
// that never end leave too many still, those of theirs that were not shown
// lately. p.mu is held.
func (p *Page) prune(live map[string]string) {
	if len(p.order) <= keptEntries {
		return
	}
	const least = keptEntries * 9 / 10
	p.forget(len(p.order)-least, func(e Entry) bool { return live[e.FrameID] != e.Document })
	p.forget(len(p.order)-least, func(e Entry) bool { return p.snapshot(e.SnapshotID) == nil })
}

// forget drops the n oldest entries of a kind; p.mu is held.
func (p *Page) forget(n int, gone func(Entry) bool) {
	if n <= 0 {
		return
	}
	kept := p.order[:0]
	for _, i := range p.order {
		e := p.entries[i]
		if n > 0 && gone(e) {
			delete(p.entries, i)
			delete(p.byKey, nodeKey{e.FrameID, e.Document, e.LocalID})
			n--
			continue
		}
		kept = append(kept, i)
	}
	p.order = kept
}

// newSnapshot starts a snapshot; the oldest beyond five is forgotten. p.mu is
// held.
func (p *Page) newSnapshot(rev int) *snapshot {
	s := &snapshot{id: newSnapshotID(), pageRev: rev, shown: map[int]Entry{}}
	p.snaps = append(p.snaps, s)
	if len(p.snaps) > keptSnapshots {
		p.snaps = p.snaps[len(p.snaps)-keptSnapshots:]
	}
	return s
}

func (p *Page) snapshot(id string) *snapshot {
	for _, s := range p.snaps {
		if s.id == id {
			return s
		}
	}
	return nil
}

func newSnapshotID() string {
	const letters = "0123456789abcdefghijklmnopqrstuvwxyz"
	var b [6]byte
	_, _ = rand.Read(b[:]) // crypto/rand.Read never fails since Go 1.24
	for i, c := range b {
		b[i] = letters[int(c)%len(letters)]
	}
	return "snap_" + string(b[:])
}

// frames asks the source and says what was being tried.
func (p *Page) frames(ctx context.Context) ([]Frame, error) {
	fs, err := p.src.Frames(ctx)
	if err != nil {
		return nil, fmt.Errorf("list frames: %w", err)
	}
	if len(fs) == 0 {
		return nil, fmt.Errorf("list frames: the tab has no main frame")
	}
	return fs, nil
}
