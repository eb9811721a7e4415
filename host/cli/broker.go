package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"tabwright/host/control"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// brokerCommand is the process that owns the tasks. People need not start it:
// the shim and the command line do.
func brokerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "broker", Short: "Run the broker in the foreground (started by itself when needed)", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := serve.RunBroker(cmd.Context())
			switch {
			case errors.Is(err, control.ErrIdle), errors.Is(err, control.ErrAsked), errors.Is(err, control.ErrUpdated),
				errors.Is(err, context.Canceled), errors.Is(err, native.ErrRunning):
				return nil
			default:
				return &exitError{code: exitFailed, err: err}
			}
		},
	}
	cmd.AddCommand(brokerStopCommand())
	return cmd
}

func brokerStopCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "stop", Short: "End the broker, if no task runs; the next task, or the side panel, starts another", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			was, err := serve.StopBroker(cmd.Context(), force)
			var busy *wire.Error
			if errors.As(err, &busy) && busy.Code == wire.CodeBusy {
				err = &wire.Error{Code: busy.Code, Message: busy.Message, Hint: "Stop them first, or with --force they are interrupted: `tabwright resume` goes on with each."}
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			said := "The broker has ended."
			if !was {
				said = "No broker is running."
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "also while tasks run")
	return cmd
}

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say what runs and which browsers are connected", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := cmd.OutOrStdout()
			const none = "The broker is not running; it starts with your browser or with the first task."
			c, err := serve.Dial(cmd.Context(), false)
			if err != nil {
				fmt.Fprintln(out, none)
				return nil
			}
			defer c.Close()
			var s wire.BrokerStatus
			err = c.Call(cmd.Context(), wire.MethodBrokerStatus, wire.Empty{}, &s)
			if errors.Is(err, &wire.Error{Code: wire.CodeClosed}) { // it was just ending
				fmt.Fprintln(out, none)
				return nil
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			fmt.Fprintf(out, "Broker %s, pid %d, tasks and sessions running: %d\n", s.Version, s.PID, s.Running)
			for _, r := range s.Relays {
				fmt.Fprintf(out, "  %s %s, profile %s, extension %s\n", r.Browser.Name, r.Browser.Version, r.Profile, r.Version)
			}
			return nil
		},
	}
}
