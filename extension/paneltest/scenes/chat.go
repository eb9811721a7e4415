package scenes

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"time"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

var (
	localModels = wire.ModelList{
		Models: []wire.ModelInfo{
			{ID: "ollama/qwen3.5:4b", Local: true, Tools: true, Vision: true, Thinks: true, Context: 16384, MaxContext: 262144, Size: 3_400_000_000, Parameters: "4.7B", Quantization: "Q4_K_M", Recommended: true},
			{ID: "ollama/qwen3:8b", Local: true, Tools: true, Thinks: true, Context: 16384, MaxContext: 40960, Size: 5_200_000_000, Parameters: "8.2B", Quantization: "Q4_K_M"},
			{ID: "ollama/llama3.2:3b", Local: true},
			{
				ID: "ollama/qwen3.5:27b", Local: true, Tools: true, Size: 17_000_000_000, Parameters: "27.8B", Quantization: "Q4_K_M",
				Problem: &wire.Error{Code: "no_memory", Message: "qwen3.5:27b needs about 17.0 GB of memory, and this computer has 16.0 GB", Hint: "choose a smaller one, such as qwen3.5:9b"},
			},
			{ID: "anthropic/claude-sonnet", Tools: true, Vision: true},
		},
		Using: "ollama/qwen3:8b", Suggested: "qwen3.5:9b",
	}
	// taughtModels has one with which something was seen not to work.
	taughtModels = wire.ModelList{
		Models: []wire.ModelInfo{{ID: "ollama/qwen3:8b", Local: true, Way: "markdown", Learned: []string{"native", "schema", "vision"}}},
		Using:  "ollama/qwen3:8b",
	}
	standIn = wire.ModelList{
		Models: []wire.ModelInfo{{ID: "stand-in/tour-script", Local: true, StandIn: true, Tools: true}},
		Using:  "stand-in/tour-script",
	}
	noModels = wire.ModelList{Error: &wire.Error{
		Code: "unreachable", Message: "Ollama isn't running on this computer.",
		Hint: "Install it from ollama.com, Then: ollama pull qwen3:8b — or choose another provider in the configuration file.",
	}}
)

const task = "find the cheapest blue mug and buy it"

// chineseLines are the lines of the story as the host has them for a panel in
// Chinese.
var chineseLines = map[string]string{
	`Typed "mug" into "Search"`:                   `在搜索框“Search”中输入了“mug”（shop.test）`,
	`Pressed Enter on shop.test`:                  `按了 Enter 键（shop.test）`,
	`Chose "Price: low to high" in "Sort by"`:     `在下拉框“Sort by”中选择了“Price: low to high”（shop.test）`,
	`Clicked "Add to cart" of "Blue mug, glazed"`: `点击了按钮“Add to cart”（shop.test）`,
	`Closed "Cookies"`:                            `点击了按钮“Close”（shop.test）`,
	`Opened the cart`:                             `点击了链接“Cart (1)”（shop.test）`,
	`Pays: button "Pay €12.30"`:                   `正在点击`,
	`Paid with "Pay €12.30"`:                      `点击了按钮“Pay €12.30”（shop.test）`,
	"Looked at the page":                          "查看了页面：24 个元素",
	"Opened chrome://settings":                    "无法打开 chrome://settings：此操作不被允许",
}

func step(n int, action, line, target, outcome, effect, params string) []wire.Event {
	s := wire.StepInfo{N: n, Action: action, Line: line, Params: json.RawMessage(params), Target: target, Site: "shop.test"}
	if zh := chineseLines[line]; zh != "" {
		s.In = map[string]string{"en": line, "zh": zh}
	}
	call := wire.Event{Type: wire.EvToolCall, Step: &s}
	if outcome == "" {
		return []wire.Event{call}
	}
	done := s
	done.Outcome, done.Effect, done.Millis, done.Thumb = outcome, effect, 180, true
	done.URL = "https://shop.test/search?q=mug"
	if outcome == "error" {
		done.Error = &wire.Error{Code: "covered", Message: "Something covers the button: dialog \"Cookies\"."}
	}
	return []wire.Event{call, {Type: wire.EvToolResult, Step: &done, Usage: &wire.UsageInfo{
		Steps: n, Millis: int64(n) * 1400, InputTokens: 3100 * n, OutputTokens: 64 * n, StepInputTokens: 3100, StepOutputTokens: 64, Local: true,
	}}}
}

