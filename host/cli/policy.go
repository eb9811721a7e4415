package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/journal"
	"tabwright/host/serve"
	"tabwright/safety"
)

// policyCommand shows and changes the user's policy.
func policyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "policy", Short: "Check, show and change what is asked about, by site and class",
		Long: "The policy consists of a file that you write (see docs/permissions.md), and of grants, which expire.\n" +
			"It can't allow a payment, a deletion, a sign-in or code without a question in each task.",
		Example: "  tabwright policy show --site shop.example\n  tabwright policy allow mail.example communicate --for 7d",
	}
	cmd.AddCommand(policyCheckCommand(), policyShowCommand(), grantCommand(false), grantCommand(true), policyRevokeCommand())
	return cmd
}

func policyCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use: "check [FILE]", Short: "Check the policy file, or another one, and name the faulty lines", Args: cobra.MaximumNArgs(1),
		Example: "  tabwright policy check\n  tabwright policy check new-policy.yaml",
		RunE: func(cmd *cobra.Command, args []string) error {
			path := config.OpenPolicies().File
			if len(args) == 1 {
				path = args[0]
			}
			p, err := config.ReadPolicy(path)
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			return printed(cmd, map[string]any{"file": path, "preset": p.Name(), "sites": len(p.Sites)}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: no errors, preset %s, rules for %d sites\n", path, p.Name(), len(p.Sites))
				return err
			})
		},
	}
}

// policyView is the policy as policy show prints it.
type policyView struct {
	File    string              `json:"file"`
	Preset  string              `json:"preset"`
	Fault   string              `json:"fault,omitempty"`
	Site    string              `json:"site,omitempty"`
	Classes []classView         `json:"classes"`
	Sites   map[string][]string `json:"sites,omitempty"` // "class: setting"
	Local   []string            `json:"local,omitempty"`
	Grants  []safety.Grant      `json:"grants"`
}

// classView is what becomes of a class. An empty setting leaves the gate's own
// level.
type classView struct {
	Class   safety.Class   `json:"class"`
	Setting safety.Setting `json:"setting,omitempty"`
	From    string         `json:"from"`
}

func policyShowCommand() *cobra.Command {
	var site string
	cmd := &cobra.Command{
		Use: "show", Short: "Show the policy in force, on one site with --site, and the grants", Args: cobra.NoArgs,
		Example: "  tabwright policy show\n  tabwright policy show --site shop.example",
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := policyView{Grants: []safety.Grant{}}
			if site != "" {
				var err error
				if v.Site, err = safety.PolicySite(site); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
			}
			store := config.OpenPolicies()
			v.fill(store.File, store.Now())
			if asJSON(cmd) {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(v)
			}
			return v.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&site, "site", "", "show the policy on this site")
	return cmd
}

func (v *policyView) fill(file string, p *safety.Policy) {
	v.File, v.Preset, v.Fault, v.Local = file, p.Name(), p.Fault, p.Local
	v.Grants = append(v.Grants, p.Grants...)
	for _, c := range safety.Classes {
		set, from := p.For(v.Site, c)
		v.Classes = append(v.Classes, classView{c, set, from})
	}
	if v.Site != "" {
		return
	}
	v.Sites = map[string][]string{}
	for host, rules := range p.Sites {
		for c, s := range rules {
			v.Sites[host] = append(v.Sites[host], fmt.Sprintf("%s: %s", c, s))
		}
		slices.Sort(v.Sites[host])
	}
}

func (v *policyView) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if v.Fault != "" {
		fmt.Fprintf(w, "The policy file is not used: %s\n", v.Fault)
	}
	fmt.Fprintf(w, "file\t%s\npreset\t%s\n", v.File, v.Preset)
	if len(v.Local) > 0 {
		fmt.Fprintf(w, "local\t%s\n", strings.Join(v.Local, ", "))
	}
	where := ""
	if v.Site != "" {
		where = " on " + v.Site
	}
	for _, c := range v.Classes {
		set := string(c.Setting)
		if set == "" {
			set = "as the gate judges"
			if v.Preset == safety.Careful {
				set += ", and asked about instead of only shown"
			}
		}
		fmt.Fprintf(w, "%s%s\t%s\t(%s)\n", c.Class, where, set, c.From)
	}
	for _, host := range sortedKeys(v.Sites) {
		fmt.Fprintf(w, "on %s\t%s\t(file)\n", host, strings.Join(v.Sites[host], ", "))
	}
	for _, g := range v.Grants {
		verb := "allowed"
		if g.Deny {
			verb = "denied"
		}
		fmt.Fprintf(w, "grant %s\t%s on %s: %s\tuntil %s (%s)\n", g.ID, g.Class, g.Site, verb, g.Expires.Local().Format("2006-01-02 15:04"), g.By)
	}
	return w.Flush()
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

