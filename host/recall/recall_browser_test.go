package recall_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"tabwright/extension/bundle"
	"tabwright/host/action"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/recall"
)

// TestRealRecall: what counts as in view and operable is told from what only looks so, and
// the first look has a line for each, whose index stands for that very node.
func TestRealRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	script, err := bundle.Extractor(bundle.Root())
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	b, err := launch.Start(ctx, launch.Options{Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	d, err := direct.Connect(ctx, b.URL(), direct.Options{Extractor: script})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	site := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	defer site.Close()
	info, err := d.Open(ctx, site.URL+"/recall.html", true, "")
	if err != nil {
		t.Fatal(err)
	}
	tab, err := d.Attach(ctx, info.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := tab.Navigate(ctx, site.URL+"/recall.html"); err != nil {
		t.Fatal(err)
	}
	view, err := recall.InView(ctx, tab)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range view {
		got = append(got, strings.TrimSpace(e.Role+" "+e.Name))
	}
	want := []string{
		"button Pay", "link Order", "link Help", "textbox Town", "checkbox Agree", "switch Dark", "Handle", "button Inner", "Glue 12 sticks", "button Open tile",
		"", "button More", "button Shadowed", "button Framed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	figures, err := action.Measure(ctx, tab, action.DefaultBudget, 1)
	if err != nil {
		t.Fatal(err)
	}
	lines := recall.Parse(figures.Text)
	var indices []int
	for _, line := range lines {
		indices = append(indices, line.Index)
	}
	nodes, err := figures.NodesOf(ctx, tab, indices)
	if err != nil {
		t.Fatal(err)
	}
	if s := recall.Compare(view, lines, nodes); s.Told != len(view) || s.Listed != len(view) || s.Named != len(view) {
		t.Errorf("%+v\n%s", s, figures.Text)
	}
}
