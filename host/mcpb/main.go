// Command mcpb builds the bundle that Claude Desktop installs with a click (tabwright.mcpb,
// github.com/anthropics/mcpb) and the entry for the MCP registry (server.json). Start reading
// at build.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/control/mcp"
	"tabwright/host/serve"
)

// options is what a bundle is made of.
type options struct {
	binary  string // the program
	goos    string // that it was built for
	out     string // folder
	version string
	repo    string // OWNER/NAME on GitHub; the name in the registry comes from it
	url     string // where the bundle will be; empty: the registry is told of the npm package alone
}

func main() {
	o := options{version: serve.Version}
	flag.StringVar(&o.binary, "binary", "bin/tabwright", "the program")
	flag.StringVar(&o.goos, "os", runtime.GOOS, "what it was built for: linux, darwin or windows")
	flag.StringVar(&o.out, "out", "bin", "folder to write to")
	flag.StringVar(&o.repo, "repository", os.Getenv("REPOSITORY"), "OWNER/NAME on GitHub; the Makefile sets it")
	flag.StringVar(&o.url, "url", "", "address that the bundle will have")
	flag.Parse()
	if err := build(o); err != nil {
		fmt.Fprintln(os.Stderr, "mcpb:", err)
		os.Exit(1)
	}
}

// registryPrefix begins the names in the MCP registry of whoever publishes from GitHub.
const registryPrefix = "io.github."

const short = "The user's own Chrome as a browser for agents, with a gate that asks before deeds"

type object = map[string]any

// platforms are MCPB's names for systems.
var platforms = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

// manifest describes a bundle.
func (o options) manifest(program string) (object, error) {
	platform, ok := platforms[o.goos]
	if !ok {
		return nil, fmt.Errorf("bundles are for linux, darwin and windows, not %q", o.goos)
	}
	var tools []object
	for _, t := range mcp.List(action.Default()) {
		tools = append(tools, object{"name": t.Name, "description": t.Description})
	}
	return object{
		"manifest_version": "0.3", "name": "tabwright", "display_name": "Tabwright", "version": o.version, "description": short,
		"long_description": "Opens, reads and operates pages in your own Chrome, in tabs of its own, or in a Chromium that it starts. What pays, deletes, sends or uploads is asked about in the side panel.",
		"author":           object{"name": "Tabwright"}, "license": "MIT", "keywords": []string{"browser", "automation", "chrome"},
		"server": object{
			"type": "binary", "entry_point": program,
			"mcp_config": object{"command": "${__dirname}/" + program, "args": []string{"mcp", "--profile", "${user_config.profile}"}},
		},
		"tools":         tools,
		"compatibility": object{"platforms": []string{platform}},
		"user_config": object{"profile": object{
			"type": "string", "title": "Browser", "required": false, "default": "chrome",
			"description": "chrome is your own browser, for which `tabwright install` registers the extension; own is a Chromium of its own that keeps its logins",
		}},
	}, nil
}

// entry describes the server to the registry.
func (o options) entry(sum string) object {
	stdio := object{"type": "stdio"}
	packages := []object{{
		"registryType": "npm", "identifier": "tabwright", "version": o.version, "runtimeHint": "npx", "transport": stdio,
		"packageArguments": []object{{"type": "positional", "value": "mcp"}},
	}}
	if o.url != "" {
		packages = append(packages, object{"registryType": "mcpb", "identifier": o.url, "version": o.version, "fileSha256": sum, "transport": stdio})
	}
	return object{
		"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":    registryPrefix + o.repo, "title": "Tabwright", "description": short, "version": o.version, "packages": packages,
		"repository": object{"url": "https://github.com/" + o.repo, "source": "github"},
	}
}

// build writes the bundle and the entry.
func build(o options) error {
	if owner, name, ok := strings.Cut(o.repo, "/"); !ok || owner == "" || name == "" {
		return fmt.Errorf("-repository is %q, want OWNER/NAME", o.repo)
	}
	program := "server/tabwright"
	if o.goos == "windows" {
		program += ".exe"
	}
	binary, err := os.ReadFile(o.binary)
	if err != nil {
		return err
	}
	manifest, err := o.manifest(program)
	if err != nil {
		return err
	}
	raw, err := asJSON(manifest)
	if err != nil {
		return err
	}
	var bundle bytes.Buffer
	z := zip.NewWriter(&bundle)
	err = errors.Join(
		add(z, "manifest.json", raw, 0o644),
		add(z, program, binary, 0o755),
		z.Close(),
	)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(bundle.Bytes())
	entry, err := asJSON(o.entry(hex.EncodeToString(sum[:])))
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(o.out, "tabwright.mcpb"), bundle.Bytes(), 0o644), //nolint:gosec // for others to read
		os.WriteFile(filepath.Join(o.out, "server.json"), entry, 0o644),             //nolint:gosec // for others to read
	)
}

func asJSON(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	return append(raw, '\n'), err
}

// add writes a file into the bundle. Its time is the same for every build, so that the
// same files give the same bundle.
func add(z *zip.Writer, name string, raw []byte, mode os.FileMode) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(mode)
	w, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(raw)
	return err
}
