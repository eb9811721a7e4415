package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// On Linux and macOS a browser finds a native messaging host by a manifest in a folder. On Windows
// it reads the manifest's path from the registry, and one file serves all browsers.

// families returns the families whose registry keys a browser reads.
func (p place) families() []Family {
	if p.ID == customID { // it is not known which browser it is
		return []Family{google, chromium, microsoft}
	}
	return []Family{p.Family}
}

// own returns where our registration with a browser is: the path of a manifest, or on Windows keys
// whose default value is that path.
func (o Options) own(p place) []string {
	if o.OS != "windows" {
		return []string{manifestPath(filepath.Join(p.dir, HostsFolder))}
	}
	var keys []string
	for _, f := range p.families() {
		keys = append(keys, `HKCU\`+f.Key+`\`+HostsFolder+`\`+HostName)
	}
	return keys
}

// manifestAt returns the path of the manifest for an entry of own or hosts.
func (o Options) manifestAt(where string) (string, error) {
	if o.OS != "windows" {
		return where, nil
	}
	values, err := o.registry.Values(where)
	if err != nil {
		return "", err
	}
	path, _ := values[""].(string)
	if path == "" {
		return "", errors.New("it names no file")
	}
	return path, nil
}

// readOwn reads the manifest of a registration. The error is fs.ErrNotExist if there is no
// registration.
func (o Options) readOwn(where string) (hostManifest, error) {
	path, err := o.manifestAt(where)
	if err != nil {
		return hostManifest{}, err
	}
	m, err := readManifest(path)
	if o.OS == "windows" && errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("it names %s, which does not exist", path)
	}
	return m, err
}

// register registers binary with the browser, and returns the manifest's path.
func (o Options) register(p place, binary string) (string, error) {
	if o.OS != "windows" {
		return WriteManifest(p.dir, binary, o.ids()...)
	}
	path, err := WriteManifest(filepath.Join(o.DataHome, "tabwright"), binary, o.ids()...)
	if err != nil {
		return "", err
	}
	for _, key := range o.own(p) {
		if err := o.registry.SetDefault(key, path); err != nil {
			return "", err
		}
	}
	return path, nil
}

// registration is one host as a browser finds it, ours or another program's.
type registration struct {
	where  string // its manifest, or the key
	ours   bool   // the name by which the browser looks it up is ours
	system bool   // for all users
	m      hostManifest
}

// hosts returns the registrations that a browser reads. It leaves out those that can't be read: our
// own is checked by doctorRegistration.
func (o Options) hosts(p place) []registration {
	var out []registration
	add := func(where, host string, system bool) {
		path, err := o.manifestAt(where)
		if err != nil {
			return
		}
		if m, err := readManifest(path); err == nil {
			out = append(out, registration{where, host == HostName, system, m})
		}
	}
	if o.OS == "windows" {
		for _, f := range p.families() {
			// In the browser's order: the user's, then those for all users, the 32-bit view first.
			for _, key := range []string{`HKCU\` + f.Key, `HKLM\Software\WOW6432Node` + strings.TrimPrefix(f.Key, "Software"), `HKLM\` + f.Key} {
				base := key + `\` + HostsFolder
				names, _ := o.registry.Subkeys(base)
				for _, name := range names {
					add(base+`\`+name, name, strings.HasPrefix(key, "HKLM"))
				}
			}
		}
		return out
	}
	system := o.onRoot(map[string]string{"linux": p.LinuxHosts, "darwin": p.MacHosts}[o.OS])
	own := filepath.Join(p.dir, HostsFolder)
	for _, dir := range []string{own, system} {
		if dir == "" || (dir == own && !p.found) {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		for _, f := range files {
			add(f, strings.TrimSuffix(filepath.Base(f), ".json"), dir == system)
		}
	}
	return out
}

// unregister removes our registration with a browser, except for keys in keep, which another
// browser reads too.
func (o Options) unregister(r *Removal, p place, keep map[string]string) error {
	if o.OS != "windows" {
		return r.manifest(o.own(p)[0])
	}
	for _, key := range o.own(p) {
		m, err := o.readOwn(key)
		switch path, pathErr := o.manifestAt(key); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case keep[key] != "":
			r.leave(key, keep[key]+" reads it too")
			continue
		case err != nil && (pathErr != nil || !missing(path)):
			r.leave(key, err.Error())
			continue
		case err == nil && m.Name != HostName:
			r.leave(key, "its manifest has the name "+quote(m.Name)+", not ours")
			continue
		}
		if err := o.registry.Delete(key); err != nil {
			return fmt.Errorf("remove %s: %w", key, err)
		}
		r.Removed = append(r.Removed, key)
	}
	return nil
}

func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// shared returns the registrations that other browsers than ps read, with the name of one: on
// Windows most browsers read Chrome's key.
func (o Options) shared(ps []place) map[string]string {
	all := o
	all.Browsers, all.UserDataDir = nil, ""
	others, _ := all.places()
	out := map[string]string{}
	named := map[string]bool{}
	for _, p := range ps {
		named[p.ID] = true
	}
	for _, p := range others {
		if p.found && !named[p.ID] {
			for _, where := range o.own(p) {
				out[where] = p.Name
			}
		}
	}
	return out
}
