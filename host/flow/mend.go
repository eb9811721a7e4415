package flow

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// pageBudget is how many tokens of the page a model gets to mend a step.
const pageBudget = 3000

// Amend is a model's change of a step. Index is an element's number on the page that
// the model got.
type Amend struct {
	Index  int             `json:"index,omitempty"`
	Action string          `json:"action,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Skip   bool            `json:"skip,omitempty"`
	None   bool            `json:"none,omitempty"`
	Why    string          `json:"why,omitempty"`
}

// Question is a step that does not fit, with the current page.
type Question struct {
	Goal, Step, Next, Why, Page string
	Number, Total               int
}

// Mender changes steps that no longer fit.
type Mender interface {
	Amend(ctx context.Context, q Question) (Amend, error)
}

// ModelMender is a model as a Mender: one short request for each step.
type ModelMender struct {
	Model agent.Model
	Lang  string
}

var mendTool = llm.Tool{Name: "mend_step", Description: "Say what the step becomes.", Schema: json.RawMessage(`{
 "type":"object","additionalProperties":false,"properties":{
  "index":{"type":"integer","description":"number of the element the step is to act on"},
  "action":{"type":"string","description":"another action, where the step's own does not do"},
  "params":{"type":"object","description":"parameters of that action, without the element"},
  "skip":{"type":"boolean","description":"the step's effect is there already"},
  "none":{"type":"boolean","description":"nothing on the page fits"},
  "why":{"type":"string","description":"in a few words"}}}`)}

// Amend asks the model.
func (m ModelMender) Amend(ctx context.Context, q Question) (Amend, error) {
	var a Amend
	system, err := prompts.Workflow(prompts.Mend, m.Lang)
	if err != nil {
		return a, err
	}
	text, err := prompts.MendQuestion(prompts.MendData{
		Lang: m.Lang, Goal: q.Goal, Step: q.Step, Next: q.Next, Why: q.Why, Number: q.Number, Total: q.Total,
		Page: prompts.Fence("page", nonce(), q.Page),
	})
	if err != nil {
		return a, err
	}
	err = ask(ctx, m.Model, system, text, mendTool, &a)
	return a, err
}

// ask has a model call one tool, and decodes the call's arguments into into.
func ask(ctx context.Context, m agent.Model, system, text string, tool llm.Tool, into any) error {
	reply, err := m.Chat(ctx, llm.Request{
		System: system, Messages: []llm.Message{llm.Text(llm.RoleUser, text)}, Tools: []llm.Tool{tool}, MaxOutput: 2048,
	}, nil)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(reply.Calls, func(c llm.Call) bool { return c.Name == tool.Name })
	if i < 0 {
		return &wire.Error{Code: agent.CodeNoReply, Message: "The model gave no " + tool.Name + ".", Hint: "Another model may do better."}
	}
	return json.Unmarshal(reply.Calls[i].Args, into)
}

// mend has the Mender change a step, and does it.
func (r *Replay) mend(ctx context.Context, at int, values map[string]string, u *unfit) (Change, string, error) {
	steps := r.Recording.Steps
	stop := func(why string) (Change, string, error) {
		return Change{}, "", &wire.Error{
			Code: CodeNoFit, Message: "The step no longer fits the page: " + why + ".",
			Hint: "Mend the step in the file, record the task again, or run the replay with a model (--model), which mends it.",
		}
	}
	if r.Mend == nil {
		return stop(u.why)
	}
	seen := r.Hands.Observe(ctx, action.ObserveOptions{Full: true, Budget: pageBudget})
	if seen.Error != nil {
		return Change{}, "", seen.Error
	}
	q := Question{
		Goal: fill(r.Recording.Goal, values), Step: stepText(steps[at].filled(values)), Why: u.why, Page: seen.Text,
		Number: at + 1, Total: len(steps), Next: "none",
	}
	if at+1 < len(steps) {
		q.Next = steps[at+1].filled(values).say()
	}
	a, err := r.Mend.Amend(ctx, q)
	if err != nil {
		return Change{}, "", fmt.Errorf("mend the step: %w", err)
	}
	switch {
	case a.None, !a.Skip && u.acted && !u.idle:
		return stop(u.why + "; the model found nothing in its place")
	case a.Skip && u.acted: // it had its effect, but its address is a new one
		s := steps[at]
		expected := s.Expect
		s.Expect = nil
		if p := pattern(seen.URL); p != "" && expected != nil && expected.URL != "" {
			s.Expect = &Expect{URL: p}
		}
		return Change{At: at, Step: &s, Why: u.why}, "accepted: " + s.say(), nil
	case a.Skip:
		return Change{At: at, Why: u.why}, "left out: " + steps[at].say(), nil
	}
	s, why := amended(steps[at], a, seen)
	if why != "" {
		return stop(why)
	}
	if s.Target != nil {
		for name, v := range values {
			if len([]rune(v)) > 1 && !isPlaceholder(v) {
				s.Target.Name, s.Target.Context = replaceWords(s.Target.Name, v, name), replaceWords(s.Target.Context, v, name)
			}
		}
	}
	line, err := r.act(ctx, s.filled(values), a.Index)
	if isUnfit(err) {
		return stop(err.Error())
	}
	return Change{At: at, Step: &s, Why: u.why}, line, err
}

// amended returns the step changed by the model's answer, or the reason why the
// answer can't be used.
func amended(s Step, a Amend, seen wire.SessionResult) (Step, string) {
	old := s.Do
	if a.Action != "" {
		s.Do = a.Action
	}
	if !recorded(s.Do) || s.Do == "executeJS" && old != s.Do {
		return s, fmt.Sprintf("the model gave the action %q, which no step can be", s.Do)
	}
	if len(a.Params) > 0 && string(a.Params) != "null" && string(a.Params) != "{}" {
		s.With = nil
		if json.Unmarshal(a.Params, &s.With) != nil {
			return s, "the model's parameters can't be read"
		}
		for _, k := range []string{"index", "ref", "selector", "x", "y"} {
			delete(s.With, k)
		}
	} else if s.Do != old {
		s.With = nil
	}
	if a.Index == 0 {
		s.Target = nil
		return s, ""
	}
	var page struct {
		Elements struct {
			Elements []candidate `json:"elements"`
		} `json:"elements"`
	}
	if json.Unmarshal(seen.Data, &page) != nil {
		return s, "the list of elements can't be read"
	}
	list := page.Elements.Elements
	i := slices.IndexFunc(list, func(c candidate) bool { return c.Index == a.Index })
	if i < 0 || list[i].Name == "" {
		return s, fmt.Sprintf("the model named [%d], which is not on the page or has no name", a.Index)
	}
	role := list[i].Role
	if role == "" {
		role = list[i].Tag
	}
	s.Target = &Target{Role: role, Name: list[i].Name, Context: list[i].Group}
	return s, ""
}

func stepText(s Step) string {
	raw, err := yaml.Marshal(s)
	if err != nil {
		return s.say()
	}
	return strings.TrimSpace(string(raw))
}

// Rewrite puts mended steps into a file. The rest of the file stays unchanged,
// comments included.
func Rewrite(raw []byte, changes []Change) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(raw, &root); err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, invalid("", "The file is empty.")
	}
	steps := child(root.Content[0], "steps")
	if steps == nil {
		return nil, invalid("", "The file has no steps.")
	}
	drop := map[int]bool{}
	for _, c := range changes {
		if c.At >= len(steps.Content) {
			return nil, invalid("", "The file has no step %d.", c.At+1)
		}
		if c.Step == nil {
			drop[c.At] = true
			continue
		}
		var n yaml.Node
		if err := n.Encode(c.Step); err != nil {
			return nil, err
		}
		old := steps.Content[c.At]
		n.HeadComment, n.LineComment, n.FootComment = old.HeadComment, old.LineComment, old.FootComment
		steps.Content[c.At] = &n
	}
	var kept []*yaml.Node
	for i, n := range steps.Content {
		if !drop[i] {
			kept = append(kept, n)
		}
	}
	steps.Content = kept
	return encode(&root)
}
