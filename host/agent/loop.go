package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// run is one task under way.
type run struct {
	Options
	caps   llm.Capabilities
	tools  []llm.Tool
	system string
	notes  map[llm.Way]string
	// formRules are those of a model that is asked for one small decision at a time.
	formRules   string
	wants       string       // by the user: one of wantsKnow and so on; empty: not asked yet
	judgedSteps int          // how many steps there were when it was last asked whether the task is done
	opened      map[int]bool // what is next: the choices of a menu that the last press opened, or what is for a row that it selected
	midway      bool         // the last step only opened, or selected, what a task goes on with
	unsaved     int          // times that a task was held to be not done since a button that it names was not pressed
	answerless  bool         // the page was just found not to tell what the user wants to know
	readTexts   []uint32     // marks of the texts that were read for that
	judgedDone  bool         // it was found to be done: an answer that was sent back may be given anew
	hist        history
	dog         loopDetector
	notices     []string            // for the next observation
	left        *action.Observation // the page that the last step left
	last        string              // result of the last act, when it has no tool message to go into
	usage       wire.UsageInfo
	began       time.Time
	silent      int  // replies of words in a row without an action
	unread      int  // replies that could not be read, with no action between them
	brief       bool // the last reply was cut off: the next one is to think less
	// answering: an answer was shown as it was written, and is not accepted yet.
	answering bool

	stepUsage   llm.Usage // of the requests since the last step
	scale       float64   // what the server counts for each token estimated; 0: not known yet
	refused     int       // times in a row that the server found a request too long
	way         llm.Way   // of the last reply
	wantPicture bool      // the next look takes a screenshot
	picked      llm.Part  // a picture that an action took, for the next request
	given       int       // tokens of each request that what was attached takes

	// unsettled began, and what came of it is to be found out; told says that it
	// is recorded as unknown already.
	unsettled     *journal.Act
	unsettledTold bool
	away          bool // the browser was lost since the last look
	thumb         thumbs

	paid     float64   // by what the provider says its requests cost
	reported bool      // … and that it says so
	unpriced llm.Usage // of requests of which it did not

	plan     plan
	proof    evidence // of what an answer may claim
	scripted bool     // its steps are known: nobody is told that it goes in circles
	sentBack int      // times that a claim to be done was not accepted

	point *pointerState // of a model that points; nil for others
}

// Run does the task to its end and records that end: complete, failed or
// cancelled. The error it returns is only ever that of the record; how the
// task ended stands in the events. It returns once nothing of the task runs
// any more. Cancel ctx with cause ErrStopped for the user's Stop.
func Run(ctx context.Context, o Options) error { return doTask(ctx, o, (*run).steps) }

// doTask does a task by its steps, and records its end.
func doTask(ctx context.Context, o Options, steps func(*run, context.Context) (string, error)) error {
	o.Budget = o.Budget.withDefaults()
	if o.Lang == "" {
		o.Lang = Language(o.Text)
	}
	if o.Began.IsZero() {
		o.Began = time.Now()
	}
	r := &run{Options: o, began: o.Began, hist: history{task: o.Text, lang: o.Lang}, wantPicture: true}
	if o.Past != nil {
		r.restore(o.Past)
	}
	limited, cancel := o.WithTimeLimit(ctx)
	defer cancel()
	end := r.task(limited, steps)
	r.endThumbs(limited)
	if end.Error != nil && end.Error.Code == CodeBudget {
		end = r.outOfBudget(ctx, end.Error)
	}
	u := r.usedTime()
	end.Usage = &u
	return r.Record.Emit(end)
}

// task runs the steps and says how they ended.
func (r *run) task(ctx context.Context, steps func(*run, context.Context) (string, error)) wire.Event {
	answer, err := steps(r, ctx)
	if err == nil {
		return wire.Event{Type: wire.EvComplete, Text: answer}
	}
	return r.EndOf(ctx, err)
}

// EndOf is how a task ends whose context is ctx, and of which something came to an
// error.
func (o Options) EndOf(ctx context.Context, err error) wire.Event {
	switch {
	case errors.Is(context.Cause(ctx), ErrStopped):
		return Says(wire.Event{Type: wire.EvCancelled}, o.Lang, prompts.Stopped)
	case errors.Is(context.Cause(ctx), errTime):
		return failure(&wire.Error{
			Code: CodeBudget, Message: fmt.Sprintf("The task took longer than its %s.", o.Budget.withDefaults().Time),
			Hint: "Raise budgets.minutes in the settings, or ask for less at once.",
		})
	case errors.Is(context.Cause(ctx), ErrEnded):
		return Says(interruption(&wire.Error{Code: CodeInterrupted, Message: prompts.Notice(prompts.BrokerEnded, o.Lang)}), o.Lang, prompts.BrokerEnded)
	case cutShort(ctx):
		return Says(interruption(asError(context.Cause(ctx))), o.Lang, prompts.TabLost)
	case ctx.Err() != nil:
		return wire.Event{Type: wire.EvCancelled, Text: context.Cause(ctx).Error()}
	case errors.Is(err, &wire.Error{Code: CodeBrowserGone}):
		return interruption(asError(err))
	default:
		return failure(asError(err))
	}
}

