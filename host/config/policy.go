package config

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tabwright/safety"
)

// GrantTime is how long a grant holds where nobody says how long, and
// MaxGrantTime the longest that can be asked for.
const (
	GrantTime    = 30 * 24 * time.Hour
	MaxGrantTime = 365 * 24 * time.Hour
)

// Policies is the user's policy: the file that they write, and the grants
// that a click or a command gave. The program never writes the file. A grant is
// a file of its own, so that broker and command line need no lock.
type Policies struct {
	File string // policy.yaml
	Dir  string // of the grants

	mu     sync.Mutex
	seen   [2]stamp
	loaded *safety.Policy
}

// OpenPolicies gives the policy in its usual place. Nothing is read or made yet.
func OpenPolicies() *Policies {
	d := Dirs()
	return &Policies{File: filepath.Join(d.Config, "policy.yaml"), Dir: filepath.Join(d.Data, "grants")}
}

// stamp tells whether a file or folder has changed.
type stamp struct {
	size int64
	time int64
	mode fs.FileMode
	err  string
}

func stampOf(path string) stamp {
	st, err := os.Stat(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return stamp{err: "none"}
		}
		return stamp{err: err.Error()}
	}
	return stamp{st.Size(), st.ModTime().UnixNano(), st.Mode(), ""}
}

// fresh reports that a file changed so lately that another change might bear
// the same time.
func (s stamp) fresh(now time.Time) bool {
	return s.err == "" && now.Sub(time.Unix(0, s.time)) < 100*time.Millisecond
}

// Now is the policy as it stands: file and grants are read anew whenever they
// have changed. A file that can't be used gives the careful preset, with the
// reason in Fault; it never fails.
func (p *Policies) Now() *safety.Policy {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	seen := [2]stamp{stampOf(p.File), stampOf(p.Dir)}
	if p.loaded == nil || seen != p.seen {
		p.loaded, p.seen = p.load(), seen
		if seen[0].fresh(now) || seen[1].fresh(now) {
			p.seen = [2]stamp{}
		}
	}
	return p.loaded.At(now)
}

func (p *Policies) load() *safety.Policy {
	grants, err := p.grants()
	if err != nil {
		return safety.FaultyPolicy(err.Error(), grants)
	}
	own, err := ReadPolicy(p.File)
	if err != nil {
		return safety.FaultyPolicy(strings.ReplaceAll(err.Error(), "\n", "; "), grants)
	}
	own.Grants = grants
	return own
}

// ReadPolicy reads a policy file; one that is not there is the standard preset.
// The error holds everything that is wrong with it.
func ReadPolicy(path string) (*safety.Policy, error) {
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &safety.Policy{Preset: safety.Standard}, nil
	}
	if err != nil {
		return nil, &safety.PolicyError{File: path, Message: "can't be read: " + err.Error()}
	}
	if st.Mode().Perm()&0o022 != 0 && runtime.GOOS != "windows" {
		return nil, &safety.PolicyError{File: path, Message: "others on this computer may write to it", Hint: "chmod go-w " + path}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, &safety.PolicyError{File: path, Message: "can't be read: " + err.Error()}
	}
	return safety.ParsePolicy(b, path)
}

// grants reads all grants that are there. What can be read comes beside the
// error: a grant that forbids must hold whatever else is broken.
func (p *Policies) grants() ([]safety.Grant, error) {
	files, err := filepath.Glob(filepath.Join(p.Dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var out []safety.Grant
	var errs []error
	for _, f := range files {
		b, err := os.ReadFile(f)
		if errors.Is(err, fs.ErrNotExist) {
			continue // just revoked
		}
		var g safety.Grant
		if err == nil {
			err = json.Unmarshal(b, &g)
		}
		if err == nil {
			err = checkGrant(&g)
		}
		if err != nil {
			errs = append(errs, &safety.PolicyError{File: f, Message: err.Error(), Hint: "remove the file"})
			continue
		}
		g.ID = strings.TrimSuffix(filepath.Base(f), ".json")
		out = append(out, g)
	}
	return out, errors.Join(errs...)
}

// checkGrant refuses what can't be granted, and writes its site as rules have it.
func checkGrant(g *safety.Grant) error {
	site, err := safety.PolicySite(g.Site)
	if err != nil {
		return err
	}
	g.Site = site
	switch {
	case g.Deny && g.Class == safety.All:
	case !isClass(g.Class):
		return fmt.Errorf("there is no class %q; there are: %s", g.Class, classNames())
	case !g.Deny && !safety.Grantable(g.Class):
		return fmt.Errorf("%q can't be allowed for good: what pays, deletes, signs in or runs code is asked about each time", g.Class)
	}
	switch d := g.Expires.Sub(g.Created); {
	case d <= 0:
		return errors.New("the grant ends before it begins")
	case d > MaxGrantTime+time.Minute:
		return errors.New("a grant holds for a year at most")
	}
	return nil
}

func isClass(c safety.Class) bool { return slices.Contains(safety.Classes, c) }

func classNames() string {
	var names []string
	for _, c := range safety.Classes {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

// Grant keeps a grant and gives it with its id. Without times it begins now and
// holds for GrantTime. One for the same site and class is replaced.
func (p *Policies) Grant(g safety.Grant) (safety.Grant, error) {
	if g.Created.IsZero() {
		g.Created = time.Now()
	}
	if g.Expires.IsZero() {
		g.Expires = g.Created.Add(GrantTime)
	}
	if err := checkGrant(&g); err != nil {
		return g, err
	}
	old, _ := p.grants() // what can't be read is told of by Now, and is not replaced
	g.ID = "g" + strings.ToLower(rand.Text()[:8])
	b, err := json.Marshal(g)
	if err != nil {
		return g, err
	}
	if err := writePrivate(filepath.Join(p.Dir, g.ID+".json"), b); err != nil {
		return g, fmt.Errorf("keep the grant: %w", err)
	}
	for _, o := range old {
		if o.Site == g.Site && o.Class == g.Class {
			if err := p.Revoke(o.ID); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return g, err
			}
		}
	}
	return g, nil
}

// Revoke takes a grant back. An id that is not there is fs.ErrNotExist.
func (p *Policies) Revoke(id string) error {
	if id == "" || strings.ContainsAny(id, `/\.`) {
		return fmt.Errorf("%q is no grant: %w", id, fs.ErrNotExist)
	}
	if err := os.Remove(filepath.Join(p.Dir, id+".json")); err != nil {
		return fmt.Errorf("take the grant back: %w", err)
	}
	return nil
}
