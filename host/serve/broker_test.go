package serve

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tabwright/extension"
	"tabwright/install"
)

// An extension of another build than the program is written anew, once; one of the
// same build is left alone, and so is a computer on which none was installed.
func TestRefreshOfTheExtension(t *testing.T) {
	if !extension.Built() {
		t.Skip("the extension was not built")
	}
	if Version != extension.Version() {
		t.Errorf("the program is %s and the extension in it %s", Version, extension.Version())
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	dir := install.Options{}.ExtensionDir()
	refresh := refreshExtension(t.Logf)
	if refresh("0.0.1") {
		t.Error("an extension was written where none was installed")
	}
	if _, err := install.WriteExtension(dir, extension.Files()); err != nil {
		t.Fatal(err)
	}
	relay := filepath.Join(dir, "relay.js")
	if err := os.WriteFile(relay, []byte("an older one"), 0o600); err != nil {
		t.Fatal(err)
	}
	refresh = refreshExtension(t.Logf)
	if refresh(extension.Version()) {
		t.Error("one of the same build was written anew")
	}
	if !refresh("0.1.0.1-abc1234") {
		t.Error("an older one was left as it is")
	}
	is, err := os.ReadFile(relay)
	want, wantErr := fs.ReadFile(extension.Files(), "relay.js")
	if err != nil || wantErr != nil || string(is) != string(want) {
		t.Errorf("%d bytes, want %d: %v, %v", len(is), len(want), err, wantErr)
	}
	if refresh("0.1.0.1-abc1234") {
		t.Error("one that stays as it was is written again and again")
	}
}
