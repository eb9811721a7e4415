package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/browser"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/llm/pointer"
)

// pointOn runs a task with a model of a family that gives the replies.
func pointOn(t *testing.T, family string, h *fakeHands, replies ...string) (*fakeModel, *fakeRecord) {
	t.Helper()
	m := &fakeModel{caps: llm.Capabilities{Vision: true, Family: family, Context: 32768, Size: llm.SizeSmall}}
	for _, text := range replies {
		m.script = append(m.script, words(text))
	}
	if h.observe == nil {
		h.observe = func() (action.Observation, error) {
			return action.Observation{
				Text: `button "Pay" [1]`, URL: "https://shop.test/", Title: "Shop", PageRev: 1, Image: []byte("picture"), MIME: "image/jpeg",
				Shown: action.Shown{Width: 1428, Height: 896, ViewWidth: 1440, ViewHeight: 900},
			}, nil
		}
	}
	return m, try(t, m, h, nil)
}

func pointedAt(t *testing.T, m *fakeModel, request int) string {
	t.Helper()
	if request >= len(m.reqs) {
		t.Fatalf("only %d requests", len(m.reqs))
	}
	var b strings.Builder
	for _, msg := range m.reqs[request].Messages {
		b.WriteString(string(msg.Role) + ": " + msg.PlainText() + "\n")
	}
	return b.String()
}

// today stands in the rules of a family.
var today = regexp.MustCompile(`Today is [0-9-]+`)

var fara15End = faraCall(`{"action": "terminate", "answer": "Bought."}`)

// The whole of a request of each family: the rules, and the messages of the second
// step.
func TestGoldenPointerRequests(t *testing.T) {
	for _, name := range pointer.Names() {
		t.Run(name, func(t *testing.T) {
			f, _ := pointer.Lookup(name)
			m, _ := pointOn(t, name, &fakeHands{}, f.Example, f.Example)
			got := renderRequest(m.reqs[1])
			if len(m.reqs[1].Tools) > 0 || strings.Contains(got, `[1] button`) {
				t.Error("a model that points was given functions, or the list")
			}
			golden(t, "request_pointer_"+name+".txt", today.ReplaceAllString(got, "Today is ····-··-··"))
		})
	}
}

// What is wrong with a reply goes back with the family's own form of an action, and
// nothing is done; a reply of words gets the form as well.
func TestPointingRepliesThatCantBeUsed(t *testing.T) {
	h := &fakeHands{}
	m, rec := pointOn(t, "fara-1.5", h,
		faraCall(`{"action": "left_click", "coordinate": [1300, 20]}`), "I had better press Pay.", faraCall(`{"action": "left_click", "coordinate": [500, 500]}`), fara15End)
	for i, want := range map[int]string{1: "x goes from 0 to 1000", 2: "Your reply held no action"} {
		if got := pointedAt(t, m, i); !strings.Contains(got, want) || !strings.Contains(got, `"coordinate": [500, 430]`) {
			t.Errorf("request %d does not say %q with an example:\n%s", i, want, got)
		}
	}
	if got := strings.Join(h.names(), " "); got != "click done" {
		t.Errorf("done: %s", got)
	}
	if p := string(h.calls[0].Params); p != `{"x":720,"y":450}` {
		t.Errorf("clicked at %s", p)
	}
	if end := rec.last(); end.Type != wire.EvComplete {
		t.Errorf("ended with %s", end.Type)
	}
}

// What it notes is kept with the task, of two actions only the first is done, and a
// model that does nothing but note comes to an end.
func TestPointingNotesAndOneAction(t *testing.T) {
	h := &fakeHands{}
	fact := func(n int) string {
		return faraCall(fmt.Sprintf(`{"action": "pause_and_memorize_fact", "fact": "mug %d costs 8"}`, n))
	}
	m, _ := pointOn(t, "fara-1.5", h, fact(1), faraCall(`{"action": "history_back"}`)+"\n"+faraCall(`{"action": "wait", "time": 1}`), fara15End)
	if got := strings.Join(h.names(), " "); got != "goBack done" {
		t.Errorf("done: %s", got)
	}
	if got := pointedAt(t, m, 2); !strings.Contains(got, "- mug 1 costs 8") || !strings.Contains(got, "only the first of your actions was done, history_back") {
		t.Errorf("told:\n%s", got)
	}
	var facts []string
	for i := range 20 {
		facts = append(facts, fact(i))
	}
	if _, rec := pointOn(t, "fara-1.5", &fakeHands{}, facts...); rec.last().Error == nil || rec.last().Error.Code != CodeNoReply {
		t.Errorf("a model that only notes ended with %+v", rec.last())
	}
}

