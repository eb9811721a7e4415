package config

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"strings"

	"tabwright/llm"
)

// envPrefix begins the variables that are Tabwright's.
const envPrefix = "TABWRIGHT_"

// Variable is one that the program reads.
type Variable struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// programVars are the variables of that prefix that the program reads and that
// are no settings; each provider has one more, for its key.
var programVars = []Variable{
	{"TABWRIGHT_API_KEY", "key of the configured provider"},
	{"TABWRIGHT_SESSION", "session of commands that have no flag --session"},
	{"TABWRIGHT_SOCKET", "path of the socket of Tabwright's background program"},
	{"TABWRIGHT_HTTP_TOKEN", "token for the clients of tabwright http --listen and tabwright mcp --listen"},
	{"TABWRIGHT_CHROMIUM_ARGS", "additional arguments for launched browsers"},
}

// otherVars are variables of others that are obeyed.
var otherVars = []Variable{
	{"NO_COLOR", "any value makes the output plain, without colours"},
	{"XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME", "folders of settings, data and logs on Linux"},
	{"HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "proxies for model servers, and the hosts that need no proxy"},
}

// Variables are those that a user may set, the settings first.
func Variables() []Variable {
	var all []Variable
	for _, s := range settings {
		all = append(all, Variable{s.Env(), "setting " + s.Name + ": " + s.Doc})
	}
	all = append(all, programVars...)
	for _, p := range llm.Providers() {
		all = append(all, Variable{keyVar(p), "key of " + p})
	}
	for _, p := range llm.Providers() {
		keys, _ := llm.ProviderKeyEnv(p)
		for _, v := range []Variable{{strings.Join(keys, ", "), "key"}, {strings.Join(llm.ProviderAddressEnv(p), ", "), "address"}} {
			if v.Name != "" {
				all = append(all, Variable{v.Name, v.Doc + " of " + p + ", if no setting of Tabwright's gives it"})
			}
		}
	}
	return append(all, otherVars...)
}

// workVars are those of what builds and tests the program, which may also begin
// with TABWRIGHT_TEST_. A program that a test starts inherits them.
var workVars = []string{
	"TABWRIGHT_PDF_READER",
	"TABWRIGHT_BINARY", "TABWRIGHT_CHROMIUM", "TABWRIGHT_ALL", "TABWRIGHT_THOUSAND", "TABWRIGHT_KILLS", "TABWRIGHT_KILL_ALL",
	"TABWRIGHT_FEED_KEY", "TABWRIGHT_RELEASE", "TABWRIGHT_WINE", "TABWRIGHT_SEED", "TABWRIGHT_SHOT", "TABWRIGHT_SHOTS", "TABWRIGHT_HELD_OUT", "TABWRIGHT_PANELTEST_SOCKET",
}

// variables are those that people set.
func variables() []string {
	var all []string
	for _, v := range programVars {
		all = append(all, v.Name)
	}
	for _, s := range settings {
		all = append(all, s.Env())
	}
	for _, p := range llm.Providers() {
		all = append(all, keyVar(p))
	}
	return all
}

// unknownVars has an error for each variable of Tabwright's prefix that nothing
// reads: what was meant would be left out without a word.
func unknownVars(names []string) (errs []error) {
	known := variables()
	for _, name := range names {
		ours := strings.HasPrefix(name, envPrefix) && !strings.HasPrefix(name, envPrefix+"TEST_")
		if ours && !slices.Contains(known, name) && !slices.Contains(workVars, name) {
			errs = append(errs, &Error{Source: name, Message: "there is no such setting" + Meant(name, known)})
		}
	}
	return errs
}

// environmentNames are the names of this process's variables.
func environmentNames() []string {
	var names []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		names = append(names, name)
	}
	return names
}

// CheckNames says which of the settings that the command line and the environment
// give there are not.
func (o Overrides) CheckNames() error {
	errs := unknownVars(o.names())
	for _, name := range sorted(o.Flags) {
		if _, ok := settingNamed(name); !ok {
			errs = append(errs, unknownFlag(name))
		}
	}
	return errors.Join(errs...)
}

func unknownFlag(name string) error {
	return &Error{Source: "--set " + name, Message: unknownSetting(name, settings)}
}

// unknownSetting says that a name is in no row of list, with the names that were
// perhaps meant.
func unknownSetting(name string, list []Setting) string {
	if strings.Contains(strings.ToLower(name), "key") && !strings.Contains(name, "keep") {
		return "keys do not belong in this file; store one with tabwright key set PROVIDER"
	}
	var known []string
	for _, s := range list {
		known = append(known, s.Name)
		switch group, _, under := strings.Cut(s.Name, "."); {
		case under && !slices.Contains(known, group):
			known = append(known, group)
		case s.Name == "provider":
			known = append(known, "providers")
		}
	}
	return "there is no setting " + quote(name) + Meant(name, known)
}

// Meant asks whether what has the nearest names was meant; it is empty where none
// is near.
func Meant(name string, known []string) string {
	near := nearest(name, known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// maxNear is how many near names are given.
const maxNear = 3

// nearest gives the names that are at most two letters away from one, and less
// than half of it, the nearest first; and those that end with a dot and it.
func nearest(name string, known []string) []string {
	plain := func(s string) string { return strings.ToLower(strings.TrimPrefix(s, envPrefix)) }
	name = plain(name)
	away := func(k string) int {
		if strings.HasSuffix(k, "."+name) {
			return 0
		}
		return distance(name, plain(k))
	}
	var near []string
	for _, k := range known {
		if d := away(k); d <= 2 && 2*d < len(name) {
			near = append(near, k)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(away(a), away(b)) })
	return near[:min(len(near), maxNear)]
}

// distance counts the letters to change, add, drop or swap with the next to make
// a of b.
func distance(a, b string) int {
	var before []int // the row for one letter of a less than above has
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, row[j]+1, above[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
