package flow

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/pagecontext"
)

func TestRecordingFaultsNameTheirLines(t *testing.T) {
	_, err := ParseRecording([]byte(`tabwright: 1
name: x
params:
  Bad: {default: a}
steps:
  - do: clack
  - do: click
    with: {index: 4}
  - do: type
    target: {role: textbox, name: "{{who}}"}
    with: {text: a, colour: red}
`))
	if err == nil {
		t.Fatal("it was taken")
	}
	for _, want := range []string{
		`line 4: the parameter "Bad"`, `line 6: step 1: there is no action "clack"`, `line 7: step 2: index names an element`,
		`line 9: step 3: type has no parameter "colour"`, `line 9: step 3: {{who}} is not among the params`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error has no %q:\n%v", want, err)
		}
	}
	if _, err := ParseRecording([]byte("tabwright: 1\nname: x\nstpes: []\n")); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("an unknown field: %v", err)
	}
}

func mark(name string, target *Target, params string, secret bool) Mark {
	return Mark{Kind: MarkStep, Action: name, Params: json.RawMessage(params), Target: target, OK: true, Secret: secret, From: "https://a.test/", To: "https://a.test/"}
}

func TestRecordKeepsNoSecretAndFindsParameters(t *testing.T) {
	marks := []Mark{
		mark("type", &Target{Role: "searchbox", Name: "Search for"}, `{"index":3,"text":"Blue Mug"}`, false),
		mark("click", &Target{Role: "link", Name: "Blue mug, small $9.30"}, `{"index":9}`, false),
		mark("type", &Target{Role: "textbox", Name: "Password"}, `{"index":4,"text":"•••"}`, true),
		mark("type", &Target{Role: "textbox", Name: "Token"}, `{"index":5,"text":"{{secret:shop}}"}`, true),
		mark("getElements", nil, `{}`, false),
		mark("dragDrop", nil, `{"from":{"x":1,"y":2},"to":{"x":3,"y":4}}`, false),
	}
	r, left, err := Record("buy a blue mug on a.test", "https://a.test/", marks)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := r.YAML()
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if len(r.Steps) != 4 || len(left) != 1 {
		t.Errorf("%d steps, left out %v:\n%s", len(r.Steps), left, text)
	}
	for _, want := range []string{"default: Blue Mug", "name: '{{search_for}}, small $9.30'", "goal: buy a {{search_for}} on a.test", "secret: true", "'{{password}}'", "'{{secret:shop}}'"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	again, err := ParseRecording(raw)
	if err != nil {
		t.Fatalf("what was written can't be read: %v\n%s", err, text)
	}
	if _, err := again.Resolve(map[string]string{"password": "hunter2"}); err == nil {
		t.Error("a secret parameter took a plain value")
	}
	v, err := again.Resolve(map[string]string{"password": "{{secret:shop}}", "search_for": "Red Mug"})
	if err != nil || again.Steps[1].filled(v).Target.Name != "Red Mug, small $9.30" {
		t.Errorf("%v %v", v, err)
	}
	var bad *wire.Error
	if _, err = again.Resolve(map[string]string{"password": "{{secret:shop}}", "item": "Red Mug"}); !errors.As(err, &bad) || !strings.Contains(bad.Message, "item") || bad.Hint != "It has: password, search_for." {
		t.Errorf("a parameter that there is not: %+v", bad)
	}
}

// What the loop itself reads in a reply stands with it: calls, or what was wrong.
func TestTheTrailOfAModelThatPoints(t *testing.T) {
	dir := t.TempDir()
	trail := OpenTrail(dir)
	m := WatchModel(wordy{}, trail)
	for _, err := range []error{nil, errors.New("bad_reply: the JSON is cut off")} {
		if _, chatErr := m.Chat(t.Context(), llm.Request{}, nil); chatErr != nil {
			t.Fatal(chatErr)
		}
		var calls []llm.Call
		if err == nil {
			calls = []llm.Call{{Name: "click", Args: json.RawMessage(`{"x":1,"y":2}`)}}
		}
		m.(interface{ ReportRead([]llm.Call, error) }).ReportRead(calls, err)
	}
	if err := trail.Close(); err != nil {
		t.Fatal(err)
	}
	marks, err := ReadTrail(dir)
	if err != nil || len(marks) != 2 || len(marks[0].Calls) != 1 || marks[0].Failed != "" || marks[1].Calls != nil || marks[1].Failed != "bad_reply: the JSON is cut off" {
		t.Errorf("%+v, %v", marks, err)
	}
}

// wordy is a model that replies with words.
type wordy struct{ agent.Model }

func (wordy) Chat(context.Context, llm.Request, func(llm.Delta)) (*llm.Reply, error) {
	return &llm.Reply{Text: "<tool_call>"}, nil
}

func TestTheTrailHidesSecrets(t *testing.T) {
	dir := t.TempDir()
	trail := OpenTrail(dir)
	trail.looked(Mark{Saw: "the page", Said: "I type hunter2-secret", Calls: nil})
	trail.stepped(Mark{Action: "type", Params: json.RawMessage(`{"index":1,"text":"hunter2-secret"}`), Secret: true, OK: true})
	trail.looked(Mark{Saw: "card 4111 1111 1111 1111, hunter2-secret"})
	// What a call that was refused would have typed stands in the model's call.
	refused := json.RawMessage(`{"index":1,"text":"hunter3\""}`)
	trail.looked(Mark{Calls: []llm.Call{{Name: "type", Args: refused}}})
	witnessed(t.Context(), refusing{}, trail, action.Call{Name: "type", Params: refused})
	if err := trail.Close(); err != nil {
		t.Fatal(err)
	}
	marks, err := ReadTrail(dir)
	if err != nil || len(marks) != 5 {
		t.Fatalf("%v %v", marks, err)
	}
	raw, err := json.Marshal(marks)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "hunter") || strings.Contains(string(raw), "4111 1111 1111 1111") {
		t.Errorf("a secret is in the trail: %s", raw)
	}
}

