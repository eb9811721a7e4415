package action

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tabwright/host/action/spec"
	"tabwright/safety"
)

// ConsoleMessagesParams are the parameters of consoleMessages.
type ConsoleMessagesParams struct {
	Level string `json:"level,omitempty" jsonschema:"and what is more severe; info if left out"`
	All   *bool  `json:"all,omitempty" jsonschema:"of earlier pages too"`
}

// NetworkRequestsParams are the parameters of networkRequests.
type NetworkRequestsParams struct {
	Filter string `json:"filter,omitempty" jsonschema:"only addresses with this text"`
	Static *bool  `json:"static,omitempty" jsonschema:"pictures, scripts, styles and fonts too"`
	All    *bool  `json:"all,omitempty" jsonschema:"of earlier pages too"`
}

// ResizeParams are the parameters of resize.
type ResizeParams struct {
	Width  int `json:"width" jsonschema:"CSS pixels; 0 for the window's"`
	Height int `json:"height"`
}

// severity orders the levels of a log, the most severe first.
var severity = []string{"error", "warning", "info", "debug"}

// mostPixels bounds a viewport.
const mostPixels = 10000

func developerActions() []declared {
	read := func(name string) Spec {
		return Spec{Name: name, Family: "developer", Class: safety.Read, NeedsTab: true}
	}
	size := read("resize")
	size.MayChange = true
	return []declared{
		declare(read("consoleMessages"), consoleMessages, spec.Enum("level", severity...)),
		declare(read("networkRequests"), networkRequests),
		declare(size, resize, spec.Between("width", 0, mostPixels), spec.Between("height", 0, mostPixels)),
	}
}

// consoleMessages tells what the page wrote into its log.
func consoleMessages(ctx context.Context, r *run, p ConsoleMessagesParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	level := 2
	if p.Level != "" {
		level = slices.Index(severity, p.Level)
	}
	list := r.tab.ConsoleMessages()
	kept := list[:0]
	var lines []string
	for _, m := range list {
		if slices.Index(severity, m.Level) > level || m.Before && !isOn(p.All) {
			continue
		}
		m.Text, m.URL = r.withoutSecrets(ctx, m.Text), r.withoutSecrets(ctx, m.URL)
		line := "[" + m.Level + "] " + strings.ReplaceAll(m.Text, "\n", "\n  ")
		if m.URL != "" {
			line += fmt.Sprintf(" (%s:%d)", m.URL, m.Line)
		}
		kept, lines = append(kept, m), append(lines, line)
	}
	r.res.Data = map[string]any{"messages": kept}
	r.res.Text = fmt.Sprintf("OK: %d messages.\n%s", len(lines), strings.Join(lines, "\n"))
	return nil
}

// withoutSecrets returns what a page logged or asked for, without what must not be read.
func (r *run) withoutSecrets(ctx context.Context, text string) string {
	return safety.HideInAddresses(safety.Redact(r.maskSecrets(ctx, text)))
}

// staticTypes are requests for what a page is made of.
var staticTypes = []string{"Image", "Font", "Script", "Stylesheet", "Media", "Manifest"}

// networkRequests tells what the page asked servers for.
func networkRequests(ctx context.Context, r *run, p NetworkRequestsParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	list := r.tab.PageRequests()
	kept := list[:0]
	var lines []string
	for _, q := range list {
		q.URL = r.withoutSecrets(ctx, q.URL) // before the filter, which could otherwise find hidden text
		if q.Before && !isOn(p.All) || !isOn(p.Static) && slices.Contains(staticTypes, q.Type) || !strings.Contains(q.URL, p.Filter) {
			continue
		}
		came := "no answer yet"
		switch {
		case q.Failed != "":
			came = q.Failed
		case q.Status > 0:
			came = fmt.Sprint(q.Status)
		}
		kept, lines = append(kept, q), append(lines, fmt.Sprintf("%s %s %s (%s, %d ms)", q.Method, short(q.URL, 500), came, strings.ToLower(q.Type), q.Ms))
	}
	r.res.Data = map[string]any{"requests": kept}
	r.res.Text = fmt.Sprintf("OK: %d requests.\n%s", len(lines), strings.Join(lines, "\n"))
	return nil
}

// resize gives the page another viewport.
func resize(ctx context.Context, r *run, p ResizeParams) *Error {
	if (p.Width == 0) != (p.Height == 0) {
		return &Error{Code: InvalidParams, Message: "width and height are both 0, or neither"}
	}
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	w := r.watcher()
	defer w.close()
	if err := w.start(ctx, nil); err != nil {
		return err
	}
	if err := r.tab.Resize(ctx, p.Width, p.Height); err != nil {
		return wrap("resize the page", err)
	}
	r.res.Sent = true
	r.res.Target = fmt.Sprintf("%d × %d", p.Width, p.Height)
	if p.Width == 0 {
		r.res.Target = "the window's size"
	}
	return r.report(ctx, w, nil, "resized", "the page to "+r.res.Target)
}
