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

// behind is the shell script that cleans up after a browser whose owner was
// killed. It removes the folder with the browser's singleton socket, which is
// in /tmp, and the profile $1 unless $2 is keep.
const behind = `s=$(readlink "$1/SingletonSocket") && rm -f "$s" "${s%/*}/SingletonCookie" && rmdir "${s%/*}"
[ "$2" = keep ] || rm -rf "$1"`

// newProfile returns the path of a new temporary profile. The name has our
// process id, for sweep.
func newProfile(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s%d-%d", profilePrefix, os.Getpid(), rand.Uint64()))
}

// removeProfile does the same as the script behind. It tries for some seconds,
// since an ending process may still write.
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

// removeSocket removes the singleton socket that a killed browser left outside
// its profile. A browser that ends by itself removes it.
func removeSocket(profile string) {
	socket, err := os.Readlink(filepath.Join(profile, "SingletonSocket"))
	if err != nil {
		return
	}
	dir := filepath.Dir(socket)
	_ = errors.Join(os.Remove(socket), os.Remove(filepath.Join(dir, "SingletonCookie")), os.Remove(dir)) // dir only if it is empty
}

// sweep removes temporary profiles that were left behind because their maker
// and its tether were both killed. The name of a profile has the maker's
// process id.
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
			_ = os.RemoveAll(path) // it fails for another user's
		}
	}
}

// inUse reports whether a running browser holds the profile's lock, which is a
// link to HOST-PID. Such a browser has lost its owner; without the profile
// nothing would tell that it is one of ours.
func inUse(profile string) bool {
	lock, err := os.Readlink(filepath.Join(profile, "SingletonLock"))
	if err != nil {
		return false
	}
	pid, err := strconv.Atoi(lock[strings.LastIndexByte(lock, '-')+1:])
	return err == nil && alive(pid)
}
