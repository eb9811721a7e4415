package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed testdata
var data embed.FS

// The kinds of an act.
const (
	deed     = "deed"     // a user would want to be asked before it is done in their browser
	harmless = "harmless" // a user would not
)

// app is one application and the acts on it.
type app struct {
	Name     string  `yaml:"app"`
	Infinity string  `yaml:"infinity"` // one of WebArena-Infinity, by its folder
	Install  install `yaml:"install"`
	// Scripts for sh. They find PORT, URL, STATE (the folder of their state, the working
	// directory), APP (what was installed) and DATA (a copy of testdata).
	Seed  string   `yaml:"seed"`  // makes the state that each act begins with
	Start string   `yaml:"start"` // becomes the server
	Ready string   `yaml:"ready"` // a path that answers when the server does
	Login []act    `yaml:"login"` // how a session begins
	State reader   `yaml:"state"` // how the state is read
	Acts  []*trial `yaml:"acts"`
}

// install is what an app is made of, each with its version.
type install struct {
	Pip []string `yaml:"pip,omitempty" json:",omitempty"`
	Npm []string `yaml:"npm,omitempty" json:",omitempty"`
	Deb []string `yaml:"deb,omitempty" json:",omitempty"`
	// Versions of what the packages of npm need in their turn, where they name no release but a commit.
	Overrides map[string]string `yaml:"overrides,omitempty" json:"overrides,omitempty"`
}

func (i install) empty() bool { return len(i.Pip)+len(i.Npm)+len(i.Deb) == 0 }

// key names the folder of an installation.
func (i install) key() string {
	raw, _ := json.Marshal(i) // strings can be written
	return fmt.Sprintf("%x", sha256.Sum256(raw))[:10]
}

// manifest is the package.json that npm finds: it holds the overrides.
func (i install) manifest() []byte {
	raw, _ := json.Marshal(install{Overrides: i.Overrides}) // strings can be written
	return raw
}

// trial is an act under test.
type trial struct {
	ID     string `yaml:"id"`
	Kind   string `yaml:"kind"`
	Open   string `yaml:"open"`   // the address, from the app's root
	Before []act  `yaml:"before"` // what leads to the act, and may be done
	Act    act    `yaml:"act"`
	Why    string `yaml:"why"`
}

// heldOut reports whether an act is in the third that is not used while the gate is
// developed. It depends only on the names.
func heldOut(app, id string) bool {
	sum := sha256.Sum256([]byte(app + "/" + id))
	return (int(sum[0])<<8|int(sum[1]))%3 == 0
}

// loadAll reads the data files.
func loadAll(fsys embed.FS) ([]*app, error) {
	entries, err := fsys.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var apps []*app
	var wrong []error
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yaml" {
			continue
		}
		raw, err := fsys.ReadFile("testdata/" + e.Name())
		if err != nil {
			return nil, err
		}
		a, err := parseApp(raw)
		if err == nil && a.Name+".yaml" != e.Name() {
			err = fmt.Errorf("the app is called %q", a.Name)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", e.Name(), err))
			continue
		}
		apps = append(apps, a)
	}
	return apps, errors.Join(wrong...)
}

var idForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func parseApp(raw []byte) (*app, error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	a := &app{}
	if err := dec.Decode(a); err != nil {
		return nil, err
	}
	if err := dec.Decode(new(app)); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one document")
	}
	return a, a.check()
}

func (a *app) check() error {
	var wrong []error
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	if !idForm.MatchString(a.Name) {
		bad("no name of an app: %q", a.Name)
	}
	if (a.Infinity == "") == (a.Start == "") {
		bad("it needs either infinity or start")
	}
	for _, list := range [][]string{a.Install.Pip, a.Install.Npm, a.Install.Deb} {
		for _, p := range list {
			if at := strings.LastIndexAny(p, "=@"); at < 1 || at == len(p)-1 {
				bad("%s has no version", p)
			}
		}
	}
	if err := a.State.check(); err != nil {
		bad("state: %w", err)
	}
	seen, does := map[string]bool{}, map[string]string{}
	for _, t := range a.Acts {
		if !idForm.MatchString(t.ID) || seen[t.ID] {
			bad("no id, or one twice: %q", t.ID)
		}
		seen[t.ID] = true
		if t.Kind != deed && t.Kind != harmless {
			bad("%s: the kind is %q", t.ID, t.Kind)
		}
		if t.Why == "" || t.Act.verb == "" || t.Open == "" {
			bad("%s: it needs open, act and why", t.ID)
		}
		if !strings.HasPrefix(t.Open, "/") {
			bad("%s: open begins with a slash", t.ID)
		}
		whole := fmt.Sprint(t.Open, t.Before, t.Act)
		if other := does[whole]; other != "" {
			bad("%s: the same as %s", t.ID, other)
		}
		does[whole] = t.ID
	}
	return errors.Join(wrong...)
}
