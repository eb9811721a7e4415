package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/control/client"
	"tabwright/host/native/wire"
)

// artifacts says what a run leaves behind: a result as JSON, a trace, a recording.
type artifacts struct {
	schema, trace, record string
	sources               bool
}

func (a *artifacts) add(fl *pflag.FlagSet) {
	fl.StringVar(&a.schema, "schema", "", "a file with a JSON schema; the result is JSON that fits it, and nothing else is on standard output")
	fl.BoolVar(&a.sources, "sources", false, "with --schema: print {data, sources}, with the page that each value is from")
	fl.StringVar(&a.trace, "trace", "", "write the trace of the task to this file (.html or .json)")
	fl.StringVar(&a.record, "record", "", "when the task has ended, save its steps to this file as a recording for tabwright replay; if it failed, the steps so far")
}

func (a artifacts) check() error {
	if a.sources && a.schema == "" {
		return errors.New("--sources goes with --schema")
	}
	if a.trace != "" {
		if _, err := traceFormat(a.trace); err != nil {
			return err
		}
	}
	return nil
}

func (a artifacts) readSchema() (json.RawMessage, error) {
	if a.schema == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(a.schema)
	if err != nil {
		return nil, err
	}
	if !json.Valid(raw) {
		return nil, fmt.Errorf("%s is not JSON", a.schema)
	}
	return raw, nil
}

// events is where what happens is told: beside the result, where there is one.
func (a artifacts) events(cmd *cobra.Command) io.Writer {
	if a.schema != "" {
		return cmd.ErrOrStderr()
	}
	return cmd.OutOrStdout()
}

// artifactSource knows what a task left behind; *history.History does.
type artifactSource interface {
	Trace(task, format string) (wire.Exported, error)
	Result(task string) (wire.TaskResult, error)
	RecordingOf(task string) (wire.Exported, error)
}

// remoteArtifacts asks the broker for it.
type remoteArtifacts struct {
	ctx context.Context
	c   *client.Client
}

func (r remoteArtifacts) Trace(task, format string) (out wire.Exported, err error) {
	err = r.c.Call(r.ctx, wire.MethodTaskTrace, wire.TraceParams{Task: task, Format: format}, &out)
	return out, err
}

func (r remoteArtifacts) Result(task string) (out wire.TaskResult, err error) {
	err = r.c.Call(r.ctx, wire.MethodTaskResult, wire.TaskParams{Task: task}, &out)
	return out, err
}

func (r remoteArtifacts) RecordingOf(task string) (out wire.Exported, err error) {
	err = r.c.Call(r.ctx, wire.MethodFlowSave, wire.FlowSaveParams{Task: task}, &out)
	return out, err
}

// take writes what was asked for, once a task has ended.
func (a artifacts) take(cmd *cobra.Command, from artifactSource, task string, end wire.Event) error {
	var errs []error
	if a.trace != "" {
		format, err := traceFormat(a.trace)
		if err == nil {
			err = save(a.trace, func() (wire.Exported, error) { return from.Trace(task, format) })
		}
		errs = append(errs, err)
	}
	if a.record != "" {
		errs = append(errs, a.saveRecording(cmd, from, task, end))
	}
	if end.Type != wire.EvComplete {
		return failedWith(errs...)
	}
	if a.schema != "" {
		r, err := from.Result(task)
		if err == nil {
			err = a.print(cmd, r)
		}
		errs = append(errs, err)
	}
	return failedWith(errs...)
}

// saveRecording writes the task as a workflow; of one that was not done what there
// is, which the file says as well.
func (a artifacts) saveRecording(cmd *cobra.Command, from artifactSource, task string, end wire.Event) error {
	err := save(a.record, func() (wire.Exported, error) { return from.RecordingOf(task) })
	switch {
	case end.Type == wire.EvComplete:
		return err
	case err != nil: // that the task was not done is said already
		fmt.Fprintf(cmd.ErrOrStderr(), "! nothing was recorded: %v\n", err)
	default:
		fmt.Fprintf(cmd.ErrOrStderr(), "! the task was not done; its steps so far are in %s, and the file says so\n", a.record)
	}
	return nil
}

func failedWith(errs ...error) error {
	err := errors.Join(errs...)
	if err == nil || errors.As(err, new(*exitError)) {
		return err
	}
	return &exitError{code: exitFailed, err: err}
}

// print writes a result to standard output, and says on standard error which of
// its values are on no page that was read.
func (a artifacts) print(cmd *cobra.Command, r wire.TaskResult) error {
	for _, s := range r.Sources {
		if s.URL == "" && !s.Unchecked {
			fmt.Fprintf(cmd.ErrOrStderr(), "! the value of %s is on no page that was read\n", s.Path)
		}
	}
	enc := json.NewEncoder(cmd.OutOrStdout())
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if a.sources {
		return enc.Encode(r)
	}
	return enc.Encode(r.Data)
}

// save writes an exported file for its owner's eyes only; - is standard output.
func save(path string, get func() (wire.Exported, error)) error {
	f, err := get()
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(f.Text), 0o600)
}

// saveOrPrint saves a text, or prints it where no file was named.
func saveOrPrint(cmd *cobra.Command, path string, get func() (wire.Exported, error)) error {
	if path != "" {
		if err := save(path, get); err != nil {
			return err
		}
		return printed(cmd, map[string]string{"file": path}, func(io.Writer) error { return nil })
	}
	f, err := get()
	if err != nil {
		return err
	}
	return printed(cmd, map[string]string{"text": f.Text}, func(w io.Writer) error { _, err := io.WriteString(w, f.Text); return err })
}
