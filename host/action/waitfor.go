package action

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"tabwright/host/action/page"
	"tabwright/host/action/spec"
	"tabwright/host/browser"
	"tabwright/host/native"
	"tabwright/safety"
)

// WaitForParams are the parameters of waitFor. All that is given must hold.
type WaitForParams struct {
	Text      string   `json:"text,omitempty" jsonschema:"text that the page shows"`
	Selector  string   `json:"selector,omitempty" jsonschema:"CSS selector, or xpath=…"`
	Gone      *bool    `json:"gone,omitempty" jsonschema:"wait until text or selector is no longer there"`
	URL       string   `json:"url,omitempty" jsonschema:"part of the address, * for anything"`
	State     string   `json:"state,omitempty" jsonschema:"networkidle: no request for 500 ms; stable: the page stands still"`
	Function  string   `json:"function,omitempty" jsonschema:"JavaScript that becomes true; the user is asked"`
	TimeoutMS *float64 `json:"timeoutMs,omitempty" jsonschema:"10000 if left out, at most 120000"`
}

const (
	defaultWaitFor = 10 * time.Second
	pollTime       = 60 * time.Millisecond
	functionPoll   = 150 * time.Millisecond
	// stableTime is how long a page must stand still to be called stable.
	stableTime = 500 * time.Millisecond
	// networkIdle is how long a page must have no request under way.
	networkIdle = 500 * time.Millisecond
	// longPoll is the age at which a request counts as a long poll.
	longPoll = 5 * time.Second
)

func waitForActions() []declared {
	return []declared{
		declare(Spec{
			Name: "waitFor", Family: "waiting", Class: safety.Read, NeedsTab: true, ModelVisible: true,
			Advanced: []string{"url", "state", "function", "timeoutMs"},
		}, waitFor, spec.Enum("state", "domcontentloaded", "load", "networkidle", "stable"), spec.Between("timeoutMs", 1, 120000)),
	}
}

// waitFor waits until all given conditions hold.
func waitFor(ctx context.Context, r *run, p WaitForParams) *Error {
	gone := p.Gone != nil && *p.Gone
	if p.Text == "" && p.Selector == "" && p.URL == "" && p.State == "" && p.Function == "" {
		return &Error{Code: InvalidParams, Message: "nothing to wait for: give text, selector, url, state or function"}
	}
	if gone && p.Text == "" && p.Selector == "" {
		return &Error{Code: InvalidParams, Message: "gone needs text or selector"}
	}
	limit := durationOf(p.TimeoutMS, defaultWaitFor)
	r.spec.MayChange = p.Function != "" // code may change the page; looking does not
	what := p.words(gone)
	*r.object = what
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		act := safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: r.spec.Class, Page: safety.Page{URL: r.tab.MainURL()}}
		if p.Function == "" {
			return nil, act, nil
		}
		full, err := r.act(ctx, nil)
		full.Base, full.Text = safety.CodeClass, p.Function
		return nil, full, err
	}
	began := time.Now()
	err := r.withGate(ctx, gatedStep{look: look, what: what, do: func(ctx context.Context, _ *element) *Error {
		began = time.Now()
		long, end := r.longRun(ctx, limit)
		defer end()
		missing, err := r.await(long, p, gone)
		if lost := r.tabLost(); lost != nil && (err != nil || missing != "") {
			return lost
		}
		switch {
		case err != nil && (long.Err() == nil || ctx.Err() != nil):
			return err
		case missing == "" && err == nil:
			return nil
		case missing == "":
			missing = what
		}
		return &Error{Code: Timeout, Message: fmt.Sprintf("waited %d ms in vain for %s", limit.Milliseconds(), missing), Hint: "Look at the page: it may never come, or be called something else."}
	}})
	if err != nil {
		return err
	}
	r.res.Data = map[string]any{"waitedMs": time.Since(began).Milliseconds()}
	r.res.Text = fmt.Sprintf("OK: %s after %d ms.", what, time.Since(began).Milliseconds())
	return nil
}

// tabLost returns why the tab can no longer be driven, or nil: then the condition can't
// come.
func (r *run) tabLost() *Error {
	select {
	case <-r.tab.Done():
	default:
		return nil
	}
	if t, ok := r.tab.(interface{ Err() error }); ok {
		return wrap("wait", t.Err())
	}
	return nil
}

// words returns the conditions in words.
func (p WaitForParams) words(gone bool) string {
	var parts []string
	mark := ""
	if gone {
		mark = " gone"
	}
	if p.Text != "" {
		parts = append(parts, fmt.Sprintf("text %q%s", short(p.Text, 80), mark))
	}
	if p.Selector != "" {
		parts = append(parts, short(p.Selector, 80)+mark)
	}
	if p.URL != "" {
		parts = append(parts, "address "+short(p.URL, 120))
	}
	if p.State != "" {
		parts = append(parts, "page "+p.State)
	}
	if p.Function != "" {
		parts = append(parts, "the function to be true")
	}
	return strings.Join(parts, " and ")
}

