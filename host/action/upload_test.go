package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder for uploads may go after it was named: a file that is refused is told
// with it.
func TestFoldersForUploadsThatWent(t *testing.T) {
	dir := t.TempDir()
	gone := filepath.Join(dir, "gone")
	if got := notThere([]string{dir}); got != "" {
		t.Errorf("%q of a folder that is there", got)
	}
	// Models read it: the way to the folder is the user's own.
	if got := notThere([]string{dir, gone}); !strings.HasSuffix(got, `: "gone"`) || strings.Contains(got, dir) {
		t.Errorf("%q, want the last part of %s alone", got, gone)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// What can't be looked at may be there.
	if got := notThere([]string{filepath.Join(file, "below"), strings.Repeat("x", 1<<13)}); got != "" {
		t.Errorf("%q of folders that can't be looked at", got)
	}
}
