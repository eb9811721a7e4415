//go:build linux

package cli

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"tabwright/host/serve"
	"tabwright/install"
)

// injected is one fault, put into a computer on which all is well.
type injected struct {
	fault string // as docs/troubleshooting.md says it
	code  string
	// who says who has to mend it, where --fix can't: the user, the administrator,
	// or whoever sets what the process finds (a variable, a display).
	who    string
	also   string // other codes that follow from it, separated by spaces
	cures  bool   // the command of the advice mends it
	inject func(c *computer)
}

const (
	user  = "you"
	admin = "an administrator"
)

func relay(change func(r *install.Relay)) func(c *computer) {
	return func(c *computer) { c.relays(func(f *fakeRelays) { change(&f.relays[0]) }) }
}

func origins(list ...string) func(c *computer) {
	return func(c *computer) {
		var all []string
		for _, o := range list {
			all = append(all, strings.ReplaceAll(o, "ID", c.id))
		}
		c.edit("allowed_origins", all)
	}
}

func policy(json string) func(c *computer) { return func(c *computer) { c.policy(json) } }

func settings(text string) func(c *computer) {
	return func(c *computer) { c.settings(text + "base_url: " + c.ollama.URL + "\nmodel: qwen3:8b\n") }
}

func manifestIs(content string) func(c *computer) {
	return func(c *computer) { put(c.T, c.manifest(), content) }
}

func replaced(path string, with func(string) error) func(c *computer) {
	return func(c *computer) { c.replace(c.path(path), with) }
}

func variable(name, value string) func(c *computer) {
	return func(c *computer) { c.Setenv(name, value) }
}

// writeFails has writing into Tabwright's folders fail, as only rights that root has
// not would make it.
func writeFails(err error) func(c *computer) {
	return func(c *computer) {
		c.adjust(func(o *install.Options) {
			o.TryWrite = func(dir string) error {
				st, e := os.Stat(dir)
				if e == nil && strings.HasSuffix(dir, "tabwright") && (!errors.Is(err, os.ErrPermission) || st.Mode().Perm()&0o200 == 0) {
					return &os.PathError{Op: "write", Path: dir, Err: err}
				}
				return nil
			}
		})
	}
}

// elfFor is the header of a program of another processor.
func elfFor(c *computer, path string) {
	self, err := os.Executable()
	c.must(err)
	f, err := os.Open(self)
	c.must(err)
	defer f.Close()
	head := make([]byte, 64)
	_, err = f.Read(head)
	c.must(err)
	head[18], head[19] = 0xf3, 0 // RISC-V
	clear(head[40:48])           // no sections
	clear(head[32:40])           // no segments
	clear(head[54:64])
	put(c.T, path, string(head))
	c.must(os.Chmod(path, 0o755)) //nolint:gosec // a program
}

const hosts = "config/google-chrome/NativeMessagingHosts"

