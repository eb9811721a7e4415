package action

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"tabwright/safety"
)

// TestExplainSaysWhatTheActIsJudged: what explain says of an act is what the act is then
// judged as, with the same class, level and reasons, on every page and by every road of
// the adversary that begins with one act.
func TestExplainSaysWhatTheActIsJudged(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	pages := append(slices.Clone(scenarios), scenario{name: "refusals", body: denials, target: "b"})
	names := []string{"click", "Enter", "Space", "type", "type and send", "field, send", "select", "check", "uncheck", "drag", "upload", "script: click", "address", "letters", "arrows", "halves of a click", "double click"}
	compared, asked := 0, 0
	for i, sc := range pages {
		if os.Getenv(everything) == "" && i%4 != 0 {
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			l := w.live(t, chromium.d, sc.body)
			for _, name := range names {
				steps := roads(sc.target, w.at("a.test", "/evil/order"))[name]
				n := 0
				if steps[0].action == "focus" {
					n = 1
				}
				for _, s := range steps[:n] {
					s.run(l)
				}
				raw, err := json.Marshal(steps[n].params)
				if err != nil {
					t.Fatal(err)
				}
				call := Call{Name: steps[n].action, Params: raw}
				told := l.Explain(context.Background(), call)
				cards := len(l.person.cards)
				res := l.Do(context.Background(), call)
				l.same(t, name, told, res, l.person.cards[cards:])
				compared++
				asked += min(1, len(l.person.cards)-cards)
				l.fresh(t)
			}
		})
	}
	t.Logf("%d acts, %d asked about", compared, asked)
	if asked < compared/4 || asked == compared {
		t.Errorf("%d of %d acts were asked about: they compare little", asked, compared)
	}
}

// same compares an explanation with what became of the act.
func (l *live) same(t *testing.T, name string, told, res Result, cards []Card) {
	t.Helper()
	e, ok := told.Data.(*Explanation)
	if !ok {
		if res.Err == nil || told.Err == nil || told.Err.Code != res.Err.Code {
			t.Errorf("%s: explained as %v, done as %v", name, told.Err, res.Err)
		}
		return
	}
	requested := func(d safety.Decision) bool {
		return slices.ContainsFunc(d.Reasons, func(r safety.Reason) bool { return r.Rule == "request" })
	}
	switch {
	case len(cards) > 0 && !requested(cards[0].Decision):
		d := cards[0].Decision
		if e.Level != d.Level.String() || e.Class != d.Class || !reflect.DeepEqual(e.Reasons, d.Reasons) || e.Amount != d.Amount || !reflect.DeepEqual(e.Details, d.Details) {
			t.Errorf("%s: explained as %s %s %v %v, asked about as %s %s %v %v", name, e.Level, e.Class, e.Reasons, e.Details, d.Level, d.Class, d.Reasons, d.Details)
		}
	case res.Err != nil && res.Err.Code == Blocked:
		if e.Level != safety.Block.String() {
			t.Errorf("%s: explained as %s, and blocked: %v", name, e.Level, res.Err)
		}
	case e.level >= safety.Confirm:
		t.Errorf("%s: explained as %s %s, and not asked about: %v", name, e.Level, e.Class, res.Err)
	case len(cards) == 0 && res.Err == nil && res.Level != e.level: // a request may have raised it later
		t.Errorf("%s: explained as %s, done as %s", name, e.Level, res.Level)
	}
}

// fresh loads the page again, and forgets what was refused.
func (l *live) fresh(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	l.mu.Lock()
	l.denials, l.stopped = nil, nil
	l.mu.Unlock()
	for range 3 { // a double click opens two
		if l.tab.Dialog() == nil {
			break
		}
		step{"handleDialog", p{"accept": false}}.run(l)
		l.mu.Lock()
		l.denials = nil
		l.mu.Unlock()
	}
	if err := l.tab.Navigate(ctx, l.at("a.test", "/page")); err != nil {
		t.Fatal(err)
	}
}
