package flow

import "strings"

// Diff returns the changed lines between two texts, removed ones with - and added
// ones with +, and two lines around each change.
func Diff(before, after string) string {
	a, b := strings.Split(strings.TrimRight(before, "\n"), "\n"), strings.Split(strings.TrimRight(after, "\n"), "\n")
	all := edits(a, b)
	const around = 2
	var out strings.Builder
	last := -1
	for i := range all {
		near := false
		for j := max(0, i-around); j <= min(len(all)-1, i+around); j++ {
			near = near || all[j][0] != ' '
		}
		if !near {
			continue
		}
		if last >= 0 && i > last+1 {
			out.WriteString("…\n")
		}
		out.WriteString(all[i] + "\n")
		last = i
	}
	return out.String()
}

// edits gives the lines of both texts in order, each marked as removed, added or
// kept, by their longest common subsequence.
func edits(a, b []string) []string {
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "  "+a[i])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || long[i+1][j] >= long[i][j+1]):
			out = append(out, "- "+a[i])
			i++
		default:
			out = append(out, "+ "+b[j])
			j++
		}
	}
	return out
}
