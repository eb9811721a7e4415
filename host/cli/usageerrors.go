package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/config"
)

// ownUsage is an error of a command's own check of its arguments, which says better
// what is wrong than their number does.
type ownUsage struct{ error }

// countArguments has every command say by its line of usage which arguments are
// missing, or which are too many.
func countArguments(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		countArguments(c)
	}
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, words []string) error {
		err := check(cmd, words)
		if errors.As(err, new(ownUsage)) || errors.As(err, new(*exitError)) {
			return err
		}
		if counted := miscounted(cmd, words); err != nil && counted != nil {
			return counted
		}
		return err
	}
}

// miscounted says what is wrong with the number of arguments, by the words of the line
// of usage: NAME is wanted, [NAME] may be left out, NAME... may be several.
func miscounted(cmd *cobra.Command, words []string) error {
	var wanted []string
	all, open, endless := 0, 0, false
	for _, part := range strings.Fields(cmd.Use)[1:] {
		if strings.HasPrefix(strings.TrimLeft(part, "["), "-") {
			break // a flag, and what follows it
		}
		open += strings.Count(part, "[")
		if all++; open == 0 {
			wanted = append(wanted, strings.TrimSuffix(part, "..."))
		}
		open -= strings.Count(part, "]")
		endless = endless || strings.Contains(part, "...")
	}
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	switch {
	case len(words) < len(wanted):
		return isMissing(wanted[len(words):]...)
	case len(words) <= all || endless:
		return nil
	case all == 0:
		return fmt.Errorf("%s takes no %q", path, words[0])
	}
	return fmt.Errorf("%q is too much: %s takes %d; put words that belong together in quotes", words[all], path, all)
}

// isMissing says which arguments are missing, by their names in the line of usage.
func isMissing(names ...string) error {
	if len(names) == 1 {
		return fmt.Errorf("%s is missing", names[0])
	}
	last := len(names) - 1
	return fmt.Errorf("%s and %s are missing", strings.Join(names[:last], ", "), names[last])
}

// flagError says what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var lacks *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("there is no flag -%s; put a word that begins with a dash after --, as in: tabwright fill @e3 -- -5", unknown.GetSpecifiedShortnames())
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, "--"+f.Name)
			}
		})
		name := "--" + unknown.GetSpecifiedName()
		return fmt.Errorf("there is no flag %s%s", name, config.Meant(name, names))
	case errors.As(err, &lacks):
		return fmt.Errorf("--%s lacks its value", lacks.GetFlag().Name)
	case errors.As(err, &bad):
		return wrongValue(bad.GetFlag(), bad.GetValue(), bad.Unwrap())
	}
	return err
}

// wrongValue says which values a flag takes.
func wrongValue(f *pflag.Flag, value string, cause error) error {
	takes := map[string]string{
		"int": "a whole number", "float64": "a number", "bool": "true or false", "stringToString": "NAME=VALUE",
	}[f.Value.Type()]
	if takes == "" {
		return fmt.Errorf("--%s: %w", f.Name, cause)
	}
	return fmt.Errorf("--%s takes %s, not %q", f.Name, takes, value)
}
