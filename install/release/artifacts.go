package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// artifact is what goreleaser says about a file that it made.
type artifact struct {
	Name  string `json:"name"`
	Path  string `json:"path"` // relative to the source tree
	Type  string `json:"type"`
	OS    string `json:"goos"`
	Arch  string `json:"goarch"`
	Extra struct {
		Checksum string `json:"Checksum"`
	} `json:"extra"`
}

// build is what goreleaser made in one run.
type build struct {
	Version   string
	Artifacts []artifact
}

func readBuild(dir string) (build, error) {
	var b build
	var meta struct{ Version string }
	for name, to := range map[string]any{"metadata.json": &meta, "artifacts.json": &b.Artifacts} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return b, fmt.Errorf("run goreleaser first: %w", err)
		}
		if err := json.Unmarshal(raw, to); err != nil {
			return b, fmt.Errorf("%s: %w", name, err)
		}
	}
	if b.Version = meta.Version; b.Version == "" {
		return b, errors.New("metadata.json names no version")
	}
	return b, nil
}

// of returns the artifacts of a type.
func (b build) of(kind string) []artifact {
	var out []artifact
	for _, a := range b.Artifacts {
		if a.Type == kind {
			out = append(out, a)
		}
	}
	return out
}

// writeJSON writes v to a file as indented JSON.
func writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}
