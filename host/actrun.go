package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // what screenshots come as
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native"
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
	fl.StringVar(&o.confirmation, "confirmation", "", "the id of a confirmation: repeat the call that needed it, and wait for the answer")
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
func (o *actOptions) join(ctx context.Context) (control.Hand, native.SessionInfo, error) {
	return o.open(ctx, native.SessionOpenParams{Name: o.session, Join: true})
}

func (o *actOptions) open(ctx context.Context, p native.SessionOpenParams) (control.Hand, native.SessionInfo, error) {
	warnPolicy(os.Stderr)
	c, err := dialBroker(ctx, true)
	if err != nil {
		return nil, native.SessionInfo{}, &exitError{code: exitFailed, err: err}
	}
	h, info, err := control.OpenRemote(ctx, c, p)
	if err != nil {
		return nil, info, &exitError{code: codeFor(native.AsError(err)), err: errors.Join(err, c.Close())}
	}
	return h, info, nil
}

// act joins the session, does a form's action and prints what came of it.
func (o *actOptions) act(cmd *cobra.Command, f form, params map[string]any, file string) error {
	h, info, err := o.join(cmd.Context())
	if err != nil {
		return err
	}
	defer h.Close()
	return o.do(cmd, h, info, f, params, file)
}

// do does a form's action in a session and prints what came of it.
func (o *actOptions) do(cmd *cobra.Command, h control.Hand, info native.SessionInfo, f form, params map[string]any, file string) error {
	raw, err := json.Marshal(params)
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
	r := h.Do(cmd.Context(), call, id)
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
func (o *actOptions) lost(ctx context.Context, info native.SessionInfo, r native.SessionResult) native.SessionResult {
	if r.Error == nil || !info.Launched || r.Error.Code != native.Code(action.Detached) || r.Error.Message == control.ErrBrokerGone.Message {
		return r
	}
	for end := time.Now().Add(lostTime); ; time.Sleep(lostTime / 10) {
		h, _, err := o.join(ctx)
		if errors.Is(err, &native.Error{Code: control.CodeNoSession}) {
			break
		}
		if err != nil || errors.Join(h.Close(), ctx.Err()) != nil || time.Now().After(end) {
			return r
		}
	}
	e := *r.Error
	e.Hint = "The browser has ended, and the session with it. Begin anew with `tabwright open URL` and the flags it was opened with."
	r.Error = &e
	return r
}

// answers gets the answer to a question under way: at the terminal for a
// launched browser, in the panel else. It is false when nobody waits.
func (o *actOptions) answers(cmd *cobra.Command, h control.Hand, info native.SessionInfo, r native.SessionResult) bool {
	tty := isatty.IsTerminal(os.Stdin.Fd())
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
	allow, _ := newAsker("ask", cmd.InOrStdin(), cmd.ErrOrStderr()).confirm(cmd.Context(), *r.Confirm)
	return h.Answer(cmd.Context(), r.Confirm.ID, allow) == nil
}

// show prints a result and gives the exit code.
func (o *actOptions) show(cmd *cobra.Command, r native.SessionResult, show func(printer, native.SessionResult) error, file string) error {
	p := printer{out: cmd.OutOrStdout(), file: file}
	if r.Error != nil {
		e := *r.Error
		e.Hint = commandWords(e.Hint)
		r.Error = &e
	}
	var err error
	r = stepsNamed(r)
	if o.json {
		if err = errors.Join(p.writeImage(r), p.copyFile(r)); err == nil {
			enc := json.NewEncoder(p.out)
			enc.SetEscapeHTML(false)
			err = enc.Encode(control.Structured(r))
		}
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
			Ref, Role, Tag, Name string
			Exact                bool
		}
	}
	if json.Unmarshal(data, &d) != nil {
		return nil
	}
	var lines []string
	for _, c := range d.Candidates {
		line := fmt.Sprintf("@%s %s %q", c.Ref, cmp.Or(c.Role, c.Tag), c.Name)
		if c.Exact {
			line += " (exact)"
		}
		lines = append(lines, line)
	}
	return lines
}

