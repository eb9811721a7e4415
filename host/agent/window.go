package agent

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

const (
	// comfortable is the window, in tokens, below which the user is warned.
	comfortable = 6000
	// sumEvery is how many dropped steps are summarized at once.
	sumEvery     = 20
	sumOutput    = 300
	squeezeTries = 3
)

// pageBudget returns how many tokens the page may take: a quarter of the window, between
// 800, which small models need, and 4000.
func (r *run) pageBudget() int { return min(max(r.window()/4, 800), 4000) }

// window returns the context window in tokens; an unknown one is taken to be small.
func (r *run) window() int {
	if r.caps.Context > 0 {
		return r.caps.Context
	}
	return 8192
}

// fixedTokens returns the tokens that each request takes besides its messages: the
// system text, and the functions or the note that lists them, whichever is longer.
func (r *run) fixedTokens() int {
	tools := llm.EstimateRequest(llm.Request{Tools: r.tools})
	for _, note := range r.notes {
		tools = max(tools, llm.EstimateTokens(note))
	}
	return llm.EstimateTokens(r.system) + tools
}

// reserveTokens returns how many tokens of the window are kept free for a reply and, in a
// large window, for the thinking before it.
func (r *run) reserveTokens() int {
	if !r.caps.Thinking {
		return maxOutput
	}
	return maxOutput + min(max((r.window()-comfortable)/2, 0), mostThought)
}

// room returns how many estimated tokens the messages may take.
func (r *run) room() int {
	// The marks of a chat template can't be estimated: they are in no text.
	marks := r.window() / 50
	return int(float64(r.window()-r.reserveTokens()-marks)/max(r.scale, 1)*r.usedShare()) - r.fixedTokens()
}

// usedShare returns the share of the window that is used: less after each refusal.
func (r *run) usedShare() float64 {
	part := 1.0
	for range r.refused {
		part *= 0.75
	}
	return part
}

// correct adjusts the scale of the estimate to the server's count. The scale rises at
// once, falls slowly, and never goes below 1: servers may leave cached tokens out of the
// count, and a request that is too long costs more than one that is too short.
func (r *run) correct(req llm.Request, reply *llm.Reply) {
	if reply == nil || reply.Usage.Input <= 0 {
		return
	}
	guess := r.fixedTokens() + estimate(req.Messages)
	ratio := float64(reply.Usage.Input) / float64(guess)
	if ratio > r.scale {
		r.scale = min(ratio, 2)
	} else {
		r.scale = 0.9*r.scale + 0.1*ratio
	}
	r.scale = max(r.scale, 1)
}

// tooSmall warns the user of a window below comfortable. If the window does not hold
// even one page, it returns an error.
func (r *run) tooSmall() error {
	if r.window() >= comfortable {
		return nil
	}
	least := r.fixedTokens() + r.pageBudget() + r.reserveTokens()
	if r.window() < least {
		return &wire.Error{
			Code:    llm.CodeContextOverflow,
			Message: fmt.Sprintf("The model's window of %d tokens is too small: the rules, one page and an answer take %d.", r.window(), least),
			Hint:    "Raise num_ctx in the settings, or choose a model with a larger window.",
		}
	}
	return r.Record.Emit(Says(wire.Event{Type: wire.EvNotify}, r.Lang, prompts.SmallWindow, r.window()))
}

// summarise asks the model for a summary of the dropped steps once there are enough. If
// that fails, the list of steps stays.
func (r *run) summarise(ctx context.Context) {
	if r.hist.countUnsummed() < sumEvery {
		return
	}
	list := strings.Join(r.hist.dropped[r.hist.summed:], "\n- ")
	ask := prompts.Notice(prompts.AskSummary, r.Lang, r.hist.task, r.hist.summary, "- "+list)
	reply, err := r.Model.Chat(ctx, llm.Request{
		Messages: []llm.Message{llm.Text(llm.RoleUser, ask)}, MaxOutput: sumOutput, NumCtx: r.window(), Brief: true,
	}, func(llm.Delta) {})
	r.count(reply)
	if err != nil || reply == nil || strings.TrimSpace(reply.Text) == "" || reply.Stop == llm.StopLength {
		return
	}
	r.hist.summary = cut(strings.TrimSpace(reply.Text), 1500)
	r.hist.summed = len(r.hist.dropped)
}

// count adds a reply's usage to the task's spending.
func (r *run) count(reply *llm.Reply) {
	if reply != nil {
		r.spend(reply.Usage)
	}
}

// spend adds usage to the task and its current step.
func (r *run) spend(u llm.Usage) {
	r.usage.InputTokens += u.Input
	r.usage.OutputTokens += u.Output
	r.stepUsage.Input += u.Input
	r.stepUsage.Output += u.Output
	r.usage.InputRate = rate(u.Input, u.InputTime, r.usage.InputRate)
	r.usage.OutputRate = rate(u.Output, u.OutputTime, r.usage.OutputRate)
	if u.Cost != nil {
		r.paid, r.reported = r.paid+*u.Cost, true
		return
	}
	r.unpriced.Input += u.Input
	r.unpriced.Output += u.Output
}

// rate returns tokens per second, or before if the server does not report the time.
func rate(tokens int, took time.Duration, before float64) float64 {
	if took <= 0 || tokens <= 0 {
		return before
	}
	return math.Round(float64(tokens)/took.Seconds()*10) / 10
}
