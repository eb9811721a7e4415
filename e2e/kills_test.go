package e2e

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/control/client"
	"tabwright/host/native/wire"
)

// killer runs tasks and kills the broker under them.
type killer struct {
	t     *testing.T
	ctx   context.Context
	rig   *rig.Rig
	panel *rig.Panel
	site  *ledger
	url   string
	rand  *rand.Rand

	kills, aimed, resumed int
	twice                 map[string]int      // questions whether to do something again, by kind
	settled, left         map[string]int      // submits in doubt that the page told of, and that stayed in doubt, by kind
	shown                 map[shownKey]string // events that a viewer has seen
	told                  []string            // the kills, for story
}

type shownKey struct {
	task string
	seq  uint64
}

// TestKills kills the broker, again and again, under tasks of 20 steps on a
// site that counts each submit. Half of the kills come at a random instant, half
// right after a step was shown to begin, which is around its input. Each submit
// is sent at most once; where the page shows what came of it the task goes on,
// where it does not the user is asked, who looks at the site's own count; all
// tasks are finished, and what was shown of a step is in the journal. With a
// hundred kills and more, both kinds of submits must have been in doubt.
//
// TABWRIGHT_KILLS is how many (make kills: 200), TABWRIGHT_SEED when.
func TestKills(t *testing.T) {
	number, seed := killsOf(t, 15)
	k := newKiller(t, number, seed, &clerk{done: map[string]bool{}})
	kinds := []string{moves, tells, silent}
	each := min(8, (number+len(kinds)-1)/len(kinds)) // so that all kinds have their share
	for run := 0; k.kills < number; run++ {
		k.task(kinds[run%len(kinds)], strconv.Itoa(run), min(number, k.kills+each))
	}
	k.sums()
	if shown := k.settled[moves] + k.settled[tells]; number >= 100 && (shown == 0 || k.left[silent] == 0 || k.twice[silent] == 0) {
		t.Errorf("%d submits in doubt were told of by their page and %d of those that show nothing were left so, of which %d questions came: all must have been there",
			shown, k.left[silent], k.twice[silent])
	}
}