// await looks repeatedly until nothing is missing; at the end of ctx it returns what
// still is.
func (r *run) await(ctx context.Context, p WaitForParams, gone bool) (missing string, bad *Error) {
	was := "" // what was missing when the page answered last
	for {
		missing = ""
		poll := pollTime
		if d := r.tab.Dialog(); d != nil {
			return "", dialogOpen(d)
		}
		if p.URL != "" && !urlMatches(p.URL, r.tab.MainURL()) {
			missing = "address " + p.URL + " (it is " + short(r.tab.MainURL(), 120) + ")"
		}
		if missing == "" && (p.Text != "" || p.Selector != "" || p.State != "") {
			now, err := r.probe(ctx, p.Selector, p.Text, "")
			switch {
			case err != nil && isReplacing(err):
				missing = cmp.Or(was, p.words(gone)+" (the page did not answer)")
			case err != nil:
				return "", err
			default:
				missing = p.missingParts(now, gone)
				was = missing
			}
		}
		if missing == "" && p.State == "networkidle" && !r.isIdle(ctx, networkIdle, 0) {
			missing = "page networkidle"
		}
		if missing == "" && p.State == "stable" && !r.stands(ctx) {
			missing = "page stable"
		}
		if missing == "" && p.Function != "" {
			ok, err := r.truthy(ctx, p.Function)
			if err != nil {
				return "", err
			}
			if !ok {
				missing, poll = "the function to be true", functionPoll
			}
		}
		if missing == "" || !native.Sleep(ctx, poll) {
			return missing, nil
		}
	}
}

// isReplacing tells whether an error is that of a page that is being replaced.
func isReplacing(err *Error) bool {
	return err.Code == StaleRef || err.Code == Timeout || errors.Is(err, browser.ErrDocumentGone)
}

// missingParts returns the conditions that a look at the page does not fulfil yet.
func (p WaitForParams) missingParts(now probed, gone bool) string {
	switch {
	case p.Text != "" && (now.text != nil) == gone:
		return p.words(gone)
	case p.Selector != "" && gone && now.selector != nil, p.Selector != "" && !gone && now.selector == nil:
		return p.words(gone)
	case (p.State == "load" || p.State == "networkidle") && now.main.ReadyState != "complete":
		return "page " + p.State
	case p.State != "" && now.main.ReadyState == "loading":
		return "page " + p.State
	}
	return ""
}

// isIdle waits up to settleTime until the page's scripts had no request under way for
// quiet; a request older than old, such as a long poll, does not count.
func (r *run) isIdle(ctx context.Context, quiet, old time.Duration) bool {
	w := r.tab.Watch()
	defer w.Close()
	return w.Idle(ctx, quiet, old, settleTime)
}

// stands tells whether the page is stable: nothing loads, no request is under way,
// nothing changes.
func (r *run) stands(ctx context.Context) bool {
	w := r.tab.Watch()
	defer w.Close()
	if st := w.Wait(ctx, stableTime, settleTime); !st.Settled {
		return false
	}
	if !w.Idle(ctx, 0, longPoll, settleTime) {
		return false
	}
	fs, bad := r.frames(ctx)
	if bad != nil {
		return false
	}
	if _, err := page.Watch(ctx, fs[0], page.WatchOptions{}); err != nil {
		return false
	}
	e, err := page.ReadEffects(ctx, fs[0], page.WaitFor(stableTime, stableTime, settleTime, 0))
	return err == nil && e.Settled
}

// truthy runs the code of waitFor in the page's main world. While the page is being
// replaced, the result is false.
func (r *run) truthy(ctx context.Context, code string) (bool, *Error) {
	r.res.Sent = true
	out, err := r.tab.Evaluate(ctx, "(async () => { const f = (\n"+code+"\n); return Boolean(typeof f === \"function\" ? await f() : await f); })()")
	if e := wrap("run the function", err); e != nil {
		if isReplacing(e) || ctx.Err() != nil {
			return false, nil //nolint:nilerr // not yet; the loop knows when its time is over
		}
		return false, e
	}
	var ok bool
	if err := json.Unmarshal(out, &ok); err != nil {
		return false, wrap("read the function's answer", err)
	}
	return ok, nil
}

// urlMatches compares an address with a part of one; * stands for anything.
func urlMatches(want, have string) bool {
	if !strings.Contains(want, "*") {
		return strings.Contains(have, want)
	}
	var b strings.Builder
	for i, part := range regexp.MustCompile(`\*+`).Split(want, -1) {
		if i > 0 {
			b.WriteString(".*")
		}
		b.WriteString(regexp.QuoteMeta(part))
	}
	ok, err := regexp.MatchString("(?s)"+b.String()+"$", have)
	return err == nil && ok
}
