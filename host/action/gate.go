package action

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"tabwright/safety"
)

const (
	// maxChanged is how often a question is asked again because its act has changed,
	// before the task must pause.
	maxChanged = 3
	// maxMoved is how often an act is tried again after the guard stopped its
	// input, if the gate passes it without a question.
	maxMoved = 3
	// byPolicy is Answer.By if no user was asked: --confirm allow or deny.
	byPolicy = "policy"
)

// attempt is an act on its way through the gate, with the questions and answers so
// far.
type attempt struct {
	gatedStep
	allowed      string           // what the last yes is bound to
	once         []safety.Consent // what that yes covers for the rest of the task
	asked, moved int
	notified     bool
	pressed      *element // the element that handled the press itself, as it was before
	wrote        *element // the field that may hold a part of the text
	waited       bool     // for the target to be enabled
}

// assessment is one look at an act, with the gate's decision on it.
type assessment struct {
	aim *element
	act safety.Act
	d   safety.Decision
	x   safety.Crossing
	// deed is what the act would commit, refused the same deed if the user refused it before.
	deed    safety.Deed
	refused *safety.Deed
}

// withGate is the one way to the browser: look, judge, ask, look again, tell the
// watcher, do. Nothing is sent before the user allowed exactly what look
// found last.
func (r *run) withGate(ctx context.Context, p gatedStep) *Error {
	g := &attempt{gatedStep: p}
	for {
		at, err := r.resolveAndJudge(ctx, p)
		if err == nil && g.wrote != nil && at.aim.node() != g.wrote.node() {
			err = r.staleError(ctx, g.wrote, "something else is there now")
		}
		if err != nil {
			return g.withProgress(err)
		}
		if r.dry != nil {
			return r.explain(p, at)
		}
		if err := r.endAfterPress(ctx, g, at); err != nil {
			return err
		}
		again, err := r.authorize(ctx, g, at)
		if err != nil && err.Code == Denied {
			err.Message = "nothing was done, as it would " + wouldDo[at.d.Class] + ": " + err.Message
		}
		if err == nil && !again {
			again, err = r.execute(ctx, g, at)
		}
		if err != nil || !again {
			return err
		}
	}
}

// resolveAndJudge resolves the target, and has the gate judge the act.
func (r *run) resolveAndJudge(ctx context.Context, p gatedStep) (assessment, *Error) {
	r.brief = false
	a, act, err := p.look(ctx)
	if err != nil {
		return assessment{}, err
	}
	r.s.markOpener(&act)
	r.recordTarget(a, act)
	r.res.Secret = r.res.Secret || a != nil && a.facts.Secret != ""
	r.enters = strings.HasSuffix(act.Key, "Enter")
	d, x, err := r.judge(ctx, a, act)
	at := assessment{aim: a, act: act, d: d, x: x, deed: r.deedOf(act, d)}
	r.weigh(&at)
	return at, err
}

// authorize tells whether the act may be done; again says that the user was asked
// and the page must be looked at again. An error is a no.
func (r *run) authorize(ctx context.Context, g *attempt, at assessment) (again bool, err *Error) {
	r.res.Level = max(r.res.Level, at.d.Level)
	if at.d.Level == safety.Block {
		r.auditOr(Audited{Kind: "blocked", Decision: at.d}, g.gatedStep, at.act)
		return false, notAllowed(at.d)
	}
	if at.refused != nil {
		if way, ok := at.deed.WayTo(*at.refused); ok {
			r.s.remember(way, way.Word)
		}
		return false, deniedError(*at.refused, saidBefore)
	}
	if at.d.Level == safety.Confirm {
		if b := bindingOf(at.aim, at.act, at.d) + formKey(r.sending); b != g.allowed {
			if g.asked > maxChanged {
				return false, &Error{Code: NeedsConfirmation, Message: "the page changed each time the user was asked; the task must pause", Data: at.d, Err: ErrKeepsChanging}
			}
			if again, err := r.waitUntilEnabled(ctx, g, at.aim); again || err != nil {
				return again, err
			}
			r.s.learnOpener(at)
			if err := r.ask(ctx, g.gatedStep, at, g.asked > 0); err != nil {
				return false, err
			}
			g.allowed, g.once = b, at.d.Once
			g.asked++
			return true, nil // the page had all the time of the question to change
		}
	}
	if at.d.Level == safety.Notify && !g.notified && r.s.o.Watcher != nil {
		g.notified = true
		in := inEach(func(lang string) string { return notice(lang, *r.object, r.res, g.gatedStep, at.d) })
		r.s.o.Watcher.Notify(ctx, in[r.s.o.Lang], in)
	}
	return false, nil
}

