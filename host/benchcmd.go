package main

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

	"github.com/spf13/cobra"

	"tabwright/extension"
	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/control"
)

// benchTime bounds the look at one page, its loading included.
const benchTime = 60 * time.Second

type benchFlags struct {
	budget, runs int
	browser      string
	args         []string
	json         bool
}

// benchCommand measures. It is for those who want to know what a page costs a
// model before they choose one.
func benchCommand() *cobra.Command {
	bench := &cobra.Command{Use: "bench", Short: "Measure what pages cost a model"}
	var f benchFlags
	pages := &cobra.Command{
		Use:   "pages URL...",
		Short: "Tokens and time of a look at each page, in a headless browser of its own",
		Long: "Tokens and time of a look at each page, in a headless browser of its own.\n" +
			"With - for a URL the addresses are read from standard input, one a line, each measured as it comes.",
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
	fl.IntVar(&f.budget, "budget", action.DefaultBudget, "tokens of the first look")
	fl.IntVar(&f.runs, "runs", 5, "looks at each page; the median counts")
	fl.StringVar(&f.browser, "browser", "", "the browser's binary")
	fl.StringArrayVar(&f.args, "browser-arg", nil, "a further argument for the browser")
	fl.BoolVar(&f.json, "json", false, "one JSON object a page")
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
	env, err := loadEnv()
	if err != nil {
		return err
	}
	script, err := extension.Extractor()
	if err != nil {
		return errNotBuilt
	}
	ctx := cmd.Context()
	l, err := control.Launch(ctx, control.LaunchOptions{Headless: true, Browser: cmp.Or(f.browser, env.cfg.Browser), Args: f.args, Extractor: script})
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
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
	if !f.json {
		fmt.Fprintln(out, "nodes\tcontrols\tsummary\tfirst look\twhole list\tfirst look\twhole list\t page")
		fmt.Fprintln(out, "\t\ttokens\ttokens\ttokens\tms\tms\t ")
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
			fmt.Fprintf(out, "%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t %s\n", p.Nodes, p.Elements, p.SummaryTokens, p.FirstTokens, p.WholeTokens, p.FirstMS, p.WholeMS, p.URL)
		}
	}
	if f.json && len(failed) > 0 { // each stands in its page's place
		return &exitError{code: exitFailed, err: errors.Join(failed...), quiet: true}
	}
	return errors.Join(append(failed, out.Flush())...)
}

func benchPage(ctx context.Context, t *browser.Tab, address string, f benchFlags) (action.PageFigures, error) {
	if err := pageAddress(address); err != nil {
		return action.PageFigures{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, benchTime)
	defer cancel()
	if err := t.Navigate(ctx, address); err != nil {
		return action.PageFigures{}, fmt.Errorf("%s: %w", address, err)
	}
	return action.Measure(ctx, t, f.budget, f.runs)
}
