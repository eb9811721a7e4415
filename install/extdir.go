package install

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// extManifest has the fields of the extension's manifest.json that are used here.
type extManifest struct {
	Version     string `json:"version"`
	VersionName string `json:"version_name"`
	Key         string `json:"key"`

	MinimumChrome string `json:"minimum_chrome_version"`
}

func (m extManifest) version() string {
	if m.VersionName != "" {
		return m.VersionName
	}
	return m.Version
}

func readExtManifest(files fs.FS) (extManifest, error) {
	var m extManifest
	b, err := fs.ReadFile(files, "manifest.json")
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("manifest.json is not valid JSON: %w", err)
	}
	return m, nil
}

// IDOfKey returns the extension's id as Chrome derives it from the key: the first 32
// hex digits of the public key's SHA-256, with 0-f written as a-p.
func IDOfKey(key string) (string, error) {
	der, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(der) == 0 {
		return "", errors.New("the key in manifest.json is not base64")
	}
	sum := sha256.Sum256(der)
	id := []byte(hex.EncodeToString(sum[:16]))
	for i, c := range id {
		if c <= '9' {
			id[i] = c - '0' + 'a'
		} else {
			id[i] = c - 'a' + 'k'
		}
	}
	return string(id), nil
}

// WriteExtension makes dir have exactly the files of the extension, and reports
// whether anything changed. It writes a new folder beside dir and puts it in place
// with a rename; the old folder stays until then.
func WriteExtension(dir string, files fs.FS) (changed bool, err error) {
	if _, err := readExtManifest(files); err != nil {
		return false, &Error{
			Code: CodeExtension, Message: "this program was built without the extension", Err: err,
			Hint: "build it with make build",
		}
	}
	if same, err := sameFiles(dir, files); err == nil && same {
		return false, nil
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return false, err
	}
	tmp, err := os.MkdirTemp(parent, filepath.Base(dir)+".new-*")
	if err != nil {
		return false, err
	}
	defer func() {
		// After an exchange tmp is the old folder, after an error a part of the new
		// one.
		if e := os.RemoveAll(tmp); err == nil {
			err = e
		}
	}()
	if err := copyFiles(tmp, files); err != nil {
		return false, err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return false, err
	}
	return true, replaceDir(tmp, dir)
}

func copyFiles(dir string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		if !shipped(name) {
			return nil
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
}

// shipped reports whether a file is a part of the extension. The .keep of an empty
// folder in git is not.
func shipped(name string) bool { return path.Base(name) != ".keep" }

// sameFiles reports whether dir has exactly these files.
func sameFiles(dir string, files fs.FS) (bool, error) {
	want, err := digest(files)
	if err != nil {
		return false, err
	}
	got, err := digest(os.DirFS(dir))
	return got == want, err
}

// digest returns a hash of the names and contents of all files.
func digest(files fs.FS) (string, error) {
	h := sha256.New()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !shipped(name) {
			return err
		}
		b, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(h, "%s\x00%d\x00%s", name, len(b), b)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
