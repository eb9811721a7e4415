package cli

import (
	"context"
	"encoding/json"
	"errors"
	_ "image/jpeg" // what screenshots come as
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
	"tabwright/pagecontext"
)

// actOptions are the flags that all commands of actions share.
type actOptions struct {
	session, confirmation string
	json, wait            bool
	explain               bool // only say what the gate would make of it
	// again is the command that waits for the answer to a question, where that is
	// another one.
	again func(question string) string
}

const groupBrowser = "browser"

func (o *actOptions) add(cmd *cobra.Command) {
	fl := cmd.PersistentFlags()
	fl.StringVar(&o.session, "session", defaultSession(), "name of the session; TABWRIGHT_SESSION sets the default")
	fl.BoolVar(&o.json, "json", false, "print the result as JSON")
	fl.StringVar(&o.confirmation, "confirmation", "", "the id that a call failed with because it needs a confirmation; the same call with this id waits for the answer")
	fl.BoolVar(&o.wait, "wait-answer", false, "wait for the answer when a confirmation is needed")
}

// sessionEnv names the session of commands that name none.
const sessionEnv = "TABWRIGHT_SESSION"

func defaultSession() string {
	if s := os.Getenv(sessionEnv); s != "" {
		return s
	}
	return "default"
}

// join joins the open session.
func (o *actOptions) join(ctx context.Context) (control.SessionClient, wire.SessionInfo, error) {
	return o.open(ctx, wire.SessionOpenParams{Name: o.session, Join: true})
}

func (o *actOptions) open(ctx context.Context, p wire.SessionOpenParams) (control.SessionClient, wire.SessionInfo, error) {
	warnPolicy(os.Stderr)
	c, err := serve.Dial(ctx, true)
	if err != nil {
		return nil, wire.SessionInfo{}, &exitError{code: exitFailed, err: err}
	}
	h, info, err := control.OpenRemote(ctx, c, p)
	if err != nil {
		return nil, info, &exitError{code: codeFor(wire.AsError(err)), err: errors.Join(err, c.Close())}
	}
	return h, info, nil
}

// act joins the session, does a form's action and prints what came of it.
func (o *actOptions) act(cmd *cobra.Command, f form, params map[string]any, file string) error {
	if err := o.check(cmd, f, params); err != nil {
		return err
	}
	h, info, err := o.join(cmd.Context())
	if err != nil {
		return err
	}
	defer h.Close()
	return o.do(cmd, h, info, f, params, file)
}

// check finds wrong parameters before a session is asked for.
func (o *actOptions) check(cmd *cobra.Command, f form, params map[string]any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	r := action.Default()
	if spec, ok := r.Spec(f.action); ok {
		var missing []string
		for _, name := range spec.Schema.Required {
			if _, ok := params[name]; !ok {
				missing = append(missing, strings.ToUpper(kebab(name)))
			}
		}
		if len(missing) > 0 {
			return isMissing(missing...)
		}
		if _, bad := r.Parse(spec, raw); bad != nil {
			return errors.New(strings.TrimPrefix(bad.Message, spec.Name+": "))
		}
	}
	return nil
}

// do does a form's action in a session and prints what came of it.
func (o *actOptions) do(cmd *cobra.Command, h control.SessionClient, info wire.SessionInfo, f form, params map[string]any, file string) error {
	raw, err := json.Marshal(inFullSize(f.action, params))
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	call := action.Call{Name: f.action, Params: raw}
	if o.explain {
		return o.explained(cmd, h, call)
	}
	id := o.confirmation
	if info.Launched {
		id = "" // nobody else answers there: the call gives its question again
	}
	over := sayProgress(cmd)
	r := h.Do(cmd.Context(), call, id)
	over()
	for r.Confirm != nil && o.answers(cmd, h, info, r) {
		r = h.Do(cmd.Context(), call, r.Confirm.ID)
	}
	if r.Confirm != nil {
		e := *r.Error
		e.Hint = "Answer it in the side panel, or repeat the command with --confirmation " + r.Confirm.ID + " to wait for the answer."
		if o.again != nil {
			e.Hint = "Answer it in the side panel, or wait for the answer with `" + o.again(r.Confirm.ID) + "`."
		}
		if info.Launched {
			e.Hint = "Run it in a terminal, which asks; or open the session with --confirm allow."
		}
		r.Error = &e
	}
	return o.show(cmd, o.lost(cmd.Context(), info, r), f.render, file)
}

// lostTime is how long the news that a session ended may come behind the error
// that its browser's end causes.
const lostTime = 500 * time.Millisecond

