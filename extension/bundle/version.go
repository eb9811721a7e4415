package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Source is where a build comes from, as far as is known.
type Source struct {
	Release string // by who builds: a release's version
	Commit  string // its short name
	Count   int    // of the commits up to it
	Dirty   bool   // files differ from the commit
}

// SourceOf asks git about the tree that root lies in; where there is none, or
// no git, nothing is known.
func SourceOf(root string) Source {
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	var s Source
	s.Commit, s.Dirty = strings.CutSuffix(git("describe", "--always", "--dirty", "--exclude=*"), "-dirty")
	if s.Commit != "" && git("rev-parse", "--is-shallow-repository") == "false" {
		s.Count, _ = strconv.Atoi(git("rev-list", "--count", "HEAD"))
	}
	return s
}

var release = regexp.MustCompile(`^v?(\d+(?:\.\d+){0,3})(?:[^.\d].*)?$`)

// maxNumber is the greatest that Chrome takes in a version.
const maxNumber = 65535

// versionNumber gives the numbers that a release's name begins with, as Chrome takes
// them: no leading zeros, not all of them zero.
func versionNumber(name string) (number string, ok bool) {
	m := release.FindStringSubmatch(name)
	if m == nil {
		return "", false
	}
	var parts []string
	for part := range strings.SplitSeq(m[1], ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n > maxNumber {
			return "", false
		}
		ok = ok || n > 0
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, "."), ok
}

// stamp puts the version of a build into the manifest among its files: as version
// the numbers that Chrome takes and that order builds, and as version_name those
// and what tells this build from every other. The program takes its own version
// from there.
func stamp(files map[string][]byte, s Source) error {
	const name = "manifest.json"
	m := struct{ Version string }{}
	if err := json.Unmarshal(files[name], &m); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	number, full := s.version(m.Version, digest(files))
	was := fmt.Sprintf(`"version": %q,`, m.Version)
	if strings.Count(string(files[name]), was) != 1 {
		return errors.New(name + ` has no line "version": …,`)
	}
	files[name] = []byte(strings.Replace(string(files[name]), was, fmt.Sprintf("\"version\": %q,\n  \"version_name\": %q,", number, full), 1))
	return nil
}

// version is the number of a build, from that in the source, and its full name;
// digest is of its files.
func (s Source) version(base, digest string) (number, full string) {
	if number, ok := versionNumber(s.Release); ok {
		return number, strings.TrimPrefix(s.Release, "v")
	}
	number = base
	if s.Count > 0 {
		number += "." + strconv.Itoa(min(s.Count, maxNumber))
	}
	parts := []string{number}
	switch {
	case s.Release != "":
		parts = append(parts, s.Release)
	case s.Commit == "":
		parts = append(parts, digest)
	case s.Dirty:
		parts = append(parts, s.Commit, "dirty", digest)
	default:
		parts = append(parts, s.Commit)
	}
	return number, strings.Join(parts, "-")
}

// digest is one short hash over the names and contents of files.
func digest(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s\x00%d\x00%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}
