package extension_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tabwright/extension/bundle"
)

// TestManifestOpensNoDoor: no page and no other extension is let in, nothing of
// the extension lies in pages, and each permission stands in the docs with its
// reason.
func TestManifestOpensNoDoor(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(bundle.Root(), "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"externally_connectable", "content_scripts", "web_accessible_resources", "oauth2", "sandbox", "update_url"} {
		if _, there := m[key]; there {
			t.Errorf("the manifest has %s", key)
		}
	}
	var permissions []string
	if err := json.Unmarshal(m["permissions"], &permissions); err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile(filepath.Join("..", "docs", "permissions.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range permissions {
		if !strings.Contains(string(docs), "\n| `"+p+"` |") {
			t.Errorf("docs/permissions.md does not say what %s is for", p)
		}
	}
	for _, p := range []string{"cookies", "history", "bookmarks", "webRequest", "identity", "clipboardRead", "management", "proxy"} {
		if slices.Contains(permissions, p) {
			t.Errorf("the extension asks for %s", p)
		}
	}
}
