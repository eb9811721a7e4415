package control

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/host/native/wire"
)

// attention tells each browser profile, whatever panel is open in it, which of
// its tabs are worked in and what waits for its user: the sign on the tab,
// the badge and the notification come from there. One goroutine has it.
type attention struct {
	b       *Broker
	waiting map[string]wire.WaitingInfo // by task
	profile map[string]string           // of the tasks whose cards wait, where the panel answers them
	expired map[string][]ranOut         // by profile: cards that nobody answered
	paused  map[string]bool
	sent    map[*conn]string // what each connection was told last
}

// ranOut is a card that nobody answered, and whom that was told. A service worker
// may be stopped with what it heard last undone, and gives no receipt: one that is
// new is told again, for a while, and knows what stands in a notification already.
type ranOut struct {
	wire.WaitingInfo
	first time.Time // told; zero before
	told  *conn     // the newest
}

// toldAgain is how long a new connection is told again of a card that ran out.
const toldAgain = 10 * time.Minute

// attend follows every task until ctx ends.
func (b *Broker) attend(ctx context.Context) {
	a := &attention{
		b: b, waiting: map[string]wire.WaitingInfo{}, profile: map[string]string{}, expired: map[string][]ranOut{},
		paused: map[string]bool{}, sent: map[*conn]string{},
	}
	for ctx.Err() == nil {
		// What stood before this broker can't wait for anybody any more.
		_, events, err := b.Manager.Journal.Follow(ctx, "", math.MaxInt64)
		if err != nil {
			return // the journal was closed
		}
		a.follow(ctx, events)
	}
}

// follow ends when events does: with ctx, or when this side lagged behind.
func (a *attention) follow(ctx context.Context, events <-chan wire.Event) {
	for {
		select {
		case ev, ok := <-events:
			if !ok {
				return
			}
			a.take(ev)
			for len(events) > 0 { // of a burst, one telling
				a.take(<-events)
			}
		case <-a.b.look:
		case <-ctx.Done():
			return
		}
		a.tell()
	}
}

func (a *attention) take(ev wire.Event) {
	switch ev.Type {
	case wire.EvConfirmRequest:
		a.addQuestion(ev)
	case wire.EvAsk:
		a.waiting[ev.Task] = wire.WaitingInfo{Task: ev.Task, ID: "q" + strconv.FormatUint(ev.Seq, 10), Kind: wire.WaitAsk, Text: ev.Text}
	case wire.EvConfirmResult, wire.EvSaid:
		w, asked := a.waiting[ev.Task]
		if p := a.profile[ev.Task]; asked && p != "" && ev.Confirm != nil && ev.Confirm.Answer == "expired" {
			a.expired[p] = append(a.expired[p], ranOut{WaitingInfo: w})
		}
		delete(a.waiting, ev.Task)
		delete(a.profile, ev.Task)
	case wire.EvPaused:
		a.paused[ev.Task] = true
	case wire.EvResumed:
		delete(a.paused, ev.Task)
	case wire.EvComplete, wire.EvFailed, wire.EvCancelled, wire.EvInterrupted:
		delete(a.waiting, ev.Task)
		delete(a.profile, ev.Task)
		delete(a.paused, ev.Task)
	}
}

// addQuestion takes in a card, while its task runs and holds its tab.
func (a *attention) addQuestion(ev wire.Event) {
	c := ev.Confirm
	if c == nil {
		return
	}
	w := wire.WaitingInfo{
		Task: ev.Task, ID: c.ID, Kind: wire.WaitConfirm, Class: c.Class, Text: c.Target, Site: c.Site, Amount: c.Amount, Expires: c.Expires,
	}
	if l, err := a.b.Manager.runningTask(ev.Task); err == nil && l.place.Ask == nil {
		w.TabID, a.profile[ev.Task] = tabNumber(l), l.place.Profile
	}
	a.waiting[ev.Task] = w
}

// tabNumber is the tab that a task works in; only a relay's tabs are numbers, and
// only they have a sign.
func tabNumber(l *live) int {
	n, _ := strconv.Atoi(string(l.session.Tab()))
	return n
}

// tell sends each profile what has changed for it.
func (a *attention) tell() {
	b := a.b
	b.mu.Lock()
	links := slices.Collect(maps.Values(b.relays))
	b.mu.Unlock()
	told := map[*conn]string{}
	for _, l := range links {
		l.mu.Lock()
		c := l.conn
		l.mu.Unlock()
		if c == nil {
			continue
		}
		now := a.of(l.profile)
		now.Expired = a.unreportedCards(l.profile, c)
		raw, err := json.Marshal(now)
		if err != nil {
			continue // of plain strings and numbers: it can't be
		}
		told[c] = string(raw)
		if a.sent[c] != told[c] {
			if c.peer.Notify(wire.EventAttention, json.RawMessage(raw)) == nil { // one that is gone is told when it is back
				a.tells(l.profile, c)
			}
		}
	}
	a.sent = told
}

// unreportedCards gives the cards of a profile that ran out and that a connection was not
// told of.
func (a *attention) unreportedCards(profile string, c *conn) []wire.WaitingInfo {
	var out []wire.WaitingInfo
	a.expired[profile] = slices.DeleteFunc(a.expired[profile], func(x ranOut) bool {
		return !x.first.IsZero() && time.Since(x.first) > toldAgain
	})
	for _, x := range a.expired[profile] {
		if x.told != c {
			out = append(out, x.WaitingInfo)
		}
	}
	return out
}

// tells notes that a connection was told of every card that ran out.
func (a *attention) tells(profile string, c *conn) {
	for i := range a.expired[profile] {
		x := &a.expired[profile][i]
		x.told = c
		if x.first.IsZero() {
			x.first = time.Now()
		}
	}
}

// of is what a profile's browser is to show.
func (a *attention) of(profile string) wire.AttentionInfo {
	out := wire.AttentionInfo{Waiting: []wire.WaitingInfo{}, Working: []int{}}
	tasks := a.b.Manager.liveTasks()
	slices.SortFunc(tasks, func(x, y *live) int { return strings.Compare(x.id, y.id) })
	for _, l := range tasks {
		if l.place.Profile != profile || l.place.Ask != nil {
			continue
		}
		tab := tabNumber(l)
		if w, ok := a.waiting[l.id]; ok {
			w.TabID = tab
			out.Waiting = append(out.Waiting, w)
		} else if tab != 0 && !a.paused[l.id] {
			out.Working = append(out.Working, tab)
		}
	}
	return out
}
