// Package selfupdate checks for a newer version and installs it. It reads the feed of
// releases, a small signed file, and tells which package manager the program belongs to. It
// replaces the program only when it is asked to and no package manager owns it.
package selfupdate

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// FeedURL is the address of the feed of releases, and FeedKey the ed25519 public
// key, in base64, that verifies it. A build in which they are empty has no feed.
const (
	FeedURL = ""
	FeedKey = ""
)

// ErrNoFeed is the error of a build without a feed.
var ErrNoFeed = errors.New("this build has no feed of releases")

// Release is what a feed says about the newest release.
type Release struct {
	Version string          `json:"version"` // without the v
	Notes   string          `json:"notes,omitempty"`
	Files   map[string]File `json:"files"` // by GOOS/GOARCH
}

// File is the archive of a release for one platform.
type File struct {
	URL    string `json:"url"`
	SHA256 string `json:"sha256"`
}

// signed is a feed as it is served: the release as JSON, and the signature of these
// bytes.
type signed struct {
	Release   string `json:"release"`
	Signature string `json:"signature"`
}

// Sign returns the signed feed of a release.
func Sign(r Release, key ed25519.PrivateKey) ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(signed{string(b), base64.StdEncoding.EncodeToString(ed25519.Sign(key, b))}, "", "  ")
}

// Open returns the release of a feed. It is an error if key does not verify the
// signature.
func Open(feed []byte, key string) (Release, error) {
	var r Release
	public, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(public) != ed25519.PublicKeySize {
		return r, errors.New("the key of the feed is not an ed25519 public key")
	}
	var s signed
	if err := json.Unmarshal(feed, &s); err != nil {
		return r, fmt.Errorf("the feed is not JSON: %w", err)
	}
	signature, err := base64.StdEncoding.DecodeString(s.Signature)
	if err != nil || !ed25519.Verify(public, []byte(s.Release), signature) {
		return r, errors.New("the feed's signature is wrong")
	}
	if err := json.Unmarshal([]byte(s.Release), &r); err != nil {
		return r, fmt.Errorf("the feed's release is not JSON: %w", err)
	}
	if !semver.IsValid("v" + r.Version) {
		return r, fmt.Errorf("the feed's version is %q", r.Version)
	}
	return r, nil
}

// Source is the address of a feed and its public key.
type Source struct{ URL, Key string }

// Official returns the feed of this build.
func Official() Source { return Source{FeedURL, FeedKey} }

// Bounds of a feed in bytes and of the wait for it.
const (
	feedBytes = 256 << 10
	feedWait  = 15 * time.Second
)

// Newest asks the feed for the newest release.
func (s Source) Newest(ctx context.Context) (Release, error) {
	if s.URL == "" || s.Key == "" {
		return Release{}, ErrNoFeed
	}
	ctx, cancel := context.WithTimeout(ctx, feedWait)
	defer cancel()
	body, err := get(ctx, s.URL)
	if err != nil {
		return Release{}, fmt.Errorf("read the feed: %w", err)
	}
	defer body.Close()
	b, err := io.ReadAll(io.LimitReader(body, feedBytes))
	if err != nil {
		return Release{}, fmt.Errorf("read the feed: %w", err)
	}
	return Open(b, s.Key)
}

func get(ctx context.Context, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%s: %s", url, resp.Status)
	}
	return resp.Body, nil
}

// Newer reports whether the release is newer than a program of that version. A
// version that is no valid one is older than all releases.
func (r Release) Newer(version string) bool {
	return semver.Compare("v"+r.Version, "v"+strings.TrimPrefix(version, "v")) > 0
}

// Here returns the file of the release for this platform.
func (r Release) Here() (File, bool) {
	f, ok := r.Files[runtime.GOOS+"/"+runtime.GOARCH]
	return f, ok
}
