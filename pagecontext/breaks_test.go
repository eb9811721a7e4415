package pagecontext

import (
	"fmt"
	"slices"
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
		// Two that are as those above may be so by chance.
		{"link button switch link button tab", "[1] link A|2 button B|3 switch C|4 link D|5 button E|6 tab F"},
		{"link", "[1] link A"},
		{"link link link link link link link link link link", "[1] link A|2 B|3 C|4 D|5 E|6 F|7 G|8 H|9 I|10 J"},
	} {
		es := run(tt.roles)
		var rows []row
		n := 0
		for _, part := range broken(sayingsOf(es)) {
			for _, e := range part.es {
				if n++; e.Index != n {
					t.Fatalf("%s: element %d is the %dth", tt.roles, e.Index, n)
				}
			}
			rows = append(rows, row{sayings: part})
		}
		below(nil, rows)
		if got := linesOf(rows); got != tt.want || n != len(es) {
			t.Errorf("%s: %d of %d\n%s\nwant\n%s", tt.roles, n, len(es), got, tt.want)
		}
	}
}

// A line of as many as there may be has others above it and below.
func TestBrokenLinesAreFull(t *testing.T) {
	var es []Element
	for i := range 2 * mostOnLine {
		es = append(es, Element{Index: 100 + i, Role: "clickable", Name: "a", Near: "", IsEnabled: true})
		if i%mostOnLine == 0 {
			es[i].Role = "link"
		}
	}
	for _, n := range []int{2 * mostOnLine, 3 * mostOnLine} {
		all := es
		if n > len(es) {
			all = slices.Concat(es, es[:n-len(es)])
		}
		for i, part := range broken(sayingsOf(all)) {
			if len(part.es) != mostOnLine {
				t.Errorf("line %d of %d elements has %d", i, n, len(part.es))
			}
		}
	}
}

// What many elements of as many kinds take to be broken into lines grows as they do.
func TestManyKindsAreBrokenToo(t *testing.T) {
	var es []Element
	for i := range 20_000 {
		es = append(es, Element{Index: i, Role: fmt.Sprintf("x-%d", i%5_000), Name: "a", IsEnabled: true})
	}
	b := newBreaks(sayingsOf(es))
	if most := len(es) * (mostOnLine + 1); len(b.sizes) > most {
		t.Errorf("%d sizes, want at most %d", len(b.sizes), most)
	}
	n := 0
	for _, part := range broken(sayingsOf(es)) {
		n += len(part.es)
	}
	if n != len(es) {
		t.Errorf("%d elements of %d", n, len(es))
	}
}

// Once an element of a line says its role, those behind it have theirs from the one
// before them and none from the line above.
func TestRolesBehindOneThatIsSaid(t *testing.T) {
	above := []string{"clickable", "clickable", "link", "link", "link"}
	e := func(i int, role, name, hint string) Element {
		return Element{Index: i, Role: role, Name: name, Hint: hint, IsEnabled: true}
	}
	es := []Element{e(18, "generic", "Save", ""), e(19, "generic", "Share", ""), e(20, "link", "Close", ""), e(21, "generic", "", "thread line"), e(22, "link", "[–]", "")}
	s := sayingsOf(es)
	kinds := s.kinds
	line := s.inRow(above, true)
	if want := `[18] Save|19 Share|20 Close|21 clickable (thread line)|22 link "[–]"`; line != want {
		t.Errorf("%s\nwant\n%s", line, want)
	}
	for _, tt := range []struct {
		above []string
		n     int
		want  bool
	}{
		{above, 3, true},
		{above, 5, false},
		{above[:2], 2, true}, // all of one role
		{[]string{"clickable", "clickable"}, 3, true}, // more than above
		{[]string{"clickable", "link"}, 2, false},
		{[]string{"link", "link", "link"}, 3, false},
	} {
		if got := standsBelow(tt.above, kinds[:tt.n], es[:tt.n], true); got != tt.want {
			t.Errorf("%d below %q: %v", tt.n, tt.above, got)
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
	for _, part := range broken(sayingsOf(es)) {
		line := part.inRow(nil, false)
		if len(part.es) > mostOnLine || len(part.es) > 1 && len(line) > shortLine {
			t.Errorf("%d elements, %d bytes: %s", len(part.es), len(line), line)
		}
	}
}

// What is said of elements is put together once: where they are put on common lines, and
// where those are written again below others, it is taken as it is.
func TestStatesArePutTogetherOnce(t *testing.T) {
	var rows []row
	for i, name := range []string{"A", "B", "C"} {
		s := sayingsOf([]Element{{Index: i + 1, Role: "tab", Name: name, IsEnabled: true}})
		s.said[0] = []string{"said-" + name} // nothing that its element says
		rows = append(rows, row{sayings: s, joins: true})
	}
	const want = "[1] tab A said-A|2 B said-B|3 C said-C"
	rows = sideBySide(rows)
	if got := linesOf(rows); got != want {
		t.Errorf("side by side: %s", got)
	}
	rows[0].line = ""
	below(nil, rows)
	if got := linesOf(rows); got != want {
		t.Errorf("below others: %s", got)
	}
}
