package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"strings"
	"time"
)

// The kinds of request that Probe sends, in this order.
const (
	ProbeText     = "text"
	ProbeNative   = "native tools"
	ProbeSchema   = "constrained output"
	ProbeMarkdown = "JSON in Markdown"
	ProbeVision   = "vision"
)

// ProbeResult is the result of one kind of request.
type ProbeResult struct {
	Kind string
	Way  Way // the way to an action that was tried, if any
	OK   bool
	// Skipped is true if it was not tried, because the server does not offer it.
	Skipped bool
	Said    string // what the model answered, or why it did not work
	Took    time.Duration
	Usage   Usage
	Err     error // nil if there was a reply, even a useless one
}

// probeTime bounds one request; the model is loaded already.
const probeTime = 3 * time.Minute

var probeTool = Tool{
	Name: "report", Description: "Report a number to the user.",
	Schema: json.RawMessage(`{"type":"object","properties":{"number":{"type":"integer"}},"required":["number"]}`),
}

// Probe sends one real request of each kind and calls report with each result as
// soon as it comes. The results do not count for later requests: no way is
// dropped. Probe ends early if the server can't be used at all.
func (m *Model) Probe(ctx context.Context, report func(ProbeResult)) error {
	caps, err := m.Capabilities(ctx)
	if err != nil {
		return err
	}
	if err := m.ready(ctx, caps); CodeOf(err) == CodeCancelled || CodeOf(err) == CodeTimeout {
		return err // any other error shows in the first request
	}
	first := m.probe(ctx, ProbeText, WayNative, caps, Request{Messages: []Message{Text(RoleUser, "Answer with the one word: ready")}})
	report(first)
	switch CodeOf(first.Err) {
	case CodeUnreachable, CodeUnauthorized, CodeModelNotFound, CodeCancelled, CodeInvalidConfig:
		return first.Err
	}
	ask := Request{
		System: "You use the tool that you are given.", Tools: []Tool{probeTool},
		Messages: []Message{Text(RoleUser, "Report the number 42 with the tool.")},
	}
	for _, k := range []struct {
		kind string
		way  Way
	}{{ProbeNative, WayNative}, {ProbeSchema, WaySchema}, {ProbeMarkdown, WayMarkdown}} {
		if k.way == WaySchema && !m.prov.schema {
			report(ProbeResult{Kind: k.kind, Way: k.way, Skipped: true, Said: m.prov.label + " does not offer it"})
			continue
		}
		r := m.probe(ctx, k.kind, k.way, caps, ask)
		r.Way = k.way
		report(r)
		if ctx.Err() != nil {
			return transportError(ctx, m.prov.label, ctx.Err())
		}
	}
	seen, err := m.probeVision(ctx, caps)
	if err == nil {
		report(seen)
	}
	return err
}

// probeVision shows a red picture and, if the model named that colour, a blue
// one: a model that gets no picture guesses, and would name the same colour
// twice.
func (m *Model) probeVision(ctx context.Context, caps Capabilities) (ProbeResult, error) {
	var sum ProbeResult
	for _, c := range probeColours {
		picture, err := c.square()
		if err != nil {
			return sum, err
		}
		look := Text(RoleUser, "Which colour is this picture? Answer with one word.")
		look.Parts = append(look.Parts, Part{Image: picture, MIME: "image/png"})
		r := m.probe(ctx, ProbeVision, WayNative, caps, Request{Messages: []Message{look}})
		if r.OK = r.OK && c.isNamedIn(r.Said); !r.OK && r.Err == nil {
			r.Said = "it did not see a " + c.name + " picture; it said: " + r.Said
		}
		r.Took += sum.Took
		r.Usage.Input += sum.Usage.Input
		r.Usage.Output += sum.Usage.Output
		if sum = r; !sum.OK {
			break
		}
	}
	return sum, nil
}

// Check runs Probe and returns the best way to an action that works. If none
// does, the error has the code unsupported.
func (m *Model) Check(ctx context.Context, report func(ProbeResult)) (Way, error) {
	best := Way("")
	err := m.Probe(ctx, func(r ProbeResult) {
		if r.OK && best == "" {
			best = r.Way // they come best first
		}
		report(r)
	})
	if err == nil && best == "" {
		err = &Error{Code: CodeUnsupported, Message: "no way to an action works with this model", Hint: "choose another: tabwright models"}
	}
	return best, err
}

func (m *Model) probe(ctx context.Context, kind string, way Way, caps Capabilities, req Request) ProbeResult {
	ctx, cancel := context.WithTimeoutCause(ctx, probeTime, &Error{Code: CodeTimeout, Message: "no answer within " + probeTime.String()})
	defer cancel()
	began := time.Now()
	req.MaxOutput = 512
	reply, err := m.send(ctx, way, req, caps, nil)
	r := ProbeResult{Kind: kind, Took: time.Since(began), Err: err}
	if reply != nil {
		r.Usage = reply.Usage
		r.Said = clip(strings.Join(strings.Fields(reply.Text), " "), 80)
	}
	switch {
	case err != nil:
		var e *Error
		if errors.As(err, &e) {
			r.Said = e.Message
			if e.Code == CodeBadReply {
				r.Err = nil // it answered, but of no use
			}
		} else {
			r.Said = err.Error()
		}
	case kind == ProbeText || kind == ProbeVision:
		r.OK = strings.TrimSpace(reply.Text) != ""
		if !r.OK {
			r.Said = "the reply is empty"
		}
	default:
		r.judgeCall(reply, way)
	}
	return r
}

// judgeCall sets OK if the reply has the expected call, in the way that was
// asked for.
func (r *ProbeResult) judgeCall(reply *Reply, way Way) {
	if len(reply.Calls) == 0 {
		r.Said = "no call; it said: " + r.Said
		return
	}
	call := reply.Calls[0]
	r.Said = call.Name + " " + string(call.Args)
	if way == WayNative && asText(reply) {
		r.Said = mendAsText + ": " + r.Said
		return
	}
	r.OK = call.Name == probeTool.Name && string(call.Args) == `{"number":42}`
}

// probeColour is a colour that a picture is filled with, and its names.
type probeColour struct {
	name  string
	fill  color.RGBA
	words []string
}

var probeColours = []probeColour{
	{"red", color.RGBA{R: 220, A: 255}, []string{"red", "rot", "rouge", "rojo", "红", "crimson", "scarlet"}},
	{"blue", color.RGBA{R: 20, G: 60, B: 220, A: 255}, []string{"blue", "blau", "bleu", "azul", "蓝"}},
}

// isNamedIn reports whether text names this colour and none of the others.
func (c probeColour) isNamedIn(text string) bool {
	low := strings.ToLower(text)
	for _, other := range probeColours {
		named := slices.ContainsFunc(other.words, func(w string) bool { return strings.Contains(low, w) })
		if named != (other.name == c.name) {
			return false
		}
	}
	return true
}

// square returns a small picture of the colour as PNG. It is large enough for
// all vision models: some refuse sides below 28 pixels (Qwen2.5-VL's patches).
func (c probeColour) square() ([]byte, error) {
	const side = 64
	img := image.NewRGBA(image.Rect(0, 0, side, side))
	draw.Draw(img, img.Bounds(), image.NewUniform(c.fill), image.Point{}, draw.Src)
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
