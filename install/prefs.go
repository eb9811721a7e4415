package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
)

// loadedIn is the extension in the preferences of one browser profile.
type loadedIn struct {
	id       string
	profile  string
	path     string
	disabled bool
	why      string // off, off_by_policy, off_by_developer_mode, off_damaged
}

// loaded returns, for the profiles of a user data folder and each id, where the
// extension is loaded from. Chrome writes these files some seconds late, so that a
// new extension may be missing.
func loaded(userDataDir string, ids []string) []loadedIn {
	var out []loadedIn
	profiles, _ := filepath.Glob(filepath.Join(userDataDir, "*", "Preferences"))
	sort.Strings(profiles)
	for _, file := range profiles {
		dir := filepath.Dir(file)
		var notes [][]byte
		for _, name := range []string{"Secure Preferences", "Preferences"} {
			if b, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				notes = append(notes, b)
			}
		}
		for _, id := range ids {
			for _, b := range notes {
				if l, ok := parsePreferences(b, id); ok {
					l.profile = filepath.Base(dir)
					out = append(out, l)
					break
				}
			}
		}
	}
	return out
}

// parsePreferences returns the extension in a profile's preferences. An entry
// without a path is the rest of a removed extension and does not count.
func parsePreferences(b []byte, extensionID string) (loadedIn, bool) {
	var p struct {
		Extensions struct {
			Settings map[string]struct {
				Path           string          `json:"path"`
				State          *int            `json:"state"`
				DisableReasons json.RawMessage `json:"disable_reasons"`
			} `json:"settings"`
		} `json:"extensions"`
	}
	if json.Unmarshal(b, &p) != nil {
		return loadedIn{}, false
	}
	s, ok := p.Extensions.Settings[extensionID]
	if !ok || s.Path == "" {
		return loadedIn{}, false
	}
	l := loadedIn{id: extensionID, path: s.Path}
	// Older versions wrote state 0 and a bit mask, newer ones a list of reasons.
	reasons := string(s.DisableReasons)
	switch {
	case s.State != nil && *s.State == 0:
		l.disabled = true
	case reasons != "" && reasons != "[]" && reasons != "0" && reasons != "null":
		l.disabled = true
	}
	l.why = whyOff(s.DisableReasons)
	return l, true
}

// whyOff returns the most important of the reasons why an extension is off, which
// the browser writes as bits of one number or as a list of such numbers.
func whyOff(raw json.RawMessage) string {
	var mask int
	var list []int
	if json.Unmarshal(raw, &list) == nil {
		for _, r := range list {
			mask |= r
		}
	} else if json.Unmarshal(raw, &mask) != nil {
		return "off"
	}
	switch {
	case mask&disabledByPolicy != 0:
		return "off_by_policy"
	case mask&disabledWithoutDeveloperMode != 0:
		return "off_by_developer_mode"
	case mask&disabledDamaged != 0:
		return "off_damaged"
	}
	return "off"
}

// Chromium's reasons why an extension is off (extensions/browser/disable_reason.h).
const (
	disabledDamaged              = 1 << 10
	disabledByPolicy             = 1 << 16
	disabledWithoutDeveloperMode = 1 << 24
)
