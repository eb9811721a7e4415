package browser

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// userBinding is the binding that the extractor calls when a press, a key or the
// wheel arrives in its frame (extension/src/extractor/guard/userinput.ts).
const userBinding = "tabwrightUser"

// named is a Transport that returns the names of the extractor's worlds. Scripts
// of pages do not run there, so they can't call the binding.
type named interface{ WorldNames() []string }

// listenForUser puts the binding into a session's worlds. In a session that
// refuses it, all input counts as our own.
func listenForUser(ctx context.Context, s *sessionState, tr Transport) error {
	n, ok := tr.(named)
	if !ok {
		return nil
	}
	for _, name := range n.WorldNames() {
		_, _ = cdp.Call(ctx, s.cdp, runtime.AddBinding, runtime.AddBindingParams{Name: userBinding, ExecutionContextName: name})
	}
	return ctx.Err()
}

// inputSlack is how much later than the end of our own input an event of it may
// seem to have been made, since its report takes time.
const inputSlack = 250 * time.Millisecond

// guardedKey marks a context whose input the page expects.
type guardedKey struct{}

// Guarded marks ctx for input that guards expect in every frame. The extractor
// does not report input while they do, so the time of this input need not count
// as ours, and a user is noticed between two acts in quick succession.
func Guarded(ctx context.Context) context.Context {
	return context.WithValue(ctx, guardedKey{}, true)
}

func isGuarded(ctx context.Context) bool { return ctx.Value(guardedKey{}) != nil }

// inputs tells our own unguarded input from a user's by time: input that was
// made while we sent some counts as ours. A user's input in the same moment is
// not recognized; the guard in the page stops it.
type inputs struct {
	open   int       // inputs being sent
	from   time.Time // when the first of a run of inputs was sent
	until  time.Time // when the last of the run was done
	before [2]time.Time
	userAt time.Time // when the user's last input was made
}

// ours notes that input of our own is being sent until done is called.
func (t *Tab) ours() (done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	in := &t.inputs
	if in.open == 0 && now.After(in.until.Add(inputSlack)) {
		in.before = [2]time.Time{in.from, in.until}
		in.from = now
	}
	in.open++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		in.open--
		in.until = time.Now()
	}
}

// mine reports whether an event that was made at that time is our own.
func (in *inputs) mine(at time.Time) bool {
	within := func(from, until time.Time) bool {
		return !from.IsZero() && at.After(from.Add(-inputSlack/5)) && !at.After(until.Add(inputSlack))
	}
	return in.open > 0 && within(in.from, at) || within(in.from, in.until) || within(in.before[0], in.before[1])
}

func (t *Tab) bindingCalled(_ string, p runtime.EventBindingCalled) bool {
	if p.Name != userBinding {
		return false
	}
	at, said, ok := whenMade(p.Payload, time.Now())
	if !ok || t.inputs.mine(at) || t.inputs.mine(said) || !at.After(t.inputs.userAt) {
		return false
	}
	t.inputs.userAt = at
	return true
}

// whenMade returns when an event was made. The extractor reports how many
// milliseconds the event had waited, and the page's clock at the report. at is
// computed from the first, as if the report took no time. said is computed from
// the second: it is right even if the host was busy, as long as both have the
// same clock.
func whenMade(payload string, now time.Time) (at, said time.Time, ok bool) {
	age, clock, _ := strings.Cut(payload, " ")
	waited, err := strconv.ParseInt(age, 10, 64)
	if err != nil || waited < 0 {
		return at, said, false
	}
	at = now.Add(-time.Duration(waited) * time.Millisecond)
	if ms, err := strconv.ParseInt(clock, 10, 64); err == nil {
		said = time.UnixMilli(ms - waited)
	}
	return at, said, true
}

// UserInputAt returns when a user last pressed, typed or scrolled in this tab
// while it was attached, or zero if never.
func (t *Tab) UserInputAt() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inputs.userAt
}
