package bundle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A build's number orders it and is one that Chrome takes; its name tells it from
// every other, so that an extension of another build is noticed.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		from         Source
		number, full string
	}{
		{Source{Commit: "abc1234", Count: 932}, "0.1.0.932", "0.1.0.932-abc1234"},
		{Source{Commit: "abc1234", Count: 932, Dirty: true}, "0.1.0.932", "0.1.0.932-abc1234-dirty-d1"},
		{Source{Commit: "abc1234"}, "0.1.0", "0.1.0-abc1234"}, // of a shallow clone
		{Source{}, "0.1.0", "0.1.0-d1"},
		{Source{Commit: "abc1234", Count: 70000}, "0.1.0.65535", "0.1.0.65535-abc1234"},
		{Source{Commit: "abc1234", Count: 932, Release: "v1.4.0"}, "1.4.0", "1.4.0"},
		{Source{Release: "1.4.0-rc.2"}, "1.4.0", "1.4.0-rc.2"},
		{Source{Release: "2026.01.05"}, "2026.1.5", "2026.01.05"},
		{Source{Release: "1.2.3.4.5"}, "0.1.0", "0.1.0-1.2.3.4.5"},
		{Source{Release: "20260105"}, "0.1.0", "0.1.0-20260105"},
		{Source{Release: "0.0"}, "0.1.0", "0.1.0-0.0"},
		{Source{Release: "nightly"}, "0.1.0", "0.1.0-nightly"},
	} {
		if number, full := c.from.version("0.1.0", "d1"); number != c.number || full != c.full {
			t.Errorf("%+v: %s %s, want %s %s", c.from, number, full, c.number, c.full)
		}
	}
}

// The real manifest takes the version, and files that differ give another one.
func TestStamp(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(Root(), "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, relay := range []string{"one", "another"} {
		files := map[string][]byte{"manifest.json": source, "relay.js": []byte(relay)}
		if err := stamp(files, Source{Commit: "abc1234", Count: 5, Dirty: true}); err != nil {
			t.Fatal(err)
		}
		var was, is map[string]any
		if err := json.Unmarshal(source, &was); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(files["manifest.json"], &is); err != nil {
			t.Fatal(err)
		}
		if is["version"] != was["version"].(string)+".5" || len(is) != len(was)+1 || is["key"] != was["key"] {
			t.Errorf("%v", is)
		}
		names[is["version_name"].(string)] = true
	}
	if len(names) != 2 {
		t.Errorf("two builds of other files are called %v", names)
	}
}
