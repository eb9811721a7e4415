package e2e

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strconv"
	"strings"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// outlined counts the points of the user's page that have the colour of the
// outline around what a card is about.
func (c *chatter) outlined() int {
	c.t.Helper()
	raw, _, err := c.page.Screenshot(c.ctx, browser.ScreenshotOptions{PNG: true})
	c.must(err)
	img, err := png.Decode(bytes.NewReader(raw))
	c.must(err)
	n := 0
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			if r>>8 > 200 && g>>8 > 70 && g>>8 < 130 && b>>8 < 60 {
				n++
			}
		}
	}
	return n
}

// minutes sets how long a task may take from now on.
func (c *chatter) minutes(n string) {
	c.t.Helper()
	c.must(c.p.Call(c.ctx, wire.MethodSettingsSet, wire.SettingsSetParams{Values: map[string]string{"budgets.minutes": n}}, nil))
}

// onCard is a JavaScript expression for a part of the open card.
func onCard(selector string) string {
	return `document.querySelector('[data-testid=confirm-card] ` + selector + `')`
}

// unanswered is the task whose card waits through several parts.
const unanswered = "pay for it"

// unanswered begins a task that comes to a card, and looks at that: what, where,
// to which element, for how much, why.
func (c *chatter) unanswered() {
	c.t.Helper()
	if n := c.outlined(); n != 0 {
		c.t.Fatalf("the page itself has %d points of the outline's colour", n)
	}
	c.begin(unanswered, standin.Click("button", "Pay"))
	c.soon(el("confirm-card"))
	c.soon(`document.activeElement === ` + el("confirm-card")) // it has the keyboard, no button
	for selector, want := range map[string]string{
		".what": `Click the “Pay $12.90” button`, ".amount": "$12.90", ".host": "acts.test", "h2": "Pay or order?", "[data-testid=confirm-allow]": "Pay $12.90",
	} {
		if got := c.evaluated(onCard(selector) + `?.innerText ?? ''`); got != quotedJSON(want) {
			c.t.Errorf("the card has %s at %s, want %q", got, selector, want)
		}
	}
	for what, is := range map[string]string{
		"it says why":                   onCard(".why li") + `?.innerText.length > 10`,
		"a far limit needs no clock":    `!` + onCard(".expires"),
		"Always is never offered":       `!` + onCard("[data-testid=confirm-always]"),
		"it is announced":               el("confirm-card") + `.role === 'alertdialog'`,
		"it has a name":                 `document.getElementById(` + el("confirm-card") + `.getAttribute('aria-labelledby')).innerText === 'Pay or order?'`,
		"it has a description":          `document.getElementById(` + el("confirm-card") + `.getAttribute('aria-describedby')).innerText.includes('Pay $12.90')`,
		"the status says that it waits": el("status") + `.dataset.state === 'confirming'`,
		"the bar says that it waits":    `document.querySelector('.bar .doing').innerText === 'Waiting for your answer'`,
		"what goes on is announced":     `document.querySelector('.bar .doing').getAttribute('aria-live') === 'polite'`,
	} {
		if c.evaluated(`!!(`+is+`)`) != "true" {
			c.t.Errorf("not so: %s", what)
		}
	}
	if n := c.outlined(); n < 50 {
		c.t.Errorf("the button is not outlined: %d points", n)
	}
}

// quotedJSON is a text as evaluated gives it.
func quotedJSON(s string) string {
	b, _ := json.Marshal(s) // a string can be
	return string(b)
}

// keyboard: Tab reaches every answer, and Enter allows nothing.
func (c *chatter) keyboard() {
	c.soon(el("confirm-card") + `.dataset.armed === 'true'`)
	c.key("Enter", 0)
	reached := map[string]bool{}
	for range 4 {
		c.key("Tab", 0)
		on := c.evaluated(`document.activeElement.dataset.testid ?? ''`)
		reached[on] = true
		if on == `"confirm-allow"` {
			c.key("Enter", 0)
		}
	}
	for _, want := range []string{"confirm-deny", "confirm-allow", "confirm-deny-note"} {
		if !reached[`"`+want+`"`] {
			c.t.Errorf("Tab does not reach %s: %v", want, reached)
		}
	}
	c.must(c.p.Call(c.ctx, wire.MethodTaskList, map[string]any{}, nil)) // whatever Enter did is through
	c.soon(el("confirm-card"))
	if n := c.acts.count("/paid"); n != 0 {
		c.t.Errorf("Enter paid %d times", n)
	}
}

// notified is how many notifications stand there.
const notified = `new Promise(done => chrome.notifications.getAll(done)).then(all => String(Object.keys(all).length))`

// panelClosed: with the panel closed the card is counted on the button and a
// notification waits; opened again it has the card, and both are gone.
func (c *chatter) panelClosed() {
	const badge = `chrome.action.getBadgeText({})`
	c.until(badge, "")
	c.must(c.p.Close(c.ctx))
	c.until(badge, "1")
	c.until(notified, "1")
	p, err := c.rig.OpenSidePanel(c.ctx, c.page)
	c.must(err)
	c.p = p
	c.soon(onCard(".amount") + `.innerText === '$12.90'`)
	c.until(badge, "")
	c.until(notified, "0")
}

