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
	// comfortable is the window below which a user is told what won't work.
	comfortable = 6000
	// sumEvery is how many dropped steps are worth a request for a summary.
	sumEvery     = 20
	sumOutput    = 300
	squeezeTries = 3
)

// pageBudget is how many tokens the page may take: a quarter of the window,
// within bounds that suit small models and don't waste large ones.
func (r *run) pageBudget() int { return min(max(r.window()/4, 800), 4000) }

// window is the context window that is budgeted against; what is unknown is
// taken for small.
func (r *run) window() int {
	if r.caps.Context > 0 {
		return r.caps.Context
	}
	return 8192
}

// fixedTokens is what each request takes beside its messages: the system text, and
// the functions or the note that lists them, whichever is longer.
func (r *run) fixedTokens() int {
	tools := llm.EstimateRequest(llm.Request{Tools: r.tools})
	for _, note := range r.notes {
		tools = max(tools, llm.EstimateTokens(note))
	}
	return llm.EstimateTokens(r.system) + tools
}

// reserveTokens is how many tokens of the window are left to a reply, and of a window
// that has room for it to what a model thinks before.
func (r *run) reserveTokens() int {
	if !r.caps.Thinking {
		return maxOutput
	}
	return maxOutput + min(max((r.window()-comfortable)/2, 0), mostThought)
}

// room is how many estimated tokens the messages may take.
func (r *run) room() int {
	// The marks of a chat template are in no text that could be estimated.
	marks := r.window() / 50
	return int(float64(r.window()-r.reserveTokens()-marks)/max(r.scale, 1)*r.usedShare()) - r.fixedTokens()
}

// usedShare is how much of the window is used after refusals.
func (r *run) usedShare() float64 {
	part := 1.0
	for range r.refused {
		part *= 0.75
	}
	return part
}

// correct learns from the server's count how far the estimate is off. It
// follows upwards at once and comes back slowly, but never below the estimate:
// servers leave out of the count what they had cached, and a window that is
// overrun costs more than one that is not quite full.
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

// tooSmall tells the user, in plain words, what does not work in a window
// below 6,000 tokens; one in which not even a page fits ends the task.
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

// summarise asks the model to put the dropped steps into a few sentences, once
// enough have gathered. If it can't, the list of steps stays.
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

// count adds what a reply took to the task's spending.
func (r *run) count(reply *llm.Reply) {
	if reply != nil {
		r.spend(reply.Usage)
	}
}

// spend adds to what the task and its step took.
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

// rate is tokens a second; the one before where the server does not say the time.
func rate(tokens int, took time.Duration, before float64) float64 {
	if took <= 0 || tokens <= 0 {
		return before
	}
	return math.Round(float64(tokens)/took.Seconds()*10) / 10
}
