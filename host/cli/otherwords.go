package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Who comes from agent-browser writes its commands. Those that are called otherwise here
// are read as the command that they mean, and stand in no help.

// otherWord is a command of another program: its words, and those of the command here.
// The arguments follow, as they are or as args makes them.
type otherWord struct {
	words, own string
	args       func(words []string) ([]string, error)
}

var theirWords = []otherWord{
	{words: "drag", own: "drag-drop"},
	{words: "scrollintoview", own: "scroll-into-view"},
	{words: "scrollinto", own: "scroll-into-view"},
	{words: "read", own: "content"},
	{words: "keydown", own: "key-down"},
	{words: "keyup", own: "key-up"},
	{words: "keyboard type", own: "type"},
	{words: "keyboard inserttext", own: "type"},
	{words: "mouse move", own: "mouse-move", args: pointOf},
	{words: "mouse down", own: "mouse-down"},
	{words: "mouse up", own: "mouse-up"},
	{words: "mouse wheel", own: "scroll", args: wheelOf},
	{words: "set viewport", own: "resize"},
	{words: "network requests", own: "requests"},
	{words: "errors", own: "console --level error"},
	{words: "quit", own: "close"},
	{words: "exit", own: "close"},
	{words: "session list", own: "sessions"},
}

// pointOf writes two numbers as a point.
func pointOf(words []string) ([]string, error) {
	if len(words) < 2 {
		return nil, fmt.Errorf("mouse move takes x and y")
	}
	return append([]string{words[0] + "," + words[1]}, words[2:]...), nil
}

// wheelOf writes how far a wheel is turned as a direction and an amount.
func wheelOf(words []string) ([]string, error) {
	if len(words) != 1 {
		return nil, fmt.Errorf("mouse wheel takes one number of pixels")
	}
	if up, ok := strings.CutPrefix(words[0], "-"); ok {
		return []string{"up", up}, nil
	}
	return []string{"down", words[0]}, nil
}

// otherWords makes the hidden commands.
func otherWords(root *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, w := range theirWords {
		first, second, two := strings.Cut(w.words, " ")
		cmd := &cobra.Command{Use: first, Hidden: true, DisableFlagParsing: true, GroupID: "", RunE: func(cmd *cobra.Command, words []string) error {
			if w.args != nil {
				var err error
				if words, err = w.args(words); err != nil {
					return &exitError{code: exitUsage, err: err}
				}
			}
			return runAs(root, cmd, append(strings.Fields(w.own), words...))
		}}
		if !two {
			out = append(out, cmd)
			continue
		}
		cmd.Use = second
		i := slices.IndexFunc(out, func(c *cobra.Command) bool { return c.Name() == first })
		if i < 0 {
			i, out = len(out), append(out, &cobra.Command{Use: first, Hidden: true})
		}
		out[i].AddCommand(cmd)
	}
	return out
}

// runAs runs a command line in the place of another.
func runAs(root, from *cobra.Command, words []string) error {
	cmd, rest, err := root.Find(words)
	if err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	cmd.SetContext(from.Context())
	if err := cmd.ParseFlags(rest); err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	if on, err := cmd.Flags().GetBool("help"); err == nil && on {
		return cmd.Help()
	}
	args := cmd.Flags().Args()
	if err := cmd.ValidateArgs(args); err != nil {
		return &exitError{code: exitUsage, err: err}
	}
	return cmd.RunE(cmd, args)
}
