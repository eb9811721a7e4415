package pagecontext

import (
	"fmt"
	"strings"
	"testing"
)

// What comes again in the same order, with one more now and then, has a line each
// time; what doesn't stays side by side.
func TestLinesAreBrokenWhereTheyAreShortest(t *testing.T) {
	run := func(roles string) []Element {
		var out []Element
		for i, r := range strings.Fields(roles) {
			e := Element{Index: i + 1, Role: r, Name: fmt.Sprintf("%c", 'A'+i), IsEnabled: true, IsVisible: true}
			out = append(out, e)
		}
		return out
	}
	for _, tt := range []struct{ roles, want string }{
		{"link button tab link button tab switch link button tab", "[1] link A|2 button B|3 tab C\n[4] D|5 E|6 F|7 switch G\n[8] H|9 I|10 J"},
		{"link button tab switch", "[1] link A|2 button B|3 tab C|4 switch D"},
		{"link", "[1] link A"},
		{"link link link link link link link link link link", "[1] link A|2 B|3 C|4 D|5 E|6 F|7 G|8 H|9 I|10 J"},
	} {
		es := run(tt.roles)
		var rows []row
		n := 0
		for _, part := range broken(es) {
			for _, e := range part {
				if n++; e.Index != n {
					t.Fatalf("%s: element %d is the %dth", tt.roles, e.Index, n)
				}
			}
			rows = append(rows, row{es: part})
		}
		below(nil, rows)
		if got := linesOf(rows); got != tt.want || n != len(es) {
			t.Errorf("%s: %d of %d\n%s\nwant\n%s", tt.roles, n, len(es), got, tt.want)
		}
	}
}

// A line has at most so many elements, and of different things so many bytes.
func TestBrokenLinesAreShort(t *testing.T) {
	var es []Element
	for i := range 200 {
		role := []string{"link", "button", "tab", "link", "switch"}[i*i%5]
		es = append(es, Element{Index: 100 + i, Role: role, Name: strings.Repeat("name ", 1+i%11), IsEnabled: true})
	}
	for _, part := range broken(es) {
		line, _ := inRow(part, nil, false)
		if len(part) > mostOnLine || len(part) > 1 && len(line) > shortLine {
			t.Errorf("%d elements, %d bytes: %s", len(part), len(line), line)
		}
	}
}
