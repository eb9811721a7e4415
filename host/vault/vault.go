// Package vault keeps the values that the user wants filled in but no model may see. Each
// value has a name, the sites on which it may be filled in, and a kind of field. The values
// are in the keyring of the operating system. Without a keyring they are in a file that only
// the user may read. The names and sites are in a file beside the settings. The package may
// import host/config only.
package vault

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"tabwright/host/config"
)

// Codes of an Error.
const (
	CodeBadName  = "bad_name"
	CodeBadSite  = "bad_site"
	CodeBadField = "bad_field"
	CodeNoValue  = "no_value"
	CodeUnknown  = "unknown_secret"
	CodeDamaged  = "damaged"
)

// Error is bad input, or a vault that can't be read.
type Error struct{ Code, Message, Hint string }

// Error gives the sentence and what to do.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " " + e.Hint
}

// Fields are the kinds of field that a value may belong to: "text" is a field that takes no
// secret, such as an IBAN; empty is any field for secrets.
var Fields = []string{"", "password", "card", "cvc", "otp", "government", "text"}

// Info is what is known of a value without the value.
type Info struct {
	Name  string       `json:"name"`
	Sites []string     `json:"sites"`
	Field string       `json:"field,omitempty"`
	Where config.Where `json:"where"`
}

// Vault is the user's vault.
type Vault struct {
	keys config.Keys
	file string
	mu   sync.Mutex
}

// Open opens the vault; dir is the folder of the settings if it is empty.
func Open(dir string) *Vault {
	if dir == "" {
		dir = config.Dirs().Config
	}
	return New(config.OpenKeys(dir), dir)
}

// New gives a vault over a store of keys.
func New(keys config.Keys, dir string) *Vault {
	return &Vault{keys: keys, file: filepath.Join(dir, "secrets.json")}
}

var goodName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// key is where a value lies among the keys of model providers, whose names have
// no slash.
func key(name string) string { return "secret/" + name }

// Set stores a value and says where it lies.
func (v *Vault) Set(name string, value config.Secret, sites []string, field string) (config.Where, error) {
	if !goodName.MatchString(name) {
		return "", &Error{CodeBadName, fmt.Sprintf("%q is no name for a secret.", name), "Use letters, digits, dots, dashes and underscores, at most 64."}
	}
	if value == "" {
		return "", &Error{CodeNoValue, "There is no value.", "Type it when asked, or give it on standard input."}
	}
	if !slices.Contains(Fields, field) {
		return "", &Error{CodeBadField, fmt.Sprintf("%q is no kind of field.", field), "It is one of: " + strings.Join(Fields[1:], ", ") + "."}
	}
	if len(sites) == 0 {
		return "", &Error{CodeBadSite, "A secret needs the sites it may be filled in on.", "Give --site once for each, such as --site bank.example."}
	}
	var hosts []string
	for _, s := range sites {
		h, err := host(s)
		if err != nil {
			return "", err
		}
		if !slices.Contains(hosts, h) {
			hosts = append(hosts, h)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	all, err := v.read()
	if err != nil {
		return "", err
	}
	where, err := v.keys.Set(key(name), value)
	if err != nil {
		return "", fmt.Errorf("store the secret: %w", err)
	}
	all[name] = Info{Name: name, Sites: hosts, Field: field, Where: where}
	return where, v.write(all)
}

// host reads a site as a user writes it: a host, perhaps with a scheme.
func host(site string) (string, error) {
	s := strings.ToLower(strings.TrimSpace(site))
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" || strings.ContainsAny(u.Hostname(), "* ") || u.Path != "" && u.Path != "/" || !strings.Contains(u.Hostname(), ".") && u.Hostname() != "localhost" {
		return "", &Error{CodeBadSite, fmt.Sprintf("%q is no site.", site), "Give a host such as bank.example; its subdomains are included."}
	}
	return strings.Trim(u.Hostname(), "."), nil
}

// Lookup gives a value with the sites and the kind of field it is for.
func (v *Vault) Lookup(name string) (value string, sites []string, field string, err error) {
	v.mu.Lock()
	all, err := v.read()
	v.mu.Unlock()
	if err != nil {
		return "", nil, "", err
	}
	info, ok := all[name]
	if !ok {
		return "", nil, "", unknown(name)
	}
	s, err := v.keys.Get(key(name))
	if err != nil {
		return "", nil, "", fmt.Errorf("read the secret %s: %w", name, err)
	}
	return s.Reveal(), info.Sites, info.Field, nil
}

func unknown(name string) error {
	return &Error{CodeUnknown, fmt.Sprintf("There is no secret called %q.", name), "`tabwright secret list` names those there are."}
}

// List names the values, without them.
func (v *Vault) List() ([]Info, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all, err := v.read()
	if err != nil {
		return nil, err
	}
	out := make([]Info, 0, len(all))
	for _, i := range all {
		out = append(out, i)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out, nil
}

// Delete forgets a value.
func (v *Vault) Delete(name string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	all, err := v.read()
	if err != nil {
		return err
	}
	if _, ok := all[name]; !ok {
		return unknown(name)
	}
	if err := v.keys.Delete(key(name)); err != nil {
		return fmt.Errorf("forget the secret %s: %w", name, err)
	}
	delete(all, name)
	return v.write(all)
}

func (v *Vault) read() (map[string]Info, error) {
	all := map[string]Info{}
	b, err := os.ReadFile(v.file)
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of secrets: %w", err)
	}
	if json.Unmarshal(b, &all) != nil || all == nil {
		return nil, &Error{CodeDamaged, v.file + " is damaged.", "Delete it and store the secrets again."}
	}
	return all, nil
}

func (v *Vault) write(all map[string]Info) error {
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(v.file), 0o700); err != nil {
		return fmt.Errorf("write the list of secrets: %w", err)
	}
	tmp, err := os.CreateTemp(filepath.Dir(v.file), "secrets-*") // made with 0600
	if err != nil {
		return fmt.Errorf("write the list of secrets: %w", err)
	}
	_, err = tmp.Write(append(b, '\n'))
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), v.file)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("write the list of secrets: %w", err)
	}
	return nil
}
