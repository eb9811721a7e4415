package safety

import (
	"net/url"
	"os"
	"strings"
	"testing"
)

// TestRequestsOfProducts: how many requests of sets that were written without knowledge of the rules are recognised, by
// themselves and after a press on a control whose words no list knows. First tests: docs/permissions.md.
func TestRequestsOfProducts(t *testing.T) {
	for _, set := range []struct {
		name                                 string
		deeds, harmless                      int
		missed, missedUnknown, needlessCards int // at most
	}{{"first", 208, 202, 25, 1, 5}, {"second", 174, 159, 36, 2, 9}} {
		raw, err := os.ReadFile("testdata/products/" + set.name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for line := range strings.Lines(string(raw)) {
			kind, rest, ok := strings.Cut(strings.TrimSpace(line), "|")
			_, request, ok2 := strings.Cut(rest, "|")
			if !ok || !ok2 {
				continue
			}
			r := parseRequest(request)
			u, err := url.Parse(r.URL)
			if err != nil {
				t.Fatal(err)
			}
			n[kind]++
			page := "https://" + u.Host + "/x"
			if JudgeRequest(r, click(button("Show more"), page), Context{}).Level >= Confirm {
				n[kind+" asked"]++
			}
			if JudgeRequest(r, blindPress(page), Context{}).Level >= Confirm {
				n[kind+" asked after unknown"]++
			}
		}
		missed, unknown := n["deed"]-n["deed asked"], n["deed"]-n["deed asked after unknown"]
		t.Logf("%s: of %d deeds %d missed, after an unknown control %d; of %d harmless ones %d asked", set.name, n["deed"], missed, unknown, n["harmless"], n["harmless asked"])
		if n["deed"] != set.deeds || n["harmless"] != set.harmless || missed > set.missed || unknown > set.missedUnknown || n["harmless asked"] > set.needlessCards {
			t.Errorf("%s: more than %d deeds missed, %d after an unknown control, or %d harmless ones asked", set.name, set.missed, set.missedUnknown, set.needlessCards)
		}
	}
}
