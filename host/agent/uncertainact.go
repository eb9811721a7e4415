package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// errDoubted keeps an act from being sent that is like one in doubt.
var errDoubted = errors.New("the like of it may have been done already")

// classRepeat is the class on a card that asks whether to do something again.
const classRepeat = "repeat"

// uncertainAct is an act that may have been done: nothing like it is done again before
// the user has said yes.
type uncertainAct struct {
	act     journal.Act
	why     string            // for the user
	in      map[string]string // the same in each language
	allowed bool              // by a card; it ends with the act that it is for
	now     journal.Act       // that was held back last, since it is like the one in doubt
}

// wireInfo is the act in doubt as a card names it.
func (x *uncertainAct) wireInfo() *wire.DoubtInfo {
	var p struct {
		Key string `json:"key"`
	}
	_ = json.Unmarshal(x.act.Params, &p) // no key is told of parameters that can't be read
	return &wire.DoubtInfo{Action: x.act.Action, Target: x.act.Target, Site: x.act.Site, Key: p.Key, Started: x.act.Started}
}

// addUncertainAct holds back what is like an act whose outcome is unknown.
func (d *UserChannel) addUncertainAct(a journal.Act, lang string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	told := stepWords(a)
	d.doubts = append(d.doubts, &uncertainAct{act: a, why: prompts.Notice(prompts.Doubted, lang, told), in: prompts.InEach(prompts.Doubted, told)})
}

// findUncertainAct gives the doubt that an act is like, and nil for none.
func (d *UserChannel) findUncertainAct(action string, params json.RawMessage, target, site string) *uncertainAct {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, x := range d.doubts {
		if !x.allowed && like(x.act, journal.Act{Action: action, Params: params, Target: target, Site: site}) {
			return x
		}
	}
	return nil
}

// allow ends a doubt: the user wants it done, whatever came of it before.
func (d *UserChannel) allow(x *uncertainAct) error {
	d.mu.Lock()
	x.allowed = true
	d.doubts = slices.DeleteFunc(d.doubts, func(y *uncertainAct) bool { return x == y })
	d.mu.Unlock()
	if s, ok := d.rec.(interface{ Settled(step int) error }); ok {
		return s.Settled(x.act.Step)
	}
	return nil
}

// askAgain puts a card before the user: may this be done once more?
func (d *UserChannel) askAgain(ctx context.Context, x *uncertainAct, url string) (action.Answer, error) {
	info := wire.ConfirmInfo{
		ID: "c" + rand.Text()[:10], Action: x.now.Action, Class: classRepeat, Target: x.now.Target,
		Site: x.now.Site, URL: url, Reasons: []string{x.why}, Again: x.wireInfo(),
		In: map[string][]string{},
	}
	for lang, why := range x.in {
		info.In[lang] = []string{why}
	}
	if at, ok := ctx.Deadline(); ok {
		info.Expires = at.UnixMilli()
	}
	ans, err := d.put(ctx, &info)
	if err == nil && ans.Allow {
		err = d.allow(x)
	}
	return ans, err
}

// like tells whether an act is such that it might do again what another did:
// the same target, or another way to send what the other sent.
func like(old, now journal.Act) bool {
	if old.Site != now.Site || harmless(now) {
		return false
	}
	if now.Action == "executeJS" || old.Action == "executeJS" {
		return true // code can press anything
	}
	if a, b := nameIn(old.Target), nameIn(now.Target); a != "" && alike(a, b) {
		return true
	}
	if old.Target == "" || now.Target == "" {
		return true // a point, a key: it can't be said what they reach
	}
	return sends(old) || sends(now)
}

// sends tells whether an act sends a form by whatever its target is called.
func sends(a journal.Act) bool {
	if a.Action == "type" {
		return submits(a.Params)
	}
	return (a.Action == "pressKey" || a.Action == "keyDown") && strings.Contains(string(a.Params), "Enter")
}

// alike tells whether two names differ only in digits and the case of letters.
func alike(a, b string) bool {
	plain := func(s string) string {
		s = strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' {
				return -1
			}
			return c
		}, strings.ToLower(s))
		return strings.Join(strings.Fields(s), " ")
	}
	return plain(a) == plain(b)
}

// do does an action. One that is like an act in doubt is held back by the user's channel
// before anything is sent; then the user is asked, and it is looked at, judged
// and done anew, or denied.
func (o Options) do(ctx context.Context, call action.Call, pageURL string) action.Result {
	res := o.Executor.Do(ctx, call)
	for res.Err != nil && errors.Is(res.Err, errDoubted) && ctx.Err() == nil {
		x := o.User.takeHeldAct()
		if x == nil {
			return res
		}
		ans, err := o.User.askAgain(ctx, x, pageURL)
		if err != nil || !ans.Allow {
			text := prompts.Notice(prompts.NotAgain, o.Lang, stepWords(x.act))
			if ans.Note != "" {
				text += " " + prompts.Notice(prompts.UserSaid, o.Lang, ans.Note)
			}
			res.Err = &action.Error{Code: action.Denied, Message: text, Err: err}
			res.Text = text
			return res
		}
		res = o.Executor.Do(ctx, call)
	}
	return res
}

// takeHeldAct is the doubt for which the last act was held back.
func (d *UserChannel) takeHeldAct() *uncertainAct {
	d.mu.Lock()
	defer d.mu.Unlock()
	x := d.held
	d.held = nil
	return x
}
