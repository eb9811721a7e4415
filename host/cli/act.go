package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/action"
	"tabwright/host/config"
	"tabwright/host/control/clientsession"
	"tabwright/host/native/wire"
)

// addActions gives the command line the action registry: the short forms, a
// command for every other action, and what sessions need.
func addActions(root *cobra.Command) {
	r, o := action.Default(), &actOptions{}
	root.AddGroup(&cobra.Group{ID: groupBrowser, Title: "Act in a browser, without a model:"})
	var all []*cobra.Command
	parents := map[string]*cobra.Command{
		"get":    {Use: "get", Short: "Read a text, value, attribute or HTML; the page's title or url", Example: "  tabwright get text @e1\n  tabwright get title"},
		"is":     {Use: "is", Short: "Say whether an element is visible, enabled or checked: exit code 0 for yes, 1 for no, 4 if there is no answer", Example: "  tabwright is visible @e1 && echo yes"},
		"dialog": {Use: "dialog", Short: "Answer an open dialog", Example: "  tabwright dialog accept"},
		"tabs":   {Use: "tabs", Aliases: []string{"tab"}, Short: "List, open, switch to or close the session's tabs", Example: "  tabwright tabs\n  tabwright tabs new https://go.dev\n  tabwright tabs 2"},
	}
	for _, f := range allForms(r) {
		cmd := f.command(r, o)
		if p := parents[f.parent]; p != nil {
			p.AddCommand(cmd)
			if f.parent == "tabs" && f.name == "list" {
				p.RunE = func(cmd *cobra.Command, words []string) error {
					if len(words) == 0 {
						return o.act(cmd, f, nil, "")
					}
					n, err := strconv.Atoi(strings.TrimPrefix(words[0], "t"))
					if err != nil {
						return &exitError{code: exitUsage, err: err}
					}
					return o.act(cmd, form{action: "switchTab"}, map[string]any{"index": n}, "")
				}
				p.Args = func(cmd *cobra.Command, words []string) error {
					if len(words) == 0 || len(words) == 1 && tabNumber.MatchString(words[0]) {
						return nil
					}
					return &exitError{code: exitUsage, err: noSuch(cmd, words)}
				}
			}
			continue
		}
		all = append(all, cmd)
	}
	parents["get"].AddCommand(pageCommand("title", o), pageCommand("url", o))
	for _, name := range []string{"get", "is", "dialog", "tabs"} {
		if p := parents[name]; p.HasSubCommands() {
			all = append(all, p)
		}
	}
	all = append(all, openCommand(o), summaryCommand(o), waitCommand(r, o), closeCommand(o), sessionsCommand(o), profilesCommand(o), loginCommand(o))
	if _, ok := r.Spec("find"); ok {
		all = append(all, findCommand(r, o))
	}
	for _, cmd := range all {
		cmd.GroupID = groupBrowser
		o.add(cmd)
		completeFlag(cmd, "session", sessionNames)
		root.AddCommand(cmd)
	}
}

// tabNumber is a tab as `tabs` lists it, or as agent-browser writes it.
var tabNumber = regexp.MustCompile(`^t?\d{1,4}$`)

// openCommand opens a page, and the session if there is none.
func openCommand(o *actOptions) *cobra.Command {
	var f browserFlags
	cmd := &cobra.Command{
		Use: "open URL", Aliases: []string{"goto", "navigate"}, Args: cobra.ExactArgs(1),
		Short: "Open a page in the session's tab; begin a session first if none is open",
		Long: "Opens a page in the session's tab. If no session of that name is open, it begins one: in your own browser, in a\n" +
			"tab of its own; with --launch in a Chromium with a temporary profile; with --profile own in one with a permanent profile;\n" +
			"with --cdp in a browser that runs already, where nobody can answer a question.",
		Example: `  tabwright open https://go.dev
  tabwright open https://go.dev --launch --headless
  tabwright open https://go.dev --profile own --isolated
  tabwright open https://go.dev --cdp http://127.0.0.1:9222
  tabwright snapshot -i
  tabwright click @e2`,
		RunE: func(cmd *cobra.Command, words []string) error {
			f.askWhoCan(cmd)
			if err := f.check(); err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			p := wire.SessionOpenParams{Name: o.session, Client: "Command line"}
			if o.session != "default" {
				p.Client += ", " + o.session
			}
			p, err := f.session(p)
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if !cmd.Flags().Changed("confirm") && f.confirm == clientsession.Ask {
				p.Confirm = "" // as it is, where the session is open already
			}
			h, info, err := o.open(cmd.Context(), p)
			if err != nil {
				return err
			}
			defer h.Close()
			if info.New && !o.json {
				sayWhere(cmd.ErrOrStderr(), info)
			}
			return o.do(cmd, h, info, form{action: "navigate"}, map[string]any{"url": words[0]}, "")
		},
	}
	f.add(cmd, clientsession.Ask)
	completeFlag(cmd, "confirm", words(clientsession.Ask, clientsession.Deny, clientsession.Allow))
	completeFlag(cmd, "profile", profileNames)
	return cmd
}

