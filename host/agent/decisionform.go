package agent

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tabwright/host/action"
	"tabwright/llm"
)

// pageForm returns the form of one small decision on a page, without a system text.
func pageForm(obs action.Observation, o action.FormOptions) *llm.Form {
	return &llm.Form{
		Schema: action.PageForm(obs, o), Keys: []string{action.DoneKey, "action"}, Tools: formTools(),
		Read: func(reply json.RawMessage) (llm.Call, error) { return readForm(obs, o, reply) },
	}
}

// readForm turns a reply in the form into a call of the one function.
func readForm(obs action.Observation, o action.FormOptions, reply json.RawMessage) (llm.Call, error) {
	call, err := action.ReadPageForm(obs, o, reply)
	if err != nil {
		return llm.Call{}, err
	}
	return llm.Call{Name: call.Name, Args: call.Params}, nil
}

// formTools are the tools against which the calls of a form are checked.
var formTools = sync.OnceValue(func() []llm.Tool { return toTools(action.Tools(true)) })

// decides reports whether the model is asked for one small decision at a time: if it
// is small and a schema constrains its replies.
func (r *run) decides() bool {
	small := r.caps.Size == llm.SizeTiny || r.caps.Size == llm.SizeSmall
	return small && r.point == nil && cmp.Or(r.way, r.caps.Way) == llm.WaySchema
}

// greedy reports whether the likeliest reply is taken: a tiny model's other replies are
// too often wrong.
func (r *run) greedy() bool { return r.caps.Size == llm.SizeTiny }

// decisionText is whether a small decision is shown the beginning of the page's text
// besides its elements.
const decisionText = true

// formOf returns a form in which the reply is just the arguments of the tool.
func (r *run) formOf(tool llm.Tool, system string) *llm.Form {
	return &llm.Form{
		System: system, Schema: tool.Schema, Keys: []string{tool.Name}, Tools: []llm.Tool{tool}, Greedy: r.greedy(),
		Read: func(reply json.RawMessage) (llm.Call, error) { return llm.Call{Name: tool.Name, Args: reply}, nil },
	}
}

// judgedTask returns the task with all later messages of the user.
func (r *run) judgedTask() string {
	return strings.Join(append([]string{cut(r.Text, longestTask)}, r.hist.allSaid()...), "\n")
}

// longestTask is the longest task text in judgedTask, in characters.
const longestTask = 4000

// offeredOnly returns the text of a result; where the model answers in a form, without what
// names an action that no form has.
func (r *run) offeredOnly(res action.Result) string {
	if !r.decides() {
		return res.Text
	}
	text := aside.ReplaceAllStringFunc(res.Text, func(s string) string {
		if namesOther(s) {
			return ""
		}
		return s
	})
	if res.Err == nil || res.Err.Hint == "" {
		return text
	}
	hint := slices.DeleteFunc(sentencesOf(res.Err.Hint), namesOther)
	return strings.Replace(text, res.Err.Hint, strings.Join(hint, " "), 1)
}

// namesOther tells whether a text names an action that no form has.
func namesOther(text string) bool {
	return slices.ContainsFunc(actionName.FindAllString(text, -1), func(name string) bool {
		_, ok := action.Default().Spec(name)
		return ok && !action.IsFormAction(name)
	})
}

var (
	aside      = regexp.MustCompile(` \([a-z]+[A-Z][^()"]*\)`)
	actionName = regexp.MustCompile(`\b[a-z]+[A-Z][A-Za-z]*\b`) // one word of plain English may be meant as that
)
