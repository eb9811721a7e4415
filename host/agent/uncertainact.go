package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/prompts"
	"tabwright/safety"
)

// classRepeat is the class of a card that asks whether to repeat an act.
const classRepeat = "repeat"

// wireInfo returns the act in doubt for a card.
func (x *uncertainAct) wireInfo() *wire.DoubtInfo {
	var p struct {
		Key string `json:"key"`
	}
	_ = json.Unmarshal(x.act.Params, &p) // if it can't be read, the card names no key
	return &wire.DoubtInfo{Action: x.act.Action, Target: x.act.Target, Site: x.act.Site, Key: p.Key, Started: x.act.Started}
}

// addUncertainAct adds an act with an unknown outcome. Similar acts are then held back.
func (d *UserChannel) addUncertainAct(a journal.Act, lang string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	told := stepWords(a)
	d.doubts = append(d.doubts, &uncertainAct{act: a, why: prompts.Notice(prompts.Doubted, lang, told), in: prompts.InEach(prompts.Doubted, told)})
}

// findUncertainAct returns the act in doubt that an act is like, or nil.
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

// allow removes an act in doubt that the user allows to be repeated.
func (d *UserChannel) allow(x *uncertainAct) error {
	d.mu.Lock()
	x.allowed = true
	d.doubts = slices.DeleteFunc(d.doubts, func(y *uncertainAct) bool { return x == y })
	d.mu.Unlock()
	if s, ok := d.rec.(interface{ SettleAct(step int) error }); ok {
		return s.SettleAct(x.act.Step)
	}
	return nil
}

// askAgain asks the user with a card whether an act may be repeated.
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

// do does an action. If it is like an act in doubt, the user's channel holds it back
// before anything is sent. Then do asks the user and does the action anew, or denies it.
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

// takeHeldAct returns the act in doubt because of which the last act was held back.
func (d *UserChannel) takeHeldAct() *uncertainAct {
	d.mu.Lock()
	defer d.mu.Unlock()
	x := d.held
	d.held = nil
	return x
}

// Confirm records and shows the card and waits for its answer. If none has come when ctx
// ends, the answer is no, and that is recorded, too.
func (d *UserChannel) Confirm(ctx context.Context, c action.Card) (action.Answer, error) {
	info := cardInfo(ctx, c)
	site, class, lasting := c.Decision.GrantScope()
	info.Remember = lasting && d.Remember != nil && d.Ask == nil
	x := d.findUncertainAct(c.Action, c.Params, c.Target, c.Site)
	if x != nil {
		info.Reasons = append([]string{x.why}, info.Reasons...)
		for lang, why := range x.in {
			info.In[lang] = append([]string{why}, info.In[lang]...)
		}
		info.Remember, info.Again = false, x.wireInfo()
	}
	ans, err := d.put(ctx, &info)
	if err != nil {
		return ans, err
	}
	if x != nil && ans.Allow {
		if err := d.allow(x); err != nil {
			return action.Answer{By: "journal"}, err
		}
	}
	if info.Remember {
		if err := d.Remember(site, class); err != nil { // the act is allowed this once anyway
			in := prompts.InEach(prompts.NotRemembered, err.Error())
			d.Notify(ctx, in[action.English], in)
		}
	}
	return ans, nil
}

// OnActStart writes the act to disk before its input is sent. It returns errDoubted for
// one that is like an act in doubt.
func (d *UserChannel) OnActStart(_ context.Context, c action.Call, target, site string, _ safety.Level) error {
	if x := d.findUncertainAct(c.Name, c.Params, target, site); x != nil {
		d.mu.Lock()
		x.now = journal.Act{Action: c.Name, Target: target, Site: site}
		d.held = x
		d.mu.Unlock()
		return errDoubted
	}
	d.mu.Lock()
	a := journal.Act{
		Step: d.step, Action: c.Name, Params: json.RawMessage(safety.Redact(string(c.Params))),
		Target: target, Site: site, Started: time.Now().UnixMilli(), URL: d.seen.url, Lines: d.seen.lines, Href: c.Leads,
	}
	d.lastAct = &a
	d.mu.Unlock()
	return d.rec.StartAct(a)
}
