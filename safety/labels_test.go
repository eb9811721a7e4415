package safety

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

func button(name string) *Target {
	return &Target{Tag: "button", Role: "button", Name: name, Text: name, HasHandler: true}
}

func link(name, href string) *Target {
	return &Target{Tag: "a", Role: "link", Name: name, Text: name, Href: href}
}

func click(t *Target, url string) Act {
	return Act{Action: "click", Base: Write, Target: t, Page: Page{URL: url}}
}

func TestWordFilesLoad(t *testing.T) {
	l, err := loadLexicon(wordFiles)
	if err != nil {
		t.Fatal(err)
	}
	langs := map[string]map[string]int{}
	for _, ps := range l.classes {
		for _, p := range ps {
			if langs[p.lang] == nil {
				langs[p.lang] = map[string]int{}
			}
			langs[p.lang][p.section]++
		}
	}
	for _, lang := range strings.Fields("ar de en es fr hi it ja ko pt ru zh") {
		for _, class := range strings.Fields("purchase destroy communicate identity legal file navigate write") {
			if langs[lang][class] == 0 {
				t.Errorf("%s has no words for %s", lang, class)
			}
		}
	}
}

func TestBrokenWordFiles(t *testing.T) {
	for _, data := range []string{"pay\n", "[nonsense]\npay", "[purchase never]\npay", "[purchase]\n=…", "[]\npay"} {
		l := &lexicon{classes: map[string][]*pattern{}, joined: map[string]*pattern{}, sections: map[string]map[string][]*pattern{}}
		if err := l.add("xx", data); err == nil {
			t.Errorf("%q was taken", data)
		}
	}
}

func TestWithoutWordsEverythingIsAsked(t *testing.T) {
	old := lex
	defer func() { lex = old }()
	lex = func() *lexicon { return &lexicon{} }
	if d := Judge(click(button("Menu"), "https://a.test/"), Context{}); d.Level != Confirm {
		t.Errorf("%v", d)
	}
}

// TestLabels reads tables of labels: about half must be asked about, the others
// are lookalikes that must not be.
func TestLabels(t *testing.T) {
	for _, name := range []string{"labels.txt", "sites.txt", "acts.txt"} {
		t.Run(name, func(t *testing.T) { labels(t, "testdata/"+name) })
	}
}

func labels(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	alarms, harmless := 0, 0
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		want, rest, _ := strings.Cut(line, " ")
		role, label, ok := strings.Cut(strings.TrimSpace(rest), " ")
		if !ok {
			t.Fatalf("line %d: %q", n, line)
		}
		label = strings.TrimSpace(label)
		target := button(label)
		if role == "link" {
			target = link(label, "https://site.test/page/42")
		}
		d := Judge(click(target, "https://site.test/things"), Context{})
		good := false
		switch want {
		case "confirm":
			alarms++
			good = d.Level == Confirm && len(d.Reasons) > 0
		case "harmless":
			harmless++
			good = d.Level <= Notify
		case "auto":
			harmless++
			good = d.Level == Auto
		default:
			t.Fatalf("line %d: unknown level %q", n, want)
		}
		if !good {
			t.Errorf("line %d: %s %q is %v (%s), want %s: %v", n, role, label, d.Level, d.Class, want, d.Reasons)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d to be asked about, %d lookalikes", alarms, harmless)
	if alarms+harmless < 150 {
		t.Errorf("only %d cases", alarms+harmless)
	}
}

// TestQuestions: what surrounds a control is a question about it only where it
// is one sentence that asks for consent.
func TestQuestions(t *testing.T) {
	ok := func(context string) Level {
		return Judge(Act{
			Action: "click", Base: Write, Page: Page{URL: "https://shop.test/x"},
			Target: &Target{Tag: "button", Role: "button", Name: "OK", Text: "OK", HasHandler: true, Context: context, FrameURL: "https://shop.test/x"},
		}, Context{}).Level
	}
	for _, s := range []string{
		"Really delete 3 files?", "Delete account · Are you sure?", "Pay $12.50 now?", "Are you sure you want to cancel your subscription? OK Cancel", "The order of $30 is about to be placed. Do you want to buy it?",
		"You are about to transfer $500 to Bob.",
	} {
		if ok(s) < Confirm {
			t.Errorf("%q is not asked about", s)
		}
	}
	for _, s := range []string{
		"Lamp $12.50 Add to cart Buy again Load more Reviews Shipping Language News How do I cancel an order?",
		"Buy lamps, chairs and tables at low prices and pay later with us, or order by phone from our friendly shop in town, open all day, every day. Do you like our new look?",
	} {
		if ok(s) >= Confirm {
			t.Errorf("%q is asked about", s)
		}
	}
}
