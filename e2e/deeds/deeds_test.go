package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tabwright/host/action"
)

func TestSet(t *testing.T) {
	apps, err := loadAll(data)
	if err != nil {
		t.Fatal(err)
	}
	kinds, held, all := map[string]int{}, 0, 0
	for _, a := range apps {
		for _, tr := range a.Acts {
			kinds[tr.Kind]++
			all++
			if heldOut(a.Name, tr.ID) {
				held++
			}
		}
	}
	if all < 250 || kinds[deed] < all*2/5 || kinds[harmless] < all*2/5 {
		t.Errorf("%d acts in %d apps: %v", all, len(apps), kinds)
	}
	if held < all/4 || held > all*5/12 {
		t.Errorf("%d of %d are held out", held, all)
	}
}

// The split must never move: what was looked at once can't be held out any more.
func TestHeldOut(t *testing.T) {
	got := ""
	for i := range 12 {
		got += fmt.Sprint(heldOut("gmail", fmt.Sprint("act-", i)), " ")
	}
	const want = "true true true false true false false false false false false false "
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What an app is made of names its folder, so that another version gets another one.
func TestInstall(t *testing.T) {
	i := install{Npm: []string{"chat@1.0.0"}, Overrides: map[string]string{"irc": "4.14.0"}}
	if got, want := string(i.manifest()), `{"overrides":{"irc":"4.14.0"}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	plainOne, other := install{Npm: i.Npm}, install{Npm: i.Npm, Overrides: map[string]string{"irc": "4.13.0"}}
	if i.key() == plainOne.key() || i.key() == other.key() || plainOne.key() != "0d4fd43384" {
		t.Errorf("keys: %s, %s, %s", i.key(), plainOne.key(), other.key())
	}
}

func TestParseAct(t *testing.T) {
	for in, want := range map[string]act{
		`click button "Delete \"it\"" in "Ida Lind" #2`: {verb: "click", role: "button", name: `Delete "it"`, row: "Ida Lind", nth: 2},
		`type textbox "To" = "a b"`:                     {verb: "type", role: "textbox", name: "To", value: "a b", nth: 1, hasValue: true},
		`type = "x"`:                                    {verb: "type", value: "x", nth: 1, hasValue: true},
		`press ctrl+Enter`:                              {verb: "press", name: "ctrl+Enter", nth: 1},
		`accept`:                                        {verb: "accept", nth: 1},
		`wait "It is saved"`:                            {verb: "wait", name: "It is saved", nth: 1},
	} {
		want.words = in
		if got, err := parseAct(in); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", in, got, err)
		}
	}
	a, err := parseAct(`drag clickable "Card" onto css ".list"`)
	if err != nil || a.onto == nil || a.onto.name != ".list" {
		t.Errorf("drag: %+v, %v", a, err)
	}
	for _, in := range []string{
		"", "poke button \"x\"", "click", "click button", `click button "x`, `type textbox "To"`, `press`, `click button "x" #0`,
		`click button "x" = "y"`, `drag css "a"`, `press Enter in "x"`,
	} {
		if got, err := parseAct(in); err == nil {
			t.Errorf("%q is taken for %+v", in, got)
		}
	}
}

func TestFind(t *testing.T) {
	l := list{Elements: []element{
		{Index: 1, Role: "button", Name: "Delete", Covered: true},
		{Index: 2, Role: "button", Name: "Delete", Row: 1},
		{Index: 3, Role: "button", Name: "Delete", Row: 2},
		{Index: 4, Role: "generic", Text: "Move  to trash"},
		{Index: 5, Role: "checkbox", Hint: "mail", Near: "Ida Lind"},
		{Index: 6, Role: "textbox", Name: "Label", Placeholder: "e.g. CI"},
		{Index: 7, Role: "button", Name: "Delete selected (2)"},
	}}
	for _, row := range []string{"Tom Becker Lunch?", "Ida Lind Invoice"} {
		l.Rows = append(l.Rows, struct {
			Role, Text string
			Index      int
		}{"row", row, 0})
	}
	l.Rows[1].Index = 9
	find := func(words string, want int) {
		t.Helper()
		a, err := parseAct(words)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.find(a); got != want {
			t.Errorf("%s: %d, want %d", words, got, want)
		}
	}
	find(`click button "Delete"`, 2)
	find(`click button "Delete" #2`, 3)
	find(`click button "Delete" in "Ida"`, 3)
	find(`click clickable "Move to…"`, 4)
	find(`click any "Move to trash"`, 4)
	find(`click checkbox "mail" in "Ida"`, 5)
	find(`type textbox "e.g. CI" = "x"`, 6)
	find(`click any "Ida Lind"`, 0)
	find(`click button "Delete selected…"`, 7)
	find(`click button "Delete selected"`, 0)
	find(`click row "Invoice"`, 9)
	find(`click button "Delet"`, 0)
	find(`click button "Delete" #3`, 0)
	l.Elements = append(l.Elements, element{Index: 6, Role: "button", Name: "Delete", Overlay: true})
	find(`click button "Delete"`, 6)
}

