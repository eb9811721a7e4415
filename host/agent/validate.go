package agent

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// What Options.Validator may be. Empty is off.
const (
	ValidatorOff  = "off"  // the model is taken at its word
	ValidatorAuto = "auto" // what the program can check; the model is asked too, unless it is a small one on this machine
	ValidatorOn   = "on"   // both, whatever the model
)

// CodeUnverified is the code of a task that the model calls done and whose result
// did not pass the checks.
const CodeUnverified wire.Code = "unverified"

const (
	maxSentBack = 2   // times that a false "done" goes back to work
	checkOutput = 600 // tokens of the verdict
	checkSteps  = 30  // that the verdict is shown
	saidMissing = 200 // characters of what the verdict misses
)

// assessTool is the one function that the model may call when it checks a result.
// It only decides whether the work goes on or ends.
var assessTool = llm.Tool{
	Name: "assess", Description: "Say whether the task is done as the answer says.",
	Schema: json.RawMessage(`{"type":"object","properties":{"done":{"type":"boolean","description":"true: the task is done, and nothing shows the answer to be wrong"},"missing":{"type":"string","description":"when not done: what is missing or wrong, in one short sentence"}},"required":["done"],"additionalProperties":false}`),
}

// fault is why a result is not accepted: a kind of notice with its arguments. The
// model and the user are each told in words of their own.
type fault struct {
	kind  string
	args  []any
	minor bool // said once; if the model stands by its answer, it holds
	judge bool // … unless the model, asked apart from the task, says that it is not done
}

// notAccepted is the error of a claim to be done that was not accepted.
const notAccepted action.Code = "not_accepted"

// errNothingActed is wrapped in that error if nothing had been done before the claim.
var errNothingActed = errors.New("nothing was done")

// verify checks a claim to be done before it is accepted. It returns a false one as
// a failed step, and a notice tells the model why. After maxSentBack of them the next
// one ends the task with an error of CodeUnverified.
func (r *run) verify(ctx context.Context, obs action.Observation, res action.Result) (action.Result, error) {
	if r.Validator == "" || r.Validator == ValidatorOff {
		return res, nil
	}
	answer := res.Done.Answer
	var found *fault
	judge := r.asksValidator()
	for _, f := range r.proof.faults(r.Text, slices.Concat(r.hist.said, r.proof.answered), *res.Done, r.Strong) {
		switch {
		case f.minor && r.sentBack > 0:
			judge = judge || f.judge
		case found == nil:
			found = &f
		}
	}
	if found == nil && judge {
		var err error
		if found, err = r.assess(ctx, obs, *res.Done); err != nil {
			return res, err
		}
	}
	if found == nil {
		return res, nil
	}
	r.retract()
	seen := prompts.InEach(prompts.ToUser(found.kind), found.args...)
	res.Done, res.In = nil, prompts.InEach(prompts.SentBack, "")
	for lang, text := range seen {
		res.In[lang] = prompts.Notice(prompts.SentBack, lang, text)
	}
	res.Line = prompts.Notice(prompts.SentBack, r.Lang, prompts.Notice(prompts.ToUser(found.kind), r.Lang, found.args...))
	res.Err = &action.Error{Code: notAccepted, Message: res.Line}
	if found.kind == prompts.NothingActed {
		res.Err.Err = errNothingActed
	}
	res.Text = prompts.Notice(prompts.NotAcceptedShort, r.Lang)
	if r.sentBack >= maxSentBack {
		return res, &wire.Error{
			Code: CodeUnverified, Message: prompts.Notice(prompts.Unverified, r.Lang, prompts.Notice(prompts.ToUser(found.kind), r.Lang, found.args...), answer),
			Hint: prompts.Notice(prompts.UnverifiedHint, r.Lang),
		}
	}
	r.sentBack++
	r.notices = append(r.notices, prompts.Notice(prompts.NotAccepted, r.Lang, r.toModel(found)))
	return res, nil
}