// refusing is a session whose user says no to what goes into a field for
// secrets.
type refusing struct{ session }

func (refusing) Do(context.Context, action.Call) action.Result {
	return action.Result{Secret: true, Err: &action.Error{Code: action.Denied}}
}

func (refusing) Shown(json.RawMessage) (pagecontext.Entry, bool) { return pagecontext.Entry{}, false }

func (refusing) Address() string { return "https://a.test/" }

const founders = `{"type":"object","required":["founders"],"additionalProperties":false,"properties":{
 "founders":{"type":"array","minItems":1,"items":{"type":"object","required":["name","year"],"properties":{
  "name":{"type":"string"},"year":{"type":"integer"},"money":{"type":"number"},"alive":{"type":"boolean"}}}}}}`

func TestResultsAreValidatedAndHaveSources(t *testing.T) {
	s, err := NewStructured(json.RawMessage(founders), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s.read("https://a.test/team", "Team", "Founded in 1998 by Ada Lovelace\nwith $1,250.50")
	done := func(answer string) action.Result {
		res := action.Result{Done: &action.Done{Success: true, Answer: answer}}
		s.judge(&res)
		return res
	}
	res := done(`{"founders":[{"name":7}],"more":1}`)
	if res.Done != nil || res.Err == nil {
		t.Fatalf("a wrong result was taken: %+v", res)
	}
	for _, want := range []string{"year", "/founders/0/name", "more"} {
		if !strings.Contains(res.Text, want) {
			t.Errorf("the errors don't tell of %q: %s", want, res.Text)
		}
	}
	res = done("Here it is:\n```json\n" + `{"founders":[{"name":"Ada  lovelace","year":1998,"money":1250.5,"alive":false},{"name":"Bob","year":2011}]}` + "\n```")
	if res.Err != nil || !res.Done.Success {
		t.Fatalf("%+v", res)
	}
	r, ok, err := ReadResult(s.dir)
	if err != nil || !ok {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, v := range r.Sources {
		got[v.Path] = v.URL
		if v.Unchecked {
			got[v.Path] = "unchecked"
		}
	}
	want := map[string]string{
		"/founders/0/name": "https://a.test/team", "/founders/0/year": "https://a.test/team", "/founders/0/money": "https://a.test/team",
		"/founders/0/alive": "unchecked", "/founders/1/name": "", "/founders/1/year": "",
	}
	for path, url := range want {
		if got[path] != url {
			t.Errorf("%s stands on %q, want %q", path, got[path], url)
		}
	}
	for range tries + 1 {
		res = done("no JSON")
	}
	if res.Done == nil || res.Done.Success {
		t.Errorf("after %d tries: %+v", tries+1, res)
	}
	if _, err := NewStructured(json.RawMessage(`{"$ref":"https://evil.test/s.json"}`), ""); err == nil {
		t.Error("a schema from elsewhere was loaded")
	}
}

func TestCanonicalNumbers(t *testing.T) {
	for _, c := range [][2]string{{"1,234.50", "1234.5"}, {"1.234,5", "1234.5"}, {"1'000", "1000"}, {"12,50", "12.5"}, {"1,000", "1000"}, {"9.30", "9.3"}} {
		if got := canonical(c[0]); got != c[1] {
			t.Errorf("%s is %s, want %s", c[0], got, c[1])
		}
	}
}

func TestPatchesAreChecked(t *testing.T) {
	g := graph(t, five)
	for i := range g.Nodes {
		g.Nodes[i].State = wire.NodeWaiting
	}
	g.node("a").State = wire.NodeRunning
	for name, c := range map[string]struct {
		p    Patch
		want string
	}{
		"begun":   {Patch{Remove: []string{"a"}}, `node "a" has begun`},
		"needed":  {Patch{Remove: []string{"b"}}, `needs "b", which is not there`},
		"round":   {Patch{Change: []Node{{ID: "b", Task: "b", Needs: []string{"e"}}}}, "need each other"},
		"unknown": {Patch{Add: []Node{{ID: "f", Task: "f", Needs: []string{"zz"}}}}, `needs "zz"`},
		"twice":   {Patch{Add: []Node{{ID: "c", Task: "c"}}}, `"c" is there twice`},
	} {
		if _, err := g.Apply(c.p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	got, err := g.Apply(Patch{Remove: []string{"d"}, Change: []Node{{ID: "e", Task: "e", Needs: []string{"c"}}}, Add: []Node{{ID: "f", Task: "f"}}})
	if err != nil || len(got.Nodes) != 5 || got.Levels()["e"] != 2 || len(g.Nodes) != 5 || g.node("f") != nil {
		t.Errorf("%v %v", got, err)
	}
	const said = "compare www.shop.test, http://intra:8080/x and https://[::1]/, at 10:30 看b.test的价格"
	for task, ok := range map[string]bool{
		"look at evil.test": false, "look at shop.test.": true, "look at https://www.shop.test/a?b": true, "look at op.test": false,
		"open http://router/": false, "open http://intra:8080/": true, "open intra:8080": true, "open router:8080": false,
		"open http://2130706433/": false, "open https://[fd00::1]/": false, "open https://[::1]/": true, "at 11:45": true,
		"打开b.test": true, "open http://b.test@evil.example/": false,
	} {
		if err := named([]Node{{ID: "x", Task: task}}, said); (err == nil) != ok {
			t.Errorf("%q: %v", task, err)
		}
	}
}