const byCommand = "command line"

// grantCommand allows or denies classes on a site, for a while.
func grantCommand(deny bool) *cobra.Command {
	var lasts time.Duration
	cmd := &cobra.Command{
		Use: "allow SITE CLASS...", Short: "Allow classes of actions on a site without a question, for a while", Args: cobra.MinimumNArgs(2),
		Long: "Acts of these classes need no question on the site and its subdomains, and are shown. Payments, deletions, sign-ins and code\n" +
			"can't be allowed this way: they are asked about each time.",
		Example: "  tabwright policy allow mail.example communicate --for 7d",
	}
	if deny {
		cmd.Use, cmd.Short, cmd.Args = "deny SITE [CLASS...]", "Deny the agent a site, or classes of acts there, for a while", cobra.MinimumNArgs(1)
		cmd.Long, cmd.Example = "", "  tabwright policy deny casino.example\n  tabwright policy deny shop.example purchase --for 52w"
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if lasts <= 0 {
			return &exitError{code: exitUsage, err: errors.New("--for takes a length of time, such as 12h, 30d or 8w")}
		}
		granted := []safety.Grant{}
		classes := args[1:]
		if len(classes) == 0 {
			classes = []string{string(safety.All)}
		}
		store, log := config.OpenPolicies(), serve.AuditLog()
		for _, c := range classes {
			now := time.Now()
			g, err := store.Grant(safety.Grant{Site: args[0], Class: safety.Class(c), Deny: deny, Created: now, Expires: now.Add(lasts), By: byCommand})
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			answer := "allow"
			if deny {
				answer = "deny"
			}
			e := journal.AuditEntry{Kind: journal.AuditPolicy, Class: string(g.Class), Site: g.Site, Target: g.ID, Answer: answer, By: byCommand}
			if err := log.Append(e); err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			granted = append(granted, g)
		}
		return printed(cmd, map[string]any{"grants": granted}, func(w io.Writer) error {
			for _, g := range granted {
				verb := "allow"
				if g.Deny {
					verb = "deny"
				}
				fmt.Fprintf(w, "%s: %s on %s until %s; revoke it with: tabwright policy revoke %s\n", verb, g.Class, g.Site, g.Expires.Local().Format("2006-01-02 15:04"), g.ID)
			}
			return nil
		})
	}
	durationVar(cmd.Flags(), &lasts, "for", 30*24*time.Hour, "how long it holds: 12h, 30d, 8w; a year at most")
	cmd.ValidArgsFunction = func(_ *cobra.Command, done []string, _ string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, c := range safety.Classes {
			if len(done) > 0 && (deny || safety.Grantable(c)) {
				out = append(out, string(c))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func policyRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID|SITE...", Short: "Revoke grants, by id or all of a site", Args: cobra.MinimumNArgs(1),
		Example: "  tabwright policy revoke mail.example",
		RunE: func(cmd *cobra.Command, args []string) error {
			store, log := config.OpenPolicies(), serve.AuditLog()
			revoked := []safety.Grant{}
			for _, a := range args {
				found := 0
				site, _ := safety.PolicySite(a) // an id is no site, and is compared as it is
				for _, g := range store.Now().Grants {
					if g.ID != a && g.Site != site {
						continue
					}
					found++
					if err := store.Revoke(g.ID); err != nil {
						return &exitError{code: exitFailed, err: err}
					}
					e := journal.AuditEntry{Kind: journal.AuditPolicy, Class: string(g.Class), Site: g.Site, Target: g.ID, Answer: "revoke", By: byCommand}
					if err := log.Append(e); err != nil {
						return &exitError{code: exitFailed, err: err}
					}
					revoked = append(revoked, g)
				}
				if found == 0 {
					return &exitError{code: exitFailed, err: fmt.Errorf("there is no grant %q; tabwright policy show lists them", a)}
				}
			}
			return printed(cmd, map[string]any{"revoked": revoked}, func(w io.Writer) error {
				for _, g := range revoked {
					fmt.Fprintf(w, "taken back: %s on %s\n", g.Class, g.Site)
				}
				return nil
			})
		},
	}
}

// warnPolicy says loudly that the user's policy file is not in force.
func warnPolicy(w io.Writer) {
	if fault := config.OpenPolicies().Now().Fault; fault != "" {
		fmt.Fprintf(w, "tabwright: the policy file is not used; the careful preset holds: %s\n", fault)
	}
}
