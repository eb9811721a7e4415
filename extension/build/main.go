// Command build bundles the browser extension into extension/dist (or the
// folder named by -out), and writes extension/archive/extension.zip, which embed.go
// embeds in the binary: the extension, the version, and the licences of all compiled
// software.
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
	version := flag.String("version", "", "the version of a release; else it tells of the commit")
	flag.Parse()
	from := bundle.SourceOf(bundle.Root())
	from.Release = *version
	err := bundle.AllOf(bundle.Root(), *out, from)
	if err == nil {
		err = bundle.WriteArchive(bundle.Root(), *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "extension build:", err)
		os.Exit(1)
	}
}