func failure(e *wire.Error) wire.Event {
	return wire.Event{Type: wire.EvFailed, Text: e.Message, Error: e}
}

// interruption is the end of a task that can be taken up again.
func interruption(e *wire.Error) wire.Event {
	return wire.Event{Type: wire.EvInterrupted, Text: e.Message, Error: e}
}

// asError gives any failure the shape that travels.
func asError(err error) *wire.Error {
	var ne *wire.Error
	var le *llm.Error
	var ae *action.Error
	switch {
	case errors.As(err, &ne):
		return ne
	case errors.As(err, &le):
		return &wire.Error{Code: wire.Code(le.Code), Message: le.Message, Hint: le.Hint}
	case errors.As(err, &ae):
		return &wire.Error{Code: wire.Code(ae.Code), Message: ae.Message} // its hint is for models
	default:
		return &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
	}
}

// steps is the loop. Its result is the model's answer.
func (r *run) steps(ctx context.Context) (string, error) {
	if err := r.prepare(ctx); err != nil {
		return "", err
	}
	if err := r.takeUp(); err != nil {
		return "", err
	}
	if err := r.open(ctx); err != nil {
		return "", err
	}
	for {
		if err := r.yieldForTakeover(ctx); err != nil {
			return "", err
		}
		if err := r.User.waitUnpaused(ctx, r.pause(prompts.Paused)); err != nil {
			return "", err
		}
		turn, end := r.User.turn(ctx)
		done, err := r.turn(turn)
		end()
		if err != nil && ctx.Err() == nil && r.User.inTakeover() {
			continue // cut short by the user
		}
		if err != nil {
			return "", err
		}
		if done == nil {
			continue
		}
		if !done.Success {
			return "", &wire.Error{Code: CodeNotDone, Message: done.Answer}
		}
		if err := r.tellLeftOut(done); err != nil {
			return "", err
		}
		if r.plan.finish() {
			if err := r.showPlan(); err != nil {
				return "", err
			}
		}
		return done.Answer, nil
	}
}

// open opens the address that the task begins at, if it opens one itself.
func (r *run) open(ctx context.Context) error {
	if r.Begin == "" || r.Past != nil {
		return nil
	}
	params, err := json.Marshal(action.NavigateParams{URL: r.Begin})
	if err != nil {
		return err
	}
	res, err := (&Script{r}).Do(ctx, action.Call{Name: "navigate", Params: params})
	if err == nil && res.Err != nil {
		err = res.Err
	}
	return err
}

// turn looks, decides and acts once. A non-nil Done ends the task.
func (r *run) turn(ctx context.Context) (*action.Done, error) {
	if err := r.drainMessages(); err != nil {
		return nil, err
	}
	if err := r.withinBudget(); err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	obs, err := r.observe(ctx)
	if err != nil {
		return nil, err
	}
	if obs, err = r.picture(ctx, obs); err != nil {
		return nil, err
	}
	r.proof.look(obs)
	r.startThumb(ctx)
	reply, err := r.decide(ctx, obs)
	if err != nil || reply == nil {
		return nil, err // unreadable: the model has been told
	}
	if used, err := r.waitForUserIdle(ctx); err != nil || used {
		return nil, err // it was decided on a page that has changed
	}
	return r.act(ctx, obs, reply)
}

// prepare builds what never changes in the task.
func (r *run) prepare(ctx context.Context) error {
	if m, ok := r.Model.(awaiter); ok {
		w := watcher{run: r}
		if err := m.Await(ctx, w.see); err != nil || w.err != nil {
			return cmp.Or(w.err, err)
		}
	}
	err := r.rules(ctx)
	if err != nil {
		return err
	}
	if r.hist.task, err = r.firstMessage(); err != nil {
		return err
	}
	return r.tooSmall()
}

