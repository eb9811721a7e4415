package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tabwright/host/serve"
	"tabwright/install"
)

func doctorCommand() *cobra.Command {
	var userData string
	var fix bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check the whole chain from browser to model, and say what to do", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			look := func() ([]install.Check, error) { return serve.Examine(cmd.Context(), userData) }
			checks, err := look()
			if err == nil && fix {
				checks, err = mendAll(cmd.Context(), cmd.OutOrStdout(), userData, checks, look)
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			if _, err := fmt.Fprint(cmd.OutOrStdout(), install.Text(checks)); err != nil {
				return err
			}
			if !install.Healthy(checks) {
				return &exitError{code: exitFailed, err: errors.New("something needs attention"), quiet: true}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&userData, "user-data-dir", "", "a Chromium's own --user-data-dir")
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what can be mended without you, say what, and check again")
	return cmd
}

// mendAll mends what the checks say can be, looks again, and says what was fixed
// and what was not.
func mendAll(ctx context.Context, out io.Writer, userData string, checks []install.Check, look func() ([]install.Check, error)) ([]install.Check, error) {
	tried := map[string]error{}
	for _, c := range checks {
		if _, ok := tried[c.Mend]; !ok && mendable(c) {
			tried[c.Mend] = serve.Mend(ctx, userData, c.Mend)
		}
	}
	if len(tried) == 0 {
		fmt.Fprint(out, "Nothing here can be fixed without you.\n\n")
		return checks, nil
	}
	now, err := look()
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		if !mendable(c) {
			continue
		}
		is, said := found(now, c.ID), c.Detail
		word := "fixed"
		switch err := tried[c.Mend]; {
		case err != nil:
			word, said = "not fixed", err.Error()
		case is.Say == c.Say:
			word = "not fixed"
		case !is.OK:
			word, said = "fixed in part", "what remains: "+is.Detail
		}
		fmt.Fprintf(out, "%-13s  %s: %s\n", word, c.Name, said)
	}
	fmt.Fprintln(out)
	return now, nil
}

// mendable reports that --fix can do something about a check: what needs the
// extension to reload itself the panel's doctor does.
func mendable(c install.Check) bool {
	return (!c.OK || c.Warning) && c.Mend != "" && c.Mend != install.MendReload
}

// found is the check of that id; one that passed where it is gone.
func found(checks []install.Check, id string) install.Check {
	for _, c := range checks {
		if c.ID == id {
			return c
		}
	}
	return install.Check{OK: true}
}
