package main

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// builder is the tool that checks manifests.
const builder = "@anthropic-ai/mcpb@2.1.2"

func TestBundle(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "program")
	if err := os.WriteFile(binary, []byte("the program"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := options{binary: binary, goos: "darwin", out: dir, version: "1.2.3", repo: "a/b", url: "https://a.test/tabwright.mcpb"}
	if err := build(o); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(filepath.Join(dir, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	z, err := zip.OpenReader(filepath.Join(dir, "tabwright.mcpb"))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(raw)
		if strings.HasPrefix(f.Name, "server/") && f.Mode().Perm() != 0o755 {
			t.Errorf("%s has the mode %v", f.Name, f.Mode())
		}
	}
	var m struct {
		Version string
		Server  struct {
			Entry  string `json:"entry_point"`
			Config struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
		Tools []struct{ Name, Description string }
	}
	if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != "1.2.3" || files[m.Server.Entry] != "the program" || m.Server.Config.Command != "${__dirname}/"+m.Server.Entry || m.Server.Config.Args[0] != "mcp" || len(m.Tools) < 40 {
		t.Errorf("the manifest is %s", files["manifest.json"])
	}
	var e struct {
		Name, Version, Description string
		Packages                   []struct {
			RegistryType, Identifier, Version, FileSha256 string
			Transport                                     struct{ Type string }
		}
	}
	if err := json.Unmarshal(first, &e); err != nil {
		t.Fatal(err)
	}
	if len(e.Description) > 100 || e.Name != "io.github.a/b" || e.Version != "1.2.3" || len(e.Packages) != 2 {
		t.Errorf("the entry is %s", first)
	}
	for _, p := range e.Packages {
		if p.Version != "1.2.3" || p.Transport.Type != "stdio" || p.RegistryType == "mcpb" && !regexp.MustCompile(`^[a-f0-9]{64}$`).MatchString(p.FileSha256) {
			t.Errorf("the package %+v", p)
		}
	}
	if err := build(o); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(filepath.Join(dir, "server.json")); err != nil || string(again) != string(first) {
		t.Errorf("the same files give another bundle: %v", err)
	}
	for _, bad := range []func(o *options){func(o *options) { o.goos = "plan9" }, func(o *options) { o.repo = "" }} {
		o := o
		if bad(&o); build(o) == nil {
			t.Errorf("a bundle of %+v", o)
		}
	}
	if os.Getenv("TABWRIGHT_ALL") == "" {
		return
	}
	npx, err := exec.LookPath("npx")
	if err != nil {
		t.Skip("needs npx")
	}
	manifest := filepath.Join(dir, "manifest.json")
	if err := os.WriteFile(manifest, []byte(files["manifest.json"]), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), npx, "-y", builder, "validate", manifest).CombinedOutput()
	if err != nil {
		t.Errorf("its own tool says of the manifest: %v: %s", err, out)
	}
}
