package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"tabwright/e2e/standin"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// steered: while it works, the tab it drives has a sign, and nothing of the page
// is changed for it; a word in the middle reaches the model's next request.
func (c *chatter) steered() {
	c.visit(c.acts.url)
	step, thinks, goOn := held(look())
	c.begin("click Blue", step, func(o standin.Observation, conv standin.Conversation) standin.Turn {
		if strings.Contains(conv.Newest(), "take the green one instead") {
			return standin.Click("button", "Green")(o, conv)
		}
		return standin.Click("button", "Blue")(o, conv)
	}, finished("It is chosen."))
	c.reached(thinks)
	tab := `chrome.tabs.query({url: '` + c.acts.url + `', active: true}).then(async ([t]) => `
	sign := tab + `[await chrome.action.getBadgeText({tabId: t.id}), await chrome.action.getTitle({tabId: t.id}), t.title].join('|'))`
	c.until(sign, "●|Tabwright works in this tab|Acts")
	c.must(c.p.Send(c.ctx, "take the green one instead"))
	c.soon(`document.querySelectorAll('[data-testid=message-user]').length === 2`)
	close(goOn)
	c.done("It is chosen.")
	c.inPage(`document.querySelector('output').textContent === 'Chosen: Green' && document.title === 'Acts'`)
	c.until(sign, "|Tabwright|Acts")
}

// paused: nothing is done until it is resumed.
func (c *chatter) paused() {
	c.visit(c.acts.url)
	step, thinks, goOn := held(standin.Click("button", "Blue"))
	c.begin("click Blue, then Green", step, standin.Click("button", "Green"), finished("Both were chosen."))
	c.reached(thinks)
	c.press("pause")
	close(goOn)
	c.state("paused")
	n := len(c.model.Requests())
	c.nap(300)
	if got := len(c.model.Requests()); got != n {
		c.t.Errorf("the model was asked %d times while it was paused", got-n)
	}
	c.inPage(`document.querySelector('output').textContent !== 'Chosen: Green'`)
	c.press("resume")
	c.done("Both were chosen.")
	c.inPage(`document.querySelector('output').textContent === 'Chosen: Green'`)
}

// takenOver: the user acts themselves, and the agent looks again.
func (c *chatter) takenOver() {
	c.visit(c.acts.url)
	step, thinks, goOn := held(standin.Click("button", "Green"))
	c.begin("choose a colour", step, finished("One is chosen."))
	c.reached(thinks)
	c.press("take-over")
	c.state("paused")
	close(goOn)
	x, y := c.middle("button")
	for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
		c.must(c.page.Mouse(c.ctx, kind, x, y, map[bool]string{true: "none", false: "left"}[kind == browser.MouseMove], 1, 0))
	}
	c.inPage(`document.querySelector('output').textContent === 'Chosen: Blue'`)
	n := len(c.model.Requests())
	c.press("resume")
	c.done("One is chosen.")
	heard := c.heard()[n]
	for _, want := range []string{"the user took over", "Chosen: Blue"} {
		if !strings.Contains(heard, want) {
			c.t.Errorf("after it was handed back the model does not hear %q:\n%s", want, heard)
		}
	}
	c.inPage(`document.querySelector('output').textContent === 'Chosen: Blue'`) // what was under way was cut short
}

// middle is the middle of an element of the user's page.
func (c *chatter) middle(selector string) (x, y float64) {
	c.t.Helper()
	raw, err := c.page.Evaluate(c.ctx, `(() => { const r = document.querySelector('`+selector+`').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`)
	c.must(err)
	var at [2]float64
	c.must(json.Unmarshal(raw, &at))
	return at[0], at[1]
}

// stopWithin is what Stop may take. On a machine that is busy with other things
// any request that is on disk before it is answered takes longer too.
const (
	stopWithin = 200 * time.Millisecond
	stopTrips  = 10
)

