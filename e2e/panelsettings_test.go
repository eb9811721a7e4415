package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"tabwright/e2e/standin"
)

// What a user changes in the settings of the real panel is in the program's
// file, and does what it says.
func TestSettingsFromThePanel(t *testing.T) {
	d := newDesk(t)
	d.listen()
	d.part("models", d.modelsAreFound)
	d.part("keys", d.keysStayInTheHost)
	d.part("look", d.look)
	d.part("language", d.language)
	d.part("limits", d.limits)
	d.part("search", d.search)
	d.part("uploads", d.uploads)
	d.part("sites", d.sites)
	d.part("doctor", d.doctor)
}

// modelsAreFound: Ollama's models are there by themselves, a test says what they
// can do, a server that is gone is told with what to do, one without tools works
// all the same, and one that only talks is no use.
func (d *desk) modelsAreFound() {
	d.settings("models")
	d.until(`document.querySelectorAll('[data-testid=found-model]:checked').length === 1`)
	if text := d.evaluated(`document.querySelector('.found .model').innerText`); !strings.Contains(text, d.model.Model()) || !strings.Contains(text, "tools") {
		d.t.Errorf("found %s", text)
	}
	d.tested("Works best with: tool calls", "Answers ok", "Calls tools ok", "Keeps to a JSON schema ok", "Writes JSON in Markdown ok")

	addr := strings.TrimPrefix(d.model.URL(), "http://")
	d.model.Close()
	d.press("test-model")
	d.until(`document.querySelector('.test .refused')?.innerText.includes('ollama pull')`)
	d.press("look-again")
	d.until(`document.querySelector('.found').innerText.includes("Ollama isn't running") && document.querySelector('.found code').innerText.startsWith('ollama pull')`)
	d.fresh()
	d.shows("no-model", "Ollama isn't running", "ollama.com", "Try it in a demo shop")
	d.model = standin.New(standin.Options{Format: standin.OllamaTools, Brain: d.brain, Addr: addr})
	d.must(d.model.Err())
	d.press("look-again")
	d.until(el("composer") + `?.disabled === false`)

	plain := standin.New(standin.Options{Format: standin.OllamaSchema, Brain: d.brain})
	d.must(plain.Err())
	defer plain.Close()
	d.settings("models")
	d.must(d.p.Eval(d.ctx, `document.querySelector('.more').open = true`, nil))
	d.fill("set-base_url", plain.URL())
	d.kept("base_url: " + plain.URL())
	d.until(`document.querySelector('.found .model') && !document.querySelector('.found .model').innerText.includes('tools')`)
	d.tested("Works best with: JSON by schema", "Answers ok", "Calls tools bad", "Keeps to a JSON schema ok")
	d.run("what is on this page?", "A form it is.")
	d.shows("usage", "JSON by schema")

	d.brain.bore(true)
	defer d.brain.bore(false)
	d.settings("models")
	d.tested("choose another", "Answers ok", "Calls tools bad", "Keeps to a JSON schema bad", "Writes JSON in Markdown bad")
	d.begin("what is on this page?")
	d.ended(d.p)
	d.shows("failure", "model")
	if hint := d.evaluated(`document.querySelector('[data-testid=failure] .hint')?.innerText ?? ''`); hint == `""` {
		d.t.Error("a model that only talks: nothing says what to do")
	}
	d.settings("models")
	d.must(d.p.Eval(d.ctx, `document.querySelector('.more').open = true`, nil))
	d.fill("set-base_url", "")
	d.until(`document.querySelector('.found .model')?.innerText.includes('tools')`)
}

// tested has the model in use tested, and wants a conclusion and some of the lines.
func (d *desk) tested(conclusion string, lines ...string) {
	d.t.Helper()
	d.press("test-model")
	d.until(`document.querySelectorAll('.test [data-testid=check]').length === 5 && !document.querySelector('.test .busy')`)
	got := d.evaluated(`[...document.querySelectorAll('.test [data-testid=check]')].map(e => e.querySelector('b').innerText + ' ' + e.dataset.state)`)
	for _, want := range lines {
		if !strings.Contains(got, `"`+want+`"`) {
			d.t.Errorf("the test lacks %q: %s", want, got)
		}
	}
	if text := d.evaluated(`document.querySelector('.test').innerText`); !strings.Contains(strings.ToLower(text), strings.ToLower(conclusion)) {
		d.t.Errorf("the test does not conclude %q: %s", conclusion, text)
	}
}

