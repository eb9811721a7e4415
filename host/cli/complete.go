package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/control"
	"tabwright/host/control/client"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// completeTime bounds what a shell waits for at a Tab.
const completeTime = time.Second

type completer = func(cmd *cobra.Command, done []string, begun string) ([]string, cobra.ShellCompDirective)

// words completes with fixed words.
func words(all ...string) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

func completeFlag(cmd *cobra.Command, flag string, f completer) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag: every test finds that
	}
}

// completeEnums completes the flags whose values are known.
func completeEnums(cmd *cobra.Command, s action.Spec) {
	for name, p := range s.Schema.Properties {
		if all := enum(p); len(all) > 0 && cmd.Flags().Lookup(kebab(name)) != nil {
			completeFlag(cmd, kebab(name), words(all...))
		}
	}
}

func enum(p *jsonschema.Schema) []string {
	from := p.Enum
	if len(from) == 0 && p.Items != nil {
		from = p.Items.Enum
	}
	var out []string
	for _, e := range from {
		out = append(out, fmt.Sprint(e))
	}
	return out
}

// complete completes the words of a form: those that are known, and files only
// where a file stands.
func (f form) complete(s action.Spec) completer {
	return func(_ *cobra.Command, done []string, _ string) ([]string, cobra.ShellCompDirective) {
		at := len(done)
		if takesTarget(s) && (!f.loose || at > 0 && refRE.MatchString(done[0])) {
			at--
		}
		if at < 0 || at >= len(f.args) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		name := strings.TrimSuffix(f.args[at], "…")
		if name == fileArg || name == "paths" {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return enum(s.Schema.Properties[name]), cobra.ShellCompDirectiveNoFileComp
	}
}

// sessionNames completes with the open sessions.
func sessionNames(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	out := []string{"default"}
	atBroker(cmd, func(ctx context.Context, c *client.Client) {
		list, err := listSessions(ctx, c)
		if err != nil {
			return
		}
		for _, s := range list {
			if s.Session != "default" {
				out = append(out, s.Session)
			}
		}
	})
	return out, cobra.ShellCompDirectiveNoFileComp
}

// profileNames completes with what --profile takes.
func profileNames(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	out := []string{wire.ProfileChrome}
	list := wire.ProfileList{Profiles: control.OwnProfiles(serve.ProfilesDir())}
	atBroker(cmd, func(ctx context.Context, c *client.Client) {
		var l wire.ProfileList
		if c.Call(ctx, wire.MethodProfileList, wire.Empty{}, &l) == nil {
			list = l
		}
	})
	for _, p := range list.Profiles {
		if !slices.Contains(out, p.Profile) {
			out = append(out, p.Profile)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// atBroker asks the broker if one runs; a Tab starts none.
func atBroker(cmd *cobra.Command, f func(context.Context, *client.Client)) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	c, err := serve.Dial(ctx, false)
	if err != nil {
		return
	}
	defer c.Close()
	f(ctx, c)
}

// bashWords stands in for the function of the package bash-completion where
// that is not installed, as on a Mac: words are then split as bash does.
const bashWords = `if ! declare -F _init_completion >/dev/null 2>&1 && ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    _get_comp_words_by_ref() {
        cur="${COMP_WORDS[COMP_CWORD]}"
        prev="${COMP_WORDS[COMP_CWORD-1]}"
        words=("${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    }
fi

`

// completions makes the command that prints a shell's completion script, and
// has bash's work where nothing else is installed.
func completions(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Print a script by which a shell completes commands and flags"
		c.Long = "Prints a script by which a shell completes commands, flags and their values. The help of each shell says where to put it."
		for _, shell := range c.Commands() {
			if shell.Name() != "bash" {
				continue
			}
			shell.RunE = func(cmd *cobra.Command, _ []string) error {
				if _, err := fmt.Fprint(cmd.OutOrStdout(), bashWords); err != nil {
					return err
				}
				return root.GenBashCompletionV2(cmd.OutOrStdout(), true)
			}
			shell.Run = nil
		}
	}
}
