package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"tabwright/host/control/client"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// resumeCommand takes up a task that was interrupted, or ends a pause.
func resumeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "resume [TASK]",
		Short: "Continue a task that was interrupted or paused",
		Long: `Continues a task that was paused, or interrupted by a crash or the end of the
browser. Without TASK it is the newest one that was interrupted. The task
continues in its tab. If it was interrupted during an act, and the page doesn't
show whether the act was done, the side panel asks before it is done again.`,
		Example: "  tabwright resume\n  tabwright resume t1abc2de",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := serve.Dial(cmd.Context(), true)
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			defer c.Close()
			t, err := taskToResume(cmd, c, args)
			if err == nil {
				err = c.Call(cmd.Context(), wire.MethodTaskResume, wire.TaskParams{Task: t.Task}, nil)
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			end, denied, err := followTask(cmd.Context(), c, terminalOfRun(cmd, cmd.OutOrStdout()), nil, wire.SubscribeParams{Task: t.Task, Seq: t.Seq})
			if err != nil {
				return err
			}
			return exitFor(end, denied)
		},
	}
}

// taskToResume is the task that was named, or the newest that was interrupted.
func taskToResume(cmd *cobra.Command, c *client.Client, args []string) (wire.TaskInfo, error) {
	var list wire.TaskList
	if err := c.Call(cmd.Context(), wire.MethodTaskList, wire.Empty{}, &list); err != nil {
		return wire.TaskInfo{}, err
	}
	for _, t := range list.Tasks {
		if len(args) == 0 && t.Resumable || len(args) > 0 && t.Task == args[0] {
			return t, nil
		}
	}
	if len(args) > 0 { // older than the list shows
		return wire.TaskInfo{Task: args[0]}, nil
	}
	return wire.TaskInfo{}, errors.New("no task was interrupted")
}
