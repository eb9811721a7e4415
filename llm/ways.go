package llm

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// maxFailures is after how many failures in a row a way is dropped for the next best.
const maxFailures = 2

var allWays = []Way{WayNative, WaySchema, WayMarkdown}

// ways returns the ways to try for a request, best first.
func (m *Model) ways(caps Capabilities, req Request) []Way {
	if len(req.Tools) == 0 {
		return []Way{WayNative} // nothing to call: plain conversation
	}
	m.mem.mu.Lock()
	best := m.mem.best
	m.mem.mu.Unlock()
	var out []Way
	for _, w := range allWays {
		switch {
		case w == WayNative && (!caps.Tools || m.prefersSchema(caps)), w == WaySchema && !m.prov.schema:
			continue
		case rank(w) < rank(best) && !(w == WayNative && m.cfg.Tools != nil):
			continue
		}
		out = append(out, w)
	}
	return out
}

// prefersSchema reports whether a model is asked with a schema first, although its server
// says that it takes tools: below two billion parameters models write a call as text, or call
// actions that do not exist (docs/models.md, "Model sizes").
func (m *Model) prefersSchema(caps Capabilities) bool {
	return caps.Size == SizeTiny && m.prov.schema && m.cfg.Tools == nil
}

func rank(w Way) int {
	for i, x := range allWays {
		if x == w {
			return i
		}
	}
	return 0
}

// learn counts a reply for or against a way. A reply that was cut off at the limit of its
// length does not count, and neither does a native reply without a call, which may be just
// talk.
func (m *Model) learn(way Way, req Request, reply *Reply, err error) {
	if req.Aside || reply != nil && reply.Stop == StopLength || err == nil && (len(req.Tools) == 0 || len(reply.Calls) == 0) {
		return
	}
	if err != nil {
		m.failed(way)
		return
	}
	if way == WayNative && asText(reply) {
		m.failed(way)
		return
	}
	m.mem.mu.Lock()
	m.mem.failures[way] = 0
	m.mem.mu.Unlock()
}

// mendAsText marks a call that a model wrote as text in the native way: the call was read, but
// it counts as a failure of the way.
const mendAsText = "the call was written as text"

func asText(reply *Reply) bool {
	for _, s := range reply.Mends {
		if s == mendAsText {
			return true
		}
	}
	return false
}

func (m *Model) failed(way Way) {
	m.mem.mu.Lock()
	m.mem.failures[way]++
	enough := m.mem.failures[way] >= maxFailures
	m.mem.mu.Unlock()
	if enough {
		m.drop(way)
	}
}

// drop replaces way by the next best for good. It never drops the last way.
func (m *Model) drop(way Way) {
	next := rank(way) + 1
	if next < len(allWays) && allWays[next] == WaySchema && !m.prov.schema {
		next++
	}
	if next >= len(allWays) {
		return
	}
	m.mem.mu.Lock()
	changed := rank(m.mem.best) < next
	if changed {
		m.mem.best = allWays[next]
	}
	build := m.mem.build
	m.mem.mu.Unlock()
	if changed && m.cfg.Ways != nil {
		m.cfg.Ways.SaveWay(m.key, build, allWays[next])
	}
}

// refused drops a way that the server says it does not support. It counts any other refusal
// as a failure of the way.
func (m *Model) refused(way Way, e *Error) {
	if e.Code == CodeUnsupported {
		m.drop(way)
	} else {
		m.failed(way)
	}
}

// Way returns the way that the next request with tools would take.
func (m *Model) Way(caps Capabilities) Way {
	ways := m.ways(caps, Request{Tools: []Tool{{}}})
	return ways[0]
}

// temperature returns the temperature of a request: the user's, else 0 for a form that wants
// the likeliest reply, else nil, which leaves it to the model.
func (m *Model) temperature(way Way, req Request) *float64 {
	if m.cfg.Temperature == nil && way == WaySchema && req.Form != nil && req.Form.Greedy {
		return new(float64)
	}
	return m.cfg.Temperature
}

