package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tabwright/extension/bundle"
)

// TestPackages: the deb, the rpm and the archive of this platform hold the same program,
// with a manual page for each command, completions and licences, each where it is looked
// for. The packages run no script, and go without leaving a file.
func TestPackages(t *testing.T) {
	whole(t)
	if runtime.GOOS != "linux" {
		t.Skip("deb and rpm are Linux's")
	}
	root := filepath.Dir(bundle.Root())
	for _, tool := range []string{"dpkg-deb", "rpm", "rpm2archive"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing: apt-get install dpkg rpm", tool)
		}
	}
	command(t, root, nil, "make", "release-snapshot", "SINGLE=1")
	one := func(pattern string) string {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(root, "dist", "release", pattern))
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %v", pattern, all, err)
		}
		return all[0]
	}
	deb, rpm := one("*.deb"), one("*.rpm")
	archive, err := os.ReadFile(one("*.tar.gz"))
	must(t, err)

	man := t.TempDir()
	command(t, root, nil, "go", "run", "./host/cli/man", "-out", man)
	pages, err := os.ReadDir(man)
	must(t, err)
	if len(pages) < 100 {
		t.Fatalf("%d manual pages", len(pages))
	}
	var program [sha256.Size]byte
	for _, p := range []struct {
		kind  string
		files map[string][]byte
		at    map[string]string // where it has what; the archive by the name of its folder
	}{
		{"deb", files(t, []byte(command(t, root, nil, "dpkg-deb", "--fsys-tarfile", deb))), map[string]string{
			"program": "usr/bin/tabwright", "man": "usr/share/man/man1", "licence": "usr/share/doc/tabwright/copyright",
			"notices": "usr/share/doc/tabwright/THIRD_PARTY_NOTICES.txt",
			"bash":    "usr/share/bash-completion/completions/tabwright", "zsh": "usr/share/zsh/vendor-completions/_tabwright", "fish": "usr/share/fish/vendor_completions.d/tabwright.fish",
		}},
		{"rpm", files(t, fromRPM(t, rpm)), map[string]string{
			"program": "usr/bin/tabwright", "man": "usr/share/man/man1", "licence": "usr/share/licenses/tabwright/LICENSE",
			"notices": "usr/share/doc/tabwright/THIRD_PARTY_NOTICES.txt",
			"bash":    "usr/share/bash-completion/completions/tabwright", "zsh": "usr/share/zsh/site-functions/_tabwright", "fish": "usr/share/fish/vendor_completions.d/tabwright.fish",
		}},
		{"archive", files(t, archive), map[string]string{
			"program": "tabwright", "man": "man", "licence": "LICENSE", "notices": "THIRD_PARTY_NOTICES.txt",
			"bash": "completions/tabwright.bash", "zsh": "completions/tabwright.zsh", "fish": "completions/tabwright.fish",
		}},
	} {
		if p.kind == "archive" {
			p.files = below(p.files)
		}
		for what, text := range map[string]string{"program": "\x7fELF", "licence": "MIT License", "notices": "preact ", "bash": "bash completion", "zsh": "#compdef tabwright", "fish": "fish completion"} {
			if !bytes.Contains(p.files[p.at[what]], []byte(text)) {
				t.Errorf("%s: %s is not at %s", p.kind, what, p.at[what])
			}
		}
		sum := sha256.Sum256(p.files[p.at["program"]])
		if program == ([sha256.Size]byte{}) {
			program = sum
		}
		if sum != program {
			t.Errorf("%s has another program", p.kind)
		}
		for _, page := range pages {
			want, err := os.ReadFile(filepath.Join(man, page.Name()))
			must(t, err)
			if got := unzipped(p.files[path.Join(p.at["man"], page.Name()+".gz")]); !bytes.Equal(got, want) {
				t.Errorf("%s: the manual page %s is %.60q", p.kind, page.Name(), got)
			}
		}
		t.Logf("%s: %d files, %d of them manual pages", p.kind, len(p.files), len(pages))
	}
	if said := command(t, root, nil, "rpm", "-qp", "--scripts", "--triggers", rpm); said != "" {
		t.Errorf("the rpm runs %q", said)
	}
	if said := command(t, root, nil, "dpkg-deb", "--ctrl-tarfile", deb); slices.ContainsFunc([]string{"postinst", "preinst", "prerm", "postrm"}, func(s string) bool { return strings.Contains(said, s) }) {
		t.Error("the deb runs a script")
	}
	for line := range strings.Lines(command(t, root, nil, "rpm", "-qp", "--requires", rpm)) {
		if !strings.HasPrefix(line, "rpmlib(") {
			t.Errorf("the rpm needs %q", line)
		}
	}
	if os.Getuid() != 0 {
		t.Log("only root can install a package into a folder: that was not tried")
		return
	}
	t.Run("deb", func(t *testing.T) {
		to := t.TempDir()
		for _, dir := range []string{"updates", "info"} {
			must(t, os.MkdirAll(filepath.Join(to, "var/lib/dpkg", dir), 0o755))
		}
		write(t, filepath.Join(to, "var/lib/dpkg/status"), "")
		write(t, filepath.Join(to, "var/lib/dpkg/available"), "")
		installed(t, to, []string{"dpkg", "--root=" + to, "--install", deb}, []string{"dpkg", "--root=" + to, "--purge", "tabwright"})
	})
	t.Run("rpm", func(t *testing.T) {
		to := t.TempDir()
		installed(t, to, []string{"rpm", "--root", to, "--install", "--ignoresize", rpm}, []string{"rpm", "--root", to, "--erase", "tabwright"})
	})
}

