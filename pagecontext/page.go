package pagecontext

import (
	"context"
	"crypto/rand"
	"fmt"
	"math"
	"strings"
	"sync"
)

const (
	keptSnapshots = 5     // the newest of a tab
	keptEntries   = 20000 // more are forgotten, a tenth at a time, but for what a kept snapshot shows
)

// Page is the memory of one tab for one client: which index names which node,
// and what the client was shown of it. Looks number what they see; only what is
// rendered, shown or told is shown, and only that is what an index means. Its
// methods may be called from several goroutines.
type Page struct {
	src Source

	mu        sync.Mutex
	next      int // highest index given
	byKey     map[nodeKey]int
	entries   map[int]Entry
	order     []int // indices in the order given, for pruning
	snaps     []*snapshot
	docs      map[string]documents // by frame
	asked     []question           // what the last listings were asked for
	baselines []baseline           // of snapshots, for deltas; the newest last
}

// nodeKey is a DOM node: one frame's document and the extractor's own number.
type nodeKey struct {
	frame, document string
	local           int
}

// Entry is what an index stands for, as it was last shown; one that was never
// shown, as it was first seen.
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
	Near       string
	Row        string // the words of the row that it stands in
	Rect       Rect
	PageRev    int    // when it was last shown
	URL        string // of the frame it is in, when it was last shown
	SnapshotID string
	// Seen names for the extractor's check what it stood for then.
	Seen int

	shown     bool
	inherited bool // a page shows it that took the place of the one on which the client was shown it
}

// String says what it was in words: button "Pay".
func (e Entry) String() string { return Called(e.Role, e.Tag, e.Name) }

type snapshot struct {
	id       string
	pageRev  int
	seen     map[int]Entry // as the look saw them
	shown    map[int]bool  // those that the client was shown of it
	elements []Element     // of a listing, for its cursor
	rows     []Row         // that they stand in
}

// New gives the page context of a tab. start is the highest index ever given
// in this tab (the journal's high-water mark), 0 for a new tab.
func New(src Source, start int) *Page {
	return &Page{src: src, next: start, byKey: map[nodeKey]int{}, entries: map[int]Entry{}, docs: map[string]documents{}}
}

// HighWater is the highest index given so far; it never falls.
func (p *Page) HighWater() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next
}

// IndexOf gives the index of an element whose role and name the client is told.
// What is known of where it stands stays as it was shown; of one that was never
// shown it is what Tell's look saw, which gave seen.
func (p *Page) IndexOf(frame Frame, raw RawElement) int { return p.Tell(frame, raw, 0) }

// Tell is IndexOf with what check is asked by.
func (p *Page) Tell(frame Frame, raw RawElement, seen int) int {
	now := p.Seen(frame, raw, seen)
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.entries[now.Index]
	if old.shown {
		if raw.Role != "" {
			old.Role, old.Name = now.Role, now.Name
		}
		now = old
	} else {
		now = old.freshened(now)
	}
	now.shown = true
	p.entries[now.Index] = now
	return now.Index
}

// Given is the index by which the client knows a node of a frame; 0 if it knows none.
func (p *Page) Given(frame Frame, id int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.byKey[nodeKey{frame.ID(), frame.Document(), id}]; p.entries[i].shown {
		return i
	}
	return 0
}

// RowGiven is what the row of a node said when the client was shown it; "" where it was not, or
// stands in none.
func (p *Page) RowGiven(frame Frame, id int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.entries[p.byKey[nodeKey{frame.ID(), frame.Document(), id}]]; e.shown {
		return e.Row
	}
	return ""
}

// Reword takes note that a cell says something else now: row is what the rest of its row says.
func (p *Page) Reword(frame Frame, row, from, to string) {
	row = Flatten(row)
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, e := range p.entries {
		if e.FrameID == frame.ID() && strings.Contains(e.Row, from) && Flatten(strings.Replace(e.Row, from, " ", 1)) == row {
			e.Row = strings.Replace(e.Row, from, to, 1)
			p.entries[i] = e
		}
	}
}