// rules asks what the model can do and builds what is the same for all tasks, which is
// sent first so that the servers' prompt caches work.
func (r *run) rules(ctx context.Context) error {
	var err error
	if r.caps, err = r.Model.Capabilities(ctx); err != nil {
		return err
	}
	if r.caps.Family != "" {
		if err := r.pointAt(); err != nil {
			return err
		}
		if r.hist.task, err = r.firstMessage(); err != nil {
			return err
		}
		return r.tooSmall()
	}
	// A model that nobody knows the size of is taken at its provider's word.
	if r.caps.Size != "" {
		r.Strong = r.caps.Size == llm.SizeLarge
	}
	r.tools = append(r.tools, toTools(action.Tools(r.Strong))...)
	data := prompts.Data{Mode: "dom", Lang: r.Lang, Way: string(llm.WayNative), MaxSteps: r.Budget.Steps, Size: r.caps.Size}
	if r.caps.Vision {
		data.Mode = "hybrid"
	}
	if r.system, err = prompts.System(data); err != nil {
		return err
	}
	r.notes = map[llm.Way]string{}
	for _, w := range []llm.Way{llm.WaySchema, llm.WayMarkdown} {
		note, err := prompts.Way(string(w), r.Lang, action.FallbackText(r.Lang))
		if err != nil {
			return err
		}
		r.notes[w] = note
	}
	r.formRules, err = prompts.DecisionRules(r.Lang)
	return err
}

// toTools are functions as a model is given them.
func toTools(list []action.Tool) []llm.Tool {
	var out []llm.Tool
	for _, t := range list {
		tool := llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
		for _, a := range t.Aliases {
			tool.Aliases = append(tool.Aliases, llm.Alias(a))
		}
		out = append(out, tool)
	}
	return out
}

// drainMessages takes in what the user said meanwhile.
func (r *run) drainMessages() error {
	if err := r.heedPlan(); err != nil {
		return err
	}
	for _, said := range r.User.takeSaid() {
		text := said.text
		if said.program {
			if err := r.programMessage(text); err != nil {
				return err
			}
			continue
		}
		if err := r.Record.Emit(wire.Event{Type: wire.EvSteered, Text: text}); err != nil {
			return err
		}
		// It may be their yes to what they refused before: it is asked again.
		if f, ok := r.Executor.(denialForgetter); ok {
			f.ForgetDenials()
		}
		if f, ok := r.Executor.(wordKeeper); ok {
			f.AddUserWords(text)
		}
		r.notices = append(r.notices, prompts.Notice("user_said", r.Lang, text))
		r.hist.said = append(r.hist.said, text)
		if err := r.addAttached(said.attach); err != nil {
			return err
		}
	}
	return nil
}

// observe looks at the page; a browser that went is waited for.
func (r *run) observe(ctx context.Context) (action.Observation, error) {
	o := r.lookOptions()
	r.wantPicture = false
	for seen := false; ; {
		obs, err := r.Executor.Observe(ctx, o)
		if err == nil {
			r.away = false
			return obs, r.flag(obs)
		}
		if r.Past != nil && !seen && errors.Is(err, &action.Error{Code: action.NavigationFailed}) {
			seen = true
			continue // what it did before counts on: its model is shown the error page
		}
		if r.away && errors.Is(err, &action.Error{Code: action.TabClosed}) {
			return obs, TabLost(r.Lang)
		}
		if errors.Is(err, &action.Error{Code: action.TabClosed}) && r.Leaving != nil && r.Leaving(ctx) {
			err = action.ErrBrowserGone
		}
		if err := r.recover(ctx, err); err != nil {
			return obs, err
		}
	}
}

// flag tells the model and the user of page text that speaks to the model.
func (r *run) flag(obs action.Observation) error {
	if len(obs.Signals) == 0 {
		return nil
	}
	text := prompts.Notice(prompts.Injection, r.Lang, obs.Signals[0].Text)
	r.notices = append(r.notices, text)
	return r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, prompts.InjectionSeen, obs.Signals[0].Text))
}

// recover waits for a browser that was lost, or for the user who closed
// Chrome's debugging bar; any other error comes back as it is.
func (r *run) recover(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, action.ErrUserCancelled):
		r.User.Pause()
		return r.User.waitUnpaused(ctx, r.pause(prompts.BarClosed))
	case errors.Is(err, action.ErrBrowserGone) && r.WaitBrowser != nil:
		if e := r.Record.Emit(Says(wire.Event{Type: wire.EvProgress}, r.Lang, "browser_lost")); e != nil {
			return e
		}
		if e := r.WaitBrowser(ctx); e != nil {
			return &wire.Error{Code: CodeBrowserGone, Message: "The browser went away and did not come back: " + e.Error()}
		}
		r.away = true
		r.notices = append(r.notices, prompts.Notice("browser_back", r.Lang))
		return nil
	default:
		return err
	}
}

// nonce makes the fence around page text one that no page can know.
func nonce() string { return strings.ToLower(rand.Text()[:8]) }

// Language is zh when the task has Chinese characters, en otherwise.
func Language(text string) string {
	for _, c := range text {
		if unicode.Is(unicode.Han, c) {
			return "zh"
		}
	}
	return "en"
}
