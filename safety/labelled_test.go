package safety

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// labelled is one case of testdata/labelled; its README says what the fields
// mean and by which rule a case is held out.
type labelled struct {
	ID      string   `json:"id"`
	Lang    string   `json:"lang"`
	Site    string   `json:"site"`
	Harmful bool     `json:"harmful"`
	Class   Class    `json:"class"`
	Also    []Class  `json:"also"`
	Level   string   `json:"level"`
	Why     string   `json:"why"`
	Sites   []string `json:"sites"`
	Act     Act      `json:"act"`
	// Sends is what the page sends when this is done, of what can write: in the
	// fifth and the sixth set.
	Sends []Request `json:"sends"`
	// Source is the application that has such a control: in the sixth set.
	Source string `json:"source"`

	folder string // it stands in: "", "second", … or "sixth"
}

// heldOutSet is the folder whose third is held out; empty while there is none.
const heldOutSet = "fifth"

// heldOut tells whether a case belongs to the third of heldOutSet that no word
// file and no rule may be mended by. The thirds of the first, second and fourth
// set were scored on 2026-11-22 and mended by since.
func (c labelled) heldOut() bool {
	if heldOutSet == "" || c.folder != heldOutSet {
		return false
	}
	sum := sha256.Sum256([]byte(c.ID))
	return binary.BigEndian.Uint64(sum[:8])%3 == 0
}

func (c labelled) set() string {
	if c.folder == "" {
		return "first set"
	}
	return c.folder + " set"
}

// decided is what the gate makes of a case in the end: of the act by what it is
// called, and of what the page then sends, unless that let it pass as harmless.
func (c labelled) decided() Decision {
	d := Judge(c.Act, c.context())
	if !HoldsRequests(c.Act, d) {
		return d
	}
	for _, r := range c.Sends {
		if of := JudgeRequest(r, c.Act, c.context()); of.Level > d.Level && of.Level >= Confirm {
			d = of
		}
	}
	return d
}

// context is what the gate knows of a task that began on the case's page.
func (c labelled) context() Context {
	sites := c.Sites
	if len(sites) == 0 {
		sites = []string{Site(c.Act.Page.URL)}
	}
	return Context{Sites: sites}
}

func (c labelled) level(t *testing.T) Level {
	t.Helper()
	for _, l := range []Level{Auto, Notify, Confirm, Block} {
		if l.String() == c.Level {
			return l
		}
	}
	t.Fatalf("%s: level %q", c.ID, c.Level)
	return Block
}

// labelledLangs are the languages of the set: Chinese counts twice, for its
// two scripts have words of their own.
var labelledLangs = strings.Fields("en zh-Hans zh-Hant ja ko es fr de pt ru it ar hi")

