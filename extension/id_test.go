package extension_test

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tabwright/extension"
	"tabwright/extension/bundle"
)

// Chrome's rule: the first 32 hex digits of the SHA-256 of the public key's
// SPKI, with 0-f written as a-p.
func TestIDIsDerivedFromTheManifestKey(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(bundle.Root(), "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Key string }
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	der, err := base64.StdEncoding.DecodeString(m.Key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x509.ParsePKIXPublicKey(der); err != nil {
		t.Fatalf("the key is no public key: %v", err)
	}
	sum := sha256.Sum256(der)
	id := strings.Map(func(r rune) rune {
		if r >= 'a' {
			return r - 'a' + 'k'
		}
		return r - '0' + 'a'
	}, hex.EncodeToString(sum[:])[:32])
	if id != extension.ID {
		t.Errorf("the manifest's key gives %s, ID says %s", id, extension.ID)
	}
}
