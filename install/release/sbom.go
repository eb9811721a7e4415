package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"tabwright/extension"
)

// writeBOM writes the software bill of materials of a program as CycloneDX: the Go
// modules in its build information, Go itself, and the npm packages in its
// extension, by the lock file. The same program always gives the same list.
func writeBOM(binary, lock, out string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	npm, err := npmComponents(lock)
	if err != nil {
		return err
	}
	target := map[string]string{}
	for _, s := range info.Settings {
		target[s.Key] = s.Value
	}
	components := []cdx.Component{{
		Type: cdx.ComponentTypeLibrary, Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"),
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), Description: "Go's standard library",
	}}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		c := cdx.Component{Type: cdx.ComponentTypeLibrary, Name: d.Path, Version: d.Version, PackageURL: "pkg:golang/" + d.Path + "@" + url.PathEscape(d.Version)}
		components = append(components, c)
	}
	components = append(components, npm...)
	for i := range components {
		components[i].BOMRef = components[i].PackageURL
	}
	sum := sha256.Sum256(raw)
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &cdx.Component{
		BOMRef: "tabwright", Type: cdx.ComponentTypeApplication, Name: "tabwright", Version: extension.Version(),
		Description: target["GOOS"] + "/" + target["GOARCH"],
		Licenses:    &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}},
		Hashes:      &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
	}}
	bom.Components = &components
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	err = cdx.NewBOMEncoder(f, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	return errors.Join(err, f.Close())
}

// npmComponents returns the packages of a lock file that are no build tools.
func npmComponents(lock string) ([]cdx.Component, error) {
	raw, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var l struct {
		Packages map[string]struct {
			Version, License, Integrity string
			Dev                         bool
		}
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, fmt.Errorf("%s: %w", lock, err)
	}
	var out []cdx.Component
	for _, path := range sortedKeys(l.Packages) {
		p := l.Packages[path]
		_, name, ok := strings.Cut(path, "node_modules/")
		if !ok || p.Dev {
			continue
		}
		c := cdx.Component{
			Type: cdx.ComponentTypeLibrary, Name: name, Version: p.Version, PackageURL: "pkg:npm/" + strings.ReplaceAll(name, "@", "%40") + "@" + p.Version,
			Licenses: &cdx.Licenses{{Expression: strings.Trim(p.License, "()")}},
		}
		if sum, ok := strings.CutPrefix(p.Integrity, "sha512-"); ok {
			if b, err := base64.StdEncoding.DecodeString(sum); err == nil {
				c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA512, Value: hex.EncodeToString(b)}}
			}
		}
		out = append(out, c)
	}
	return out, nil
}
