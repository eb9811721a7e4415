package bundle

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// The archive holds what was built, and nothing of the source tree; the same files
// give the same bytes, so that a build that changes nothing compiles nothing anew.
func TestZip(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"manifest.json": "{}", "icons/16.png": "png", ".keep": ""} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := ReadFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	one, err := Zip(files)
	if err != nil {
		t.Fatal(err)
	}
	another, err := Zip(files)
	if err != nil || !bytes.Equal(one, another) {
		t.Errorf("the same files give other bytes (%v)", err)
	}
	r, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(r, "manifest.json", "icons/16.png"); err != nil {
		t.Error(err)
	}
	if b, err := fs.ReadFile(r, "icons/16.png"); err != nil || string(b) != "png" {
		t.Errorf("icons/16.png is %q (%v)", b, err)
	}
	if _, err := fs.Stat(r, ".keep"); err == nil {
		t.Error("what the source tree keeps is in the archive")
	}
}
