package main

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"tabwright/e2e/eval/infinity"
	"tabwright/e2e/eval/sites"
	"tabwright/e2e/eval/suite"
)

// suites are those that -suite may name.
var suites = map[string]func() (suite.Suite, error){
	"bundled":     func() (suite.Suite, error) { return sites.New(), nil },
	infinity.Name: infinity.Open,
}

func suiteNames() []string {
	var out []string
	for name := range suites {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func openSuite(name string) (suite.Suite, error) {
	open, ok := suites[name]
	if !ok {
		return nil, fmt.Errorf("-suite is %s, not %q", strings.Join(suiteNames(), " or "), name)
	}
	return open()
}

// evenly orders the tasks so that each prefix has as many of every level and language as
// of the others, while there are any. Within these, the order is pseudo-random, so that
// no site is preferred.
func evenly(all []suite.Task) []suite.Task {
	type kind struct {
		level int
		lang  string
	}
	groups := map[kind][]suite.Task{}
	var kinds []kind
	for _, t := range all {
		k := kind{t.Level, t.Lang}
		if groups[k] == nil {
			kinds = append(kinds, k)
		}
		groups[k] = append(groups[k], t)
	}
	slices.SortFunc(kinds, func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.lang, b.lang), cmp.Compare(a.level, b.level))
	})
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b suite.Task) int { return cmp.Compare(shuffleKey(a.ID), shuffleKey(b.ID)) })
	}
	out := make([]suite.Task, 0, len(all))
	for i := 0; len(out) < len(all); i++ {
		for _, k := range kinds {
			if g := groups[k]; i < len(g) {
				out = append(out, g[i])
			}
		}
	}
	return out
}

// shuffleKey returns a pseudo-random sort key of a task.
func shuffleKey(id string) string {
	sum := sha256.Sum256([]byte(id))
	return string(sum[:])
}
