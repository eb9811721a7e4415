package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/pagecontext"
	"tabwright/pagecontext/corpus"
)

//go:embed snapshots.mjs
var snapshots []byte

// pageTime is the time limit for all measurements of one page.
const pageTime = 2 * time.Minute

// comparedPages are the kinds of sites that the first looks are kept of
// (pagecontext/testdata/golden), and the largest ones of the corpus.
const comparedPages = "news-en shoplist-en product-en checkout-en mail-en calendar-en antd-en docs-en results-en social-en " +
	"maps-en wizard-en settings-de forum-en encyclopedia-en video-en radix-en frames-en product-ar shoplist-zh " +
	"encyclopedia-zh mui-en goods/20 goods/500 goods/2500"

// seen is what one program shows of one page.
type seen struct {
	tokens int
	ms     float64 // the median
}

// pageRow is one line of the table.
type pageRow struct {
	name       string
	ours       figures
	pw, ab     seen
	pwOK, abOK bool
	dom, tree  float64 // Chromium's own commands, in ms; with pwOK
}

// figures is what `tabwright bench pages --json` says of a page.
type figures struct {
	Nodes         int     `json:"nodes"`
	Elements      int     `json:"elements"`
	SummaryTokens int     `json:"summaryTokens"`
	FirstTokens   int     `json:"firstTokens"`
	WholeTokens   int     `json:"wholeTokens"`
	FirstMS       float64 `json:"firstMs"`
	WholeMS       float64 `json:"wholeMs"`
	Error         string  `json:"error"`
}

// pagesSite serves the corpus, and lists of goods of any length.
func pagesSite() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", corpus.Handler())
	mux.HandleFunc("GET /goods/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.PathValue("n"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		goods(w, n)
	})
	return mux
}

// comparePages shows each page to all, one after another, and prints what each
// makes of it, every text counted by the same counter.
func comparePages(ctx context.Context, binary, cache, chromium, site string, runs int, alone bool) error {
	ours, err := startLines(ctx, "", binary, "bench", "pages", "--json", "--runs", strconv.Itoa(runs), "--browser", chromium, "-")
	if err != nil {
		return err
	}
	defer ours.close()
	var pw *lines
	var ab *server
	if !alone {
		script := filepath.Join(cache, "snapshots.mjs")
		if err := os.WriteFile(script, snapshots, 0o644); err != nil {
			return err
		}
		if pw, err = startLines(ctx, cache, "node", script, filepath.Join(cache, "node_modules", "playwright-core"), chromium, strconv.Itoa(runs)); err != nil {
			fmt.Printf("Playwright does not run here and is left out: %v\n", err)
		} else {
			defer pw.close()
		}
		ab = agentBrowserServer(cache, chromium)
		if err := ab.start(ctx); err != nil {
			fmt.Printf("agent-browser does not run here and is left out: %v\n", err)
			ab = nil
		} else {
			defer func() { _ = ab.close() }()
		}
	}
	var rows []pageRow
	for _, name := range strings.Fields(comparedPages) {
		row, err := comparePage(ctx, ours, pw, ab, site, name, runs)
		var one *pageError
		if errors.As(err, &one) {
			fmt.Printf("%s is left out: %v\n", name, err)
			continue
		}
		if err != nil {
			pagesTable(os.Stdout, rows)
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, row)
	}
	pagesTable(os.Stdout, rows)
	return nil
}

// pageError is what a program says of a page that it could not read; it goes on
// with the next one.
type pageError struct{ said string }

func (e *pageError) Error() string { return e.said }

func comparePage(ctx context.Context, ours, pw *lines, ab *server, site, name string, runs int) (pageRow, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	url, row := site+"/"+name, pageRow{name: name}
	if err := ours.ask(ctx, url, &row.ours); err != nil || row.ours.Error != "" {
		return row, fmt.Errorf("tabwright: %w", cmpErr(err, row.ours.Error))
	}
	if pw != nil {
		var got struct {
			Text, Error string
			MS          []float64
			DOM, Tree   []float64
		}
		if err := pw.ask(ctx, url, &got); err != nil || got.Error != "" || len(got.MS) == 0 || len(got.DOM) == 0 || len(got.Tree) == 0 {
			return row, fmt.Errorf("playwright: %w", cmpErr(err, got.Error))
		}
		row.pw, row.pwOK = seen{pagecontext.Tokens(got.Text), middle(got.MS)}, true
		row.dom, row.tree = middle(got.DOM), middle(got.Tree)
	}
	if ab != nil {
		if _, err := ab.do(ctx, call{"agent_browser_open", map[string]any{"url": url}}); err != nil {
			return row, err
		}
		var times []float64
		for range runs {
			begun := time.Now()
			res, err := ab.do(ctx, call{"agent_browser_snapshot", map[string]any{"interactive": true}})
			if err != nil {
				return row, err
			}
			times = append(times, ms(time.Since(begun)))
			row.ab.tokens = pagecontext.Tokens(snapshotOf(res))
		}
		row.ab.ms, row.abOK = middle(times), true
	}
	return row, nil
}

func cmpErr(err error, said string) error {
	if err != nil {
		return err
	}
	return &pageError{said}
}

// snapshotOf takes the tree out of agent-browser's answer, which is JSON of its
// own in a text: what the model is told besides is not counted.
func snapshotOf(res *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	var got struct {
		Snapshot string `json:"snapshot"`
		Data     struct {
			Snapshot string `json:"snapshot"`
		} `json:"data"`
	}
	if json.Unmarshal([]byte(b.String()), &got) == nil {
		if got.Data.Snapshot != "" {
			return got.Data.Snapshot
		}
		if got.Snapshot != "" {
			return got.Snapshot
		}
	}
	return b.String()
}

// lines is a program that answers each line with a line of JSON.
type lines struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out chan []byte
}

func startLines(ctx context.Context, dir, name string, args ...string) (*lines, error) {
	l := &lines{cmd: exec.CommandContext(ctx, name, args...), out: make(chan []byte)}
	l.cmd.Dir, l.cmd.Stderr = dir, os.Stderr
	var err error
	if l.in, err = l.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := l.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(l.out)
		for r := bufio.NewReader(out); ; {
			b, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			select {
			case l.out <- b:
			case <-ctx.Done():
				return
			}
		}
	}()
	return l, nil
}

func (l *lines) ask(ctx context.Context, line string, into any) error {
	if _, err := io.WriteString(l.in, line+"\n"); err != nil {
		return err
	}
	select {
	case b, ok := <-l.out:
		if !ok {
			return errors.New("it has ended")
		}
		return json.Unmarshal(b, into)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close lets the program end by itself, its browser with it.
func (l *lines) close() {
	_ = l.in.Close()
	for range l.out { // it may still be answering
	}
	_ = l.cmd.Wait()
}
