package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tabwright/extension"
)

func licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "licenses",
		Short:   "Print the licences of the software in this program and its extension",
		Args:    cobra.NoArgs,
		Example: "  tabwright licenses",
		RunE: func(cmd *cobra.Command, _ []string) error {
			text := extension.Notices()
			if text == "" {
				return errors.New("this program was built without the licences: build it with `make build`")
			}
			return printed(cmd, map[string]string{"licenses": text}, func(w io.Writer) error { _, err := fmt.Fprint(w, text); return err })
		},
	}
}
