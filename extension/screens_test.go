package extension_test

import (
	"context"
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

// inItsFrame waits until what changes its colour in no time has done so, in a frame.
const inItsFrame = `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))`

// unlike finds the texts that stand there in colours, on grounds and in a size that
// no text before had in this theme, and has axe look at their contrast: equal
// ones have an equal contrast, and whether something lies over a text is seen in
// the one theme in which every text is looked at.
const unlike = `(async (known) => {
  await ` + inItsFrame + `;
  const looks = new Set(known), fresh = [], nodes = [];
  for (const e of document.querySelectorAll("body *")) {
    if (!e.matches("input, textarea, select") && ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    if (!e.checkVisibility({visibilityProperty: true})) continue;
    const own = getComputedStyle(e), look = [own.color, own.fontSize, own.fontWeight, own.textShadow];
    for (let p = e, under = true; p; p = p.parentElement) {
      const s = getComputedStyle(p);
      if (under) look.push(s.backgroundColor, s.backgroundImage);
      if (s.opacity !== "1") look.push("opacity " + s.opacity);
      under &&= !s.backgroundColor.startsWith("rgb("); // what has no alpha hides what is below it
    }
    const key = look.join();
    if (looks.has(key)) continue;
    looks.add(key);
    fresh.push(key);
    nodes.push(e);
  }
  const found = nodes.length === 0 ? [] : (await axe.run({include: nodes}, {runOnly: {type: "rule", values: ["color-contrast"]}, resultTypes: ["violations"]})).violations;
  return {Fresh: fresh, Found: found.map(v => ({ID: v.id, Help: v.help, Nodes: v.nodes.map(n => ({Target: n.target, FailureSummary: n.failureSummary}))}))};
})`

// theme is one that differs from the light one in its colours only.
type theme struct {
	name, scheme string
	media        []string
	known        []string // of the looks of its texts
}

// contrasts gives what has too little contrast of the looks that are new in the theme.
func (th *theme) contrasts(ctx context.Context, t *testing.T, p *paneltest.Page) []violation {
	t.Helper()
	must(t, p.Media(ctx, th.scheme, th.media...))
	var got struct {
		Fresh []string
		Found []violation
	}
	must(t, p.Eval(ctx, unlike+"("+quotedAll(t, th.known)+")", &got))
	th.known = append(th.known, got.Fresh...)
	return got.Found
}

// Every screen of the panel keeps to WCAG 2.2 AA in light, dark and high
// contrast, and fits 300 px and 600 px; without TABWRIGHT_ALL=1 every second one.
// (axe-core 4.14, used in tests only.)
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
	more := []string{"prefers-contrast", "more"}
	themes := []*theme{
		{name: "dark", scheme: "dark"},
		{name: "dark, more contrast", scheme: "dark", media: more},
		{name: "light, more contrast", scheme: "light", media: more},
		{name: "forced colours", scheme: "dark", media: append([]string{"forced-colors", "active"}, more...)}, // the last: see forced
	}
	all := scenes.All()
	if os.Getenv("TABWRIGHT_ALL") == "" {
		for i := range len(all) / 2 {
			all[i] = all[2*i+1]
		}
		all = all[:len(all)/2]
	}
	var p *paneltest.Page // one tab for all
	for i, s := range all {
		lang := []string{"en", "zh"}[i%2] // the rules are the same; the words are not
		p, err = theatre.Next(ctx, p, &s, lang, 360, 720)
		if err != nil {
			t.Error(err)
			continue
		}
		must(t, p.Eval(ctx, string(axe)+"; undefined", nil))
		must(t, p.Media(ctx, "light"))
		var found []violation
		must(t, p.Eval(ctx, inItsFrame+`.then(() => axe.run(document, {runOnly: `+wcag+`, resultTypes: ["violations"]})).then(r => r.violations)`, &found))
		for _, v := range found {
			t.Errorf("%s, %s, light: %s", s.Name, lang, v)
		}
		for _, th := range themes {
			for _, v := range th.contrasts(ctx, t, p) {
				t.Errorf("%s, %s, %s: %s", s.Name, lang, th.name, v)
			}
		}
		seenAndStill(ctx, t, p, &s, lang)
		fits(ctx, t, p, &s, lang)
		if i == len(all)-1 { // the measure sees what it is for
			must(t, p.Eval(ctx, `(() => { const e = document.querySelector("main").appendChild(document.createElement("p")); e.textContent = "grey"; e.style.cssText = "color: #777; background: #707070" })()`, nil))
			if len(themes[0].contrasts(ctx, t, p)) == 0 {
				t.Error("grey on grey is no fault of contrast")
			}
		}
	}
	for _, th := range themes {
		t.Logf("%s: %d looks of texts", th.name, len(th.known))
	}
}

// seenAndStill checks a screen in the system's own colours.
func seenAndStill(ctx context.Context, t *testing.T, p *paneltest.Page, s *scenes.Scene, lang string) {
	t.Helper()
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
}

// fits checks that nothing of a screen is cut off where the panel is narrow or wide.
func fits(ctx context.Context, t *testing.T, p *paneltest.Page, s *scenes.Scene, lang string) {
	t.Helper()
	for _, width := range []int{300, 600} {
		must(t, p.Resize(ctx, width, 720, 1))
		var beyond []string
		must(t, p.Eval(ctx, wide, &beyond))
		for _, b := range beyond {
			t.Errorf("%s, %s, %d px: %s", s.Name, lang, width, b)
		}
	}
}
