package zoo

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// doc is the page of the docs that has the table.
func doc() string {
	return filepath.Join(filepath.Dir(filepath.Dir(dir())), "docs", "widgets.md")
}

// table returns a line for each widget with what was done, and a line for each deed that
// failed.
func table(widgets []Widget, failed map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | widgets | %s |\n|---|---|%s\n", strings.Join(kinds, " | "), strings.Repeat("---|", len(kinds)))
	var not []string
	family := ""
	done, all := 0, 0
	for _, w := range widgets {
		cells := make([]string, len(kinds))
		for i, kind := range kinds {
			good, n := 0, 0
			for _, d := range w.Deeds {
				if d.Kind != kind {
					continue
				}
				n++
				if why := failed[d.in(w)]; why == "" {
					good++
				} else {
					if d.Fails != "" {
						why = d.Fails
					}
					not = append(not, fmt.Sprintf("- \"%s %s\" with %s: %s", d.Kind, d.What, w.Name, firstLine(why)))
				}
			}
			switch done, all = done+good, all+n; {
			case n == 0:
			case good == n && n == 1:
				cells[i] = "done"
			case good == n:
				cells[i] = fmt.Sprintf("done (%d)", n)
			default:
				cells[i] = fmt.Sprintf("%d of %d", good, n)
			}
		}
		first := ""
		if w.Family != family {
			first, family = w.Family, w.Family
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", first, w.Name, strings.Join(cells, " | "))
	}
	fmt.Fprintf(&b, "\n%d of %d actions are done.\n", done, all)
	if len(not) > 0 {
		slices.Sort(not)
		fmt.Fprintf(&b, "\nNot done:\n\n%s\n", strings.Join(not, "\n"))
	}
	return b.String()
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

const generated = "<!-- written by make zoo -->\n"

// writeTable puts the table into the docs, behind what is written there by hand.
func writeTable(t string) error {
	b, err := os.ReadFile(doc())
	if err != nil {
		return err
	}
	before, _, _ := strings.Cut(string(b), generated)
	return os.WriteFile(doc(), []byte(before+generated+"\n"+t), 0o644)
}
