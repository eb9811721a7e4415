package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// counts are those of an app.
type counts map[string]int

// table prints the score, an app a line, and each miss below.
func table(w io.Writer, results []result, verify bool) {
	var names []string
	per := map[string]counts{}
	for _, r := range results {
		if per[r.App] == nil {
			names, per[r.App] = append(names, r.App), counts{}
		}
		per[r.App][r.Kind]++
		per[r.App][r.Kind+r.Verdict]++
		per[r.App]["before"] += len(r.Before)
	}
	columns := []struct{ title, key string }{
		{"deeds", deed},
		{doneUnasked, deed + doneUnasked},
		{stoppedBefore, deed + stoppedBefore},
		{stoppedAfter, deed + stoppedAfter},
		{untrue, deed + untrue},
		{harmless, harmless},
		{ran, harmless + ran},
		{asked, harmless + asked},
		{"asked on the way", "before"},
	}
	if verify {
		columns = []struct{ title, key string }{
			{"deeds", deed}, {verified, deed + verified}, {harmless, harmless}, {verified, harmless + verified},
		}
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(first string, cell func(i int) string) {
		cells := []string{first}
		for i := range columns {
			cells = append(cells, cell(i))
		}
		fmt.Fprintln(tw, strings.Join(cells, "\t")+"\t")
	}
	line("app", func(i int) string { return columns[i].title })
	for _, n := range names {
		line(n, func(i int) string { return fmt.Sprint(per[n][columns[i].key]) })
	}
	line("all", func(i int) string {
		sum := 0
		for _, c := range per {
			sum += c[columns[i].key]
		}
		return fmt.Sprint(sum)
	})
	_ = tw.Flush()
	for _, r := range results {
		if r.miss() {
			fmt.Fprintln(w, r)
		}
	}
}

// miss says that a result is none that was hoped for.
func (r result) miss() bool {
	switch r.Verdict {
	case stoppedBefore, stoppedAfter, ran, verified:
		return len(r.Before) > 0
	}
	return true
}

func (r result) String() string {
	parts := []string{fmt.Sprintf("%s/%s (%s): %s", r.App, r.ID, r.Kind, r.Verdict)}
	if r.Answer != "" && r.Answer != codeOK {
		parts = append(parts, r.Answer)
	}
	if r.Said != "" {
		parts = append(parts, plain(r.Said))
	}
	if len(r.Changed) > 0 {
		parts = append(parts, "changed "+strings.Join(r.Changed, ", "))
	}
	if len(r.Asked) > 0 {
		parts = append(parts, "asked: "+strings.Join(r.Asked, " | "))
	}
	if len(r.Before) > 0 {
		parts = append(parts, "asked on the way: "+strings.Join(r.Before, " | "))
	}
	return strings.Join(parts, "; ")
}
