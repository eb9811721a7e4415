package flow

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts/template"
)

// picturesMost is the most bytes of thumbnails, as base64, in a trace.
const picturesMost = 12 << 20

// Trace holds all known data of a task's run.
type Trace struct {
	Task   wire.TaskInfo  `json:"task"`
	Items  []TraceItem    `json:"items"` // oldest first
	Usage  wire.UsageInfo `json:"usage"`
	Gate   []GateLine     `json:"gate,omitempty"` // questions and refusals
	NoLook bool           `json:"noLook,omitempty"`
}

// TraceItem is one entry of a trace: an event of the journal or a look of the
// model.
type TraceItem struct {
	Time    int64             `json:"time"`
	Kind    string            `json:"kind"` // look, or the type of the event
	Text    string            `json:"text,omitempty"`
	Level   string            `json:"level,omitempty"`
	Step    *wire.StepInfo    `json:"step,omitempty"`
	Confirm *wire.ConfirmInfo `json:"confirm,omitempty"`
	Error   *wire.Error       `json:"error,omitempty"`
	Usage   *wire.UsageInfo   `json:"usage,omitempty"`
	Plan    []wire.PlanStep   `json:"plan,omitempty"`
	Look    *Mark             `json:"look,omitempty"`
	Picture *wire.Picture     `json:"picture,omitempty"`
}

// GateLine is one decision of the gate other than to let an act pass.
type GateLine struct {
	Step   int    `json:"step,omitempty"`
	Level  string `json:"level"`
	Target string `json:"target,omitempty"`
	Site   string `json:"site,omitempty"`
	Why    string `json:"why,omitempty"`
	Answer string `json:"answer,omitempty"`
}

// NewTrace joins a task's events and its trail. thumb returns the picture of a step,
// if there is one; it may be nil.
func NewTrace(task wire.TaskInfo, events []wire.Event, marks []Mark, thumb func(step int) (wire.Picture, bool)) Trace {
	t := Trace{Task: task, NoLook: len(marks) == 0}
	room := picturesMost
	done := map[int]bool{}
	for _, ev := range events {
		if ev.Type == wire.EvToolResult && ev.Step != nil {
			done[ev.Step.N] = true
		}
	}
	for _, ev := range events {
		if ev.Type == wire.EvToolCall && ev.Step != nil && done[ev.Step.N] {
			continue // its result says it all
		}
		it := TraceItem{
			Time: ev.Time, Kind: string(ev.Type), Text: ev.Text, Level: ev.Level, Step: ev.Step, Confirm: ev.Confirm,
			Error: ev.Error, Usage: ev.Usage, Plan: ev.Plan,
		}
		if ev.Usage != nil {
			t.Usage = *ev.Usage
		}
		if ev.Type == wire.EvToolResult && ev.Step != nil && thumb != nil {
			if p, ok := thumb(ev.Step.N); ok && len(p.Data) <= room {
				room -= len(p.Data)
				it.Picture = &p
			}
		}
		t.gate(ev)
		t.Items = append(t.Items, it)
	}
	for i := range marks {
		if marks[i].Kind == MarkLook {
			t.Items = append(t.Items, TraceItem{Time: marks[i].Time, Kind: MarkLook, Look: &marks[i]})
		}
	}
	sort.SliceStable(t.Items, func(i, j int) bool {
		a, b := t.Items[i], t.Items[j]
		// A look before the step that it led to, where both ended within one millisecond.
		return a.Time < b.Time || a.Time == b.Time && a.Kind == MarkLook && b.Kind != MarkLook
	})
	return t
}

func (t *Trace) gate(ev wire.Event) {
	switch {
	case ev.Type == wire.EvConfirmResult && ev.Confirm != nil:
		c := ev.Confirm
		t.Gate = append(t.Gate, GateLine{
			Level: "confirm", Target: c.Target, Site: c.Site, Why: strings.Join(c.Reasons, " "),
			Answer: strings.TrimSpace(c.Answer + " (" + c.By + ")"),
		})
	case ev.Type == wire.EvToolResult && ev.Step != nil && (ev.Step.Level == "notify" || ev.Step.Outcome == "blocked" || ev.Step.Outcome == "denied" || ev.Step.Outcome == "stopped_after"):
		g := GateLine{Step: ev.Step.N, Level: ev.Step.Level, Target: ev.Step.Target, Site: ev.Step.Site, Why: ev.Step.Line}
		if ev.Step.Outcome != "ok" {
			g.Answer = ev.Step.Outcome
		}
		t.Gate = append(t.Gate, g)
	}
}

//go:embed trace.html.tmpl
var traceFiles embed.FS

var traceFuncs = template.Funcs{
	"clock": func(ms int64) string { return time.UnixMilli(ms).UTC().Format("15:04:05.000") },
	"day":   func(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05 UTC") },
	"span":  func(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() },
	"json":  func(v json.RawMessage) string { return string(v) },
	"calls": callsText,
	"image": imageURL,
}

var traceTemplate = template.Must(template.HTML(traceFiles, traceFuncs, "trace.html.tmpl"))

// imageURL returns a picture as a data URL, "" if its type is not PNG, JPEG or WebP, or
// its data not base64.
func imageURL(p *wire.Picture) string {
	if p.MIME != "image/png" && p.MIME != "image/jpeg" && p.MIME != "image/webp" {
		return ""
	}
	for _, c := range p.Data {
		if !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", c) {
			return ""
		}
	}
	return "data:" + p.MIME + ";base64," + p.Data
}

func callsText(calls []llm.Call) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "%s %s\n", c.Name, c.Args)
	}
	return strings.TrimRight(b.String(), "\n")
}

// HTML is the trace as one page that needs no network and runs no script. All
// that came from pages and models is escaped.
func (t Trace) HTML() (string, error) {
	var b bytes.Buffer
	if err := traceTemplate.Execute(&b, "trace.html.tmpl", t); err != nil {
		return "", fmt.Errorf("write the trace: %w", err)
	}
	return b.String(), nil
}

// JSON is the trace for programs.
func (t Trace) JSON() (string, error) {
	raw, err := json.MarshalIndent(t, "", "  ")
	return string(raw), err
}