// build returns langchaingo's messages and options for a request in a way.
func (m *Model) build(state *callState, way Way, req Request, caps Capabilities) ([]llms.MessageContent, []llms.CallOption, error) {
	system, messages := req.System, req.Messages
	maxOutput := req.MaxOutput
	if maxOutput <= 0 {
		maxOutput = defaultMaxOutput // never without a bound: small models may write forever
	}
	var opts []llms.CallOption
	if t := m.temperature(way, req); t != nil {
		opts = append(opts, llms.WithTemperature(*t))
	}
	sent := req
	if len(req.Tools) > 0 && way != WayNative {
		note, ok := req.Notes[way]
		if !ok {
			note = instructions(way, req.Tools)
		}
		system = strings.TrimSpace(system + "\n\n" + note)
		if way == WaySchema && req.Form != nil {
			system = req.Form.System
		} else {
			messages = flatten(messages, way, req.Tools)
		}
		sent = Request{System: system, Messages: messages}
	}
	if way == WaySchema && len(req.Tools) > 0 {
		schema, err := constrainedSchema(req.Tools, !req.NoThought)
		if req.Form != nil {
			schema, err = req.Form.Schema, nil
		}
		if err != nil {
			return nil, nil, err
		}
		state.schema, state.schemaName = schema, "action"
	}
	if way == WayNative {
		messages = pairCalls(messages)
		if len(req.Tools) > 0 {
			opts = append(opts, llms.WithTools(toTools(req.Tools)))
		}
	}
	if way == WayNative {
		sent.Tools = req.Tools
	}
	size := EstimateRequest(sent)
	switch m.prov.format {
	case formatOllama:
		o, err := m.ollamaOptions(way, req, caps, size, maxOutput)
		if err != nil {
			return nil, nil, err
		}
		opts = append(opts, o)
	case formatOpenAI:
		if m.prov.legacyMax {
			opts = append(opts, openai.WithLegacyMaxTokensField())
		}
		// Such a server counts thoughts as a part of the reply.
		room := thinkingReply
		if caps.Context > 0 {
			room = caps.Context - size
		}
		opts = append(opts, llms.WithMaxTokens(roomy(maxOutput, thinkingReply, room)), streaming)
	case formatAnthropic:
		opts = append(opts, llms.WithMaxTokens(maxOutput), streaming)
	}
	return toContent(m.prov.format, system, messages), opts, nil
}

// Bounds of thoughts, if a server counts them as a part of the reply.
const (
	mostThought   = 8192 // tokens of thoughts before a reply
	thinkingReply = 4096 // tokens of thoughts and reply together, if they can't be told apart in time
)

// roomy returns wish, but at most room, and at least least.
func roomy(least, wish, room int) int { return max(least, min(wish, room)) }

// read returns a reply whose calls are checked and in one form.
func (m *Model) read(way Way, req Request, raw *rawReply) (*Reply, error) {
	reply := &Reply{Text: raw.text, Reasoning: raw.reasoning, Usage: raw.usage, Way: way, Stop: raw.stop}
	if m.cfg.Price != nil {
		reply.Usage.Cost = nil // the user's own price goes first
	}
	thought, rest := splitReasoning(raw.text)
	if thought != "" {
		reply.Reasoning = strings.TrimSpace(reply.Reasoning + "\n" + thought)
	}
	if len(req.Tools) == 0 {
		// Without tools a server may still cut a call out of the text: put it back.
		reply.Text = strings.TrimSpace(rest + "\n" + asTags(raw.calls))
		return reply, nil
	}
	var err error
	switch {
	case len(raw.calls) > 0:
		err = readNative(reply, raw, req.Tools)
	case way == WayNative:
		err = readNativeText(reply, raw.text, rest, req.Tools)
	default:
		formed := false
		if way == WaySchema && req.Form != nil {
			formed, err = readForm(reply, raw.text, req.Form)
		}
		if !formed {
			err = readText(reply, raw.text, req.Tools)
		}
	}
	if raw.stop == StopLength && len(reply.Calls) == 0 && (err == nil || rest == "") {
		reply.Text = rest
		return reply, cutShort(reply)
	}
	if err == nil {
		return reply, nil
	}
	var e *Error
	if errors.As(err, &e) && raw.stop == StopLength {
		e.Message += "; the reply was cut off at the limit of its length: answer more briefly"
	}
	return reply, err
}

