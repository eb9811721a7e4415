package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tabwright/extension"
	"tabwright/extension/bundle"
)

// scope is the npm scope of the packages for single platforms.
const scope = "@tabwright"

// Node's names of Go's platforms.
var (
	nodeOS   = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeArch = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

//go:embed npm/tabwright.js
var npmStarter []byte

//go:embed npm/README.md
var npmReadme []byte

// manifest is a package.json.
type manifest struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	License              string            `json:"license"`
	Bin                  map[string]string `json:"bin,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	Engines              map[string]string `json:"engines,omitempty"`
	Files                []string          `json:"files"`
	PreferUnplugged      bool              `json:"preferUnplugged"`
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
	Repository           map[string]string `json:"repository"`
	// MCPName is the name in the MCP registry, which reads it from the package.
	MCPName string `json:"mcpName,omitempty"`
}

// npmPackages writes a package with the program for each platform that was built,
// and the package tabwright. The others are optional dependencies of that, of which
// npm installs only the one that fits. No package runs a script when it is
// installed.
func npmPackages(from, out, repo string) error {
	if owner, name, ok := strings.Cut(repo, "/"); !ok || owner == "" || name == "" {
		return fmt.Errorf("-repository is %q, want OWNER/NAME", repo)
	}
	repository := map[string]string{"type": "git", "url": "git+https://github.com/" + repo + ".git"}
	b, err := readBuild(from)
	if err != nil {
		return err
	}
	if extension.Notices() == "" {
		return errors.New("the extension was not built")
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	root := filepath.Dir(bundle.Root())
	main := manifest{
		Name: "tabwright", Version: b.Version, License: "MIT",
		Description:     "A browser agent that lives in your own Chrome",
		Bin:             map[string]string{"tabwright": "tabwright.js"},
		Engines:         map[string]string{"node": ">=18"},
		Files:           []string{"tabwright.js"},
		PreferUnplugged: true, OptionalDependencies: map[string]string{}, Repository: repository, MCPName: "io.github." + repo,
	}
	for _, a := range b.of("Binary") {
		system, cpu := nodeOS[a.OS], nodeArch[a.Arch]
		if system == "" || cpu == "" {
			return fmt.Errorf("npm has no name for %s/%s", a.OS, a.Arch)
		}
		name := scope + "/" + system + "-" + cpu
		main.OptionalDependencies[name] = b.Version
		program := "bin/" + a.Name
		raw, err := os.ReadFile(filepath.Join(root, a.Path))
		if err != nil {
			return err
		}
		m := manifest{
			Name: name, Version: b.Version, License: "MIT",
			Description: "The program of Tabwright for " + system + " on " + cpu,
			OS:          []string{system}, CPU: []string{cpu}, Files: []string{"bin", "THIRD_PARTY_NOTICES.txt"}, PreferUnplugged: true, Repository: repository,
		}
		err = writePackage(filepath.Join(out, name), m, map[string][]byte{
			program: raw, "THIRD_PARTY_NOTICES.txt": []byte(extension.Notices()),
			"README.md": []byte("The program of [tabwright](https://www.npmjs.com/package/tabwright) for " + system + " on " + cpu + ".\n"),
		})
		if err != nil {
			return err
		}
	}
	if len(main.OptionalDependencies) == 0 {
		return errors.New("no program was built")
	}
	return writePackage(filepath.Join(out, "tabwright"), main, map[string][]byte{"tabwright.js": npmStarter, "README.md": npmReadme})
}

// writePackage writes a package into its folder. Programs are made executable.
func writePackage(dir string, m manifest, files map[string][]byte) error {
	licence, err := os.ReadFile(filepath.Join(filepath.Dir(bundle.Root()), "LICENSE"))
	if err != nil {
		return err
	}
	files["LICENSE"] = licence
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if filepath.Dir(name) == "bin" || name == "tabwright.js" {
			mode = 0o755
		}
		if err := os.WriteFile(path, b, mode); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, "package.json"), m)
}
