package e2e

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"

	"tabwright/e2e/standin"
)

// What a user attaches beside a page reaches the model and the page, what they
// want forgotten is on no disk any more, and a page that nothing can drive is
// said to be one.
func TestAttachForgetAndPagesFromThePanel(t *testing.T) {
	d := newDesk(t)
	d.part("attach", d.attach)
	d.part("forget", d.forget)
	d.part("no history", d.noHistory)
	d.part("pages", d.pages)
}

var attachedPath = regexp.MustCompile(`filePath ("[^"\n]+")`)

// attach: selected text, a picture of the page, a text and a picture that are files,
// in one task of a model that sees, which is given all of it; a file ends in the
// page's field, after a card.
func (d *desk) attach() {
	sees := standin.New(standin.Options{Format: standin.OllamaTools, Brain: d.brain, Vision: true})
	d.must(sees.Err())
	defer sees.Close()
	d.settings("models")
	d.must(d.p.Eval(d.ctx, `document.querySelector('.more').open = true`, nil))
	d.fill("set-base_url", sees.URL())
	d.until(`document.querySelector('.found .model')?.innerText.includes('vision')`)
	d.fresh()

	_, err := d.page.Evaluate(d.ctx, `getSelection().selectAllChildren(document.querySelector('h1'))`)
	d.must(err)
	chip := func(kind string) {
		d.t.Helper()
		d.press("attach")
		d.press("attach-" + kind)
		d.until(`document.querySelector('[data-testid=chip][data-kind=` + kind + `]')`)
	}
	chip("selection")
	chip("screenshot")
	note := filepath.Join(d.t.TempDir(), "delivery note.txt")
	d.must(os.WriteFile(note, []byte("of the user, 4111 1111 1111 1111"), 0o600))
	d.chooseFile(note)
	card, raw := filepath.Join(filepath.Dir(note), "card.png"), new(bytes.Buffer)
	d.must(png.Encode(raw, image.NewRGBA(image.Rect(0, 0, 320, 200))))
	d.must(os.WriteFile(card, raw.Bytes(), 0o600))
	d.chooseFile(card)
	d.until(`document.querySelectorAll('[data-testid=chip]').length === 4 && !document.querySelector('[data-testid=chip-note]')`)
	d.shots("attached")

	paths := func(c standin.Conversation) (out []string) {
		for _, at := range attachedPath.FindAllStringSubmatch(c.Messages[0].Text, -1) {
			path, err := strconv.Unquote(at[1])
			d.must(err)
			out = append(out, path)
		}
		return out
	}
	give := func(o standin.Observation, c standin.Conversation) standin.Turn {
		return standin.On("uploadFile", map[string]any{"filePath": paths(c)[0]}, "", "your file")(o, c)
	}
	dropAll := func(o standin.Observation, c standin.Conversation) standin.Turn {
		return standin.Do("uploadFile", map[string]any{"selector": "#papers", "paths": paths(c)})(o, c)
	}
	d.brain.learn(give, dropAll, finished("It is there."))
	d.send("upload this")
	d.until(cardOpen)
	d.hasText(d.p, "confirm-card", "delivery note.txt", "form.test")
	d.must(d.p.Allow(d.ctx))
	d.until(cardOpen + ` && document.querySelector('[data-testid=confirm-card]').innerText.includes('card.png')`)
	d.hasText(d.p, "confirm-card", "delivery note.txt", "Drop papers here")
	d.must(d.p.Allow(d.ctx))
	d.done("It is there.")
	d.holds("of the user, 4111 1111 1111 1111")
	dropped, err := d.page.Evaluate(d.ctx, `document.querySelector('#papers').title`)
	d.must(err)
	if string(dropped) != `"delivery note.txt,card.png"` {
		d.t.Errorf("where papers are dropped came %s", dropped)
	}

	first := sees.Requests()[0]
	if text := first.Conversation.Messages[0].Text; !strings.Contains(text, "Words of the page") || !strings.Contains(text, "selected this text on "+d.site.url) {
		d.t.Errorf("the selection is not told:\n%s", text)
	}
	if text := first.Conversation.Messages[0].Text; !strings.Contains(text, "\nof the user, [card number]\n") || strings.Contains(text, "4111") {
		d.t.Errorf("what the file says is not told:\n%s", text)
	}
	pictures, err := filepath.Glob(filepath.Join(d.rig.Dir, "data", "tabwright", "files", "*", ".attached", "*"))
	d.must(err)
	pictures = slices.DeleteFunc(pictures, func(path string) bool { return filepath.Ext(path) == ".txt" })
	if len(pictures) != 2 {
		d.t.Fatalf("kept %v", pictures)
	}
	for _, path := range pictures {
		raw, err := os.ReadFile(path)
		d.must(err)
		coded, err := json.Marshal(raw) // as base64
		d.must(err)
		for _, r := range sees.Requests()[:2] { // they stay with the task
			if len(raw) < 500 || !strings.Contains(string(r.Body), strings.Trim(string(coded), `"`)) {
				d.t.Errorf("the picture %s of %d bytes is not in the request of %d", path, len(raw), len(r.Body))
			}
		}
	}
	d.settings("models")
	d.must(d.p.Eval(d.ctx, `document.querySelector('.more').open = true`, nil))
	d.fill("set-base_url", "")
	d.until(`document.querySelector('.found .model') && !document.querySelector('.found .model').innerText.includes('sees')`)
}

