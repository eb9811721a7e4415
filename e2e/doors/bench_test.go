package doors

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBenchPages measures a page as a user does at the command line: for
// programs, as a table, with addresses from standard input; what can't be measured
// is told, and fails.
func TestBenchPages(t *testing.T) {
	b := newBench(t)
	flags := []string{"bench", "pages", "--runs", "1", "--browser-arg", b.mark}
	var got struct {
		URL, Title, Error                       string
		Nodes, Elements                         int
		SummaryTokens, FirstTokens, WholeTokens int
		FirstMS, WholeMS                        float64
	}
	line := b.ok(append(flags, "--json", b.url+"/json")...)
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if got.URL != b.url+"/json" || got.Title != "json" || got.Nodes < 10 || got.Elements != 6 {
		t.Errorf("the page is %s", line)
	}
	if got.SummaryTokens <= 0 || got.FirstTokens <= got.SummaryTokens || got.WholeTokens <= 0 || got.FirstMS <= 0 || got.WholeMS <= 0 {
		t.Errorf("the figures are %s", line)
	}

	cmd := b.command(append(flags, "-")...)
	cmd.Stdin = strings.NewReader(b.url + "/json\n\n" + b.url + "/form\n")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(rows) != 4 || !strings.Contains(rows[0], "first look") || !strings.HasSuffix(rows[2], " "+b.url+"/json") || !strings.HasSuffix(rows[3], " "+b.url+"/form") {
		t.Errorf("the table is\n%s", out)
	} else if f := strings.Fields(rows[2]); len(f) != 11 || f[1] != "6" || f[3] != "1.000" || f[4] != "1.000" {
		t.Errorf("its row is %q", f)
	}

	b.fails(2, "no http, https or file address", append(flags, "chrome://version")...)
	b.fails(2, "URL is missing", "bench", "pages")
	s := b.fails(1, "", append(flags, "--json", "http://127.0.0.1:1/")...)
	got.Error = ""
	if err := json.Unmarshal([]byte(s.out), &got); err != nil || got.Error == "" || got.URL != "http://127.0.0.1:1/" {
		t.Errorf("of a page that does not come it says %v %s", err, s.out)
	}
	b.noBrowser()
}
