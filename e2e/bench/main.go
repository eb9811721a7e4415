// Command bench times Tabwright's MCP server beside Playwright MCP and agent-browser. All use
// the same pages, the same Chromium binary and the same machine, and take turns, one call
// each. Tabwright runs twice: in a browser that it launched, and through its extension in a
// browser as a user has it. Beside them stands what Chromium takes by itself. Before that it
// compares what a look at each of some pages costs. `make bench-peers` runs it. The others
// come from npm into a folder of the cache; nothing else here needs them. `make bench-pages`
// opens pages that others made, and measures what the text of a look tells of them
// (recall.go). Start reading at main; peers.go says how each is called, floor.go what is sent
// to a bare Chromium, table.go how it is told.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"tabwright/e2e/rig"
)

const (
	callTime  = 30 * time.Second // limit of one call
	startTime = 2 * time.Minute  // until a contender has taken its first round
	word      = "hello world"
)

// steps are what is timed, in the order of a round.
var steps = []string{"navigate", "snapshot", "click", "fill", "type by keys"}

// kind is the kind of a column of the table.
type kind int

const (
	other     kind = iota // a peer
	direct                // ours, in a browser of its own
	extension             // ours, through the extension
	floor                 // Chromium by itself
	earlier               // another build of ours
)

// contender is one column.
type contender struct {
	name string
	kind kind
	// start gets it ready for rounds; what it started, close ends.
	start func(ctx context.Context) error
	// round takes every step once; a step that it has no way for is left out.
	round func(ctx context.Context, url string) (map[string]time.Duration, error)
	close func() error
	// before is the same of another build, where there is one to stand beside.
	before *contender
}

