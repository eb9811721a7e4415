package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/native/wire"
)

// explainCommand has what the gate would make of any action, and why, without
// doing it: the commands of actions, behind the word explain.
func explainCommand(r *action.Registry) *cobra.Command {
	o := &actOptions{explain: true}
	cmd := &cobra.Command{
		Use: "explain ACTION ...", Short: "Say what would be asked about an action, and why, without doing it",
		Long: "Finds the action's target, judges it by the same code as when the action is done, and prints class, level and\n" +
			"reasons. Nothing is sent to the page.",
		Example: "  tabwright explain click @e12\n  tabwright explain fill @e3 \"text\" --submit --json\n  tabwright explain open https://shop.example/checkout",
	}
	all := append(slices.Clone(allForms(r)), form{name: "open", action: "navigate", args: []string{"url"}, short: "Open a page."})
	for _, f := range all {
		if f.parent == "" && !slices.Contains(f.args, fileArg) {
			sub := f.command(r, o)
			sub.GroupID, sub.Example = "", strings.ReplaceAll(sub.Example, "  tabwright ", "  tabwright explain ")
			cmd.AddCommand(sub)
		}
	}
	o.addExplain(cmd)
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		return &exitError{code: exitUsage, err: noSuch(cmd, words)}
	}
	return cmd
}

func (o *actOptions) addExplain(cmd *cobra.Command) {
	fl := cmd.PersistentFlags()
	fl.StringVar(&o.session, "session", defaultSession(), "name of the session; TABWRIGHT_SESSION sets the default")
	fl.BoolVar(&o.json, "json", false, "print the result as JSON")
	completeFlag(cmd, "session", sessionNames)
}

// explained prints what the gate says of a call.
func (o *actOptions) explained(cmd *cobra.Command, h control.SessionClient, call action.Call) error {
	r := h.Explain(cmd.Context(), call)
	if o.json && r.Error == nil {
		var e action.Explanation
		if err := json.Unmarshal(r.Data, &e); err != nil {
			return &exitError{code: exitFailed, err: fmt.Errorf("read the explanation: %w", err)}
		}
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetEscapeHTML(false)
		return enc.Encode(e)
	}
	return o.show(cmd, r, func(p printer, r wire.SessionResult) error { return p.text(r) }, "")
}