// execute does the act. again says that the guard stopped its input, because the
// judged facts have changed.
func (r *run) execute(ctx context.Context, g *attempt, at assessment) (again bool, err *Error) {
	if err := r.auditAct(g.gatedStep, at.act, at.d); err != nil {
		return false, err
	}
	if err := r.tellStarted(ctx, g.gatedStep, at.aim, at.d.Level); err != nil {
		return false, err
	}
	r.exact = at.d.Level >= safety.Confirm
	r.notePress(at, g.asked > 0 && r.byUser)
	r.armRequestHold(g.gatedStep, at)
	if t := at.act.Target; t != nil && r.h != nil && t.Role != "dialog" {
		r.h.acted = cmp.Or(t.Name, t.Text, t.Value)
	}
	err = g.do(ctx, at.aim)
	if err == errMoved && r.answered && r.isRenamed(ctx, at) {
		r.pressDone, r.answered, err = at.aim, false, nil
	}
	if bad := r.recorded(); err == nil {
		err = bad
	}
	if err == nil {
		r.s.keepConsents(g.once)
		r.notePassed(at.act, at.d, at.x)
	}
	if err == errSends && (r.spec.Name == "type" || r.spec.Name == "select") {
		// The field holds the text, which can't be written once more.
		return false, &Error{
			Code: Blocked, Message: "the value stands in the field; the page was about to send a form with it, which was stopped",
			Hint: "If the form is to be sent, click its button: the user is asked then.",
		}
	}
	if err != errMoved && err != errSends {
		return false, err
	}
	if r.answered {
		g.pressed, r.answered = at.aim, false
	}
	if r.part != nil {
		g.wrote, r.part = r.part, nil
	}
	if g.moved++; g.moved > maxMoved {
		return false, g.withProgress(&Error{Code: StaleRef, Message: "the page keeps changing what this would do"})
	}
	return true, nil
}

// judge asks the gate, and returns what the act would carry beyond its page. The
// page's text is read only if the judgement depends on it: on a long page reading
// takes longer than the rest. The critic comes last, so that no model is asked
// about an act that the user is asked about anyway.
func (r *run) judge(ctx context.Context, a *element, act safety.Act) (safety.Decision, safety.Crossing, *Error) {
	acts := r.judgements(act)
	reads := func(act safety.Act) bool { return safety.ReadsPage(act, r.s.rules()) }
	if r.brief && slices.ContainsFunc(acts, reads) {
		page, err := r.facts(ctx, a)
		if err != nil {
			return safety.Decision{}, safety.Crossing{}, err
		}
		for i := range acts {
			acts[i].Page = page
		}
	}
	d := safety.Judge(acts[0], r.s.rules())
	for _, more := range acts[1:] {
		d = stricter(d, safety.Judge(more, r.s.rules()))
	}
	x := r.crossingOf(acts[0], d)
	d.Cross(acts[0], r.s.rules(), x)
	return r.askCritic(ctx, acts[0], d), x, nil
}

// judgements returns the acts that an act is judged as; the strictest answer
// counts. Agreeing to a dialog is judged by its text and as a click on a button of
// that name, a download by its file and by the click that begins it. A form that
// the page was about to send with the act is judged as sent. An alert has only one
// answer, which agrees to nothing.
func (r *run) judgements(act safety.Act) []safety.Act {
	out := []safety.Act{act}
	if act.Target != nil && (act.Action == "handleDialog" && act.Target.Type != "alert" || act.Action == "download") {
		button := act
		button.Action = "click"
		out = append(out, button)
	}
	if r.sending != nil {
		out = append(out, actOfSending(act, *r.sending))
	}
	return out
}

func stricter(a, b safety.Decision) safety.Decision {
	if b.Level > a.Level {
		a, b = b, a
	}
	a.Unproven(b)
	return a
}

// recordTarget writes the target into the result.
func (r *run) recordTarget(a *element, act safety.Act) {
	site := act.Page.URL
	if a != nil {
		r.res.Target = a.String()
		site = a.frame.URL()
	}
	if host := siteOf(site); host != "" {
		r.res.Site = host
	}
}

// tellStarted tells the watcher; after its error, or an error of recorded, nothing
// may be sent.
func (r *run) tellStarted(ctx context.Context, p gatedStep, a *element, l safety.Level) *Error {
	r.recorded = func() *Error { return nil }
	if r.s.o.Watcher == nil || !r.spec.MayChange {
		return nil // reading sends nothing that could be left half done
	}
	target := r.res.Target
	if target == "" {
		target = p.what
	}
	call := r.call
	call.Params = r.cardParams(a) // the journal keeps it
	call.Leads = r.leads(a, l)
	site, done := r.res.Site, make(chan *Error, 1)
	go func() {
		if err := r.s.o.Watcher.OnActStart(ctx, call, target, site, l); err != nil {
			done <- wrap("record the step before it is done", err)
		}
		close(done)
	}()
	r.recorded = sync.OnceValue(func() *Error { return <-done })
	if p.guarded {
		return nil
	}
	return r.recorded()
}

