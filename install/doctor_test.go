package install

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type fakeBroker struct {
	status    BrokerStatus
	err       error
	attachErr error
}

func (f fakeBroker) Status(context.Context) (BrokerStatus, error) { return f.status, f.err }
func (f fakeBroker) TryAttach(context.Context, string) error      { return f.attachErr }
func (f fakeBroker) Reload(context.Context) error                 { return nil }
func (f fakeBroker) Stop(context.Context) error                   { return nil }

type fakeModel struct {
	status ModelStatus
	err    error
}

func (f fakeModel) Probe(context.Context) (ModelStatus, error) { return f.status, f.err }

// whole is a home in which every link of the chain holds.
func whole(t *testing.T) Options {
	t.Helper()
	o := home(t, "google-chrome")
	// Neither makes a browser of a folder: a Chromium with its profile elsewhere
	// leaves the one, another program the other.
	write(t, filepath.Join(o.ConfigHome, "chromium", "Crash Reports", "settings.dat"), "", 0o600)
	write(t, filepath.Join(o.ConfigHome, "BraveSoftware/Brave-Browser", HostsFolder, "org.other.json"), `{"name":"org.other"}`, 0o600)
	if _, err := Install(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	preferences(t, o, "Default", map[string]any{"path": o.ExtensionDir(), "disable_reasons": []int{}})
	o.Broker = fakeBroker{status: BrokerStatus{
		PID: 42, Version: "1.2.3", Socket: "/run/tabwright/broker.sock", Binary: o.Binary,
		Relays: []Relay{goodRelay(o)},
	}}
	o.Model = fakeModel{status: ModelStatus{Provider: "ollama", URL: "http://127.0.0.1:11434", Model: "qwen3:8b", Models: []string{"qwen3:8b"}}}
	return o
}

func goodRelay(o Options) Relay {
	return Relay{
		Browser: "Google Chrome 156", Profile: "p1", ExtensionID: testID, ExtensionVersion: "1.2.3",
		ShimPID: 43, ShimPath: o.Binary,
	}
}

func preferences(t *testing.T, o Options, profile string, entry map[string]any) {
	t.Helper()
	b, err := json.Marshal(map[string]any{"extensions": map[string]any{"settings": map[string]any{testID: entry}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(o.ConfigHome, "google-chrome", profile, "Preferences"), string(b), 0o600)
}

func TestDoctorOfAWholeChain(t *testing.T) {
	o := whole(t)
	checks := Doctor(context.Background(), o)
	allSay(t, checks)
	for _, c := range checks {
		// Test folders are temporary, which is worth a note and no fault.
		if !c.OK || (c.Warning && c.ID != "binary") {
			t.Errorf("%+v", c)
		}
	}
	if !Healthy(checks) {
		t.Error("not healthy")
	}
	golden(t, "doctor_whole", o.Home, Text(checks))
}

// Each case breaks one link; exactly the named checks must fail, so that no
// fault hides another and none is blamed on a link that holds.
func TestDoctorFindsEachFault(t *testing.T) {
	manifest := func(o *Options) string {
		return filepath.Join(o.ConfigHome, "google-chrome", HostsFolder, HostName+".json")
	}
	edit := func(t *testing.T, o *Options, change func(m map[string]any)) {
		t.Helper()
		b, err := os.ReadFile(manifest(o))
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]any{}
		if err := json.Unmarshal(b, &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		b, err = json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		write(t, manifest(o), string(b), 0o644)
	}
	relay := func(o *Options, change func(*fakeBroker, *Relay)) {
		f := o.Broker.(fakeBroker)
		r := goodRelay(*o)
		change(&f, &r)
		f.status.Relays = []Relay{r}
		o.Broker = f
	}
	cases := []struct {
		name   string
		fails  string // ids, separated by spaces
		detail string
		do     func(t *testing.T, o *Options)
	}{
		{"binary gone", "binary manifest.chrome", "does not exist", func(t *testing.T, o *Options) { remove(t, o.Binary) }},
		{"binary not executable", "binary manifest.chrome", "not executable", func(t *testing.T, o *Options) {
			if err := os.Chmod(o.Binary, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"extension folder gone", "extension loaded.chrome", "missing", func(t *testing.T, o *Options) {
			remove(t, o.ExtensionDir())
			preferences(t, *o, "Default", map[string]any{"path": "/elsewhere"})
		}},
		{"extension older", "extension relay.1", "1.2.3", func(_ *testing.T, o *Options) { o.Extension = testExtension("1.3.0") }},
		{"extension file changed", "extension", "differ", func(t *testing.T, o *Options) {
			write(t, filepath.Join(o.ExtensionDir(), "relay.js"), "// tampered", 0o644)
		}},
		{"extension has another key", "extension", "gives the id", func(t *testing.T, o *Options) {
			write(t, filepath.Join(o.ExtensionDir(), "manifest.json"), `{"version":"1.2.3","key":"AAAA"}`, 0o644)
		}},
		{"extension manifest broken", "extension", "not valid JSON", func(t *testing.T, o *Options) {
			write(t, filepath.Join(o.ExtensionDir(), "manifest.json"), `{`, 0o644)
		}},
		{"host manifest gone", "manifest.chrome", "missing", func(t *testing.T, o *Options) { remove(t, manifest(o)) }},
		{"host manifest broken", "manifest.chrome", "not valid JSON", func(t *testing.T, o *Options) { write(t, manifest(o), "{", 0o644) }},
		{"host manifest with a byte order mark", "manifest.chrome", "byte order mark", func(t *testing.T, o *Options) {
			write(t, manifest(o), "\xef\xbb\xbf{}", 0o644)
		}},
		{"wrong name", "manifest.chrome", "“com.other”", func(t *testing.T, o *Options) { edit(t, o, func(m map[string]any) { m["name"] = "com.other" }) }},
		{"relative path", "manifest.chrome", "relative path", func(t *testing.T, o *Options) { edit(t, o, func(m map[string]any) { m["path"] = "tabwright" }) }},
		{"moved binary", "manifest.chrome", "does not exist", func(t *testing.T, o *Options) {
			edit(t, o, func(m map[string]any) { m["path"] = "/gone/tabwright" })
		}},
		{"another binary", "manifest.chrome", "another program", func(t *testing.T, o *Options) {
			other := filepath.Join(o.Home, "other")
			write(t, other, "#!/bin/sh\n", 0o755)
			edit(t, o, func(m map[string]any) { m["path"] = other })
		}},
		{"wrong origin", "manifest.chrome", "does not allow", func(t *testing.T, o *Options) {
			edit(t, o, func(m map[string]any) { m["allowed_origins"] = []string{"chrome-extension://other/"} })
		}},
		{"two hosts for one extension", "duplicates.second_host", "another program", func(t *testing.T, o *Options) {
			write(t, filepath.Join(filepath.Dir(manifest(o)), "com.copy.json"),
				`{"name":"com.copy","path":"/x","allowed_origins":["`+Origin(testID)+`"]}`, 0o644)
		}},
		{"an older copy for everybody", "duplicates.system_copy", "another copy", func(t *testing.T, o *Options) {
			write(t, filepath.Join(o.Root, "etc/opt/chrome/native-messaging-hosts", HostName+".json"),
				`{"name":"`+HostName+`","path":"/opt/old/tabwright"}`, 0o644)
		}},
		{"our name in another file", "duplicates.stray", "file of another name", func(t *testing.T, o *Options) {
			write(t, filepath.Join(filepath.Dir(manifest(o)), "copy.json"), `{"name":"`+HostName+`"}`, 0o644)
		}},
		{"policy", "policies.host_blocked", "NativeMessagingBlocklist", func(t *testing.T, o *Options) {
			write(t, filepath.Join(o.Root, "etc/opt/chrome/policies/managed/p.json"), `{"NativeMessagingBlocklist":["*"]}`, 0o644)
		}},
		{"no browser", "browsers loaded.chrome", "none was found", func(t *testing.T, o *Options) {
			o.ConfigHome = filepath.Join(o.Home, "empty")
		}},
		{"not loaded", "loaded relay", "loaded in no profile", func(t *testing.T, o *Options) {
			remove(t, filepath.Join(o.ConfigHome, "google-chrome/Default"))
			f := o.Broker.(fakeBroker)
			f.status.Relays = nil
			o.Broker = f
		}},
		{"loaded from elsewhere", "loaded.chrome", "does not keep current", func(t *testing.T, o *Options) {
			preferences(t, *o, "Default", map[string]any{"path": "/home/me/src/dist"})
		}},
		{"switched off", "loaded.chrome", "switched off", func(t *testing.T, o *Options) {
			preferences(t, *o, "Default", map[string]any{"path": o.ExtensionDir(), "disable_reasons": []int{1}})
		}},
		{"broker answers nonsense", "broker", "boom", func(_ *testing.T, o *Options) { o.Broker = fakeBroker{err: errors.New("boom")} }},
		{"another shim", "relay.1", "another copy", func(t *testing.T, o *Options) {
			relay(o, func(_ *fakeBroker, r *Relay) { r.ShimPath = "/opt/old/tabwright" })
		}},
		{"running extension is old", "relay.1", "version 1.0.0", func(_ *testing.T, o *Options) {
			relay(o, func(_ *fakeBroker, r *Relay) { r.ExtensionVersion = "1.0.0" })
		}},
		{"another extension", "relay.1 loaded", "instead of", func(t *testing.T, o *Options) {
			remove(t, filepath.Join(o.ConfigHome, "google-chrome/Default"))
			relay(o, func(_ *fakeBroker, r *Relay) { r.ExtensionID = "other" })
		}},
		{"service worker silent", "relay.1", "does not answer", func(_ *testing.T, o *Options) {
			relay(o, func(_ *fakeBroker, r *Relay) { r.PingErr = context.DeadlineExceeded })
		}},
		{"attach refused", "relay.1", "could not attach", func(_ *testing.T, o *Options) {
			relay(o, func(f *fakeBroker, _ *Relay) { f.attachErr = errors.New("Another debugger is already attached") })
		}},
		{"model server down", "model", "refused", func(_ *testing.T, o *Options) {
			o.Model = fakeModel{ModelStatus{Provider: "ollama", Hint: "start Ollama"}, errors.New("connection refused")}
		}},
		{"no models", "model", "no model", func(_ *testing.T, o *Options) {
			o.Model = fakeModel{status: ModelStatus{Provider: "ollama", Models: []string{}, Hint: "ollama pull qwen3:8b"}}
		}},
		{"model not pulled", "model", "does not offer", func(_ *testing.T, o *Options) {
			o.Model = fakeModel{status: ModelStatus{Provider: "ollama", Model: "a", Models: []string{"b"}, Hint: "ollama pull a"}}
		}},
		{"another system", "system", "plan9", func(_ *testing.T, o *Options) { o.OS = "plan9" }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := whole(t)
			c.do(t, &o)
			checks := Doctor(context.Background(), o)
			allSay(t, checks)
			failed := map[string]bool{}
			details := ""
			for _, check := range checks {
				if check.OK {
					continue
				}
				failed[check.ID] = true
				details += check.Detail + "\n"
				if check.Fix == "" {
					t.Errorf("%s says nothing of what to do", check.ID)
				}
			}
			if Healthy(checks) {
				t.Error("healthy")
			}
			if !strings.Contains(details, c.detail) {
				t.Errorf("no detail says %q:\n%s", c.detail, details)
			}
			for _, id := range strings.Fields(c.fails) {
				// A home without the browser's folder has no profile to look at.
				if c.name == "no browser" && id == "loaded.chrome" {
					continue
				}
				if !failed[id] {
					t.Errorf("check %s did not fail", id)
				}
				delete(failed, id)
			}
			for id := range failed {
				t.Errorf("check %s failed too", id)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// The first model on offer thinks where none is set, and that is no fault.
func TestDoctorNamesTheFirstModel(t *testing.T) {
	o := whole(t)
	o.Model = fakeModel{status: ModelStatus{Provider: "ollama", Model: "b", First: true, Models: []string{"b"}}}
	checks := Doctor(context.Background(), o)
	allSay(t, checks)
	for _, c := range checks {
		if c.ID == "model" && (!c.OK || c.Warning || c.Say != "first" || !strings.Contains(c.Detail, "fits best")) {
			t.Errorf("%+v", c)
		}
	}
}

func TestDoctorNotes(t *testing.T) {
	cases := []struct {
		name, id, detail string
		do               func(t *testing.T, o *Options)
	}{
		{"no broker yet", "broker", "none is running", func(_ *testing.T, o *Options) { o.Broker = fakeBroker{err: ErrNoBroker} }},
		{"broker of another copy", "broker", "another copy", func(_ *testing.T, o *Options) {
			f := o.Broker.(fakeBroker)
			f.status.Binary = "/opt/old/tabwright"
			o.Broker = f
		}},
		{"no model chosen", "model", "no model is chosen", func(_ *testing.T, o *Options) {
			o.Model = fakeModel{status: ModelStatus{Provider: "ollama", Models: []string{"b"}}}
		}},
		{"snap beside it", "confined.snap", "snap", func(t *testing.T, o *Options) { mkdir(t, filepath.Join(o.Home, "snap/chromium/common/chromium")) }},
		{"extension can't be compared", "extension", "can't be compared", func(_ *testing.T, o *Options) { o.Extension = nil }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := whole(t)
			c.do(t, &o)
			checks := Doctor(context.Background(), o)
			allSay(t, checks)
			if !Healthy(checks) {
				t.Error(Text(checks))
			}
			found := false
			for _, check := range checks {
				if check.ID == c.id && check.Warning && strings.Contains(check.Detail, c.detail) {
					found = true
				}
			}
			if !found {
				t.Errorf("no note %s with %q:\n%s", c.id, c.detail, Text(checks))
			}
		})
	}
}

func TestDoctorTextOfFaults(t *testing.T) {
	o := home(t, "google-chrome", "chromium")
	if _, err := Install(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	remove(t, o.Binary)
	remove(t, filepath.Join(o.ConfigHome, "chromium", HostsFolder))
	o.Broker = fakeBroker{err: ErrNoBroker}
	golden(t, "doctor_faults", o.Home, Text(Doctor(context.Background(), o)))
}

func TestJudgePolicy(t *testing.T) {
	cases := []struct {
		name, policy string
		want         []string
	}{
		{"empty", `{}`, nil},
		{"null", `null`, nil},
		{"host forbidden by name", `{"NativeMessagingBlocklist":["com.tabwright.host"]}`, []string{"NativeMessagingBlocklist"}},
		{"all forbidden, ours allowed", `{"NativeMessagingBlocklist":["*"],"NativeMessagingAllowlist":["com.tabwright.host"]}`, nil},
		{"another forbidden", `{"NativeMessagingBlocklist":["com.other"]}`, nil},
		{"no user hosts", `{"NativeMessagingUserLevelHosts":false}`, []string{"NativeMessagingUserLevelHosts"}},
		{"user hosts", `{"NativeMessagingUserLevelHosts":true}`, nil},
		{"extensions forbidden", `{"ExtensionInstallBlocklist":["*"]}`, []string{"forbids the extension"}},
		{"extensions forbidden, ours allowed", `{"ExtensionInstallBlocklist":["*"],"ExtensionInstallAllowlist":["` + testID + `"]}`, nil},
		{"settings block all", `{"ExtensionSettings":{"*":{"installation_mode":"blocked"}}}`, []string{"forbids the extension"}},
		{"settings block all but ours", `{"ExtensionSettings":{"*":{"installation_mode":"blocked"},"` + testID + `":{"installation_mode":"allowed"}}}`, nil},
		{"developer mode off", `{"ExtensionDeveloperModeSettings":1}`, []string{"developer mode"}},
		{"devtools off", `{"DeveloperToolsAvailability":2}`, []string{"developer mode"}},
		{"devtools off, developer mode on", `{"DeveloperToolsAvailability":2,"ExtensionDeveloperModeSettings":0}`, nil},
		{"comment", `{/* */}`, []string{"can't be parsed"}},
		{"wrong type", `{"NativeMessagingBlocklist":"*"}`, []string{"can't be parsed"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := judgePolicy([]byte(c.policy), []string{testID})
			if len(got) != len(c.want) {
				t.Fatalf("%q, want %q", got, c.want)
			}
			for i := range got {
				if !strings.Contains(got[i].text, c.want[i]) {
					t.Errorf("%q lacks %q", got[i].text, c.want[i])
				}
			}
		})
	}
}

// One allowed id is enough, and the one of a store needs no developer mode.
func TestJudgePolicyOfEveryID(t *testing.T) {
	for policy, want := range map[string]string{
		`{"ExtensionInstallBlocklist":["*"]}`:                                                                                        "extension_blocked",
		`{"ExtensionInstallBlocklist":["` + testID + `","` + storeID + `"]}`:                                                         "extension_blocked",
		`{"ExtensionInstallBlocklist":["` + testID + `"]}`:                                                                           "",
		`{"ExtensionInstallBlocklist":["*"],"ExtensionInstallAllowlist":["` + storeID + `"],"ExtensionDeveloperModeSettings":1}`:     "",
		`{"ExtensionInstallBlocklist":["*"],"ExtensionInstallAllowlist":["` + testID + `"]}`:                                         "",
		`{"ExtensionInstallBlocklist":["*"],"ExtensionInstallAllowlist":["` + testID + `"],"ExtensionDeveloperModeSettings":1}`:      "no_developer_mode",
		`{"ExtensionDeveloperModeSettings":1}`:                                                                                       "",
		`{"ExtensionInstallBlocklist":["*"],"ExtensionSettings":{"` + storeID + `":{"installation_mode":"normal_installed"}}}`:       "",
		`{"ExtensionSettings":{"*":{"installation_mode":"blocked"},"` + storeID + `":{"update_url":"https://a.test"}}}`:              "extension_blocked",
		`{"ExtensionSettings":{"` + testID + `":{"installation_mode":"removed"},"` + storeID + `":{"installation_mode":"blocked"}}}`: "extension_blocked",
	} {
		got := ""
		for _, f := range judgePolicy([]byte(policy), []string{testID, storeID}) {
			got += f.say
		}
		if got != want {
			t.Errorf("%s: %q, want %q", policy, got, want)
		}
	}
}

// TestDoctorFindsTheStoresExtension: the extension of the store is loaded wherever the
// browser keeps it, and is what a user without one is sent to.
func TestDoctorFindsTheStoresExtension(t *testing.T) {
	o := whole(t)
	o.OtherIDs, o.StoreID = []string{storeID}, storeID
	note := func(entry map[string]any) Check {
		t.Helper()
		b, err := json.Marshal(map[string]any{"extensions": map[string]any{"settings": map[string]any{storeID: entry}}})
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(o.ConfigHome, "google-chrome", "Default", "Preferences"), string(b), 0o600)
		checks := o.doctorLoaded([]place{{Browser: Browser{ID: "chrome", Name: "Google Chrome"}, dir: filepath.Join(o.ConfigHome, "google-chrome"), found: true}}, BrokerStatus{})
		if len(checks) != 1 {
			t.Fatalf("%+v", checks)
		}
		return checks[0]
	}
	if c := note(map[string]any{"path": storeID + "/1.2.3_0"}); !c.OK {
		t.Errorf("loaded: %+v", c)
	}
	if c := note(map[string]any{"path": storeID + "/1.2.3_0", "disable_reasons": []int{1}}); c.OK || c.Detail != "switched off" {
		t.Errorf("switched off: %+v", c)
	}
	if c := note(map[string]any{}); c.OK || !strings.Contains(c.Fix, storePage+storeID) {
		t.Errorf("not loaded: %+v", c)
	}
}

// TestDoctorAdvisesByWhereTheExtensionIsFrom: an extension of the Web Store has no reload
// arrow and is updated by Chrome alone, and its version may differ from the program's; one
// that is loaded from the folder is reloaded.
func TestDoctorAdvisesByWhereTheExtensionIsFrom(t *testing.T) {
	o := whole(t)
	o.OtherIDs, o.StoreID = []string{storeID}, storeID
	other := filepath.Join(t.TempDir(), "tabwright")
	write(t, other, "#!/bin/sh\n", 0o755)
	gone := errors.New("gone")
	for _, c := range []struct {
		name      string
		change    func(r *Relay)
		attachErr error
		say       string
		ok        bool
		unpacked  string // in the advice for an extension that is loaded from the folder
		store     string // and for one of the Web Store
	}{
		{"silent", func(r *Relay) { r.PingErr = gone }, nil, "silent", false, "reload arrow", "off and on again"},
		{"copy", func(r *Relay) { r.ShimPath = other }, nil, "other_copy", false, "reload arrow", "off and on again"},
		{"attach", func(*Relay) {}, gone, "no_attach", false, "reload arrow", "off and on again"},
		{"version", func(r *Relay) { r.ExtensionVersion = "1.0.0" }, nil, "other_version", false, "reload arrow", "“Update”"},
		{"other id", func(r *Relay) { r.ExtensionID = strings.Repeat("a", 32) }, nil, "other_id", false, "Add to Chrome", "Add to Chrome"},
		{"well", func(*Relay) {}, nil, "ok", true, "", ""},
	} {
		for id, want := range map[string]string{testID: c.unpacked, storeID: c.store} {
			r := goodRelay(o)
			r.ExtensionID = id
			c.change(&r)
			o.Broker = fakeBroker{attachErr: c.attachErr}
			got, say, ok := o.doctorRelay(t.Context(), 0, r), c.say, c.ok
			if id == storeID && say == "other_version" {
				say, ok = "store_version", true
			}
			if got.Say != say || got.OK != ok || !strings.Contains(got.Fix, want) || id == storeID && (strings.Contains(got.Fix, "reload arrow") || got.Mend != "") {
				t.Errorf("%s, %s: %+v", c.name, id, got)
			}
		}
	}
}

// A blocklist in one file and its allowlist in another are one policy.
func TestPolicyFilesAreMerged(t *testing.T) {
	o := home(t)
	dir := filepath.Join(o.Root, google.LinuxPolicies)
	judged := func() (out []string) {
		for _, f := range o.policyFindings([]place{{Browser: Browser{Family: google}}}) {
			out = append(out, f.text)
		}
		return out
	}
	write(t, filepath.Join(dir, "1.json"), `{"NativeMessagingBlocklist":["*"],"ExtensionDeveloperModeSettings":1}`, 0o644)
	write(t, filepath.Join(dir, "2.json"), `{"NativeMessagingAllowlist":["com.tabwright.host"],"ExtensionDeveloperModeSettings":0}`, 0o644)
	if got := judged(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	write(t, filepath.Join(dir, "3.json"), `not json`, 0o644)
	if got := judged(); len(got) != 1 || !strings.Contains(got[0], "3.json") {
		t.Errorf("%q", got)
	}
}

func FuzzOutsideFiles(f *testing.F) {
	for _, s := range []string{
		`{}`, `null`, `[]`, "\xef\xbb\xbf{}", `{"name":"com.tabwright.host","path":"/x","allowed_origins":["a"]}`,
		`{"extensions":{"settings":{"` + testID + `":{"path":"/x","disable_reasons":[1],"state":0}}}}`,
		`{"ExtensionSettings":{"*":{"installation_mode":"blocked"}}}`, `{"NativeMessagingBlocklist":["*"]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := parseManifest(b); err == nil && m.Path == "" && len(m.faults(Options{Binary: "/bin/sh", ExtensionID: testID})) == 0 {
			t.Error("a manifest that names no program has no fault")
		}
		if l, ok := parsePreferences(b, testID); ok && l.path == "" {
			t.Error("loaded from nowhere")
		}
		for _, s := range judgePolicy(b, []string{testID}) {
			if s.say == "" || s.text == "" {
				t.Error("an empty finding")
			}
		}
	})
}

// allSay checks that whatever is found is said by a word, too, for those who
// read no English.
func allSay(t *testing.T, checks []Check) {
	t.Helper()
	for _, c := range checks {
		if c.Say == "" {
			t.Errorf("%s has no word: %s", c.ID, c.Detail)
		}
	}
}
