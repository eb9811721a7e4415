package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// HostsFolder is the folder of native messaging manifests in the user data folder of any Chromium
// on Linux and macOS, also one started with --user-data-dir.
const HostsFolder = "NativeMessagingHosts"

// Browser is one row of the table: a Chromium browser and its folders. An empty folder means that
// the browser does not exist on that system.
type Browser struct {
	ID   string // what --browser takes
	Name string // what people call it

	Linux   string // user data folder under $XDG_CONFIG_HOME
	MacOS   string // user data folder under ~/Library/Application Support
	Windows string // user data folder under Local (%LocalAppData%) or Roaming (%AppData%)

	Snap    string // user data folder under ~/snap, if it runs as a snap
	Flatpak string // application id, if it runs as a Flatpak

	Domain string // preferences domain on macOS, which has the managed policies
	Family        // the folders for all users that it reads
}

// Family is what several browsers share: where they look for hosts and policies for all users of
// the computer, and on Windows the registry keys.
type Family struct {
	LinuxHosts, LinuxPolicies string
	MacHosts                  string
	Key                       string // under HKCU and HKLM: …\NativeMessagingHosts\NAME
	PolicyKey                 string // under HKCU and HKLM
}

// The families, and the sources for their folders and keys:
//
//   - Hosts of Chrome, Chromium: developer.chrome.com/docs/extensions/develop/concepts/native-messaging,
//     and in Chromium's sources chrome/common/chrome_paths.cc (DIR_NATIVE_MESSAGING: Chrome's own folder
//     only with Google's branding) and extensions/api/messaging/launch_context_win.cc (without it
//     Software\Chromium first; Software\Google\Chrome in every build; HKCU before HKLM, the 32-bit view before
//     the 64-bit one). Hence Brave, Vivaldi, Opera, Arc, Comet, Helium and Thorium read Chrome's key on Windows.
//   - Edge: learn.microsoft.com/microsoft-edge/extensions/developer-guide/native-messaging (its own key or
//     folder first, then Chromium's, then Chrome's).
//   - Policies: chromeenterprise.google/policies (SOFTWARE\Policies\…, /etc/…/policies/managed, and on macOS
//     the managed preferences of the browser's domain); learn.microsoft.com/deployedge/microsoft-edge-policies;
//     support.brave.com (group policy), help.vivaldi.com (managed policies).
var (
	google = Family{
		"/etc/opt/chrome/native-messaging-hosts", "/etc/opt/chrome/policies/managed",
		"/Library/Google/Chrome/NativeMessagingHosts", `Software\Google\Chrome`, `Software\Policies\Google\Chrome`,
	}
	chromium = Family{
		"/etc/chromium/native-messaging-hosts", "/etc/chromium/policies/managed",
		"/Library/Application Support/Chromium/NativeMessagingHosts", `Software\Chromium`, `Software\Policies\Chromium`,
	}
	microsoft = Family{
		"/etc/opt/edge/native-messaging-hosts", "/etc/opt/edge/policies/managed",
		"/Library/Microsoft/Edge/NativeMessagingHosts", `Software\Microsoft\Edge`, `Software\Policies\Microsoft\Edge`,
	}
	brave   = Family{chromium.LinuxHosts, "/etc/brave/policies/managed", chromium.MacHosts, google.Key, `Software\Policies\BraveSoftware\Brave`}
	vivaldi = Family{"/etc/vivaldi/native-messaging-hosts", "/etc/vivaldi/policies/managed", chromium.MacHosts, google.Key, `Software\Policies\Vivaldi`}
	opera   = Family{"/etc/opera/native-messaging-hosts", "/etc/opera/policies/managed", chromium.MacHosts, google.Key, `Software\Policies\Opera Software\Opera`}
	forks   = Family{chromium.LinuxHosts, chromium.LinuxPolicies, chromium.MacHosts, google.Key, chromium.PolicyKey}
)

