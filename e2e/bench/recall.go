package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/e2e/publicpages"
	"tabwright/host/recall"
	"tabwright/pagecontext"
)

// The aims of the text of a look at a page that others made.
const (
	recallAim = 0.99
	namesAim  = 0.98
	firstAt95 = 2000 // tokens of the first look, at the 95th percentile
)

// publicPage is what was measured of one page.
type publicPage struct {
	Page string `json:"page"`
	figures
	recall.Score
	AgentBrowser int `json:"agentBrowserTokens,omitempty"` // of its snapshot -i
}

// publicRecall opens the pages of e2e/publicpages/lock.json, each from this computer alone:
// no other host is found.
func publicRecall(ctx context.Context, binary string, o options) error {
	cache := filepath.Join(filepath.Dir(o.cache), "pages")
	paths, err := publicpages.Fetch(ctx, cache, func(path string) bool { return strings.Contains(path, o.match) })
	if err != nil {
		return err
	}
	site := httptest.NewServer(http.FileServer(http.Dir(cache)))
	defer site.Close()
	const offline = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
	ours, err := startLines(ctx, "", binary, "bench", "pages", "--json", "--runs", strconv.Itoa(o.rounds), "--browser", o.chromium, "--browser-arg", offline, "-")
	if err != nil {
		return err
	}
	defer ours.close()
	var ab *server
	if !o.alone {
		ab = agentBrowserServer(o.cache, o.chromium)
		// Its arguments end at commas: a rule that leaves this computer out has none where
		// the name has no dot.
		ab.env = append(ab.env, "AGENT_BROWSER_ARGS=--no-sandbox,--disable-gpu,--host-resolver-rules=MAP *.* ~NOTFOUND")
		if err := ab.start(ctx); err != nil {
			fmt.Printf("agent-browser does not run here and is left out: %v\n", err)
			ab = nil
		} else {
			defer func() { _ = ab.close() }()
		}
	}
	var all []publicPage
	for _, path := range paths {
		p := publicPage{Page: path}
		if err := p.measure(ctx, ours, ab, site.URL); err != nil {
			fmt.Printf("%s is left out: %v\n", path, err)
			continue
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return errors.New("no page could be measured")
	}
	publicTable(os.Stdout, all)
	if o.json == "" {
		return nil
	}
	b, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(b, '\n'), 0o644)
}

func (p *publicPage) measure(ctx context.Context, ours *lines, ab *server, site string) error {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	if err := ours.ask(ctx, site+"/"+p.Page, p); err != nil {
		return err
	}
	if p.Error != "" {
		return errors.New(p.Error)
	}
	if ab == nil {
		return nil
	}
	if err := p.measurePeer(ctx, ab, strings.Replace(site, "127.0.0.1", "localhost", 1)); err != nil {
		fmt.Printf("%s: agent-browser is left out: %v\n", p.Page, err)
	}
	return nil
}

func (p *publicPage) measurePeer(ctx context.Context, ab *server, site string) error {
	if _, err := ab.do(ctx, call{"agent_browser_open", map[string]any{"url": site + "/" + p.Page}}); err != nil {
		return err
	}
	time.Sleep(time.Second) // as ours, it looks at a page that has built itself
	res, err := ab.do(ctx, call{"agent_browser_snapshot", map[string]any{"interactive": true}})
	if err != nil {
		return err
	}
	p.AgentBrowser = pagecontext.Tokens(snapshotOf(res))
	return nil
}

// publicTable prints a line for each page, what was missed, and how the aims stand.
func publicTable(w io.Writer, all []publicPage) {
	say := func(format string, a ...any) { _, _ = fmt.Fprintf(w, format, a...) }
	say("\n| page | nodes | in view | recall | names | first look | whole list | agent-browser `-i` | first look ms |\n|---|---|---|---|---|---|---|---|---|\n")
	var sum recall.Score
	var first, ms []float64
	ratio := map[bool]int{}
	var whole, theirs int
	for _, p := range all {
		peer := "–"
		if p.AgentBrowser > 0 {
			peer = strconv.Itoa(p.AgentBrowser)
			ratio[p.WholeTokens <= p.AgentBrowser]++
			whole, theirs = whole+p.WholeTokens, theirs+p.AgentBrowser
		}
		say("| %s | %d | %d | %s | %s | %d | %d | %s | %.1f |\n", p.Page, p.Nodes, p.InView, portion(p.Told, p.InView), portion(p.Named, p.Listed), p.FirstTokens, p.WholeTokens, peer, p.FirstMS)
		sum.InView, sum.Told, sum.Listed, sum.Named = sum.InView+p.InView, sum.Told+p.Told, sum.Listed+p.Listed, sum.Named+p.Named
		first, ms = append(first, float64(p.FirstTokens)), append(ms, p.FirstMS)
	}
	say("\nMissed:\n\n")
	for _, p := range all {
		for _, m := range p.Missed {
			say("- %s: %s: %s %q (%s, <%s>)", p.Page, m.Kind, m.Role, m.Name, m.How, m.Tag)
			if m.Text != "" {
				say(", told as %s", m.Text)
			}
			say("\n")
		}
	}
	slices.Sort(first)
	slices.Sort(ms)
	at := func(of []float64, percent int) float64 { return of[min(len(of)*percent/100, len(of)-1)] }
	say("\n- %d pages, %d elements in view\n", len(all), sum.InView)
	say("- recall of role and name: %s (aim %.2f)\n", portion(sum.Told, sum.InView), recallAim)
	say("- names of what is listed: %s (aim %.2f)\n", portion(sum.Named, sum.Listed), namesAim)
	say("- tokens of the first look: %.0f (p50), %.0f (p95, aim %d), %.0f at most\n", at(first, 50), at(first, 95), firstAt95, first[len(first)-1])
	say("- time of a first look: %.1f ms (p50), %.1f ms (p95)\n", at(ms, 50), at(ms, 95))
	if theirs > 0 {
		say("- whole list beside agent-browser's: %d tokens to %d (× %.2f), at most as many on %d of %d pages\n", whole, theirs, float64(whole)/float64(theirs), ratio[true], ratio[true]+ratio[false])
	}
}

func portion(of, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4f", float64(of)/float64(all))
}
