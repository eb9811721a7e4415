package extension_test

import (
	"fmt"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// What waits for the user is on the button and in a notification while no
// panel is open; the tab that is worked in has a sign, wherever it goes.
func TestRelayShowsWhatWaits(t *testing.T) {
	ctx, b := launch(t, newStage().handle)
	h := connected(ctx, t, b)
	page, err := b.Open(ctx, site(t), 800, 600)
	must(t, err)
	must(t, page.Until(ctx, `document.title === "outer"`))
	w, err := b.Worker(ctx)
	must(t, err)
	var tabs []wire.TabInfo
	must(t, h.Call(ctx, wire.MethodTabsList, nil, &tabs))
	tab := 0
	for _, i := range tabs {
		if i.Title == "outer" {
			tab = i.TabID
		}
	}
	// shows waits until badge, the tab's sign and the notifications are so.
	shows := func(badge, sign, title string, notified int) {
		t.Helper()
		must(t, w.Eval(ctx, fmt.Sprintf(`(async () => {
		  const look = async () => JSON.stringify([
		    await chrome.action.getBadgeText({}), await chrome.action.getBadgeText({tabId: %[1]d}), await chrome.action.getTitle({tabId: %[1]d}),
		    Object.keys(await new Promise(r => chrome.notifications.getAll(r))).length]);
		  const want = JSON.stringify([%[2]q, %[3]q, %[4]q, %[5]d]);
		  let now;
		  for (let n = 0; n < 100 && (now = await look()) !== want; n++) await new Promise(r => setTimeout(r, 50));
		  if (now !== want) throw new Error(now + " instead of " + want);
		})()`, tab, badge, sign, title, notified), nil))
	}
	tell := func(a wire.AttentionInfo) {
		t.Helper()
		must(t, h.Event("", wire.EventAttention, a))
	}
	tell(wire.AttentionInfo{Working: []int{tab}})
	shows("", "●", "Tabwright works in this tab", 0)
	must(t, page.Call(ctx, "Page.navigate", map[string]any{"url": site(t) + "?again"}, nil)) // Chrome takes a sign off then
	must(t, page.Until(ctx, `location.search === "?again" && document.readyState === "complete"`))
	shows("", "●", "Tabwright works in this tab", 0)

	const waitsHere = "Tabwright waits for your answer about this tab"
	card := wire.WaitingInfo{Task: "t1", ID: "c1", Kind: wire.WaitConfirm, TabID: tab, Text: `button "Pay"`, Site: "shop.test", Amount: "€5"}
	waits := wire.AttentionInfo{Waiting: []wire.WaitingInfo{card}}
	tell(waits)
	shows("1", "!", waitsHere, 1)
	must(t, w.Eval(ctx, `new Promise(r => chrome.notifications.clear("t1/c1", r))`, nil)) // the user waves it away
	tell(waits)
	shows("1", "!", waitsHere, 0)
	tell(wire.AttentionInfo{Waiting: []wire.WaitingInfo{card, {Task: "t2", ID: "q4", Kind: wire.WaitAsk, Text: "Which?"}}})
	shows("2", "!", waitsHere, 1)

	// With a panel open the user sees for themselves.
	p, err := b.Open(ctx, paneltest.PanelURL, 360, 720)
	must(t, err)
	shows("", "!", waitsHere, 0)
	must(t, p.Close(ctx))
	shows("2", "!", waitsHere, 0)
	tell(wire.AttentionInfo{})
	shows("", "", "Tabwright", 0)

	// A card that ran out is told of, also where nobody looked; it waits no more.
	// That its time is over says nothing: it may have been answered late.
	card.ID, card.Expires = "c2", 1
	tell(wire.AttentionInfo{Waiting: []wire.WaitingInfo{card}})
	shows("1", "!", waitsHere, 1)
	tell(wire.AttentionInfo{})
	shows("", "", "Tabwright", 0)
	tell(wire.AttentionInfo{Expired: []wire.WaitingInfo{card}})
	shows("", "", "Tabwright", 1)
	must(t, w.Eval(ctx, `new Promise(r => chrome.notifications.getAll(all => r(Object.keys(all).join()))).then(ids => { if (ids !== "expired:t1/c2") throw new Error(ids) })`, nil))
	tell(wire.AttentionInfo{})
	shows("", "", "Tabwright", 1)
	// What the user waved away does not come back, whoever tells it again.
	must(t, w.Eval(ctx, `new Promise(r => chrome.notifications.clear("expired:t1/c2", r))`, nil))
	tell(wire.AttentionInfo{Working: []int{tab}, Expired: []wire.WaitingInfo{card}})
	shows("", "●", "Tabwright works in this tab", 0)
	tell(wire.AttentionInfo{})

	// With the host gone, nothing waits.
	tell(waits)
	shows("1", "!", waitsHere, 0)
	must(t, h.Close())
	shows("", "", "Tabwright", 0)
}
