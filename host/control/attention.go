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

// attention tells each browser profile which of its tabs tasks work in and which
// questions wait for the user. The tab's sign, the badge and the notification come
// from it. Only the goroutine of attend uses it.
type attention struct {
	b       *Broker
	waiting map[string]wire.WaitingInfo // by task
	profile map[string]string           // by task: where its open card is answered in the panel
	expired map[string][]expiredCard    // by profile: cards that nobody answered
	paused  map[string]bool
	sent    map[*conn]string // the last message to each connection
}

// expiredCard is a card that nobody answered. A service worker may be stopped before it
// has shown what it received, and it sends no receipt. So each new connection is
// told again for toldAgain; it recognizes a notification that is already shown.
type expiredCard struct {
	wire.WaitingInfo
	first time.Time // when it was first reported; zero before that
	told  *conn     // the last connection it was reported to
}

// toldAgain is how long new connections are told again of an expired card.
const toldAgain = 10 * time.Minute

// attend follows every task until ctx ends.
func (b *Broker) attend(ctx context.Context) {
	a := &attention{
		b: b, waiting: map[string]wire.WaitingInfo{}, profile: map[string]string{}, expired: map[string][]expiredCard{},
		paused: map[string]bool{}, sent: map[*conn]string{},
	}
	for ctx.Err() == nil {
		// Start behind all old events: questions of an earlier broker are closed.
		_, events, err := b.Manager.Journal.Follow(ctx, "", math.MaxInt64)
		if err != nil {
			return // the journal was closed
		}
		a.follow(ctx, events)
	}
}

// follow returns when ctx ends or events is closed, as it is when it lags behind.
func (a *attention) follow(ctx context.Context, events <-chan wire.Event) {
	for {
		select {
		case ev, ok := <-events:
			if !ok {
				return
			}
			a.addEvent(ev)
			for len(events) > 0 { // report a burst of events once
				a.addEvent(<-events)
			}
		case <-a.b.look:
		case <-ctx.Done():
			return
		}
		a.tell()
	}
}

func (a *attention) addEvent(ev wire.Event) {
	switch ev.Type {
	case wire.EvConfirmRequest:
		a.addQuestion(ev)
	case wire.EvAsk:
		a.waiting[ev.Task] = wire.WaitingInfo{Task: ev.Task, ID: "q" + strconv.FormatUint(ev.Seq, 10), Kind: wire.WaitAsk, Text: ev.Text}
	case wire.EvConfirmResult, wire.EvSaid:
		w, asked := a.waiting[ev.Task]
		if p := a.profile[ev.Task]; asked && p != "" && ev.Confirm != nil && ev.Confirm.Answer == "expired" {
			a.expired[p] = append(a.expired[p], expiredCard{WaitingInfo: w})
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

// addQuestion notes a card. The tab and the profile are known while its task runs.
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

// tabNumber returns the number of the tab that a task works in. It returns 0 for a
// launched browser, whose tab ids are not numbers.
func tabNumber(l *live) int {
	n, _ := strconv.Atoi(string(l.session.Tab()))
	return n
}

// tell sends each profile its state if that has changed.
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
		now := a.infoFor(l.profile)
		now.Expired = a.unreportedCards(l.profile, c)
		raw, err := json.Marshal(now)
		if err != nil {
			continue // can't happen: only strings and numbers
		}
		told[c] = string(raw)
		if a.sent[c] != told[c] {
			if c.peer.Notify(wire.EventAttention, json.RawMessage(raw)) == nil { // a lost connection is told when it is back
				a.noteReported(l.profile, c)
			}
		}
	}
	a.sent = told
}

// unreportedCards returns the profile's expired cards that were not yet reported to c.
func (a *attention) unreportedCards(profile string, c *conn) []wire.WaitingInfo {
	var out []wire.WaitingInfo
	a.expired[profile] = slices.DeleteFunc(a.expired[profile], func(x expiredCard) bool {
		return !x.first.IsZero() && time.Since(x.first) > toldAgain
	})
	for _, x := range a.expired[profile] {
		if x.told != c {
			out = append(out, x.WaitingInfo)
		}
	}
	return out
}

// noteReported notes that all expired cards of the profile were reported to c.
func (a *attention) noteReported(profile string, c *conn) {
	for i := range a.expired[profile] {
		x := &a.expired[profile][i]
		x.told = c
		if x.first.IsZero() {
			x.first = time.Now()
		}
	}
}

// infoFor returns the state that a profile's browser shows.
func (a *attention) infoFor(profile string) wire.AttentionInfo {
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
