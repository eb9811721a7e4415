// Command tsgen writes the TypeScript types of the extension from the Go types of the wire,
// with their comments.
//
//	go run ./host/native/tsgen
//
// It writes three files:
//
//   - extension/src/gen/wire.ts: the messages, and the names, parameters and results of the
//     methods
//   - extension/src/gen/safety.ts: the facts of a page that the gate gets
//   - host/native/wire/specs_gen_test.go: the same methods, for the test of PROTOCOL.md
//
// A test fails if these files are not current. Start reading at outputs.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tsgen:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	files, err := outputs(root)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make the folder of %s: %w", name, err)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}

// moduleRoot returns the nearest folder upwards that has a go.mod, so that the
// command works in any folder of the tree.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("no go.mod above the working folder")
		}
		dir = up
	}
}

// outputs returns the content of each generated file by its path from the root.
func outputs(root string) (map[string][]byte, error) {
	folder := filepath.Join(root, "host", "native", "wire")
	wire, err := load(filepath.Join(folder, "message.go"), filepath.Join(folder, "relaymsg.go"), filepath.Join(folder, "panelmsg.go"),
		filepath.Join(folder, "sessionmsg.go"), filepath.Join(folder, "convmsg.go"), filepath.Join(folder, "setmsg.go"), filepath.Join(folder, "flowmsg.go"),
		filepath.Join(folder, "savedmsg.go"))
	if err != nil {
		return nil, err
	}
	methods, err := wire.methods()
	if err != nil {
		return nil, err
	}
	// A nil slice of Go is null in JSON, and the broker writes these types.
	wireTS, err := wire.typescript(wire.names, options{nullSlices: true, consts: true, open: map[string]bool{"Code": true}})
	if err != nil {
		return nil, err
	}
	specs, err := specsGo(methods)
	if err != nil {
		return nil, err
	}
	gate, err := load(filepath.Join(root, "safety", "types.go"))
	if err != nil {
		return nil, err
	}
	// Only the extractor writes these, so that slices are never null.
	gateTS, err := gate.typescript([]string{"Target", "Form", "Field", "Page"}, options{})
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"extension/src/gen/wire.ts":          []byte(banner("host/native/wire") + wireTS + methodMaps(methods)),
		"extension/src/gen/safety.ts":        []byte(banner("safety") + gateTS),
		"host/native/wire/specs_gen_test.go": specs,
	}, nil
}

func banner(from string) string {
	return "// Generated from " + from + " by `go run ./host/native/tsgen`; do not edit.\n"
}
