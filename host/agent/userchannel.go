package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
	"tabwright/safety"
)

// ErrStopped is the cause of a task's context when the user stopped it.
var ErrStopped = errors.New("stopped by the user")

// ErrEnded is the cause of a task's context when the program that runs it ends:
// the task can be taken up again.
var ErrEnded = errors.New("the program was ended")

// ErrNoCard is the error for an answer to a card that is not open.
var ErrNoCard = errors.New("no such open confirmation")

// UserChannel passes cards, answers, questions, words and pauses between a running
// task and its user. It is the session's action.Confirmer and action.Watcher. Its
// methods are safe for use by several goroutines.
type UserChannel struct {
	rec Record
	// Ask, when set, answers cards itself instead of waiting for Answer: the
	// terminal of a launched browser, or the deny policy of a program.
	Ask func(ctx context.Context, c wire.ConfirmInfo) action.Answer
	// NoUser is true if there is no user to answer a question: askUser then
	// ends the task instead of waiting.
	NoUser bool
	// Remember stores that a class is allowed on a site from now on, when the
	// user says so on a card; nil if cards don't offer that.
	Remember func(site string, class safety.Class) error

	mu     sync.Mutex
	cards  map[string]chan wire.ConfirmAnswer
	said   []saying
	woken  chan struct{} // closed and replaced whenever said or paused changes
	paused bool
	step   int
	plan   []wire.PlanStep // as the user edited it
	edited bool            // … and the loop has not taken it in yet
	// seen is the page right before the step, for the record of its act; lastAct
	// is that record.
	seen    page
	lastAct *journal.Act
	// doubts are acts that may have been done, and held is the one because of
	// which the last act was not sent.
	doubts []*uncertainAct
	held   *uncertainAct
	note   string // the reason that the user gave with their last denial
	taken  takeover
}

// saying is what the user said, with attachments, or what a program said.
type saying struct {
	text    string
	attach  []Attached
	program bool // by Tell
}

// page is what is kept of a look at a page.
type page struct {
	url   string
	lines []uint32 // nil: it may have changed since
}

// NewUserChannel returns a channel that records on rec.
func NewUserChannel(rec Record) *UserChannel {
	return &UserChannel{rec: rec, cards: map[string]chan wire.ConfirmAnswer{}, woken: make(chan struct{})}
}

// longestNote bounds the reason that is given with a no.
const longestNote = 1000

var (
	_ action.Confirmer = (*UserChannel)(nil)
	_ action.Watcher   = (*UserChannel)(nil)
)

// put shows a card and waits for its answer. Each is on disk before it takes effect.
func (d *UserChannel) put(ctx context.Context, info *wire.ConfirmInfo) (action.Answer, error) {
	answers := make(chan wire.ConfirmAnswer, 1)
	d.mu.Lock()
	d.cards[info.ID] = answers
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		delete(d.cards, info.ID)
		d.mu.Unlock()
	}()
	request := *info
	if err := d.rec.Emit(wire.Event{Type: wire.EvConfirmRequest, Confirm: &request}); err != nil {
		return action.Answer{By: "journal"}, err
	}
	ans := d.wait(ctx, *info, answers)
	ans.Note = cut(strings.TrimSpace(ans.Note), longestNote)
	info.Answer, info.By = "deny", ans.By
	info.Remember = info.Remember && ans.Remember && ans.Allow
	switch {
	case ans.Allow:
		info.Answer = "allow"
	case TookOver(ctx):
		info.Answer, info.By = "void", "takeover"
	case ans.By == "limit":
		info.Answer = "expired"
	case ans.By == "stop", ans.By == "restart":
		info.Answer = "void"
	}
	// The answer is on disk before it is acted on; one that can't be recorded
	// is a no.
	result := *info
	if err := d.rec.Emit(wire.Event{Type: wire.EvConfirmResult, Confirm: &result, Text: ans.Note}); err != nil {
		return action.Answer{By: "journal"}, err
	}
	if !ans.Allow && ans.Note != "" {
		d.mu.Lock()
		d.note = ans.Note
		d.mu.Unlock()
	}
	return ans, nil
}

// takeNote returns the reason that the user gave with their last denial, once.
func (d *UserChannel) takeNote() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.note
	d.note = ""
	return n
}

func (d *UserChannel) wait(ctx context.Context, info wire.ConfirmInfo, answers <-chan wire.ConfirmAnswer) action.Answer {
	if d.Ask != nil {
		a := d.Ask(ctx, info)
		a.Allow = a.Allow && ctx.Err() == nil
		return a
	}
	select {
	case a := <-answers:
		if ctx.Err() == nil { // a yes in the moment of Stop comes too late
			return action.Answer{Allow: a.Allow, By: "panel", Note: a.Note, Remember: a.Remember}
		}
	case <-ctx.Done():
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrStopped):
		return action.Answer{By: "stop"}
	case cutShort(ctx):
		return action.Answer{By: "restart"}
	default:
		return action.Answer{By: "limit"}
	}
}

// cutShort reports whether a task is over for now, and can be taken up again: the
// program ends, or the browser came back without the task's tab.
func cutShort(ctx context.Context) bool {
	cause := context.Cause(ctx)
	return errors.Is(cause, ErrEnded) || errors.Is(cause, &wire.Error{Code: CodeBrowserGone})
}