// Browsers returns the browsers that Install looks for, in the order to show them. Sources of the
// user data folders: chromium.googlesource.com, docs/user_data_dir.md, for Chrome and Chromium;
// learn.microsoft.com, "UserDataDir", for Edge; for the others the makers' help pages and packages
// (Homebrew's casks, Flathub, the Snap Store), as of November 2026.
func Browsers() []Browser {
	return []Browser{
		{
			ID: "chrome", Name: "Google Chrome", Linux: "google-chrome", MacOS: "Google/Chrome", Windows: "Local/Google/Chrome/User Data",
			Flatpak: "com.google.Chrome", Domain: "com.google.Chrome", Family: google,
		},
		{
			ID: "chrome-beta", Name: "Google Chrome Beta", Linux: "google-chrome-beta", MacOS: "Google/Chrome Beta", Windows: "Local/Google/Chrome Beta/User Data",
			Domain: "com.google.Chrome.beta", Family: google,
		},
		{
			ID: "chrome-dev", Name: "Google Chrome Dev", Linux: "google-chrome-unstable", MacOS: "Google/Chrome Dev", Windows: "Local/Google/Chrome Dev/User Data",
			Flatpak: "com.google.ChromeDev", Domain: "com.google.Chrome.dev", Family: google,
		},
		{
			ID: "chrome-canary", Name: "Google Chrome Canary", Linux: "google-chrome-canary", MacOS: "Google/Chrome Canary", Windows: "Local/Google/Chrome SxS/User Data",
			Domain: "com.google.Chrome.canary", Family: google,
		},
		{
			ID: "chromium", Name: "Chromium", Linux: "chromium", MacOS: "Chromium", Windows: "Local/Chromium/User Data",
			Snap: "chromium/common/chromium", Flatpak: "org.chromium.Chromium", Domain: "org.chromium.Chromium", Family: chromium,
		},
		{
			ID: "edge", Name: "Microsoft Edge", Linux: "microsoft-edge", MacOS: "Microsoft Edge", Windows: "Local/Microsoft/Edge/User Data",
			Flatpak: "com.microsoft.Edge", Domain: "com.microsoft.Edge", Family: microsoft,
		},
		{
			ID: "edge-beta", Name: "Microsoft Edge Beta", Linux: "microsoft-edge-beta", MacOS: "Microsoft Edge Beta", Windows: "Local/Microsoft/Edge Beta/User Data",
			Domain: "com.microsoft.Edge.Beta", Family: microsoft,
		},
		{
			ID: "edge-dev", Name: "Microsoft Edge Dev", Linux: "microsoft-edge-dev", MacOS: "Microsoft Edge Dev", Windows: "Local/Microsoft/Edge Dev/User Data",
			Flatpak: "com.microsoft.EdgeDev", Domain: "com.microsoft.Edge.Dev", Family: microsoft,
		},
		{
			ID: "edge-canary", Name: "Microsoft Edge Canary", MacOS: "Microsoft Edge Canary", Windows: "Local/Microsoft/Edge SxS/User Data",
			Domain: "com.microsoft.Edge.Canary", Family: microsoft,
		},
		{
			ID: "brave", Name: "Brave", Linux: "BraveSoftware/Brave-Browser", MacOS: "BraveSoftware/Brave-Browser", Windows: "Local/BraveSoftware/Brave-Browser/User Data",
			Snap: "brave/current/.config/BraveSoftware/Brave-Browser", Flatpak: "com.brave.Browser", Domain: "com.brave.Browser", Family: brave,
		},
		{
			ID: "vivaldi", Name: "Vivaldi", Linux: "vivaldi", MacOS: "Vivaldi", Windows: "Local/Vivaldi/User Data",
			Snap: "vivaldi/current/.config/vivaldi", Flatpak: "com.vivaldi.Vivaldi", Domain: "com.vivaldi.Vivaldi", Family: vivaldi,
		},
		{
			ID: "opera", Name: "Opera", Linux: "opera", MacOS: "com.operasoftware.Opera", Windows: "Roaming/Opera Software/Opera Stable",
			Snap: "opera/current/.config/opera", Flatpak: "com.opera.Opera", Domain: "com.operasoftware.Opera", Family: opera,
		},
		{
			ID: "opera-gx", Name: "Opera GX", MacOS: "com.operasoftware.OperaGX", Windows: "Roaming/Opera Software/Opera GX Stable",
			Flatpak: "com.opera.opera-gx", Domain: "com.operasoftware.OperaGX", Family: opera,
		},
		{
			ID: "arc", Name: "Arc", MacOS: "Arc/User Data", Windows: "Local/Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data",
			Domain: "company.thebrowser.Browser", Family: forks,
		},
		{
			ID: "comet", Name: "Comet", MacOS: "Comet", Windows: "Local/Perplexity/Comet/User Data",
			Domain: "ai.perplexity.comet", Family: forks,
		},
		{
			ID: "helium", Name: "Helium", Linux: "net.imput.helium", MacOS: "net.imput.helium", Windows: "Local/imput/Helium/User Data",
			Domain: "net.imput.helium", Family: forks,
		},
		{
			ID: "thorium", Name: "Thorium", Linux: "thorium", MacOS: "Thorium", Windows: "Local/Thorium/User Data",
			Domain: "org.chromium.Thorium", Family: forks,
		},
	}
}

// userData returns the browser's user data folder, or "" if the browser does not exist on this
// system.
func (o Options) userData(b Browser) string {
	switch o.OS {
	case "darwin":
		return below(o.ConfigHome, b.MacOS)
	case "windows":
		if rel, ok := strings.CutPrefix(b.Windows, "Roaming/"); ok {
			return below(o.ConfigHome, rel)
		}
		return below(o.DataHome, strings.TrimPrefix(b.Windows, "Local/"))
	}
	return below(o.ConfigHome, b.Linux)
}

// browserHome returns the folder in which most browsers keep their data.
func (o Options) browserHome() string {
	if o.OS == "windows" {
		return o.DataHome
	}
	return o.ConfigHome
}

func below(dir, rel string) string {
	if rel == "" {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(rel))
}

// place is a browser on this computer: where its user data folder is or would be, and whether it
// exists.
type place struct {
	Browser
	dir   string
	found bool
}

// confined is a browser in a snap or Flatpak, which prevents it from starting programs outside.
type confined struct {
	Browser
	how string // "snap" or "Flatpak"
	dir string
}

// customID is the id of the browser that Options.UserDataDir names.
const customID = "custom"

// places returns the browsers that o selects. Browsers named in o.Browsers are returned even if they
// were never started, so that a user can prepare one. Without such a filter it returns the whole
// table, and found says which browsers are there.
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
		if dir := o.userData(b); dir != "" {
			ps = append(ps, place{Browser: b, dir: dir, found: used(dir)})
		}
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

// confinedBrowsers returns the snap and Flatpak browsers that the user has started.
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

// used reports whether a user data folder is there and belongs to a browser. It does not if it has
// only crash reports, of a Chromium whose profile is elsewhere, and registrations of other programs.
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