// asTags returns calls as text, as models write them whose servers cut them out of it.
func asTags(calls []rawCall) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>\n", c.name, c.args)
	}
	return b.String()
}

// cutShort returns the error for a reply that was cut off before it called anything.
func cutShort(reply *Reply) error {
	if reply.Text == "" {
		return badReply("the reply was cut off while you were still thinking: think less, and answer with one action")
	}
	return badReply("the reply was cut off at the limit of its length, before any action: answer more briefly")
}

func readNative(reply *Reply, raw *rawReply, tools []Tool) error {
	_, reply.Text = splitReasoning(raw.text)
	var problems []string
	for _, rc := range raw.calls {
		calls, mends, err := readNativeCall(rc, tools)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		reply.Mends = append(reply.Mends, mends...)
		reply.Calls = append(reply.Calls, calls...)
	}
	if len(problems) == 0 {
		if len(tools) == 1 { // a model with a function for each action may really mean two presses
			reply.settle(reply.Calls)
		}
		if repeat := (&Reply{}); strings.ContainsAny(raw.text, "{<(") && take(repeat, findCalls(raw.text, tools), tools) == nil && sameCalls(repeat.Calls, reply.Calls) {
			reply.Text = repeat.Text // the same once more, in words
			reply.Mends = append(reply.Mends, mendRepeated)
		}
		return nil
	}
	// All or none: the caller can't tell which part of a batch to trust. The calls are kept
	// as text, to show them to the model.
	reply.Calls = nil
	reply.Text = strings.TrimSpace(reply.Text + "\n" + renderRawCalls(raw.calls))
	return badReply("%s", strings.Join(problems, "\n"))
}

func readNativeCall(rc rawCall, tools []Tool) ([]Call, []string, error) {
	args, mends, err := parseArgs(rc.args)
	if err != nil {
		return nil, nil, badReplyIn(rc.name, err)
	}
	calls, more, err := resolveCalls(rc.name, args, tools)
	mends = append(mends, more...)
	for i := range calls {
		if err != nil {
			break
		}
		if i == 0 && rc.id != "" {
			calls[i].ID = rc.id
		}
		calls[i], more, err = CheckCall(calls[i], tools)
		mends = append(mends, more...)
	}
	return calls, mends, err
}

// readNativeText reads a call that is written as text in a native reply. Plain words are no
// error.
func readNativeText(reply *Reply, text, rest string, tools []Tool) error {
	found := findCalls(text, tools)
	if len(found.calls) == 0 && (found.err == nil || !found.attempted) {
		reply.Text = rest
		return nil
	}
	if err := take(reply, found, tools); err != nil {
		return err
	}
	reply.Mends = append(reply.Mends, mendAsText)
	return nil
}

func take(reply *Reply, found found, tools []Tool) error {
	if found.err != nil {
		return found.err
	}
	if reply.Stop == StopLength && found.closed {
		return badReply("the JSON was cut off")
	}
	var problems []string
	mends := append([]string(nil), found.mends...)
	var calls []Call
	for _, c := range found.calls {
		checked, more, err := CheckCall(c, tools)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		mends = append(mends, more...)
		calls = append(calls, checked)
	}
	if len(problems) > 0 {
		return badReply("%s", strings.Join(problems, "\n"))
	}
	reply.Mends, reply.Text = mends, found.rest
	reply.settle(calls)
	return nil
}

// settle sets the calls of the reply, without repeated ones.
func (r *Reply) settle(calls []Call) {
	kept, dropped := once(calls)
	r.Calls = kept
	if dropped {
		r.Mends = append(r.Mends, mendRepeated)
	}
}

// readText reads a reply in the schema or Markdown way. The text of the reply is the prose
// around the JSON, or the thought in it.
func readText(reply *Reply, text string, tools []Tool) error {
	if err := take(reply, findCalls(text, tools), tools); err != nil {
		return err
	}
	if reply.Text == "" {
		reply.Text = shapedText(text, reply.Way)
	}
	return nil
}
