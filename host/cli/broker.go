package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tabwright/host/control"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// brokerCommand is the process that owns the tasks. A user need not start
// it: the shim and the command line do.
func brokerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "broker", Short: "Run the broker, the program behind the browser, in the foreground",
		Long: "The broker is the program behind the browser: it runs the tasks and the model. The browser and the commands start it\n" +
			"when they need it, and it ends when nothing has happened for a while. This command runs it in the foreground.",
		Args: cobra.NoArgs, Example: "  tabwright broker\n  tabwright broker stop",
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
		Use: "stop", Short: "End the broker if no task runs; the next task or the side panel starts it again", Args: cobra.NoArgs, Example: "  tabwright broker stop\n  tabwright broker stop --force",
		RunE: func(cmd *cobra.Command, _ []string) error {
			was, err := serve.StopBroker(cmd.Context(), force)
			var busy *wire.Error
			if errors.As(err, &busy) && busy.Code == wire.CodeBusy {
				err = &wire.Error{Code: busy.Code, Message: busy.Message, Hint: "Stop them first, or interrupt them with --force: `tabwright resume` continues each."}
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			said := "The broker has ended."
			if !was {
				said = "No broker is running."
			}
			return printed(cmd, map[string]bool{"stopped": was}, func(w io.Writer) error { _, err := fmt.Fprintln(w, said); return err })
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "end it even if tasks run")
	return cmd
}

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Show what runs and which browsers are connected", Args: cobra.NoArgs, Example: "  tabwright status",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var s wire.BrokerStatus
			c, err := serve.Dial(cmd.Context(), false)
			running := err == nil
			if running {
				defer c.Close()
				err = c.Call(cmd.Context(), wire.MethodBrokerStatus, wire.Empty{}, &s)
				if errors.Is(err, &wire.Error{Code: wire.CodeClosed}) { // it was just ending
					running = false
				} else if err != nil {
					return &exitError{code: exitFailed, err: err}
				}
			}
			view := struct {
				Running bool               `json:"running"`
				Broker  *wire.BrokerStatus `json:"broker,omitempty"`
			}{Running: running}
			if running {
				view.Broker = &s
			}
			return printed(cmd, view, func(out io.Writer) error {
				if !running {
					_, err := fmt.Fprintln(out, "The broker is not running; it starts with your browser or with the first task.")
					return err
				}
				fmt.Fprintf(out, "Broker %s, pid %d, tasks and sessions running: %d\n", s.Version, s.PID, s.Running)
				for _, r := range s.Relays {
					fmt.Fprintf(out, "  %s %s, profile %s, extension %s\n", r.Browser.Name, r.Browser.Version, r.Profile, r.Version)
				}
				return nil
			})
		},
	}
}
