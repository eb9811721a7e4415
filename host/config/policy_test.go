package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/safety"
)

func policies(t *testing.T) *Policies {
	t.Helper()
	dir := t.TempDir()
	return &Policies{File: filepath.Join(dir, "policy.yaml"), Dir: filepath.Join(dir, "grants")}
}

func (p *Policies) write(t *testing.T, yaml string) {
	t.Helper()
	if err := os.WriteFile(p.File, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The file counts as soon as it is saved, and a broken one is the careful
// preset until it is mended.
func TestPolicyIsReadAnew(t *testing.T) {
	p := policies(t)
	for _, c := range []struct{ yaml, preset, fault string }{
		{"", safety.Standard, ""},
		{"preset: trusting\n", safety.Trusting, ""},
		{"preset: careful_\n", safety.Careful, ":1: "},
		{"preset: trusting\nclasses:\n  purchase: auto\n", safety.Careful, ":3: "},
		{"preset: trusting\n# mended\n", safety.Trusting, ""},
	} {
		if c.yaml != "" {
			p.write(t, c.yaml)
		}
		for range 2 { // as read, and as remembered
			now := p.Now()
			if now.Name() != c.preset || !strings.Contains(now.Fault, c.fault) || (now.Fault == "") != (c.fault == "") {
				t.Errorf("%q: %s, %q", c.yaml, now.Name(), now.Fault)
			}
		}
	}
	if err := os.Remove(p.File); err != nil {
		t.Fatal(err)
	}
	if now := p.Now(); now.Name() != safety.Standard {
		t.Errorf("without a file: %s", now.Name())
	}
	p.write(t, "preset: trusting\n")
	if err := os.Chmod(p.File, 0o622); err != nil {
		t.Fatal(err)
	}
	if now := p.Now(); now.Name() != safety.Careful || !strings.Contains(now.Fault, "chmod") {
		t.Errorf("a file that others may write: %s, %q", now.Name(), now.Fault)
	}
}

func TestGrantsAreKept(t *testing.T) {
	p := policies(t)
	g, err := p.Grant(safety.Grant{Site: "*.Shop.test", Class: safety.Communicate, By: "panel"})
	if err != nil || g.Site != "shop.test" || g.Expires.Sub(g.Created) != GrantTime {
		t.Fatalf("%+v, %v", g, err)
	}
	if st, err := os.Stat(filepath.Join(p.Dir, g.ID+".json")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	has := func(c safety.Class, want safety.Setting) {
		t.Helper()
		if set, _ := p.Now().For("www.shop.test", c); set != want {
			t.Errorf("%s is %q, want %q", c, set, want)
		}
	}
	has(safety.Communicate, safety.SetNotify)
	has(safety.Submit, "")
	deny, err := p.Grant(safety.Grant{Site: "shop.test", Class: safety.Communicate, Deny: true})
	if err != nil || len(p.Now().Grants) != 1 {
		t.Errorf("a new word replaces the old one: %v, %v", p.Now().Grants, err)
	}
	has(safety.Communicate, safety.SetBlock)
	p.write(t, "preset: [") // what is forbidden stays so
	has(safety.Communicate, safety.SetBlock)
	p.write(t, "")
	if err := p.Revoke(deny.ID); err != nil {
		t.Fatal(err)
	}
	has(safety.Communicate, "")
	if err := p.Revoke(deny.ID); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("taken back twice: %v", err)
	}
	if err := p.Revoke("../policy"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path for an id: %v", err)
	}
}

func TestWhatCantBeGranted(t *testing.T) {
	p := policies(t)
	now := time.Now()
	for _, g := range []safety.Grant{
		{Site: "a.test", Class: safety.Purchase},
		{Site: "a.test", Class: safety.Destroy},
		{Site: "a.test", Class: safety.Identity},
		{Site: "a.test", Class: safety.CodeClass},
		{Site: "a.test", Class: safety.All},
		{Site: "a.test", Class: "pay"},
		{Site: "a.test", Class: "pay", Deny: true},
		{Site: "https://a.test/", Class: safety.Submit},
		{Site: "com", Class: safety.Submit},
		{Site: "a.test", Class: safety.Submit, Created: now, Expires: now.Add(-time.Hour)},
		{Site: "a.test", Class: safety.Submit, Created: now, Expires: now.Add(2 * MaxGrantTime)},
	} {
		if got, err := p.Grant(g); err == nil {
			t.Errorf("granted: %+v", got)
		}
	}
	if n := len(p.Now().Grants); n != 0 {
		t.Errorf("%d grants were kept", n)
	}
}

// A file among the grants that is none, or that grants what can't be, is the
// careful preset: it may have forbidden something.
func TestABrokenGrantIsTold(t *testing.T) {
	for _, body := range []string{"{", `{"site":"a.test","class":"purchase","created":"2026-01-01T00:00:00Z","expires":"2026-01-02T00:00:00Z"}`} {
		p := policies(t)
		if err := os.MkdirAll(p.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.Dir, "gx.json"), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if now := p.Now(); now.Name() != safety.Careful || !strings.Contains(now.Fault, "gx.json") {
			t.Errorf("%s: %s, %q", body, now.Name(), now.Fault)
		}
	}
}

func TestAGrantEndsByItself(t *testing.T) {
	p := policies(t)
	if _, err := p.Grant(safety.Grant{Site: "a.test", Class: safety.Submit, Created: time.Now().Add(-time.Hour), Expires: time.Now().Add(-time.Minute)}); err != nil {
		t.Fatal(err)
	}
	if n := len(p.Now().Grants); n != 0 {
		t.Errorf("%d grants count after their time", n)
	}
}
