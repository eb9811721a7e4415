package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // pictures of steps
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
	"tabwright/host/native/wire"
)

// thinker does one step, thinks until it is let go on, and does the rest.
type thinker struct {
	standin.Brain
	thinks, goOn chan struct{}
	turn         int
}

func (b *thinker) Next(c standin.Conversation) standin.Turn {
	if b.turn++; b.turn == 2 {
		close(b.thinks)
		select {
		case <-b.goOn:
		case <-time.After(limit):
		}
	}
	return b.Brain.Next(c)
}

// A task has a picture of what it changed, leaves its tab to the user and
// looks again; the next task of the conversation knows of it.
func TestTakeOverPicturesAndFollowUp(t *testing.T) {
	b := &thinker{thinks: make(chan struct{}), goOn: make(chan struct{}), Brain: standin.NewScript(
		standin.Click("button", "Add"),
		standin.Click("button", "Never"), // cut short
		standin.Do("done", map[string]any{"success": true, "answer": "The answer is forty-two."}),
		standin.Tell("As said."),
	)}
	w := newWorld(t, standin.OllamaTools, b)
	page := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprint(rw, `<!doctype html><title>List</title><h1>List</h1><button onclick="document.querySelector('output').textContent='Added'">Add</button><output></output>
			<p style="background:#c00;height:300px"></p><input type="password" value="swordfish" style="width:300px;height:100px;font-size:60px">`)
	}))
	t.Cleanup(page.Close)
	url := strings.Replace(page.URL, "127.0.0.1", "list.test", 1)
	p := w.panel()
	c, err := joinBroker(w.ctx, w.rig)
	w.must(err)
	t.Cleanup(func() { _ = c.Close() })
	var info wire.TaskInfo
	w.must(p.Call(w.ctx, wire.MethodTaskStart, wire.TaskStartParams{Text: "Add it at " + url, URL: url, Lang: "en"}, &info))
	events := make(chan wire.Event, 100)
	ended := make(chan error, 1)
	go func() {
		_, err := c.Follow(w.ctx, info.Task, func(ev wire.Event) { events <- ev }, nil)
		ended <- err
	}()
	until := func(ty wire.EventType) wire.Event {
		t.Helper()
		for {
			select {
			case ev := <-events:
				if ev.Type == ty {
					return ev
				}
			case <-w.ctx.Done():
				t.Fatalf("no event %s came", ty)
			}
		}
	}
	step := until(wire.EvToolResult).Step
	if !step.Thumb {
		t.Errorf("no picture of %+v", step)
	}
	<-b.thinks
	w.picture(p, wire.StepRef{Task: info.Task, Step: step.N})

	w.must(p.Call(w.ctx, wire.MethodTakeOver, wire.TaskParams{Task: info.Task}, nil))
	if ev := until(wire.EvPaused); ev.Level != "takeover" {
		t.Errorf("%+v", ev)
	}
	var attached int
	w.must(p.Eval(w.ctx, `chrome.debugger.getTargets().then(all => all.filter(t => t.attached && t.tabId === `+strconv.Itoa(info.TabID)+`).length)`, &attached))
	if attached != 0 {
		t.Error("the tab is still attached while the user acts")
	}
	close(b.goOn)
	w.must(p.Call(w.ctx, wire.MethodTaskResume, wire.TaskParams{Task: info.Task}, nil))
	until(wire.EvResumed)
	if end := until(wire.EvComplete); !strings.Contains(end.Text, "forty-two") {
		t.Errorf("%+v", end)
	}
	w.must(<-ended)
	told := false
	for _, r := range w.model.Requests() {
		told = told || strings.Contains(r.Conversation.Newest(), "the user took over")
	}
	if !told {
		t.Error("the model was not told that the user acted")
	}

	var next wire.TaskInfo
	w.must(p.Call(w.ctx, wire.MethodTaskStart, wire.TaskStartParams{
		Text: "say it again", URL: url, Lang: "en", Conversation: info.Conversation,
		Attach: []wire.Attachment{{Kind: "selection", URL: url, Text: "List, selected"}},
	}, &next))
	_, err = c.Follow(w.ctx, next.Task, func(wire.Event) {}, nil)
	w.must(err)
	all := w.model.Requests()
	first := all[len(all)-1].Conversation.Messages[0].Text
	for _, want := range []string{"say it again", "Add it at", "forty-two", "List, selected"} {
		if !strings.Contains(first, want) {
			t.Errorf("the next task's model is not told %q:\n%s", want, first)
		}
	}
	var md wire.Exported
	w.must(p.Call(w.ctx, wire.MethodConvExport, wire.ConvExportParams{Conversation: info.Conversation, Format: "json"}, &md))
	if strings.Contains(md.Text, "swordfish") || !json.Valid([]byte(md.Text)) {
		t.Errorf("export:\n%s", md.Text)
	}
}

// picture checks that the picture of a step is a small JPEG, and keeps it to be
// looked at.
func (w *world) picture(p *rig.Panel, ref wire.StepRef) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 10*time.Second)
	defer cancel()
	var pic wire.Picture
	w.must(p.Call(ctx, wire.MethodStepThumb, ref, &pic))
	raw, err := base64.StdEncoding.DecodeString(pic.Data)
	w.must(err)
	img, kind, err := image.Decode(bytes.NewReader(raw))
	w.must(err)
	w.must(os.WriteFile(filepath.Join(out(w.t), w.t.Name()+"-step.jpg"), raw, 0o600))
	if kind != "jpeg" || len(raw) > 15<<10 || img.Bounds().Dx() > 320 {
		w.t.Errorf("a %s of %d bytes, %s", kind, len(raw), img.Bounds())
	}
}
