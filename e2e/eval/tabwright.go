package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"tabwright/e2e/rig"
)

// tabwright is a Tabwright binary, of this tree or of any version since
// `tabwright run` writes traces.
type tabwright struct {
	binary, version string
	model           model
}

// newTabwright asks the binary for its version. A build of changed sources can
// have the same one: the binary's checksum stands beside it.
func newTabwright(ctx context.Context, binary string, m model) (*tabwright, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	out, err := exec.CommandContext(ctx, binary, "version").Output()
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", binary, err)
	}
	sum, err := checksum(binary)
	if err != nil {
		return nil, err
	}
	version := strings.TrimSpace(strings.TrimPrefix(string(out), "tabwright"))
	return &tabwright{binary: binary, version: version + "+" + sum, model: m}, nil
}

// checksum is a short one of a file.
func checksum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil))[:8], nil
}

func (t *tabwright) Name() string    { return ownAgent }
func (t *tabwright) Version() string { return t.version }

// Set are the flags, and the user's variables, which reach the program.
func (t *tabwright) Set() string {
	set := slices.Clone(t.model.set)
	if t.model.baseURL != "" {
		set = append(set, "base_url="+t.model.baseURL)
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "TABWRIGHT_") && !slices.Contains(ownVariables, name) && !strings.Contains(name, "KEY") {
			set = append(set, v)
		}
	}
	slices.Sort(set)
	return set.String()
}

// ownVariables say where the program is, and change nothing of what it does.
var ownVariables = []string{"TABWRIGHT_SOCKET", "TABWRIGHT_BINARY"}

// Do runs `tabwright run` with a browser and folders of its own, and reads the trace
// that it leaves. Confirmations are answered with yes: the task is the user's own.
func (t *tabwright) Do(ctx context.Context, j job) (outcome, error) {
	dir, err := os.MkdirTemp("", "tw-eval-") // short, for the socket's path
	if err != nil {
		return outcome{}, err
	}
	tie, err := rig.Tie(dir)
	if err != nil {
		return outcome{}, err
	}
	defer tie.Close()
	defer os.RemoveAll(dir)
	trace := filepath.Join(dir, "trace.json")
	cmd := command(t.binary, t.args(j, trace)...)
	at := func(name string) string { return filepath.Join(dir, name) }
	cmd.Env = append(os.Environ(),
		"XDG_CONFIG_HOME="+at("config"), "XDG_DATA_HOME="+at("data"), "XDG_STATE_HOME="+at("state"),
		"XDG_CACHE_HOME="+at("cache"), "TABWRIGHT_SOCKET="+filepath.Join(dir, "run", "broker.sock"))
	ended, err := runProgram(ctx, cmd, dir, j.maxTime)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{transcript: map[string][]byte{".log": append(ended.out, ended.log...)}}
	raw, err := os.ReadFile(trace)
	switch {
	case err == nil:
		o, err = readTrace(raw)
		if err != nil {
			return o, err
		}
		o.transcript[".log"] = append(ended.out, ended.log...)
	case !ended.late:
		return o, fmt.Errorf("tabwright run left no trace (%w): %s", ended.err, tail(ended.log))
	}
	if o.Seconds = ended.took.Seconds(); ended.late {
		o.end, o.answer, o.said = endTime, "", "" // it was stopped
	}
	return o, nil
}

// onlyLoopback keeps the browser from all but this machine: a suite's pages may name
// fonts and scripts elsewhere.
const onlyLoopback = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

func (t *tabwright) args(j job, trace string) []string {
	args := []string{
		"run", j.text, "--url", j.url, "--launch", "--headless", "--confirm", "allow", "--trace", trace,
		"--browser-arg", onlyLoopback,
	}
	set := []string{
		"provider=" + t.model.provider, "model=" + t.model.name, "history=keep", "budgets.steps=" + strconv.Itoa(j.maxSteps),
		"budgets.minutes=" + strconv.Itoa(int(j.maxTime.Minutes())+2), // j.maxTime is kept from outside
	}
	if t.model.baseURL != "" {
		set = append(set, "base_url="+t.model.baseURL)
	}
	for _, s := range append(set, t.model.set...) {
		args = append(args, "--set", s)
	}
	return args
}

// trace is what is read of a trace; other versions may have more.
type trace struct {
	Items []traceItem `json:"items"`
	Usage struct {
		InputTokens  int `json:"inputTokens"`
		OutputTokens int `json:"outputTokens"`
	} `json:"usage"`
}

