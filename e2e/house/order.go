package main

import (
	"maps"
	"slices"
)

// graph has for each file those that it uses.
type graph map[string]map[string]bool

// count gives the arrows of a graph, and how many point upwards in an order of
// its files that has few of them. The order is found by the rule of Eades, Lin
// and Smyth (files that nothing uses first, those that use nothing last, and
// else the one that uses most and is used least), and then by moving single
// files as long as that helps.
func count(uses graph) (arrows, upward int) {
	order := improve(uses, greedy(uses))
	place := places(order)
	for from, heads := range uses {
		for to := range heads {
			arrows++
			if place[to] < place[from] {
				upward++
			}
		}
	}
	return arrows, upward
}

func greedy(uses graph) []string {
	left := map[string]bool{}
	for from, heads := range uses {
		left[from] = true
		maps.Copy(left, heads)
	}
	var first, last []string
	for len(left) > 0 {
		in, out := map[string]int{}, map[string]int{}
		for from := range left {
			for to := range uses[from] {
				if left[to] {
					in[to]++
					out[from]++
				}
			}
		}
		names := slices.Sorted(maps.Keys(left))
		next := slices.MaxFunc(names, func(a, b string) int { return (out[a] - in[a]) - (out[b] - in[b]) })
		for _, n := range names {
			if out[n] == 0 {
				next = n
			}
		}
		delete(left, next)
		if out[next] == 0 {
			last = append(last, next)
		} else {
			first = append(first, next)
		}
	}
	slices.Reverse(last)
	return append(first, last...)
}

// improve moves each file to where the fewest arrows of its own point upwards,
// until no move helps.
func improve(uses graph, order []string) []string {
	for moved := true; moved; {
		moved = false
		for _, name := range slices.Clone(order) {
			at := slices.Index(order, name)
			rest := slices.Delete(slices.Clone(order), at, at+1)
			// Upward arrows of name when it stands before rest[i].
			cost := 0
			for _, other := range rest {
				if uses[other][name] {
					cost++
				}
			}
			best, now, to := cost, cost, 0
			for i, other := range rest {
				if i == at {
					now = cost
				}
				if uses[other][name] {
					cost--
				}
				if uses[name][other] {
					cost++
				}
				if cost < best {
					best, to = cost, i+1
				}
			}
			if at == len(rest) {
				now = cost
			}
			if best < now {
				order, moved = slices.Insert(rest, to, name), true
			}
		}
	}
	return order
}

func places(order []string) map[string]int {
	out := map[string]int{}
	for i, name := range order {
		out[name] = i
	}
	return out
}
