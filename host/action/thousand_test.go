package action

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

const (
	thousand   = 1000
	mustLand   = 990
	thousandIn = 8 * time.Minute // a bound; two minutes are usual
)

// thousandKinds are the changes of testdata/thousand.html.
var thousandKinds = []string{"rerender", "same-rerender", "shuffle", "recycled", "numbers", "same", "counters", "swap", "banner", "hover"}

// tally counts what became of the clicks.
type tally struct {
	clicks, landed, first, wrong, gone, missed int
	refused                                    map[Code]int
}

// TestThousandClicks clicks in pages that change under it: none may land on an
// element other than the one that was named, nearly all must land within one
// retry, and few elements may go away before. It clicks a thousand times directly,
// through the relay, and with Chrome's own debugger and tabs API
// (TestThousandClicksThroughTheExtension), with TABWRIGHT_THOUSAND=1 (make clicks)
// or when nothing is to be left out; else 400, 100 and 100 times.
func TestThousandClicks(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		clickSome(t, d, map[string]int{"direct": 400, "relay": 100}[d.Kind()])
	})
}

func TestThousandClicksThroughTheExtension(t *testing.T) {
	startChromium(t)
	clickSome(t, realRelay(t), 100)
}

// clickSome clicks fewer times, unless all are asked for; of so few, one that
// misses counts for more.
func clickSome(t *testing.T, d browser.Driver, clicks int) {
	t.Helper()
	land := 970
	if os.Getenv("TABWRIGHT_THOUSAND") != "" || os.Getenv(everything) != "" {
		clicks, land = thousand, mustLand
	}
	clickMuch(t, d, clicks, land)
}

// clickMuch clicks that often, on each kind of page as often as on the others;
// of a thousand that many must land.
func clickMuch(t *testing.T, d browser.Driver, clicks, land int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), thousandIn)
	defer cancel()
	sum := tally{refused: map[Code]int{}}
	begin := time.Now()
	ran := 0 // -run may pick some kinds
	for n, kind := range thousandKinds {
		t.Run(kind, func(t *testing.T) {
			c := &clicker{live: openLive(t, d, fmt.Sprintf("thousand.html?kind=%s&seed=%d", kind, n+1)), kind: kind, ctx: ctx, rnd: rand.New(rand.NewPCG(1, uint64(n)))} //nolint:gosec // the same clicks each time
			c.refused = map[Code]int{}
			ran++
			began := time.Now()
			for range clicks / len(thousandKinds) {
				c.once(&c.tally)
			}
			t.Logf("%s in %s", c.tally, time.Since(began).Round(time.Millisecond))
			sum.add(c.tally)
		})
	}
	t.Logf("all: %s in %s", sum, time.Since(begin).Round(time.Millisecond))
	if sum.wrong > 0 {
		t.Errorf("%d clicks reached another element than the one named", sum.wrong)
	}
	// An element that went away before it could be clicked can't be landed on;
	// these pages keep nearly all.
	want := ran * clicks / len(thousandKinds)
	if still := sum.clicks - sum.gone; sum.landed*thousand < land*still {
		t.Errorf("%d of %d clicks landed within one retry, want %d of %d", sum.landed, still, land, thousand)
	}
	if ran == len(thousandKinds) && sum.landed*thousand < land*clicks {
		t.Errorf("%d of %d clicks landed within one retry, want %d of %d", sum.landed, sum.clicks, land, thousand)
	}
	if sum.clicks != want {
		t.Errorf("%d clicks were tried, want %d", sum.clicks, want)
	}
}

func (t tally) String() string {
	var codes []string
	for _, c := range slices.Sorted(maps.Keys(t.refused)) {
		codes = append(codes, fmt.Sprintf("%s %d", c, t.refused[c]))
	}
	return fmt.Sprintf("clicked %d, landed %d (%d at once), wrong %d, element gone %d, missed %d; refused at first: %s",
		t.clicks, t.landed, t.first, t.wrong, t.gone, t.missed, strings.Join(codes, ", "))
}

func (t *tally) add(o tally) {
	t.clicks += o.clicks
	t.landed += o.landed
	t.first += o.first
	t.wrong += o.wrong
	t.gone += o.gone
	t.missed += o.missed
	for c, n := range o.refused {
		t.refused[c] += n
	}
}

// clicker names items of one page and clicks them.
type clicker struct {
	*live
	tally
	kind string
	ctx  context.Context
	rnd  *rand.Rand
}

// pageTell is what the page says of itself.
type pageTell struct {
	Hits []struct {
		Type string `json:"type"`
		Key  string `json:"key"`
	} `json:"hits"`
	Keys []string `json:"keys"`
}

func (c *clicker) take() pageTell {
	c.t.Helper()
	raw, err := c.tab.Evaluate(c.ctx, "take()")
	var out pageTell
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// items are the clickable items of a fresh list, by key. Items of one name
// are told apart by where they stand, as the list shows it: in order.
func (c *clicker) items() map[string]pagecontext.Element {
	c.t.Helper()
	for {
		before := c.take().Keys
		o, err := c.Observe(c.ctx, ObserveOptions{Full: true})
		if err != nil {
			c.t.Fatal(err)
		}
		if !slices.Equal(before, c.take().Keys) {
			continue // it changed in the middle: this list may name rows that are gone
		}
		out := map[string]pagecontext.Element{}
		n := 0
		for _, e := range o.Elements.Elements {
			if e.Role != "button" {
				continue
			}
			key := strings.TrimPrefix(e.Name, "Open ")
			switch {
			case e.Name == "Add":
				key = before[n]
			case c.kind == "numbers":
				key = "I" + strings.TrimPrefix(key, "i")
			case c.kind == "counters":
				key, _, _ = strings.Cut(key, " (")
			}
			out[key] = e
			n++
		}
		if len(out) == 0 {
			c.t.Fatalf("no items in\n%s", o.Text)
		}
		return out
	}
}

// once names one item and clicks it, and once more where that was refused.
func (c *clicker) once(sum *tally) {
	c.t.Helper()
	items := c.items()
	keys := slices.Sorted(maps.Keys(items))
	key := keys[c.rnd.IntN(len(keys))]
	sum.clicks++
	for try := range 2 {
		e, ok := items[key]
		if !ok {
			sum.gone++
			return
		}
		if try == 0 && c.rnd.IntN(2) == 0 {
			if _, err := c.tab.Evaluate(c.ctx, "turn(), 0"); err != nil {
				c.t.Fatal(err)
			}
		}
		res := c.Do(c.ctx, Call{Name: "click", Params: json.RawMessage(fmt.Sprintf(`{"index":%d}`, e.Index))})
		tell := c.take()
		landed := false
		for _, h := range tell.Hits {
			if h.Key != key {
				sum.wrong++
				c.t.Errorf("named %q, but the page saw %s on %q: %s", key, h.Type, h.Key, res.Text)
				return
			}
			landed = landed || h.Type == "click"
		}
		switch {
		case landed:
			sum.landed++
			if try == 0 {
				sum.first++
			}
			return
		case res.Err == nil:
			sum.missed++
			c.t.Errorf("said to be clicked, but %q got no click: %s", key, res.Text)
			return
		case res.Err.Message == "" || res.Err.Hint == "":
			c.t.Errorf("a refusal that explains nothing: %+v", res.Err)
		}
		if try == 0 {
			sum.refused[res.Err.Code]++
			if !slices.Contains(tell.Keys, key) {
				sum.gone++
				return
			}
			items = c.items()
			continue
		}
		c.t.Logf("refused twice: %q: %s", key, res.Text)
	}
}
