// Command build bundles the browser extension into extension/dist (or the
// folder named by -out), from where embed.go takes it into the binary.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tabwright/extension/bundle"
)

func main() {
	out := flag.String("out", filepath.Join(bundle.Root(), "dist"), "folder to build into; what is in it goes")
	flag.Parse()
	if err := bundle.All(bundle.Root(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "extension build:", err)
		os.Exit(1)
	}
}
