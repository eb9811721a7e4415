package install

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What Doctor says can be mended is whole after Mend, and nothing else is
// touched.
func TestMendDoesWhatDoctorOffers(t *testing.T) {
	for name, c := range map[string]struct {
		breakIt func(t *testing.T, o Options)
		mend    string
	}{
		"the registration is gone": {func(t *testing.T, o Options) {
			if err := os.Remove(filepath.Join(o.ConfigHome, "google-chrome", HostsFolder, HostName+".json")); err != nil {
				t.Fatal(err)
			}
		}, MendManifest},
		"the registration is of another program": {func(t *testing.T, o Options) {
			if _, err := WriteManifest(filepath.Join(o.ConfigHome, "google-chrome"), "/elsewhere/tabwright", o.ExtensionID); err != nil {
				t.Fatal(err)
			}
		}, MendManifest},
		"the folder is gone": {func(t *testing.T, o Options) {
			if err := os.RemoveAll(o.ExtensionDir()); err != nil {
				t.Fatal(err)
			}
		}, MendExtension},
		"a file of the folder was changed": {func(t *testing.T, o Options) {
			write(t, filepath.Join(o.ExtensionDir(), "panel.js"), "alert(1)", 0o644)
		}, MendExtension},
	} {
		t.Run(name, func(t *testing.T) {
			o := whole(t)
			c.breakIt(t, o)
			var offered []string
			for _, check := range Doctor(t.Context(), o) {
				if check.Mend != "" {
					offered = append(offered, check.Mend)
				}
			}
			if len(offered) != 1 || offered[0] != c.mend {
				t.Fatalf("offered %v, want %s", offered, c.mend)
			}
			if err := Mend(t.Context(), o, c.mend); err != nil {
				t.Fatal(err)
			}
			if checks := Doctor(t.Context(), o); !Healthy(checks) {
				t.Errorf("still not whole:\n%s", Text(checks))
			}
		})
	}
	if err := Mend(context.Background(), whole(t), "everything"); err == nil {
		t.Error("an unknown fault was mended")
	}
}