// codeFor is the exit code of an error.
func codeFor(e *native.Error) int {
	switch action.Code(e.Code) {
	case action.NeedsConfirmation, action.Denied, action.Blocked:
		return exitDenied
	case action.InvalidParams:
		return exitUsage
	default:
		return exitFailed
	}
}

// dialogWords writes the two answers to a dialog as the two commands for them.
var dialogWords = strings.NewReplacer(
	" with handleDialog: accept true", ": `tabwright dialog accept`",
	"handleDialog, accept true", "`tabwright dialog accept`",
	"accept false", "`tabwright dialog dismiss`",
	"handleDialog", dialogCommands,
)

const dialogCommands = "`tabwright dialog accept` or `tabwright dialog dismiss`"

var actionWord = regexp.MustCompile(`\b[a-z]+(?:[A-Z][A-Za-z]*)+\b`)

// commandWords writes a hint for someone who knows commands, not actions; what
// stands between backquotes is left as it is.
func commandWords(hint string) string {
	parts := strings.Split(hint, "`")
	for i := 0; i < len(parts); i += 2 { // the others are commands already
		ours := strings.Split(dialogWords.Replace(parts[i]), "`")
		for j := 0; j < len(ours); j += 2 {
			ours[j] = actionWord.ReplaceAllStringFunc(ours[j], actionCommand)
		}
		parts[i] = strings.Join(ours, "`")
	}
	return strings.Join(parts, "`")
}

// actionCommand is the command of an action, in backquotes; another word is left
// as it is.
func actionCommand(word string) string {
	for _, f := range allForms(action.Default()) {
		if f.action == word {
			return "`tabwright " + strings.TrimSpace(f.parent+" "+f.name) + "`"
		}
	}
	return word
}

// nextStep finds how to go on where a result was cut, and stepWords where an act
// opened a dialog or a tab or asked for a file: in words that only we write, and
// the second in no more than an act's effect, so that what a page says stays as it
// is.
var (
	nextStep  = regexp.MustCompile(`\b(getElements|extractContent) (cursor|query|visible|range)=`)
	stepWords = regexp.MustCompile(`\((?:answer it with handleDialog|switchTab goes there)\)|, and no window was opened: use uploadFile with `)
)

// nothingRead is all that a result says where there was nothing to read.
const nothingRead = "OK: there is nothing to read here; getElements or a screenshot may show more."

// stepCommands writes the actions in stepWords as commandWords would, which the
// forms themselves can't use.
var stepCommands = strings.NewReplacer(
	"handleDialog", dialogCommands, "switchTab", "`tabwright tabs switch`", "uploadFile", "`tabwright upload`", "getElements", "`tabwright elements`",
)

// listCommands are the commands of the actions whose results can be cut.
var listCommands = map[string]string{"getElements": "tabwright elements", "extractContent": "tabwright content"}

// stepsNamed names the commands that go on after a result, in what we say of it.
func stepsNamed(r native.SessionResult) native.SessionResult {
	effect := stepWords.ReplaceAllStringFunc(withCommands(r.Effect), stepCommands.Replace)
	switch {
	case r.Effect != "":
		r.Text = strings.Replace(r.Text, r.Effect, effect, 1)
	case r.Text == nothingRead:
		r.Text = stepCommands.Replace(r.Text)
	case r.Action == "observe":
		r.Text = action.NameDialogAnswer(r.Text, dialogCommands)
	}
	r.Effect = effect
	return r
}

// withCommands writes how to go on where a result was cut as a command.
func withCommands(text string) string {
	return nextStep.ReplaceAllStringFunc(text, func(s string) string {
		name, param, _ := strings.Cut(s, " ")
		return listCommands[name] + " --" + param
	})
}

// printer prints results for people and scripts.
type printer struct {
	out  io.Writer
	file string
}

// text prints what a model would read, without its OK.
func (p printer) text(r native.SessionResult) error {
	_, err := fmt.Fprintln(p.out, withCommands(strings.TrimPrefix(r.Text, "OK: ")))
	return err
}

