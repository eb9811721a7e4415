// Command house measures how the code is named and arranged. `make house` runs it.
//
// It reads the tree it is started in and prints a table. Nothing fails by it;
// the aims are in the table. The packages are type-checked against what the
// compiler exported of their imports, so the tree must build.
//
//   - A function is named by a bare participle when its name is one participle,
//     alone or with a particle ("sighted", "carriedOut", "watching"), and so
//     tells neither a thing nor a deed; participles.go has the rule.
//   - An arrow goes from a file to each other file of its package whose
//     declarations, methods and fields it uses. The files are put into an order
//     in which as many arrows as can be found point downwards, as a reader would
//     like to meet them; those that are left point upwards.
//   - Product code is what is shipped, without tests, generated files and test
//     data.
//
// Start reading at measure.
package main

import (
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// packages are those whose arrows are counted, as patterns of `go list`.
var packages = []string{"./host/action/...", "./host/agent/...", "./safety/...", "./host/control/..."}

func main() {
	if err := measure(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

// measure prints the table.
func measure(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\tnow\taim")
	for _, pattern := range packages {
		t, err := load(pattern)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "functions named by a bare participle, %s\t%s\t2 %%\n", pattern, share(t.participles, t.functions))
		fmt.Fprintf(w, "upward arrows between files, %s\t%s\t10 %%\n", pattern, share(t.upward, t.arrows))
	}
	long, subjects, err := longSubjects()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "commit subjects over %d characters\t%s\t0\n", subjectMax, share(long, subjects))
	lines, err := productLines()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "lines of product code, without tests\t%d\t100000\n", lines)
	size, err := binarySize()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "stripped binary\t%.1f MB\t24 MB\n", float64(size)/1e6)
	return w.Flush()
}

// share is a part of a whole as a percentage, with both numbers.
func share(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f %% (%d of %d)", 100*float64(part)/float64(whole), part, whole)
}