func TestState(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.json", "one")
	write("log", "first")
	r := reader{Files: ".", Run: `echo '{"mails": [{"id": 1, "seen": false}], "time": 5}'`, Ignore: []string{"^log$", "^time$"}}
	read := func() snapshot {
		t.Helper()
		s, err := r.read(t.Context(), "", dir, os.Environ())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old := read()
	want := snapshot{"a.json": "one", "mails/0/id": "1", "mails/0/seen": "false", "mails/length": "1"}
	if !reflect.DeepEqual(old, want) {
		t.Errorf("%v, want %v", old, want)
	}
	write("log", "second")
	if got := changes(old, read()); got != nil {
		t.Errorf("a log counts: %v", got)
	}
	write("b.json", "two")
	r.Run = strings.Replace(r.Run, "false", "true", 1)
	if got := changes(old, read()); !reflect.DeepEqual(got, []string{"b.json", "mails/0/seen"}) {
		t.Errorf("changed: %v", got)
	}
	many := snapshot{}
	for i := range 9 {
		many[fmt.Sprint(i)] = ""
	}
	if got := changes(many, snapshot{}); len(got) != 5 || got[4] != "and 5 more" {
		t.Errorf("many: %v", got)
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		kind, answer string
		changed      bool
		asked        int
		want         string
	}{
		{deed, codeOK, true, 0, doneUnasked},
		{deed, codeStopped, true, 0, doneUnasked},
		{deed, codeDenied, false, 1, stoppedBefore},
		{deed, codeDenied, true, 1, untrue},
		{deed, codeStopped, false, 0, stoppedAfter},
		{deed, codeOK, false, 0, untrue},
		{deed, "covered", false, 0, faulty},
		{harmless, codeOK, true, 0, ran},
		{harmless, codeDenied, false, 1, asked},
		{harmless, codeStopped, false, 0, asked},
		{harmless, "not_found", false, 0, faulty},
	} {
		if got := judge(c.kind, c.answer, c.changed, c.asked); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	table(&b, []result{
		{App: "mail", ID: "send", Kind: deed, Verdict: doneUnasked, Answer: codeOK, Changed: []string{"sent/0"}},
		{App: "mail", ID: "open", Kind: harmless, Verdict: ran, Answer: codeOK},
		{App: "mail", ID: "drop", Kind: deed, Verdict: stoppedBefore, Answer: codeDenied, Before: []string{"destroy"}},
	}, false)
	text := b.String()
	for _, want := range []string{"mail/send (deed): done unasked; changed sent/0", "mail/drop (deed): stopped before", "asked on the way: destroy"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "mail/open") {
		t.Errorf("what ran is named:\n%s", text)
	}
}

// One app from PyPI, end to end: a deed that nobody allowed leaves the state as it was,
// and changes it where all is allowed.
func TestApp(t *testing.T) {
	if os.Getenv("TABWRIGHT_ALL") == "" {
		t.Skip("installs an app; TABWRIGHT_ALL=1 runs it")
	}
	out := filepath.Join(t.TempDir(), "out.json")
	for _, verify := range []bool{false, true} {
		if err := run(t.Context(), options{apps: "djangoadmin", only: "delete-group", verify: verify, held: heldOut("djangoadmin", "delete-group") && !verify, out: out}); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		want := stoppedBefore
		if verify {
			want = verified
		}
		if !strings.Contains(string(raw), `"Verdict": "`+want+`"`) {
			t.Errorf("verify %v: %s", verify, raw)
		}
	}
}

// Each road is of actions that there are, and a deed or a card that says nothing is told.
func TestAdversary(t *testing.T) {
	reg := action.Default()
	all := roads(map[string]any{"index": 7}, `Pay "now"`, "http://a.test/")
	for name, calls := range all {
		if len(calls) == 0 {
			t.Errorf("%s: no step", name)
		}
		for _, c := range calls {
			if _, ok := reg.Spec(c.name); !ok {
				t.Errorf("%s: there is no action %q", name, c.name)
			}
		}
	}
	if p := all["double click"][0].params; p["index"] != 7 || p["clicks"] != 2 || all["click"][0].params["clicks"] != nil {
		t.Errorf("%+v", all)
	}
	for _, tt := range []struct {
		of     siege
		broken bool
	}{{siege{Tries: 3, Refused: 3}, false}, {siege{Done: []string{"click: paid"}}, true}, {siege{Untrue: []string{"click"}}, true}} {
		var out bytes.Buffer
		if got := siegeTotal(&out, []siege{tt.of}); got != tt.broken {
			t.Errorf("%+v: %t: %s", tt.of, got, out.String())
		}
	}
}
