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
	keptSnapshots = 5     // per tab, the newest
	keptEntries   = 20000 // beyond that a tenth is forgotten (see prune)
)

// Page is the memory of one tab for one client: which index names which node,
// and what the client was shown of it. A look numbers every element that it
// sees. An index means the element as Render, Show or Tell last showed it to
// the client. Its methods may be called from several goroutines.
type Page struct {
	src Source

	mu        sync.Mutex
	next      int // highest index given
	byKey     map[nodeKey]int
	entries   map[int]Entry
	order     []int // indices in the order given, for pruning
	snaps     []*snapshot
	docs      map[string]documents // by frame id
	asked     []question           // the queries of the last listings
	baselines []baseline           // trees that deltas are told against; the newest last
}

// nodeKey identifies a DOM node by its frame, document and extractor id.
type nodeKey struct {
	frame, document string
	local           int
}

// Entry is the element that an index stands for: as it was last shown or, if it
// was never shown, as it was first seen.
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
	Labelled   bool   // Near begins with its label
	Row        string // the text of its row
	Rect       Rect
	PageRev    int    // when it was last shown
	URL        string // its frame's URL when it was last shown
	SnapshotID string
	// Seen is the number of the look, which the extractor's check takes.
	Seen int

	shown     bool
	framed    bool // in the frame of a site (see inFrame)
	inherited bool // taken over from the frame's document before (see inherit)
}

// String returns its role and name: button "Pay".
func (e Entry) String() string { return Called(e.Role, e.Tag, e.Name) }

type snapshot struct {
	id       string
	pageRev  int
	seen     map[int]Entry // by index, as the look saw them
	shown    map[int]bool  // the indices that the client was shown
	elements []Element     // of a listing, for its cursor
	rows     []Row         // the rows of elements
}

// New returns the page context of a tab. start is the highest index ever given
// in this tab (the journal's high-water mark), 0 for a new tab.
func New(src Source, start int) *Page {
	return &Page{src: src, next: start, byKey: map[nodeKey]int{}, entries: map[int]Entry{}, docs: map[string]documents{}}
}

// HighWater returns the highest index given so far. It never decreases.
func (p *Page) HighWater() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.next
}

// IndexOf returns the index of an element whose role and name the client is
// told. If the element was shown before, its other properties stay as shown;
// else they are set from raw.
func (p *Page) IndexOf(frame Frame, raw RawElement) int { return p.Tell(frame, raw, 0) }

// Tell is IndexOf with the number that the look gave for the extractor's check.
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

// Given returns the index of a node of a frame if the client was shown it, else 0.
func (p *Page) Given(frame Frame, id int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.byKey[nodeKey{frame.ID(), frame.Document(), id}]; p.entries[i].shown {
		return i
	}
	return 0
}

// RowGiven returns the text of a node's row, or its label, as the client was shown it; "" if the node was not
// shown or has neither.
func (p *Page) RowGiven(frame Frame, id int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.entries[p.byKey[nodeKey{frame.ID(), frame.Document(), id}]]; e.shown {
		return e.Place()
	}
	return ""
}

// Place returns the words that tell where it stands: its label, or else its row.
func (e Entry) Place() string {
	if e.Labelled {
		return e.Near
	}
	return e.Row
}

// Reword changes the text of a cell from from to to in the stored rows of a frame. row is the
// text of the rest of the cell's row.
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

// TellNew is Tell for an element that has just come: its new properties replace
// those that it was shown with before.
func (p *Page) TellNew(frame Frame, raw RawElement, seen int) int {
	now := p.Seen(frame, raw, seen)
	p.mu.Lock()
	defer p.mu.Unlock()
	now = p.entries[now.Index].freshened(now)
	now.shown = true
	p.entries[now.Index] = now
	return now.Index
}

// Seen returns the entry of an element as it is now. It gives the node an index
// if it has none. It does not count as shown to the client.
func (p *Page) Seen(frame Frame, raw RawElement, seen int) Entry {
	rev := p.src.PageRev()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.note(frame, raw, rev, seen, nil)
}

// SeenLast is the Entry.Seen of the last look of any client.
const SeenLast = math.MaxInt32

// note gives an element that a look sees its index, and keeps it in s unless s is nil; p.mu is held.
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
		Tag: raw.Tag, Role: raw.Role, Name: Flatten(raw.Name), Href: raw.Href, Group: Flatten(raw.Group), Near: Flatten(raw.Near), Labelled: raw.Labelled, Row: raw.row, Rect: raw.Rect, framed: raw.framed,
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

// Offered are elements that a look other than a listing saw.
type Offered struct {
	SnapshotID string
	Indices    []int
}

// KeepOffered keeps elements of a frame in a snapshot, for Offer.
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

// Show records that the client is shown elements as a snapshot saw them. From now
// on their indices mean that.
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

// Offer shows the client an element as a snapshot saw it, and returns a ref to it.
// If the index means something else to the client, or stale is set, the meaning of
// the bare index stays and the ref names the snapshot too.
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

// freshened returns now, with the fields that it lacks taken from e: the focused
// element comes with a tag only, an effect with role and name, a resolved target
// without its group.
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

// prune forgets the oldest elements of documents that are gone. If too many are
// left, it forgets the oldest that no kept snapshot holds. live maps frame ids to
// documents. p.mu is held.
func (p *Page) prune(live map[string]string) {
	if len(p.order) <= keptEntries {
		return
	}
	const least = keptEntries * 9 / 10
	p.forget(len(p.order)-least, func(e Entry) bool { return live[e.FrameID] != e.Document })
	p.forget(len(p.order)-least, func(e Entry) bool { return p.snapshot(e.SnapshotID) == nil })
}

// forget drops the n oldest entries for which gone is true; p.mu is held.
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

// newSnapshot starts a snapshot and keeps the newest keptSnapshots. p.mu is held.
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

// frames returns the source's frames; it is an error if there are none.
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
