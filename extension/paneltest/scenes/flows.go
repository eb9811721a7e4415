package scenes

import (
	"context"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

var (
	keptFlows = []wire.SavedFlow{
		{
			ID: "buy-a-blue-mug", Name: "Buy a blue mug", Kind: wire.SavedRecording, Goal: "buy a {{search_products}}", URL: "https://shop.test/", Parts: 6,
			Params: []wire.SavedParam{
				{Name: "search_products", Default: "blue mug", About: `typed into searchbox "Search products"`}, {Name: "password", Secret: true},
			},
		},
		{ID: "compare-mugs", Name: "Compare three shops", Kind: wire.SavedGraph, Parts: 4},
		{ID: "old", Name: "Old one", Kind: wire.SavedRecording, Error: &wire.Error{Code: "invalid_params", Message: "The file can't be used:\nline 3: there is no action \"clack\""}},
	}
	usable = paneltest.ByTestID("composer") + `?.disabled === false`
)

// flowWith is a workflow of four parts, of which some have gone on.
func flowWith(state wire.FlowState, states ...wire.NodeState) *wire.FlowInfo {
	f := &wire.FlowInfo{Flow: "w1", Title: "compare the cheapest blue mugs and their delivery times", State: state, Parallel: 2, Rev: 1, Nodes: []wire.FlowNode{
		{ID: "prices", Text: "List the blue mugs with their prices"},
		{ID: "delivery", Text: "Read how long delivery takes"},
		{ID: "compare", Text: "Compare price and delivery", Needs: []string{"prices", "delivery"}, Level: 1},
		{ID: "answer", Text: "Say which is the best buy", Needs: []string{"compare"}, Level: 2},
	}}
	for i := range f.Nodes {
		f.Nodes[i].State = states[i]
	}
	return f
}

// shops is a workflow that has not begun, with more parts side by side than one
// row has room for.
func shops() *wire.FlowInfo {
	f := &wire.FlowInfo{Flow: "w1", Title: "compare five shops", State: wire.FlowPaused, Parallel: 2, Rev: 1}
	var all []string
	for _, id := range []string{"mug_world", "tea_and_more", "potters_guild_market", "second_hand", "museum"} {
		all = append(all, id)
		f.Nodes = append(f.Nodes, wire.FlowNode{ID: id, Text: "Find the cheapest blue mug there", State: wire.NodeWaiting})
	}
	f.Nodes = append(f.Nodes, wire.FlowNode{ID: "answer", Text: "Say which is the best buy", Needs: all, Level: 1, State: wire.NodeWaiting})
	return f
}

var flows = func() []Scene {
	const w, r, d, x = wire.NodeWaiting, wire.NodeRunning, wire.NodeDone, wire.NodeFailed
	click := func(id, until string) func(context.Context, *paneltest.Page) error {
		return func(ctx context.Context, p *paneltest.Page) error {
			if err := p.Eval(ctx, paneltest.ByTestID(id)+`.click()`, nil); err != nil {
				return err
			}
			return p.Until(ctx, until)
		}
	}
	running := flowWith(wire.FlowRunning, d, r, w, w)
	running.Nodes[0].Note = "Blue mug, small: $9.30; Blue mug, glazed: $12.50"
	running.Nodes[1].Asks = true
	return []Scene{
		{
			Name: "workflows", Models: localModels, Saved: keptFlows, Until: usable,
			Then: func(ctx context.Context, p *paneltest.Page) error {
				const words = `(() => { const b = ` + `document.querySelector("[data-testid=composer]"); b.value = "compare the cheapest blue mugs and their delivery times"; b.dispatchEvent(new Event("input", {bubbles: true})); })()`
				if err := p.Eval(ctx, words, nil); err != nil {
					return err
				}
				return click("workflows", paneltest.ByTestID("saved")+` !== undefined`)(ctx, p)
			},
		},
		{
			Name: "workflow-form", Models: localModels, Saved: keptFlows, Until: usable,
			Then: func(ctx context.Context, p *paneltest.Page) error {
				if err := click("workflows", paneltest.ByTestID("saved")+` !== undefined`)(ctx, p); err != nil {
					return err
				}
				if err := p.Eval(ctx, `document.querySelector("[data-testid=saved]").click()`, nil); err != nil {
					return err
				}
				return p.Until(ctx, paneltest.ByTestID("run-saved")+` !== undefined`)
			},
		},
		{
			Name: "workflow-rename", Models: localModels, Saved: keptFlows, Until: usable,
			Then: func(ctx context.Context, p *paneltest.Page) error {
				if err := click("workflows", paneltest.ByTestID("saved")+` !== undefined`)(ctx, p); err != nil {
					return err
				}
				if err := p.Eval(ctx, `document.querySelector("[data-testid=saved]").click()`, nil); err != nil {
					return err
				}
				return click("saved-rename", paneltest.ByTestID("saved-name")+` !== undefined`)(ctx, p)
			},
		},
		{Name: "workflow-new", Models: localModels, Flow: shops(), Until: paneltest.ByTestID("flow-resume") + ` !== undefined`},
		{Name: "workflow-running", Models: localModels, Flow: running, Until: paneltest.ByTestID("flow-pause") + ` !== undefined`},
		{
			Name: "workflow-interrupted", Models: localModels, Flow: flowWith(wire.FlowInterrupted, d, x, wire.NodeSkipped, wire.NodeSkipped),
			Until: paneltest.ByTestID("flow-resume") + ` !== undefined`,
		},
	}
}()