// faults are all that are injected, one at a time.
var faults = []injected{
	// The program.
	{fault: "the program was deleted", code: "binary.gone", who: user, also: "manifest.program_gone", inject: func(c *computer) { c.must(os.Remove(c.path("bin/tabwright"))) }},
	{fault: "the program is not executable", code: "binary.not_executable", also: "manifest.program_not_executable", cures: true, inject: func(c *computer) { c.must(os.Chmod(c.path("bin/tabwright"), 0o600)) }},
	{fault: "anybody may overwrite the program", code: "binary.open_to_all", cures: true, inject: func(c *computer) { c.must(os.Chmod(c.path("bin/tabwright"), 0o777)) }}, //nolint:gosec // the fault
	{fault: "the program is for another processor", code: "binary.wrong_machine", who: user, also: "manifest.program_wrong_machine", inject: func(c *computer) { elfFor(c, c.path("bin/tabwright")) }},
	{fault: "the program's file is incomplete", code: "binary.no_program", who: user, also: "manifest.program_no_program", inject: func(c *computer) { c.must(os.Truncate(c.path("bin/tabwright"), 1)) }},

	{fault: "the program can't find its own path", code: "binary.no_path", who: user, inject: func(c *computer) { c.adjust(func(o *install.Options) { o.Binary = "" }) }},

	// The extension's folder.
	{fault: "the extension's folder was deleted", code: "extension.missing", cures: true, inject: func(c *computer) { c.must(os.RemoveAll(c.extension())) }},
	{fault: "a file of the extension is missing", code: "extension.differs", cures: true, inject: func(c *computer) { c.must(os.Remove(filepath.Join(c.extension(), "panel.js"))) }},
	{fault: "a file of the extension was edited", code: "extension.differs", cures: true, inject: func(c *computer) { put(c.T, filepath.Join(c.extension(), "relay.js"), "// edited") }},
	{fault: "a file was added to the extension", code: "extension.differs", cures: true, inject: func(c *computer) { put(c.T, filepath.Join(c.extension(), "more.js"), "// more") }},
	{fault: "the extension is older than the program", code: "extension.other_version", cures: true, inject: func(c *computer) { c.version = "1.3.0" }},
	{fault: "the program is older than the extension", code: "extension.other_version", cures: true, inject: func(c *computer) { c.version = "1.0.0" }},
	{fault: "the extension has another id", code: "extension.other_id", cures: true, inject: func(c *computer) {
		put(c.T, filepath.Join(c.extension(), "manifest.json"), `{"version":"1.2.3","key":"AAAA"}`)
	}},
	{fault: "the extension's manifest is not valid JSON", code: "extension.unreadable", cures: true, inject: func(c *computer) { put(c.T, filepath.Join(c.extension(), "manifest.json"), "{") }},
	{fault: "the extension's manifest can't be read", code: "extension.unreadable", cures: true, inject: func(c *computer) { c.replace(filepath.Join(c.extension(), "manifest.json"), aLoop) }},
	{fault: "a file is in the place of the extension's folder", code: "extension.unreadable", cures: true, inject: func(c *computer) { c.replace(c.extension(), aFile) }},

	// The registration.
	{fault: "the registration is missing", code: "manifest.missing", cures: true, inject: func(c *computer) { c.must(os.Remove(c.manifest())) }},
	{fault: "the registration is not valid JSON", code: "manifest.bad_json", cures: true, inject: manifestIs("{")},
	{fault: "the registration is empty", code: "manifest.bad_json", cures: true, inject: manifestIs("")},
	{fault: "the registration begins with a byte order mark", code: "manifest.byte_order_mark", cures: true, inject: manifestIs("\xef\xbb\xbf{}")},
	{fault: "the registration has another name", code: "manifest.wrong_name", cures: true, inject: func(c *computer) { c.edit("name", "com.other") }},
	{fault: "the registration has another type", code: "manifest.wrong_type", cures: true, inject: func(c *computer) { c.edit("type", "socket") }},
	{fault: "the registration names no program", code: "manifest.no_program", cures: true, inject: func(c *computer) { c.edit("path", "") }},
	{fault: "the registration names the program by a relative path", code: "manifest.relative_path", cures: true, inject: func(c *computer) { c.edit("path", "bin/tabwright") }},
	{fault: "the program was moved", code: "manifest.program_gone", cures: true, inject: func(c *computer) { c.edit("path", "/gone/tabwright") }},
	{fault: "the registration names a folder", code: "manifest.program_no_file", cures: true, inject: func(c *computer) { c.edit("path", c.dir) }},
	{fault: "the registration names another program", code: "manifest.other_program", cures: true, inject: func(c *computer) {
		c.script("old/tabwright", "")
		c.edit("path", c.path("old/tabwright"))
	}},
	{fault: "the registration names a program for another processor", code: "manifest.program_wrong_machine", cures: true, inject: func(c *computer) {
		elfFor(c, c.path("old/tabwright"))
		c.edit("path", c.path("old/tabwright"))
	}},
	{fault: "the registration allows another extension", code: "manifest.wrong_id", cures: true, inject: origins("chrome-extension://aaaabbbbccccddddeeeeffffgggghhhh/")},
	{fault: "the registration allows no extension", code: "manifest.wrong_id", cures: true, inject: origins()},
	{fault: "the extension's origin in the registration lacks its final slash", code: "manifest.origin_no_slash", cures: true, inject: origins("chrome-extension://ID")},
	{fault: "the extension's origin in the registration is a wildcard", code: "manifest.origin_wildcard", cures: true, inject: origins("chrome-extension://*/")},
	{fault: "the registration can't be read", code: "manifest.unreadable", cures: true, inject: replaced(hosts+"/"+install.HostName+".json", aLoop)},
	{fault: "a folder is in the place of the registration", code: "manifest.unreadable", cures: true, inject: replaced(hosts+"/"+install.HostName+".json", aFolder)},
	{fault: "a file is in the place of the folder of registrations", code: "manifest.unreadable", cures: true, inject: replaced(hosts, aFile)},
	{fault: "another program is registered for the extension", code: "duplicates.second_host", who: user, cures: true, inject: func(c *computer) {
		put(c.T, c.path(hosts+"/com.copy.json"), `{"name":"com.copy","path":"/x","allowed_origins":["chrome-extension://`+c.id+`/"]}`)
	}},
	{fault: "a copy of the registration has another file name", code: "duplicates.stray", cures: true, inject: func(c *computer) { put(c.T, c.path(hosts+"/copy.json"), `{"name":"`+install.HostName+`"}`) }},
	{fault: "an older copy is registered for everybody on the computer", code: "duplicates.system_copy", who: admin, cures: true, inject: func(c *computer) {
		put(c.T, c.path("root/etc/opt/chrome/native-messaging-hosts/"+install.HostName+".json"), `{"name":"`+install.HostName+`","path":"/opt/old/tabwright"}`)
	}},

	// The browser.
	{fault: "no browser is found", code: "browsers.none", who: user, inject: func(c *computer) { c.must(os.RemoveAll(c.path("config/google-chrome"))) }},
	{fault: "a policy forbids the program", code: "policies.host_blocked", who: admin, inject: policy(`{"NativeMessagingBlocklist":["*"]}`)},
	{fault: "a policy ignores what users register", code: "policies.no_user_hosts", who: admin, inject: policy(`{"NativeMessagingUserLevelHosts":false}`)},
	{fault: "a policy forbids the extension", code: "policies.extension_blocked", who: admin, inject: policy(`{"ExtensionInstallBlocklist":["*"]}`)},
	{fault: "a policy blocks all extensions by default", code: "policies.extension_blocked", who: admin, inject: policy(`{"ExtensionSettings":{"*":{"installation_mode":"blocked"}}}`)},
	{fault: "a policy switches developer mode off", code: "policies.no_developer_mode", who: admin, inject: policy(`{"ExtensionDeveloperModeSettings":1}`)},
	{fault: "a policy makes all windows incognito", code: "policies.incognito_only", who: admin, inject: policy(`{"IncognitoModeAvailability":2}`)},
	{fault: "a file of policies is not valid JSON", code: "policies.unreadable", who: admin, inject: policy(`{"a":`)},
	{fault: "a browser is a snap", code: "confined.snap", who: user, inject: func(c *computer) { c.must(os.MkdirAll(c.path("home/snap/chromium/common/chromium"), 0o700)) }},
	{fault: "a browser is a Flatpak", code: "confined.flatpak", who: user, inject: func(c *computer) { c.must(os.MkdirAll(c.path("home/.var/app/com.google.Chrome"), 0o700)) }},
	{fault: "the browser is too old", code: "version.too_old", who: user, inject: func(c *computer) { put(c.T, c.path("config/google-chrome/Last Version"), "120.0.1") }},
	{fault: "the browser has no side panel", code: "version.no_side_panel", who: user, inject: func(c *computer) { put(c.T, c.path("config/google-chrome/Last Version"), "109.0.1") }},
	{fault: "the extension is loaded in no profile", code: "loaded.none", who: user, inject: func(c *computer) { c.must(os.RemoveAll(c.path("config/google-chrome/Default"))) }},
	{fault: "the extension is loaded from another folder", code: "loaded.other_folder", who: user, inject: func(c *computer) { c.loaded(map[string]any{"path": "/home/me/src/dist"}) }},
	{fault: "the extension is switched off", code: "loaded.off", who: user, inject: func(c *computer) { c.loaded(map[string]any{"path": c.extension(), "disable_reasons": []int{1}}) }},
	{fault: "the extension is switched off by a policy", code: "loaded.off_by_policy", who: admin, inject: func(c *computer) { c.loaded(map[string]any{"path": c.extension(), "disable_reasons": []int{1 << 16}}) }},
	{fault: "the extension is off because developer mode is off", code: "loaded.off_by_developer_mode", who: user, inject: func(c *computer) { c.loaded(map[string]any{"path": c.extension(), "disable_reasons": 1 << 24}) }},
	{fault: "the browser considers the extension damaged", code: "loaded.off_damaged", who: user, inject: func(c *computer) { c.loaded(map[string]any{"path": c.extension(), "disable_reasons": []int{1 << 10}}) }},
	{fault: "no browser is connected", code: "relay.none", who: user, inject: func(c *computer) { c.relays(func(f *fakeRelays) { f.relays = nil }) }},
	{fault: "the browser runs an extension with another id", code: "relay.other_id", who: user, inject: relay(func(r *install.Relay) { r.ExtensionID = "other" })},
	{fault: "the browser started another copy of the program", code: "relay.other_copy", who: user, inject: relay(func(r *install.Relay) { r.ShimPath = "/opt/old/tabwright" })},
	{fault: "the browser still runs an old version of the extension", code: "relay.other_version", inject: relay(func(r *install.Relay) { r.ExtensionVersion = "1.0.0" })},
	{fault: "the extension does not answer", code: "relay.silent", who: user, inject: relay(func(r *install.Relay) { r.PingErr = errors.New("no answer") })},
	{fault: "another debugger is attached", code: "relay.no_attach", who: user, inject: func(c *computer) {
		c.relays(func(f *fakeRelays) { f.attachErr = errors.New("Another debugger is already attached") })
	}},

	// The broker.
	{fault: "the running broker is another copy of the program", code: "broker.other_copy", inject: func(c *computer) { c.relays(func(f *fakeRelays) { f.binary = "/opt/old/tabwright" }) }},
	{fault: "the broker has another version", code: "broker.other_version", inject: func(c *computer) { c.relays(func(f *fakeRelays) { f.version = "1.0.0" }) }},
	{fault: "a broker has ended and left its socket behind", code: "broker.left_over", inject: func(c *computer) {
		c.must(os.MkdirAll(filepath.Dir(c.socket()), 0o700))
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: c.socket(), Net: "unix"})
		c.must(err)
		l.SetUnlinkOnClose(false)
		c.must(l.Close())
	}},
	{fault: "a file is in the place of the socket", code: "broker.no_socket", inject: func(c *computer) { c.replace(c.socket(), aFile) }},
	{fault: "the broker hangs", code: "broker.hangs", cures: true, inject: func(c *computer) { c.hold("socket") }},
	{fault: "a process holds the broker's lock", code: "broker.lock_held", cures: true, inject: func(c *computer) { c.hold("lock") }},
	{fault: "other users may write to the socket's folder", code: "broker.open_folder", cures: true, inject: func(c *computer) {
		c.must(os.MkdirAll(filepath.Dir(c.socket()), 0o700))
		c.must(os.Chmod(filepath.Dir(c.socket()), 0o777)) //nolint:gosec // the fault
	}},
	{fault: "the socket's folder belongs to another user", code: "broker.other_owner", who: admin, also: "folders.other_owner", cures: true, inject: func(c *computer) {
		c.must(os.MkdirAll(filepath.Dir(c.socket()), 0o700))
		c.foreign(filepath.Dir(c.socket()))
	}},
	{fault: "the socket's path is too long", code: "broker.path_too_long", who: user, inject: func(c *computer) { c.Setenv("TABWRIGHT_SOCKET", c.path(strings.Repeat("x", 120)+"/b.sock")) }},

	// Files and folders.
	{fault: "the settings are not valid YAML", code: "settings.syntax", cures: true, also: "model.other_address model.no_ollama model.unreachable", inject: func(c *computer) { c.settings("\"model: [") }},
	{fault: "the settings file has a setting with an unknown name", code: "settings.unknown_setting", cures: true, inject: settings("modle: x\n")},
	{fault: "a setting has a value of the wrong type", code: "settings.fault", cures: true, inject: settings("budgets:\n  steps: many\n")},
	{fault: "the settings can't be read", code: "settings.unreadable", cures: true, also: "model.no_ollama", inject: replaced("config/tabwright/config.yaml", aLoop)},
	{fault: "a folder is in the place of the settings", code: "settings.unreadable", cures: true, also: "model.no_ollama", inject: replaced("config/tabwright/config.yaml", aFolder)},
	{fault: "a variable names an unknown setting", code: "settings.elsewhere", who: user, inject: variable("TABWRIGHT_"+"MODLE", "x")},
	{fault: "the disk is full", code: "folders.full", who: user, inject: writeFails(syscall.ENOSPC)},
	{fault: "the disk is mounted read-only", code: "folders.read_only_disk", who: admin, inject: writeFails(syscall.EROFS)},
	{fault: "the folder of the settings is read-only", code: "folders.read_only", cures: true, inject: func(c *computer) {
		c.must(os.Chmod(c.path("config/tabwright"), 0o500)) //nolint:gosec // the fault
		writeFails(syscall.EACCES)(c)
	}},
	{fault: "Tabwright can't write to the folder of the logs", code: "folders.no_folder", inject: replaced("state/tabwright", aFile)},
	{fault: "a folder belongs to root, for example after sudo", code: "folders.other_owner", who: admin, cures: true, inject: func(c *computer) {
		c.must(os.MkdirAll(c.path("state/tabwright"), 0o700))
		c.foreign(c.path("state/tabwright"))
	}},
	{fault: "the journal is damaged", code: "journal.damaged", inject: func(c *computer) { put(c.T, c.path("data/tabwright/journal.db"), strings.Repeat("x", 8192)) }},
	{fault: "a folder is in the place of the journal", code: "journal.no_file", inject: replaced("data/tabwright/journal.db", aFolder)},
	{fault: "other users may read the keys", code: "keys.open_to_all", cures: true, inject: func(c *computer) {
		c.keys(`{"openai":"sk-x"}`)
		c.must(os.Chmod(c.path("config/tabwright/keys.json"), 0o644)) //nolint:gosec // the fault
	}},
	{fault: "the file of the keys is damaged", code: "keys.damaged", inject: func(c *computer) { c.keys("{") }, also: "model.error"},
	{fault: "a folder is in the place of the keys", code: "keys.damaged", also: "model.error", inject: replaced("config/tabwright/keys.json", aFolder)},
	{fault: "no keyring answers", code: "keys.no_keyring", who: user, inject: func(*computer) { keyring.MockInitWithError(errors.New("no session bus")) }},
	{fault: "the policy file can't be read", code: "policy.fault", who: user, inject: func(c *computer) { put(c.T, c.path("config/tabwright/policy.yaml"), "preset: [") }},
	{fault: "a line of the audit log was changed", code: "audit.fault", who: user, inject: func(c *computer) { put(c.T, c.path("data/tabwright/audit/audit.log"), "{\"n\":1}\n") }},
	{fault: "the clock was set back", code: "clock.behind", who: user, cures: true, inject: func(c *computer) {
		later := time.Now().Add(72 * time.Hour)
		c.must(os.Chtimes(c.path("bin/tabwright"), later, later))
	}},

	// The model.
	{fault: "Ollama is not installed", code: "model.no_ollama", who: user, inject: func(c *computer) { c.ollama.Close() }},
	{fault: "Ollama does not run", code: "model.not_running", who: user, inject: func(c *computer) {
		c.script("path/ollama", "")
		c.ollama.Close()
	}},
	{fault: "Ollama uses another port", code: "model.other_address", cures: true, inject: func(c *computer) {
		c.Setenv("OLLAMA_HOST", c.ollama.URL)
		c.settings("model: qwen3:8b\nbase_url: http://127.0.0.1:9\n")
	}},
	{fault: "OLLAMA_HOST has an unknown scheme", code: "model.bad_address", who: user, inject: func(c *computer) {
		c.Setenv("OLLAMA_HOST", "tcp://127.0.0.1:11434")
		c.settings("model: qwen3:8b\n")
	}},
	{fault: "Ollama on another computer does not answer", code: "model.unreachable", who: user, inject: func(c *computer) { c.settings("model: qwen3:8b\nbase_url: http://ollama.invalid:11434\n") }},
	{fault: "the server has no model", code: "model.empty", who: user, cures: true, inject: func(c *computer) { c.ollama.models = nil; c.settings("base_url: " + c.ollama.URL + "\n") }},
	{fault: "the model is not downloaded", code: "model.not_offered", who: user, cures: true, inject: func(c *computer) { c.settings("model: llama9:70b\nbase_url: " + c.ollama.URL + "\n") }},
	{fault: "the model can't call tools", code: "model.no_tools", who: user, inject: func(c *computer) {
		c.ollama.models = []string{"plain:8b"}
		c.settings("model: plain:8b\nbase_url: " + c.ollama.URL + "\n")
	}},
	{fault: "the model is only for embeddings", code: "model.unfit", cures: true, inject: func(c *computer) {
		c.ollama.models = append(c.ollama.models, "nomic-embed:1b")
		c.settings("model: nomic-embed:1b\nbase_url: " + c.ollama.URL + "\n")
	}},
	{fault: "the provider's key is missing", code: "model.no_key", who: user, cures: true, inject: func(c *computer) {
		c.settings("provider: openai\nmodel: gpt-x\nbase_url: " + openServer(c.T, "/v1", "sk-good-key-of-tests") + "/v1\n")
	}},
	{fault: "the provider rejects the key", code: "model.key_rejected", who: user, cures: true, inject: func(c *computer) {
		c.must(keyring.Set("tabwright", "openai", "sk-bad"))
		c.settings("provider: openai\nmodel: gpt-x\nbase_url: " + openServer(c.T, "/v1", "sk-good-key-of-tests") + "/v1\n")
	}},
	{fault: "the address lacks /v1", code: "model.other_address", cures: true, inject: func(c *computer) {
		c.settings("provider: custom\nmodel: gpt-x\nbase_url: " + openServer(c.T, "/v1", "") + "\n")
	}},
	{fault: "the address has /v1 twice", code: "model.other_address", cures: true, inject: func(c *computer) {
		c.settings("provider: custom\nmodel: gpt-x\nbase_url: " + openServer(c.T, "", "") + "/v1\n")
	}},
	{fault: "a proxy blocks the model server", code: "model.proxy", who: user, inject: func(c *computer) { c.behindProxy() }},

	// What is launched.
	{fault: "no Chromium is found", code: "chromium.none", who: user, inject: func(c *computer) { c.Setenv("PATH", c.path("empty")) }},
	{fault: "the setting browser names no program", code: "chromium.wrong_setting", who: user, inject: settings("browser: /gone/chromium\n")},
	{fault: "the Chromium to launch is too old", code: "chromium.too_old", who: user, inject: func(c *computer) { c.script("path/chromium", `echo "Chromium 109.0.1"`) }},
	{fault: "there is no display", code: "display.none", who: user, inject: variable("DISPLAY", "")},
	{fault: "Tabwright runs as root", code: "sandbox.root", who: user, inject: func(*computer) { serve.UserID = func() int { return 0 } }},
	{fault: "the kernel does not allow user namespaces", code: "sandbox.namespaces", who: admin, inject: func(c *computer) { put(c.T, c.path("kernel/kernel/unprivileged_userns_clone"), "0\n") }},
	{fault: "a profile of Tabwright is locked by a browser that crashed", code: "profiles.left_locked", cures: true, inject: func(c *computer) {
		host, err := os.Hostname()
		c.must(err)
		c.must(os.MkdirAll(c.path("data/tabwright/profiles/default"), 0o700))
		c.must(os.Symlink(host+"-4194301", c.path("data/tabwright/profiles/default/SingletonLock")))
	}},
}

