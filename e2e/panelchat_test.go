package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"

	"tabwright/e2e/standin"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
)

// What a user does in the chat of the real side panel, with a real host behind
// it: in one browser, part after part. A card that nobody answers comes last.
func TestChatFromThePanel(t *testing.T) {
	c := newChatter(t)
	c.part("plan", c.planFillsIn)
	c.part("answers", c.answersLead)
	c.part("conversations", c.conversations)
	c.part("steered", c.steered)
	c.part("paused", c.paused)
	c.part("taken over", c.takenOver)
	c.part("stop while it streams", func() { c.soonStopped(c.stopStream) })
	c.part("stop while a page loads", func() { c.soonStopped(c.stopLoad) })
	c.part("stop while a card is open", func() { c.soonStopped(c.stopCard) })
	c.part("cards", c.cards)
	c.part("markdown", c.nothingRuns)
	c.visit(c.acts.url)
	c.unanswered()
	c.part("keyboard", c.keyboard)
	c.part("panel closed", c.panelClosed)
	c.part("expired", c.expired)
}

// planFillsIn: the plan is a checklist that fills in; a step opens to what it
// was; a long wait is counted, explained, and goes away; what the rules forbid
// is told.
func (c *chatter) planFillsIn() {
	green, thinks, goOn := held(func(o standin.Observation, conv standin.Conversation) standin.Turn {
		turn := standin.Click("button", "Green")(o, conv)
		turn.Text, turn.PlanDone = "Now the Green button.", []int{2}
		return turn
	})
	plans := func(o standin.Observation, conv standin.Conversation) standin.Turn {
		turn := standin.Click("button", "Blue")(o, conv)
		turn.Plan, turn.PlanDone = []string{"click the Blue button", "click the Green button", "tell what it says"}, []int{1}
		return turn
	}
	c.begin("click Blue, then Green", plans, green,
		standin.Do("navigate", map[string]any{"url": "file:///etc/passwd"}), partly("It was Blue, then Green.", "opening the file"))
	c.reached(thinks)
	states := `[...document.querySelectorAll('[data-testid=plan-step]')].map(e => e.dataset.state).join()`
	c.soon(states + ` === 'done,doing,todo'`)
	c.shows("plan-count", "1 of 3")
	c.shows("plan", "click the Blue button")

	// The model thinks: at first it only says so, then it counts, then explains.
	c.shows("now", "Thinking…")
	c.must(c.p.Eval(c.ctx, `void (window.clock ??= Date.now, window.shift = 0, Date.now = () => clock() + shift)`, nil))
	c.must(c.p.Eval(c.ctx, `void (shift = 7000)`, nil))
	c.soon(`/Thinking….*\b\d+ s/.test(` + el("now") + `.innerText) && !` + el("slow"))
	c.must(c.p.Eval(c.ctx, `void (shift = 60000)`, nil))
	c.shows("slow", "Still working")
	c.must(c.p.Eval(c.ctx, `void (Date.now = clock)`, nil))

	c.open("click", "Blue")
	behind := c.evaluated(`document.querySelector('.behind').innerText`)
	for _, want := range []string{`click {`, "the “Blue” button", c.acts.url, "Chosen: Blue", " in, ", " out", " ms"} {
		if !strings.Contains(behind, want) {
			c.t.Errorf("behind the step there is no %q: %s", want, behind)
		}
	}
	c.soon(el("thumb") + `.dataset.state === 'there'`)
	// A picture of the page: its red bar is in it.
	red := c.evaluated(`(() => { const e = document.querySelector('[data-testid=thumb] canvas'), d = e.getContext('2d').getImageData(0, 0, e.width, e.height).data;
		let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] > 150 && d[i + 1] < 70 && d[i + 2] < 70) n++; return e.width > 50 && n > 100 })()`)
	if red != "true" {
		c.t.Error("the picture of the step does not show the page")
	}

	close(goOn)
	c.done("It was Blue")
	c.soon(states + ` === 'done,done,done'`)
	c.shows("plan-count", "3 of 3")
	c.soon(`!` + el("now") + ` && !` + el("slow"))
	c.soon(`document.querySelector('[data-testid=step][data-state=blocked]')?.innerText.includes('your rules block it')`)
}

// open unfolds the step of an action on something.
func (c *chatter) open(action, on string) {
	c.t.Helper()
	at := fmt.Sprintf(`[...document.querySelectorAll('[data-testid=step][data-action=%s]')].find(e => e.innerText.includes(%q))`, action, on)
	c.soon(at)
	c.must(c.p.Eval(c.ctx, at+`.querySelector('summary').click()`, nil))
	c.soon(at + `.querySelector('.behind')`)
}

