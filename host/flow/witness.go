package flow

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/llm"
	"tabwright/pagecontext"
)

// session is what Hands needs of *action.Session.
type session interface {
	agent.Executor
	Shown(params json.RawMessage) (pagecontext.Entry, bool)
	Address() string
}

// Executor is a session whose steps are recorded in a trail, and whose answer is
// checked against the schema of Result. It has all other methods of the session.
type Executor struct {
	*action.Session
	Trail  *Trail
	Result *Structured // nil: any answer will do
}

// Do runs an action and records it in the trail.
func (h *Executor) Do(ctx context.Context, c action.Call) action.Result {
	res := witnessed(ctx, h.Session, h.Trail, c)
	if h.Result != nil {
		h.Result.read(h.Address(), "", res.Text)
		if res.Done != nil && res.Done.Success {
			h.Result.judge(&res)
		}
	}
	return res
}

// Observe looks at the page and keeps its text for Result.
func (h *Executor) Observe(ctx context.Context, o action.ObserveOptions) (action.Observation, error) {
	obs, err := h.Session.Observe(ctx, o)
	if err == nil && h.Result != nil {
		h.Result.read(obs.URL, obs.Title, obs.Text)
	}
	return obs, err
}

// witnessed does an action and writes its mark.
func witnessed(ctx context.Context, s session, t *Trail, c action.Call) action.Result {
	if t == nil {
		return s.Do(ctx, c)
	}
	m := Mark{Action: c.Name, Params: c.Params, From: s.Address()}
	e, known := s.Shown(c.Params)
	res := s.Do(ctx, c)
	m.Target = targetOf(e, known, c.Params, res.Target)
	m.Line, m.Effect, m.OK, m.Secret, m.To = res.Line, res.Effect, res.Err == nil, res.Secret, s.Address()
	m.Appeared = appeared(res.Appeared)
	if !res.Secret {
		m.Value = cut(res.Value, textMost)
	}
	if res.Err != nil {
		if res.Secret {
			t.hideParams(c.Params) // the model's call has the text all the same
		}
		m.Params = nil // the typed text may be a secret: only the target can tell
	}
	t.stepped(m)
	return res
}

const (
	textsMost = 4   // texts that came up, of a mark
	textMost  = 120 // characters of each
)

// appeared gives the first texts with four characters in a row that are no digits.
func appeared(texts []string) []string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); len([]rune(wordiest(t))) >= 4 && len(out) < textsMost {
			out = append(out, cut(t, textMost))
		}
	}
	return out
}

var described = regexp.MustCompile(`^([a-z]+) "(.*)"$`)

// targetOf names the target of an action: by its entry in the listing, else by the
// words of the result.
func targetOf(e pagecontext.Entry, known bool, params json.RawMessage, said string) *Target {
	if known {
		t := &Target{Role: e.Role, Name: e.Name, Context: e.Group}
		if t.Role == "" {
			t.Role = e.Tag
		}
		if t.Name != "" {
			return t
		}
	}
	var p action.Target
	_ = json.Unmarshal(params, &p) // what can't be read has no selector
	if m := described.FindStringSubmatch(said); m != nil && !strings.HasSuffix(m[2], "…") {
		return &Target{Role: m[1], Name: m[2], Context: e.Group}
	}
	if p.Selector != "" {
		return &Target{Selector: p.Selector}
	}
	if known {
		return &Target{Role: e.Role, Context: e.Group}
	}
	return nil
}

// WatchModel returns a model whose requests and replies are recorded in a trail.
func WatchModel(m agent.Model, t *Trail) agent.Model {
	if t == nil {
		return m
	}
	w := watched{Model: m, trail: t}
	if r, ok := m.(reporter); ok {
		return reporting{watched: w, reporter: r}
	}
	return w
}

type reporter interface{ ReportBad(reply *llm.Reply) }

// ReportRead records the calls that the loop read in the last reply, or its error.
func (w watched) ReportRead(calls []llm.Call, err error) { w.trail.read(calls, err) }

type watched struct {
	agent.Model
	trail *Trail
}

type reporting struct {
	watched
	reporter
}

// Await waits for a model that is being loaded.
func (w watched) Await(ctx context.Context, sink func(llm.Delta)) error {
	if m, ok := w.Model.(interface {
		Await(ctx context.Context, sink func(llm.Delta)) error
	}); ok {
		return m.Await(ctx, sink)
	}
	return nil
}

// Chat asks the model and records its newest message and its reply.
func (w watched) Chat(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Reply, error) {
	began := time.Now()
	reply, err := w.Model.Chat(ctx, r, sink)
	m := Mark{Millis: time.Since(began).Milliseconds()}
	if n := len(r.Messages); n > 0 {
		last := r.Messages[n-1]
		m.Saw = last.PlainText()
		for _, p := range last.Parts {
			m.Picture = m.Picture || len(p.Image) > 0
		}
	}
	if reply != nil {
		m.Said, m.Calls, m.Usage, m.Way = strings.TrimSpace(reply.Text), append([]llm.Call(nil), reply.Calls...), reply.Usage, reply.Way
	}
	if err != nil {
		m.Failed = err.Error()
	}
	w.trail.looked(m)
	return reply, err
}
