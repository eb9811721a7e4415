package action

import (
	"fmt"
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestDeltaAfterAnAct: the result of an act tells what came, what went and what
// changed, under the indices that the list before it has and the list after it
// will have: the same node keeps its own wherever it is put, and no other gets it.
func TestDeltaAfterAnAct(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "delta.html")
		indices := func() map[string]int {
			t.Helper()
			out := map[string]int{}
			for _, e := range l.observe().Elements.Elements {
				out[e.Role+" "+e.Name] = e.Index
			}
			return out
		}
		before := indices()
		res := l.ok("click", p{"index": before["button Show 3 offers"]})
		after := indices()
		for _, kept := range []string{"link Blue mug", "button Remove mug", "checkbox Gift wrap", "button Other"} {
			if before[kept] == 0 || after[kept] != before[kept] {
				t.Errorf("%s was [%d] and is [%d]", kept, before[kept], after[kept])
			}
		}
		if after["button Show 2 offers"] != before["button Show 3 offers"] {
			t.Errorf("a button of another name is another: [%d], [%d]", before["button Show 3 offers"], after["button Show 2 offers"])
		}
		if after["link Plate"] != 0 || after["button Remove plate"] != 0 {
			t.Errorf("what went is listed: %v", after)
		}
		for _, came := range []string{"link Red cup", "button Remove cup"} {
			for name, i := range before {
				if i == after[came] {
					t.Errorf("%s has [%d], which was %s", came, i, name)
				}
			}
		}
		_, news, _ := strings.Cut(res.Effect, "new: ")
		news, gone, _ := strings.Cut(news, "gone: ")
		for _, want := range []struct{ in, what string }{
			{res.Effect, fmt.Sprintf(`button "Show 2 offers" [%d] "Show 3 offers" → "Show 2 offers"`, before["button Show 3 offers"])},
			{res.Effect, fmt.Sprintf(`checkbox "Gift wrap" [%d] checked "false" → "true"`, before["checkbox Gift wrap"])},
			{news, fmt.Sprintf(`listitem "Red cup": link "Red cup" [%d]`, after["link Red cup"])},
			{news, fmt.Sprintf(`button "Remove cup" [%d]`, after["button Remove cup"])},
			{gone, `listitem "Plate"`},
		} {
			if !strings.Contains(want.in, want.what) {
				t.Errorf("not told: %s\n%s", want.what, res.Effect)
			}
		}
		if strings.Contains(news+gone, "Blue mug") || strings.Contains(res.Effect, `"Other"`) {
			t.Errorf("what stayed is told: %s", res.Effect)
		}
		l.fails(StaleRef, "click", p{"index": before["button Remove plate"]})
	})
}
