package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// Evaluate runs code in the page's own world and returns its value as JSON. It
// waits for a promise. The code may be an expression, statements (the value is
// the last one's) or a function body with return; await works in each. An
// exception is a *JSError.
func (t *Tab) Evaluate(ctx context.Context, code string) (json.RawMessage, error) {
	var out json.RawMessage
	err := t.race(ctx, func(ctx context.Context) error {
		var err error
		out, err = t.evaluate(ctx, code)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("execute script: %w", err)
	}
	return out, nil
}

// evaluate tries the three readings of code in turn. One that does not parse
// does not run at all, so the next is safe to try. The newlines end a comment
// on the last line.
func (t *Tab) evaluate(ctx context.Context, code string) (json.RawMessage, error) {
	value, err := t.evaluateAs(ctx, "(async () => (\n"+code+"\n))()", false)
	if !isUnparsed(err) {
		return value, err
	}
	value, err = t.evaluateAs(ctx, code, true)
	if !isUnparsed(err) {
		return value, err
	}
	body, bodyErr := t.evaluateAs(ctx, "(async () => {\n"+code+"\n})()", false)
	if isUnparsed(bodyErr) {
		return nil, unwrapUnparsed(err) // the error of the plain reading has the right line
	}
	return body, bodyErr
}

// unparsed is a script that did not compile.
type unparsed struct{ err *JSError }

func (u *unparsed) Error() string { return u.err.Error() }

func isUnparsed(err error) bool {
	var u *unparsed
	return errors.As(err, &u)
}

func unwrapUnparsed(err error) error {
	var u *unparsed
	if errors.As(err, &u) {
		return u.err
	}
	return err
}

func (t *Tab) evaluateAs(ctx context.Context, expression string, repl bool) (json.RawMessage, error) {
	yes := true
	p := runtime.EvaluateParams{Expression: expression, AwaitPromise: &yes, Silent: &yes, ObjectGroup: objectGroup}
	if repl {
		p.ReplMode = &yes
	} else {
		p.ReturnByValue = &yes
	}
	res, err := cdp.Call(ctx, t.root, runtime.Evaluate, p)
	if err != nil {
		return nil, scriptError(err)
	}
	if d := res.ExceptionDetails; d != nil {
		e := jsError(d)
		// A SyntaxError that was thrown while running comes as a rejection.
		if d.Exception != nil && d.Exception.ClassName == "SyntaxError" && !strings.Contains(d.Text, "in promise") {
			return nil, &unparsed{e}
		}
		return nil, e
	}
	if repl && res.Result != nil && res.Result.ObjectID != "" {
		return t.valueOf(ctx, res.Result)
	}
	return jsonValue(res.Result), nil
}

// valueOf returns an object, or the value of a promise, as JSON.
func (t *Tab) valueOf(ctx context.Context, o *runtime.RemoteObject) (json.RawMessage, error) {
	yes := true
	defer func() {
		_, _ = cdp.Call(ctx, t.root, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: o.ObjectID})
	}()
	res, err := cdp.Call(ctx, t.root, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function () { return this; }", ObjectID: o.ObjectID,
		AwaitPromise: &yes, ReturnByValue: &yes, Silent: &yes,
	})
	if err != nil {
		return nil, scriptError(err)
	}
	if res.ExceptionDetails != nil {
		return nil, jsError(res.ExceptionDetails)
	}
	return jsonValue(res.Result), nil
}

// jsonValue returns a value as JSON: numbers such as NaN as a string, and null
// for whatever else JSON does not have.
func jsonValue(o *runtime.RemoteObject) json.RawMessage {
	switch {
	case o == nil:
	case len(o.Value) > 0:
		return json.RawMessage(o.Value)
	case o.UnserializableValue != "":
		b, _ := json.Marshal(string(o.UnserializableValue))
		return b
	}
	return json.RawMessage("null")
}

// scriptError returns a *JSError for a result that JSON can't hold,
// ErrDocumentGone for a document that went away, and any other err as it is.
func scriptError(err error) error {
	if says(err, []string{"Object reference chain is too long", "Object couldn't be returned by value"}) {
		return &JSError{Text: "the result can't be turned into JSON"}
	}
	if brokeOff(err) {
		return fmt.Errorf("%w (%w)", ErrDocumentGone, err)
	}
	return err
}
