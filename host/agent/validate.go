package agent

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native"
	"tabwright/llm"
	"tabwright/prompts"
)

// What Options.Validator may be. Empty is off.
const (
	ValidatorOff  = "off"  // the model is taken at its word
	ValidatorAuto = "auto" // what the program can check; the model is asked too, unless it is a small one on this machine
	ValidatorOn   = "on"   // both, whatever the model
)

// CodeUnverified is the end of a task that the model calls done, and that the
// checks of the result did not bear out.
const CodeUnverified native.Code = "unverified"

const (
	maxSentBack = 2   // times that a false "done" goes back to work
	checkOutput = 600 // tokens of the verdict
	checkSteps  = 30  // that the verdict is shown
	saidMissing = 200 // characters of what the verdict misses
)

// assessTool is the one function that whoever checks the result may call. All
// that comes of it is that the work goes on or ends.
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

// verify checks a claim to be done before it is accepted. One that is false comes
// back as a failed step, and the model has been told why; a third one ends the
// task as unverified, which is the error.
func (r *run) verify(ctx context.Context, obs action.Observation, res action.Result) (action.Result, error) {
	if r.Validator == "" || r.Validator == ValidatorOff {
		return res, nil
	}
	answer := res.Done.Answer
	found := r.proof.fault(r.Text, r.hist.said, answer)
	judge := r.asksValidator()
	if found != nil && found.minor && r.sentBack > 0 {
		judge = judge || found.judge
		found = nil
	}
	if found == nil && judge {
		var err error
		if found, err = r.assess(ctx, obs, answer); err != nil {
			return res, err
		}
	}
	if found == nil {
		return res, nil
	}
	seen := prompts.InEach(prompts.ToUser(found.kind), found.args...)
	res.Done, res.In = nil, prompts.InEach(prompts.SentBack, "")
	for lang, text := range seen {
		res.In[lang] = prompts.Notice(prompts.SentBack, lang, text)
	}
	res.Line = prompts.Notice(prompts.SentBack, r.Lang, prompts.Notice(prompts.ToUser(found.kind), r.Lang, found.args...))
	res.Err = &action.Error{Code: notAccepted, Message: res.Line}
	res.Text = prompts.Notice(prompts.NotAcceptedShort, r.Lang)
	if r.sentBack >= maxSentBack {
		return res, &native.Error{
			Code: CodeUnverified, Message: prompts.Notice(prompts.Unverified, r.Lang, prompts.Notice(prompts.ToUser(found.kind), r.Lang, found.args...), answer),
			Hint: prompts.Notice(prompts.UnverifiedHint, r.Lang),
		}
	}
	r.sentBack++
	r.notices = append(r.notices, prompts.Notice(prompts.NotAccepted, r.Lang, r.toModel(found)))
	return res, nil
}

// toModel says to the model why its result is not accepted.
func (r *run) toModel(f *fault) string {
	args := f.args
	if f.kind == prompts.CheckFound && len(args) > 0 { // whoever checked has read the page
		args = []any{prompts.Fence("result", nonce(), args[0].(string))}
	}
	return prompts.Notice(f.kind, r.Lang, args...)
}

// asksValidator says whether the model is asked as well. A small one on this
// machine is slow, and judges at random.
func (r *run) asksValidator() bool {
	if r.Validator == ValidatorOn {
		return true
	}
	return !(r.caps.Local && r.caps.Size == llm.SizeSmall)
}

