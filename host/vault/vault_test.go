package vault_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"tabwright/host/config"
	"tabwright/host/vault"
)

const canary = "canary-of-the-vault"

func TestVault(t *testing.T) {
	for name, ring := range map[string]error{"keyring": nil, "no keyring": errors.New("no D-Bus")} {
		t.Run(name, func(t *testing.T) {
			want := config.InKeyring
			if ring == nil {
				keyring.MockInit()
			} else {
				keyring.MockInitWithError(ring)
				want = config.InFile
			}
			dir := t.TempDir()
			v := vault.Open(dir)
			where, err := v.Set("bank", canary, []string{"https://Bank.example/", "pay.example", "bank.example"}, "password")
			if err != nil || where != want {
				t.Fatalf("%s, %v", where, err)
			}
			value, sites, field, err := vault.Open(dir).Lookup("bank")
			if err != nil || value != canary || !slices.Equal(sites, []string{"bank.example", "pay.example"}) || field != "password" {
				t.Fatalf("%q %v %q %v", value, sites, field, err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, f := range files {
				st, err := os.Stat(f)
				if err != nil || st.Mode().Perm() != 0o600 {
					t.Errorf("%s: %v, %v", f, st.Mode(), err)
				}
				b, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(b), canary) != (ring != nil && filepath.Base(f) == "keys.json") {
					t.Errorf("%s holds %s", f, b)
				}
			}
			if all, err := v.List(); err != nil || len(all) != 1 || all[0].Where != want {
				t.Errorf("%v, %v", all, err)
			}
			if err := v.Delete("bank"); err != nil {
				t.Fatal(err)
			}
			var bad *vault.Error
			if _, _, _, err := v.Lookup("bank"); !errors.As(err, &bad) || bad.Code != vault.CodeUnknown {
				t.Errorf("after delete: %v", err)
			}
			if err := v.Delete("bank"); !errors.As(err, &bad) || bad.Code != vault.CodeUnknown {
				t.Errorf("deleted twice: %v", err)
			}
		})
	}
}

func TestVaultRefuses(t *testing.T) {
	keyring.MockInit()
	v := vault.Open(t.TempDir())
	for _, x := range []struct {
		name, value, site, field, code string
	}{
		{"a b", canary, "bank.example", "", vault.CodeBadName},
		{"../x", canary, "bank.example", "", vault.CodeBadName},
		{"x", "", "bank.example", "", vault.CodeNoValue},
		{"x", canary, "*", "", vault.CodeBadSite},
		{"x", canary, "*.example", "", vault.CodeBadSite},
		{"x", canary, "example", "", vault.CodeBadSite},
		{"x", canary, "", "", vault.CodeBadSite},
		{"x", canary, "bank.example/login", "", vault.CodeBadSite},
		{"x", canary, "bank.example", "e-mail", vault.CodeBadField},
	} {
		var bad *vault.Error
		if _, err := v.Set(x.name, config.Secret(x.value), []string{x.site}, x.field); !errors.As(err, &bad) || bad.Code != x.code || bad.Hint == "" || strings.Contains(err.Error(), canary) {
			t.Errorf("%+v: %v", x, err)
		}
	}
	if _, err := v.Set("x", canary, nil, ""); err == nil {
		t.Error("no site")
	}
}
