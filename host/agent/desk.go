package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/safety"
)

// ErrStopped is the cause of a task's context when the person stopped it.
var ErrStopped = errors.New("stopped by the person")

// ErrNoCard is the error for an answer to a card that is not open.
var ErrNoCard = errors.New("no such open confirmation")

// Desk is where a running task and its person meet: cards and their answers,
// questions, words that steer, pause. It is the session's action.Confirmer and
// action.Watcher. Its methods are safe for use by several goroutines.
type Desk struct {
	rec Record
	// Ask, when set, answers cards itself instead of waiting for Answer: the
	// terminal of a launched browser, or the deny policy of a program.
	Ask func(ctx context.Context, c native.ConfirmInfo) (allow bool, by string)
	// NoPerson is true where nobody can answer a question: askUser then ends
	// the task instead of waiting.
	NoPerson bool
	// Remember keeps that a class is allowed on a site from now on, when the
	// person says so on a card; nil where that can't be said.
	Remember func(site string, class safety.Class) error

	mu     sync.Mutex
	cards  map[string]chan native.ConfirmAnswer
	said   []string
	woken  chan struct{} // closed and replaced whenever said or paused changes
	paused bool
	step   int
}

// NewDesk gives a desk that records on rec.
func NewDesk(rec Record) *Desk {
	return &Desk{rec: rec, cards: map[string]chan native.ConfirmAnswer{}, woken: make(chan struct{})}
}

var (
	_ action.Confirmer = (*Desk)(nil)
	_ action.Watcher   = (*Desk)(nil)
)

// Confirm records the card, shows it, and waits for its answer. Without one,
// until ctx ends, the answer is no, and that is recorded too.
func (d *Desk) Confirm(ctx context.Context, c action.Card) (action.Answer, error) {
	info := cardInfo(ctx, c)
	site, class, lasting := c.Decision.Lasting()
	info.Remember = lasting && d.Remember != nil && d.Ask == nil
	answers := make(chan native.ConfirmAnswer, 1)
	d.mu.Lock()
	d.cards[info.ID] = answers
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		delete(d.cards, info.ID)
		d.mu.Unlock()
	}()
	if err := d.rec.Emit(native.Event{Type: native.EvConfirmRequest, Confirm: &info}); err != nil {
		return action.Answer{By: "journal"}, err
	}
	ans := d.wait(ctx, info, answers)
	info.Answer, info.By = "deny", ans.By
	info.Remember = info.Remember && ans.Remember && ans.Allow
	switch {
	case ans.Allow:
		info.Answer = "allow"
	case ans.By == "limit":
		info.Answer = "expired"
	case ans.By == "stop":
		info.Answer = "void"
	}
	// The answer is on disk before it is acted on; one that can't be recorded
	// is a no.
	if err := d.rec.Emit(native.Event{Type: native.EvConfirmResult, Confirm: &info, Text: ans.Note}); err != nil {
		return action.Answer{By: "journal"}, err
	}
	if info.Remember {
		if err := d.Remember(site, class); err != nil { // this once it is allowed all the same
			d.Notify(ctx, "It could not be remembered: "+err.Error())
		}
	}
	return ans, nil
}

func (d *Desk) wait(ctx context.Context, info native.ConfirmInfo, answers <-chan native.ConfirmAnswer) action.Answer {
	if d.Ask != nil {
		allow, by := d.Ask(ctx, info)
		return action.Answer{Allow: allow && ctx.Err() == nil, By: by}
	}
	select {
	case a := <-answers:
		if ctx.Err() == nil { // a yes in the moment of Stop comes too late
			return action.Answer{Allow: a.Allow, By: "panel", Note: a.Note, Remember: a.Remember}
		}
	case <-ctx.Done():
	}
	if errors.Is(context.Cause(ctx), ErrStopped) {
		return action.Answer{By: "stop"}
	}
	return action.Answer{By: "limit"}
}

func cardInfo(ctx context.Context, c action.Card) native.ConfirmInfo {
	info := native.ConfirmInfo{
		ID: "c" + rand.Text()[:10], Action: c.Action, Class: string(c.Decision.Class), Target: c.Target,
		Site: c.Site, URL: c.URL, Amount: c.Decision.Amount,
		Details: c.Details,
	}
	if c.Changed {
		info.Reasons = append(info.Reasons, "The page changed since the last question, so it is asked again.")
	}
	for _, r := range c.Decision.Reasons {
		info.Reasons = append(info.Reasons, r.Text)
	}
	if at, ok := ctx.Deadline(); ok {
		info.Expires = at.UnixMilli()
	}
	return info
}

// Answer gives a person's answer to an open card.
func (d *Desk) Answer(a native.ConfirmAnswer) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	ch, ok := d.cards[a.ID]
	if !ok {
		return ErrNoCard
	}
	delete(d.cards, a.ID) // one answer a card
	ch <- a
	return nil
}

// ActStarted puts the act on disk before its input is sent.
func (d *Desk) ActStarted(_ context.Context, c action.Call, target, site string, _ safety.Level) error {
	d.mu.Lock()
	step := d.step
	d.mu.Unlock()
	return d.rec.ActStarted(journal.Act{
		Step: step, Action: c.Name, Params: json.RawMessage(safety.Redact(string(c.Params))),
		Target: target, Site: site, Started: time.Now().UnixMilli(),
	})
}

// Notify shows what the gate let pass but wants seen.
func (d *Desk) Notify(_ context.Context, text string) {
	_ = d.rec.Emit(native.Event{Type: native.EvNotify, Level: "info", Text: text}) // the act itself is recorded with an error check
}

// Say takes a person's words into the task: the answer to a question, or a
// word that steers.
func (d *Desk) Say(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, text)
	d.wake()
}

// Pause makes the loop wait before its next step; Resume lets it go on.
func (d *Desk) Pause() { d.setPaused(true) }

// Resume ends a pause.
func (d *Desk) Resume() { d.setPaused(false) }

func (d *Desk) setPaused(p bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused = p
	d.wake()
}

func (d *Desk) wake() {
	close(d.woken)
	d.woken = make(chan struct{})
}

// takeSaid gives what was said since the last call.
func (d *Desk) takeSaid() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.said
	d.said = nil
	return s
}

// waitSaid waits until something was said.
func (d *Desk) waitSaid(ctx context.Context) ([]string, error) {
	for {
		d.mu.Lock()
		said, woken := d.said, d.woken
		d.said = nil
		d.mu.Unlock()
		if len(said) > 0 {
			return said, nil
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// waitUnpaused returns at once when nothing is paused; otherwise it records
// the pause, waits for its end and records that.
func (d *Desk) waitUnpaused(ctx context.Context, why string) error {
	d.mu.Lock()
	paused := d.paused
	d.mu.Unlock()
	if !paused {
		return nil
	}
	if err := d.rec.Emit(native.Event{Type: native.EvPaused, Text: why}); err != nil {
		return err
	}
	for {
		d.mu.Lock()
		paused, woken := d.paused, d.woken
		d.mu.Unlock()
		if !paused {
			return d.rec.Emit(native.Event{Type: native.EvResumed})
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (d *Desk) setStep(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.step = n
}
