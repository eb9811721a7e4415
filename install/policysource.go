package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

// policySource is one source of a browser's managed policies.
type policySource struct {
	where string
	read  func() (policies map[string]json.RawMessage, faults []string)
}

// policySources returns the sources of a browser: a folder of JSON files on
// Linux, managed preferences on macOS, the registry on Windows.
func (o Options) policySources(b Browser) []policySource {
	switch o.OS {
	case "linux":
		if dir := o.onRoot(b.LinuxPolicies); dir != "" {
			return []policySource{{dir, func() (map[string]json.RawMessage, []string) { return policyDir(dir) }}}
		}
	case "darwin":
		if b.Domain == "" {
			return nil
		}
		managed := o.onRoot("/Library/Managed Preferences")
		var out []policySource
		for _, dir := range []string{managed, filepath.Join(managed, filepath.Base(o.Home))} {
			file := filepath.Join(dir, b.Domain+".plist")
			out = append(out, policySource{file, func() (map[string]json.RawMessage, []string) { return policyPlist(file) }})
		}
		return out
	case "windows":
		if b.PolicyKey == "" {
			return nil
		}
		var out []policySource
		for _, root := range []string{`HKLM\`, `HKCU\`} {
			key := root + b.PolicyKey
			out = append(out, policySource{key, func() (map[string]json.RawMessage, []string) { return policyKey(o.registry, key) }})
		}
		return out
	}
	return nil
}

func unreadable(name string, err error) string {
	return fmt.Sprintf("can't be read (%s), so it is not known whether it allows Tabwright: %v", name, err)
}

// policyDir merges the files of a folder as Chrome does: in the order of their
// names, so that the last value of a policy counts.
func policyDir(dir string) (map[string]json.RawMessage, []string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	sort.Strings(files)
	var faults []string
	merged := map[string]json.RawMessage{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &merged)
		}
		if err != nil {
			faults = append(faults, unreadable(filepath.Base(file), err))
		}
	}
	return merged, faults
}

// unmarshalPlist reads a property list. Only a Mac's program, and tests, have it.
var unmarshalPlist func([]byte, any) error

// policyPlist reads a property list, in XML or binary.
func policyPlist(file string) (map[string]json.RawMessage, []string) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var values map[string]any
	if err == nil {
		err = unmarshalPlist(b, &values)
	}
	if err != nil {
		return nil, []string{unreadable(filepath.Base(file), err)}
	}
	return rawPolicies(values), nil
}

// policyKey reads a registry key. There a list is a subkey with a value for
// each entry, a dictionary is a string of JSON, and a boolean is 1 or 0.
func policyKey(r registry, key string) (map[string]json.RawMessage, []string) {
	values, err := r.Values(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []string{unreadable(key, err)}
	}
	for name, v := range values {
		if n, ok := v.(uint64); ok && name == "NativeMessagingUserLevelHosts" {
			values[name] = n != 0
		}
		if s, ok := v.(string); ok && json.Valid([]byte(s)) {
			values[name] = json.RawMessage(s)
		}
	}
	lists, err := r.Subkeys(key)
	var faults []string
	for _, name := range lists {
		var entries map[string]any
		if entries, err = r.Values(key + `\` + name); err != nil {
			break
		}
		list := []string{}
		for _, v := range entries {
			if s, ok := v.(string); ok {
				list = append(list, s)
			}
		}
		values[name] = list
	}
	if err != nil {
		faults = append(faults, unreadable(key, err))
	}
	return rawPolicies(values), faults
}

func rawPolicies(values map[string]any) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for name, v := range values {
		if b, err := json.Marshal(v); err == nil { // none of our policies has a value that fails, such as a date
			out[name] = b
		}
	}
	return out
}
