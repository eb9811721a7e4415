package agent

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg" // what a screenshot is
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"tabwright/e2e/standin"
	"tabwright/extension/bundle"
	"tabwright/host/action"
	"tabwright/host/browser/direct"
	"tabwright/host/browser/launch"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/safety"
)

// pointedPage has one control of each colour, far from the top left.
const pointedPage = `<!doctype html><title>Mugs</title><style>body{margin:0;height:3000px} button,input,select{position:absolute;border:0;width:140px;height:44px;color:transparent;appearance:none}</style>
<button style="left:620px;top:310px;background:#0c0" onclick="cart.textContent = '1 blue mug in the cart'">Add to cart</button>
<input style="left:80px;top:420px;background:#00f;color:#00f" aria-label="Name">
<select style="left:380px;top:120px;background:#f0f;color:#f0f" aria-label="Size"><option>Small<option>Large</select>
<button style="left:300px;top:480px;background:#e00" onclick="order.textContent = 'Order BM-20418 for ' + document.querySelector('input').value + ', ' + document.querySelector('select').value">Pay $8.00</button>
<p id=cart>The cart is empty</p><p id=order></p>`

var (
	green   = func(r, g, b uint32) bool { return g > 0x9000 && r < 0x5000 && b < 0x5000 }
	red     = func(r, g, b uint32) bool { return r > 0xb000 && g < 0x5000 && b < 0x5000 }
	blue    = func(r, g, b uint32) bool { return b > 0xc000 && r < 0x5000 && g < 0x5000 }
	magenta = func(r, g, b uint32) bool { return r > 0xc000 && b > 0xc000 && g < 0x5000 }
)

var jpegText = regexp.MustCompile(`/9j/[A-Za-z0-9+/=]+`)

// eyes are a stand-in's: it finds a colour in the newest picture that it was sent,
// and nothing but that tells it where to click.
type eyes struct {
	t     *testing.T
	model *standin.Server
	scale float64 // of its coordinates; 0: pixels
}

func (e *eyes) at(is func(r, g, b uint32) bool) (x, y int) {
	e.t.Helper()
	rs := e.model.Requests()
	all := jpegText.FindAllString(string(rs[len(rs)-1].Body), -1)
	if len(all) == 0 {
		e.t.Error("the model was sent no picture")
		return 0, 0
	}
	raw, err := base64.StdEncoding.DecodeString(all[len(all)-1])
	if err != nil {
		e.t.Error(err)
		return 0, 0
	}
	img, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		e.t.Error(err)
		return 0, 0
	}
	n, b := 0, img.Bounds()
	for j := range b.Dy() {
		for i := range b.Dx() {
			if r, g, bl, _ := img.At(i, j).RGBA(); is(r, g, bl) {
				n, x, y = n+1, x+i, y+j
			}
		}
	}
	if n == 0 {
		e.t.Error("the colour is not in the picture")
		return 0, 0
	}
	x, y = x/n, y/n
	if e.scale > 0 {
		x, y = int(float64(x)/float64(b.Dx())*e.scale), int(float64(y)/float64(b.Dy())*e.scale)
	}
	return x, y
}

// pointedWire is a family over a wire of a model's server, on a screen.
type pointedWire struct {
	name, model string
	format      standin.Format
	density     string // device pixels for a CSS pixel
	scale       float64
	click       func(x, y int) string
	typeText    func(text string) string
	end         func(answer string) string
}

var pointedWires = []pointedWire{
	{
		name: "fara_ollama", model: "fara-1.5:9b", format: standin.OllamaTools, density: "1", scale: 1000,
		click: func(x, y int) string {
			return faraCall(fmt.Sprintf(`{"action": "left_click", "coordinate": [%d, %d]}`, x, y))
		},
		typeText: func(text string) string { return faraCall(fmt.Sprintf(`{"action": "type", "text": %q}`, text)) },
		end: func(answer string) string {
			return faraCall(fmt.Sprintf(`{"action": "terminate", "answer": %q}`, answer))
		},
	},
	{ // a screen with two pixels for each CSS pixel, and coordinates in pixels of the picture
		name: "tars_openai", model: "ByteDance-Seed/UI-TARS-1.5-7B", format: standin.OpenAI, density: "2",
		click: func(x, y int) string {
			return fmt.Sprintf("Thought: I press it.\nAction: click(start_box='(%d,%d)')", x, y)
		},
		typeText: func(text string) string { return fmt.Sprintf("Thought: I write.\nAction: type(content='%s')", text) },
		end: func(answer string) string {
			return fmt.Sprintf("Thought: It is done.\nAction: finished(content='%s')", answer)
		},
	},
}