// What was read in a reply, or what was wrong with it, is told to a model that keeps a
// record: the reply itself has no calls.
func TestPointingReportsWhatWasRead(t *testing.T) {
	m := &recordingModel{fakeModel: fakeModel{
		caps: llm.Capabilities{Vision: true, Family: "fara-1.5", Context: 32768, Size: llm.SizeSmall},
		script: script{
			words(faraCall(`{"action": "left_click"`)), words("I had better press Pay."),
			words(faraCall(`{"action": "pause_and_memorize_fact", "fact": "it costs 8"}`)), words(faraCall(`{"action": "history_back"}`)), words(fara15End),
		},
	}}
	try(t, &m.fakeModel, &fakeHands{}, func(o *Options) { o.Model = m })
	if got, want := strings.Join(m.read, " "), "bad_reply words noop goBack done"; got != want {
		t.Errorf("read %q, want %q", got, want)
	}
}

// recordingModel keeps what was read in its replies.
type recordingModel struct {
	fakeModel
	read []string
}

func (m *recordingModel) ReportRead(calls []llm.Call, err error) {
	switch {
	case err != nil:
		m.read = append(m.read, llm.CodeOf(err))
	case len(calls) == 0:
		m.read = append(m.read, "words")
	default:
		m.read = append(m.read, calls[0].Name)
	}
}

// Of the screenshots only those are kept that the next request carries beside its own.
func TestPointingKeepsTheLastScreenshots(t *testing.T) {
	h := history{shots: 3, layout: func(*history, llm.Message) []llm.Message { return nil }}
	for range 6 {
		h.shot = llm.Part{Image: []byte("picture")}
		h.add(turn{})
	}
	kept := ""
	for _, turn := range h.turns {
		kept += fmt.Sprint(len(turn.shot.Image), " ")
	}
	if want := "0 0 0 0 7 7 "; kept != want {
		t.Errorf("kept %q, want %q", kept, want)
	}
}

// A model that has the list and a picture beside it may name a point on the picture,
// which is smaller than the viewport.
func TestThePictureScaleGoesWithTheTools(t *testing.T) {
	m := &fakeModel{caps: llm.Capabilities{Vision: true, Tools: true, Context: 32768}, script: script{done("Bought.")}}
	try(t, m, &fakeHands{observe: func() (action.Observation, error) {
		return action.Observation{
			Text: `button "Pay" [1]`, URL: "https://shop.test/", PageRev: 1, Image: []byte("picture"), MIME: "image/jpeg",
			Shown: action.Shown{Width: 1280, Height: 720, ViewWidth: 1600, ViewHeight: 900},
		}, nil
	}}, nil)
	if tools := m.reqs[0].Tools; len(tools) == 0 || tools[0].Pixel != 1.25 {
		t.Errorf("%d tools: %+v", len(tools), tools)
	}
}

// A dialog is on no screenshot: Enter and Escape answer it, and so does a text.
func TestPointingAnswersDialogs(t *testing.T) {
	for call, want := range map[string]string{
		`{"action": "key", "keys": ["Enter"]}`:  `{"accept":true}`,
		`{"action": "key", "keys": ["Escape"]}`: `{"accept":false}`,
		`{"action": "type", "text": "Ann"}`:     `{"accept":true,"text":"Ann"}`,
	} {
		h := &fakeHands{observe: func() (action.Observation, error) {
			return action.Observation{Text: "A prompt dialog is open.", URL: "https://shop.test/", Dialog: &browser.Dialog{Kind: "prompt"}}, nil
		}}
		m, _ := pointOn(t, "fara-1.5", h, faraCall(call), fara15End)
		if len(h.calls) == 0 || h.calls[0].Name != "handleDialog" || string(h.calls[0].Params) != want {
			t.Errorf("%s became %+v", call, h.calls)
		}
		if got := pointedAt(t, m, 0); !strings.Contains(got, "A prompt dialog is open.") || !strings.Contains(got, "press Enter for OK") {
			t.Errorf("told:\n%s", got)
		}
	}
}

// What was written into a field for secrets is in no later request.
func TestPointingForgetsSecrets(t *testing.T) {
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		return action.Result{Action: c.Name, Text: "OK", Line: "Typed", Effect: "x", PageRev: 1, Secret: c.Name == "type"}
	}}
	m, _ := pointOn(t, "ui-tars", h, `Thought: The password.`+"\n"+`Action: type(content='hunter\'2')`, "Thought: t\nAction: finished(content='Bought.')")
	if p := string(h.calls[0].Params); p != `{"text":"hunter'2"}` {
		t.Fatalf("typed %s", p)
	}
	raw, err := json.Marshal(m.reqs[1].Messages)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "hunter") || !strings.Contains(string(raw), "•••") {
		t.Errorf("the secret stands in the next request: %s", raw)
	}
}

// A server that takes no pictures after all leaves a model that points nothing to act by.
func TestPointingWithoutPictures(t *testing.T) {
	m := &fakeModel{caps: llm.Capabilities{Vision: true, Family: "fara", Context: 32768}}
	m.script = script{func(llm.Request) (*llm.Reply, error) {
		m.caps.Vision = false
		return &llm.Reply{Text: "I see nothing."}, nil
	}}
	rec := try(t, m, &fakeHands{}, nil)
	if e := rec.last().Error; e == nil || e.Code != llm.CodeUnfit || !strings.Contains(e.Hint, "mmproj") {
		t.Errorf("ended with %+v", e)
	}
}
