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
  for (const e of [document.documentElement, ...document.querySelectorAll("main, .part, .chat, .box, .head, .convs")])
    if (e.scrollWidth > e.clientWidth + 1) out.push((e.className || e.tagName) + " is " + e.scrollWidth + " wide in " + e.clientWidth);
  for (const e of document.querySelectorAll("button, input, select, textarea, a, h1, h2, h3, label, .card, .field")) {
    const r = e.getBoundingClientRect();
    if (r.width > 0 && !e.closest(".sr") && e.checkVisibility() && (r.right > innerWidth + 1 || r.left < -1)) out.push((e.dataset.testid || e.className || e.tagName) + " ends at " + r.right);
  }
  return out;
})()`

// forced finds, in the system's own colours, what shows no focus, or shows no
// other look while it is chosen, and what moves although no motion is wanted.
const forced = `(() => {
  const out = [], name = (e) => e.dataset.testid || e.textContent.slice(0, 30) || e.className || e.tagName;
  const look = (e) => { const s = getComputedStyle(e); return [s.outlineStyle, s.outlineWidth, s.outlineColor, s.outlineOffset, s.borderColor, s.boxShadow].join() };
  const around = (e) => e.matches("input[type=radio], input[type=checkbox]") ? e.closest("label") ?? e : e.closest(".box") ?? e;
  for (const e of document.querySelectorAll("button:enabled, input:enabled, select:enabled, textarea:enabled, a[href], summary, [tabindex='0']")) {
    if (!e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}) || e.getBoundingClientRect().width === 0) continue;
    document.activeElement?.blur();
    const before = look(e) + look(around(e));
    e.focus({focusVisible: true, preventScroll: true});
    if (document.activeElement === e && look(e) + look(around(e)) === before) out.push("no focus is seen on " + name(e));
  }
  document.activeElement?.blur();
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.cssText = "forced-color-adjust: none; background: Highlight";
  const chosen = getComputedStyle(probe).backgroundColor;
  probe.remove();
  for (const e of document.querySelectorAll("[aria-pressed=true], [aria-selected=true], .choice label:has(:checked), .model:has(:checked)"))
    if (e.checkVisibility() && getComputedStyle(e).backgroundColor !== chosen) out.push(name(e) + " does not look chosen");
  for (const a of document.getAnimations()) {
    const t = a.effect.getComputedTiming();
    if (a.playState === "running" && t.duration > 10) out.push("moves for " + t.duration + " ms: " + (a.animationName ?? a.transitionProperty) + " of " + name(a.effect.target));
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
		must(t, p.Media(ctx, "light", "prefers-contrast", "more"))
		report("light, more contrast", contrast)
		must(t, p.Media(ctx, "dark", "forced-colors", "active", "prefers-contrast", "more"))
		report("forced colours", contrast)
		var unseen []string
		must(t, p.Eval(ctx, forced, &unseen))
		for _, u := range unseen {
			t.Errorf("%s, %s, forced colours: %s", s.Name, lang, u)
		}
		if dir := os.Getenv("TABWRIGHT_SHOTS"); dir != "" { // to be looked at
			png, err := p.Screenshot(ctx)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, "forced-"+s.Name+".png"), png, 0o600))
		}
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