func story(parts ...any) []wire.Event {
	var all []wire.Event
	for _, p := range parts {
		switch p := p.(type) {
		case wire.Event:
			all = append(all, p)
		case []wire.Event:
			all = append(all, p...)
		}
	}
	return all
}

var (
	began   = wire.Event{Type: wire.EvStarted, Text: task}
	thought = wire.Event{Type: wire.EvThinking, Text: "I'll search the shop for mugs first, then compare the blue ones."}
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
	found = wire.Event{Type: wire.EvThinking, Text: "The cheapest is **Blue mug, glazed** for €7.40; the next one costs €9.90."}
	card  = wire.ConfirmInfo{
		ID: "c1", Action: "click", Class: "purchase", Target: `button "Pay €12.30"`, Site: "shop.test", URL: "https://shop.test/checkout/pay?cart=88213",
		Reasons: []string{`The button says "Pay €12.30"`, "The form holds payment details"},
		In:      map[string][]string{"zh": {`按钮上写着 "Pay €12.30"`, "表单里有付款信息"}},
		Yes:     map[string]string{"en": "Pay €12.30", "zh": "支付 €12.30"},
		Amount:  "€12.30", Details: []string{"1 × Blue mug, glazed  €7.40", "Shipping  €4.90", "To: Example Street 1, 10115 Berlin"},
	}
	pay     = step(8, "click", `Pays: button "Pay €12.30"`, `button "Pay €12.30"`, "", "", `{"index":31}`)
	asked   = wire.Event{Type: wire.EvConfirmRequest, Confirm: &card}
	allowed = func() wire.Event {
		c := card
		c.Answer, c.By = "allow", "panel"
		return wire.Event{Type: wire.EvConfirmResult, Confirm: &c}
	}()
	paid   = step(8, "click", `Paid with "Pay €12.30"`, `button "Pay €12.30"`, "ok", "Went to Order 4711.", `{"index":31}`)[1:]
	answer = wire.Event{
		Type: wire.EvComplete, Usage: &wire.UsageInfo{Steps: 9, Millis: 41_000, InputTokens: 27_900, OutputTokens: 612, Local: true, Way: "native", Mode: "dom"},
		Text: "I bought the cheapest blue mug:\n\n- **Blue mug, glazed**, €7.40\n- with shipping **€12.30**\n- order **4711**, confirmed on the [order page](https://shop.test/orders/4711)",
	}
)

// planEvent is the plan when step at is being done.
func planEvent(at int) wire.Event {
	texts := []string{"Search the shop for blue mugs", "Compare prices with shipping", "Put the cheapest in the cart", "Pay, after you allow it"}
	var plan []wire.PlanStep
	for i, text := range texts {
		state := wire.PlanTodo
		switch {
		case i < at:
			state = wire.PlanDone
		case i == at:
			state = wire.PlanDoing
		}
		plan = append(plan, wire.PlanStep{Text: text, State: state})
	}
	return wire.Event{Type: wire.EvPlan, Plan: plan}
}

var write = func() wire.ConfirmInfo {
	return wire.ConfirmInfo{
		ID: "c2", Action: "click", Class: "communicate", Target: `button "Send message"`, Site: "mail.test", URL: "https://mail.test/compose",
		Reasons: []string{`The button says "Send message"`}, Details: []string{"To: anna@example.test", "Thursday at ten suits me."}, Remember: true,
		In:  map[string][]string{"zh": {`按钮上写着 "Send message"`}},
		Yes: map[string]string{"en": "Send to anna@example.test", "zh": "发送给 anna@example.test"},
	}
}()

