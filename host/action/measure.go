package action

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// PageFigures is the cost of a look at a page.
type PageFigures struct {
	URL      string `json:"url"`
	Title    string `json:"title"`
	Nodes    int    `json:"nodes"` // elements of the main document, shadow roots not counted
	Frames   int    `json:"frames"`
	Elements int    `json:"elements"` // interactive ones in all frames
	// Tokens, as pagecontext.Tokens estimates them: of the summary alone, of the
	// first look (summary and list within the budget), of the whole list.
	SummaryTokens int `json:"summaryTokens"`
	FirstTokens   int `json:"firstTokens"`
	WholeTokens   int `json:"wholeTokens"`
	// Medians in milliseconds: of the first look, of the whole list.
	FirstMS float64 `json:"firstMs"`
	WholeMS float64 `json:"wholeMs"`

	Text string `json:"-"` // the first look, as a model reads it
	page *pagecontext.Page
}

// NodesOf returns the backend node id of each index; indices of missing elements are
// left out.
func (f PageFigures) NodesOf(ctx context.Context, t *browser.Tab, indices []int) (map[int]int64, error) {
	out := map[int]int64{}
	for _, i := range indices {
		e, err := f.page.LookupIndex(ctx, i)
		if err != nil {
			continue
		}
		frame, ok := t.Frame(e.FrameID)
		if !ok {
			continue
		}
		o, err := frame.NodeObject(ctx, e.LocalID)
		if err != nil {
			continue
		}
		res, err := cdp.Call(ctx, frame.Session(), dom.DescribeNode, dom.DescribeNodeParams{ObjectID: o})
		frame.Release(ctx, o)
		if err != nil {
			return nil, fmt.Errorf("describe the node of index %d: %w", i, err)
		}
		out[i] = int64(res.Node.BackendNodeID)
	}
	return out, nil
}

// Measure looks at the page a tab shows, several times, as a task would:
// the first look within budget tokens, and the whole list of elements.
func Measure(ctx context.Context, t *browser.Tab, budget, runs int) (PageFigures, error) {
	page := pagecontext.New(realTab{t}, 0)
	fail := func(err error) (PageFigures, error) {
		return PageFigures{URL: realTab{t}.MainURL()}, fmt.Errorf("measure %s: %w", realTab{t}.MainURL(), err)
	}
	fs, err := t.Frames(ctx)
	if err != nil {
		return fail(err)
	}
	out := PageFigures{URL: realTab{t}.MainURL(), Frames: len(fs)}
	nodes, err := t.Evaluate(ctx, `document.querySelectorAll("*").length`)
	if err != nil {
		return fail(err)
	}
	if err := json.Unmarshal(nodes, &out.Nodes); err != nil {
		return fail(err)
	}
	var first, whole []float64
	for range max(runs, 1) {
		begun := time.Now()
		sum, list, err := page.Look(ctx, budget)
		if err != nil {
			return fail(err)
		}
		text := page.Render(sum, list, pagecontext.RenderOptions{Budget: budget, Most: 2 * budget})
		first = append(first, ms(begun))
		begun = time.Now()
		all, err := page.Elements(ctx, pagecontext.Query{})
		if err != nil {
			return fail(err)
		}
		lines := page.Render(nil, all, pagecontext.RenderOptions{})
		whole = append(whole, ms(begun))
		out.Title, out.Elements = sum.Title, all.Total
		out.Text, out.page = text, page
		out.FirstTokens, out.WholeTokens = pagecontext.Tokens(text), pagecontext.Tokens(lines)
		out.SummaryTokens = pagecontext.Tokens(page.Render(sum, nil, pagecontext.RenderOptions{}))
	}
	out.FirstMS, out.WholeMS = median(first), median(whole)
	return out, nil
}

func ms(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

func median[T cmp.Ordered](of []T) T {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}