// foreign gives a folder to another user, which only root can.
func (c *computer) foreign(dir string) {
	c.Helper()
	if os.Getuid() != 0 {
		c.Skip("only root can give a folder to another user")
	}
	c.must(os.Chown(dir, 65534, 65534))
}

// behindProxy sets a proxy that answers nothing; what is asked has a name that is
// not of the loopback, as Go asks no proxy for that.
func (c *computer) behindProxy() {
	addrs, err := net.InterfaceAddrs()
	c.must(err)
	i := slices.IndexFunc(addrs, func(a net.Addr) bool {
		ip, ok := a.(*net.IPNet)
		return ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil
	})
	if i < 0 {
		c.Skip("this computer has no address but the loopback")
	}
	l, err := net.Listen("tcp", net.JoinHostPort(addrs[i].(*net.IPNet).IP.String(), "0"))
	c.must(err)
	server := &httptest.Server{Listener: l, Config: &http.Server{Handler: c.ollama, ReadHeaderTimeout: time.Second}}
	server.Start()
	c.Cleanup(server.Close)
	c.Setenv("HTTP_PROXY", "http://127.0.0.1:9")
	c.settings("model: qwen3:8b\nbase_url: " + server.URL + "\n")
}

func TestEachFault(t *testing.T) {
	rows := make([]string, len(faults))
	named, able, mended := 0, 0, 0
	before, _ := newComputer(t).doctor()
	for i, f := range faults {
		t.Run(strings.ReplaceAll(f.fault, " ", "_"), func(t *testing.T) {
			c := newComputer(t)
			if _, ok := before[f.code]; ok {
				t.Fatalf("%s is found where all is well", f.code)
			}
			f.inject(c)
			found, _ := c.doctor()
			k, ok := found[f.code]
			if !ok {
				t.Fatalf("not named: %v", found)
			}
			for code, other := range found {
				if _, was := before[code]; !was && code != f.code && other.State == "fail" && !slices.Contains(strings.Fields(f.also), code) {
					t.Errorf("%s is blamed, too: %s", code, other.Detail)
				}
			}
			if k.Advice == "" {
				t.Error("no advice")
			}
			wordsInChinese(t, f.code)
			if k.Fixable != (f.who == "") {
				t.Errorf("--fix can mend it: %v", k.Fixable)
			}
			command := k.Command
			after, r := c.doctor("--fix")
			if _, still := after[f.code]; still == k.Fixable {
				t.Errorf("after --fix it is there: %v; %+v", still, r.Fixes)
			} else if k.Fixable {
				again, _ := c.doctor()
				for code, other := range again {
					if other.State == "fail" && !slices.Contains(strings.Fields(f.also), code) {
						t.Errorf("%s is left: %s", code, other.Detail)
					}
				}
				mended++
			}
			named++
			if f.who == "" {
				able++
			}
			if f.cures && command == "" {
				t.Error("it has no command")
			}
			row := "by `tabwright doctor --fix`"
			if f.who != "" {
				row = "by " + f.who
			}
			rows[i] = fmt.Sprintf("| %s | `%s` | %s |", f.fault, f.code, row)
		})
		t.Run("advice_on_"+strings.ReplaceAll(f.fault, " ", "_"), func(t *testing.T) {
			c := newComputer(t)
			f.inject(c)
			found, _ := c.doctor()
			line := found[f.code].Command
			if line == "" {
				t.Skip("the advice is no command")
			}
			if err := c.does(line); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			k, still := checkReport{}, f.cures
			for until := time.Now().Add(10 * time.Second); still && time.Now().Before(until); { // a process takes a while to end
				now, _ := c.doctor()
				k, still = now[f.code]
			}
			if still {
				t.Errorf("%s leaves it: %s", line, k.Detail)
			}
		})
	}
	t.Logf("%d faults, %d named; %d of %d that can be mended without anybody were", len(faults), named, mended, able)
	if t.Failed() || slices.Contains(rows, "") {
		return // one was skipped, or failed
	}
	if len(faults) < 60 || mended*100 < able*95 {
		t.Error("too few")
	}
	faultTable(t, rows)
}

// wordsInChinese checks that the panel has Chinese words for a code.
func wordsInChinese(t *testing.T, code string) {
	t.Helper()
	raw, err := os.ReadFile("../../extension/src/panel/words/doctor.ts")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), `"`+code+`":`) {
		t.Errorf("the panel has no Chinese words for %s", code)
	}
}

// faultTable holds the table of docs/troubleshooting.md against what was measured.
func faultTable(t *testing.T, rows []string) {
	t.Helper()
	const path, begin, end = "../../docs/troubleshooting.md", "<!-- faults -->\n", "<!-- /faults -->"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(raw), begin)
	is, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the table")
	}
	want := "| what is wrong | code | repaired |\n|---|---|---|\n" + strings.Join(rows, "\n") + "\n"
	if is == want {
		return
	}
	if !*update {
		t.Errorf("%s is not current; go test ./host/cli -run EachFault -update", path)
		return
	}
	if err := os.WriteFile(path, []byte(head+begin+want+end+tail), 0o644); err != nil { //nolint:gosec // a page of the documents
		t.Fatal(err)
	}
}