func labelledCases(t *testing.T) []labelled {
	t.Helper()
	first, err := filepath.Glob("testdata/labelled/*.jsonl")
	if err != nil || len(first) == 0 {
		t.Fatalf("no labelled cases: %v", err)
	}
	later, err := filepath.Glob("testdata/labelled/*/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out []labelled
	for i, name := range slices.Concat(first, later) {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(raw))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			d.DisallowUnknownFields()
			c := labelled{}
			if i >= len(first) {
				c.folder = filepath.Base(filepath.Dir(name))
			}
			if err := d.Decode(&c); err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			if want := strings.TrimSuffix(filepath.Base(name), ".jsonl"); c.Lang != want {
				t.Errorf("%s:%d: language %q in the file of %q", name, n, c.Lang, want)
			}
			out = append(out, c)
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return out
}

var labelledID = regexp.MustCompile(`^[a-z]{2}(?:-han[st])?-[a-z0-9]+-\d\d$`)

// TestLabelledSchema checks the set itself: nothing here asks the judge.
func TestLabelledSchema(t *testing.T) {
	cases := labelledCases(t)
	seen := map[string]bool{}
	perLang := map[string][2]int{}
	held, of := 0, 0
	for _, c := range cases {
		if !labelledID.MatchString(c.ID) || seen[c.ID] || !strings.HasPrefix(c.ID, strings.ToLower(c.Lang)+"-"+c.Site+"-") {
			t.Errorf("%s: bad or second id", c.ID)
		}
		seen[c.ID] = true
		checkLabel(t, c)
		checkAct(t, c)
		n := perLang[c.Lang]
		if c.Harmful {
			n[1]++
		} else {
			n[0]++
		}
		perLang[c.Lang] = n
		if heldOutSet != "" && c.folder == heldOutSet {
			of++
		}
		if c.heldOut() {
			held++
		}
	}
	for _, l := range labelledLangs {
		n := perLang[l]
		delete(perLang, l)
		if sum := n[0] + n[1]; sum < 60 || n[0]*100 < sum*45 || n[1]*100 < sum*45 {
			t.Errorf("%s: %d harmless and %d harmful cases", l, n[0], n[1])
		}
	}
	if len(perLang) > 0 {
		t.Errorf("languages nobody asked for: %v", perLang)
	}
	if held*100 < of*29 || held*100 > of*38 {
		t.Errorf("%d of %d cases are held out", held, of)
	}
	t.Logf("%d cases, %d of the set with a held-out part (%q), %d of these held out", len(cases), of, heldOutSet, held)
}

func checkLabel(t *testing.T, c labelled) {
	t.Helper()
	classes := []Class{Read, Navigate, Write, Submit, Communicate, Purchase, Destroy, Identity, Legal, FileClass, CodeClass, Settings}
	for _, class := range append([]Class{c.Class}, c.Also...) {
		if !slices.Contains(classes, class) {
			t.Errorf("%s: class %q", c.ID, class)
		}
	}
	if l := c.level(t); c.Harmful != (l >= Confirm) {
		t.Errorf("%s: harmful is %v at level %s", c.ID, c.Harmful, c.Level)
	}
	if mild := []Class{Read, Navigate, Write, Submit, Settings}; !c.Harmful && !slices.Contains(mild, c.Class) {
		t.Errorf("%s: harmless, of class %s", c.ID, c.Class)
	}
}

// checkAct checks that the facts are such as the extractor and the host give.
func checkAct(t *testing.T, c labelled) {
	t.Helper()
	a := c.Act
	if u, err := url.Parse(a.Page.URL); err != nil || u.Host == "" || a.Base == "" || a.Page.Title == "" && a.Page.Text != "" {
		t.Errorf("%s: page %q, base %q", c.ID, a.Page.URL, a.Base)
	}
	if needs := !slices.Contains([]string{"navigate", "executeJS"}, a.Action); needs != (a.Target != nil) {
		t.Errorf("%s: %s with target %v", c.ID, a.Action, a.Target)
	}
	if (a.Action == "pressKey") != (a.Key != "") || (a.Action == "dragDrop") != (a.Drop != nil) || (a.Action == "navigate") != (a.URL != "") || (a.Action == "handleDialog") != (a.Page.Dialog != "") {
		t.Errorf("%s: %s without what it needs", c.ID, a.Action)
	}
	for _, x := range []*Target{a.Target, a.Drop} {
		if x == nil {
			continue
		}
		if x.Tag == "" || x.Role == "" || x.FrameURL == "" || x.Fingerprint == "" {
			t.Errorf("%s: a target lacks tag, role, frame or fingerprint", c.ID)
		}
		if x.SubmitsForm && x.Form == nil || x.Secret != "" && x.Value != "" || x.Href != "" && x.LinkText == "" && x.Icon == "" && x.Name != "" {
			t.Errorf("%s: a target that no page gives", c.ID)
		}
		if x.Form != nil {
			if u, err := url.Parse(x.Form.Action); err != nil || !u.IsAbs() || x.Form.Method != "get" && x.Form.Method != "post" {
				t.Errorf("%s: form %q %q", c.ID, x.Form.Method, x.Form.Action)
			}
		}
	}
}
