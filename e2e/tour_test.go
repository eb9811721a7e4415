package e2e

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"tabwright/e2e/rig"
	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
	"tabwright/host/browser"
)

// What `make demo` and a user without a model do: the tour's button, the
// bundled shop with its script, the card, the shop's own record.
func TestTheTour(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	w.model.Close() // as where no Ollama runs
	p := w.panel()
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=tour]')`))
	w.hasText(p, "no-model", "Ollama")
	w.must(p.Click(w.ctx, "tour"))
	page := w.tourShop()
	w.must(p.Await(w.ctx, `document.querySelector('[data-testid=composer]').value && !document.querySelector('[data-testid=send]').disabled`))
	w.must(p.Click(w.ctx, "send"))
	w.must(p.Await(w.ctx, cardOpen))
	w.hasText(p, "confirm-card", "Pay", "127.0.0.1")
	if orders := w.tourOrders(page); len(orders) != 0 {
		t.Fatalf("bought before it was allowed: %+v", orders)
	}
	w.must(p.Allow(w.ctx))
	w.ended(p)
	if orders := w.tourOrders(page); len(orders) != 1 || orders[0].Status != shop.StatusPaid {
		t.Errorf("orders %+v", orders)
	}
	w.hasText(p, "message-user", "blue mug")
}

// tourShop waits for the tab that the tour opens.
func (w *world) tourShop() *browser.Tab {
	w.t.Helper()
	events, cancel := w.rig.Driver.Subscribe()
	defer cancel()
	for {
		tabs, err := w.rig.Driver.Tabs(w.ctx)
		w.must(err)
		for _, info := range tabs {
			if strings.HasPrefix(info.URL, "http://127.0.0.1:") {
				tab, err := w.rig.Driver.Attach(w.ctx, info.ID)
				w.must(err)
				w.must(rig.Await(w.ctx, tab, `document.readyState === 'complete'`))
				return tab
			}
		}
		select {
		case <-events:
		case <-w.ctx.Done():
			w.t.Fatal("the tour's shop did not open")
		}
	}
}

func (w *world) tourOrders(page *browser.Tab) []shop.Order {
	w.t.Helper()
	raw, err := page.Evaluate(w.ctx, `(await (await fetch('/tour/orders.json')).json())`)
	w.must(err)
	var orders []shop.Order
	w.must(json.Unmarshal(raw, &orders))
	return orders
}

const taskInChinese = "找到最便宜的蓝色杯子并买下来"

// A task in Chinese is done in Chinese: what the model is told and its answer;
// in a Chinese panel the steps as well, and the card's reasons.
func TestATaskInChinese(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	english := w.panel()
	w.must(english.Eval(w.ctx, `(async () => {
		const prefs = { ...JSON.parse(localStorage.getItem('prefs') ?? '{}'), lang: 'zh' };
		localStorage.setItem('prefs', JSON.stringify(prefs));
		await chrome.storage.local.set({ prefs });
	})()`, nil))
	w.must(english.Close(w.ctx))
	p := w.panel()
	w.must(p.Send(w.ctx, taskInChinese))
	w.card(p)
	w.must(p.Deny(w.ctx))
	w.ended(p)
	w.nothingBought()
	w.hasText(p, "message-user", taskInChinese)
	steps := w.texts(p, "step")
	if len(steps) < 4 {
		t.Errorf("only %d steps", len(steps))
	}
	for _, s := range steps {
		if !chinese(s) {
			t.Errorf("a step is not in Chinese: %q", s)
		}
	}
	if end := strings.Join(append(w.texts(p, "failure"), w.texts(p, "message-agent")...), "\n"); !chinese(end) {
		t.Errorf("the end is not in Chinese: %q", end)
	}
	requests := w.model.Requests()
	if len(requests) == 0 {
		t.Fatal("the model was not asked")
	}
	last := requests[len(requests)-1].Conversation
	if !chinese(last.System) {
		t.Errorf("the system prompt is not in Chinese: %.200s", last.System)
	}
	if newest := last.Newest(); !chinese(newest) {
		t.Errorf("the observation has no word of Chinese around it: %.300s", newest)
	}
	w.shots("chinese")
}

func chinese(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