// answersLead: an answer has links to the pages it came from, and they lead
// there; what is asked on knows what was said.
func (c *chatter) answersLead() {
	c.visit(c.acts.url)
	c.begin("where does the link lead?", standin.Click("link", "Second page"), finished("To the **second** page."))
	c.done("To the second page.")
	second := c.acts.url + "second"
	c.soon(`[...document.querySelectorAll('[data-testid=pages] a')].map(a => a.href).join() === '` + c.acts.url + `,` + second + `'`)
	c.must(c.p.Eval(c.ctx, el("pages")+`.firstElementChild.click()`, nil))
	c.must(c.p.Click(c.ctx, `pages] li:last-child a[href`))
	opened := c.tabAt(second)
	c.must(c.rig.Driver.CloseTab(c.ctx, opened))
	c.must(c.rig.Driver.Activate(c.ctx, c.page.ID()))

	n := len(c.model.Requests())
	c.brain.learn(finished("As I said."))
	c.must(c.p.Send(c.ctx, "say it again"))
	c.shows("message-agent", "As I said.")
	c.ended(c.p)
	first := ""
	for _, m := range c.model.Requests()[n].Conversation.Messages {
		first += m.Text + "\n"
	}
	for _, want := range []string{"say it again", "where does the link lead?", "To the **second** page."} {
		if !strings.Contains(first, want) {
			c.t.Errorf("what is asked on does not know %q:\n%s", want, first)
		}
	}
}

// tabAt waits for a tab of the user's that shows an address, beside their own.
func (c *chatter) tabAt(url string) browser.TabID {
	c.t.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		tabs, err := c.rig.Driver.Tabs(c.ctx)
		c.must(err)
		for _, i := range tabs {
			if i.URL == url && i.ID != c.page.ID() {
				return i.ID
			}
		}
		c.nap(30)
	}
	c.t.Fatalf("no tab shows %s", url)
	return ""
}

// nothingRuns: what a model writes is drawn and never run, while it streams and
// afterwards; nothing is loaded for it.
func (c *chatter) nothingRuns() {
	c.must(c.p.Eval(c.ctx, `void (window.bad = [], window.streamed = false, new MutationObserver(all => { streamed ||= !!document.querySelector('.agent.streaming .md strong'); for (const m of all) for (const n of m.addedNodes) if (n.closest?.('.md')) {
		for (const e of [n, ...n.querySelectorAll('*')]) if (e.matches('img, script, iframe, svg, form, input, button, style, object, video') || [...e.attributes].some(a => /^on|^style$/.test(a.name) || /^\s*javascript:/i.test(a.value))) bad.push(e.outerHTML)
	} }).observe(document.body, {subtree: true, childList: true}))`, nil))
	evil := strings.ReplaceAll(`A **bold** word.

<img src=http://evil.test:PORT/pixel.png onerror=window.pwned=1>

[dead](javascript:window.pwned=2) and [good](http://acts.test:PORT/second)

<script>window.pwned=3</script><iframe srcdoc=x></iframe><svg onload=window.pwned=4><a href=x>in</a></svg>

<form action=http://evil.test:PORT/form><input name=a><button>Go on</button></form><style>body{display:none}</style>

<a href=javascript:window.pwned=5 onclick=window.pwned=6>raw</a> ![pixel](http://evil.test:PORT/pixel.png)

`, "PORT", strings.Trim(c.acts.url[strings.LastIndex(c.acts.url, ":")+1:], "/")) + strings.Repeat("And so on and on. ", 100)
	tabs := len(c.tabs())
	c.begin("what is odd here?", func(standin.Observation, standin.Conversation) standin.Turn {
		return standin.Turn{Text: evil, Calls: []standin.Call{{Name: "done", Args: map[string]any{"success": true, "answer": evil}}}}
	})
	c.done("And so on and on.")
	if c.evaluated(`streamed`) != "true" {
		c.t.Error("the words were not drawn while they streamed")
	}
	c.soon(`document.querySelector('.agent.final .md strong')?.innerText === 'bold'`)
	c.soon(`[...document.querySelectorAll('.agent.final a')].some(a => a.innerText === 'good' && a.target === '_blank' && a.href.endsWith('/second'))`)
	for _, dead := range []string{"dead", "raw"} {
		link := `[...document.querySelectorAll('.agent.final a')].find(a => a.innerText === '` + dead + `')`
		c.must(c.p.Eval(c.ctx, link+`?.setAttribute('data-testid', 'dead-`+dead+`')`, nil))
		if c.evaluated(`!!`+link) == "true" {
			if c.evaluated(link+`.hasAttribute('href')`) == "true" {
				c.t.Errorf("the link %q is not dead", dead)
			}
			c.press("dead-" + dead)
		}
	}
	if got := c.evaluated(`[window.pwned ?? null, bad, location.pathname]`); got != `[null,[],"/panel.html"]` {
		c.t.Errorf("something ran: %s", got)
	}
	if n := len(c.tabs()); n != tabs {
		c.t.Errorf("%d tabs, %d before", n, tabs)
	}
	if n := c.acts.count("/pixel.png") + c.acts.count("/form"); n != 0 {
		c.t.Errorf("%d requests were made for what the model wrote", n)
	}
}

