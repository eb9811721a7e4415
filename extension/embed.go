// Package extension holds the built browser extension inside the binary.
// `make build` fills dist before compiling; Built says whether it did.
package extension

import (
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

//go:embed all:notices
var notices embed.FS

// Notices are the licences of what is compiled into the program and the extension;
// empty when it was not built.
func Notices() string {
	host, err := notices.ReadFile("notices/host.txt")
	panel, err2 := fs.ReadFile(Files(), "NOTICES.txt")
	if err != nil || err2 != nil {
		return ""
	}
	return string(host) + string(panel)
}

// Files is the extension as Chrome loads it.
func Files() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded by the line above
	}
	return sub
}

// Built reports whether the extension was built into this binary.
func Built() bool {
	_, err := fs.Stat(Files(), "manifest.json")
	return err == nil
}

// Extractor is the script the direct driver evaluates in a frame's isolated
// world; it is the same file the relay injects.
func Extractor() (string, error) {
	b, err := fs.ReadFile(Files(), "extractor.js")
	return string(b), err
}

// Version is the version of this build: that in the built extension's manifest,
// which is what its hello carries; empty when it was not built.
func Version() string {
	b, err := fs.ReadFile(Files(), "manifest.json")
	if err != nil {
		return ""
	}
	var m struct {
		Version string `json:"version"`
		Name    string `json:"version_name"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return ""
	}
	return cmp.Or(m.Name, m.Version)
}
