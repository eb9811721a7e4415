// Package folders gives the folders for settings, data, state and sockets on each operating
// system. Each program keeps a folder of its own below them. Everything of Tabwright that
// needs such a place asks here.
package folders

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// Set are the folders of one user.
type Set struct {
	Home    string
	Config  string // settings; on Linux and macOS the browsers' data too
	Data    string // what programs install and keep; on Windows most browsers' data too
	State   string // logs
	Cache   string
	Runtime string // Linux: sockets of this login; may be missing

	goos string
}

// Sockets returns the folder of Tabwright's sockets: in Runtime, if that is set and
// usable returns true for it, else in Cache. On Windows it is the folder for what
// goes with a named pipe: its lock, and the stderr of a broker.
func (s Set) Sockets(usable func(dir string) bool) string {
	switch {
	case s.goos == "windows":
		return filepath.Join(s.Data, "tabwright", "run")
	case s.Runtime != "" && usable(s.Runtime):
		return filepath.Join(s.Runtime, "tabwright")
	}
	return filepath.Join(s.Cache, "tabwright")
}

// Here returns the folders of the user of this process. It reads the environment on
// each call, so that changes of a test or a launcher count.
func Here() Set {
	home, _ := os.UserHomeDir()
	return Of(runtime.GOOS, home, os.Getenv)
}

// Of returns the folders under home on the system goos.
//
// Linux: the XDG Base Directory Specification, by which relative values are
// ignored. Without XDG_RUNTIME_DIR, which some programs that a desktop starts do
// not have, Runtime is /run/user/UID: both ends of a socket must look in the same
// folder.
//
// macOS: Apple's File System Programming Guide. XDG variables are ignored: a shell
// may have them, while a browser that is started from the Dock has not.
//
// Windows: the known folders RoamingAppData and LocalAppData, as the environment
// of every process names them (learn.microsoft.com, KNOWNFOLDERID).
func Of(goos, home string, getenv func(string) string) Set {
	under := func(elements ...string) string { return filepath.Join(append([]string{home}, elements...)...) }
	switch goos {
	case "darwin":
		library := under("Library", "Application Support")
		return Set{Home: home, Config: library, Data: library, State: library, Cache: under("Library", "Caches"), goos: goos}
	case "windows":
		known := func(env, folder string) string {
			if v := getenv(env); v != "" {
				return v
			}
			return under("AppData", folder)
		}
		local := known("LocalAppData", "Local")
		return Set{Home: home, Config: known("AppData", "Roaming"), Data: local, State: local, Cache: local, goos: goos}
	}
	xdg := func(env string, otherwise ...string) string {
		if v := getenv(env); filepath.IsAbs(v) {
			return v
		}
		return under(otherwise...)
	}
	s := Set{
		Home:   home,
		Config: xdg("XDG_CONFIG_HOME", ".config"), Data: xdg("XDG_DATA_HOME", ".local", "share"),
		State: xdg("XDG_STATE_HOME", ".local", "state"), Cache: xdg("XDG_CACHE_HOME", ".cache"),
		Runtime: getenv("XDG_RUNTIME_DIR"), goos: goos,
	}
	if s.Runtime == "" && goos == "linux" {
		s.Runtime = filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	}
	return s
}