// fields gives a result's data as an object, or nil.
func fields(r native.SessionResult) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(r.Data, &m) != nil {
		return nil
	}
	return m
}

// value prints the one value that was asked for, strings as they are.
func (p printer) value(r native.SessionResult) error {
	raw := r.Data
	if m := fields(r); m != nil && r.Action != "executeJS" {
		raw = nil
		for _, k := range []string{"value", "text", "html", "content"} {
			if v, ok := m[k]; ok {
				raw = v
				break
			}
		}
	}
	var s string
	switch {
	case len(raw) == 0:
		return p.text(r)
	case json.Unmarshal(raw, &s) == nil:
		_, err := fmt.Fprintln(p.out, s)
		return err
	default:
		_, err := fmt.Fprintln(p.out, string(raw))
		return err
	}
}

// tabs prints the session's tabs, one a line; a star marks the current one.
func (p printer) tabs(r native.SessionResult) error {
	var l struct {
		Tabs []action.TabEntry `json:"tabs"`
	}
	if json.Unmarshal(r.Data, &l) != nil {
		return p.text(r)
	}
	var err error
	for _, t := range l.Tabs {
		mark := " "
		if t.Active {
			mark = "*"
		}
		_, e := fmt.Fprintf(p.out, "%s %d\t%s\t%s\n", mark, t.Index, t.URL, t.Title)
		err = errors.Join(err, e)
	}
	return err
}

// truth prints true or false.
func (p printer) truth(r native.SessionResult) error {
	yes, ok := truthOf(r)
	if !ok {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, yes)
	return err
}

// truthOf finds the answer of isVisible, isEnabled or isChecked.
func truthOf(r native.SessionResult) (yes, ok bool) {
	name, is := strings.CutPrefix(r.Action, "is")
	if !is {
		return false, false
	}
	raw, found := fields(r)[strings.ToLower(name)]
	if !found {
		raw = r.Data
	}
	if json.Unmarshal(raw, &yes) == nil {
		return yes, true
	}
	var s string // a checkbox may be "mixed"
	if json.Unmarshal(raw, &s) != nil {
		return false, false
	}
	return s == "true", true
}

// errNo is the answer no to a question of an is command, which is no failure.
var errNo = errors.New("no")

// asked gives a question that could not be answered an exit code of its own, so
// that a script does not take it for a no.
func asked(err error) error {
	var e *exitError
	if errors.As(err, &e) && e.code == exitFailed && !errors.Is(err, errNo) {
		return &exitError{code: exitUntold, err: e.err, quiet: e.quiet}
	}
	return err
}

// isFalse reports whether the question of an is command has the answer no.
func isFalse(r native.SessionResult) bool {
	yes, ok := truthOf(r)
	return ok && !yes
}

// image writes a picture to the file that was named, and says where.
func (p printer) image(r native.SessionResult) error {
	if err := p.writeImage(r); err != nil {
		return err
	}
	if p.file == "" {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, p.file)
	return err
}

// saved copies the file that an action wrote to the place that was named, and
// says where it is. The copy is this command's own: the host writes only into
// the session's folder.
func (p printer) saved(r native.SessionResult) error {
	if err := p.copyFile(r); err != nil {
		return err
	}
	if p.file == "" {
		return p.text(r)
	}
	_, err := fmt.Fprintln(p.out, p.file)
	return err
}

func (p printer) copyFile(r native.SessionResult) error {
	var path string
	if p.file == "" || r.Error != nil || json.Unmarshal(fields(r)["path"], &path) != nil {
		return nil // a result without a file
	}
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(p.file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// writeImage writes a picture in the format that the file's name says.
func (p printer) writeImage(r native.SessionResult) error {
	if p.file == "" || len(r.Image) == 0 {
		return nil
	}
	data := r.Image
	if strings.EqualFold(filepath.Ext(p.file), ".png") && r.MIME != "image/png" {
		img, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("read the picture: %w", err)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			return fmt.Errorf("write the picture: %w", err)
		}
		data = b.Bytes()
	}
	return os.WriteFile(p.file, data, 0o600)
}