type traceItem struct {
	Kind  string      `json:"kind"`
	Text  string      `json:"text"`
	Error *traceError `json:"error"`
	Step  *struct {
		Line    string      `json:"line"`
		Outcome string      `json:"outcome"`
		Error   *traceError `json:"error"`
	} `json:"step"`
	Look *struct {
		Saw, Said, Failed string
		Calls             []struct {
			Name string
			Args json.RawMessage
		}
	} `json:"look"`
}

type traceError struct{ Code, Message string }

// readTrace counts what is in a trace, and says how the task ended.
func readTrace(raw []byte) (outcome, error) {
	var t trace
	if err := json.Unmarshal(raw, &t); err != nil {
		return outcome{}, fmt.Errorf("the trace: %w", err)
	}
	o := outcome{transcript: map[string][]byte{".json": raw, ".txt": t.readable()}}
	o.TokensIn, o.TokensOut = t.Usage.InputTokens, t.Usage.OutputTokens
	for _, it := range t.Items {
		switch it.Kind {
		case "look":
			if len(it.Look.Calls) == 0 && unread(it.Look.Failed) && showsPage(it.Look.Saw) {
				o.Unread++
			}
		case "tool_result":
			o.step(it.Step.Outcome, it.Step.Error)
		case "complete":
			o.end, o.answer = endDone, it.Text
		case "cancelled", "interrupted":
			o.end, o.said = endGaveUp, it.Text
		case "failed":
			o.said = it.Text
			end, tells := endOf(it.Error)
			if !tells || end == endModel && o.TokensOut == 0 { // nothing ever came of it
				return o, fmt.Errorf("the model can't be asked: %s", oneLine(it.Text, 400))
			}
			o.end = end
		}
	}
	if o.end == "" {
		return o, fmt.Errorf("the trace has no end")
	}
	return o, nil
}

// showsPage says that a request is for the next act: those beside the task (summaries)
// show no page. A model that points is shown its address and a picture.
func showsPage(saw string) bool {
	return strings.Contains(saw, "<<<page ") || strings.Contains(saw, "Current URL: ")
}

// unread says of a request that failed so, or did not, that the reply was the fault.
func unread(failed string) bool { return failed == "" || strings.HasPrefix(failed, "bad_reply") }

// step counts one act.
func (o *outcome) step(how string, err *traceError) {
	o.Steps++
	switch {
	case how == "ok":
	case how == "denied" || how == "blocked" || how == "stopped_after":
		o.Gate++
	case err != nil && (err.Code == "covered" || err.Code == "stale_ref"):
		o.Guard++
	default:
		o.Invalid++
	}
}

// endOf tells how a task ended by the code of its error; tells is false where that
// says nothing about the model.
func endOf(err *traceError) (end string, tells bool) {
	if err == nil {
		return endGaveUp, true
	}
	switch err.Code {
	case "budget":
		return endSteps, true
	case "no_action", "timeout", "stream_cut", "stream_error", "server_error", "context_overflow", "bad_request", "unsupported", "overloaded":
		return endModel, true
	case "unreachable", "unauthorized", "rate_limited", "model_not_found", "invalid_config", "no_model", "unfit_model":
		return "", false
	default:
		return endGaveUp, true
	}
}

// readable is the trace for people: what the model said and did, and the last page
// that it saw.
func (t trace) readable() []byte {
	var b strings.Builder
	last := ""
	for _, it := range t.Items {
		switch {
		case it.Look != nil:
			last = it.Look.Saw
			fmt.Fprintf(&b, "« %s\n", strings.ReplaceAll(it.Look.Said, "\n", "\n  "))
			for _, c := range it.Look.Calls {
				fmt.Fprintf(&b, "  %s %s\n", c.Name, strings.Join(strings.Fields(string(c.Args)), " "))
			}
			if it.Look.Failed != "" {
				fmt.Fprintf(&b, "  ! %s\n", it.Look.Failed)
			}
		case it.Step != nil:
			fmt.Fprintf(&b, "» %s: %s\n", it.Step.Outcome, it.Step.Line)
			if it.Step.Error != nil {
				fmt.Fprintf(&b, "  ! %s: %s\n", it.Step.Error.Code, it.Step.Error.Message)
			}
		case it.Text != "":
			fmt.Fprintf(&b, "– %s: %s\n", it.Kind, it.Text)
		}
	}
	fmt.Fprintf(&b, "\nThe last page it saw:\n\n%s\n", last)
	return []byte(b.String())
}
