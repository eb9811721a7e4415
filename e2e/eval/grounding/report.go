package grounding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// questionKinds in the order of the table.
var questionKinds = []string{KindRow, KindState, KindGroup, KindOrder, KindMeaning, KindValue, KindIcon}

// Report writes the records as Markdown tables, a line a model, form and answer.
func Report(records []Record) string {
	type group struct{ model, form, answer string }
	groups := map[group][]Record{}
	var order []group
	for _, r := range records {
		g := group{r.Model, r.Form, r.Answer}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], r)
	}
	slices.SortStableFunc(order, func(a, b group) int {
		if a.model != b.model {
			return strings.Compare(a.model, b.model)
		}
		x, y := rate(groups[a], isRight), rate(groups[b], isRight)
		return cmp.Compare(y, x)
	})
	var b strings.Builder
	b.WriteString("| model | form | answer | questions | right | 95 % | wrong in the right row | tokens a page, median | 95th | outside the list | unreadable | not told | s a question |\n|" + strings.Repeat("---|", 13) + "\n")
	for _, g := range order {
		rs := groups[g]
		low, high := Wilson(count(rs, isRight), len(rs))
		tokens := pageTokens(rs)
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %.0f–%.0f %% | %s | %d | %d | %d | %d | %d | %.1f |\n", g.model, g.form, g.answer, len(rs), percent(rs, isRight),
			100*low, 100*high, percent(rs, func(r Record) bool { return r.Beside }), quantile(tokens, 0.5), quantile(tokens, 0.95), count(rs, func(r Record) bool { return r.Outside && !r.Unread }),
			count(rs, func(r Record) bool { return r.Unread }), count(rs, func(r Record) bool { return r.Untold }), quantile(seconds(rs), 0.5))
	}
	lengths := []struct {
		name     string
		from, to int
	}{{"up to 45", 0, 45}, {"46–80", 46, 80}, {"over 80", 81, math.MaxInt}}
	b.WriteString("\n| model | form | answer |")
	for _, k := range questionKinds {
		fmt.Fprintf(&b, " %s |", k)
	}
	for _, l := range lengths {
		fmt.Fprintf(&b, " %s elements |", l.name)
	}
	b.WriteString(" below the fold | en | zh |\n|" + strings.Repeat("---|", 6+len(questionKinds)+len(lengths)) + "\n")
	for _, g := range order {
		rs := groups[g]
		cell := func(want func(Record) bool) {
			var some []Record
			for _, r := range rs {
				if want(r) {
					some = append(some, r)
				}
			}
			fmt.Fprintf(&b, " %s |", percent(some, isRight))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |", g.model, g.form, g.answer)
		for _, k := range questionKinds {
			cell(func(r Record) bool { return r.Kind == k })
		}
		for _, l := range lengths {
			cell(func(r Record) bool { return r.Elements >= l.from && r.Elements <= l.to })
		}
		cell(func(r Record) bool { return r.Below })
		for _, lang := range []string{"en", "zh"} {
			cell(func(r Record) bool { return strings.Contains(r.Page+"-", "-"+lang+"-") })
		}
		b.WriteString("\n")
	}
	return b.String()
}

func isRight(r Record) bool { return r.Right }

func count(rs []Record, is func(Record) bool) int {
	n := 0
	for _, r := range rs {
		if is(r) {
			n++
		}
	}
	return n
}

func rate(rs []Record, is func(Record) bool) float64 {
	return float64(count(rs, is)) / float64(max(1, len(rs)))
}

func percent(rs []Record, is func(Record) bool) string {
	if len(rs) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*rate(rs, is))
}

// Wilson is the 95 % interval of a share.
func Wilson(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const z = 1.96
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, mid-half), min(1, mid+half)
}

// pageTokens gives the prompt's length of each page, once.
func pageTokens(rs []Record) []int {
	var out []int
	seen := map[string]bool{}
	for _, r := range rs {
		if !seen[r.Page] && r.Input > 0 {
			seen[r.Page] = true
			out = append(out, r.Input)
		}
	}
	return out
}

func seconds(rs []Record) []float64 {
	var out []float64
	for _, r := range rs {
		out = append(out, r.Seconds)
	}
	return out
}

func quantile[T cmp.Ordered](of []T, q float64) T {
	var zero T
	if len(of) == 0 {
		return zero
	}
	of = slices.Sorted(slices.Values(of))
	return of[min(len(of)-1, int(q*float64(len(of))))]
}