// cards: what may be remembered and what not; a no, a no with a word, a yes by
// keyboard, and a yes for this site from now on.
func (c *chatter) cards() {
	c.visit(c.acts.url)
	send, thinks, goOn := held(standin.Click("button", "Send message"))
	c.begin("tidy up the account",
		standin.Do("executeJS", map[string]any{"code": "document.title = 'changed'"}),
		func(o standin.Observation, conv standin.Conversation) standin.Turn {
			if strings.Contains(conv.Newest(), "use the green button") {
				return standin.Click("button", "Green")(o, conv)
			}
			return standin.Click("button", "Blue")(o, conv)
		},
		standin.Click("button", "Delete account"),
		send, standin.Click("button", "Send message"), standin.Click("button", "Send message"),
		partly("Three messages were sent.", "deleting the account, and running code"))

	// Code: only once, and the word of a no is what the model hears next.
	c.soon(onCard("h2") + `?.innerText === 'Run code on this page?'`)
	c.offers("Run this code", false)
	c.press("confirm-deny-note")
	c.soon(`document.activeElement === ` + el("confirm-note"))
	c.must(c.p.Tab.InsertText(c.ctx, "use the green button"))
	c.key("Enter", 0) // here it can only deny

	// A deletion: only once, and a no is told in the line of its step.
	c.soon(onCard(".what") + `?.innerText === 'Click the “Delete account” button'`)
	c.shows("step", "use the green button")
	c.inPage(`document.querySelector('output').textContent === 'Chosen: Green' && document.title === 'Acts'`)
	c.offers("Delete account", false)
	if n := c.outlined(); n < 50 {
		c.t.Errorf("the button is not outlined: %d points", n)
	}
	c.press("confirm-deny")
	c.soon(`[...document.querySelectorAll('[data-testid=step][data-state=denied]')].some(e => /You denied.*Delete account/.test(e.innerText))`)
	c.reached(thinks)
	if n := c.outlined(); n != 0 {
		c.t.Errorf("%d points of the outline are left", n)
	}

	// Someone who writes is not interrupted: the card is announced.
	c.must(c.p.Click(c.ctx, "composer"))
	c.must(c.p.Tab.InsertText(c.ctx, "by the way"))
	close(goOn)
	c.soon(onCard("[role=alert]") + `?.innerText.includes('Send this?, Click the “Send message” button, acts.test')`)
	c.soon(`document.activeElement === ` + el("composer"))
	c.fill("composer", "")
	c.offers("Send message", true)
	c.soon(`!` + el("confirm-allow") + `.disabled`)
	c.must(c.p.Eval(c.ctx, el("confirm-allow")+`.focus()`, nil))
	c.key("Space", 0)
	c.sent(1)

	// The next is asked about again, and allowed for good: then no card comes.
	c.offers("Send message", true)
	c.press("confirm-always")
	c.done("Three messages were sent")
	c.sent(3)
	if n := c.acts.count("/deleted") + c.acts.count("/paid"); n != 0 {
		c.t.Errorf("%d things were done that were denied", n)
	}
}

// offers checks what the open card may be answered with.
func (c *chatter) offers(allow string, always bool) {
	c.t.Helper()
	c.soon(el("confirm-card"))
	if got := c.evaluated(el("confirm-allow") + `.innerText`); got != quotedJSON(allow) {
		c.t.Errorf("the card offers %s, want %q", got, allow)
	}
	want := "null"
	if always {
		want = `"Always on acts.test"`
	}
	if got := c.evaluated(`(` + el("confirm-always") + `?.innerText ?? null)`); got != want {
		c.t.Errorf("the card offers %s, want %s", got, want)
	}
}

// sent waits until so many messages have come.
func (c *chatter) sent(n int) {
	c.t.Helper()
	for until := time.Now().Add(patience); c.acts.count("/send") < n && time.Now().Before(until); {
		c.nap(30)
	}
	if got := c.acts.count("/send"); got != n {
		c.t.Fatalf("%d messages were sent, want %d", got, n)
	}
}

// expired: of a card that nobody answers a notification says that it has run out,
// and the panel why nothing was done. The task before it is stopped at its card.
func (c *chatter) expired() {
	c.press("stop")
	c.soon(`!` + el("confirm-card") + ` && !` + el("stop"))
	const ordered, takes = "order it", 12 * time.Second
	c.minutes(strconv.FormatFloat(takes.Minutes(), 'f', -1, 64))
	c.begin(ordered, standin.Click("button", "Pay"))
	at := time.Now().Add(takes)
	c.soon(`/Denied automatically in 0:[01]\d/.test(` + onCard(".expires") + `?.innerText)`)
	c.minutes("60")
	c.fresh() // they look at something else when it runs out
	c.press("open-conversations")
	c.fill("conv-search", ordered)
	c.soon(`document.querySelectorAll('[data-testid=conversation]').length === 1 && ` + oneSays(ordered))
	c.press("conv-open")
	if time.Until(at) > 2*time.Second { // it waits still
		c.soon(el("confirm-card"))
	}
	c.must(rig.Await(c.ctx, c.p.Tab, `document.querySelector('[data-testid=confirm-answered][data-answer=expired]')`))
	if early := time.Until(at); early > time.Second {
		c.t.Errorf("it ran out %s too early", early)
	}
	c.until(notified, "1")
	c.shows("confirm-answered", "No answer in time: denied")
	c.shows("confirm-answered", `Click the “Pay $12.90” button, $12.90`)
	c.shows("failure", "took longer than its "+takes.String())
	c.soon(`!` + el("confirm-card"))
	if n := c.acts.count("/paid"); n != 0 {
		c.t.Errorf("it was paid %d times", n)
	}
	if n := c.outlined(); n != 0 {
		c.t.Errorf("%d points of an outline are left", n)
	}
}