// TellNew is Tell of an element that has just come: it is what it is now, whatever
// it was when it was there before.
func (p *Page) TellNew(frame Frame, raw RawElement, seen int) int {
	now := p.Seen(frame, raw, seen)
	p.mu.Lock()
	defer p.mu.Unlock()
	now = p.entries[now.Index].freshened(now)
	now.shown = true
	p.entries[now.Index] = now
	return now.Index
}

// Seen gives what an element is now, with its index, a new one if the node has
// none. The client is shown nothing.
func (p *Page) Seen(frame Frame, raw RawElement, seen int) Entry {
	rev := p.src.PageRev()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.note(frame, raw, rev, seen, nil)
}

// SeenLast is Entry.Seen of what was looked at last by anybody.
const SeenLast = math.MaxInt32

// note numbers what a look sees, and keeps that in the snapshot; p.mu is held.
func (p *Page) note(frame Frame, raw RawElement, rev, seen int, s *snapshot) Entry {
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
		Tag: raw.Tag, Role: raw.Role, Name: Flatten(raw.Name), Href: raw.Href, Group: Flatten(raw.Group), Near: Flatten(raw.Near), Row: raw.row, Rect: raw.Rect,
		PageRev: rev, URL: frame.URL(), Seen: seen,
	}
	if s != nil {
		e.SnapshotID = s.id
		s.seen[i] = e
	}
	if old, ok := p.entries[i]; !ok || !old.shown && old.Role == "" {
		p.entries[i] = e
	}
	return e
}

// Offered are elements as a look that is no listing saw them.
type Offered struct {
	SnapshotID string
	Indices    []int
}

// KeepOffered keeps elements of a frame that Offer is to be asked about.
func (p *Page) KeepOffered(frame Frame, seen int, raws []RawElement) Offered {
	rev := p.src.PageRev()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.newSnapshot(rev)
	out := Offered{SnapshotID: s.id}
	for _, raw := range raws {
		out.Indices = append(out.Indices, p.note(frame, raw, rev, seen, s).Index)
	}
	return out
}

// Show says that the client is shown elements as a snapshot saw them: that is what
// their indices mean from now on.
func (p *Page) Show(snapshot string, indices ...int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.snapshot(snapshot); s != nil {
		for _, i := range indices {
			p.show(s, i)
		}
	}
}

// ShowAll is Show for elements of a listing.
func (p *Page) ShowAll(snapshot string, es []Element) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.snapshot(snapshot); s != nil {
		for i := range es {
			p.show(s, es[i].Index)
		}
	}
}

func (p *Page) show(s *snapshot, index int) {
	e, ok := s.seen[index]
	if !ok {
		return
	}
	if old, ok := p.entries[index]; ok {
		e = old.freshened(e)
	}
	e.shown, s.shown[index] = true, true
	p.entries[index] = e
}

// Offer shows an element as a snapshot saw it without a look of the client's own,
// and gives the ref by which it is that: where its index means something else to
// the client, as that of what is no longer what it was, that stays so.
func (p *Page) Offer(snapshot string, index int, stale bool) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ref := p.snapshot(snapshot), FormatRef(index)
	if s == nil {
		return ref
	}
	now, old := s.seen[index], p.entries[index]
	if !old.shown {
		p.show(s, index)
		return ref
	}
	s.shown[index] = true
	if !stale && now.Role == old.Role && now.Name == old.Name && (old.Group == "" || now.Group == "" || now.Group == old.Group) && (now.Near == old.Near || now.Seen == old.Seen) {
		return ref
	}
	return snapshot + ":" + ref
}

// freshened gives the newer look at an element; what that one did not say (the
// focused element comes with a tag only, an effect with role and name, a
// resolved target without its group) stays as it was known.
func (e Entry) freshened(now Entry) Entry {
	if now.Seen == 0 {
		now.Seen = e.Seen
	}
	if now.Role == "" {
		now.Role, now.Name = e.Role, e.Name
	}
	if now.Tag == "" {
		now.Tag = e.Tag
	}
	if now.Group == "" {
		now.Group = e.Group
	}
	if now.Row == "" {
		now.Row = e.Row
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
	s := &snapshot{id: newSnapshotID(), pageRev: rev, seen: map[int]Entry{}, shown: map[int]bool{}}
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
