package main

import (
	"context"
	"encoding/json"

	"tabwright/extension/paneltest"
	"tabwright/host/native"
)

// scene is one state of the panel and how to get there.
type scene struct {
	name   string
	noHost bool
	models native.ModelList
	events []native.Event
	delta  string
	state  native.TaskState
	until  string // the panel shows the scene when this is true
	then   func(context.Context, *paneltest.Page) error
}

var (
	localModels = native.ModelList{
		Models: []native.ModelInfo{{ID: "ollama/qwen3:8b", Local: true, Tools: true}, {ID: "ollama/llama3.2:3b", Local: true}, {ID: "anthropic/claude-sonnet", Tools: true, Vision: true}},
		Using:  "ollama/qwen3:8b",
	}
	standIn = native.ModelList{
		Models: []native.ModelInfo{{ID: "stand-in/tour-script", Local: true, StandIn: true, Tools: true}},
		Using:  "stand-in/tour-script",
	}
	noModels = native.ModelList{Error: &native.Error{
		Code: "unreachable", Message: "Ollama isn't running on this computer.",
		Hint: "Install it from ollama.com, then: ollama pull qwen3:8b — or choose another provider in the configuration file.",
	}}
)

const task = "find the cheapest blue mug and buy it"

func step(n int, action, line, target, outcome, effect, params string) []native.Event {
	s := native.StepInfo{N: n, Action: action, Line: line, Params: json.RawMessage(params), Target: target, Site: "shop.test"}
	call := native.Event{Type: native.EvToolCall, Step: &s}
	if outcome == "" {
		return []native.Event{call}
	}
	done := s
	done.Outcome, done.Effect, done.Millis = outcome, effect, 180
	if outcome == "error" {
		done.Error = &native.Error{Code: "covered", Message: "Something covers the button: dialog \"Cookies\"."}
	}
	return []native.Event{call, {Type: native.EvToolResult, Step: &done, Usage: &native.UsageInfo{Steps: n, Millis: int64(n) * 1400}}}
}

func story(parts ...any) []native.Event {
	var all []native.Event
	for _, p := range parts {
		switch p := p.(type) {
		case native.Event:
			all = append(all, p)
		case []native.Event:
			all = append(all, p...)
		}
	}
	return all
}

var (
	began   = native.Event{Type: native.EvStarted, Text: task}
	thought = native.Event{Type: native.EvThinking, Text: "I'll search the shop for mugs first, then compare the blue ones."}
	search  = story(
		step(1, "type", `Typed "mug" into "Search"`, `searchbox "Search"`, "ok", "The value is now mug.", `{"index":3,"text":"mug"}`),
		step(2, "pressKey", `Pressed Enter on shop.test`, `searchbox "Search"`, "ok", "Went to Results.", `{"key":"Enter"}`),
		step(3, "select", `Chose "Price: low to high" in "Sort by"`, `combobox "Sort by"`, "ok", "The list was sorted.", `{"index":7,"value":"price"}`),
	)
	toCart = story(
		step(4, "click", `Clicked "Add to cart" of "Blue mug, glazed"`, `button "Add to cart"`, "error", "", `{"index":21}`),
		step(5, "click", `Closed "Cookies"`, `button "Close"`, "ok", "The dialog went away.", `{"index":2}`),
		step(6, "click", `Clicked "Add to cart" of "Blue mug, glazed"`, `button "Add to cart"`, "ok", `Text appeared: "1 item in your cart".`, `{"index":21}`),
		step(7, "click", `Opened the cart`, `link "Cart (1)"`, "ok", "Went to Cart.", `{"index":5}`),
	)
	found = native.Event{Type: native.EvThinking, Text: "The cheapest is **Blue mug, glazed** for €7.40; the next one costs €9.90."}
	card  = native.ConfirmInfo{
		ID: "c1", Action: "click", Class: "purchase", Target: `button "Pay €12.30"`, Site: "shop.test", URL: "https://shop.test/checkout/pay?cart=88213",
		Reasons: []string{"The button pays: “Pay”.", "The page holds a card number field."},
		Amount:  "€12.30", Details: []string{"1 × Blue mug, glazed  €7.40", "Shipping  €4.90", "To: Example Street 1, 10115 Berlin"},
	}
	pay     = step(8, "click", `Pays: button "Pay €12.30"`, `button "Pay €12.30"`, "", "", `{"index":31}`)
	asked   = native.Event{Type: native.EvConfirmRequest, Confirm: &card}
	allowed = func() native.Event {
		c := card
		c.Answer, c.By = "allow", "panel"
		return native.Event{Type: native.EvConfirmResult, Confirm: &c}
	}()
	paid   = step(8, "click", `Paid with "Pay €12.30"`, `button "Pay €12.30"`, "ok", "Went to Order 4711.", `{"index":31}`)[1:]
	answer = native.Event{
		Type: native.EvComplete, Usage: &native.UsageInfo{Steps: 9, Millis: 41_000},
		Text: "I bought the cheapest blue mug:\n\n- **Blue mug, glazed**, €7.40\n- with shipping **€12.30**\n- order **4711**, confirmed on the [order page](https://shop.test/orders/4711)",
	}
)

var scenes = []scene{
	{name: "empty", models: localModels, until: paneltest.ByTestID("composer") + `.disabled === false`},
	{name: "host-missing", noHost: true, until: paneltest.ByTestID("host-missing")},
	{name: "no-model", models: noModels, until: paneltest.ByTestID("tour")},
	{
		name: "running", models: localModels, state: native.TaskRunning,
		events: story(began, thought, search, found, toCart[:3]),
		until:  paneltest.ByTestID("step") + `?.dataset.state === "running"`,
	},
	{
		name: "streaming", models: localModels, state: native.TaskRunning, events: story(began, thought, search),
		delta: "There are four blue mugs. The cheapest is", until: paneltest.ByTestID("message-agent") + `?.textContent.includes("four")`,
	},
	{
		name: "confirm", models: localModels, state: native.TaskConfirming,
		events: story(began, thought, search, found, toCart, pay, asked),
		until:  paneltest.ByTestID("confirm-allow") + `?.disabled === false`,
	},
	{
		name: "done", models: localModels, state: native.TaskDone,
		events: story(began, thought, search, found, toCart, pay, asked, allowed, paid, answer),
		until:  paneltest.ByTestID("message-agent") + `?.dataset.final === "true"`,
		then: func(ctx context.Context, p *paneltest.Page) error {
			return p.Eval(ctx, `document.querySelectorAll("details")[3].open = true`, nil)
		},
	},
	{
		name: "ask", models: standIn, state: native.TaskAsking,
		events: story(
			began, thought, step(1, "getElements", "Looked at the page", "", "ok", "", `{}`),
			native.Event{Type: native.EvNotify, Level: "warn", Text: "The page tells an assistant what to do. I don't follow it."},
			native.Event{Type: native.EvAsk, Text: "There are two blue mugs at the same price. **Glazed** or **matt**?"},
		),
		until: paneltest.ByTestID("ask"),
	},
	{
		name: "failed", models: localModels, state: native.TaskFailed,
		events: story(
			began, thought, search, native.Event{Type: native.EvFailed, Error: &native.Error{
				Code: "unreachable", Message: "The model server went away in the middle of an answer.", Hint: "Start Ollama again, then send the task once more.",
			}},
		),
		until: `document.querySelector(".failure")`,
	},
}
