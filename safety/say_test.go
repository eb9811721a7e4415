package safety

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	said = regexp.MustCompile(`\.(?:say\(|ask\([^"\n]+, "\w+", )"((?:[^"\\\\]|\\\\.)*)"`)
	read = regexp.MustCompile(`unreadable\{"((?:[^"\\\\]|\\\\.)*)"`)
)

// Every sentence of the gate is there in Chinese, with the same gaps.
func TestEverySentenceIsTranslated(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range append(said.FindAllStringSubmatch(string(src), -1), read.FindAllStringSubmatch(string(src), -1)...) {
			found++
			zh, ok := chinese[m[1]]
			if !ok {
				t.Errorf("%s: not translated: %s", f, m[1])
			}
			if strings.Count(zh, "%s") != strings.Count(m[1], "%s") {
				t.Errorf("%s: other gaps than in English: %s", m[1], zh)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d sentences were found: does the pattern still fit?", found)
	}
}

func TestReasonsInChinese(t *testing.T) {
	for _, a := range []Act{
		click(button("Pay"), page), click(button("Submit"), "https://a.test/checkout"),
		{Action: "navigate", Base: Navigate, URL: "chrome://x"},
		{Action: "executeJS", Base: CodeClass},
		{Action: "pressKey", Base: Write, Key: "Enter", Page: Page{URL: "https://a.test/login"}},
	} {
		en, zh := Judge(a, Context{}), Judge(a, Context{Lang: "zh-CN"})
		if en.Level != zh.Level || en.Class != zh.Class || len(en.Reasons) != len(zh.Reasons) {
			t.Errorf("the language changed the answer: %+v, %+v", en, zh)
		}
		for i, r := range zh.Reasons {
			if !strings.ContainsFunc(r.Text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || r.Rule != en.Reasons[i].Rule {
				t.Errorf("%+v for %+v", r, en.Reasons[i])
			}
		}
	}
}

// A control that only listens has no role to be called by.
func TestControlWithoutRole(t *testing.T) {
	for role, want := range map[string]string{"generic": `The element says "Delete"`, "button": `The button says "Delete"`} {
		d := Judge(click(&Target{Tag: "div", Role: role, Name: "Delete", Text: "Delete", HasHandler: true}, page), Context{})
		if len(d.Reasons) == 0 || d.Reasons[0].Text != want {
			t.Errorf("%s: %v, want %q", role, d.Reasons, want)
		}
	}
}