func faraCall(args string) string {
	return "I see it.\n<tool_call>\n{\"name\": \"computer_use\", \"arguments\": " + args + "}\n</tool_call>"
}

// A whole task by screenshots and coordinates, over the wire of a model's server, in
// a real Chromium: a click adds to the cart and its effect is told, text goes into
// the field that was clicked, a list chooses by what is typed next, a click on Pay is
// asked about, and a false answer is sent back.
func TestPointingDoesATask(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(pointedPage)) // the browser went away
	}))
	t.Cleanup(site.Close)
	script, err := bundle.Extractor(bundle.Root())
	if err != nil {
		t.Fatal(err)
	}
	for _, pw := range pointedWires {
		t.Run(pw.name, func(t *testing.T) { pw.run(t, site.URL, script) })
	}
}

func (pw pointedWire) run(t *testing.T, page, script string) {
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	b, err := launch.Start(ctx, launch.Options{Headless: true, Args: []string{"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--force-device-scale-factor=" + pw.density}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	d, err := direct.Connect(ctx, b.URL(), direct.Options{Extractor: script, Downloads: os.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	tab, err := d.Open(ctx, page, true, "")
	if err != nil {
		t.Fatal(err)
	}

	attached, err := d.Attach(ctx, tab.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := attached.Evaluate(ctx, "devicePixelRatio"); err != nil || string(got) != pw.density {
		t.Fatalf("%s pixels for a CSS pixel (%v), want %s", got, err, pw.density)
	}

	e := &eyes{t: t, scale: pw.scale}
	var answers []string // what the model was told before each of its replies
	click := func(is func(r, g, b uint32) bool) func() string {
		return func() string { return pw.click(e.at(is)) }
	}
	say := func(text string) func() string { return func() string { return text } }
	steps := []func() string{
		click(green), click(blue), say(pw.typeText("Ann")), click(magenta), say(pw.typeText("Large")), click(red),
		say(pw.end("Done: order BM-99999.")), say(pw.end("Done: order BM-20418.")),
	}
	e.model = standin.New(standin.Options{Format: pw.format, Model: pw.model, Vision: true, Brain: standin.BrainFunc(func(c standin.Conversation) standin.Turn {
		answers = append(answers, c.Newest())
		if len(c.Tools) > 0 {
			t.Errorf("a model that points was given functions: %v", c.Tools)
		}
		if len(answers) > len(steps) {
			return standin.Turn{Text: "I have no more to say."}
		}
		return standin.Turn{Text: steps[len(answers)-1]()}
	})})
	defer e.model.Close()
	model, err := llm.New(ctx, llm.Config{Provider: e.model.Provider(), Model: pw.model, BaseURL: e.model.URL(), APIKey: "k", Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}

	rec := newRecord()
	desk := NewUserChannel(rec)
	var targets []string
	desk.Ask = func(_ context.Context, c wire.ConfirmInfo) action.Answer {
		targets = append(targets, c.Target)
		return action.Answer{Allow: true, By: "terminal"}
	}
	hands, err := action.NewSession(action.Options{
		Driver: d, Tab: tab.ID, Opened: true, Confirmer: desk, Watcher: desk, Log: zerolog.Nop(), Lang: "en", TextOnly: true,
		Policy: safety.Context{Sites: []string{"127.0.0.1"}, LocalHosts: []string{"127.0.0.1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hands.Close(context.WithoutCancel(ctx)) }()
	if err := Run(ctx, Options{
		Text: "Put the mug into the cart, size Large, and pay it for Ann. Which order is it?", Lang: "en", Model: model, Executor: hands, User: desk, Record: rec, Validator: ValidatorAuto,
	}); err != nil {
		t.Fatal(err)
	}
	if end := rec.last(); end.Type != wire.EvComplete || end.Text != "Done: order BM-20418." {
		t.Errorf("the task ended with %s: %s", end.Type, end.Text)
	}
	if len(targets) != 1 || !strings.Contains(targets[0], "Pay") {
		t.Errorf("asked about %q, want the button Pay alone", targets)
	}
	for i, want := range map[int]string{1: "1 blue mug in the cart", 2: "Name", 3: "Ann", 4: "Small, Large", 5: "Large", 6: "BM-20418", 7: "BM-99999"} {
		if i >= len(answers) || !strings.Contains(answers[i], want) {
			t.Errorf("before reply %d the model was not told %q: %q", i+1, want, answers)
			break
		}
	}
	if end := rec.last(); end.Usage.Mode != llm.ModePointer {
		t.Errorf("its mode is %q", end.Usage.Mode)
	}
}