// installed installs a package into a folder, runs the program there, and removes the
// package again.
func installed(t *testing.T, to string, add, remove []string) {
	t.Helper()
	home := t.TempDir()
	command(t, home, nil, add[0], add[1:]...)
	if said := command(t, home, []string{"HOME=" + home}, filepath.Join(to, "usr/bin/tabwright"), "version"); !strings.HasPrefix(said, "tabwright ") {
		t.Errorf("it says %q", said)
	}
	command(t, home, nil, remove[0], remove[1:]...)
	must(t, filepath.WalkDir(filepath.Join(to, "usr"), func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err == nil && !d.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	}))
}

// fromRPM gives what is in an rpm, as a tar archive. rpm2archive of 4.18 packs it, and later
// ones pack it unless told not to.
func fromRPM(t *testing.T, rpm string) []byte {
	t.Helper()
	dir := t.TempDir()
	raw, err := os.ReadFile(rpm)
	must(t, err)
	write(t, filepath.Join(dir, "a.rpm"), string(raw))
	command(t, dir, nil, "rpm2archive", "a.rpm")
	packed, err := os.ReadFile(filepath.Join(dir, "a.rpm.tgz"))
	must(t, err)
	return packed
}

// unzipped gives the content of what gzip packed, and what is not packed as it is.
func unzipped(b []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return b
	}
	out, err := io.ReadAll(r)
	if err != nil {
		return nil
	}
	return out
}

// files gives the files of a tar archive by their names.
func files(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(unzipped(archive))); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		if h.Typeflag != tar.TypeReg {
			continue
		}
		body, err := io.ReadAll(r)
		must(t, err)
		all[path.Clean(strings.TrimPrefix(h.Name, "./"))] = body
		if want := map[bool]int64{true: 0o755, false: 0o644}[path.Base(h.Name) == "tabwright" && bytes.HasPrefix(body, []byte("\x7fELF"))]; h.Mode&0o777 != want {
			t.Errorf("%s has the rights %o", h.Name, h.Mode&0o777)
		}
	}
}

// below gives the files of an archive's one folder, by their names in it.
func below(all map[string][]byte) map[string][]byte {
	out := map[string][]byte{}
	for name, body := range all {
		_, rest, _ := strings.Cut(name, "/")
		out[rest] = body
	}
	return out
}