// sayWhere tells which browser a new session is in.
func sayWhere(w io.Writer, info wire.SessionInfo) {
	switch {
	case info.Browser != "":
		fmt.Fprintf(w, "In %s, profile %s\n", info.Browser, info.Profile)
	case info.Profile != "":
		fmt.Fprintf(w, "In profile %s\n", info.Profile)
	}
}

// look observes the page of the open session.
func (o *actOptions) look(ctx context.Context) (wire.SessionResult, error) {
	h, _, err := o.join(ctx)
	if err != nil {
		return wire.SessionResult{}, err
	}
	defer h.Close()
	return h.Observe(ctx, action.ObserveOptions{}), nil
}

func summaryCommand(o *actOptions) *cobra.Command {
	return &cobra.Command{
		Use: "summary", Short: "Show the address of the page and a summary of its content", Args: cobra.NoArgs, Example: "  tabwright summary",
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := o.look(cmd.Context())
			if err != nil {
				return err
			}
			return o.show(cmd, r, nil, "")
		},
	}
}

// pageCommand prints one field of the page's summary.
func pageCommand(name string, o *actOptions) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: "Print the page's " + name, Args: cobra.NoArgs, Example: "  tabwright get " + name,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := o.look(cmd.Context())
			if err != nil {
				return err
			}
			return o.show(cmd, r, func(p printer, r wire.SessionResult) error {
				var s string
				if json.Unmarshal(fields(r)[name], &s) != nil {
					return fmt.Errorf("the page has no %s", name)
				}
				_, err := fmt.Fprintln(p.out, s)
				return err
			}, "")
		},
	}
}

// waitCommand waits a while, for an element, or for what its flags say.
func waitCommand(r *action.Registry, o *actOptions) *cobra.Command {
	spec, ok := r.Spec("waitFor")
	f := form{name: "wait", action: "waitFor"}
	cmd := &cobra.Command{
		Use: "wait [TIME|SELECTOR]", Args: cobra.MaximumNArgs(1),
		Short:   "Wait for a time, for a selector, or for a condition that the flags name",
		Example: "  tabwright wait 2s\n  tabwright wait \"#done\" --timeout 30s\n  tabwright wait --text Done",
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 1 {
				if ms, err := strconv.ParseFloat(words[0], 64); err == nil { // as agent-browser has it
					return o.act(cmd, form{action: "wait"}, map[string]any{"ms": ms}, "")
				}
				if d, err := config.ParseDuration(words[0]); err == nil {
					return o.act(cmd, form{action: "wait"}, map[string]any{"ms": d.Milliseconds()}, "")
				}
			}
			if !ok {
				return &exitError{code: exitUsage, err: errors.New("wait takes a time such as 2s")}
			}
			p, _, err := f.params(spec, cmd.Flags(), nil)
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			if len(words) == 1 {
				p["selector"] = words[0]
			}
			if len(p) == 0 {
				return &exitError{code: exitUsage, err: errors.New("say what to wait for: a time such as 2s, a selector, or a flag")}
			}
			return o.act(cmd, f, p, "")
		},
	}
	if ok {
		for _, name := range spec.Schema.PropertyOrder {
			addFlag(cmd.Flags(), name, "", spec.Schema.Properties[name])
		}
	}
	cmd.Flags().SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "load" || name == "load-state" { // as agent-browser and Playwright have it
			name = "state"
		}
		return pflag.NormalizedName(name)
	})
	return cmd
}

