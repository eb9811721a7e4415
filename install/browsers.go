package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// HostsFolder is the folder of native messaging manifests inside the user data
// folder of any Chromium, those started with --user-data-dir included.
const HostsFolder = "NativeMessagingHosts"

// Browser is one row of the table: a Chromium browser and its places. A row
// with an empty place says that this browser does not exist there.
type Browser struct {
	ID   string // what --browser takes
	Name string // what people call it

	Linux string // user data folder under $XDG_CONFIG_HOME
	MacOS string // user data folder under ~/Library/Application Support

	Snap    string // user data folder under ~/snap, when it runs as a snap
	Flatpak string // application id, when it runs as a Flatpak

	SystemHosts string // manifests for all users, Linux
	Policies    string // folder of managed policies, Linux
}

// Browsers lists the browsers that Install looks for, in the order to show
// them.
func Browsers() []Browser {
	return []Browser{
		{
			ID: "chrome", Name: "Google Chrome", Linux: "google-chrome", MacOS: "Google/Chrome", Flatpak: "com.google.Chrome",
			SystemHosts: "/etc/opt/chrome/native-messaging-hosts", Policies: "/etc/opt/chrome/policies/managed",
		},
		{
			ID: "chrome-beta", Name: "Google Chrome Beta", Linux: "google-chrome-beta", MacOS: "Google/Chrome Beta",
			SystemHosts: "/etc/opt/chrome/native-messaging-hosts", Policies: "/etc/opt/chrome/policies/managed",
		},
		{
			ID: "chrome-dev", Name: "Google Chrome Dev", Linux: "google-chrome-unstable", MacOS: "Google/Chrome Dev", Flatpak: "com.google.ChromeDev",
			SystemHosts: "/etc/opt/chrome/native-messaging-hosts", Policies: "/etc/opt/chrome/policies/managed",
		},
		{
			ID: "chromium", Name: "Chromium", Linux: "chromium", MacOS: "Chromium", Snap: "chromium/common/chromium", Flatpak: "org.chromium.Chromium",
			SystemHosts: "/etc/chromium/native-messaging-hosts", Policies: "/etc/chromium/policies/managed",
		},
		{
			ID: "edge", Name: "Microsoft Edge", Linux: "microsoft-edge", MacOS: "Microsoft Edge", Flatpak: "com.microsoft.Edge",
			SystemHosts: "/etc/opt/edge/native-messaging-hosts", Policies: "/etc/opt/edge/policies/managed",
		},
		{
			ID: "brave", Name: "Brave", Linux: "BraveSoftware/Brave-Browser", MacOS: "BraveSoftware/Brave-Browser", Flatpak: "com.brave.Browser",
			Snap:        "brave/current/.config/BraveSoftware/Brave-Browser",
			SystemHosts: "/etc/chromium/native-messaging-hosts", Policies: "/etc/brave/policies/managed",
		},
		{
			ID: "vivaldi", Name: "Vivaldi", Linux: "vivaldi", MacOS: "Vivaldi", Flatpak: "com.vivaldi.Vivaldi",
			SystemHosts: "/etc/vivaldi/native-messaging-hosts", Policies: "/etc/vivaldi/policies/managed",
		},
		{
			ID: "opera", Name: "Opera", Linux: "opera", MacOS: "com.operasoftware.Opera", Flatpak: "com.opera.Opera",
			Snap: "opera/current/.config/opera", SystemHosts: "/etc/opera/native-messaging-hosts", Policies: "/etc/opera/policies/managed",
		},
		{ID: "arc", Name: "Arc", MacOS: "Arc/User Data"},
	}
}

// place is a browser on this computer: where its user data folder is or would
// be, and whether it is there.
type place struct {
	Browser
	dir   string
	found bool
}

func (p place) hosts() string { return filepath.Join(p.dir, HostsFolder) }

// confined is a browser that a snap or Flatpak keeps from starting programs
// of the host.
type confined struct {
	Browser
	how string // "snap" or "Flatpak"
	dir string
}

// customID is the id of the browser that Options.UserDataDir names.
const customID = "custom"

// places lists the browsers that opts is about. A filter names browsers even
// where they were never started, so that a user can prepare one; without a
// filter all of the table are listed and found says which are there.
func (o Options) places() ([]place, error) {
	var ps []place
	if o.UserDataDir != "" {
		ps = append(ps, place{
			Browser: Browser{ID: customID, Name: "Chromium with its own profile folder"},
			dir:     o.UserDataDir, found: true,
		})
		if len(o.Browsers) == 0 {
			return ps, nil
		}
	}
	known := map[string]bool{}
	for _, b := range Browsers() {
		known[b.ID] = true
		if len(o.Browsers) > 0 && !slices.Contains(o.Browsers, b.ID) {
			continue
		}
		rel := b.Linux
		if o.OS == "darwin" {
			rel = b.MacOS
		}
		if rel == "" {
			continue
		}
		dir := filepath.Join(o.ConfigHome, filepath.FromSlash(rel))
		ps = append(ps, place{Browser: b, dir: dir, found: used(dir)})
	}
	for _, id := range o.Browsers {
		if !known[id] {
			return nil, &Error{
				Code: CodeUnknown, Message: "no browser is called " + quote(id),
				Hint: "one of: " + strings.Join(browserIDs(), ", ") + "; for another Chromium give its --user-data-dir",
			}
		}
	}
	return ps, nil
}

// confinedBrowsers lists the snap and Flatpak browsers a user has used.
func (o Options) confinedBrowsers() []confined {
	if o.OS != "linux" {
		return nil
	}
	var cs []confined
	for _, b := range Browsers() {
		if b.Snap != "" {
			if dir := filepath.Join(o.Home, "snap", filepath.FromSlash(b.Snap)); isDir(dir) {
				cs = append(cs, confined{b, "snap", dir})
			}
		}
		if b.Flatpak != "" {
			if dir := filepath.Join(o.Home, ".var", "app", b.Flatpak); isDir(dir) {
				cs = append(cs, confined{b, "Flatpak", dir})
			}
		}
	}
	return cs
}

func browserIDs() []string {
	var ids []string
	for _, b := range Browsers() {
		ids = append(ids, b.ID)
	}
	return ids
}

// used reports that a user data folder is there and a browser's own: not one that
// holds nothing but the crash reports of a Chromium that keeps its profile
// elsewhere, and registrations of other programs.
func used(dir string) bool {
	all, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	others := 0
	for _, e := range all {
		if e.Name() != "Crash Reports" && e.Name() != HostsFolder {
			return true
		}
		others++
	}
	_, err = os.Lstat(manifestPath(filepath.Join(dir, HostsFolder)))
	return others == 0 || err == nil
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

func quote(s string) string { return "“" + s + "”" }