func (c *chatter) tabs() []browser.TabInfo {
	c.t.Helper()
	tabs, err := c.rig.Driver.Tabs(c.ctx)
	c.must(err)
	return tabs
}

// conversations are found by words, renamed, saved as files, and deleted: then
// nothing of them is left on the disk, also where the panel is closed at once.
func (c *chatter) conversations() {
	c.run("is there a quokka?", "No quokka is here.")
	c.run("is there a numbat?", "A numbat, no.")
	c.press("open-conversations")
	rows := func(n int) string {
		return fmt.Sprintf(`document.querySelectorAll('[data-testid=conversation]').length === %d`, n)
	}
	c.soon(`document.querySelectorAll('[data-testid=conversation]').length > 2`)
	c.fill("conv-search", "numbat")
	c.soon(rows(1))
	c.press("conv-menu")
	c.press("conv-rename")
	c.soon(`document.activeElement === ` + el("conv-title"))
	c.must(c.p.Tab.InsertText(c.ctx, "My wombats"))
	c.key("Enter", 0)
	c.soon(`!` + el("conv-title"))
	c.shows("conversation", "My wombats")
	c.fill("conv-search", "wombats") // the title is in the host, and searched
	c.soon(rows(1))

	dir := c.t.TempDir()
	_, err := cdp.Call(c.ctx, c.rig.Driver.Browser(), cdpbrowser.SetDownloadBehavior,
		cdpbrowser.SetDownloadBehaviorParams{Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir})
	c.must(err)
	c.fill("conv-search", "lead")
	c.soon(rows(1) + ` && ` + oneSays("where does the link lead?"))
	c.exported(dir)

	c.fill("conv-search", "quokka")
	c.soon(rows(1) + ` && ` + oneSays("quokka"))
	c.press("conv-menu")
	c.press("conv-delete")
	c.soon(rows(0))
	c.press("conv-undo")
	c.soon(rows(1))
	if len(c.onDisk("quokka", ours...)) == 0 {
		c.t.Error("the conversation was not on disk")
	}
	c.press("conv-menu")
	c.press("conv-delete")
	c.soon(rows(0))
	c.must(c.p.Eval(c.ctx, `location.reload()`, nil)) // before it could be taken back no more
	c.soon(el("composer") + `.disabled === false`)
	c.desk.gone("quokka")
	c.press("open-conversations")
	c.fill("conv-search", "quokka")
	c.soon(rows(0))
	c.fill("conv-search", "wombats")
	c.soon(rows(1))
	c.fresh()
}

// oneSays is true where the first conversation of the list has the words.
func oneSays(words string) string {
	return el("conversation") + `?.innerText.includes('` + words + `')`
}

// exported saves the conversation that the list shows in both forms.
func (c *chatter) exported(dir string) {
	c.t.Helper()
	c.press("conv-menu")
	c.press("conv-md")
	md := c.file(dir, ".md")
	for _, want := range []string{
		"# where does the link lead?\n", "> where does the link lead?", `1. Clicked "Second page" on acts.test`, "**Answer**\n\nTo the **second** page.", "> say it again", "As I said.",
	} {
		if !strings.Contains(md, want) {
			c.t.Errorf("the Markdown lacks %q:\n%s", want, md)
		}
	}
	c.press("conv-menu")
	c.press("conv-json")
	var saved struct {
		Format int
		Title  string
		Tasks  []struct {
			Text, State string
			Events      []wire.Event
		}
	}
	c.must(json.Unmarshal([]byte(c.file(dir, ".json")), &saved))
	if saved.Format != 1 || saved.Title != "where does the link lead?" || len(saved.Tasks) != 2 || saved.Tasks[1].Text != "say it again" || saved.Tasks[0].State != "done" {
		c.t.Fatalf("the JSON says %+v", saved)
	}
	if last := saved.Tasks[0].Events[len(saved.Tasks[0].Events)-1]; last.Type != wire.EvComplete || last.Text != "To the **second** page." {
		c.t.Errorf("the last event is %+v", last)
	}
	if !slices.ContainsFunc(saved.Tasks[0].Events, func(e wire.Event) bool {
		return e.Type == wire.EvToolResult && e.Step != nil && e.Step.Action == "click" && strings.Contains(e.Step.Target, "Second page")
	}) {
		c.t.Error("the JSON lacks the step")
	}
}

// file waits for the one download of a kind, and takes it away.
func (c *chatter) file(dir, ext string) string {
	c.t.Helper()
	for until := time.Now().Add(patience); time.Now().Before(until); {
		found, err := filepath.Glob(filepath.Join(dir, "*"+ext))
		c.must(err)
		if len(found) == 1 {
			b, err := os.ReadFile(found[0])
			c.must(err)
			if len(b) > 0 {
				return string(b)
			}
		}
		c.nap(30)
	}
	c.t.Fatalf("no %s was saved", ext)
	return ""
}
