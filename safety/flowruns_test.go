package safety

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRunsAgree holds the quick looks against the expressions that they stand
// for or go before: none may pass over what the expression finds.
func TestRunsAgree(t *testing.T) {
	base64Run := regexp.MustCompile(`[A-Za-z0-9+/_-]{8,}={0,2}`)
	base32Run := regexp.MustCompile(`[A-Za-z2-7]{8,}={0,6}`)
	signs := []string{
		"0", "1", "7", "9", "a", "f", "B", "z", "=", "==", "+", "/", "-", "_", " ", ":", "%", "x", "0x", ".", "·", "•", "−", "–", "*", "|", ",", "\n", "é", "字",
		"48 ", "6f6e", "secr3tZZ", "... ", "--- ", "12,", "104.",
	}
	r := rand.New(rand.NewPCG(7, 11))
	found := map[string]int{}
	for range 40_000 {
		var b strings.Builder
		most, kind := 1+r.IntN(24), r.IntN(len(signs)) // a few signs only: what is found must be common
		for range most {
			b.WriteString(signs[(kind+r.IntN(5))%len(signs)])
		}
		s := b.String()
		for name, x := range map[string]struct {
			have []string
			want *regexp.Regexp
		}{"base64": {runsOf(s, isBase64), base64Run}, "base32": {runsOf(s, isBase32), base32Run}} {
			var want []string
			for _, w := range x.want.FindAllString(s, maxRuns) {
				want = append(want, strings.TrimRight(w, "="))
			}
			if !slices.Equal(x.have, want) {
				t.Fatalf("%s of %q: %q, the expression finds %q", name, s, x.have, want)
			}
			found[name] += len(want)
		}
		for name, x := range map[string]struct {
			may  bool
			want *regexp.Regexp
		}{
			"hex": {mayBeHex(s), hexRun}, "codes": {digitsIn(s) >= 2*shortestRun, codeRun},
			"addresses": {strings.Contains(s, "//"), addressIn}, "escapes": {strings.Contains(s, `\`), uEscape},
		} {
			if hit := x.want.MatchString(s); hit {
				found[name]++
				if !x.may {
					t.Fatalf("%s: %q would be passed over", name, s)
				}
			}
		}
	}
	for _, name := range []string{"base64", "base32", "hex", "codes"} {
		if found[name] < 20 {
			t.Errorf("%s: found %d times, too seldom to say anything", name, found[name])
		}
	}
}