// lost says how to go on where the browser of a session has ended.
func (o *actOptions) lost(ctx context.Context, info wire.SessionInfo, r wire.SessionResult) wire.SessionResult {
	if r.Error == nil || !info.Launched || r.Error.Code != wire.Code(action.Detached) || r.Error.Message == control.ErrBrokerGone.Message {
		return r
	}
	for end := time.Now().Add(lostTime); ; time.Sleep(lostTime / 10) {
		h, _, err := o.join(ctx)
		if errors.Is(err, &wire.Error{Code: wire.CodeNoSession}) {
			break
		}
		if err != nil || errors.Join(h.Close(), ctx.Err()) != nil || time.Now().After(end) {
			return r
		}
	}
	e := *r.Error
	e.Hint = "The browser has ended, and so has the session. Start again with `tabwright open URL` and the flags it was opened with."
	r.Error = &e
	return r
}

// answers gets the answer to a question under way: at the terminal for a
// launched browser, in the panel else. It is false when nobody waits.
func (o *actOptions) answers(cmd *cobra.Command, h control.SessionClient, info wire.SessionInfo, r wire.SessionResult) bool {
	_, tty := terminalOf(cmd.InOrStdin())
	if o.json && !o.wait || !tty && !o.wait {
		return false
	}
	t := terminal{out: cmd.ErrOrStderr(), inPanel: !info.Launched}
	t.card(*r.Confirm)
	if !info.Launched {
		return true
	}
	if !tty {
		return false
	}
	a := newAsker("ask", cmd.InOrStdin(), cmd.ErrOrStderr()).confirm(cmd.Context(), *r.Confirm)
	return h.Answer(cmd.Context(), r.Confirm.ID, a.Allow, a.Note) == nil
}

// show prints a result and gives the exit code.
func (o *actOptions) show(cmd *cobra.Command, r wire.SessionResult, show func(printer, wire.SessionResult) error, file string) error {
	p := printer{out: cmd.OutOrStdout(), file: file}
	if r.Error != nil {
		e := *r.Error
		e.Hint = commandWords(e.Hint)
		r.Error = &e
	}
	var err error
	r = stepsNamed(r)
	if p.file == "" && r.Action == "screenshot" && len(r.Image) > 0 {
		p.file = pictureFile(time.Now(), r.MIME)
	}
	if o.json {
		if bad := errors.Join(p.writeImage(r), p.copyFile(r)); bad != nil && r.Error == nil {
			r.Error = &wire.Error{Code: wire.Code(action.Unsupported), Message: "it was done, but its file was not written: " + bad.Error(), Hint: "Name a file in a folder that can be written to."}
		}
		enc := json.NewEncoder(p.out)
		enc.SetEscapeHTML(false)
		err = enc.Encode(p.structured(r))
	}
	if r.Error != nil {
		e := *r.Error
		e.Message = strings.TrimPrefix(e.Message, string(e.Code)+": ")
		switch action.Code(e.Code) {
		case action.InvalidParams:
			e.Hint = "Usage: " + cmd.UseLine() + "\n  " + e.Hint
		case action.StaleRef:
			e.Hint = strings.Join(append(candidates(e.Data), e.Hint), "\n  ")
		}
		return &exitError{code: codeFor(r.Error), err: &e, quiet: o.json}
	}
	if !o.json {
		if show == nil {
			show = printer.text
		}
		err = show(p, r)
	}
	if err == nil && isFalse(r) && show != nil {
		return &exitError{code: exitFailed, err: errNo, quiet: true}
	}
	if err != nil {
		return &exitError{code: exitFailed, err: err}
	}
	return nil
}

// candidates are the elements that a stale ref may mean now, a line each.
func candidates(data json.RawMessage) []string {
	var d struct {
		Candidates []struct {
			Ref, Role, Tag, Name, In string
			Exact                    bool
		}
	}
	if json.Unmarshal(data, &d) != nil {
		return nil
	}
	var lines []string
	for _, c := range d.Candidates {
		line := "@" + c.Ref + " " + pagecontext.Mention(pagecontext.Called(c.Role, c.Tag, c.Name), c.In, 0)
		if c.Exact {
			line += " (exact)"
		}
		lines = append(lines, line)
	}
	return lines
}

// codeFor is the exit code of an error.
func codeFor(e *wire.Error) int {
	switch action.Code(e.Code) {
	case action.NeedsConfirmation, action.Denied, action.Blocked, action.StoppedAfter:
		return exitDenied
	case action.InvalidParams:
		return exitUsage
	default:
		return exitFailed
	}
}