// refused is a message that the user did not let go out.
var refused = func() []wire.Event {
	s := wire.StepInfo{N: 1, Action: "click", Line: "Clicking", Site: "mail.test"}
	done := s
	done.Outcome, done.Target, done.Millis = "denied", `button "Send message"`, 21_000
	done.Line = `Could not click "Send message": The user said no`
	done.Error = &wire.Error{Code: "denied", Message: "The user said no"}
	no := write
	no.Answer, no.By = "deny", "panel"
	return []wire.Event{
		{Type: wire.EvToolCall, Step: &s},
		{Type: wire.EvConfirmRequest, Confirm: &write},
		{Type: wire.EvConfirmResult, Confirm: &no, Text: "Leave it as a draft."},
		{Type: wire.EvToolResult, Step: &done},
	}
}()

// remove is the card of a deletion in a row.
var remove = wire.ConfirmInfo{
	ID: "c4", Action: "click", Class: "destroy", Target: `button "Delete"`, Site: "books.test", URL: "https://books.test/invoices",
	Reasons: []string{`The button says "Delete"`}, In: map[string][]string{"zh": {`按钮上写着 "Delete"`}},
	About: "INV-2026-0117 Sundqvist Marine AB, overdue, $4,180.00",
	Yes:   map[string]string{"en": "Delete “INV-2026-0117 Sundqvist Marine A…”", "zh": "删除或取消“INV-2026-0117 Sundqvist Marine A…”"},
}

// repeat is the card about an act of which nobody knows what came.
var repeat = wire.ConfirmInfo{
	ID: "c3", Action: "click", Class: "repeat", Target: `button "Pay €12.30"`, Site: "shop.test", URL: "https://shop.test/checkout/pay?cart=88213",
	Reasons: []string{`Tabwright was interrupted while it did this, and the page doesn't show whether it was done: click button "Pay €12.30" (shop.test)`},
	Again:   &wire.DoubtInfo{Action: "click", Target: `button "Pay €12.30"`, Site: "shop.test", Started: day(0)},
}

const compared = `These are the four blue mugs, the cheapest first:

| Mug | Price | Delivery time | Manufacturer | Dishwasher-safe |
|---|---|---|---|---|
| Blue mug, glazed | €7.40 | 2–3 days | Töpferei Müller | yes |
| Blue mug, matt | €9.90 | next day | Kahla | yes |
| Enamelled mug | €11.00 | 5 days | Riess | by hand only |

The **glazed** one is the cheapest with shipping, too.`

// talks are conversations at a glance.
func talks(now time.Time) []wire.ConvInfo {
	return []wire.ConvInfo{
		{Conversation: "k1", Title: task, State: wire.TaskConfirming, Updated: now.UnixMilli(), Count: 1, Sites: []string{"shop.test"}},
		{Conversation: "k2", Title: "Compare the three hotels near the station", State: wire.TaskDone, Updated: now.Add(-3 * time.Hour).UnixMilli(), Count: 4, Sites: []string{"stay.test", "rooms.test"}},
		{Conversation: "k3", Title: "回复房东的邮件，约周四看房", State: wire.TaskDone, Updated: now.Add(-26 * time.Hour).UnixMilli(), Count: 2, Sites: []string{"mail.test"}},
		{Conversation: "k4", Title: "Fill in the parking permit form with the data of my old one", State: wire.TaskInterrupted, Updated: now.Add(-50 * time.Hour).UnixMilli(), Count: 1, Sites: []string{"city.test"}},
		{Conversation: "k5", Title: "Download last year's invoices", State: wire.TaskFailed, Updated: now.Add(-400 * time.Hour).UnixMilli(), Count: 1, Sites: []string{"phone.test"}},
	}
}

