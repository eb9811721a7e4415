package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tabwright/extension"
	"tabwright/extension/bundle"
)

// storeZip writes the extension built into dist as a zip for the Chrome Web Store. It
// removes the key that fixes the id of the unpacked extension: the store refuses it.
func storeZip(dist, out string) error {
	files, err := bundle.ReadFiles(dist)
	if err != nil {
		return err
	}
	files["manifest.json"], err = withoutKey(files["manifest.json"])
	if err != nil {
		return err
	}
	b, err := bundle.Zip(files)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	path := filepath.Join(out, "tabwright-extension-"+extension.Version()+".zip")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%s: %d KB\n", path, len(b)>>10)
	return nil
}

// withoutKey returns a manifest without the line of the key, and otherwise unchanged.
func withoutKey(raw []byte) ([]byte, error) {
	var m struct{ Key string }
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("manifest.json: %w", err)
	}
	line := fmt.Sprintf("  \"key\": %q,\n", m.Key)
	if m.Key == "" || strings.Count(string(raw), line) != 1 {
		return nil, errors.New(`manifest.json has no line "key": …,`)
	}
	return []byte(strings.Replace(string(raw), line, "", 1)), nil
}
