package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/safety"
)

// ExecuteJSParams are the parameters of executeJS.
type ExecuteJSParams struct {
	Code string `json:"code" jsonschema:"JavaScript; the value of the last expression, or of a promise, is the result"`
}

// maxScriptResult is how many characters of a result a model gets.
const maxScriptResult = 8000

func powerActions() []declared {
	return []declared{
		declare(Spec{Name: "executeJS", Family: "power", Class: safety.CodeClass, NeedsTab: true, MayChange: true, ModelVisible: true}, executeJS),
	}
}

// executeJS runs code in the page's main world (Runtime.evaluate). The user is
// always asked first.
func executeJS(ctx context.Context, r *run, p ExecuteJSParams) *Error {
	if strings.TrimSpace(p.Code) == "" {
		return &Error{Code: InvalidParams, Message: "code is empty"}
	}
	look := func(ctx context.Context) (*element, safety.Act, *Error) {
		act, err := r.act(ctx, nil)
		act.Text = p.Code
		return nil, act, err
	}
	var out json.RawMessage
	w := r.watcher()
	defer w.close()
	err := r.withGate(ctx, gatedStep{look: look, what: "JavaScript", do: func(ctx context.Context, _ *element) *Error {
		if err := w.start(ctx, nil); err != nil {
			return err
		}
		r.res.Sent = true
		return w.race(ctx, func(ctx context.Context) *Error {
			var err error
			out, err = r.tab.Evaluate(ctx, p.Code)
			bad := r.ignoreNavigated(err, "run the code")
			var silent *browser.SilentError
			if bad == nil || bad.Code != Timeout || ctx.Err() != nil || errors.As(err, &silent) && silent.Leaving != "" {
				return bad
			}
			return &Error{
				Code: Timeout, Message: "the code did not end in time, or what it waits for never came", Err: err,
				Hint: "A part of it may have been done: look at the page, and load it again with refresh where it does not answer. Run code that ends by itself.",
			}
		})
	}})
	if err != nil {
		err.Message = r.maskSecrets(ctx, err.Message)
		return err
	}
	text := safety.Redact(r.maskSecrets(ctx, string(out)))
	if text == "" {
		text = "undefined"
	}
	r.res.Target = "JavaScript"
	if err := r.report(ctx, w, nil, "ran", "the code"); err != nil {
		return err
	}
	// The value is always under one name: its own fields must not be taken for
	// fields of the result.
	data := map[string]any{"value": nil}
	switch n := len([]rune(text)); {
	case n > maxScriptResult:
		cut := string([]rune(text)[:maxScriptResult])
		data["value"], data["more"] = cut, true
		text = fmt.Sprintf("%s… (cut, %d characters in all)", cut, n)
	case json.Valid([]byte(text)):
		data["value"] = json.RawMessage(text)
	case len(out) > 0:
		data["value"] = text // masking can make a number invalid JSON
	}
	r.res.Data = data
	r.res.Text += " Result: " + text
	return nil
}

// maskSecrets masks the values of secret fields in text that comes from the page.
// Code can disguise what it reads, so this only catches accidents: the gate's
// question is the protection.
func (r *run) maskSecrets(ctx context.Context, text string) string {
	fs, bad := r.frames(ctx)
	if bad != nil || text == "" || r.tab.Dialog() != nil {
		return text
	}
	for _, f := range fs {
		mctx, cancel := context.WithTimeout(ctx, frameTime)
		if masked, err := page.Mask(mctx, f, text); err == nil && masked != "" {
			text = masked
		}
		cancel()
	}
	return text
}
