package install

import (
	"encoding/json"
	"fmt"
	"slices"
)

// policySet has the managed policies that decide whether the extension and its host may
// work. See chromeenterprise.google/policies.
type policySet struct {
	NativeMessagingBlocklist       []string                   `json:"NativeMessagingBlocklist"`
	NativeMessagingAllowlist       []string                   `json:"NativeMessagingAllowlist"`
	NativeMessagingUserLevelHosts  *bool                      `json:"NativeMessagingUserLevelHosts"`
	ExtensionInstallBlocklist      []string                   `json:"ExtensionInstallBlocklist"`
	ExtensionInstallAllowlist      []string                   `json:"ExtensionInstallAllowlist"`
	ExtensionDeveloperModeSettings *int                       `json:"ExtensionDeveloperModeSettings"`
	DeveloperToolsAvailability     *int                       `json:"DeveloperToolsAvailability"`
	IncognitoModeAvailability      *int                       `json:"IncognitoModeAvailability"`
	ExtensionSettings              map[string]json.RawMessage `json:"ExtensionSettings"`
}

// finding is one policy that prevents Tabwright from working.
type finding struct {
	browser string
	dir     string
	phrase
}

func (f finding) sentence() string {
	return fmt.Sprintf("A policy for %s (%s) %s.", f.browser, f.dir, f.text)
}

// policyFindings judges the managed policies of the browsers. A file that can't be read
// or parsed is a finding, too: Chrome accepts more than JSON (comments), so its
// policies are not known. All policies of one source are judged together: a blocklist
// in one file may have its allowlist in another.
func (o Options) policyFindings(ps []place) []finding {
	var fs []finding
	seen := map[string]bool{}
	for _, p := range ps {
		for _, src := range o.policySources(p.Browser) {
			if seen[src.where] {
				continue
			}
			seen[src.where] = true
			policies, faults := src.read()
			b, err := json.Marshal(policies)
			if err != nil {
				b, faults = []byte("{}"), append(faults, err.Error())
			}
			for _, what := range faults {
				fs = append(fs, finding{p.Name, src.where, phrase{"unreadable", what}})
			}
			for _, what := range judgePolicy(b, o.ids()) {
				fs = append(fs, finding{p.Name, src.where, what})
			}
		}
	}
	return fs
}

// judgePolicy returns what a set of policies forbids, as phrases that follow "a
// policy". The first id is that of the unpacked extension. It is enough if one of the
// ids is allowed.
func judgePolicy(b []byte, ids []string) []phrase {
	var p policySet
	if err := json.Unmarshal(b, &p); err != nil {
		return []phrase{{"unreadable", fmt.Sprintf("can't be parsed, so Tabwright can't tell whether it is allowed: %v", err)}}
	}
	var out []phrase
	add := func(say, text string) { out = append(out, phrase{say, text}) }
	if (slices.Contains(p.NativeMessagingBlocklist, HostName) || slices.Contains(p.NativeMessagingBlocklist, "*")) && !slices.Contains(p.NativeMessagingAllowlist, HostName) {
		add("host_blocked", "forbids the native messaging host (NativeMessagingBlocklist); your administrator can put "+HostName+" on NativeMessagingAllowlist")
	}
	if p.NativeMessagingUserLevelHosts != nil && !*p.NativeMessagingUserLevelHosts {
		add("no_user_hosts", "ignores hosts that a user installed (NativeMessagingUserLevelHosts is false); your administrator can register the host for all users, or lift the policy")
	}
	allowed := slices.DeleteFunc(slices.Clone(ids), p.blocks)
	if len(allowed) == 0 {
		add("extension_blocked", "forbids the extension (ExtensionInstallBlocklist or ExtensionSettings); your administrator can allow "+ids[len(ids)-1])
	}
	if devModeOff(p) && !slices.ContainsFunc(allowed, func(id string) bool { return id != ids[0] }) {
		add("no_developer_mode", "switches developer mode off, without which no unpacked extension can be loaded")
	}
	if p.IncognitoModeAvailability != nil && *p.IncognitoModeAvailability == 2 {
		add("incognito_only", "allows incognito windows only (IncognitoModeAvailability), where an extension runs only if you allow it there")
	}
	return out
}

// devModeOff reports whether developer mode is not allowed:
// ExtensionDeveloperModeSettings is 1, or, if that is not set,
// DeveloperToolsAvailability is 2.
func devModeOff(p policySet) bool {
	if p.ExtensionDeveloperModeSettings != nil {
		return *p.ExtensionDeveloperModeSettings == 1
	}
	return p.DeveloperToolsAvailability != nil && *p.DeveloperToolsAvailability == 2
}

// blocks reports whether an extension may not be installed. Its own entry in
// ExtensionSettings decides first, then the lists that name it, then the policies for
// all extensions.
func (p policySet) blocks(id string) bool {
	switch mode := p.installationMode(id); {
	case mode != "":
		return mode == "blocked" || mode == "removed"
	case slices.Contains(p.ExtensionInstallAllowlist, id):
		return false
	case slices.Contains(p.ExtensionInstallBlocklist, id):
		return true
	}
	if mode := p.installationMode("*"); mode != "" {
		return mode == "blocked" || mode == "removed"
	}
	return slices.Contains(p.ExtensionInstallBlocklist, "*")
}

// installationMode returns the mode that ExtensionSettings has for an id, or for "*".
func (p policySet) installationMode(id string) string {
	var s struct {
		InstallationMode string `json:"installation_mode"`
	}
	if json.Unmarshal(p.ExtensionSettings[id], &s) != nil {
		return ""
	}
	return s.InstallationMode
}
