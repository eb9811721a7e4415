package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/journal"
	"tabwright/host/serve"
)

func auditCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "audit", Short: "Show the log of decisions and actions, and check that it was not changed", Example: "  tabwright audit show --site shop.example\n  tabwright audit verify"}
	cmd.AddCommand(auditVerifyCommand(), auditShowCommand())
	return cmd
}

func auditVerifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "verify", Short: "Find every line that was changed, removed or inserted; exit code 1 if there is one", Args: cobra.NoArgs, Example: "  tabwright audit verify",
		RunE: func(cmd *cobra.Command, _ []string) error {
			l := serve.AuditLog()
			r, err := l.Verify()
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			out := cmd.OutOrStdout()
			if asJSON(cmd) {
				if err := json.NewEncoder(out).Encode(r); err != nil {
					return err
				}
			} else {
				fmt.Fprintf(out, "%s: %d entries", l.Path(), r.Entries)
				if r.Entries > 0 {
					fmt.Fprintf(out, ", %s to %s, last hash %s", stampText(r.From), stampText(r.To), r.Head)
				}
				fmt.Fprintln(out)
				for _, f := range r.Faults {
					if f.Line > 0 {
						fmt.Fprintf(out, "  line %d: %s\n", f.Line, f.What)
					} else {
						fmt.Fprintf(out, "  %s\n", f.What)
					}
				}
			}
			if len(r.Faults) > 0 {
				return &exitError{code: exitFailed, err: errors.New("the audit log was changed or cut off"), quiet: asJSON(cmd)}
			}
			return nil
		},
	}
	return cmd
}

func auditShowCommand() *cobra.Command {
	var n int
	var site, task string
	cmd := &cobra.Command{
		Use: "show", Short: "Show the last entries of the audit log", Args: cobra.NoArgs, Example: "  tabwright audit show -n 20\n  tabwright audit show --site shop.example --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n < 1 {
				return &exitError{code: exitUsage, err: errors.New("-n takes the number of entries, 1 or more")}
			}
			es, err := serve.AuditLog().Entries(n, func(e journal.AuditEntry) bool {
				return (site == "" || e.Site == site || strings.HasSuffix(e.Site, "."+site)) && (task == "" || e.Task == task)
			})
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			if asJSON(cmd) {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetEscapeHTML(false)
				for _, e := range es {
					if err := enc.Encode(e); err != nil {
						return err
					}
				}
				return nil
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, e := range es {
				fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", e.Seq, stampText(e.Time), auditWhat(e), auditAct(e), e.Site, e.Amount)
			}
			return w.Flush()
		},
	}
	cmd.Flags().IntVarP(&n, "lines", "n", 50, "how many entries")
	cmd.Flags().StringVar(&site, "site", "", "show only entries of this site and its subdomains")
	cmd.Flags().StringVar(&task, "task", "", "show only entries of this task")
	return cmd
}

func stampText(millis int64) string {
	return time.UnixMilli(millis).Local().Format("2006-01-02 15:04:05")
}

// auditWhat is what happened, in a few words.
func auditWhat(e journal.AuditEntry) string {
	switch e.Kind {
	case journal.AuditAnswer:
		return e.Answer + " by " + e.By
	case journal.AuditResult:
		return "came of it: " + e.Outcome
	case journal.AuditPolicy:
		return "grant: " + e.Answer + " by " + e.By
	}
	return e.Kind
}

func auditAct(e journal.AuditEntry) string {
	return strings.TrimSpace(strings.TrimSpace(e.Action+" "+e.Target) + " (" + strings.TrimSpace(e.Class+" "+e.Level) + ")")
}
