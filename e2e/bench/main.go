// Command bench times Tabwright's MCP server beside two others, Playwright MCP
// and agent-browser: the same pages, the same Chromium binary, the same
// machine, one call of each in turn. `make bench-peers` runs it. The others
// come from npm into a folder of the cache; nothing else here needs them.
// Start reading at main; peers.go says how each is called.
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
	"slices"
	"strings"
	"time"

	"tabwright/e2e/rig"
)

const (
	callTime = 30 * time.Second // of one call
	word     = "hello world"
)

func main() {
	rounds := flag.Int("n", 15, "rounds of each page")
	cache := flag.String("cache", ".cache/peers", "where the others are installed")
	chromium := flag.String("browser", "", "the Chromium for all (default: chromium on PATH)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *rounds, *cache, *chromium); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rounds int, cache, chromium string) error {
	if chromium == "" {
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
			if p, err := exec.LookPath(name); err == nil {
				chromium = p
				break
			}
		}
	}
	if chromium == "" {
		return errors.New("no Chromium on PATH; name one with -browser")
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return err
	}
	binary, err := rig.Build(ctx)
	if err != nil {
		return err
	}
	site := httptest.NewServer(http.HandlerFunc(page))
	defer site.Close()

	all := []*peer{tabwright(binary, chromium)}
	if err := install(ctx, cache); err != nil {
		fmt.Printf("The others could not be installed, so Tabwright is timed alone: %v\n", err)
	} else {
		all = append(all, playwright(cache, chromium), agentBrowser(cache, chromium))
	}
	var running []*peer
	for _, p := range all {
		defer p.close()
		err := p.start(ctx)
		if err == nil {
			_, err = p.round(ctx, site.URL+"/small?warm") // the browser starts at the first call
		}
		if err != nil {
			fmt.Printf("%s does not run here and is left out: %v\n", p.name, err)
			continue
		}
		running = append(running, p)
	}
	if len(running) == 0 {
		return errors.New("nothing runs")
	}
	for _, size := range []string{"small", "large"} {
		times := map[string]map[string][]time.Duration{}
		for _, p := range running {
			times[p.name] = map[string][]time.Duration{}
		}
		for n := range rounds {
			for i := range running {
				p := running[(i+n)%len(running)] // none is always the first
				took, err := p.round(ctx, fmt.Sprintf("%s/%s?%d", site.URL, size, n))
				if err != nil {
					return fmt.Errorf("%s, round %d of the %s page: %w", p.name, n+1, size, err)
				}
				for step, d := range took {
					times[p.name][step] = append(times[p.name][step], d)
				}
			}
		}
		table(size, rounds, running, times)
	}
	return nil
}

// table prints medians, and how ours stand to the faster of the others.
func table(size string, rounds int, running []*peer, times map[string]map[string][]time.Duration) {
	fmt.Printf("\n%s page, medians of %d rounds in ms\n\n| step |", size, rounds)
	for _, p := range running {
		fmt.Printf(" %s |", p.name)
	}
	fmt.Print(" to the faster peer |\n|---|" + strings.Repeat("---|", len(running)+1) + "\n")
	for _, step := range steps {
		fmt.Printf("| %s |", step)
		var ours, best time.Duration
		for _, p := range running {
			d := median(times[p.name][step])
			fmt.Printf(" %.1f |", float64(d.Microseconds())/1000)
			if p.ours {
				ours = d
			} else if best == 0 || d < best {
				best = d
			}
		}
		if ours > 0 && best > 0 {
			fmt.Printf(" × %.2f |\n", float64(ours)/float64(best))
		} else {
			fmt.Print(" – |\n")
		}
	}
}

func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
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
