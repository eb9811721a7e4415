// Command build bundles the browser extension into extension/dist and into the archive that
// the binary embeds. -out names another folder than extension/dist. The archive,
// extension/archive/extension.zip, holds the extension, the version, and the licences of all
// compiled software.
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
