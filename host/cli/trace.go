package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/control/client"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// traceFormat is what a trace file's name asks for.
func traceFormat(path string) (string, error) {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".html", ".htm":
		return "html", nil
	case ".json":
		return "json", nil
	default:
		return "", fmt.Errorf("a trace is .html or .json, not %q", ext)
	}
}

// taskNamed is the task that was named, or the newest.
func taskNamed(ctx context.Context, c *client.Client, args []string) (string, error) {
	if len(args) > 0 {
		return args[0], nil
	}
	var list wire.TaskList
	if err := c.Call(ctx, wire.MethodTaskList, wire.Empty{}, &list); err != nil {
		return "", err
	}
	for _, t := range list.Tasks {
		if t.Kind == "" {
			return t.Task, nil
		}
	}
	return "", &wire.Error{
		Code: wire.CodeNoTask, Message: "There is no task yet.",
		Hint: "A task in a browser of its own leaves nothing behind: use --trace FILE or --record FILE with `tabwright run --launch` itself.",
	}
}

// withTask runs f with the task that was named, or the newest; its errors are
// exitFailed.
func withTask(cmd *cobra.Command, args []string, f func(from remoteArtifacts, task string) error) error {
	c, err := serve.Dial(cmd.Context(), true)
	if err != nil {
		return failedWith(err)
	}
	defer c.Close()
	task, err := taskNamed(cmd.Context(), c, args)
	if err != nil {
		return failedWith(err)
	}
	return failedWith(f(remoteArtifacts{cmd.Context(), c}, task))
}

// traceCommand writes what is known of a task's run.
func traceCommand() *cobra.Command {
	var file string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "trace [TASK]", Short: "Write a task's trace: steps, what the model saw and said, tokens, time, the gate's decisions",
		Long: "Writes one page that needs no network and runs no script (--html FILE, the default is trace-TASK.html), or JSON on\n" +
			"standard output (--json). Without TASK it is the newest one.",
		Example: "  tabwright trace t1abc2de --html run.html\n  tabwright trace t1abc2de --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd, args, func(from remoteArtifacts, task string) error {
				if asJSON {
					out, err := from.Trace(task, "json")
					if err == nil {
						_, err = fmt.Fprintln(cmd.OutOrStdout(), out.Text)
					}
					return err
				}
				if file == "" {
					file = "trace-" + task + ".html"
				}
				if err := save(file, func() (wire.Exported, error) { return from.Trace(task, "html") }); err != nil {
					return err
				}
				_, err := fmt.Fprintln(cmd.OutOrStdout(), file)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&file, "html", "", "write the page to this file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the trace as JSON")
	cmd.MarkFlagsMutuallyExclusive("html", "json")
	return cmd
}
