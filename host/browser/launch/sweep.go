package launch

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

const profilePrefix = "tabwright-profile-"

// sweep removes temporary profiles whose maker was killed before its Close:
// their names hold the process id.
func sweep(dir string) {
	found, err := filepath.Glob(filepath.Join(dir, profilePrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range found {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), profilePrefix), "-")
		pid, err := strconv.Atoi(id)
		if err == nil && pid > 0 && !alive(pid) {
			_ = os.RemoveAll(path) // someone else's, when it fails
		}
	}
}
