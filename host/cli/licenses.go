package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tabwright/extension"
)

func licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licences of the software in this program and its extension",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text := extension.Notices()
			if text == "" {
				return errors.New("this program was built without the licences: build it with `make build`")
			}
			_, err := fmt.Fprint(os.Stdout, text)
			return err
		},
	}
}
