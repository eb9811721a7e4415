// Command man writes a manual page for each command of the command line, from the same
// declarations as its help.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra/doc"

	"tabwright/host/cli"
	"tabwright/host/serve"
)

func main() {
	out := flag.String("out", "bin/man", "folder to write to")
	flag.Parse()
	if err := write(*out); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

// write writes the pages. Their date is no build's, so that the same commands give the
// same pages.
func write(dir string) error {
	root := cli.Root()
	root.DisableAutoGenTag = true
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	return errors.Join(os.MkdirAll(dir, 0o755), //nolint:gosec // for others to read
		doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Tabwright " + serve.Version, Manual: "Tabwright", Date: &day}, dir))
}