// trip is what a plain request takes that writes to the disk as a Stop does, in
// milliseconds.
func (c *chatter) trip() (millis float64) {
	c.t.Helper()
	var list wire.TaskList
	c.must(c.p.Call(c.ctx, wire.MethodTaskList, map[string]any{}, &list))
	c.must(c.p.Eval(c.ctx, `(async () => { const all = []; for (let n = 0; n < 5; n++) { const at = performance.now();
		await __wire.call('`+wire.MethodConvRename+`', {conversation: '`+list.Tasks[0].Conversation+`', title: 'to be stopped ' + n});
		all.push(performance.now() - at) } return all.sort((a, b) => a - b)[2] })()`, &millis))
	return millis
}

// stops presses Stop and measures, from the click, until the panel shows the
// task as cancelled, and until whatever else was told; inTime says that it was soon.
func (c *chatter) stops(also ...<-chan time.Time) (inTime bool) {
	c.t.Helper()
	trip := c.trip()
	c.must(c.p.Eval(c.ctx, `void (() => { const s = `+el("status")+`; window.began = window.ended = undefined;
		addEventListener('click', () => window.began = performance.timeOrigin + performance.now(), {capture: true, once: true});
		const seen = new MutationObserver(() => { if (s.dataset.state === 'cancelled') { window.ended ??= performance.timeOrigin + performance.now(); seen.disconnect() } });
		seen.observe(s, {attributes: true}) })()`, nil))
	for len(c.gone) > 0 { // of requests before
		<-c.gone
	}
	c.must(c.p.Click(c.ctx, "stop"))
	c.soon(`window.ended !== undefined`)
	var at [2]float64
	c.must(c.p.Eval(c.ctx, `[began, ended]`, &at))
	took := []float64{at[1] - at[0]}
	for _, ch := range also {
		select {
		case t := <-ch:
			took = append(took, float64(t.UnixMicro())/1000-at[0])
		case <-time.After(patience):
			c.t.Error("the model is still being asked")
		}
	}
	trip = max(trip, c.trip())
	most := max(float64(stopWithin.Milliseconds()), stopTrips*trip)
	c.t.Logf("Stop took %.0f ms; a plain trip %.1f ms", took, trip)
	return slices.Max(took) <= most
}

// soonStopped tries again where Stop was late: something else may have had the
// machine just then. Late three times is too late.
func (c *chatter) soonStopped(once func() (inTime bool)) {
	c.t.Helper()
	for range 3 {
		if once() {
			return
		}
	}
	c.t.Errorf("Stop took longer than %s", stopWithin)
}

func (c *chatter) stopStream() bool {
	c.begin("tell me everything", standin.Say(strings.Repeat("and so on ", 5000)))
	c.soon(`document.querySelector('.agent.streaming')?.innerText.length > 100`)
	inTime := c.stops(c.gone)
	c.soon(`!document.querySelector('.agent.streaming') && !` + el("stop"))
	return inTime
}

func (c *chatter) stopLoad() bool {
	c.visit(c.acts.url)
	c.begin("open the slow page", standin.Do("navigate", map[string]any{"url": c.acts.url + "slow"}))
	c.reached(c.acts.slow)
	c.soon(`document.querySelector('[data-testid=step][data-action=navigate]')?.dataset.state === 'running'`)
	// A page that is long in coming is counted too.
	c.must(c.p.Eval(c.ctx, `void (window.clock ??= Date.now, Date.now = () => clock() + 9000)`, nil))
	c.soon(`/\b\d+ s/.test(` + el("now") + `.innerText)`)
	c.must(c.p.Eval(c.ctx, `void (Date.now = clock)`, nil))
	inTime := c.stops()
	c.soon(`!` + el("now") + ` && document.querySelector('[data-testid=step][data-action=navigate]')?.dataset.state !== 'running'`)
	return inTime
}

func (c *chatter) stopCard() bool {
	c.visit(c.acts.url)
	c.begin("delete the account", standin.Click("button", "Delete account"))
	c.soon(el("confirm-card"))
	inTime := c.stops()
	c.soon(`!` + el("confirm-card"))
	if n := c.acts.count("/deleted"); n != 0 {
		c.t.Errorf("it was deleted %d times", n)
	}
	if n := c.outlined(); n != 0 {
		c.t.Errorf("%d points of an outline are left", n)
	}
	return inTime
}
