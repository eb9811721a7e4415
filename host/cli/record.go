package cli

import (
	"github.com/spf13/cobra"

	"tabwright/host/native/wire"
)

// recordCommand saves a finished task as a workflow.
func recordCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "record [TASK]", Short: "Save a task as a workflow file that replay runs without a model",
		Long: "Saves a task as YAML: its steps by role and name, and as parameters the typed values that are also in the\n" +
			"task's words. Values of password fields and the like are never in it. Without TASK it is the newest one.\n" +
			"If the task was not done, its steps so far are saved, and the file says so.",
		Example: "  tabwright record t1abc2de -o shop.yaml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTask(cmd, args, func(from remoteArtifacts, task string) error {
				return saveOrPrint(cmd, file, func() (wire.Exported, error) { return from.RecordingOf(task) })
			})
		},
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to this file instead of standard output")
	return cmd
}