// leads returns the address that a click on a plain link opens; "" if the act does
// more than fetch that page, or may.
func (r *run) leads(a *element, l safety.Level) string {
	if r.spec.Name != "click" || a == nil || l != safety.Auto {
		return ""
	}
	t := a.facts
	if t.Tag != "a" || t.Href == "" || t.HasHandler || t.SubmitsForm || t.Editable {
		return ""
	}
	page, _, _ := strings.Cut(t.FrameURL, "#")
	to, d := safety.CheckURL(t.Href, r.s.rules())
	if bare, _, _ := strings.Cut(to, "#"); d.Level != safety.Auto || bare == page {
		return ""
	}
	return to
}

// show outlines the target of a card in the middle of its tab, and does not bring
// the tab to the front. The user is asked even if outlining fails.
func (r *run) show(ctx context.Context, a *element) (hide func()) {
	if a == nil || r.tab.Dialog() != nil {
		return func() {}
	}
	// A target given by a point, or held, would move away from the mouse.
	if a.point != nil || r.h.pressed != nil || r.spec.Name == "dragDrop" {
		r.s.o.Log.Debug().Msg("the target stays where it is")
	} else if bad := r.bringIntoView(ctx, a.frame, a.id); bad != nil {
		r.s.o.Log.Debug().Err(bad).Msg("could not scroll to the target")
	}
	hide, err := r.tab.Highlight(ctx, a.frame, a.id)
	if err != nil {
		r.s.o.Log.Debug().Err(err).Msg("could not outline the target")
		return func() {}
	}
	return hide
}

// ask puts the card before the user, with the target in sight and outlined.
func (r *run) ask(ctx context.Context, p gatedStep, at assessment, changed bool) *Error {
	a, act, d := at.aim, at.act, at.d
	target := r.res.Target
	if target == "" {
		target = p.what
	}
	if r.s.o.Confirmer == nil {
		return &Error{Code: Denied, Message: "this needs the user's word, and nobody can be asked", Data: d}
	}
	defer r.show(ctx, a)()
	if err := r.audit(Audited{Kind: "asked", Decision: d}, p, act); err != nil {
		return err
	}
	resume := r.bound.pause()
	defer resume()
	answer, err := r.s.o.Confirmer.Confirm(ctx, Card{
		Action: r.spec.Name, Params: r.cardParams(a), Target: target, Site: r.res.Site, URL: safety.HideInAddresses(act.Page.URL),
		Decision: d, Details: d.Details, Question: safety.QuestionOf(act, d), Changed: changed,
	})
	if err := r.audit(Audited{Kind: "answer", Decision: d, Answer: answer}, p, act); err != nil && answer.Allow {
		return err // a yes that can't be recorded is a no
	}
	switch {
	case err != nil && (ctx.Err() != nil || errors.Is(err, context.Canceled)),
		!answer.Allow && answer.By == "limit" && ctx.Err() != nil: // withdrawn: nobody has said no
		return &Error{Code: Timeout, Message: "stopped while the user was being asked", Err: err}
	case err != nil:
		return &Error{Code: Denied, Message: "the user could not be asked: " + err.Error(), Data: d, Err: err}
	case answer.Allow && answer.By == byPolicy && r.fill != nil:
		// --confirm allow speaks of the browser's own acts, not of the vault.
		return &Error{
			Code: Denied, Message: "a stored secret is filled in only after a user's own yes, and nobody is asked here",
			Hint: "Tell the user that it takes --confirm ask, or their own hand.", Data: d,
		}
	case answer.Allow:
		r.byUser = answer.By != byPolicy
		return nil
	}
	r.s.remember(at.deed, answer.Note != "")
	why := saidNo
	switch answer.By {
	case "limit":
		why = "nobody answered in time, which is a no"
	case "stop":
		why = "the task was stopped before an answer, which is a no"
	case byPolicy:
		why = saidByPolicy
	}
	if answer.Note != "" {
		why += ": " + answer.Note
	}
	return deniedError(at.deed, why)
}

// cardParams returns the parameters as a card may show them: text for a secret
// field is masked, because cards are kept.
func (r *run) cardParams(a *element) json.RawMessage {
	var p map[string]any
	if a == nil || a.facts.Secret == "" || json.Unmarshal(r.call.Params, &p) != nil {
		return r.call.Params
	}
	for _, name := range []string{"text", "value"} {
		if v, ok := p[name].(string); ok {
			p[name] = shownText(a, v)
		}
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil
	}
	return b
}

// bindingOf returns what a user's yes is bound to: the node, the judged facts, and
// the amount and details on the card.
func bindingOf(a *element, act safety.Act, d safety.Decision) string {
	parts := []string{
		a.node(), a.serialText(), string(d.Class), d.Amount, strings.Join(d.Details, "\n"),
		act.Page.Dialog, act.URL, act.Key, act.Text, act.File, strings.Join(act.Files, "\n"),
	}
	for _, t := range []*safety.Target{act.Target, act.Drop} {
		if t != nil {
			parts = append(parts, t.Fingerprint, t.Role, t.Name)
		}
	}
	if act.Target == nil {
		parts = append(parts, act.Page.URL)
	}
	return strings.Join(parts, "\x00")
}
