package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// record has the manifests outside the table of browsers (those of
// --user-data-dir), so that Uninstall and Doctor find them again.
type record struct {
	Manifests []string `json:"manifests"`
}

func (o Options) recordPath() string { return filepath.Join(o.DataHome, "tabwright", "install.json") }

// readRecord returns the recorded manifests that still exist. If the record
// can't be read, it returns none: the browsers of the table are found without
// it.
func (o Options) readRecord() record {
	var r record
	if b, err := os.ReadFile(o.recordPath()); err == nil {
		_ = json.Unmarshal(b, &r)
	}
	r.Manifests = slices.DeleteFunc(r.Manifests, func(p string) bool {
		_, err := os.Lstat(p)
		return err != nil || filepath.Base(p) != HostName+".json"
	})
	return r
}

func (o Options) remember(paths []string) error {
	r := o.readRecord()
	for _, p := range paths {
		if !slices.Contains(r.Manifests, p) {
			r.Manifests = append(r.Manifests, p)
		}
	}
	slices.Sort(r.Manifests)
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(o.recordPath(), append(b, '\n'), 0o600)
}

// registrations returns every place where a manifest of ours may be: the
// browsers of the table, and those of the record.
func (o Options) registrations() ([]place, error) {
	ps, err := o.places()
	if err != nil {
		return nil, err
	}
	if o.UserDataDir != "" || len(o.Browsers) > 0 {
		return ps, nil // the user has named the browsers
	}
	for _, path := range o.readRecord().Manifests {
		dir := filepath.Dir(filepath.Dir(path))
		if !slices.ContainsFunc(ps, func(p place) bool { return sameFile(p.dir, dir) }) {
			ps = append(ps, place{Browser: Browser{ID: customID, Name: "the profile folder " + dir}, dir: dir, found: true})
		}
	}
	return ps, nil
}
