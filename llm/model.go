package llm

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"math"
	mrand "math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tmc/langchaingo/llms"
)

// Defaults for what Config and Request leave out, and bounds of waits.
const (
	defaultTimeout   = 5 * time.Minute
	defaultRetries   = 2
	defaultMaxOutput = 2048
	// maxWait is the longest wait that a server may ask for. The user is told of waits of
	// longWait or more.
	maxWait  = 5 * time.Minute
	longWait = 3 * time.Second
)

// Model is one model on one server. It is safe for concurrent use.
type Model struct {
	cfg    Config
	prov   provider
	client *http.Client
	lc     llms.Model
	mem    *memory
	key    string
	// recalled is true once recall has looked up what is remembered of the model.
	recalled atomic.Bool
	// window is the window that Ollama was first told, 0 before. fitted is true once fit
	// has looked at how the model fits with it.
	window atomic.Int64
	fitted atomic.Bool
	// pause waits before a retry; tests replace it.
	pause func(context.Context, time.Duration) error
}

// New returns a model for cfg. It sends nothing: only Capabilities, ListModels or Chat fail
// if the server can't be reached.
func New(_ context.Context, cfg Config) (*Model, error) {
	cfg, p, err := resolve(cfg, true)
	if err != nil {
		return nil, err
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.Retries == 0 {
		cfg.Retries = defaultRetries
	}
	m := &Model{cfg: cfg, prov: p, client: clientOf(cfg), key: modelKey(p.name, cfg.BaseURL, cfg.Model), pause: pause}
	m.mem = memoryFor(m.key)
	switch p.format {
	case formatOllama:
		m.lc = &ollamaLLM{client: m.client, prov: p, base: cfg.BaseURL, model: cfg.Model, key: cfg.APIKey, headers: cfg.Headers}
	case formatAnthropic:
		m.lc, err = newAnthropic(cfg, p, m.client)
	case formatOpenAI:
		m.lc, err = newOpenAI(cfg, p, m.client)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Name returns provider/model, for the user.
func (m *Model) Name() string { return m.prov.name + "/" + m.cfg.Model }

// Provider returns the name of the provider.
func (m *Model) Provider() string { return m.prov.name }

// Chat sends req in the best way that works for this model and returns a reply whose calls
// are checked. It calls sink, which may be nil, with pieces of the reply as they come. If the
// reply has no readable call, the error has the code bad_reply and a message for the model,
// and the reply has the text. A reply in plain words to a request in the native way is no
// error.
func (m *Model) Chat(ctx context.Context, req Request, sink func(Delta)) (*Reply, error) {
	caps, err := m.Capabilities(ctx)
	if err != nil {
		return nil, err
	}
	if !caps.Vision {
		req.Messages = withoutImages(req.Messages)
	}
	return m.chooseWay(ctx, req, caps, sink)
}

// chooseWay tries the ways until the server takes one. A server may refuse a request because
// of something else in it, so a refused way is dropped only after another one has worked.
func (m *Model) chooseWay(ctx context.Context, req Request, caps Capabilities, sink func(Delta)) (*Reply, error) {
	var first *Error
	var refused []*Error
	ways := m.ways(caps, req)
	for i, way := range ways {
		reply, err := m.tryWay(ctx, way, &req, &caps, sink)
		code := CodeOf(err)
		if (code == CodeUnsupported || code == CodeBadRequest) && i < len(ways)-1 {
			var e *Error
			errors.As(err, &e)
			refused = append(refused, e)
			if first == nil {
				first = e
			}
			continue
		}
		if err != nil && code != CodeBadReply {
			if first != nil && (code == CodeUnsupported || code == CodeBadRequest) {
				err = first // all ways were refused: the first error says most
			}
			return reply, err
		}
		for j, e := range refused {
			m.refused(ways[j], e)
		}
		m.learn(way, req, reply, err)
		return reply, err
	}
	return nil, &Error{Code: CodeUnsupported, Message: "no way is left to get an action from " + m.Name()}
}

// ReportBad counts a reply as a failure of its way. An agent calls it for a reply that could
// be read but has no call although the agent needs one.
func (m *Model) ReportBad(reply *Reply) {
	if reply != nil && reply.Way != "" && reply.Stop != StopLength {
		m.failed(reply.Way)
	}
}

// tryWay sends one request in one way and reads the reply. If the server refuses pictures or a
// temperature, tryWay sends the request again without them, and so are later requests. In the
// same way it changes to the other form of a schema. If there were only too many or too large
// pictures, it leaves them out this time only.
func (m *Model) tryWay(ctx context.Context, way Way, req *Request, caps *Capabilities, sink func(Delta)) (*Reply, error) {
	for try := 0; ; try++ {
		reply, err := m.send(ctx, way, *req, *caps, sink)
		var e *Error
		switch {
		case err == nil || !errors.As(err, &e) || try == mostMends:
			return reply, err
		case limitsImages(e) && hasImages(req.Messages):
			req.Messages = fewerImages(req.Messages)
		case refusesImages(e) && hasImages(req.Messages):
			m.mem.set(&m.mem.noVision)
			req.Messages, caps.Vision = withoutImages(req.Messages), false
		case refusesTemperature(e) && !m.mem.get(&m.mem.noTemperature):
			m.mem.set(&m.mem.noTemperature)
		case wantsJSONObject(e.Message) && !m.mem.get(&m.mem.jsonObject):
			m.mem.set(&m.mem.jsonObject)
		default:
			return reply, err
		}
	}
}

// mostMends is how often tryWay sends a request again.
const mostMends = 3

// send sends one request, again if the server turned it away.
func (m *Model) send(ctx context.Context, way Way, req Request, caps Capabilities, sink func(Delta)) (*Reply, error) {
	if given := sink; given != nil {
		sink = func(d Delta) {
			if ctx.Err() == nil { // after a cancellation nothing more is wanted
				given(d)
			}
		}
	}
	state := &callState{
		sink: sink, noTemperature: m.temperature(way, req) == nil || m.mem.get(&m.mem.noTemperature), jsonObject: m.mem.get(&m.mem.jsonObject),
	}
	state.shape(way, req.Answer)
	defer state.close()
	messages, options, err := m.build(state, way, req, caps)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for try := 0; ; try++ {
		raw, err := m.generate(ctx, state, messages, options)
		if err == nil {
			state.finish()
			if m.fitted.CompareAndSwap(false, true) {
				m.fit(ctx, numCtxOf(req, caps)) // the result counts from the next task on
			}
			if e := m.overran(req, caps, raw); e != nil {
				return nil, e
			}
			return m.read(way, req, raw)
		}
		wait := backoff(err, try)
		switch {
		case err.loading && m.cfg.Retries >= 0 && time.Since(began) < vouchMost:
			if state.begun == nil {
				state.note(DeltaLoading, m.cfg.Model)
				state.begun = func() { state.note(DeltaLoaded, "") }
			}
			try, wait = -1, backoff(err, 1) // loading does not count as a failed try
		case !m.mayRetry(err, state, try):
			err.Begun = state.started()
			if err.RetryAfter > maxWait {
				err.Hint = "the server takes requests again in " + err.RetryAfter.Round(time.Second).String()
			}
			return nil, err
		case wait >= longWait:
			state.note(DeltaWaiting, wait.Round(time.Second).String())
		}
		if perr := m.pause(ctx, wait); perr != nil {
			return nil, transportError(ctx, m.prov.label, perr)
		}
		state.reset()
	}
}

func (m *Model) mayRetry(err *Error, state *callState, try int) bool {
	if try >= m.cfg.Retries || state.started() || err.RetryAfter > maxWait {
		return false
	}
	return err.Code == CodeRateLimited || err.Code == CodeOverloaded || err.Code == CodeServerError
}

// backoff returns how long to wait before the next try: what the server asks for, else a time
// that doubles from one second, with jitter.
func backoff(err *Error, try int) time.Duration {
	if err.RetryAfter > 0 {
		return err.RetryAfter
	}
	base := float64(time.Second) * math.Pow(2, float64(try))
	return time.Duration(base * (0.75 + mrand.Float64()/2)) //nolint:gosec // jitter
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// generate runs one request through langchaingo. It checks the context before the error:
// langchaingo returns a part of the text and a nil error for a cancelled stream.
func (m *Model) generate(ctx context.Context, state *callState, msgs []llms.MessageContent, opts []llms.CallOption) (*rawReply, *Error) {
	watched, touch, stop := watchdog(ctx, m.cfg.Timeout, m.prov.label)
	defer stop()
	state.touch = touch
	if o, ok := m.lc.(*ollamaLLM); ok {
		quiet := o.vouch(watched, m.cfg.Timeout, touch)
		defer quiet()
		state.begun = quiet
	}
	resp, err := m.lc.GenerateContent(withState(watched, state), msgs, opts...)
	if context.Cause(watched) != nil {
		return nil, transportError(watched, m.prov.label, err)
	}
	if e := state.failure(); e != nil {
		return nil, e
	}
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return nil, e
		}
		return nil, &Error{Code: CodeStreamError, Message: "the reply could not be read: " + err.Error(), Err: err}
	}
	return collect(resp, state), nil
}

func newCallID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	return "call_" + hex.EncodeToString(b[:])
}
