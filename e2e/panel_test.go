package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"tabwright/e2e/rig"
	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
	"tabwright/extension"
)

// card waits for the confirm card and checks that it says what matters: the
// target, the site, and the amount as the page has it.
func (w *world) card(p *rig.Panel) {
	w.t.Helper()
	w.must(p.Await(w.ctx, cardOpen))
	total := shop.Money(w.shop.Cheapest().Price + shop.Shipping)
	w.hasText(p, "confirm-card", "Pay", "shop.test", total)
	w.nothingBought()
}

func TestBuyAllowed(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	p, err := w.rig.OpenSidePanel(w.ctx, w.page)
	w.must(err)
	// Chrome's own width, once it has slid in.
	w.must(p.Await(w.ctx, `innerWidth === 360`))
	w.must(p.Send(w.ctx, task))
	w.card(p)
	w.shots("card")
	// The button in the tab that waits says so.
	var sign string
	w.must(p.Eval(w.ctx, `chrome.tabs.query({active: true, currentWindow: true}).then(([t]) => chrome.action.getBadgeText({tabId: t.id}))`, &sign))
	if sign != "!" {
		t.Errorf("the tab's sign is %q", sign)
	}
	w.must(p.Allow(w.ctx))
	w.ended(p)
	w.paid()
	w.must(rig.Await(w.ctx, w.page, `document.body.innerText.includes('Paid')`))
	w.hasText(p, "message-user", task)
	w.hasText(p, "step", "Add to cart", "Pay")
	w.hasText(p, "message-agent", w.shop.Orders()[0].ID)
	if n := len(w.texts(p, "step")); n < 5 {
		t.Errorf("only %d steps are shown", n)
	}
	w.shots("done")
}

func TestBuyDenied(t *testing.T) {
	w := newWorld(t, standin.OllamaTools, standin.NewShopper())
	p := w.panel()
	w.must(p.Send(w.ctx, task))
	w.card(p)
	w.must(p.Click(w.ctx, "confirm-deny-note"))
	w.must(p.Await(w.ctx, `document.activeElement.matches("[data-testid=confirm-note]")`))
	w.must(p.Tab.InsertText(w.ctx, "the green one instead"))
	w.must(p.Click(w.ctx, "confirm-deny-send"))
	w.ended(p)
	w.nothingBought()
	w.hasText(p, "confirm-answered", "the green one instead")
	// The word reaches the agent, not only the record.
	heard := false
	for _, r := range w.model.Requests() {
		for _, m := range r.Conversation.Messages {
			heard = heard || strings.Contains(m.Text, "the green one instead")
		}
	}
	if !heard {
		t.Error("the model never heard why it was denied")
	}
	w.shots("denied")
}

func TestStopInTheMiddle(t *testing.T) {
	w, g, p := inTheMiddle(t, 3) // the model is being asked: Stop must not wait for it
	w.must(p.Click(w.ctx, "stop"))
	w.ended(p)
	close(g.open)
	steps := len(w.texts(p, "step"))
	if err := p.Await(w.ctx, over); err != nil || len(w.texts(p, "step")) != steps {
		t.Errorf("it went on after Stop: %v", err)
	}
	w.nothingBought()
}

func TestPanelClosedAndOpenedInTheMiddle(t *testing.T) {
	w, g, p := inTheMiddle(t, 4)
	before := w.texts(p, "step")
	w.must(p.Close(w.ctx))
	close(g.open) // it goes on with nobody looking
	p = w.panel()
	w.card(p)
	after := w.texts(p, "step")
	if len(after) < len(before) || !strings.Contains(strings.Join(w.texts(p, "message-user"), ""), task) {
		t.Errorf("the chat is not whole: %d steps before, %d after\n%v", len(before), len(after), after)
	}
	w.must(p.Allow(w.ctx))
	w.ended(p)
	w.paid()
}

func TestServiceWorkerStoppedInTheMiddle(t *testing.T) {
	w, g, p := inTheMiddle(t, 4)
	w.stopServiceWorker()
	close(g.open)
	w.buys(p)
}

func TestExtensionReloadedInTheMiddle(t *testing.T) {
	w, g, p := inTheMiddle(t, 4)
	// Its page goes with it, so the call itself may not be answered.
	_ = p.Eval(w.ctx, `chrome.runtime.reload()`, nil)
	close(g.open)
	p = w.panel()
	w.buys(p)
}

// stopServiceWorker ends the extension's service worker as Chrome does when it
// wants the memory.
func (w *world) stopServiceWorker() {
	w.t.Helper()
	b := w.rig.Driver.Browser()
	res, err := cdp.Call(w.ctx, b, target.GetTargets, target.GetTargetsParams{})
	w.must(err)
	for _, info := range res.TargetInfos {
		if info.Type == "service_worker" && strings.Contains(info.URL, extension.ID) {
			_, err := cdp.Call(w.ctx, b, target.CloseTarget, target.CloseTargetParams{TargetID: info.TargetID})
			w.must(err)
			return
		}
	}
	w.t.Fatal("no service worker of the extension")
}

func TestEveryWireFormat(t *testing.T) {
	for name, f := range map[string]standin.Format{
		"ollama with tools": standin.OllamaTools, "ollama in Markdown": standin.OllamaMarkdown,
		"openai": standin.OpenAI, "anthropic": standin.Anthropic,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, f, standin.NewShopper())
			p := w.panel()
			w.must(p.Send(w.ctx, task))
			w.buys(p)
		})
	}
}
