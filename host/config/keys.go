package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"tabwright/llm"
)

// ErrNoKey says that no key is stored for a provider.
var ErrNoKey = errors.New("no key is stored")

// Where says what holds a key.
type Where string

// The two places of keys.
const (
	InKeyring Where = "the keyring of the operating system"
	InFile    Where = "a file that only you may read"
)

// Keys stores the keys of model providers.
type Keys interface {
	// Get gives ErrNoKey where there is none.
	Get(provider string) (Secret, error)
	// Set says where it put the key, for the user to know.
	Set(provider string, key Secret) (Where, error)
	// Delete forgets the key, in both places. There being none is no error.
	Delete(provider string) error
}

const service = "tabwright"

// ring is what this package needs of a keyring; tests give their own.
type ring interface {
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

type osRing struct{}

func (osRing) Get(s, u string) (string, error) { return keyring.Get(s, u) }
func (osRing) Set(s, u, secret string) error   { return keyring.Set(s, u, secret) }
func (osRing) Delete(s, u string) error        { return keyring.Delete(s, u) }

// keyStore tries the keyring first and falls back to a file: without a D-Bus
// session (a server, a container, cron) there is no keyring on Linux.
type keyStore struct {
	ring     ring
	file     string
	patience time.Duration

	mu   sync.Mutex
	dead bool // the keyring did not answer once; don't wait for it again
}

// OpenKeys opens the user's keys. dir holds the file used where there is no
// keyring; empty means the folder of the settings.
func OpenKeys(dir string) Keys {
	if dir == "" {
		dir = Dirs().Config
	}
	// A locked keyring asks the user for its password: give them time, yet
	// do not hang for ever where nobody sees the question.
	return &keyStore{ring: osRing{}, file: filepath.Join(dir, "keys.json"), patience: 30 * time.Second}
}

func (k *keyStore) Get(provider string) (Secret, error) {
	var v string
	err := k.onRing(func() (err error) { v, err = k.ring.Get(service, provider); return })
	if err == nil && v != "" {
		seen.add(Secret(v))
		return Secret(v), nil
	}
	all, ferr := k.read()
	if ferr != nil {
		return "", ferr
	}
	if v, ok := all[provider]; ok {
		seen.add(Secret(v))
		return Secret(v), nil
	}
	return "", fmt.Errorf("%w for %s", ErrNoKey, provider)
}

func (k *keyStore) Set(provider string, key Secret) (Where, error) {
	if key == "" {
		return "", errors.New("the key is empty")
	}
	seen.add(key)
	if err := k.onRing(func() error { return k.ring.Set(service, provider, key.Reveal()) }); err == nil {
		// An older key in the file must not outlive the new one.
		return InKeyring, k.edit(func(all map[string]string) { delete(all, provider) })
	}
	return InFile, k.edit(func(all map[string]string) { all[provider] = key.Reveal() })
}

func (k *keyStore) Delete(provider string) error {
	err := k.onRing(func() error { return k.ring.Delete(service, provider) })
	if errors.Is(err, keyring.ErrNotFound) || errors.Is(err, errNoRing) {
		err = nil
	}
	return errors.Join(err, k.edit(func(all map[string]string) { delete(all, provider) }))
}

var errNoRing = errors.New("there is no keyring")

// onRing asks the keyring within bounds. What fails for any reason but "not
// found" is taken as no keyring.
func (k *keyStore) onRing(f func() error) error {
	k.mu.Lock()
	dead := k.dead
	k.mu.Unlock()
	if dead {
		return errNoRing
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		if err == nil || errors.Is(err, keyring.ErrNotFound) {
			return err
		}
		return errors.Join(errNoRing, err)
	case <-time.After(k.patience):
		k.mu.Lock()
		k.dead = true
		k.mu.Unlock()
		return errNoRing
	}
}

func (k *keyStore) read() (map[string]string, error) {
	all := map[string]string{}
	b, err := os.ReadFile(k.file)
	if os.IsNotExist(err) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the stored keys: %w", err)
	}
	if json.Unmarshal(b, &all) != nil || all == nil {
		// The decoder's own words could quote the file; say only which it is.
		return nil, fmt.Errorf("%s is damaged; delete it and store the keys again", k.file)
	}
	return all, nil
}

func (k *keyStore) edit(f func(map[string]string)) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	all, err := k.read()
	if err != nil {
		return err
	}
	before := len(all)
	f(all)
	switch {
	case len(all) == 0 && before == 0:
		return nil
	case len(all) == 0:
		return os.Remove(k.file)
	}
	b, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(k.file, append(b, '\n'))
}

// KeyState is what is known of a provider's key, and never the key.
type KeyState struct {
	Provider string
	Needed   bool   // the provider takes no request without one
	Env      string // the variable that holds it, if one does and comes first
	Stored   bool
	Page     string // where a user gets one; empty where there is no such page
}

// KeyStates says of each provider whether there is a key, in the order of
// llm.Providers. configured is the provider of the settings.
func KeyStates(keys Keys, configured string) ([]KeyState, error) {
	var out []KeyState
	for _, p := range llm.Providers() {
		vars, needed := llm.ProviderKeyEnv(p)
		st := KeyState{Provider: p, Needed: needed, Page: llm.ProviderKeyPage(p)}
		own := keyVars(p, configured)
		st.Env = firstSet(own)
		_, err := keys.Get(p)
		switch {
		case err == nil:
			st.Stored = true
		case !errors.Is(err, ErrNoKey):
			return nil, err
		case st.Env == "":
			st.Env = firstSet(vars)
		}
		out = append(out, st)
	}
	return out, nil
}

func firstSet(vars []string) string {
	for _, v := range vars {
		if os.Getenv(v) != "" {
			return v
		}
	}
	return ""
}

// keyVar is the variable of Tabwright's own that holds a provider's key.
func keyVar(provider string) string { return envPrefix + strings.ToUpper(provider) + "_API_KEY" }

// keyVars are the variables of Tabwright's own that hold a provider's key.
func keyVars(provider, configured string) []string {
	vars := []string{keyVar(provider)}
	if provider == configured {
		vars = append(vars, "TABWRIGHT_API_KEY")
	}
	return vars
}

// maxKey is longer than any provider's key.
const maxKey = 4096

// unknownProvider says so, with the names that were perhaps meant, or all.
func unknownProvider(name string) *ValueError {
	meant := Meant(name, llm.Providers())
	if meant == "" {
		meant = "; there are: " + strings.Join(llm.Providers(), ", ")
	}
	return wrong("provider", "no provider is called %s%s", quote(name), meant)
}

// CheckProvider refuses a name that is no provider's.
func CheckProvider(name string) error {
	if !slices.Contains(llm.Providers(), name) {
		return unknownProvider(name)
	}
	return nil
}

// CheckKey refuses what can be no key of a provider, before it is stored.
func CheckKey(provider string, key Secret) error {
	switch k := key.Reveal(); {
	case !slices.Contains(llm.Providers(), provider):
		return unknownProvider(provider)
	case k == "":
		return wrong("key_empty", "the key is empty")
	case len(k) > maxKey:
		return wrong("key_long", "the key is longer than any is")
	case strings.ContainsFunc(k, func(r rune) bool { return r <= ' ' || r > '~' }):
		return wrong("key_letter", "the key holds a blank or a letter that no key has; copy it again")
	}
	return nil
}
