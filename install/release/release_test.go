package main

import (
	"archive/zip"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"tabwright/extension"
	"tabwright/extension/bundle"
	"tabwright/install/selfupdate"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// built writes what goreleaser leaves of two platforms.
func built(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "linux"), "linux program")
	write(t, filepath.Join(dir, "windows"), "windows program")
	rel := func(name string) string {
		r, err := filepath.Rel(filepath.Dir(bundle.Root()), filepath.Join(dir, name))
		must(t, err)
		return r
	}
	write(t, filepath.Join(dir, "metadata.json"), `{"version": "1.2.3"}`)
	must(t, writeJSON(filepath.Join(dir, "artifacts.json"), []map[string]any{
		{"name": "tabwright", "path": rel("linux"), "type": "Binary", "goos": "linux", "goarch": "amd64"},
		{"name": "tabwright.exe", "path": rel("windows"), "type": "Binary", "goos": "windows", "goarch": "arm64"},
		{"name": "tabwright_1.2.3_linux_amd64.tar.gz", "type": "Archive", "goos": "linux", "goarch": "amd64", "extra": map[string]any{"Checksum": "sha256:abcd"}},
		{"name": "checksums.txt", "type": "Checksum"},
	}))
	return dir
}

func needBuilt(t *testing.T) {
	t.Helper()
	if !extension.Built() {
		t.Skip("the extension is not built: make build")
	}
}

// The main package depends on one for each platform, of the very same version, and
// each of these is for that platform alone and holds its program.
func TestNPMPackages(t *testing.T) {
	needBuilt(t)
	out := t.TempDir()
	if err := npmPackages(built(t), out, ""); err == nil {
		t.Error("packages of no repository")
	}
	must(t, npmPackages(built(t), out, "owner/tabwright"))
	read := func(name string) (m manifest) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join(out, name, "package.json"))
		must(t, err)
		must(t, json.Unmarshal(raw, &m))
		return m
	}
	main := read("tabwright")
	if main.MCPName != "io.github.owner/tabwright" || main.Repository["url"] != "git+https://github.com/owner/tabwright.git" {
		t.Errorf("in the MCP registry it is %q, of %v", main.MCPName, main.Repository)
	}
	if main.Version != "1.2.3" || main.Bin["tabwright"] != "tabwright.js" || len(main.OptionalDependencies) != 2 {
		t.Errorf("%+v", main)
	}
	for name, want := range map[string][3]string{"@tabwright/linux-x64": {"linux", "x64", "bin/tabwright"}, "@tabwright/win32-arm64": {"win32", "arm64", "bin/tabwright.exe"}} {
		m := read(name)
		if main.OptionalDependencies[name] != "1.2.3" || m.Version != "1.2.3" || m.OS[0] != want[0] || m.CPU[0] != want[1] {
			t.Errorf("%s: %+v", name, m)
		}
		st, err := os.Stat(filepath.Join(out, name, want[2]))
		must(t, err)
		if st.Mode().Perm()&0o111 == 0 && runtime.GOOS != "windows" {
			t.Errorf("%s can't be started", want[2])
		}
	}
}

// The store takes no key, and everything else as it is loaded unpacked, in both
// languages.
func TestStoreZip(t *testing.T) {
	needBuilt(t)
	out := t.TempDir()
	must(t, storeZip(filepath.Join(bundle.Root(), "dist"), out))
	names, err := filepath.Glob(filepath.Join(out, "*.zip"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, %v", names, err)
	}
	r, err := zip.OpenReader(names[0])
	must(t, err)
	defer r.Close()
	read := func(name string, to any) {
		t.Helper()
		f, err := r.Open(name)
		must(t, err)
		must(t, json.NewDecoder(f).Decode(to))
		must(t, f.Close())
	}
	var m map[string]any
	read("manifest.json", &m)
	if m["key"] != nil || m["update_url"] != nil || m["default_locale"] != "en" {
		t.Errorf("%v", m)
	}
	for _, lang := range []string{"en", "zh_CN"} {
		var words map[string]struct{ Message string }
		read("_locales/"+lang+"/messages.json", &words)
		for _, key := range []string{"name", "description"} {
			// The store shows no more of a name than 75 characters, and takes no longer description than 132.
			if text := words[key].Message; m[key] != "__MSG_"+key+"__" || text == "" || len([]rune(text)) > map[string]int{"name": 75, "description": 132}[key] {
				t.Errorf("%s, %s: %q, %q", lang, key, m[key], text)
			}
		}
	}
	for size, path := range m["icons"].(map[string]any) {
		if _, err := r.Open(path.(string)); err != nil {
			t.Errorf("icon of %s: %v", size, err)
		}
	}
}

// The list names what the program's build information and the lock file name.
func TestBOM(t *testing.T) {
	self, err := os.Executable()
	must(t, err)
	out := filepath.Join(t.TempDir(), "bom.json")
	must(t, writeBOM(self, filepath.Join(bundle.Root(), "package-lock.json"), out))
	f, err := os.Open(out)
	must(t, err)
	defer f.Close()
	var bom cdx.BOM
	must(t, cdx.NewBOMDecoder(f, cdx.BOMFileFormatJSON).Decode(&bom))
	have := map[string]bool{}
	for _, c := range *bom.Components {
		have[c.Name] = true
		if c.Version == "" || have[c.PackageURL] {
			t.Errorf("%+v", c)
		}
		have[c.PackageURL] = true
	}
	for _, name := range []string{"std", "github.com/CycloneDX/cyclonedx-go", "preact", "@preact/signals", "dompurify"} {
		if !have[name] {
			t.Errorf("nothing of %s", name)
		}
	}
	if have["typescript"] {
		t.Error("a tool of the build is listed")
	}
}

// The feed is one that the program takes.
func TestFeed(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	must(t, err)
	out := filepath.Join(t.TempDir(), "feed.json")
	must(t, writeFeed(built(t), "https://a.example/v1.2.3", "", base64.StdEncoding.EncodeToString(private.Seed()), out))
	raw, err := os.ReadFile(out)
	must(t, err)
	r, err := selfupdate.Open(raw, base64.StdEncoding.EncodeToString(public))
	must(t, err)
	if f := r.Files["linux/amd64"]; r.Version != "1.2.3" || f.URL != "https://a.example/v1.2.3/tabwright_1.2.3_linux_amd64.tar.gz" || f.SHA256 != "abcd" {
		t.Errorf("%+v", r)
	}
	if err := writeFeed(built(t), "https://a.example", "", "", out); err == nil || !strings.Contains(err.Error(), feedKey) {
		t.Errorf("without a key: %v", err)
	}
}

func TestWithPath(t *testing.T) {
	for _, c := range []struct{ name, was, want string }{
		{"go.mod", "module old\n\ngo 1.26.8\n", "module new.example/a/b\n\ngo 1.26.8\n"},
		{"a.go", "package a\n\nimport (\n\t\"fmt\"\n\tx \"old/host\"\n\t\"old/llm\"\n)\n\nvar s = \"old/host\"\n", "package a\n\nimport (\n\t\"fmt\"\n\tx \"new.example/a/b/host\"\n\t\"new.example/a/b/llm\"\n)\n\nvar s = \"old/host\"\n"},
		{".golangci.yml", "allow: [old/host]\n - pkg: old/host\n", "allow: [new.example/a/b/host]\n - pkg: new.example/a/b/host\n"},
		{"a.md", "old/host", "old/host"},
	} {
		got, err := withPath(c.name, []byte(c.was), "old", "new.example/a/b")
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}
