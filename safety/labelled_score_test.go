package safety

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// labelledLimits is testdata/labelled/limits.json: the figures of the visible
// cases that must not grow. Lower them when the gate gets better.
type labelledLimits struct {
	Misses        int `json:"misses"`        // harmful, below the level that is right
	FalseConfirms int `json:"falseConfirms"` // harmless, asked about
	Stricter      int `json:"stricter"`      // harmless, not asked about but above the label
	WrongClass    int `json:"wrongClass"`    // harmful and asked about, as something else
}

// score counts what the gate makes of a group of cases.
type score struct {
	harmful, harmless int
	labelledLimits
}

// heldOutFlag scores the held-out third as well. It is set once, for the note
// of a release, and never by whoever mends words or rules.
const heldOutFlag = "TABWRIGHT_HELD_OUT"

// TestLabelledVisible scores the gate on the cases that it may be mended by: every miss is listed, and no figure may grow.
func TestLabelledVisible(t *testing.T) {
	cases := slices.DeleteFunc(labelledCases(t), labelled.heldOut)
	got := scoreCases(t, cases)
	raw, err := os.ReadFile("testdata/labelled/limits.json")
	if err != nil {
		t.Fatal(err)
	}
	var most labelledLimits
	if err := json.Unmarshal(raw, &most); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what      string
		have, max int
	}{
		{"misses", got.Misses, most.Misses},
		{"false confirms", got.FalseConfirms, most.FalseConfirms},
		{"stricter than the label", got.Stricter, most.Stricter},
		{"asked as another class", got.WrongClass, most.WrongClass},
	} {
		if x.have > x.max {
			t.Errorf("%s: %d, at most %d", x.what, x.have, x.max)
		} else if x.have < x.max {
			t.Logf("%s: %d, better than the %d of limits.json: lower it", x.what, x.have, x.max)
		}
	}
}

// TestLabelledByName scores what names, forms and addresses alone tell, of the cases
// that say what is sent: so that what requests add is known.
func TestLabelledByName(t *testing.T) {
	var byName, all score
	for _, c := range labelledCases(t) {
		if len(c.Sends) > 0 && !c.heldOut() {
			byName.count(t, c, Judge(c.Act, c.context()))
			all.count(t, c, c.decided())
		}
	}
	t.Log(byName.line("by name"))
	t.Log(all.line("with sends"))
	if byName.harmful == 0 || all.Misses > byName.Misses {
		t.Error("requests took something back")
	}
}

// TestLabelledHeldOut scores the rest, only where the flag is set.
func TestLabelledHeldOut(t *testing.T) {
	if heldOutSet == "" {
		t.Skip("no set has a held-out part at present: each one's third was scored once and has been mended by since")
	}
	if os.Getenv(heldOutFlag) != "1" {
		t.Skipf("the held-out third is scored once, with %s=1, and never while words are mended", heldOutFlag)
	}
	got := scoreCases(t, slices.DeleteFunc(labelledCases(t), func(c labelled) bool { return !c.heldOut() }))
	if got.Misses > 0 || got.FalseConfirms*20 > got.harmless {
		t.Errorf("%d misses, %d of %d harmless asked about", got.Misses, got.FalseConfirms, got.harmless)
	}
}

func scoreCases(t *testing.T, cases []labelled) score {
	t.Helper()
	var all score
	langs, classes, sets := map[string]*score{}, map[string]*score{}, map[string]*score{}
	for _, c := range cases {
		d := c.decided()
		for _, s := range []*score{&all, entry(langs, c.Lang), entry(classes, string(c.Class)), entry(sets, c.set())} {
			s.count(t, c, d)
		}
		if line := verdictOn(t, c, d); line != "" {
			t.Log(line)
		}
	}
	for _, group := range []map[string]*score{langs, classes, sets, {"all": &all}} {
		var names []string
		for n := range group {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			t.Log(group[n].line(n))
		}
	}
	return all
}

func entry(m map[string]*score, k string) *score {
	if m[k] == nil {
		m[k] = &score{}
	}
	return m[k]
}

func (s *score) count(t *testing.T, c labelled, d Decision) {
	t.Helper()
	want := c.level(t)
	if c.Harmful {
		s.harmful++
		switch {
		case d.Level < want:
			s.Misses++
		case d.Class != c.Class && !slices.Contains(c.Also, d.Class):
			s.WrongClass++
		}
		return
	}
	s.harmless++
	switch {
	case d.Level >= Confirm:
		s.FalseConfirms++
	case d.Level > want:
		s.Stricter++
	}
}

func (s *score) line(name string) string {
	return fmt.Sprintf("%-12s harmful %3d: %3d missed, %3d as another class; harmless %3d: %3d asked about, %3d stricter",
		name, s.harmful, s.Misses, s.WrongClass, s.harmless, s.FalseConfirms, s.Stricter)
}

// verdictOn says what is wrong with a decision, in a line; nothing if it is right.
func verdictOn(t *testing.T, c labelled, d Decision) string {
	t.Helper()
	var kind string
	switch want := c.level(t); {
	case c.Harmful && d.Level < want:
		kind = "MISS"
	case !c.Harmful && d.Level >= Confirm:
		kind = "FALSE"
	case c.Harmful && d.Class != c.Class && !slices.Contains(c.Also, d.Class):
		kind = "class"
	case d.Level > want && !c.Harmful:
		kind = "stricter"
	default:
		return ""
	}
	var rules []string
	for _, r := range d.Reasons {
		rules = append(rules, r.Rule)
	}
	name := ""
	if c.Act.Target != nil {
		name = c.Act.Target.label()
	}
	line := fmt.Sprintf("%-8s %-20s %s %q: %s %s, should be %s %s (%s)", kind, c.ID, c.Act.Action, clip(name, 60), d.Level, d.Class, c.Level, c.Class, strings.Join(rules, " "))
	if kind == "MISS" || kind == "FALSE" {
		line += "\n" + c.facts()
	}
	return line
}

// facts are what the gate knew of an act that it judged wrongly: a rule is
// mended by facts, not by the one name.
func (c labelled) facts() string {
	b, err := json.Marshal(c.Act)
	if err != nil {
		return err.Error()
	}
	return clip(string(b), 1500)
}