// killsOf is how often and with which dice a test kills.
func killsOf(t *testing.T, number int) (kills int, seed int64) {
	t.Helper()
	kills, seed = number, time.Now().UnixNano()
	if n, err := strconv.Atoi(os.Getenv("TABWRIGHT_KILLS")); err == nil {
		kills = n
	}
	if n, err := strconv.ParseInt(os.Getenv("TABWRIGHT_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("TABWRIGHT_KILLS=%d TABWRIGHT_SEED=%d", kills, seed)
	return kills, seed
}

// story is what was shown of all tasks, with the kills and the submits between,
// in the order of their times.
func (k *killer) story() string {
	k.site.mu.Lock()
	defer k.site.mu.Unlock()
	lines := slices.Concat(k.told, k.site.told)
	for _, raw := range k.shown {
		var ev wire.Event
		if json.Unmarshal([]byte(raw), &ev) == nil {
			lines = append(lines, atTime(time.UnixMilli(ev.Time), raw[:min(len(raw), 700)]))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// atTime is a line of a story.
func atTime(at time.Time, text string) string {
	return at.UTC().Format("15:04:05.000 ") + text
}

// killed counts a kill.
func (k *killer) killed(what string) {
	k.kills++
	k.told = append(k.told, atTime(time.Now(), what+" was killed"))
}

// sums checks that nothing was sent twice, and says what happened.
func (k *killer) sums() {
	k.t.Helper()
	k.site.mu.Lock()
	defer k.site.mu.Unlock()
	for path, n := range k.site.sent {
		if n != 1 {
			k.t.Errorf("%s was sent %d times", path, n)
		}
	}
	k.t.Logf("%d kills (%d around an input), %d submits, %d times resumed; in doubt: %v told by their page, %v not; asked before doing it again: %v",
		k.kills, k.aimed, len(k.site.sent), k.resumed, k.settled, k.left, k.twice)
}

func newKiller(t *testing.T, number int, seed int64, brain standin.Brain) *killer {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit+time.Duration(number)*8*time.Second)
	t.Cleanup(cancel)
	k := &killer{t: t, ctx: ctx, site: &ledger{sent: map[string]int{}}, twice: map[string]int{}, settled: map[string]int{}, left: map[string]int{}, shown: map[shownKey]string{}, rand: rand.New(rand.NewPCG(uint64(seed), 1))} //nolint:gosec // a test's dice
	server := httptest.NewServer(k.site)
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	k.must(err)
	k.url = "http://ledger.test:" + port
	model := standin.New(standin.Options{Format: standin.OllamaTools, Brain: brain})
	k.must(model.Err())
	t.Cleanup(model.Close)
	k.rig, err = rig.Start(ctx, rig.Options{
		Headless: true, Env: append(provider(model), "TABWRIGHT_VALIDATOR=off"),
		Args: []string{"--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"},
	})
	k.must(err)
	t.Cleanup(func() {
		if t.Failed() {
			logs := k.rig.Logs()
			t.Log(logs[max(0, len(logs)-20000):])
			t.Log(k.story())
		}
		if err := k.rig.Close(); err != nil {
			t.Error(err)
		}
	})
	k.panel, err = k.rig.OpenPanel(ctx)
	k.must(err)
	return k
}

func (k *killer) must(err error) {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
}

// dial connects to the broker, once there is one.
func (k *killer) dial() *client.Client {
	k.t.Helper()
	for {
		hello, cancel := context.WithTimeout(k.ctx, 5*time.Second)
		c, err := joinBroker(hello, k.rig)
		cancel()
		if err == nil {
			return c
		}
		_ = k.panel.Retry(k.ctx) // a failure is seen by the next dial
		k.sleep(30 * time.Millisecond)
	}
}

// sleep is for what nothing tells of: another process's socket.
func (k *killer) sleep(d time.Duration) {
	k.t.Helper()
	select {
	case <-time.After(d):
	case <-k.ctx.Done():
		k.t.Fatal("the time of the test is over")
	}
}

// task does one task of 20 steps, with kills until there were most of them.
func (k *killer) task(kind, run string, most int) {
	k.t.Helper()
	first := entry{kind, run, 1}
	c := k.dial()
	var info wire.TaskInfo
	k.must(c.Call(k.ctx, wire.MethodTaskStart, wire.TaskStartParams{
		Text: "Save each of the entries at " + k.url + first.path() + ", one after the other.", URL: k.url + first.path(), Lang: "en",
	}, &info))
	for {
		killed := k.watch(c, info.Task, most)
		_ = c.Close() // its broker may be dead
		if !killed {
			break
		}
		c = k.dial()
		k.resume(c, info.Task)
	}
	for n := 1; n <= entries; n++ {
		if got := k.site.count(entry{kind, run, n}.path()); got != 1 {
			k.t.Errorf("%s, entry %d was sent %d times", kind, n, got)
		}
	}
	unasked := k.kept(info.Task).count(k)
	if len(unasked) > 0 {
		k.t.Errorf("nobody was asked about submits whose outcome no page shows: %q", unasked)
	}
}

// doubts are the submits of a task of which a cut left open what came of them.
type doubts struct {
	open  int               // the step under way
	url   map[int]string    // of each step that is a submit
	state map[int]string    // its outcome, once it was in doubt
	asked map[string]string // pages about which a question came, whether to do it again
	cut   bool              // since the last step began
}

func newDoubts() *doubts {
	return &doubts{url: map[int]string{}, state: map[int]string{}, asked: map[string]string{}}
}

// take takes in a task's events, in order.
func (d *doubts) take(ev wire.Event) {
	switch ev.Type {
	case wire.EvToolCall:
		d.open, d.cut = ev.Step.N, false
		d.url[ev.Step.N] = ev.Step.URL
	case wire.EvResumed:
		d.cut = true
	case wire.EvConfirmRequest:
		if ev.Confirm.Class == "repeat" {
			d.asked[ev.Confirm.URL] = ev.Confirm.Target
		}
	case wire.EvToolResult:
		s := ev.Step
		sent := s.Error == nil || s.Outcome == "unknown"
		if _, was := d.state[s.N]; strings.Contains(s.Target, "Save entry") && sent && (s.Outcome == "unknown" || was || d.cut && s.N == d.open) {
			d.state[s.N] = s.Outcome
		}
		d.cut = d.cut && s.N != d.open
	default:
	}
}

// count adds up, and gives the pages that show no outcome of what was in doubt on
// them and about which nobody was asked.
func (d *doubts) count(k *killer) (unasked []string) {
	for n, outcome := range d.state {
		e, _ := entryOf(strings.TrimPrefix(d.url[n], k.url))
		if outcome != "unknown" {
			k.settled[e.kind]++
			if e.kind == silent {
				k.t.Errorf("what came of %s was taken from a page that shows nothing", d.url[n])
			}
			continue
		}
		k.left[e.kind]++
		if _, asked := d.asked[d.url[n]]; e.kind == silent && !asked {
			unasked = append(unasked, d.url[n])
		}
	}
	return unasked
}

// resume takes the task up again, once the browser is connected.
func (k *killer) resume(c *client.Client, task string) {
	k.t.Helper()
	for {
		call, cancel := context.WithTimeout(k.ctx, 30*time.Second)
		err := c.Call(call, wire.MethodTaskResume, wire.TaskParams{Task: task}, nil)
		cancel()
		if err == nil {
			k.resumed++
			return
		}
		var list wire.TaskList
		k.must(c.Call(k.ctx, wire.MethodTaskList, wire.Empty{}, &list))
		for _, t := range list.Tasks {
			if t.Task == task && !t.Resumable {
				return // it had ended when the broker died
			}
		}
		k.t.Logf("resume: %v", err)
		k.sleep(100 * time.Millisecond)
	}
}

// watch follows a task to its end, or kills the broker on the way.
func (k *killer) watch(c *client.Client, task string, most int) (killed bool) {
	k.t.Helper()
	ctx, cancel := context.WithCancel(k.ctx)
	defer cancel()
	aim := k.rand.IntN(2) == 0
	steps := 1 + k.rand.IntN(4)
	kill := func(after time.Duration) {
		select {
		case <-time.After(after):
			if err := syscall.Kill(c.Hello.PID, syscall.SIGKILL); err == nil {
				cancel()
			}
		case <-ctx.Done():
		}
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	if k.kills < most && !aim {
		at := time.Duration(k.rand.IntN(1500)) * time.Millisecond
		wg.Go(func() { kill(at) })
	}
	after := time.Duration(k.rand.IntN(80)) * time.Millisecond
	end, err := c.Follow(ctx, task, func(ev wire.Event) {
		k.hear(ctx, ev, &wg)
		if ev.Type == wire.EvToolCall && fresh(ev) {
			if steps--; steps == 0 && aim && k.kills < most {
				k.aimed++
				wg.Go(func() { kill(after) })
			}
		}
	}, nil)
	if err != nil {
		k.must(k.ctx.Err())
		k.killed("the broker")
		return true
	}
	if end.Type != wire.EvComplete {
		k.t.Fatalf("the task ended with %s: %s", end.Type, end.Text)
	}
	return false
}

// fresh tells what happens now from what happened before the viewer came.
func fresh(ev wire.Event) bool {
	return ev.Time > time.Now().Add(-2*time.Second).UnixMilli()
}

// kind is that of the pages that a card is about.
func kind(ev wire.Event) string {
	for _, k := range []string{moves, tells, silent} {
		if strings.Contains(ev.Confirm.URL, "/"+k+"/") {
			return k
		}
	}
	return ""
}

// hear takes in an event, and answers what it asks.
func (k *killer) hear(ctx context.Context, ev wire.Event, answers *sync.WaitGroup) {
	k.see(ev)
	if ev.Type != wire.EvConfirmRequest {
		return
	}
	if ev.Confirm.Class == "repeat" && fresh(ev) { // one of the past is void, and no answer counts
		k.twice[kind(ev)]++
	}
	answers.Go(func() { k.answer(ctx, ev) })
}

// see keeps what a viewer is shown.
func (k *killer) see(ev wire.Event) { k.shown[shownKey{ev.Task, ev.Seq}] = k.same(ev) }

// same checks that an event is as it was shown before.
func (k *killer) same(ev wire.Event) string {
	ev.Global = 0
	raw, err := json.Marshal(ev)
	k.must(err)
	if old, seen := k.shown[shownKey{ev.Task, ev.Seq}]; seen && old != string(raw) {
		k.t.Errorf("event %d was shown as\n%s\nand is now\n%s", ev.Seq, old, raw)
	}
	return string(raw)
}

// answer is the user, who looks at the site's own count before they say yes.
func (k *killer) answer(ctx context.Context, ev wire.Event) {
	e, ok := entryOf(strings.TrimPrefix(ev.Confirm.URL, k.url))
	allow := ok && (!strings.Contains(ev.Confirm.Target, "Save") || k.site.count(e.path()) == 0)
	call, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	// It may be void by now, with its broker.
	_ = k.panel.Call(call, wire.MethodConfirm, wire.ConfirmAnswer{Task: ev.Task, ID: ev.Confirm.ID, Allow: allow}, nil)
}

// kept checks that all that was shown is in the journal, and each step has its
// result. It gives what was in doubt.
func (k *killer) kept(task string) *doubts {
	k.t.Helper()
	in := newDoubts()
	c := k.dial()
	defer c.Close()
	before := 0
	began, ended := map[int]bool{}, map[int]bool{}
	seen := map[uint64]bool{}
	from := wire.SubscribeParams{Task: task}
	for over := false; !over; { // it may have been interrupted on the way
		end, err := c.FollowFrom(k.ctx, from, func(ev wire.Event) {
			k.same(ev)
			seen[ev.Seq], from.Seq = true, max(from.Seq, ev.Seq)
			in.take(ev)
			switch ev.Type {
			case wire.EvToolCall:
				began[ev.Step.N] = true
			case wire.EvToolResult:
				ended[ev.Step.N] = true
			default:
			}
		}, nil)
		k.must(err)
		over = end.Type != wire.EvInterrupted
	}
	for key, raw := range k.shown {
		if key.task != task {
			continue
		}
		before++
		if !seen[key.seq] {
			k.t.Errorf("event %d was shown and is lost: %s", key.seq, raw)
		}
	}
	for n := range began {
		if !ended[n] {
			k.t.Errorf("step %d has no result", n)
		}
	}
	if before == 0 {
		k.t.Error("nothing was shown")
	}
	return in
}
