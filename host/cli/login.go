package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

// loginCommand hands the tab to the user, who signs in, and waits until they
// hand it back: in the side panel of their own browser, at the terminal for a
// launched one.
func loginCommand(o *actOptions) *cobra.Command {
	var done bool
	cmd := &cobra.Command{
		Use: "request-login [WHAT...]", Short: "Hand the tab to the user, to sign in, and wait until they hand it back",
		Long: "Hands the session's tab to the user, to sign in or to do what only they can, and waits until they hand it back:\n" +
			"in the side panel of your own browser; for a launched one by Enter in the terminal, or by --done from a script.\n" +
			"Meanwhile nothing is done or read in the session.",
		Example: `  tabwright request-login
  tabwright request-login Please type the code from your phone`,
		RunE: func(cmd *cobra.Command, words []string) error {
			h, info, err := o.join(cmd.Context())
			if err != nil {
				return err
			}
			defer h.Close()
			ask := func(p map[string]any) wire.SessionResult {
				raw, err := json.Marshal(p)
				if err != nil {
					return wire.SessionResult{Error: wire.AsError(err)}
				}
				return h.Do(cmd.Context(), action.Call{Name: clientsession.RequestLogin, Params: raw}, "")
			}
			p := map[string]any{}
			if len(words) > 0 {
				p["reason"] = strings.Join(words, " ")
			}
			if done {
				p["done"] = true
			}
			r := ask(p)
			_, tty := terminalOf(cmd.InOrStdin())
			for first := true; waiting(r) && cmd.Context().Err() == nil; first = false {
				switch {
				case !info.Launched:
					if first {
						fmt.Fprintln(cmd.ErrOrStderr(), r.Line+"\nHand the tab back in the Tabwright side panel.")
					}
					r = ask(p)
				case tty:
					fmt.Fprint(cmd.ErrOrStderr(), r.Line+"\nPress Enter when you are done. ")
					if _, err := fmt.Fscanln(cmd.InOrStdin()); err != nil && cmd.Context().Err() == nil {
						fmt.Fprintln(cmd.ErrOrStderr())
					}
					r = ask(map[string]any{"done": true})
				default:
					return o.show(cmd, r, nil, "")
				}
			}
			return o.show(cmd, r, nil, "")
		},
	}
	cmd.Flags().BoolVar(&done, "done", false, "tell a launched browser's session that the user has signed in")
	return cmd
}

// waiting tells whether the user still has the tab.
func waiting(r wire.SessionResult) bool {
	var d struct{ State string }
	return r.Error == nil && json.Unmarshal(r.Data, &d) == nil && d.State == "waiting"
}
