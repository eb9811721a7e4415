package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"tabwright/install/selfupdate"
)

// feedKey is the environment variable of the feed's private key, in base64.
const feedKey = "TABWRIGHT_FEED_KEY"

// writeFeed writes the signed feed that names the archives of a build. base is
// the address of their folder.
func writeFeed(from, base, notes, key, out string) error {
	seed, err := base64.StdEncoding.DecodeString(key)
	if err != nil || len(seed) != ed25519.SeedSize {
		return errors.New(feedKey + " holds no key; `go run ./install/release key` makes one")
	}
	if base == "" {
		return errors.New("-base is missing")
	}
	b, err := readBuild(from)
	if err != nil {
		return err
	}
	r := selfupdate.Release{Version: b.Version, Notes: notes, Files: map[string]selfupdate.File{}}
	for _, a := range b.of("Archive") {
		sum, ok := strings.CutPrefix(a.Extra.Checksum, "sha256:")
		if !ok {
			return fmt.Errorf("%s has no SHA-256", a.Name)
		}
		r.Files[a.OS+"/"+a.Arch] = selfupdate.File{URL: strings.TrimSuffix(base, "/") + "/" + a.Name, SHA256: sum}
	}
	if len(r.Files) == 0 {
		return errors.New("no archive was made")
	}
	feed, err := selfupdate.Sign(r, ed25519.NewKeyFromSeed(seed))
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(feed, '\n'), 0o644)
}

// newFeedKey prints a new key pair.
func newFeedKey() error {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%s=%s\nFeedKey = %q\n", feedKey, base64.StdEncoding.EncodeToString(private.Seed()), base64.StdEncoding.EncodeToString(public))
	return nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
