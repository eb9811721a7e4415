package extension_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"tabwright/extension/paneltest"
	"tabwright/host/native/wire"
)

// kinds is what stands in the box as chips.
const kinds = `[...document.querySelectorAll("[data-testid=chip]")].map(e => e.dataset.kind).join()`

// notes is what the chips say that the model is not given.
const notes = `[...document.querySelectorAll("[data-testid=chip-note]")].map(e => e.textContent).join(";")`

// names is what the chips say.
const names = `[...document.querySelectorAll("[data-testid=chip] .name")].map(e => e.textContent)`

// quotedAll is a list as JavaScript has it.
func quotedAll(t *testing.T, all []string) string {
	t.Helper()
	b, err := json.Marshal(append([]string{}, all...))
	must(t, err)
	return string(b)
}

// In the real side panel, beside the page that things are taken from.
func TestPanelAttaches(t *testing.T) {
	s := newHouse()
	ctx, page, p := besidePage(t, s.handle)
	is := func(what, expr, want string) {
		t.Helper()
		if err := p.Until(ctx, fmt.Sprintf("(%s) === %q", expr, want)); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	attach := func(what string) {
		t.Helper()
		must(t, p.Click(ctx, "attach"))
		must(t, p.Click(ctx, "attach-"+what))
	}
	must(t, p.Click(ctx, "first-skip"))
	attach("selection") // nothing is selected yet
	must(t, p.Until(ctx, paneltest.ByTestID("problem")))
	must(t, page.Eval(ctx, `(() => { document.body.insertAdjacentHTML("afterbegin", "<p id=said>Ships in <b>two</b> days.</p>"); getSelection().selectAllChildren(document.getElementById("said")) })()`, nil))
	attach("selection")
	is("the selection", kinds, "selection")
	attach("selection") // the same is no second one
	attach("screenshot")
	is("the picture", kinds, "selection,screenshot")
	must(t, p.Eval(ctx, `(() => { const d = new DataTransfer(); d.items.add(new File([new Uint8Array([0, 1, 254, 255])], "a.bin")); d.items.add(new File(["x"], "b.txt", {type: "text/plain"}));
	  const i = document.querySelector("[data-testid=attach-input]"); i.files = d.files; i.dispatchEvent(new Event("change", {bubbles: true})) })()`, nil))
	is("the files", kinds, "selection,screenshot,file,file")
	must(t, p.Click(ctx, "chip-remove"))
	is("one less", kinds, "selection,screenshot,file")
	// What of it the model is not given is said: this one sees no pictures.
	is("what is for uploads only", notes, "this model has no vision;for uploads only")
	must(t, p.Eval(ctx, `(async () => { const c = new OffscreenCanvas(2000, 500), d = new DataTransfer(); c.getContext("2d").fillRect(0, 0, 1000, 500);
	  d.items.add(new File([await c.convertToBlob()], "card.png", {type: "image/png"})); d.items.add(new File(["name,city"], "people.csv"));
	  const i = document.querySelector("[data-testid=attach-input]"); i.files = d.files; i.dispatchEvent(new Event("change", {bubbles: true})) })()`, nil))
	is("a picture and a text", names+`.slice(3).join()`, "card.png,people.csv")
	is("of both the picture alone is for uploads only", notes, "this model has no vision;for uploads only;for uploads only")
	// Files are dropped and pasted, too; text that comes with a picture of itself is pasted as text.
	carry := func(event, kind, name string, texts ...string) (taken bool) {
		t.Helper()
		must(t, p.Eval(ctx, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File(["x"], %q)); for (const kind of %s) d.setData(kind, "words");
		  return !%s.dispatchEvent(new %s) })()`, name, quotedAll(t, texts), paneltest.ByTestID("composer"), event+`("`+kind+`", {`+map[string]string{"DragEvent": "dataTransfer", "ClipboardEvent": "clipboardData"}[event]+`: d, bubbles: true, cancelable: true})`), &taken))
		return taken
	}
	if carry("ClipboardEvent", "paste", "sheet.png", "text/plain", "text/html") {
		t.Error("text with a picture of itself is taken for a file")
	}
	if !carry("DragEvent", "drop", "dropped.txt") || !carry("ClipboardEvent", "paste", "pasted.txt", "text/html") {
		t.Error("a file is not taken")
	}
	is("what was dropped and pasted", names+`.slice(5).join()`, "dropped.txt,pasted.txt")
	must(t, p.Click(ctx, "chip-remove"))
	is("one of the two less", names+`.slice(5).join()`, "dropped.txt")
	must(t, p.Click(ctx, "chip-remove"))
	is("both less", kinds, "selection,screenshot,file,file,file")
	// What the context menu leaves is taken once, and only in its own window.
	must(t, p.Eval(ctx, `chrome.storage.session.set({ask: {windowId: -5, text: "of another window", url: ""}})`, nil))
	must(t, p.Eval(ctx, `chrome.windows.getCurrent().then(w => chrome.storage.session.set({ask: {windowId: w.id, text: "pointed at", url: "https://a.test/"}}))`, nil))
	is("what was asked about", kinds, "selection,screenshot,file,file,file,selection")
	must(t, p.Until(ctx, `document.activeElement === `+paneltest.ByTestID("composer")))

	must(t, p.Type(ctx, "composer", "what is this?"))
	must(t, p.Click(ctx, "send"))
	got := decode[wire.TaskStartParams](t, s.call(ctx, t, wire.MethodTaskStart)).Attach
	if len(got) != 6 {
		t.Fatalf("%d attachments: %+v", len(got), got)
	}
	if a := got[0]; a.Kind != "selection" || a.Text != "Ships in two days." || a.URL != site(t) && a.URL == "" {
		t.Errorf("selection %+v", a)
	}
	if a := got[2]; a.Kind != "file" || a.Name != "a.bin" || a.Data != "AAH+/w==" || a.Text != "" || a.Picture != "" {
		t.Errorf("file %+v", a)
	}
	if a := got[4]; a.Name != "people.csv" || a.Text != "name,city" || a.Picture != "" {
		t.Errorf("file of text %+v", a)
	}
	shown, err := base64.StdEncoding.DecodeString(got[3].Picture)
	must(t, err)
	card, err := jpeg.Decode(bytes.NewReader(shown))
	must(t, err)
	if size := card.Bounds().Size(); got[3].Text != "" || size != (image.Point{1568, 392}) {
		t.Errorf("a picture of %v, %q", size, got[3].Text)
	}
	if black, _, _, _ := card.At(100, 100).RGBA(); black > 0x1000 {
		t.Error("the picture is not the file's")
	}
	if white, _, _, _ := card.At(1400, 100).RGBA(); white < 0xf000 {
		t.Error("what is transparent is not white")
	}
	if a := got[5]; a.Text != "pointed at" || a.URL != "https://a.test/" {
		t.Errorf("asked %+v", a)
	}
	raw, err := base64.StdEncoding.DecodeString(got[1].Data)
	must(t, err)
	img, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil || got[1].MIME != "image/jpeg" || img.Bounds().Dx() < 200 || max(img.Bounds().Dx(), img.Bounds().Dy()) > 1568 {
		t.Errorf("picture %s, %v", got[1].MIME, err)
	}
	is("nothing is left", kinds, "")
}

// picture is a plain PNG.
func picture(t *testing.T, c color.Color) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 32, 20))
	for i := range 32 * 20 {
		img.Set(i%32, i/32, c)
	}
	var b bytes.Buffer
	must(t, png.Encode(&b, img))
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestPanelPlanStepsAndControl(t *testing.T) {
	s := newHouse()
	s.extra = func(m wire.Message) (any, bool) {
		return wire.Picture{MIME: "image/png", Data: picture(t, color.RGBA{200, 10, 20, 255})}, m.Method == wire.MethodStepThumb
	}
	task := s.run("buy it")
	ctx, p := s.show(t, 360)
	plan := func(states ...string) wire.Event {
		e := wire.Event{Type: wire.EvPlan}
		for i, state := range states {
			e.Plan = append(e.Plan, wire.PlanStep{Text: fmt.Sprintf("Part %d", i+1), State: state})
		}
		return e
	}
	s.emit(task, plan("doing", "todo", "todo"))
	states := all("plan-step") + `.map(e => e.dataset.state).join()`
	must(t, p.Until(ctx, states+` === "doing,todo,todo"`))

	// The plan fills in where it stands, whatever came after it.
	cost := 0.5
	s.emit(task, wire.Event{Type: wire.EvToolResult, Step: &wire.StepInfo{
		N: 1, Action: "click", Line: `Clicked "Pay"`, Target: `button "Pay"`, Site: "shop.test", URL: "https://shop.test/pay", Effect: "Went to Done.",
		Outcome: "ok", Millis: 2300, Thumb: true,
	}, Usage: &wire.UsageInfo{StepInputTokens: 1200, StepOutputTokens: 34, Cost: &cost}}, plan("done", "doing", "todo"))
	must(t, p.Until(ctx, states+` === "done,doing,todo" && `+paneltest.ByTestID("plan-count")+`.textContent === "1 of 3"`))
	must(t, p.Until(ctx, `document.querySelector(".doing").textContent === "Working…" || document.querySelector(".bar .doing").textContent === "2/3 · Part 2"`))

	// Behind a step: what, where, what came of it, what it took, and a picture.
	must(t, p.Eval(ctx, `document.querySelector("[data-testid=step] summary").click()`, nil))
	must(t, p.Until(ctx, paneltest.ByTestID("thumb")+`?.dataset.state === "there"`))
	var behind struct {
		Text  string
		Pixel []int
	}
	must(t, p.Eval(ctx, `({Text: document.querySelector(".behind").innerText, Pixel: [...document.querySelector("[data-testid=thumb] canvas").getContext("2d").getImageData(3, 3, 1, 1).data]})`, &behind))
	contains(t, behind.Text, "the “Pay” button", "https://shop.test/pay", "Went to Done.", "2 s", "1,200 in, 34 out", "0.5")
	if fmt.Sprint(behind.Pixel) != "[200 10 20 255]" {
		t.Errorf("the picture's pixel is %v", behind.Pixel)
	}
	if r := decode[wire.StepRef](t, s.call(ctx, t, wire.MethodStepThumb)); r.Task != task || r.Step != 1 {
		t.Errorf("asked for the picture of %+v", r)
	}

	// The user changes what is not done yet.
	must(t, p.Click(ctx, "plan-edit"))
	must(t, p.Until(ctx, all("plan-line")+`.length === 2`))
	must(t, p.Click(ctx, "plan-remove")) // the last
	must(t, p.Click(ctx, "plan-add"))
	must(t, p.Until(ctx, all("plan-line")+`.length === 2 && `+all("plan-line")+`[1].value === ""`))
	must(t, p.Type(ctx, "plan-line", "Ask for a bill"))
	must(t, p.Click(ctx, "plan-save"))
	edit := decode[wire.PlanEditParams](t, s.call(ctx, t, wire.MethodPlanEdit))
	want := []wire.PlanStep{{Text: "Part 1", State: "done"}, {Text: "Part 2", State: "doing"}, {Text: "Ask for a bill", State: "todo"}}
	if edit.Task != task || fmt.Sprint(edit.Plan) != fmt.Sprint(want) {
		t.Errorf("the plan became %+v", edit)
	}
	must(t, p.Until(ctx, `!`+paneltest.ByTestID("plan-editor")))

	// The user takes over, and lets it go on.
	must(t, p.Click(ctx, "take-over"))
	s.call(ctx, t, wire.MethodTakeOver)
	s.emit(task, wire.Event{Type: wire.EvPaused, Text: "Yours."})
	must(t, p.Click(ctx, "resume"))
	s.call(ctx, t, wire.MethodTaskResume)
	s.emit(task, wire.Event{Type: wire.EvResumed}, wire.Event{Type: wire.EvComplete, Text: "Done.", Usage: &wire.UsageInfo{Steps: 1, InputTokens: 1200, OutputTokens: 34, Cost: &cost, Way: "schema", Mode: "hybrid"}})
	must(t, p.Until(ctx, paneltest.ByTestID("usage")+`?.innerText.includes("1,234") && `+paneltest.ByTestID("usage")+`.innerText.includes("JSON by schema · with pictures") && `+paneltest.ByTestID("pages")+`.querySelector("a").href === "https://shop.test/pay"`))
	must(t, p.Until(ctx, `!`+paneltest.ByTestID("plan-edit")))
}
