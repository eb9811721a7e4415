package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"tabwright/llm"
	"tabwright/prompts"
	"tabwright/safety"
)

// Critic asks a model, in a request of its own, whether an act fits the task.
// The model is told the task in the user's words and the facts of the act,
// and nothing that a page says (safety.CriticFacts).
type Critic struct {
	Model Model
	Task  string
	Lang  string

	mu    sync.Mutex
	spent llm.Usage
}

// take returns the usage of the critic's requests since the last take, which counts
// for the task. It is zero for a nil critic.
func (c *Critic) take() llm.Usage {
	if c == nil {
		return llm.Usage{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	u := c.spent
	c.spent = llm.Usage{}
	return u
}

// addUsage adds the usage of a reply, which may be nil.
func (c *Critic) addUsage(reply *llm.Reply) {
	if reply == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spent.Input += reply.Usage.Input
	c.spent.Output += reply.Usage.Output
	if reply.Usage.Cost != nil {
		sum := *reply.Usage.Cost
		if c.spent.Cost != nil {
			sum += *c.spent.Cost
		}
		c.spent.Cost = &sum
	}
}

// verdictTool is the one function that the critic may call.
var verdictTool = llm.Tool{
	Name: "verdict", Description: "Say whether the act can be a step of the task.",
	Schema: json.RawMessage(`{"type":"object","properties":{"fits":{"type":"boolean","description":"true: it can be a step of the task"}},"required":["fits"],"additionalProperties":false}`),
}

// criticOutput is how many tokens the answer may have.
const criticOutput = 600

// A long task is mostly pasted text: what the user wants is at its beginning and
// its end.
const (
	criticFirst = 2800 // characters
	criticLast  = 1200
)

// words returns the task for the critic, with a note in place of a left-out middle.
func (c *Critic) words() string {
	r := []rune(c.Task)
	left := len(r) - criticFirst - criticLast
	if left <= 0 {
		return c.Task
	}
	return string(r[:criticFirst]) + "\n" + prompts.Notice(prompts.TaskCut, c.Lang, left) + "\n" + string(r[len(r)-criticLast:])
}

// Doubts tells whether the model says that the act can't be a step of the task.
func (c *Critic) Doubts(ctx context.Context, facts safety.CriticFacts) (bool, error) {
	system, err := prompts.Critic(c.Lang)
	if err != nil {
		return false, err
	}
	question, err := prompts.CriticQuestion(c.Lang, c.words(), facts.String())
	if err != nil {
		return false, err
	}
	reply, err := c.Model.Chat(ctx, llm.Request{
		System: system, Messages: []llm.Message{llm.Text(llm.RoleUser, question)}, Tools: []llm.Tool{verdictTool}, MaxOutput: criticOutput, Brief: true,
	}, nil)
	c.addUsage(reply)
	if err != nil {
		return false, fmt.Errorf("ask the critic: %w", err)
	}
	for _, call := range reply.Calls {
		var v struct {
			Fits *bool `json:"fits"`
		}
		if json.Unmarshal(call.Args, &v) == nil && v.Fits != nil {
			return !*v.Fits, nil
		}
	}
	return false, errors.New("the critic gave no verdict")
}
