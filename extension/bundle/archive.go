package bundle

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/runenames"

	"tabwright/extension"
)

// WriteArchive writes what the program embeds: the extension that was built into
// the folder dist, the licences of the modules in the program, and the names of signs.
func WriteArchive(root, dist string) error {
	notices, err := HostNotices(root)
	if err != nil {
		return err
	}
	built, err := ReadFiles(dist)
	if err != nil {
		return err
	}
	files := map[string][]byte{extension.HostLicenses: notices, extension.SignNames: signNames()}
	for name, b := range built {
		files[path.Join(extension.FilesFolder, name)] = b
	}
	b, err := Zip(files)
	if err != nil {
		return err
	}
	return put(filepath.Join(root, path.Dir(extension.Archive)), path.Base(extension.Archive), b)
}

// signNames makes extension.Signs. The table that it reads has the name of every rune,
// and would be a megabyte of the binary.
func signNames() []byte {
	var out bytes.Buffer
	for r := range rune(unicode.MaxRune) {
		if unicode.Is(unicode.So, r) {
			fmt.Fprintln(&out, string(r), strings.ToLower(runenames.Name(r)))
		}
	}
	return out.Bytes()
}

// ReadFiles reads what lies in a folder, by slashed names; files whose names begin
// with a dot belong to the source tree and are left out.
func ReadFiles(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name()[0] == '.' {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)], err = os.ReadFile(name)
		return err
	})
	return files, err
}

// Zip is an archive of files. The same files give the same bytes.
func Zip(files map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate}
		h.SetMode(0o644)
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
