package selfupdate

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// keys gives a key pair, the public half as a feed's key.
func keys(t *testing.T) (string, ed25519.PrivateKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(public), private
}

// serve serves contents by path.
func serve(t *testing.T, files map[string][]byte) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(b)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestFeed(t *testing.T) {
	public, private := keys(t)
	other, _ := keys(t)
	feed, err := Sign(Release{Version: "1.2.0", Notes: "https://a.example/notes"}, private)
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, map[string][]byte{"/feed": feed, "/changed": bytes.Replace(feed, []byte("1.2.0"), []byte("9.9.9"), 1), "/html": []byte("<html>")})
	for _, c := range []struct{ path, key, want string }{
		{"/feed", public, ""},
		{"/feed", other, "signature is wrong"},
		{"/changed", public, "signature is wrong"},
		{"/html", public, "not JSON"},
		{"/none", public, "404"},
		{"/feed", "AAAA", "not an ed25519 public key"},
	} {
		r, err := Source{url + c.path, c.key}.Newest(t.Context())
		if c.want == "" && (err != nil || r.Version != "1.2.0") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %+v, %v, want %q", c.path, r, err, c.want)
		}
	}
	if _, err := (Source{}).Newest(t.Context()); !errors.Is(err, ErrNoFeed) {
		t.Errorf("no feed: %v", err)
	}
}

func TestNewer(t *testing.T) {
	r := Release{Version: "1.2.0"}
	for version, want := range map[string]bool{"1.1.9": true, "1.2.0": false, "1.10.0": false, "1.2.0-rc.1": true, "v1.1.0": true, "0.1.0.1360-a57da828": true, "dev": true} {
		if got := r.Newer(version); got != want {
			t.Errorf("1.2.0 is newer than %s: %v", version, got)
		}
	}
}

// The program changes to that of the release, if it is what the feed says it is.
func TestApply(t *testing.T) {
	var archive bytes.Buffer
	gz := gzip.NewWriter(&archive)
	w := tar.NewWriter(gz)
	for name, text := range map[string]string{"tabwright_1/README.md": "read", "tabwright_1/tabwright": "new"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), gz.Close()); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(archive.Bytes())
	url := serve(t, map[string][]byte{"/a": archive.Bytes()})
	program := filepath.Join(t.TempDir(), "tabwright")
	if err := os.WriteFile(program, []byte("old"), 0o700); err != nil {
		t.Fatal(err)
	}
	release := func(sha string) Release {
		return Release{Files: map[string]File{runtime.GOOS + "/" + runtime.GOARCH: {url + "/a", sha}}}
	}
	is := func(want string) {
		t.Helper()
		if b, err := os.ReadFile(program); err != nil || string(b) != want {
			t.Errorf("the program is %q (%v), want %q", b, err, want)
		}
	}
	if err := release(strings.Repeat("0", 64)).Apply(t.Context(), program); err == nil || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("another file was taken: %v", err)
	}
	is("old")
	if err := (Release{}).Apply(t.Context(), program); err == nil {
		t.Error("a release without files was taken")
	}
	if err := release(hex.EncodeToString(sum[:])).Apply(t.Context(), program); err != nil {
		t.Fatal(err)
	}
	is("new")
	left, err := filepath.Glob(filepath.Join(filepath.Dir(program), "*"))
	if err != nil || len(left) != 1 && runtime.GOOS != "windows" {
		t.Errorf("beside it lie %v (%v)", left, err)
	}
}

// A program is a package manager's by its folder, or by what the manager says of it.
func TestOwner(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a/.npm/_npx/1f/node_modules/@tabwright/linux-x64/bin/tabwright": "npm: npx tabwright@latest install",
		"/usr/lib/node_modules/tabwright/node_modules/@tabwright/x/tabwright":  "npm: npm install -g tabwright@latest",
		"/opt/homebrew/Caskroom/tabwright/1.0.0/tabwright":                     "Homebrew: brew upgrade --cask tabwright",
		"/usr/local/Cellar/tabwright/1.0.0/bin/tabwright":                      "Homebrew: brew upgrade tabwright",
		`C:\Users\a\scoop\apps\tabwright\current\tabwright.exe`:                "Scoop: scoop update tabwright",
		`C:\Users\a\AppData\Local\Microsoft\WinGet\Packages\T\tabwright.exe`:   "winget: winget upgrade Tabwright.Tabwright",
	} {
		if got, ok := OwnerOf(t.Context(), path); !ok || got.Name+": "+got.Command != want {
			t.Errorf("%s: %+v, want %s", path, got, want)
		}
	}
	bin := t.TempDir()
	program := filepath.Join(t.TempDir(), "tabwright")
	ask := func(name, script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil { //nolint:gosec // it is run
			t.Fatal(err)
		}
	}
	if runtime.GOOS == "windows" {
		t.Skip("dpkg and rpm are not asked there")
	}
	t.Setenv("PATH", bin)
	if got, ok := OwnerOf(context.Background(), program); ok {
		t.Errorf("without a package manager it belongs to %+v", got)
	}
	ask("dpkg", "exit 1")
	ask("rpm", `[ "$1" = -qf ] && [ "$2" = `+program+` ]`)
	if got, _ := OwnerOf(context.Background(), program); got.Name != "rpm" {
		t.Errorf("it belongs to %+v", got)
	}
	ask("dpkg", `[ "$1" = -S ] && [ "$2" = `+program+` ]`)
	if got, _ := OwnerOf(context.Background(), program); got.Name != "dpkg" {
		t.Errorf("it belongs to %+v", got)
	}
}