// assess asks the model, in a request of its own, whether the task is done. It
// is given what the program recorded and what the page shows, fenced. No
// verdict is no fault: what can't be asked is not held against the result.
func (r *run) assess(ctx context.Context, obs action.Observation, answer string) (*fault, error) {
	system, err := prompts.Validate(r.Lang)
	if err != nil {
		return nil, err
	}
	question, err := prompts.ValidateQuestion(prompts.Claim{
		Lang: r.Lang, Task: cut(r.Text, 4000), Said: r.hist.said, Answer: prompts.Fence("result", nonce(), cut(answer, 2000)),
		Steps: prompts.Fence("result", nonce(), r.proof.list(checkSteps)),
		Page:  prompts.Fence("page", nonce(), excerpt(obs.Text, r.pageBudget()/2)),
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

// excerpt is the beginning of a page, in whole lines, of about so many tokens.
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

// fault finds what the program itself can find: an answer that claims what was
// refused or what failed, a task that asks for an act when nothing was changed,
// figures and quotations that no page had.
func (e *evidence) fault(task string, said []string, answer string) *fault {
	say := func(kind string, args ...any) *fault { return &fault{kind: kind, args: args} }
	if strings.TrimSpace(answer) == "" {
		return say(prompts.AnswerEmpty)
	}
	if announces(answer) {
		return say(prompts.AnswerAnnounces)
	}
	if d := e.refused(); d != nil && !owns.MatchString(answer) {
		return say(prompts.ClaimsRefused, d.line)
	}
	if asksForAct(task) && !owns.MatchString(answer) {
		if d := e.lastFailure(); d != nil {
			return say(prompts.ClaimsFailed, d.line, d.reason)
		}
		if len(e.before) == 0 && !e.changedAnything() && !already.MatchString(answer) {
			f := say(prompts.NothingDone)
			f.minor = true // "add them up" asks for no act
			return f
		}
	}
	whole := !e.picture && !e.cutOff && len(e.before) == 0 // what was seen is all in words, and kept
	if whole && len(said) == 0 && !e.acted() && !owns.MatchString(answer) && !already.MatchString(answer) &&
		e.ofControls(task+"\n"+answer) && !e.tells(task, answer) {
		f := say(prompts.NothingActed)
		f.minor, f.judge = true, true
		return f
	}
	e.saw(task)
	for _, s := range said {
		e.saw(s)
	}
	if !whole {
		return nil
	}
	isJSON := json.Valid([]byte(answer))           // what it quotes are names of fields
	answer = address.ReplaceAllString(answer, " ") // the numbers of an address tell nothing
	if list := e.unseen(answer, task); len(list) > 0 {
		return say(prompts.UnseenFigures, strings.Join(list, ", "))
	}
	if list := e.misquoted(answer); len(list) > 0 && !isJSON {
		f := say(prompts.UnseenWords, `"`+strings.Join(list, `", "`)+`"`)
		f.minor = true
		return f
	}
	return nil
}

// refused is the last act that the person or the gate did not allow, unless the
// same was allowed afterwards.
func (e *evidence) refused() *deed {
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

// lastFailure is the newest step that was to change something, if it failed.
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
		if d.changed() {
			return true
		}
	}
	return false
}

var (
	// acts are the words with which a task asks for an act, where it asks: at
	// its beginning, or after what joins two demands.
	acts = regexp.MustCompile(`(?i)(?:^|[.,;:!?\n]\s*|\b(?:and|then|please|to|also|you)\s+)(?:please\s+)?(?:buy|order|purchase|pay|book|reserve|send|post|submit|publish|reply|delete|remove|cancel|add|put|subscribe|unsubscribe|sign|register|upload|download|fill|upvote|like|follow|save|rename|create|move|archive|mark)\b|购买|买下?|下单|付款|支付|预订|预定|发送|发布|提交|回复|删除|取消|加入|添加|订阅|退订|注册|上传|下载|填写|收藏|关注|创建|移动|归档`)
	// asks are the words of a question about how or whether.
	asks = regexp.MustCompile(`(?i)\bhow (?:to|do|can|much|many)\b|\bwhether\b|\bcan i\b|\bis it possible\b|怎么|如何|是否|能不能|可不可以|多少`)
	// owns are the words with which an answer owns that something was not done.
	owns = regexp.MustCompile(`(?i)\bnot\b|n't\b|\bno\b|\bwithout\b|\brefus|\bdenied\b|\bdeclin|\bfail|\bunable\b|\bblocked\b|\bcannot\b|\bexcept\b|没有|未能?|不|拒绝|失败|无法|除了`)
	// address is a link in an answer.
	address = regexp.MustCompile(`https?://[^\s)\]"']+`)
	// already are the words of an answer that there was nothing left to do.
	already = regexp.MustCompile(`(?i)\balready\b|\bno need\b|已经|无需|早已`)
)

// asksForAct says that a task wants something done and not only told.
func asksForAct(task string) bool { return acts.MatchString(task) && !asks.MatchString(task) }