// findCommand finds an element as a user names it, and acts on it.
func findCommand(r *action.Registry, o *actOptions) *cobra.Command {
	spec, _ := r.Spec("find") // asked before
	f := form{name: "find", action: "find"}
	kinds := []string{"role", "text", "label", "placeholder", "alt", "title", "testid"}
	cmd := &cobra.Command{
		Use: "find KIND VALUE [ACTION [WORDS...]]", Args: cobra.MinimumNArgs(2),
		Short:   "Find an element by role, text, label, placeholder, alt, title or testid, and act on it",
		Example: "  tabwright find role button --name Submit click\n  tabwright find label Email fill ada@example.com",
		RunE: func(cmd *cobra.Command, words []string) error {
			param := paramCalled(spec, words[0])
			if !slices.Contains(kinds, words[0]) || param == "" {
				return &exitError{code: exitUsage, err: fmt.Errorf("find goes by %s, not %q", strings.Join(kinds, ", "), words[0])}
			}
			p, _, err := f.params(spec, cmd.Flags(), nil)
			if err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			p[param] = words[1]
			if len(words) == 2 {
				return o.act(cmd, f, p, "")
			}
			return o.onFound(cmd, r, p, words[2], words[3:])
		},
	}
	for _, name := range spec.Schema.PropertyOrder {
		addFlag(cmd.Flags(), name, "", spec.Schema.Properties[name])
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, done []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch len(done) {
		case 0:
			return kinds, cobra.ShellCompDirectiveNoFileComp
		case 2:
			return actingOn(r), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// actingOn are the commands that an element can be found for.
func actingOn(r *action.Registry) []string {
	var out []string
	for _, f := range allForms(r) {
		if s, ok := r.Spec(f.action); ok && takesTarget(s) {
			out = append(out, strings.TrimSpace(f.parent+" "+f.name))
		}
	}
	slices.Sort(out)
	return out
}

// paramCalled gives an action's parameter of that name in any case.
func paramCalled(s action.Spec, name string) string {
	for p := range s.Schema.Properties {
		if strings.EqualFold(p, name) {
			return p
		}
	}
	return ""
}

// onFound finds the one element that is meant and acts on it.
func (o *actOptions) onFound(cmd *cobra.Command, r *action.Registry, wanted map[string]any, verb string, words []string) error {
	all := allForms(r)
	i := slices.IndexFunc(all, func(f form) bool { return f.name == verb && f.parent == "" })
	if i < 0 && len(words) > 0 { // get text, is visible
		if i = slices.IndexFunc(all, func(f form) bool { return f.parent == verb && f.name == words[0] }); i >= 0 {
			words = words[1:]
		}
	}
	if i < 0 {
		return &exitError{code: exitUsage, err: fmt.Errorf("there is no action %q", verb)}
	}
	spec, _ := r.Spec(all[i].action) // allForms took only known ones
	if !takesTarget(spec) {
		return &exitError{code: exitUsage, err: fmt.Errorf("%s takes no element", verb)}
	}
	raw, err := json.Marshal(wanted)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	if o.confirmation != "" {
		// To look for the element anew is another call, which withdraws the question.
		return &exitError{code: exitUsage, err: errors.New("find can't repeat a call: pass --confirmation to the command that the question named")}
	}
	h, info, err := o.join(cmd.Context())
	if err != nil {
		return err
	}
	defer h.Close()
	found := h.Do(cmd.Context(), action.Call{Name: "find", Params: raw}, "")
	if found.Error != nil {
		return o.show(cmd, found, nil, "")
	}
	ref := foundRef(found)
	if ref == "" {
		return &exitError{code: exitFailed, err: &wire.Error{Code: wire.Code(action.NotFound), Message: "nothing of that kind is on the page", Hint: "`tabwright snapshot -i` shows what is."}}
	}
	p, _, err := all[i].params(spec, pflag.NewFlagSet("", pflag.ContinueOnError), append([]string{ref}, words...))
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	o.again = func(id string) string { return o.command(all[i], id, "@"+ref, words) }
	return o.do(cmd, h, info, all[i], p, "")
}

// command is what is typed into a shell to wait for the answer to a question that
// such a call asked.
func (o *actOptions) command(f form, question, target string, words []string) string {
	out := strings.TrimSpace("tabwright "+f.parent) + " " + f.name
	if o.session != "default" || os.Getenv(sessionEnv) != "" {
		out += " --session " + shellWord(o.session)
	}
	out += " --confirmation " + question + " " + shellWord(target)
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }) {
		out += " --"
	}
	for _, w := range words {
		out += " " + shellWord(w)
	}
	return out
}

// shellWord writes a word so that a shell takes it as it is.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@_.,:/+-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// foundRef is the first element that find gave.
func foundRef(r wire.SessionResult) string {
	type found struct {
		Ref string `json:"ref"`
	}
	var l struct {
		found
		Elements []found `json:"elements"`
	}
	if json.Unmarshal(r.Data, &l) == nil {
		if len(l.Elements) > 0 {
			return l.Elements[0].Ref
		}
		return l.Ref
	}
	var list []found
	if json.Unmarshal(r.Data, &list) == nil && len(list) > 0 {
		return list[0].Ref
	}
	return ""
}