// chooseFile answers the window for choosing files that the menu opens.
func (d *desk) chooseFile(path string) {
	d.t.Helper()
	s := d.p.Tab.Session()
	_, err := cdp.Call(d.ctx, s, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
	d.must(err)
	opened := cdp.Events(d.ctx, s, page.FileChooserOpened)
	d.press("attach")
	d.press("attach-file")
	for e, err := range opened {
		d.must(err)
		_, err = cdp.Call(d.ctx, s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{path}, BackendNodeID: e.BackendNodeID})
		d.must(err)
		break
	}
	d.shows("chip", filepath.Base(path))
}

// forget: a conversation that is deleted, and all of them, are gone from the list
// and from the disk.
func (d *desk) forget() {
	const one, other, third = "canary-one-63c1", "canary-two-9d40", "canary-three-b8f2"
	for _, c := range []string{one, other, third} {
		d.run("remember "+c, "Remembered "+c)
		if len(d.onDisk(c, ours...)) == 0 {
			d.t.Fatalf("%s was never on disk", c)
		}
	}
	d.press("open-conversations")
	d.fill("conv-search", third)
	d.until(`document.querySelectorAll('[data-testid=conversation]').length === 1`)
	d.press("conv-menu")
	d.press("conv-delete")
	d.until(el("undo") + ` && !` + el("conversation"))
	d.reload() // who closes the panel does not want it back
	d.gone(third)

	d.until(`document.querySelector('[data-testid=message-user]')`)
	d.settings("privacy")
	d.press("forget-all")
	d.press("forget-yes")
	d.until(`document.querySelector('.forget [role=status]').innerText.includes('deleted')`)
	d.gone(one)
	d.gone(other)
	d.press("open-conversations")
	d.until(`!` + el("conversation") + ` && document.querySelector('.none')`)
	// What was shown is gone too: the next words begin anew.
	d.press("back")
	d.until(`!` + el("message-user"))
	d.brain.learn(finished("A new one."))
	d.send("and now?")
	d.done("A new one.")
}

// noHistory: nothing of a conversation is on disk once it has ended and was left.
func (d *desk) noHistory() {
	const canary = "canary-history-e417"
	d.settings("privacy")
	d.choose("set-history", "none")
	d.kept("history: none")
	d.begin("ask me about "+canary, standin.Do("askUser", map[string]any{"question": "What of " + canary + "?"}), finished("So "+canary))
	d.until(el("ask"))
	if len(d.onDisk(canary, ours...)) == 0 {
		d.t.Error("a task that waits is to be on disk")
	}
	d.send("nothing")
	d.done("So " + canary)
	d.fresh()
	d.gone(canary)
	d.settings("privacy")
	d.choose("set-history", "keep")
	d.until(`document.querySelector('.saved')`)
}

// pages: Chrome's own, its Web Store and a PDF, whatever its address says.
func (d *desk) pages() {
	d.fresh()
	for _, c := range []struct{ url, kind string }{
		{"chrome://version/", "chrome"}, {"https://chromewebstore.google.com/category/extensions", "store"}, {d.site.url + "paper", "pdf"},
	} {
		tab, err := d.rig.Open(d.ctx, c.url)
		d.must(err)
		if err := d.p.Await(d.ctx, el("page-note")+`?.dataset.page === '`+c.kind+`'`); err != nil {
			d.t.Errorf("%s: %v", c.url, err)
		}
		d.must(d.rig.Driver.CloseTab(d.ctx, tab.ID()))
		d.must(d.rig.Driver.Activate(d.ctx, d.page.ID()))
		d.until(`!` + el("page-note"))
	}
	// A task begun there has a tab of its own.
	tab, err := d.rig.Open(d.ctx, "chrome://version/")
	d.must(err)
	d.until(el("page-note"))
	before, err := d.rig.Driver.Tabs(d.ctx)
	d.must(err)
	d.run("what is here?", "Nothing yet.", finished("Nothing yet.")) // an empty page bears nothing out: the model stands by it
	after, err := d.rig.Driver.Tabs(d.ctx)
	d.must(err)
	if len(after) != len(before)+1 {
		d.t.Errorf("of %+v came %+v", before, after)
	}
	d.must(d.rig.Driver.CloseTab(d.ctx, tab.ID()))
}
