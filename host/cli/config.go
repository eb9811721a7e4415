package cli

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tabwright/host/config"
	"tabwright/host/serve"
)

// configCommand shows and changes the settings.
func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "Show and change the settings",
		Long:    "Settings come from flags, variables, the file and defaults, in this order (docs/settings.md).",
		Example: "  tabwright config list\n  tabwright config set model qwen3.5:9b",
	}
	cmd.AddCommand(configGetCommand(), configSetCommand(), configListCommand(), configRemoveCommand())
	return cmd
}

// settingView is a setting as programs read it.
type settingView struct {
	Name    string   `json:"name"`
	Value   string   `json:"value"`
	Default string   `json:"default"`
	Source  string   `json:"source"`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"`
}

// settingViews gives the settings in force.
func settingViews() ([]settingView, error) {
	states, err := config.States(serve.Overrides)
	if err != nil {
		return nil, &exitError{code: exitUsage, err: err}
	}
	out := make([]settingView, len(states))
	for i, s := range states {
		out[i] = settingView{s.Name, s.Value, s.Default, string(s.Source), s.Choices, s.Doc}
	}
	return out, nil
}

// settingNames completes with the names of settings.
func settingNames(_ *cobra.Command, done []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	for _, s := range config.Settings() {
		switch {
		case len(done) == 0:
			names = append(names, s.Name)
		case len(done) == 1 && s.Name == done[0]:
			names = append(names, s.Choices...)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func configGetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "get NAME", Short: "Print a setting's value", Args: cobra.ExactArgs(1), ValidArgsFunction: settingNames,
		Example: "  tabwright config get provider",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := config.CheckSetting(args[0]); err != nil {
				return &exitError{code: exitUsage, err: err}
			}
			all, err := settingViews()
			if err != nil {
				return err
			}
			for _, s := range all {
				if s.Name == args[0] {
					return printed(cmd, s, func(w io.Writer) error { _, err := fmt.Fprintln(w, s.Value); return err })
				}
			}
			return nil
		},
	}
}

func configListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the settings, their values and where each is from", Args: cobra.NoArgs,
		Example: "  tabwright config list\n  tabwright config list --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := settingViews()
			if err != nil {
				return err
			}
			view := map[string]any{"file": serve.SettingsFile(), "settings": all}
			return printed(cmd, view, func(out io.Writer) error {
				w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				for _, s := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\n", s.Name, s.Value, s.Source)
				}
				return w.Flush()
			})
		},
	}
}

func configSetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set NAME VALUE", Short: "Write a setting into the file", Args: cobra.ExactArgs(2), ValidArgsFunction: settingNames,
		Example: "  tabwright config set model qwen3.5:9b\n  tabwright config set timeout 5m",
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[1] == "" {
				return &exitError{code: exitUsage, err: fmt.Errorf("the value is empty; tabwright config remove %s removes the setting from the file", args[0])}
			}
			return saveSetting(cmd, args[0], args[1])
		},
	}
}

func configRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Remove a setting from the file, so that its default applies again", Args: cobra.ExactArgs(1), ValidArgsFunction: settingNames,
		Example: "  tabwright config remove model",
		RunE:    func(cmd *cobra.Command, args []string) error { return saveSetting(cmd, args[0], "") },
	}
}

// saveSetting writes a setting, and says where something else comes before the file.
func saveSetting(cmd *cobra.Command, name, value string) error {
	if err := config.CheckSetting(name); err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	file := serve.SettingsFile()
	if err := config.Save(file, map[string]string{name: value}); err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	all, err := settingViews()
	if err != nil {
		return err
	}
	for _, s := range all {
		if s.Name != name {
			continue
		}
		return printed(cmd, s, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "%s = %s (%s)\n", name, s.Value, s.Source)
			if value != "" && s.Source != string(config.FromFile) {
				fmt.Fprintf(cmd.ErrOrStderr(), "The file has %s now, but %s takes precedence.\n", value, s.Source)
			}
			return err
		})
	}
	return nil
}
