package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/serve"
	"tabwright/install"
)

// doctorTime bounds all of a doctor's run: a tab is opened in each connected
// browser, and servers are asked.
const doctorTime = 2 * time.Minute

func doctorCommand() *cobra.Command {
	var userData string
	var fix bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check every link from the browser to the model, and say what to do", Args: cobra.NoArgs,
		Long:    "Checks every link from the browser to the model, and says how to fix each broken one. With --json each check has\na code, which stays the same from version to version.",
		Example: "  tabwright doctor\n  tabwright doctor --fix\n  tabwright doctor --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), doctorTime)
			defer cancel()
			look := func() ([]install.Check, error) { return serve.Examine(ctx, userData) }
			checks, err := look()
			var fixes []fixReport
			if err == nil && fix {
				checks, fixes, err = mendAll(ctx, userData, checks, look)
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			err = printed(cmd, doctorReport(checks, fixes), func(out io.Writer) error {
				if fix {
					printFixes(out, fixes)
				}
				_, err := fmt.Fprint(out, install.Text(checks))
				return err
			})
			if err != nil {
				return err
			}
			if !install.Healthy(checks) {
				return &exitError{code: exitFailed, err: errors.New("something needs attention"), quiet: true}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&userData, "user-data-dir", "", "the folder that a Chromium is started with (--user-data-dir)")
	cmd.Flags().BoolVar(&fix, "fix", false, "make the repairs that need nothing from you, list them, and check again")
	return cmd
}

// checkReport is a check as --json gives it.
type checkReport struct {
	Code    string `json:"code"`
	ID      string `json:"id"`
	Name    string `json:"name"`
	State   string `json:"state"` // ok, note or fail
	Detail  string `json:"detail"`
	Advice  string `json:"advice,omitempty"`
	Command string `json:"command,omitempty"`
	Fixable bool   `json:"fixable"` // --fix can mend it
}

// fixReport is what came of a fix.
type fixReport struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Result string `json:"result"` // fixed, fixed in part or not fixed
	Detail string `json:"detail"`
}

// healthReport is all that --json gives.
type healthReport struct {
	Healthy bool          `json:"healthy"`
	Version string        `json:"version"`
	Checks  []checkReport `json:"checks"`
	Fixes   []fixReport   `json:"fixes,omitempty"`
}

func doctorReport(checks []install.Check, fixes []fixReport) healthReport {
	r := healthReport{Healthy: install.Healthy(checks), Version: serve.Version, Fixes: fixes}
	for _, c := range checks {
		state := "ok"
		switch {
		case !c.OK:
			state = "fail"
		case c.Warning:
			state = "note"
		}
		r.Checks = append(r.Checks, checkReport{
			Code: c.Code(), ID: c.ID, Name: c.Name, State: state, Detail: c.Detail, Advice: c.Fix, Command: c.Command, Fixable: mendable(c),
		})
	}
	return r
}

// mendAll mends what the checks say can be, looks again, and says what was fixed
// and what was not.
func mendAll(ctx context.Context, userData string, checks []install.Check, look func() ([]install.Check, error)) ([]install.Check, []fixReport, error) {
	tried := map[string]error{}
	for _, c := range checks {
		if _, ok := tried[c.Mend]; !ok && mendable(c) {
			tried[c.Mend] = serve.Mend(ctx, userData, c.Mend)
		}
	}
	if len(tried) == 0 {
		return checks, nil, nil
	}
	now, err := look()
	if err != nil {
		return nil, nil, err
	}
	var out []fixReport
	for _, c := range checks {
		if !mendable(c) {
			continue
		}
		is := found(now, c.ID)
		r := fixReport{Code: c.Code(), Name: c.Name, Result: "fixed", Detail: c.Detail}
		switch err := tried[c.Mend]; {
		case err != nil:
			r.Result, r.Detail = "not fixed", err.Error()
		case is.Say == c.Say:
			r.Result = "not fixed"
		case !is.OK:
			r.Result, r.Detail = "fixed in part", "what remains: "+is.Detail
		}
		out = append(out, r)
	}
	return now, out, nil
}

func printFixes(out io.Writer, fixes []fixReport) {
	if len(fixes) == 0 {
		fmt.Fprint(out, "Nothing here can be fixed without you.\n\n")
		return
	}
	for _, r := range fixes {
		fmt.Fprintf(out, "%-13s  %s: %s\n", r.Result, r.Name, r.Detail)
	}
	fmt.Fprintln(out)
}

// mendable reports that --fix can do something about a check.
func mendable(c install.Check) bool { return (!c.OK || c.Warning) && c.Mend != "" }

// found is the check of that id; one that passed where it is gone.
func found(checks []install.Check, id string) install.Check {
	if i := slices.IndexFunc(checks, func(c install.Check) bool { return c.ID == id }); i >= 0 {
		return checks[i]
	}
	return install.Check{OK: true}
}