// TabLost is the cause of a task's context when its browser came back without
// its tab: the task can be taken up again in a new one.
func TabLost(lang string) *wire.Error {
	return &wire.Error{Code: CodeBrowserGone, Message: prompts.Notice(prompts.TabLost, lang)}
}

func cardInfo(ctx context.Context, c action.Card) wire.ConfirmInfo {
	info := wire.ConfirmInfo{
		ID: "c" + rand.Text()[:10], Action: c.Action, Class: string(c.Decision.Class), Target: c.Target,
		Site: c.Site, URL: c.URL, Amount: c.Decision.Amount,
		Details: c.Details, Yes: c.Question.Yes, About: c.Question.About,
	}
	if to := c.Question.To; !slices.ContainsFunc(c.Details, func(d string) bool { return strings.Contains(d, to) }) {
		info.To = to
	}
	info.In = map[string][]string{action.English: {}, action.Chinese: {}}
	for lang, text := range prompts.InEach(prompts.AskedAnew) {
		if c.Changed {
			info.In[lang] = append(info.In[lang], text)
		}
	}
	if c.Changed {
		info.Reasons = append(info.Reasons, info.In[action.English]...)
	}
	for _, r := range c.Decision.Reasons {
		info.Reasons = append(info.Reasons, r.Text)
		for lang := range info.In {
			info.In[lang] = append(info.In[lang], safety.Reword(r.Text, lang))
		}
	}
	if at, ok := ctx.Deadline(); ok {
		info.Expires = at.UnixMilli()
	}
	return info
}

// Answer passes the user's answer to an open card, or returns ErrNoCard.
func (d *UserChannel) Answer(a wire.ConfirmAnswer) error {
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

// Notify shows the user an act that the gate let pass.
func (d *UserChannel) Notify(_ context.Context, text string, in map[string]string) {
	_ = d.rec.Emit(wire.Event{Type: wire.EvNotify, Level: "info", Text: text, In: in}) // the act itself is recorded with an error check
}

// Say passes the user's words to the task: the answer to a question, or an
// instruction.
func (d *UserChannel) Say(text string) { d.SayWith(text, nil) }

// SayWith is Say with attachments.
func (d *UserChannel) SayWith(text string, attach []Attached) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.said = append(d.said, saying{text: text, attach: attach})
	d.wake()
}

// Pause makes the loop wait before its next step; Unpause lets it go on.
func (d *UserChannel) Pause() { d.setPaused(true) }

// Unpause ends a pause.
func (d *UserChannel) Unpause() { d.setPaused(false) }

func (d *UserChannel) setPaused(p bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused = p
	d.wake()
}

func (d *UserChannel) wake() {
	close(d.woken)
	d.woken = make(chan struct{})
}

// takeSaid returns what was said since the last call.
func (d *UserChannel) takeSaid() []saying {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.said
	d.said = nil
	return s
}

// waitSaid waits until the user said something.
func (d *UserChannel) waitSaid(ctx context.Context) ([]saying, error) {
	for {
		d.mu.Lock()
		said, rest := splitSayings(d.said)
		d.said = rest
		woken := d.woken
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
func (d *UserChannel) waitUnpaused(ctx context.Context, why wire.Event) error {
	d.mu.Lock()
	paused := d.paused
	d.mu.Unlock()
	if !paused {
		return nil
	}
	return d.pausedUntil(ctx, why)
}

// pausedUntil records a pause, waits for its end and records that.
func (d *UserChannel) pausedUntil(ctx context.Context, ev wire.Event) error {
	if err := d.rec.Emit(ev); err != nil {
		return err
	}
	for {
		d.mu.Lock()
		paused, woken := d.paused, d.woken
		d.mu.Unlock()
		if !paused {
			return d.rec.Emit(wire.Event{Type: wire.EvResumed})
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// begin sets the next step and the page before it. lines are nil if the page may
// have changed since the look.
func (d *UserChannel) begin(step int, url string, lines []uint32) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.step, d.seen, d.lastAct = step, page{url, lines}, nil
}

// startedAct returns the act of the current step if its input was about to be sent, else nil.
func (d *UserChannel) startedAct() *journal.Act {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lastAct
}

// takeover is how a user takes the page out of a running task's hands.
type takeover struct {
	on     bool
	cut    context.CancelCauseFunc // of the turn under way
	parked chan struct{}           // closed when nothing of the task touches the page
}

// errTakenOver is the cause of a turn's context when the user took over.
var errTakenOver = errors.New("the user took over")

// TookOver tells of a turn's context whether the user took over and cut it
// short.
func TookOver(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errTakenOver) }

// splitSayings returns the user's messages, and those of programs, which stay in
// the queue until the next step.
func splitSayings(said []saying) (theirs, rest []saying) {
	for _, s := range said {
		if s.program {
			rest = append(rest, s)
		} else {
			theirs = append(theirs, s)
		}
	}
	return theirs, rest
}

// errDoubted keeps an act from being sent that is like one in doubt.
var errDoubted = errors.New("the like of it may have been done already")

// uncertainAct is an act that may have been done: nothing like it is done again before
// the user has said yes.
type uncertainAct struct {
	act     journal.Act
	why     string            // for the user
	in      map[string]string // the same in each language
	allowed bool              // by a card; it ends with the act that it is for
	now     journal.Act       // that was held back last, since it is like the one in doubt
}
