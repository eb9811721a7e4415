// Package extension embeds the built browser extension in the binary. The archive that
// extension/build writes also has the licences of all compiled software and the names of
// Unicode signs. A release has the archive in its commit, so that `go install` needs no npm; a
// checkout makes it with `make build`. Built says whether there is one.
package extension

import (
	"archive/zip"
	"cmp"
	"embed"
	"encoding/json"
	"io"
	"io/fs"
	"sync"
)

//go:embed all:archive
var archive embed.FS

// The archive, and what it holds: the extension as Chrome loads it, licences, and names
// of signs.
const (
	Archive      = "archive/extension.zip"
	FilesFolder  = "extension"
	HostLicenses = "licenses/host.txt"
	SignNames    = "signs.txt"
)

// contents opens the archive; without one it is empty.
var contents = sync.OnceValue(func() fs.FS {
	f, err := archive.Open(Archive)
	if err != nil {
		return &zip.Reader{}
	}
	st, err := f.Stat()
	if err != nil {
		return &zip.Reader{}
	}
	r, err := zip.NewReader(f.(io.ReaderAt), st.Size())
	if err != nil {
		return &zip.Reader{}
	}
	return r
})

// Notices are the licences of what is compiled into the program and the extension;
// empty when it was not built.
func Notices() string {
	host, err := fs.ReadFile(contents(), HostLicenses)
	panel, err2 := fs.ReadFile(Files(), "NOTICES.txt")
	if err != nil || err2 != nil {
		return ""
	}
	return string(host) + string(panel)
}

// Signs are the Unicode names of signs (☆, ⚙), in lower case: a line for each, the sign
// and its name with a space between; empty when it was not built.
func Signs() string {
	names, err := fs.ReadFile(contents(), SignNames)
	if err != nil {
		return ""
	}
	return string(names)
}

// Files is the extension as Chrome loads it.
func Files() fs.FS {
	sub, err := fs.Sub(contents(), FilesFolder)
	if err != nil {
		panic(err) // the name is a constant that is valid
	}
	return sub
}

// Built reports whether the extension was built into this binary.
func Built() bool {
	_, err := fs.Stat(Files(), "manifest.json")
	return err == nil
}

// Extractor is the script the direct driver evaluates in a frame's isolated
// world; it is the same file the relay injects.
func Extractor() (string, error) {
	b, err := fs.ReadFile(Files(), "extractor.js")
	return string(b), err
}

// Version is the version of this build: that in the built extension's manifest,
// which is what its hello carries; empty when it was not built.
func Version() string {
	b, err := fs.ReadFile(Files(), "manifest.json")
	if err != nil {
		return ""
	}
	var m struct {
		Version string `json:"version"`
		Name    string `json:"version_name"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return ""
	}
	return cmp.Or(m.Name, m.Version)
}
