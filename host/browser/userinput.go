package browser

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// userBinding is what the extractor calls when a press, a key or the wheel
// arrives in its frame (extension/src/extractor/guard/userinput.ts).
const userBinding = "tabwrightPerson"

// named is a Transport that names the extractor's worlds. Pages' scripts run in
// none of them, so they can't call the binding.
type named interface{ WorldNames() []string }

// listenForUser puts the binding into a session's worlds. Without it, as in a
// session that refuses, all input is taken to be our own.
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

// inputSlack is how much later than the end of our own input an event may seem
// to have been made, by the way of the news of it.
const inputSlack = 250 * time.Millisecond

// guardedKey marks a context whose input the page expects.
type guardedKey struct{}

// Guarded is for input that guards wait for in every frame: the extractor does
// not tell of what comes while they do, so its time is not counted as ours, and
// a user is noticed between two acts that follow each other fast.
func Guarded(ctx context.Context) context.Context {
	return context.WithValue(ctx, guardedKey{}, true)
}

func isGuarded(ctx context.Context) bool { return ctx.Value(guardedKey{}) != nil }

// inputs tells our own input from a user's where no guard does, by time: what
// was made while we sent some is ours. What a user does in the same moment is
// not told apart, and the guard in the page stops it.
type inputs struct {
	open   int       // being sent
	from   time.Time // when the first of a run of them was sent
	until  time.Time // when the last of it was done
	before [2]time.Time
	person time.Time // when the user's last input was made
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

// mine tells whether an event that was made then is our own.
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
	if !ok || t.inputs.mine(at) || t.inputs.mine(said) || !at.After(t.inputs.person) {
		return false
	}
	t.inputs.person = at
	return true
}

// whenMade reads what the extractor tells of an event: how many milliseconds it
// had waited, and the page's clock when it said so. By the first it was made at
// at, if the news took no time; by the second at said, which is right however
// busy the host was since, where both have one clock.
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

// UserInputAt is when a user last pressed, typed or scrolled in this tab, as far
// as it was seen while the tab was attached; zero if never.
func (t *Tab) UserInputAt() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inputs.person
}
