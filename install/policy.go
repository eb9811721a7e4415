package install

import (
	"encoding/json"
	"fmt"
	"slices"
)

// policySet is the part of a managed policy file that decides whether the
// extension and its host may work. See chromeenterprise.google/policies.
type policySet struct {
	NativeMessagingBlocklist        []string                   `json:"NativeMessagingBlocklist"`
	NativeMessagingAllowlist        []string                   `json:"NativeMessagingAllowlist"`
	NativeMessagingUserLevelHosts   *bool                      `json:"NativeMessagingUserLevelHosts"`
	ExtensionInstallBlocklist       []string                   `json:"ExtensionInstallBlocklist"`
	ExtensionInstallAllowlist       []string                   `json:"ExtensionInstallAllowlist"`
	ExtensionDeveloperModeSettings  *int                       `json:"ExtensionDeveloperModeSettings"`
	DeveloperToolsAvailability      *int                       `json:"DeveloperToolsAvailability"`
	IncognitoModeAvailability       *int                       `json:"IncognitoModeAvailability"`
	ExtensionSettings               map[string]json.RawMessage `json:"ExtensionSettings"`
	extensionBlockedByInstallPolicy bool
}

// finding is one policy that is in the way.
type finding struct {
	browser string
	dir     string
	phrase
}

func (f finding) sentence() string {
	return fmt.Sprintf("A policy for %s (%s) %s.", f.browser, f.dir, f.text)
}

// policyFindings reads the managed policies of the given browsers. What can't be
// read or parsed is a finding too: Chrome reads more than JSON allows (comments),
// so what it makes of a file is not known. All of one place are judged as a whole: a
// blocklist in one file may have its allowlist in another.
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
			for _, what := range judgePolicy(b, o.ExtensionID) {
				fs = append(fs, finding{p.Name, src.where, what})
			}
		}
	}
	return fs
}

// judgePolicy says what a set of policies forbids, as phrases that follow "a
// policy".
func judgePolicy(b []byte, extensionID string) []phrase {
	var p policySet
	if err := json.Unmarshal(b, &p); err != nil {
		return []phrase{{"unreadable", fmt.Sprintf("can't be parsed, so it is not known whether it allows Tabwright: %v", err)}}
	}
	var out []phrase
	add := func(say, text string) { out = append(out, phrase{say, text}) }
	forbids := func(list []string, name string) bool {
		return slices.Contains(list, name) || slices.Contains(list, "*")
	}
	if forbids(p.NativeMessagingBlocklist, HostName) && !slices.Contains(p.NativeMessagingAllowlist, HostName) {
		add("host_blocked", "forbids the native messaging host (NativeMessagingBlocklist); whoever manages this computer can put "+HostName+" on NativeMessagingAllowlist")
	}
	if p.NativeMessagingUserLevelHosts != nil && !*p.NativeMessagingUserLevelHosts {
		add("no_user_hosts", "disregards hosts that a user installed (NativeMessagingUserLevelHosts is false); the manifest would have to be in the system folder")
	}
	p.readExtensionSettings(extensionID)
	blocked := forbids(p.ExtensionInstallBlocklist, extensionID) && !slices.Contains(p.ExtensionInstallAllowlist, extensionID)
	if blocked || p.extensionBlockedByInstallPolicy {
		add("extension_blocked", "forbids the extension (ExtensionInstallBlocklist or ExtensionSettings); whoever manages this computer can allow "+extensionID)
	}
	if devModeOff(p) {
		add("no_developer_mode", "switches developer mode off, without which no unpacked extension can be loaded")
	}
	if p.IncognitoModeAvailability != nil && *p.IncognitoModeAvailability == 2 {
		add("incognito_only", "has all windows be incognito ones (IncognitoModeAvailability), where extensions do not run unless they are let in one by one")
	}
	return out
}

// devModeOff: ExtensionDeveloperModeSettings 1 disallows it; where that is
// not set, DeveloperToolsAvailability 2 does.
func devModeOff(p policySet) bool {
	if p.ExtensionDeveloperModeSettings != nil {
		return *p.ExtensionDeveloperModeSettings == 1
	}
	return p.DeveloperToolsAvailability != nil && *p.DeveloperToolsAvailability == 2
}

// readExtensionSettings takes the entry of this extension, or else of "*".
func (p *policySet) readExtensionSettings(extensionID string) {
	for _, key := range []string{extensionID, "*"} {
		raw, ok := p.ExtensionSettings[key]
		if !ok {
			continue
		}
		var s struct {
			InstallationMode string `json:"installation_mode"`
		}
		if json.Unmarshal(raw, &s) == nil && s.InstallationMode != "" {
			p.extensionBlockedByInstallPolicy = s.InstallationMode == "blocked" || s.InstallationMode == "removed"
			return
		}
	}
}
