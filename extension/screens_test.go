package extension_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/extension/bundle"
	"tabwright/extension/paneltest"
	"tabwright/extension/paneltest/scenes"
)

// violation is a rule of axe-core that a screen breaks.
type violation struct {
	ID    string
	Help  string
	Nodes []struct {
		Target         []any
		FailureSummary string
	}
}

func (v violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", v.ID, v.Help)
	for _, n := range v.Nodes {
		fmt.Fprintf(&b, "\n    %v %s", n.Target, strings.ReplaceAll(n.FailureSummary, "\n", "; "))
	}
	return b.String()
}

// all of WCAG 2.2 up to AA, and what is just good practice.
const wcag = `{type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}`

// wide finds what reaches beyond the panel's edge, or is cut off inside it
// without a way to scroll there.
const wide = `(() => {
  const out = [];
  for (const e of [document.documentElement, ...document.querySelectorAll("main, .part, .chat, .composer, .head, .convs")])
    if (e.scrollWidth > e.clientWidth + 1) out.push((e.className || e.tagName) + " is " + e.scrollWidth + " wide in " + e.clientWidth);
  for (const e of document.querySelectorAll("button, input, select, textarea, a, h1, h2, h3, label, .card, .field")) {
    const r = e.getBoundingClientRect();
    if (r.width > 0 && !e.closest(".sr") && e.checkVisibility() && (r.right > innerWidth + 1 || r.left < -1)) out.push((e.dataset.testid || e.className || e.tagName) + " ends at " + r.right);
  }
  return out;
})()`

// Every screen of the panel keeps to WCAG 2.2 AA in light, dark and high
// contrast, and fits 300 px and 600 px. (axe-core 4.14, used in tests only.)
func TestEveryScreen(t *testing.T) {
	if testing.Short() || paneltest.Find() == "" {
		t.Skip("needs a Chromium")
	}
	axe, err := os.ReadFile(filepath.Join(bundle.Root(), "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	theatre, err := scenes.Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { must(t, theatre.Close()) }()
	for i, s := range scenes.All() {
		lang := []string{"en", "zh"}[i%2] // the rules are the same; the words are not
		p, err := theatre.Enter(ctx, &s, lang, 360, 720)
		if err != nil {
			t.Error(err)
			continue
		}
		must(t, p.Eval(ctx, string(axe), nil))
		report := func(where, rules string) {
			t.Helper()
			var found []violation
			var text string
			must(t, p.Eval(ctx, `axe.run(document, {runOnly: `+rules+`, resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations))`, &text))
			must(t, json.Unmarshal([]byte(text), &found))
			for _, v := range found {
				t.Errorf("%s, %s, %s: %s", s.Name, lang, where, v)
			}
		}
		must(t, p.Media(ctx, "light"))
		report("light", wcag)
		// In other colours only the contrast is another.
		const contrast = `{type: "rule", values: ["color-contrast"]}`
		must(t, p.Media(ctx, "dark"))
		report("dark", contrast)
		must(t, p.Media(ctx, "dark", "prefers-contrast", "more"))
		report("dark, more contrast", contrast)
		for _, width := range []int{300, 600} {
			must(t, p.Call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 720, "deviceScaleFactor": 1, "mobile": false}, nil))
			var beyond []string
			must(t, p.Eval(ctx, wide, &beyond))
			for _, b := range beyond {
				t.Errorf("%s, %s, %d px: %s", s.Name, lang, width, b)
			}
		}
		must(t, p.Close(ctx))
	}
}
