package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tabwright/host/serve"
	"tabwright/install"
	"tabwright/install/selfupdate"
)

// updateInfo is what update --json prints.
type updateInfo struct {
	Version string            `json:"version"`
	Newest  string            `json:"newest,omitempty"`
	Newer   bool              `json:"newer"`
	Feed    bool              `json:"feed"` // whether this build has one
	Notes   string            `json:"notes,omitempty"`
	Owner   *selfupdate.Owner `json:"owner,omitempty"`
	Applied bool              `json:"applied"`
}

func updateCommand(from selfupdate.Source) *cobra.Command {
	var apply bool
	cmd := &cobra.Command{
		Use: "update", Short: "Say whether there is a newer version, and how to get it", Args: cobra.NoArgs,
		Example: "  tabwright update\n  tabwright update --apply",
		Long: `Asks the signed feed of releases for the newest version, and names the package
manager that installed this program. --apply installs the newer version, unless a
package manager installed the program.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			binary, _, err := install.OwnProgram()
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			is := updateInfo{Version: serve.Version, Feed: true}
			if owner, ok := selfupdate.OwnerOf(cmd.Context(), binary); ok {
				is.Owner = &owner
			}
			newest, err := from.Newest(cmd.Context())
			switch {
			case errors.Is(err, selfupdate.ErrNoFeed) && !apply:
				is.Feed = false
			case err != nil:
				return &exitError{code: exitFailed, err: err}
			default:
				is.Newest, is.Notes, is.Newer = newest.Version, newest.Notes, newest.Newer(serve.Version)
			}
			if apply && is.Newer {
				if is.Owner != nil {
					return &exitError{code: exitFailed, err: fmt.Errorf("%s installed this program; update it with: %s", is.Owner.Name, is.Owner.Command)}
				}
				if err := newest.Apply(cmd.Context(), binary); err != nil {
					return &exitError{code: exitFailed, err: err}
				}
				is.Applied = true
			}
			return printed(cmd, is, func(out io.Writer) error {
				_, err := fmt.Fprint(out, is.text())
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&apply, "apply", false, "download the newer version, check it, and replace this program")
	return cmd
}

func (u updateInfo) text() string {
	out := "This is tabwright " + u.Version + ".\n"
	switch {
	case !u.Feed:
		out += "This build has no feed of releases, so it can't tell whether there is a newer version.\n"
	case u.Applied:
		return out + "Now it is " + u.Newest + ". Run `tabwright install`, so that the extension is of the same version.\n"
	case !u.Newer:
		return out + "There is no newer version.\n"
	default:
		out += "There is a newer version: " + u.Newest + "\n"
		if u.Notes != "" {
			out += "What is new: " + u.Notes + "\n"
		}
	}
	switch {
	case u.Owner != nil:
		out += "It belongs to " + u.Owner.Name + ". To update it: " + u.Owner.Command + "\n"
	case u.Newer:
		out += "Get it with `tabwright update --apply`.\n"
	default:
		out += "No package manager owns it: get a newer one the way you got this one.\n"
	}
	return out
}
