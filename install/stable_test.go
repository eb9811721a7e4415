package install

import (
	"os"
	"path/filepath"
	"testing"
)

// A program that lies in a cache of npx is copied before it is registered, and a
// newer one takes the copy's place; any other is registered where it is.
func TestInstallCopiesWhatWontStay(t *testing.T) {
	o := home(t, "google-chrome")
	stays := o.Binary
	for path, text := range map[string]string{
		".npm/_npx/1f/node_modules/@tabwright/linux-x64/bin/tabwright": "#!/bin/sh\n",
		".npm/Caskroom/tabwright/1.2.3/tabwright":                      "#!/bin/sh\n# newer\n",
	} {
		o.Binary = filepath.Join(o.Home, path)
		write(t, o.Binary, text, 0o755)
		r, err := Install(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := readManifest(r.Manifests[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(o.DataHome, "tabwright", "bin", "tabwright"); m.Path != want || r.Binary != want {
			t.Errorf("%s is registered and %s reported, want %s", m.Path, r.Binary, want)
		}
		if c := Doctor(t.Context(), o)[0]; !c.OK || c.Detail == "" {
			t.Errorf("the doctor says of the program: %+v", c)
		}
		if err := os.RemoveAll(filepath.Join(o.Home, ".npm")); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(m.Path); err != nil || string(b) != text || program(o.OS, m.Path) != nil {
			t.Errorf("what is registered is %q (%v)", b, err)
		}
	}
	if _, err := Uninstall(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(o.DataHome, "tabwright", "bin")); !os.IsNotExist(err) {
		t.Errorf("the copy is left: %v", err)
	}
	if got, err := o.StableBinary(stays); err != nil || got != stays {
		t.Errorf("%s became %s (%v)", stays, got, err)
	}
}

// The manifest allows the extension by each of its ids, and one that lacks an id is
// written anew.
func TestManifestAllowsEveryID(t *testing.T) {
	o := home(t, "google-chrome")
	r, err := Install(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.OtherIDs = []string{storeID}
	m, err := readManifest(r.Manifests[0].Path)
	if err != nil || len(m.faults(o)) != 1 {
		t.Errorf("faults with one id: %v (%v)", m.faults(o), err)
	}
	if _, err := Install(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if m, err = readManifest(r.Manifests[0].Path); err != nil || len(m.AllowedOrigins) != 2 || len(m.faults(o)) != 0 {
		t.Errorf("it allows %v (%v)", m.AllowedOrigins, err)
	}
}
