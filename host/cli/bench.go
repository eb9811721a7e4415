package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/control"
	"tabwright/host/recall"
	"tabwright/host/serve"
)

// benchTime bounds the look at one page, its loading included.
const benchTime = 60 * time.Second

type benchFlags struct {
	budget, runs int
	browser      string
	args         []string
	json, missed bool
}

// benchedPage is what is said of a page.
type benchedPage struct {
	action.PageFigures
	recall.Score
}

// benchCommand measures. It is for those who want to know what a page costs a
// model before they choose one.
func benchCommand() *cobra.Command {
	bench := &cobra.Command{Use: "bench", Short: "Measure what pages cost a model", Example: "  tabwright bench pages https://go.dev"}
	var f benchFlags
	pages := &cobra.Command{
		Use:   "pages URL...",
		Short: "Measure how many tokens each page costs, and how much of it the model is shown",
		Long: "Opens each page in a headless browser of 1280 x 720 and measures the list of elements that a model would read first.\n" +
			"Chromium's accessibility tree and hit testing give the elements that a user could operate in the viewport.\n" +
			"The column \"recall\" is the share of these elements whose role and name are in the list. The column \"names\" is the share\n" +
			"of listed elements whose name is in the list. --missed names the elements that are not in it; --json always does.\n" +
			"If the URL is -, addresses are read from standard input, one a line, and each page is measured at once.",
		Example: `  tabwright bench pages https://go.dev https://en.wikipedia.org/wiki/Mug
  tabwright bench pages --budget 800 --json https://go.dev`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, urls []string) error {
			each := slices.Values(urls)
			if len(urls) == 1 && urls[0] == "-" {
				each = linesOf(cmd.InOrStdin())
			} else {
				for _, u := range urls {
					if err := pageAddress(u); err != nil {
						return &exitError{code: exitUsage, err: err}
					}
				}
			}
			err := benchPages(cmd, each, f)
			var told *exitError
			if err != nil && !errors.As(err, &told) {
				return &exitError{code: exitFailed, err: err}
			}
			return err
		},
	}
	fl := pages.Flags()
	fl.IntVar(&f.budget, "budget", action.DefaultBudget, "how many tokens the first list of elements may take")
	fl.IntVar(&f.runs, "runs", 5, "how often each page is read; the median is printed")
	fl.StringVar(&f.browser, "browser", "", "path of the Chromium to launch")
	fl.StringArrayVar(&f.args, "browser-arg", nil, "an additional argument for the browser")
	fl.BoolVar(&f.json, "json", false, "print one JSON object for each page")
	fl.BoolVar(&f.missed, "missed", false, "name the elements in view that the list lacks")
	bench.AddCommand(pages)
	return bench
}

// linesOf gives the lines of what is read that are not empty, each as it comes.
func linesOf(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := bufio.NewScanner(r); s.Scan(); {
			if l := strings.TrimSpace(s.Text()); l != "" && !yield(l) {
				return
			}
		}
	}
}

func pageAddress(u string) error {
	p, err := url.Parse(u)
	if err != nil || p.Scheme != "http" && p.Scheme != "https" && p.Scheme != "file" {
		return fmt.Errorf("%q is no http, https or file address", u)
	}
	return nil
}

func benchPages(cmd *cobra.Command, urls iter.Seq[string], f benchFlags) (err error) {
	env, err := serve.Load()
	if err != nil {
		return err
	}
	script, err := extension.Extractor()
	if err != nil {
		return serve.ErrNotBuilt
	}
	ctx := cmd.Context()
	l, err := control.Launch(ctx, control.LaunchOptions{Headless: true, Browser: cmp.Or(f.browser, env.Config.Browser), Args: f.args, Extractor: script})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	info, err := l.Open(ctx, "about:blank", true, "")
	if err != nil {
		return err
	}
	t, err := l.Attach(ctx, info.ID)
	if err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, t.Session(), emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 720}); err != nil {
		return err
	}
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	if !f.json {
		fmt.Fprintln(out, "nodes\tcontrols\tin view\trecall\tnames\tsummary\tfirst look\twhole list\tfirst look\twhole list\t page")
		fmt.Fprintln(out, "\t\t\t\t\ttokens\ttokens\ttokens\tms\tms\t ")
	}
	var failed []error
	for u := range urls {
		p, err := benchPage(ctx, t, u, f)
		switch {
		case err != nil && f.json:
			failed = append(failed, err)
			if err := json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]string{"url": u, "error": err.Error()}); err != nil {
				return err
			}
		case err != nil:
			failed = append(failed, err)
		case f.json:
			if err := json.NewEncoder(cmd.OutOrStdout()).Encode(p); err != nil {
				return err
			}
		default:
			fmt.Fprintf(out, "%d\t%d\t%d\t%s\t%s\t%d\t%d\t%d\t%.1f\t%.1f\t %s\n", p.Nodes, p.Elements, p.InView, share(p.Told, p.InView), share(p.Named, p.Listed),
				p.SummaryTokens, p.FirstTokens, p.WholeTokens, p.FirstMS, p.WholeMS, p.URL)
			for _, m := range p.Missed {
				if f.missed {
					fmt.Fprintf(out, "\t\t\t\t\t\t\t\t\t\t   %s: %s %q (%s, <%s>) %s\n", m.Kind, cmp.Or(m.Role, "any"), m.Name, m.How, m.Tag, m.Text)
				}
			}
		}
	}
	if f.json && len(failed) > 0 { // each stands in its page's place
		return &exitError{code: exitFailed, err: errors.Join(failed...), quiet: true}
	}
	return errors.Join(append(failed, out.Flush())...)
}

// share is a share of some, as the table has it.
func share(of, all int) string {
	if all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(of)/float64(all))
}

// settle waits until a page that has loaded builds itself no further: nothing was
// added, moved or set in motion for a while, or it goes on for too long.
func settle(ctx context.Context, t *browser.Tab) error {
	_, err := t.Evaluate(ctx, `new Promise((done) => {
		const state = () => document.querySelectorAll("*").length + " " + document.documentElement.scrollHeight + " " +
			document.getAnimations().filter((a) => a.effect?.getComputedTiming().iterations < 10).length;
		let last = "", same = 0, left = 25;
		const timer = setInterval(() => {
			const now = state();
			same = now === last ? same + 1 : 0;
			last = now;
			if (same === 3 || --left === 0) { clearInterval(timer); done(); }
		}, 200);
	})`)
	return err
}

func benchPage(ctx context.Context, t *browser.Tab, address string, f benchFlags) (out benchedPage, err error) {
	if err := pageAddress(address); err != nil {
		return out, err
	}
	ctx, cancel := context.WithTimeout(ctx, benchTime)
	defer cancel()
	if err := t.Navigate(ctx, address); err != nil {
		return out, fmt.Errorf("%s: %w", address, err)
	}
	if err := settle(ctx, t); err != nil {
		return out, fmt.Errorf("%s: %w", address, err)
	}
	if out.PageFigures, err = action.Measure(ctx, t, f.budget, f.runs); err != nil {
		return out, err
	}
	view, err := recall.InView(ctx, t)
	if err != nil {
		return out, fmt.Errorf("%s: %w", address, err)
	}
	lines := recall.Parse(out.Text)
	indices := make([]int, len(lines))
	for i, l := range lines {
		indices[i] = l.Index
	}
	nodes, err := out.NodesOf(ctx, t, indices)
	if err != nil {
		return out, err
	}
	out.Score = recall.Compare(view, lines, nodes)
	return out, nil
}
