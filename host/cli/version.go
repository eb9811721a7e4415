package cli

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"tabwright/host/serve"
)

// versionInfo is what version --json prints.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Binary   string `json:"binary,omitempty"`
}

func thisVersion() versionInfo {
	v := versionInfo{Version: serve.Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	v.Binary, _ = os.Executable()
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Commit = s.Value
			}
		}
	}
	return v
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs,
		Example: "  tabwright version\n  tabwright version --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printed(cmd, thisVersion(), func(out io.Writer) error {
				_, err := fmt.Fprintln(out, "tabwright", serve.Version)
				return err
			})
		},
	}
}
