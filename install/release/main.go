// Command release makes the parts of a release beside the program's archives: npm packages,
// the zip for the Chrome Web Store, the bill of materials, the feed for updates, and a copy of
// the source with another module path. The Makefile and .goreleaser.yaml run it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"tabwright/extension/bundle"
)

// parts are the subcommands. Each declares its flags and returns the function to run
// when they are parsed.
var parts = map[string]func(f *flag.FlagSet) func() error{
	"npm": func(f *flag.FlagSet) func() error {
		from := f.String("from", "dist/release", "goreleaser's folder")
		out := f.String("out", "dist/npm", "folder for the packages")
		repo := f.String("repository", os.Getenv("REPOSITORY"), "OWNER/NAME on GitHub; the Makefile sets it")
		return func() error { return npmPackages(*from, *out, *repo) }
	},
	"store": func(f *flag.FlagSet) func() error {
		out := f.String("out", "dist/store", "folder for the zip")
		return func() error { return storeZip(filepath.Join(bundle.Root(), "dist"), *out) }
	},
	"sbom": func(f *flag.FlagSet) func() error {
		binary := f.String("binary", "", "the program")
		out := f.String("out", "", "file for the list")
		return func() error { return writeBOM(*binary, filepath.Join(bundle.Root(), "package-lock.json"), *out) }
	},
	"feed": func(f *flag.FlagSet) func() error {
		from := f.String("from", "dist/release", "goreleaser's folder")
		base := f.String("base", "", "the address under which the archives will lie")
		notes := f.String("notes", "", "the address of the notes")
		out := f.String("out", "dist/release/feed.json", "file for the feed")
		return func() error { return writeFeed(*from, *base, *notes, os.Getenv(feedKey), *out) }
	},
	"key": func(*flag.FlagSet) func() error { return newFeedKey },
	"module": func(f *flag.FlagSet) func() error {
		path := f.String("path", "", "the module path, such as github.com/OWNER/tabwright")
		out := f.String("out", "", "folder for the copy; empty changes this tree")
		return func() error { return rewriteModule(filepath.Dir(bundle.Root()), *path, *out) }
	},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 || parts[args[0]] == nil {
		return fmt.Errorf("name one of feed, key, module, npm, sbom, store")
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	do := parts[args[0]](f)
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	return do()
}
