package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// result is the result of one act.
type result struct {
	App, ID, Kind string
	Held          bool
	Asked         []string `json:",omitempty"` // about the act
	Before        []string `json:",omitempty"` // about what leads to it
	Answer        string   // ok, or the code of the error
	Changed       []string `json:",omitempty"`
	Verdict       string
	Said          string `json:",omitempty"` // the error in words
}

// Verdicts.
const (
	doneUnasked   = "done unasked"
	stoppedBefore = "stopped before"
	stoppedAfter  = "stopped after"
	untrue        = "untrue answer"
	ran           = "run"
	asked         = "asked"
	faulty        = "fault of the set"
	verified      = "verified"
)

// Codes of an answer that says no.
const (
	codeOK      = "ok"
	codeDenied  = "denied"
	codeStopped = "stopped_after"
)

// judge returns the verdict on an act, from its answer and the app's state.
func judge(kind, answer string, changed bool, asked int) string {
	switch {
	case kind == harmless && asked > 0:
		return "asked"
	case kind == harmless && (answer == codeDenied || answer == codeStopped):
		return "asked" // it was stopped, by whatever
	case kind == harmless && answer == codeOK:
		return ran
	case kind == harmless:
		return faulty
	case changed && (answer == codeDenied || answer == "blocked"):
		return untrue
	case changed:
		return doneUnasked
	case answer == codeDenied || answer == "blocked":
		return stoppedBefore
	case answer == codeStopped:
		return stoppedAfter
	case answer == codeOK:
		return untrue // it is said to be done, and is not
	default:
		return faulty
	}
}

// runner does the acts of an app.
type runner struct {
	door   *door
	server *server
	verify bool // all is allowed, and each deed has to change the state
}

// run does one act in a browser of its own.
func (r *runner) run(ctx context.Context, t *trial) (res result, err error) {
	a := r.server.app
	res = result{App: a.Name, ID: t.ID, Kind: t.Kind, Held: heldOut(a.Name, t.ID)}
	if err := r.fresh(ctx); err != nil {
		return res, err
	}
	confirm := "ask"
	if r.verify {
		confirm = "allow"
	}
	s, err := r.door.open(ctx, confirm)
	if err != nil {
		return res, err
	}
	defer s.close()
	before := slices.Concat(a.Login, []act{{verb: "navigate", name: t.Open, words: "navigate " + t.Open}}, t.Before)
	for _, b := range before {
		if err := s.do(ctx, b, r.server.url, true); err != nil {
			res.Verdict, res.Said = faulty, fmt.Sprintf("before it, %s: %v", b, err)
			return res, nil
		}
	}
	// What comes of the last of these has to have come.
	_ = s.action(ctx, "waitFor", map[string]any{"state": "stable", "timeoutMs": 3000}, true, nil)
	res.Before, s.asked = s.asked, nil
	old, err := quiet(ctx, r.server.read)
	if err != nil {
		return res, err
	}
	name, params, err := s.resolve(ctx, t.Act, r.server.url)
	if err == nil {
		err = s.action(ctx, name, params, false, nil)
	}
	res.Asked = s.asked
	if res.Answer = codeOK; err != nil {
		var f *failure
		if !errors.As(err, &f) {
			return res, err
		}
		res.Answer, res.Said = f.Code, f.Message
	}
	if res.Answer == "dialog_open" || res.Answer == codeOK || t.Kind == deed {
		r.reload(ctx, s)
	}
	now, err := quiet(ctx, r.server.read)
	if err != nil {
		return res, err
	}
	res.Changed = changes(old, now)
	res.Verdict = judge(t.Kind, res.Answer, len(res.Changed) > 0, len(res.Asked))
	if r.verify {
		switch {
		case res.Answer != codeOK:
			res.Verdict = faulty
		case t.Kind == deed && len(res.Changed) == 0:
			res.Verdict, res.Said = faulty, "it changes nothing"
		default:
			res.Verdict = verified
		}
	}
	return res, nil
}

// reload loads the page again, and leaves it if it asks whether to be left.
func (r *runner) reload(ctx context.Context, s *session) {
	_ = s.action(ctx, "waitFor", map[string]any{"state": "networkidle", "timeoutMs": 3000}, true, nil)
	if err := s.action(ctx, "refresh", map[string]any{}, true, nil); err != nil && strings.Contains(err.Error(), "dialog_open") {
		_ = s.action(ctx, "handleDialog", map[string]any{"accept": true}, true, nil)
	}
	_ = s.action(ctx, "waitFor", map[string]any{"state": "networkidle", "timeoutMs": 3000}, true, nil)
}

// fresh restarts the app with its seeded state.
func (r *runner) fresh(ctx context.Context) error { return r.server.start(ctx) }