// toModel returns the text that tells the model why its result is not accepted.
func (r *run) toModel(f *fault) string {
	args := f.args
	if f.kind == prompts.CheckFound && len(args) > 0 { // it may hold text of the page
		args = []any{prompts.Fence("result", nonce(), args[0].(string))}
	}
	text := prompts.Notice(f.kind, r.Lang, args...)
	if r.Strong && (f.kind == prompts.ClaimsRefused || f.kind == prompts.ClaimsFailed) {
		text += " " + prompts.Notice(prompts.SayNotDone, r.Lang)
	}
	return text
}

// tellLeftOut tells the user what of an accepted result was not done, as far as the
// program knows or the model says. It does not depend on the words of the answer.
func (r *run) tellLeftOut(d *action.Done) error {
	if r.Validator == "" || r.Validator == ValidatorOff {
		return nil
	}
	var out []string
	if d.NotDone != "" {
		out = append(out, d.NotDone)
	}
	for _, x := range []*deed{r.proof.lastRefusal(), r.proof.lastFailure()} {
		if x != nil {
			out = append(out, x.line)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return r.Record.Emit(Says(wire.Event{Type: wire.EvNotify, Level: "warn"}, r.Lang, prompts.LeftOut, strings.Join(slices.Compact(out), " · ")))
}

// asksValidator says whether the model is asked as well. A small one on this
// machine is slow, and judges at random.
func (r *run) asksValidator() bool {
	if r.Validator == ValidatorOn {
		return true
	}
	return !(r.caps.Local && (r.caps.Size == llm.SizeTiny || r.caps.Size == llm.SizeSmall))
}

// assess asks the model, in a request of its own, whether the task is done. It
// is given what the program recorded and what the page shows, fenced. No
// verdict is no fault: what can't be asked is not held against the result.
func (r *run) assess(ctx context.Context, obs action.Observation, d action.Done) (*fault, error) {
	system, err := prompts.Validate(r.Lang)
	if err != nil {
		return nil, err
	}
	question, err := prompts.ValidateQuestion(prompts.Claim{
		Lang: r.Lang, Task: cut(r.Text, 4000), Said: r.hist.said,
		Answer: prompts.Fence("result", nonce(), cut(strings.Join(append([]string{d.Answer, d.NotDone}, d.Evidence...), "\n"), 2000)),
		Steps:  prompts.Fence("result", nonce(), r.proof.list(checkSteps)),
		Page:   prompts.Fence("page", nonce(), excerpt(obs.Text, r.pageBudget()/2)),
	})
	if err != nil {
		return nil, err
	}
	reply, err := r.Model.Chat(ctx, llm.Request{
		System: system, Messages: []llm.Message{llm.Text(llm.RoleUser, question)}, Tools: []llm.Tool{assessTool},
		MaxOutput: checkOutput, NumCtx: r.window(), Brief: true,
	}, func(llm.Delta) {})
	r.count(reply)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil || reply == nil {
		return nil, nil //nolint:nilerr,nilnil // documented: no verdict is no fault
	}
	for _, call := range reply.Calls {
		var v struct {
			Done    *bool  `json:"done"`
			Missing string `json:"missing"`
		}
		if json.Unmarshal(call.Args, &v) == nil && v.Done != nil && !*v.Done {
			// It has read the page: what it says may be the page's words.
			missing := strings.Join(strings.Fields(v.Missing), " ")
			f := &fault{kind: prompts.CheckFound}
			if missing != "" {
				f.args = []any{cut(missing, saidMissing)}
			}
			return f, nil
		}
	}
	return nil, nil //nolint:nilnil // documented: no verdict is no fault
}

// excerpt returns the beginning of a page, in whole lines, of about that many tokens.
func excerpt(page string, tokens int) string {
	var out []string
	for _, line := range strings.Split(page, "\n") {
		if tokens -= llm.EstimateTokens(line) + 1; tokens < 0 {
			return strings.Join(append(out, "…"), "\n")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// faults are what the program itself can find: an answer that leaves out what was
// refused or what failed, one that no act and nothing that was read bears out,
// figures and quotations that no page had. It looks at records, figures and quoted
// words, and at no words of any language.
//
// owns says that the model knows the field not_done. One that does not can go round
// what the rules forbid, and be done; what the user refused is not done.
func (e *evidence) faults(task string, said []string, d action.Done, owns bool) (out []fault) {
	if strings.TrimSpace(d.Answer) == "" {
		return []fault{{kind: prompts.AnswerEmpty}}
	}
	no, failed := e.lastRefusal(), e.lastFailure()
	switch {
	case d.NotDone != "" && no == nil && failed == nil: // nothing kept it from being done
		out = append(out, fault{kind: prompts.CheckFound, args: []any{cut(d.NotDone, saidMissing)}, minor: true, judge: true})
	case d.NotDone != "":
	case no != nil:
		out = append(out, fault{kind: prompts.ClaimsRefused, args: []any{no.line}, minor: !owns && no.outcome == outcomeBlocked})
	case failed != nil: // which may not matter to what was asked
		out = append(out, fault{kind: prompts.ClaimsFailed, args: []any{failed.line, failed.reason}, minor: true, judge: true})
	}
	whole := !e.picture && !e.cutOff && len(e.before) == 0 // what was seen is all in words, and kept
	if whole && !e.changedAnything() && !e.tells(task, d) {
		switch {
		case e.didAct():
			out = append(out, fault{kind: prompts.NothingDone, minor: true}) // "open it" asks for no more
		case len(said) == 0: // a greeting asks for no more; what speaks of a button may
			out = append(out, fault{kind: prompts.NothingActed, minor: true, judge: e.ofControls(task + "\n" + d.Answer)})
		}
	}
	e.saw(task)
	for _, s := range said {
		e.saw(s)
	}
	if !whole {
		return out
	}
	isJSON := json.Valid([]byte(d.Answer))            // what it quotes are names of fields
	answer := address.ReplaceAllString(d.Answer, " ") // the numbers of an address tell nothing
	if list := e.unseen(answer, d.Evidence); len(list) > 0 {
		out = append(out, fault{kind: prompts.UnseenFigures, args: []any{strings.Join(list, ", ")}})
	}
	quotes := d.Evidence
	if !isJSON {
		quotes = append(quotesIn(answer), quotes...)
	}
	if list := e.falseQuotes(quotes); len(list) > 0 {
		out = append(out, fault{kind: prompts.UnseenWords, args: []any{`"` + strings.Join(list, `", "`) + `"`}, minor: true})
	}
	return out
}

// lastRefusal returns the last act that the user or the gate did not allow, unless the
// same was allowed afterwards.
func (e *evidence) lastRefusal() *deed {
	for i := len(e.steps) - 1; i >= 0; i-- {
		d := &e.steps[i]
		if d.outcome != outcomeDenied && d.outcome != outcomeBlocked && d.outcome != outcomeStopped {
			continue
		}
		for _, later := range e.steps[i+1:] {
			if later.outcome == outcomeOK && later.changes && later.line == d.line {
				return nil
			}
		}
		return d
	}
	return nil
}

// lastFailure returns the newest step meant to change something if it failed, else nil.
func (e *evidence) lastFailure() *deed {
	for i := len(e.steps) - 1; i >= 0; i-- {
		d := &e.steps[i]
		if !d.changes {
			continue
		}
		if d.outcome == outcomeError || d.outcome == outcomeUnknown {
			return d
		}
		return nil
	}
	return nil
}

func (e *evidence) changedAnything() bool {
	for _, d := range e.steps {
		if d.hasEffect() {
			return true
		}
	}
	return false
}

// address is a link in an answer.
var address = regexp.MustCompile(`https?://[^\s)\]"']+`)
