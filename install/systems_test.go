package install

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"howett.net/plist"
)

// fakeRegistry is a registry in memory: keys, and their values by name.
type fakeRegistry map[string]map[string]any

func (r fakeRegistry) Values(key string) (map[string]any, error) {
	if v, ok := r[key]; ok {
		return maps.Clone(v), nil
	}
	if names, err := r.Subkeys(key); err == nil && len(names) > 0 {
		return map[string]any{}, nil
	}
	return nil, fmt.Errorf("open %s: %w", key, fs.ErrNotExist)
}

func (r fakeRegistry) Subkeys(key string) ([]string, error) {
	var out []string
	for k := range r {
		if rest, ok := strings.CutPrefix(k, key+`\`); ok {
			if name, _, _ := strings.Cut(rest, `\`); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	if _, ok := r[key]; !ok && len(out) == 0 {
		return nil, fmt.Errorf("open %s: %w", key, fs.ErrNotExist)
	}
	return out, nil
}

func (r fakeRegistry) SetDefault(key, value string) error {
	r[key] = map[string]any{"": value}
	return nil
}

func (r fakeRegistry) Delete(key string) error {
	if _, ok := r[key]; !ok {
		return fs.ErrNotExist
	}
	delete(r, key)
	return nil
}

const (
	chromeKey = `HKCU\Software\Google\Chrome\NativeMessagingHosts\com.tabwright.host`
	edgeKey   = `HKCU\Software\Microsoft\Edge\NativeMessagingHosts\com.tabwright.host`
	freeKey   = `HKCU\Software\Chromium\NativeMessagingHosts\com.tabwright.host`
)

// windows is a home on Windows, with a blank and letters beyond ASCII in its path.
func windows(t *testing.T, userData ...string) (Options, fakeRegistry) {
	t.Helper()
	t.Setenv("AppData", "")
	t.Setenv("LocalAppData", "")
	r := fakeRegistry{}
	user := filepath.Join(t.TempDir(), "Zoë Müller 张")
	o := Options{
		ExtensionID: testID, Extension: testExtension("1.2.3"), Home: user, OS: "windows", registry: r,
		Binary: filepath.Join(user, "AppData/Local/Programs/Tabwright & Co/tabwright.exe"),
	}
	exe := []byte("MZ")
	if runtime.GOOS == "windows" { // where what is in the file is looked at
		self, err := os.Executable()
		if err == nil {
			exe, err = os.ReadFile(self)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(t, o.Binary, string(exe), 0o644) // no Unix bits
	for _, dir := range userData {
		mkdir(t, filepath.Join(user, "AppData", dir, "Default"))
	}
	return o, r
}

func TestInstallOnWindows(t *testing.T) {
	o, r := windows(t, "Local/Google/Chrome/User Data", "Local/Google/Chrome SxS/User Data", "Local/Chromium/User Data",
		"Local/Microsoft/Edge/User Data", "Local/BraveSoftware/Brave-Browser/User Data", "Local/Vivaldi/User Data",
		"Roaming/Opera Software/Opera Stable")
	report, err := Install(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(o.Home, "AppData/Local/tabwright/NativeMessagingHosts/com.tabwright.host.json")
	want := map[string]string{
		"Google Chrome": chromeKey, "Google Chrome Canary": chromeKey, "Chromium": freeKey, "Microsoft Edge": edgeKey,
		"Brave": chromeKey, "Vivaldi": chromeKey, "Opera": chromeKey,
	}
	for _, w := range report.Manifests {
		if w.Path != manifest || !slices.Equal(w.Keys, []string{want[w.Browser]}) {
			t.Errorf("%+v", w)
		}
		delete(want, w.Browser)
	}
	if len(want) > 0 {
		t.Errorf("not registered with %v", want)
	}
	for _, key := range []string{chromeKey, freeKey, edgeKey} {
		if r[key][""] != manifest {
			t.Errorf("%s: %v", key, r[key])
		}
	}
	m, err := readManifest(manifest)
	if err != nil || m.Path != o.Binary || len(m.faults(o)) > 0 {
		t.Errorf("%+v, %v, %q", m, err, m.faults(o))
	}
	if o.ExtensionDir() != filepath.Join(o.Home, "AppData/Local/tabwright/extension") {
		t.Error(o.ExtensionDir())
	}
	for _, c := range Doctor(t.Context(), o) {
		if !c.OK && c.ID != "loaded" {
			t.Errorf("%+v", c)
		}
	}
}

func TestDoctorOnWindows(t *testing.T) {
	manifest := func(o Options) string {
		return manifestPath(filepath.Join(o.withDefaults().DataHome, "tabwright", HostsFolder))
	}
	for name, c := range map[string]struct {
		id, detail string
		mends      bool
		breakIt    func(o *Options, r fakeRegistry)
	}{
		"no key":             {"manifest.chrome", chromeKey + " is missing", true, func(_ *Options, r fakeRegistry) { delete(r, chromeKey) }},
		"key without a file": {"manifest.chrome", "names no file", true, func(_ *Options, r fakeRegistry) { r[chromeKey] = map[string]any{"": ""} }},
		"manifest gone":      {"manifest.chrome", "does not exist", true, func(o *Options, _ fakeRegistry) { remove(t, manifest(*o)) }},
		"a script": {"manifest.chrome", "is no .exe", true, func(o *Options, r fakeRegistry) {
			bat := filepath.Join(o.Home, "tabwright.bat")
			write(t, bat, "@echo off", 0o755)
			at := filepath.Join(o.Home, "old.json")
			b, _ := json.Marshal(hostManifest{HostName, "", bat, "stdio", []string{Origin(testID)}})
			write(t, at, string(b), 0o644)
			r[chromeKey] = map[string]any{"": at}
		}},
		"another copy for everybody": {"duplicates.system_copy", `HKLM\Software\WOW6432Node\Google\Chrome`, false, func(o *Options, r fakeRegistry) {
			at := filepath.Join(o.Home, "all.json")
			write(t, at, `{"name":"`+HostName+`","path":"C:\\old\\tabwright.exe"}`, 0o644)
			r[`HKLM\Software\WOW6432Node\Google\Chrome\NativeMessagingHosts\`+HostName] = map[string]any{"": at}
		}},
		"another host": {"duplicates.second_host", "host com.other", false, func(o *Options, r fakeRegistry) {
			at := filepath.Join(o.Home, "other.json")
			write(t, at, `{"name":"com.other","path":"C:\\x.exe","allowed_origins":["`+Origin(testID)+`"]}`, 0o644)
			r[`HKCU\Software\Google\Chrome\NativeMessagingHosts\com.other`] = map[string]any{"": at}
		}},
		"a list": {"policies.host_blocked", "NativeMessagingBlocklist", false, func(_ *Options, r fakeRegistry) {
			r[`HKLM\Software\Policies\Google\Chrome\NativeMessagingBlocklist`] = map[string]any{"1": "*"}
		}},
		"no hosts of users": {"policies.no_user_hosts", "NativeMessagingUserLevelHosts", false, func(_ *Options, r fakeRegistry) {
			r[`HKCU\Software\Policies\Google\Chrome`] = map[string]any{"NativeMessagingUserLevelHosts": uint64(0)}
		}},
		"settings of extensions": {"policies.extension_blocked", "ExtensionSettings", false, func(_ *Options, r fakeRegistry) {
			r[`HKLM\Software\Policies\Google\Chrome`] = map[string]any{"ExtensionSettings": `{"*":{"installation_mode":"blocked"}}`}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := windows(t, "Local/Google/Chrome/User Data")
			if _, err := Install(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			c.breakIt(&o, r)
			var failed []Check
			for _, check := range Doctor(t.Context(), o) {
				if !check.OK && check.ID != "loaded" {
					failed = append(failed, check)
				}
			}
			if len(failed) != 1 || failed[0].ID != c.id || !strings.Contains(failed[0].Detail, c.detail) || (failed[0].Mend != "") != c.mends {
				t.Fatalf("%+v", failed)
			}
			if !c.mends {
				return
			}
			if err := Mend(t.Context(), o, failed[0].Mend); err != nil {
				t.Fatal(err)
			}
			for _, check := range Doctor(t.Context(), o) {
				if !check.OK && check.ID != "loaded" {
					t.Errorf("mended, and still %+v", check)
				}
			}
		})
	}
}

func TestUninstallOnWindows(t *testing.T) {
	o, r := windows(t, "Local/Google/Chrome/User Data", "Local/BraveSoftware/Brave-Browser/User Data", "Local/Microsoft/Edge/User Data")
	if _, err := Install(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	other := `HKCU\Software\Google\Chrome\NativeMessagingHosts\com.other`
	r[other] = map[string]any{"": `C:\other.json`}

	// Brave finds hosts by Chrome's key, which Chrome still needs.
	one := o
	one.Browsers = []string{"brave", "edge"}
	removal, err := Uninstall(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(removal.Removed, []string{edgeKey}) || len(removal.Left) != 1 || !strings.Contains(removal.Left[0].Why, "Google Chrome") {
		t.Errorf("%+v", removal)
	}

	o.SocketDir = filepath.Join(o.Home, "AppData/Local/tabwright/run")
	mkdir(t, o.SocketDir)
	if _, err := Uninstall(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if len(r) != 1 || r[other] == nil {
		t.Errorf("the registry holds %v", r)
	}
	if isDir(filepath.Join(o.Home, "AppData/Local/tabwright")) {
		t.Errorf("stayed: %v", tree(t, o.Home))
	}

	r[chromeKey] = map[string]any{"": filepath.Join(o.Home, "theirs.json")}
	write(t, filepath.Join(o.Home, "theirs.json"), `{"name":"com.somebody"}`, 0o644)
	if removal, err = Uninstall(t.Context(), o); err != nil || len(removal.Left) != 1 || r[chromeKey] == nil {
		t.Errorf("%+v, %v", removal, err)
	}
}

// A Chromium with a profile of its own reads the registry too, by its maker.
func TestOwnProfileOnWindows(t *testing.T) {
	o, r := windows(t)
	o.UserDataDir = filepath.Join(o.Home, "my profile")
	if _, err := Install(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if len(r) != 3 {
		t.Errorf("%v", r)
	}
	o.UserDataDir = ""
	if _, err := Uninstall(t.Context(), o); err != nil || len(r) != 0 {
		t.Errorf("%v, %v", r, err)
	}
}

func macOS(t *testing.T, userData ...string) Options {
	t.Helper()
	root := t.TempDir()
	o := Options{
		ExtensionID: testID, Extension: testExtension("1.2.3"), Home: filepath.Join(root, "Users", "zoë"), OS: "darwin", Root: root,
		Binary: filepath.Join(root, "opt/homebrew/bin/tabwright"),
	}
	write(t, o.Binary, "", 0o755)
	for _, dir := range userData {
		mkdir(t, filepath.Join(o.Home, "Library/Application Support", dir, "Default"))
	}
	return o
}

func TestInstallOnMacOS(t *testing.T) {
	dirs := []string{
		"Google/Chrome", "Google/Chrome Beta", "Google/Chrome Canary", "Chromium", "Microsoft Edge", "BraveSoftware/Brave-Browser",
		"Vivaldi", "com.operasoftware.Opera", "Arc/User Data", "Comet", "net.imput.helium", "Thorium",
	}
	o := macOS(t, dirs...)
	r, err := Install(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, dir := range dirs {
		want = append(want, filepath.Join(o.Home, "Library/Application Support", dir, "NativeMessagingHosts/com.tabwright.host.json"))
	}
	for _, m := range r.Manifests {
		got = append(got, m.Path)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	for _, c := range Doctor(t.Context(), o) {
		if !c.OK && c.ID != "loaded" {
			t.Errorf("%+v", c)
		}
	}
	if _, err := Uninstall(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if left := tree(t, o.Home); len(left) > 0 {
		t.Errorf("stayed: %v", left)
	}
}

func init() {
	unmarshalPlist = func(b []byte, v any) error {
		_, err := plist.Unmarshal(b, v)
		return err
	}
}

// What an administrator set up for all users of a Mac.
func TestDoctorOfAManagedMac(t *testing.T) {
	binary, err := plist.Marshal(map[string]any{"NativeMessagingBlocklist": []string{"*"}}, plist.BinaryFormat)
	if err != nil {
		t.Fatal(err)
	}
	xml := `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>ExtensionSettings</key>` +
		`<dict><key>*</key><dict><key>installation_mode</key><string>blocked</string></dict></dict></dict></plist>`
	for name, c := range map[string]struct{ id, file, content, detail string }{
		"another copy, Chrome": {"duplicates.system_copy", "Library/Google/Chrome/NativeMessagingHosts/com.tabwright.host.json", `{"name":"com.tabwright.host","path":"/old"}`, "another copy"},
		"another copy, Brave":  {"duplicates.system_copy", "Library/Application Support/Chromium/NativeMessagingHosts/com.tabwright.host.json", `{"name":"com.tabwright.host","path":"/old"}`, "another copy"},
		"binary preferences":   {"policies.host_blocked", "Library/Managed Preferences/com.google.Chrome.plist", string(binary), "NativeMessagingBlocklist"},
		"of this user, XML":    {"policies.extension_blocked", "Library/Managed Preferences/zoë/com.brave.Browser.plist", xml, "ExtensionSettings"},
		"damaged":              {"policies.unreadable", "Library/Managed Preferences/com.google.Chrome.plist", "bplist00", "can't be read"},
	} {
		t.Run(name, func(t *testing.T) {
			o := macOS(t, "Google/Chrome", "BraveSoftware/Brave-Browser")
			if _, err := Install(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(o.Root, c.file), c.content, 0o644)
			var failed []Check
			for _, check := range Doctor(t.Context(), o) {
				if !check.OK && check.ID != "loaded" {
					failed = append(failed, check)
				}
			}
			if len(failed) != 1 || failed[0].ID != c.id || !strings.Contains(failed[0].Detail, c.detail) {
				t.Errorf("%+v", failed)
			}
		})
	}
}

// Each row has what a row needs on each system where the browser exists.
func TestTableOfBrowsers(t *testing.T) {
	ids := map[string]bool{}
	for _, b := range Browsers() {
		if ids[b.ID] || b.ID == "" || b.Name == "" {
			t.Errorf("%+v", b)
		}
		ids[b.ID] = true
		if b.Windows != "" && (!strings.HasPrefix(b.Windows, "Local/") && !strings.HasPrefix(b.Windows, "Roaming/") || !strings.HasPrefix(b.Key, `Software\`)) {
			t.Errorf("%s on Windows: %+v", b.ID, b)
		}
		if b.MacOS != "" && (b.Domain == "" || !filepath.IsAbs(b.MacHosts)) {
			t.Errorf("%s on macOS: %+v", b.ID, b)
		}
		if b.Linux != "" && (!filepath.IsAbs(b.LinuxHosts) || !filepath.IsAbs(b.LinuxPolicies)) {
			t.Errorf("%s on Linux: %+v", b.ID, b)
		}
	}
}
