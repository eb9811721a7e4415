package action

import (
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
	if got := notThere([]string{dir, gone}); !strings.HasSuffix(got, ": "+gone) {
		t.Errorf("%q, want %s alone", got, gone)
	}
}