func main() {
	rounds := flag.Int("n", 15, "rounds of each page")
	cache := flag.String("cache", ".cache/peers", "where the others are installed")
	chromium := flag.String("browser", "", "the Chromium for all (default: chromium on PATH)")
	alone := flag.Bool("alone", false, "without the others")
	beside := flag.String("beside", "", "another build of tabwright, timed by turns with this one")
	only := flag.String("only", "", "pages (what a look at a page costs), steps (calls timed) or public (what the text tells of pages that others made); the first two if left out")
	match := flag.String("match", "", "with -only public: pages whose path contains this")
	rest := flag.Duration("rest", 0, "how long each waits before a step")
	size := flag.String("size", "", "small or large: the page whose steps are timed, not both")
	out := flag.String("json", "", "with -only public: the file for all figures and every miss")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, options{
		rounds: *rounds, cache: *cache, chromium: *chromium, only: *only, beside: *beside, alone: *alone, match: *match, json: *out, rest: *rest, size: *size,
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	rounds                        int
	cache, chromium, only, beside string
	match, json                   string // of the public pages
	size                          string
	rest                          time.Duration
	alone                         bool
}

func run(ctx context.Context, o options) error {
	var err error
	if o.chromium, err = browserAt(o.chromium); err != nil {
		return err
	}
	for _, p := range []*string{&o.cache, &o.beside} {
		if *p == "" {
			continue
		}
		if *p, err = filepath.Abs(*p); err != nil {
			return err
		}
	}
	binary, err := rig.Build(ctx)
	if err != nil {
		return err
	}
	if !o.alone {
		if err := install(ctx, o.cache); err != nil {
			fmt.Printf("The others could not be installed and are left out: %v\n", err)
			o.alone = true
		}
	}
	if o.only == "public" {
		return publicRecall(ctx, binary, o)
	}
	if o.only != "steps" {
		site := httptest.NewServer(pagesSite())
		defer site.Close()
		if err := comparePages(ctx, binary, o.cache, o.chromium, site.URL, o.rounds, o.alone); err != nil {
			return fmt.Errorf("compare pages: %w", err)
		}
	}
	if o.only == "pages" {
		return nil
	}
	return compareSteps(ctx, binary, o)
}

// contenders are the columns of the table.
func contenders(binary string, o options) []*contender {
	ours := []*contender{tabwrightDirect(binary, o), tabwrightExtension(binary, o)}
	all := ours
	if o.beside != "" {
		for i, c := range []*contender{tabwrightDirect(o.beside, o), tabwrightExtension(o.beside, o)} {
			c.name, c.kind = c.name+", the other build", earlier
			ours[i].before = c
			all = append(all, c)
		}
	}
	if !o.alone {
		all = append(all, playwright(o.cache, o.chromium), agentBrowser(o.cache, o.chromium))
	}
	return append(all, bareChromium(o.chromium))
}

// compareSteps times the calls of each on the same two pages.
func compareSteps(ctx context.Context, binary string, o options) error {
	site := httptest.NewServer(http.HandlerFunc(page))
	defer site.Close()
	var running []*contender
	for _, c := range contenders(binary, o) {
		defer func() {
			if err := c.close(); err != nil {
				fmt.Fprintln(os.Stderr, c.name, "did not end well:", err)
			}
		}()
		if err := ready(ctx, c, site.URL); err != nil {
			fmt.Printf("%s does not run here and is left out: %v\n", c.name, err)
			continue
		}
		running = append(running, c)
	}
	if len(running) == 0 {
		return errors.New("nothing runs")
	}
	for _, size := range []string{"small", "large"} {
		if o.size != "" && o.size != size {
			continue
		}
		took, err := timed(ctx, running, o.rounds, site.URL+"/"+size)
		if err != nil {
			return fmt.Errorf("the %s page: %w", size, err)
		}
		table(os.Stdout, size, o.rounds, running, took)
	}
	return nil
}

// browserAt returns the browser binary that all contenders run.
func browserAt(path string) (string, error) {
	if path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("no Chromium on PATH; name one with -browser")
}

// ready starts a contender and takes a round, since many start their browser
// with the first call.
func ready(ctx context.Context, c *contender, site string) error {
	rctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := c.start(ctx); err != nil {
		return err
	}
	_, err := c.round(rctx, site+"/small?warm")
	return err
}

// timed runs the rounds on one page, with the contenders in turn.
func timed(ctx context.Context, running []*contender, rounds int, url string) (times, error) {
	took := times{}
	for n := range rounds {
		for i := range running {
			c := running[(i+n)%len(running)] // none is always the first
			one, err := c.round(ctx, fmt.Sprintf("%s?%d", url, n))
			if err != nil {
				return nil, fmt.Errorf("%s, round %d: %w", c.name, n+1, err)
			}
			for step, d := range one {
				took.add(c, step, d)
			}
		}
	}
	return took, nil
}

// page is a list of goods with a counter and a field; the large one has a
// thousand controls.
func page(w http.ResponseWriter, r *http.Request) {
	n := 10
	switch r.URL.Path {
	case "/small":
	case "/large":
		n = 500
	default:
		http.NotFound(w, r)
		return
	}
	goods(w, n)
}

func goods(w http.ResponseWriter, n int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprint(w, `<!doctype html><meta charset="utf-8"><title>Goods</title><h1>Goods</h1>
<button id="count">Count</button> <p id="said">Nothing clicked</p>
<label>Note <input id="note"></label> <p id="noted">Nothing noted</p>
<script>
let n = 0;
count.onclick = () => { said.textContent = "Clicked " + ++n + " times"; };
note.oninput = () => { noted.textContent = "Noted: " + note.value; };
</script><ul>`)
	for i := range n {
		_, _ = fmt.Fprintf(w, `<li><a href="/small?item=%d">Item %d</a> <span>costs %d</span> <button>Add item %d</button></li>`, i, i, i*3+1, i)
	}
	_, _ = fmt.Fprint(w, "</ul>")
}

// said returns an error unless a page shows the result of a step.
func said(step, shown string) error {
	want := ""
	switch step {
	case "click":
		want = "Clicked 1 times"
	case "fill", "type by keys":
		want = "Noted: " + word
	}
	if !strings.Contains(shown, want) {
		return fmt.Errorf("after %s the page does not say %q: %.1500s", step, want, shown)
	}
	return nil
}