// listen has the panel, loaded anew, note every message that it is sent.
func (d *desk) listen() {
	d.t.Helper()
	_, err := cdp.Call(d.ctx, d.p.Tab.Session(), page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `{
		const connect = chrome.runtime.connect, heard = window.heard = [];
		chrome.runtime.connect = (...a) => { const port = connect.apply(chrome.runtime, a); port.onMessage.addListener(m => heard.push(JSON.stringify(m))); return port };
	}`})
	d.must(err)
	d.reload()
	d.until(`window.heard.length > 1`)
}

// reload loads the panel anew.
func (d *desk) reload() {
	d.t.Helper()
	d.must(d.p.Eval(d.ctx, `window.before = true`, nil))
	_, err := cdp.Call(d.ctx, d.p.Tab.Session(), page.Reload, page.ReloadParams{})
	d.must(err)
	d.until(`!window.before && ` + el("status") + `?.dataset.phase === 'ready'`)
}

// keysStayInTheHost: a key goes to the program and to the provider, and is
// nowhere in the browser, nor in a message to the panel.
func (d *desk) keysStayInTheHost() {
	const key = "sk-canary-5f1d0c77b2"
	cloud := standin.New(standin.Options{Format: standin.OpenAI, Brain: d.brain})
	d.must(cloud.Err())
	defer cloud.Close()
	d.settings("models")
	d.choose("set-provider", "openai")
	d.kept("provider: openai")
	d.must(d.p.Eval(d.ctx, `document.querySelector('.more').open = true`, nil))
	d.fill("set-base_url", cloud.URL())
	d.kept("base_url: " + cloud.URL())
	d.must(d.p.Eval(d.ctx, el("set-key.openai")+`.focus()`, nil))
	d.must(d.p.Tab.InsertText(d.ctx, key))
	d.press("save-key.openai")
	d.shows("state-key.openai", "Stored")
	d.tested("Works best with: tool calls", "Calls tools ok")
	if got := cloud.Requests()[0].Header.Get("Authorization"); got != "Bearer "+key {
		d.t.Errorf("the provider got %q", got)
	}

	file := filepath.Join(d.rig.Dir, "config", "tabwright", "keys.json")
	st, err := os.Stat(file)
	d.must(err)
	if found := d.onDisk(key, append(ours, "profile")...); len(found) != 1 || found[0] != file || st.Mode().Perm() != 0o600 {
		d.t.Errorf("the key is in %v, mode %v", found, st.Mode())
	}
	all := d.evaluated(`(async () => JSON.stringify([await chrome.storage.local.get(), await chrome.storage.session.get(), await chrome.storage.sync.get(),
		{...localStorage}, {...sessionStorage}, window.heard, document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(i => i.value)]))()`)
	if !strings.Contains(all, "welcomed") || !strings.Contains(all, "settings") || strings.Contains(all, key) {
		d.t.Errorf("the browser's side, which is to be without the key: %d bytes, %v", len(all), strings.Contains(all, key))
	}

	d.must(d.p.Eval(d.ctx, el("state-key.openai")+`.parentElement.querySelector('button').click()`, nil))
	d.shows("state-key.openai", "None")
	if found := d.onDisk(key, ours...); len(found) != 0 {
		d.t.Errorf("the key that was taken out is in %v", found)
	}
	d.choose("set-provider", "ollama")
	d.until(`document.querySelector('.found .model')?.innerText.includes(` + quote(d.model.Model()) + `)`)
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

// look: theme and contrast are there at once, and in a panel loaded anew.
func (d *desk) look() {
	const dark = `document.documentElement.dataset.theme === 'dark' && document.documentElement.dataset.contrast === 'more'`
	d.settings("look")
	light := d.evaluated(`getComputedStyle(document.body).backgroundColor`)
	d.pick("theme-dark")
	d.pick("contrast")
	d.until(dark)
	d.reload()
	d.until(dark)
	if now := d.evaluated(`getComputedStyle(document.body).backgroundColor`); now == light {
		d.t.Errorf("dark and light have the same ground %s", now)
	}
	d.settings("look")
	d.pick("theme-system")
	d.pick("contrast")
	d.until(`!document.documentElement.dataset.theme && !document.documentElement.dataset.contrast`)
}

// latin finds what a user reads on the panel that has letters and no Chinese.
const latin = `(() => {
	const out = new Set(), note = (s) => { s = (s ?? '').trim(); if (/[A-Za-z]{3,}/.test(s) && !/\p{Script=Han}/u.test(s)) out.add(s) };
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('code, script') || !e.checkVisibility()) continue;
		for (const n of e.childNodes) if (n.nodeType === 3) note(n.data);
		for (const a of ['aria-label', 'title', 'placeholder']) note(e.getAttribute(a));
	}
	return [...out];
})()`

// names are what is called the same in every language.
var names = regexp.MustCompile(`^(Tabwright|English|OpenAI|Anthropic|Google( Gemini)?|DeepSeek|OpenRouter|DuckDuckGo|standin:latest|qwen[\w.]+:\w+|ollama/standin:latest|(https?://|/)\S+|shop\.example|[\w.]+\.test)$`)

// language: the panel speaks Chinese at once, everywhere, and when it is loaded
// anew; answers are given in the language that is set.
func (d *desk) language() {
	chinese := func(where string) {
		d.t.Helper()
		var all []string
		d.must(json.Unmarshal([]byte(d.evaluated(latin)), &all))
		for _, s := range all {
			if !names.MatchString(s) {
				d.t.Errorf("%s: not in Chinese: %q", where, s)
			}
		}
	}
	d.settings("look")
	d.pick("lang-zh")
	d.until(`document.documentElement.lang === 'zh' && document.querySelector('[data-part=look] h2')?.innerText === '外观与语言'`)
	for _, part := range []string{"look", "models", "budgets", "sites", "search", "uploads", "privacy"} {
		d.settings(part)
		chinese(part)
	}
	d.fresh()
	chinese("chat")
	d.reload()
	d.until(`document.documentElement.lang === 'zh'`)
	chinese("loaded anew")

	d.settings("look")
	d.choose("set-lang", "zh")
	d.kept("lang: zh")
	d.run("what is on this page?", "一个表单。")
	all := d.model.Requests()
	if s := all[len(all)-1].Conversation.System; !chineseWords.MatchString(s) {
		d.t.Errorf("the model is told in another language: %.200s", s)
	}
	d.settings("look")
	d.choose("set-lang", "")
	d.pick("lang-en")
	d.until(`document.documentElement.lang === 'en' && document.querySelector('[data-part=look] h2')?.innerText.startsWith('Look')`)
}

var chineseWords = regexp.MustCompile(`\p{Han}{4}`)

// limits: a task ends where the user says.
func (d *desk) limits() {
	d.settings("budgets")
	d.fill("set-budgets.steps", "none")
	d.until(`document.querySelector('.refused')`)
	before := d.config()
	d.fill("set-budgets.steps", "2")
	d.kept("steps: 2")
	if strings.Contains(before, "steps") {
		d.t.Errorf("what was refused was written:\n%s", before)
	}
	again := standin.Do("getElements", map[string]any{})
	d.begin("look at it again and again", again, again, again, again)
	d.ended(d.p)
	d.shows("failure", "2")
	if n := len(d.texts(d.p, "step")); n > 2 {
		d.t.Errorf("%d steps", n)
	}
	d.settings("budgets")
	d.fill("set-budgets.steps", "60")
	d.kept("steps: 60")
}

// search: the agent looks where the user says.
func (d *desk) search() {
	d.settings("search")
	d.choose("search-engine", "own")
	d.fill("search-own", d.site.url+"search?q={query}")
	d.kept("search: ")
	d.run("search for blue mugs", "Searched.", standin.Do("webSearch", map[string]any{"query": "blue mugs"}))
	if got := d.site.searches(); len(got) != 1 || got[0] != "blue mugs" {
		d.t.Errorf("searched for %q", got)
	}
	d.visit(d.site.url)
	d.settings("search")
	d.choose("search-engine", "bing")
	d.kept("search: bing")
}

// uploads: of the folder that stands there a file may be handed over, with a card;
// of another one none is.
func (d *desk) uploads() {
	in, out := d.t.TempDir(), d.t.TempDir()
	for _, dir := range []string{in, out} {
		d.must(os.WriteFile(filepath.Join(dir, "note.txt"), []byte("of "+dir), 0o600))
	}
	give := func(dir string) standin.Step {
		return standin.On("uploadFile", map[string]any{"filePath": filepath.Join(dir, "note.txt")}, "", "your file")
	}
	d.settings("uploads")
	d.fill("folder-path", in)
	d.press("folder-add")
	d.shows("folder", in)
	d.kept(in)
	d.begin("upload my note", give(out), give(in), partly("It is there.", "the other one: it is outside your folders"))
	d.until(cardOpen)
	d.hasText(d.p, "confirm-card", "note.txt", "form.test")
	if got := d.evaluated(`[...document.querySelectorAll('[data-testid=step]')].map(e => e.dataset.state)`); !strings.Contains(got, `"blocked"`) && !strings.Contains(got, `"error"`) {
		d.t.Errorf("the file of another folder: %s", got)
	}
	d.must(d.p.Allow(d.ctx))
	d.done("It is there.")
	d.holds("of " + in)
	d.settings("uploads")
	d.must(d.p.Eval(d.ctx, `document.querySelector('[data-testid=folder] button').click()`, nil))
	d.until(`!` + el("folder"))
	if strings.Contains(d.config(), in) {
		d.t.Errorf("the folder that was removed:\n%s", d.config())
	}
}

// holds wants a file with a text in the page's field for one.
func (d *desk) holds(text string) {
	d.t.Helper()
	raw, err := d.page.Evaluate(d.ctx, `(async () => { const [f] = document.querySelector('#file').files; return f ? await f.text() : 'no file' })()`)
	d.must(err)
	if string(raw) != quote(text) {
		d.t.Errorf("the page was given %s", raw)
	}
}

// sites: what is denied on a site is not done there, and not asked; what is
// allowed is done without asking; what is taken back is asked about again.
func (d *desk) sites() {
	rule := func(which string) {
		d.t.Helper()
		d.settings("sites")
		d.pick("rule-" + which)
		d.fill("rule-site", "form.test")
		d.choose("rule-class", "communicate")
		d.press("rule-add")
		d.shows("grant", "form.test", "Sending")
	}
	revoke := func() {
		d.t.Helper()
		d.settings("sites")
		d.press("grant-revoke")
		d.until(`!` + el("grant"))
	}
	send := []standin.Step{standin.Click("button", "Send message"), finished("Through.")}
	rule("deny")
	d.begin("send the message", send...)
	d.ended(d.p)
	d.until(`document.querySelector('[data-testid=step][data-state=blocked], [data-testid=step][data-state=denied]')`)
	if n := d.site.messages(); n != 0 {
		d.t.Errorf("%d messages were sent where that is denied", n)
	}
	revoke()
	rule("allow")
	d.run("send the message", "Through.", send[0])
	if n, asked := d.site.messages(), len(d.texts(d.p, "confirm-answered")); n != 1 || asked != 0 {
		d.t.Errorf("%d messages were sent, %d questions asked", n, asked)
	}
	revoke()
	d.visit(d.site.url)
	d.begin("send the message", send...)
	d.until(cardOpen)
	d.must(d.p.Deny(d.ctx))
	d.ended(d.p)
	if n := d.site.messages(); n != 1 {
		d.t.Errorf("%d messages", n)
	}
}

// doctor: what is broken is found, and mended by a click; so is a file of
// settings that can't be read, which is kept as it was.
func (d *desk) doctor() {
	manifest := filepath.Join(d.rig.Dir, "profile", "NativeMessagingHosts", "com.tabwright.host.json")
	good, err := os.ReadFile(manifest)
	d.must(err)
	d.must(os.WriteFile(manifest, []byte(strings.ReplaceAll(string(good), `"path": "`, `"path": "/nowhere`)), 0o600))
	d.settings("about")
	d.until(el("examine") + `?.disabled === false`)
	d.shows("versions", "Extension 0.")
	d.press("examine")
	d.press("fix-manifest")
	d.until(el("examine") + `?.disabled === false && !` + el("fix-manifest"))
	if now, err := os.ReadFile(manifest); err != nil || string(now) != string(good) {
		d.t.Errorf("%v\n%s\nand was\n%s", err, now, good)
	}
	file := filepath.Join(d.rig.Dir, "config", "tabwright", "config.yaml")
	before := d.config()
	d.must(os.WriteFile(file, []byte(before+"modle: x\n"), 0o600))
	d.fresh()
	d.settings("budgets")
	d.until(`document.querySelector('.part > .refused')?.innerText.includes('modle')`)
	d.press("settings-mend")
	d.shows("settings-mended", "before-mending")
	if now := d.config(); now != before {
		d.t.Errorf("mended:\n%s\nand was\n%s", now, before)
	}
	if kept, _ := filepath.Glob(file + ".before-mending-*"); len(kept) != 1 { // the pattern is whole
		d.t.Errorf("kept %v", kept)
	}
}
