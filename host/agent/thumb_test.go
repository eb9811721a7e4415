package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// photographer are Hands whose pictures say which acts came before them.
type photographer struct {
	fakeHands
	takes time.Duration
}

func (p *photographer) Thumb(ctx context.Context) ([]byte, error) {
	before := strings.Join(p.names(), " ")
	select {
	case <-time.After(p.takes):
		return []byte(before), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pictured is a Record that keeps the pictures.
type pictured struct {
	*fakeRecord
	mu   sync.Mutex
	kept []string
}

func (p *pictured) Thumbs() bool { return true }
func (p *pictured) KeepThumb(step int, jpeg []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept, fmt.Sprintf("%d %s", step, jpeg))
	return nil
}

// Each step that is said to have a picture has one of the page as it left it: where
// the model answers at once, where it gives several acts in one reply, and where the
// task ends with it. One that takes too long holds up one act and no second.
func TestStepsHavePicturesOfAFastModel(t *testing.T) {
	for name, c := range map[string]struct {
		takes   time.Duration
		want    string
		atMost  time.Duration
		budget  int
		replies script
	}{
		"one act a reply": {200 * time.Millisecond, "1 a; 2 a b; 3 a b c", time.Second, 0, script{
			calls(act("a", `{}`)), calls(act("b", `{}`)), calls(act("c", `{}`)), done("ok"),
		}},
		"several": {200 * time.Millisecond, "1 a; 2 a b; 3 a b c", time.Second, 0, script{calls(act("a", `{}`), act("b", `{}`), act("c", `{}`)), done("ok")}},
		"the task ends": {200 * time.Millisecond, "1 a; 2 a b", time.Second, 2, script{
			calls(act("a", `{}`)), calls(act("b", `{}`)), words("Two steps were taken."),
		}},
		"none comes in time": {time.Hour, "", thumbTime + time.Second, 0, script{
			calls(act("a", `{}`)), calls(act("b", `{}`)), calls(act("c", `{}`), act("d", `{}`)), done("ok"),
		}},
		"a slow model": {200 * time.Millisecond, "1 a; 2 a b", 3 * time.Second, 0, script{
			calls(act("a", `{}`)), thinks(calls(act("b", `{}`))), thinks(done("ok")),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rec := &pictured{fakeRecord: newRecord()}
				h, began := &photographer{takes: c.takes}, time.Now()
				err := Run(t.Context(), Options{
					Text: "x", Model: &fakeModel{script: c.replies}, Executor: h, Record: rec, User: NewUserChannel(rec), Budget: Budget{Steps: c.budget},
				})
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(rec.kept, "; "); got != c.want {
					t.Errorf("pictures: %s; want %s", got, c.want)
				}
				if took := time.Since(began); took > c.atMost {
					t.Errorf("it took %s", took)
				}
				if n := strings.Count(c.want, ";"); c.want != "" {
					said := slices.DeleteFunc(slices.Clone(rec.events), func(ev wire.Event) bool { return ev.Type != wire.EvToolResult || !ev.Step.Thumb })
					if len(said) != n+1 {
						t.Errorf("of %d steps it is said that they have one", len(said))
					}
				}
			})
		})
	}
}

// thinks is a reply that takes a second of the test's own clock.
func thinks(then func(llm.Request) (*llm.Reply, error)) func(llm.Request) (*llm.Reply, error) {
	return func(r llm.Request) (*llm.Reply, error) {
		<-time.After(time.Second)
		return then(r)
	}
}

var _ camera = (*action.Session)(nil)
