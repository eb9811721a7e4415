package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// The aim, in relation to the faster of the others: at most half of its time in
// a browser of our own, and no more than its time through the extension.
var aims = map[kind]float64{direct: 0.5, extension: 1}

// times is what each step of each contender took.
type times map[*contender]map[string][]time.Duration

func (t times) add(c *contender, step string, d time.Duration) {
	if t[c] == nil {
		t[c] = map[string][]time.Duration{}
	}
	t[c][step] = append(t[c][step], d)
}

// share returns the time that a share of the rounds did not exceed.
func share(d []time.Duration, of float64) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[min(int(float64(len(d))*of), len(d)-1)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// table prints the medians with the ninetieth percentile behind them, and for
// each step whether the aim is met.
func table(w io.Writer, size string, rounds int, running []*contender, took times) {
	say := func(format string, a ...any) { _, _ = fmt.Fprintf(w, format, a...) }
	say("\n%s page, %d rounds: p50 / p90 in ms\n\n| step |", size, rounds)
	for _, c := range running {
		say(" %s |", c.name)
	}
	say("\n|---|%s\n", strings.Repeat("---|", len(running)))
	for _, step := range steps {
		say("| %s |", step)
		for _, c := range running {
			if d := took[c][step]; len(d) > 0 {
				say(" %.1f / %.1f |", ms(share(d, 0.5)), ms(share(d, 0.9)))
			} else {
				say(" – |")
			}
		}
		say("\n")
	}
	say("\n")
	for _, step := range steps {
		say("- %s\n", verdict(step, running, took))
	}
	for _, c := range running {
		if took[c.before] == nil {
			continue
		}
		say("\n%s, beside the other build: first quartile, median, and the medians of processor time in ms\n\n| step | wall | page | browser | host |\n|---|---|---|---|---|\n", c.name)
		for _, step := range steps {
			say("| %s | %s |", step, beside(took[c][step], took[c.before][step]))
			for _, part := range parts {
				now, was := took[c][step+"/"+part], took[c.before][step+"/"+part]
				if len(now) == 0 || len(was) == 0 {
					say(" – |")
					continue
				}
				say(" %s; %.1f / %.1f |", beside(now, was), ms(share(now, 0.5)), ms(share(was, 0.5)))
			}
			say("\n")
		}
	}
}

// beside returns the ratio of two builds' times, by the first quartile and the median.
func beside(now, was []time.Duration) string {
	return fmt.Sprintf("× %.2f, × %.2f", float64(share(now, 0.25))/float64(share(was, 0.25)), float64(share(now, 0.5))/float64(share(was, 0.5)))
}

// verdict compares our contenders with the faster peer in one step.
func verdict(step string, running []*contender, took times) string {
	var best time.Duration
	var name string
	for _, c := range running {
		if d := took[c][step]; c.kind == other && len(d) > 0 {
			if m := share(d, 0.5); best == 0 || m < best {
				best, name = m, c.name
			}
		}
	}
	if best == 0 {
		return step + ": no other to stand beside"
	}
	out := fmt.Sprintf("%s, beside %s:", step, name)
	for _, c := range running {
		d := took[c][step]
		if len(d) == 0 || c.kind == other || c.kind == earlier {
			continue
		}
		times := float64(share(d, 0.5)) / float64(best)
		out += fmt.Sprintf(" %s × %.2f", c.name, times)
		if aim, ours := aims[c.kind]; ours {
			met := "met"
			if times > aim {
				met = "not met"
			}
			out += fmt.Sprintf(" (aim %.1f: %s)", aim, met)
		}
		out += ";"
	}
	return strings.TrimSuffix(out, ";")
}
