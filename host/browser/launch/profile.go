package launch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const profilePrefix = "tabwright-profile-"

// behind cleans up behind a browser whose owner was killed: the folder with
// its singleton's socket, which lies in /tmp, and the profile $1 unless $2 says
// to keep it.
const behind = `s=$(readlink "$1/SingletonSocket") && rm -f "$s" "${s%/*}/SingletonCookie" && rmdir "${s%/*}"
[ "$2" = keep ] || rm -rf "$1"`

// newProfile names a temporary profile. The name holds our process id, for
// sweep.
func newProfile(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s%d-%d", profilePrefix, os.Getpid(), rand.Uint64()))
}

// removeProfile does what the last script would have done. It tries for a
// while: a dying process may still write.
func (b *Browser) removeProfile() error {
	removeSocket(b.profile)
	if !b.temp {
		return nil
	}
	var err error
	for wait := 10 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		if err = os.RemoveAll(b.profile); err == nil {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("remove the temporary profile: %w", err)
}

// removeSocket removes what a browser that was killed left beside its profile.
// One that ended by itself has done so.
func removeSocket(profile string) {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err != nil {
		return
	}
	dir := filepath.Dir(socket)
	_ = errors.Join(os.Remove(socket), os.Remove(filepath.Join(dir, "SingletonCookie")), os.Remove(dir)) // only when it is empty
}

// sweep removes temporary profiles that nobody was left to remove, their
// maker and its keeper killed both: their names hold the process id.
func sweep(dir string) {
	found, err := filepath.Glob(filepath.Join(dir, profilePrefix+"*"))
	if err != nil {
		return
	}
	for _, path := range found {
		id, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(path), profilePrefix), "-")
		pid, err := strconv.Atoi(id)
		if err == nil && pid > 0 && !alive(pid) && !inUse(path) {
			removeSocket(path)
			_ = os.RemoveAll(path) // someone else's, when it fails
		}
	}
}

// inUse says whether a browser that lives holds the profile's lock, which is a
// link to host-pid: without its owner it is a stray, and to remove the profile
// under it would leave nothing to know it by.
func inUse(profile string) bool {
	lock, err := os.Readlink(filepath.Join(profile, "SingletonLock"))
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(lock[strings.LastIndexByte(lock, '-')+1:])
	return err == nil && alive(pid)
}
