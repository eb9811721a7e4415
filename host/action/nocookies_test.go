package action

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNoActionReadsCookies: neither an action nor a call to the browser gives
// cookies, storage or headers to anybody.
func TestNoActionReadsCookies(t *testing.T) {
	words := regexp.MustCompile(`(?i)cookie|localstorage|sessionstorage|indexeddb|authorization|headers`)
	for _, s := range std.Specs() {
		schema, err := json.Marshal(s.Schema)
		if err != nil {
			t.Fatal(err)
		}
		if words.MatchString(s.Name) || words.Match(schema) {
			t.Errorf("%s speaks of cookies, storage or headers: %s", s.Name, schema)
		}
	}
	methods := regexp.MustCompile(`"(?:Storage|DOMStorage|IndexedDB|CacheStorage|FedCm|WebAuthn)\.\w+"|"Network\.(?:getCookies|getAllCookies|getResponseBody|getRequestPostData|setCookies?|requestWillBeSentExtraInfo|responseReceivedExtraInfo)"|"Fetch\.getResponseBody"`)
	files, found := 0, 0
	for _, pattern := range []string{"*.go", "../browser/*.go", "../../extension/src/relay/*.ts"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".test.ts") {
				continue
			}
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files++
			found += strings.Count(string(src), `"Network.enable"`)
			if hit := methods.Find(src); hit != nil {
				t.Errorf("%s calls %s", name, hit)
			}
		}
	}
	if files < 50 || found == 0 {
		t.Errorf("looked at %d files, and the calls of the browser are not among them", files)
	}
}
