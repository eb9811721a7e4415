package main

import (
	"fmt"
	"io"
	"slices"
)

// The aims of a look at a page.
const (
	firstAim   = 1800 // tokens of the first look, on every page
	wholeAim   = 0.5  // of agent-browser's tokens, by the whole list
	timeAim    = 0.2  // of Playwright's time, by the first look at a large page
	largePage  = 2000 // nodes
	smallPage  = 1000
	smallAimMS = 10
)

func middle(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}

// pagesTable prints a line for each page, then how the aims stand.
func pagesTable(w io.Writer, rows []pageRow) {
	say := func(format string, a ...any) { _, _ = fmt.Fprintf(w, format, a...) }
	say("\n| page | nodes | controls | summary | first look | whole list | agent-browser `-i` | ratio | Playwright AI | first look ms | whole list ms | Playwright ms | ratio | agent-browser ms | Chromium's DOM snapshot ms | its accessibility tree ms |\n")
	say("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	var whole, time, alone []float64
	var over, slow, late, heavy []string
	smallest := 0
	for _, r := range rows {
		o := r.ours
		say("| %s | %d | %d | %d | %d | %d |", r.name, o.Nodes, o.Elements, o.SummaryTokens, o.FirstTokens, o.WholeTokens)
		if r.abOK && r.ab.tokens > 0 {
			k := float64(o.WholeTokens) / float64(r.ab.tokens)
			whole = append(whole, k)
			say(" %d | %.2f |", r.ab.tokens, k)
		} else {
			say(" – | – |")
		}
		if r.pwOK {
			k := o.FirstMS / max(r.pw.ms, 0.01)
			say(" %d | %.1f | %.1f | %.1f | %.2f |", r.pw.tokens, o.FirstMS, o.WholeMS, r.pw.ms, k)
			if o.Nodes > largePage {
				time = append(time, k)
				if k > timeAim {
					late = append(late, r.name)
				}
			}
		} else {
			say(" – | %.1f | %.1f | – | – |", o.FirstMS, o.WholeMS)
		}
		if r.abOK {
			say(" %.1f |", r.ab.ms)
		} else {
			say(" – |")
		}
		if r.pwOK {
			say(" %.1f | %.1f |\n", r.dom, r.tree)
			alone = append(alone, o.FirstMS/max(r.dom, 0.01))
		} else {
			say(" – | – |\n")
		}
		if o.FirstTokens > firstAim {
			over = append(over, r.name)
		}
		if o.Nodes < smallPage {
			smallest++
			if o.FirstMS >= smallAimMS {
				slow = append(slow, r.name)
			}
			if r.pwOK && r.dom >= smallAimMS {
				heavy = append(heavy, r.name)
			}
		}
	}
	say("\n- first look at most %d tokens on every page: %s\n", firstAim, metBut(over))
	if len(whole) > 0 {
		above := 0
		for _, k := range whole {
			if k > wholeAim {
				above++
			}
		}
		say("- whole list beside agent-browser's: median × %.2f, × %.2f to × %.2f; above the aim of × %.1f on %d of %d pages\n",
			middle(whole), slices.Min(whole), slices.Max(whole), wholeAim, above, len(whole))
	}
	if len(time) > 0 {
		say("- first look beside Playwright's AI snapshot on pages over %d nodes: median × %.2f, at most × %.2f (aim × %.1f: %s)\n",
			largePage, middle(time), slices.Max(time), timeAim, metBut(late))
	}
	say("- first look under %d ms on the %d pages under %d nodes: %s\n", smallAimMS, smallest, smallPage, metBut(slow))
	if len(alone) > 0 {
		say("- first look beside Chromium's own DOMSnapshot.captureSnapshot: median × %.2f, × %.2f to × %.2f; that command alone under %d ms on those pages: %s\n",
			middle(alone), slices.Min(alone), slices.Max(alone), smallAimMS, metBut(heavy))
	}
}

// metBut says that an aim is met, or on which pages it is not.
func metBut(names []string) string {
	if len(names) == 0 {
		return "met"
	}
	return fmt.Sprintf("not met on %d: %v", len(names), names)
}
