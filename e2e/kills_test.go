package e2e

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/control"
	"tabwright/host/native"
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
	shown                 map[shownKey]string // events that a viewer has seen
}

type shownKey struct {
	task string
	seq  uint64
}

// TestKills kills the broker, again and again, under tasks of 20 steps on a
// site that counts each submit. Half of the kills come at a random instant, half
// right after a step was shown to begin, which is around its input. Each submit
// is sent at most once; where the page shows what came of it the task goes on,
// where it does not the person is asked, who looks at the site's own count; all
// tasks are finished, and what was shown of a step is in the journal.
//
// TABWRIGHT_KILLS is how many, TABWRIGHT_SEED when.
func TestKills(t *testing.T) {
	number, seed := killsOf(t, 15)
	k := newKiller(t, number, seed, &clerk{done: map[string]bool{}})
	kinds := []string{moves, tells, silent}
	each := min(8, (number+len(kinds)-1)/len(kinds)) // so that all kinds have their share
	for run := 0; k.kills < number; run++ {
		k.task(kinds[run%len(kinds)], strconv.Itoa(run), min(number, k.kills+each))
	}
	k.sums()
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
	k.t.Logf("%d kills (%d around an input), %d submits, %d times resumed; asked before doing it again: %v",
		k.kills, k.aimed, len(k.site.sent), k.resumed, k.twice)
}

func newKiller(t *testing.T, number int, seed int64, brain standin.Brain) *killer {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit+time.Duration(number)*8*time.Second)
	t.Cleanup(cancel)
	k := &killer{t: t, ctx: ctx, site: &ledger{sent: map[string]int{}}, twice: map[string]int{}, shown: map[shownKey]string{}, rand: rand.New(rand.NewPCG(uint64(seed), 1))} //nolint:gosec // a test's dice
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
func (k *killer) dial() *control.Client {
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
	var info native.TaskInfo
	k.must(c.Call(k.ctx, native.MethodTaskStart, native.TaskStartParams{
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
	k.kept(info.Task)
}

// resume takes the task up again, once the browser is connected.
func (k *killer) resume(c *control.Client, task string) {
	k.t.Helper()
	for {
		call, cancel := context.WithTimeout(k.ctx, 30*time.Second)
		err := c.Call(call, native.MethodTaskResume, native.TaskParams{Task: task}, nil)
		cancel()
		if err == nil {
			k.resumed++
			return
		}
		var list native.TaskList
		k.must(c.Call(k.ctx, native.MethodTaskList, native.Empty{}, &list))
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
func (k *killer) watch(c *control.Client, task string, most int) (killed bool) {
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
	end, err := c.Follow(ctx, task, func(ev native.Event) {
		k.hear(ctx, ev, &wg)
		if ev.Type == native.EvToolCall && fresh(ev) {
			if steps--; steps == 0 && aim && k.kills < most {
				k.aimed++
				wg.Go(func() { kill(after) })
			}
		}
	}, nil)
	if err != nil {
		k.must(k.ctx.Err())
		k.kills++
		return true
	}
	if end.Type != native.EvComplete {
		k.t.Fatalf("the task ended with %s: %s", end.Type, end.Text)
	}
	return false
}

// fresh tells what happens now from what happened before the viewer came.
func fresh(ev native.Event) bool {
	return ev.Time > time.Now().Add(-2*time.Second).UnixMilli()
}

// kind is that of the pages that a card is about.
func kind(ev native.Event) string {
	for _, k := range []string{moves, tells, silent} {
		if strings.Contains(ev.Confirm.URL, "/"+k+"/") {
			return k
		}
	}
	return ""
}

// hear takes in an event, and answers what it asks.
func (k *killer) hear(ctx context.Context, ev native.Event, answers *sync.WaitGroup) {
	k.see(ev)
	if ev.Type != native.EvConfirmRequest {
		return
	}
	if ev.Confirm.Class == "repeat" && fresh(ev) { // one of the past is void, and no answer counts
		k.twice[kind(ev)]++
	}
	answers.Go(func() { k.answer(ctx, ev) })
}

// see keeps what a viewer is shown.
func (k *killer) see(ev native.Event) { k.shown[shownKey{ev.Task, ev.Seq}] = k.same(ev) }

// same checks that an event is as it was shown before.
func (k *killer) same(ev native.Event) string {
	ev.Global = 0
	raw, err := json.Marshal(ev)
	k.must(err)
	if old, seen := k.shown[shownKey{ev.Task, ev.Seq}]; seen && old != string(raw) {
		k.t.Errorf("event %d was shown as\n%s\nand is now\n%s", ev.Seq, old, raw)
	}
	return string(raw)
}

// answer is the person, who looks at the site's own count before they say yes.
func (k *killer) answer(ctx context.Context, ev native.Event) {
	e, ok := entryOf(strings.TrimPrefix(ev.Confirm.URL, k.url))
	allow := ok && (!strings.Contains(ev.Confirm.Target, "Save") || k.site.count(e.path()) == 0)
	call, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	// It may be void by now, with its broker.
	_ = k.panel.Call(call, native.MethodConfirm, native.ConfirmAnswer{Task: ev.Task, ID: ev.Confirm.ID, Allow: allow}, nil)
}

// kept checks that all that was shown is in the journal, and each step has its
// result.
func (k *killer) kept(task string) {
	k.t.Helper()
	c := k.dial()
	defer c.Close()
	before := 0
	began, ended := map[int]bool{}, map[int]bool{}
	seen := map[uint64]bool{}
	from := native.SubscribeParams{Task: task}
	for over := false; !over; { // it may have been interrupted on the way
		end, err := c.FollowFrom(k.ctx, from, func(ev native.Event) {
			k.same(ev)
			seen[ev.Seq], from.Seq = true, max(from.Seq, ev.Seq)
			switch ev.Type {
			case native.EvToolCall:
				began[ev.Step.N] = true
			case native.EvToolResult:
				ended[ev.Step.N] = true
			default:
			}
		}, nil)
		k.must(err)
		over = end.Type != native.EvInterrupted
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
}