// thumb is a small page: a head, a column, a button.
func thumb() string {
	img := image.NewRGBA(image.Rect(0, 0, 320, 200))
	fill := func(r image.Rectangle, c color.Color) {
		draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(img.Bounds(), color.White)
	fill(image.Rect(0, 0, 320, 28), color.RGBA{15, 118, 110, 255})
	for i := range 5 {
		fill(image.Rect(20, 48+i*22, 200-i*12, 58+i*22), color.RGBA{215, 222, 220, 255})
	}
	fill(image.Rect(224, 48, 300, 120), color.RGBA{122, 160, 210, 255})
	fill(image.Rect(224, 132, 300, 154), color.RGBA{180, 83, 9, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err) // a picture of ours, in memory
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// page is the JavaScript that opens things in the panel, in turn.
func page(js ...string) func(context.Context, *paneltest.Page) error {
	return func(ctx context.Context, p *paneltest.Page) error {
		for _, s := range js {
			if err := p.Eval(ctx, s, nil); err != nil {
				return err
			}
		}
		return nil
	}
}

var chat = []Scene{
	{
		Name: "conversations", Models: localModels, State: wire.TaskConfirming, Events: story(began, asked),
		Until: paneltest.ByTestID("confirm-card"),
		Then: page(`document.querySelector("[data-testid=open-conversations]").click()`,
			`new Promise(r => { const t = setInterval(() => { const m = document.querySelectorAll("[data-testid=conv-menu]")[1]; if (m) { clearInterval(t); m.click(); r(); } }, 30) })`),
	},
	{
		Name: "plan", Models: localModels, State: wire.TaskRunning, Ago: 12 * time.Second,
		Events: story(began, planEvent(0), thought, search, planEvent(1), found, planEvent(2), toCart[:1]),
		Until:  paneltest.ByTestID("plan-count") + `?.textContent.startsWith("2")`,
	},
	{
		Name: "plan-edit", Models: localModels, State: wire.TaskRunning,
		Events: story(began, planEvent(1), thought, search[:2]), Until: paneltest.ByTestID("plan-edit"),
		Then: page(`document.querySelector("[data-testid=plan-edit]").click()`, `new Promise(r => setTimeout(r, 50))`),
	},
	{
		Name: "step-open", Models: localModels, State: wire.TaskRunning,
		Events: story(began, search, wire.Event{Type: wire.EvToolCall, Step: &wire.StepInfo{N: 4, Action: "click", Line: "Clicked \"Delete account\" on shop.test", Site: "shop.test"}},
			wire.Event{Type: wire.EvToolResult, Step: &wire.StepInfo{N: 4, Action: "click", Line: "Clicked \"Delete account\" on shop.test", Site: "shop.test", Outcome: "denied"}},
			step(5, "navigate", "Opened chrome://settings", "", "blocked", "", `{"url":"chrome://settings"}`)),
		Until: paneltest.ByTestID("step") + `?.dataset.state === "blocked"`,
		Then: page(`document.querySelectorAll("details")[1].open = true`,
			`new Promise(r => { const t = setInterval(() => { if (document.querySelector("[data-testid=thumb][data-state=there]")) { clearInterval(t); r(); } }, 30) })`,
			`document.querySelector(".chat").scrollTo(0, 0)`),
	},
	{
		Name: "confirm-always", Models: localModels, State: wire.TaskConfirming,
		Events: story(wire.Event{Type: wire.EvStarted, Text: "tell Anna that Thursday at ten suits me"}, wire.Event{Type: wire.EvConfirmRequest, Confirm: &write}),
		Until:  paneltest.ByTestID("confirm-allow") + `?.disabled === false`,
	},
	{
		Name: "confirm-row", Models: localModels, State: wire.TaskConfirming,
		Events: story(wire.Event{Type: wire.EvStarted, Text: "tidy up the invoices"}, wire.Event{Type: wire.EvConfirmRequest, Confirm: &remove}),
		Until:  paneltest.ByTestID("confirm-allow") + `?.disabled === false`,
	},
	{
		Name: "confirm-word", Models: localModels, State: wire.TaskConfirming,
		Events: story(wire.Event{Type: wire.EvStarted, Text: "tell Anna that Thursday at ten suits me"}, wire.Event{Type: wire.EvConfirmRequest, Confirm: &write}),
		Until:  paneltest.ByTestID("confirm-allow") + `?.disabled === false`,
		Then:   page(`document.querySelector("[data-testid=confirm-deny-note]").click()`, `new Promise(r => setTimeout(r, 50))`),
	},
	{
		Name: "paused", Models: localModels, State: wire.TaskPaused,
		Events: story(began, planEvent(1), search, wire.Event{Type: wire.EvPaused, Text: "You act now. Nothing on the page is read until you continue.", In: map[string]string{"zh": "现在由您操作。在您点“继续”之前不会读取页面。"}}),
		Until:  paneltest.ByTestID("resume"),
	},
	{
		Name: "attach", Models: localModels, Until: paneltest.ByTestID("composer") + `?.disabled === false`,
		Then: page(`chrome.storage.session.set({ask: {windowId: 0, text: "Shipping to islands takes two more days.", url: "https://shop.test/faq"}})`,
			`chrome.windows.getCurrent().then(w => chrome.storage.session.set({ask: {windowId: w.id, text: "Shipping to islands takes two more days.", url: "https://shop.test/faq"}}))`,
			`(() => { const d = new DataTransfer(); d.items.add(new File(["%PDF-1.7"], "delivery-note-2026-11.pdf", {type: "application/pdf"})); d.items.add(new File(["name,city"], "customers.csv")); const i = document.querySelector("[data-testid=attach-input]"); i.files = d.files; i.dispatchEvent(new Event("change", {bubbles: true})); })()`,
			`new Promise(r => { const t = setInterval(() => { if (document.querySelectorAll("[data-testid=chip]").length === 3) { clearInterval(t); r(); } }, 30) })`,
			`document.querySelector("[data-testid=attach]").click()`, `new Promise(r => setTimeout(r, 50))`),
	},
	{Name: "empty", Models: localModels, Until: paneltest.ByTestID("composer") + `.disabled === false`},
	{Name: "host-missing", Host: NoHost, Until: paneltest.ByTestID("host-missing")},
	{Name: "no-model", Models: noModels, Until: paneltest.ByTestID("tour")},
	{
		Name: "running", Models: localModels, State: wire.TaskRunning,
		Events: story(began, thought, search, found, toCart[:3]),
		Until:  paneltest.ByTestID("step") + `?.dataset.state === "running"`,
	},
	{
		Name: "streaming", Models: localModels, State: wire.TaskRunning, Events: story(began, thought, search),
		Thoughts: "The list has four blue mugs.\nWhich of them is the cheapest? The small one, it seems.",
		Delta:    "There are four blue mugs. The cheapest is", Until: paneltest.ByTestID("message-agent") + `?.textContent.includes("four")`,
	},
	{
		Name: "loading", Models: localModels, State: wire.TaskRunning,
		Events: story(began, wire.Event{Type: wire.EvProgress, Text: "Loading qwen3.5:4b (3.4 GB) …", In: map[string]string{"zh": "正在加载 qwen3.5:4b (3.4 GB) …"}}),
		Until:  paneltest.ByTestID("now") + `?.textContent.includes("qwen3.5:4b")`,
	},
	{
		Name: "answering", Models: localModels, State: wire.TaskRunning, Events: story(began, thought, search, found),
		Answer: "The cheapest blue mug is the **Small mug**, 7.50 €. It is in stock, and", Until: paneltest.ByTestID("message-agent") + `?.parentElement.textContent.includes("in stock")`,
	},
	{
		Name: "confirm", Models: localModels, State: wire.TaskConfirming,
		Events: story(began, thought, search, found, toCart, pay, asked),
		Until:  paneltest.ByTestID("confirm-allow") + `?.disabled === false`,
	},
	{
		Name: "done", Models: localModels, State: wire.TaskDone,
		Events: story(began, thought, search, found, toCart, pay, asked, allowed, paid, answer),
		Until:  paneltest.ByTestID("message-agent") + `?.dataset.final === "true"`,
		Then: func(ctx context.Context, p *paneltest.Page) error {
			return p.Eval(ctx, `document.querySelectorAll("details")[3].open = true`, nil)
		},
	},
	{
		Name: "ask", Models: standIn, State: wire.TaskAsking,
		Events: story(
			began, thought, step(1, "getElements", "Looked at the page", "", "ok", "", `{}`),
			wire.Event{Type: wire.EvNotify, Level: "warn", Text: "The page tells an assistant what to do. I don't follow it.", In: map[string]string{"zh": "页面上有对助手说的话。我不会照做。"}},
			wire.Event{Type: wire.EvAsk, Text: "There are two blue mugs at the same price. **Glazed** or **matt**?"},
		),
		Until: paneltest.ByTestID("ask"),
	},
	{
		Name: "confirm-repeat", Models: localModels, State: wire.TaskConfirming,
		Events: story(began, search, wire.Event{Type: wire.EvConfirmRequest, Confirm: &repeat}),
		Until:  paneltest.ByTestID("confirm-allow") + `?.disabled === false`,
	},
	{
		Name: "denied", Models: localModels, State: wire.TaskDone,
		Events: story(wire.Event{Type: wire.EvStarted, Text: "tell Anna that Thursday at ten suits me"}, refused,
			wire.Event{Type: wire.EvComplete, Text: "The message to Anna is written, and not sent: it stands open in the tab."}),
		Until: paneltest.ByTestID("message-agent") + `?.dataset.final === "true"`,
	},
	{
		Name: "table", Models: localModels, State: wire.TaskDone,
		Events: story(began, search, wire.Event{Type: wire.EvComplete, Text: compared}),
		Until:  paneltest.ByTestID("message-agent") + `?.dataset.final === "true"`,
	},
	{
		Name: "interrupted", Models: localModels, State: wire.TaskInterrupted,
		Events: story(began, thought, search), Until: paneltest.ByTestID("interrupted") + ` && ` + paneltest.ByTestID("resume"),
	},
	{
		Name: "waits", Models: localModels, State: wire.TaskConfirming, Events: story(began, asked),
		Until: paneltest.ByTestID("confirm-card"), Then: part("look", wait(`[data-testid=waits]`)),
	},
	{
		Name: "elsewhere", Models: localModels, State: wire.TaskRunning, Events: story(began, thought, search),
		Other: &wire.TaskInfo{Task: "t2", Text: "compare two hotels near the station for the first weekend in May", State: wire.TaskConfirming},
		Until: paneltest.ByTestID("elsewhere"),
	},
	{
		Name: "programs", Models: localModels, Until: `document.querySelectorAll("[data-testid=program]").length === 2 && document.querySelector("h1")`,
		Programs: []wire.SessionInfo{
			{Session: "s1", Task: "t8", Client: "Claude Code", Profile: "p", Tabs: []int{}},
			{Session: "s2", Task: "t9", Client: "a nightly script that compares prices", Profile: "p", Paused: true, Tabs: []int{}},
		},
	},
	{
		// The tab is there for a moment: the pages of the scenes after it are not beside it.
		Name: "page-note", Models: localModels, Until: paneltest.ByTestID("composer") + `?.disabled === false`,
		Then: page(`chrome.tabs.create({url: "https://chromewebstore.google.com/", active: false}).then(t => window.aside = t.id)`,
			wait(`[data-testid=page-note]`), `chrome.tabs.remove(window.aside)`),
	},
	{
		Name: "host-lost", Models: localModels, State: wire.TaskRunning, Lost: true,
		Events: story(began, thought, search), Until: paneltest.ByTestID("step") + ` && ` + paneltest.ByTestID("now"),
	},
	{
		Name: "failed", Models: localModels, State: wire.TaskFailed,
		Events: story(
			began, thought, search, wire.Event{Type: wire.EvFailed, Error: &wire.Error{
				Code: "unreachable", Message: "The model server went away in the middle of an answer.", Hint: "Start Ollama again, then send the task once more.",
			}},
		),
		Until: `document.querySelector(".failure")`,
	},
}
