package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Left is a path that Uninstall did not remove, and why.
type Left struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Removal is what Uninstall removed and what it left.
type Removal struct {
	Removed []string `json:"removed"`
	Left    []Left   `json:"left,omitempty"`
	Steps   []string `json:"steps,omitempty"`
}

// Uninstall removes what Install wrote: the manifests that are ours, the
// extension's folder, and the broker's socket. Configuration, tasks and logs stay
// unless Purge is set. It goes on after an error and returns all of them.
func Uninstall(ctx context.Context, o Options) (Removal, error) {
	o = o.withDefaults()
	var r Removal
	if err := o.supported(); err != nil {
		return r, err
	}
	ps, err := o.registrations()
	if err != nil {
		return r, err
	}
	var errs []error
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	var keep map[string]string
	if len(o.Browsers) > 0 || o.UserDataDir != "" {
		keep = o.shared(ps)
	}
	for _, p := range ps {
		note(o.unregister(&r, p, keep))
	}
	// Not before: a browser that still finds the program would start another broker.
	if o.StopBroker != nil {
		if err := o.StopBroker(ctx); err != nil {
			note(fmt.Errorf("stop the broker: %w", err))
		}
	}
	if len(o.Browsers) > 0 || o.UserDataDir != "" {
		return r, errors.Join(errs...) // the others still need the extension
	}
	if o.OS == "windows" {
		note(r.tree(filepath.Join(o.DataHome, "tabwright", HostsFolder)))
	}
	note(r.tree(o.ExtensionDir()))
	note(r.tree(o.stableDir()))
	note(r.tree(o.recordPath()))
	note(r.tree(o.guidePath()))
	note(r.socketDir(o.SocketDir))
	for _, dir := range o.ownDirs() {
		if o.Purge {
			note(r.tree(dir))
			continue
		}
		if err := os.Remove(dir); err == nil {
			r.Removed = append(r.Removed, dir) // it was empty
		} else if !os.IsNotExist(err) {
			r.leave(dir, "your settings, tasks or logs; --purge removes them")
		}
	}
	if len(r.Removed) > 0 {
		r.Steps = []string{"If you loaded the extension into a browser, open chrome://extensions there and click “Remove” on Tabwright."}
	}
	return r, errors.Join(errs...)
}

// ownDirs returns the folders that have nothing but Tabwright's files.
func (o Options) ownDirs() []string {
	var dirs []string
	for _, base := range []string{o.DataHome, o.ConfigHome, o.StateHome} {
		dir := filepath.Join(base, "tabwright")
		if !slices.Contains(dirs, dir) { // on macOS all three are one, on Windows two
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// leave notes a path that stays, once: several browsers may share it.
func (r *Removal) leave(path, why string) {
	if l := (Left{path, why}); !slices.Contains(r.Left, l) {
		r.Left = append(r.Left, l)
	}
}

// manifest removes a manifest if the name in the file is ours, too.
func (r *Removal) manifest(path string) error {
	m, err := readManifest(path)
	switch {
	case os.IsNotExist(err):
		return nil
	case err != nil:
		r.leave(path, err.Error())
		return nil //nolint:nilerr // what can't be read is not ours to remove, and that is told
	case m.Name != HostName:
		r.leave(path, "its name is "+quote(m.Name)+", not ours")
		return nil
	}
	if err := os.Remove(path); err != nil {
		return wrapWrite("remove the registration", err)
	}
	r.Removed = append(r.Removed, path)
	// The folder is the browser's own; this removes it only if it is empty.
	_ = os.Remove(filepath.Dir(path))
	return nil
}

func (r *Removal) tree(path string) error {
	if _, err := os.Lstat(path); os.IsNotExist(err) {
		return nil
	}
	if err := os.RemoveAll(path); err != nil {
		return wrapWrite("remove "+path, err)
	}
	r.Removed = append(r.Removed, path)
	return nil
}

// socketDir removes the broker's folder. The environment may name it, and it is
// beside other programs' sockets, so it is removed only if it has our name or is in
// a folder of ours.
func (r *Removal) socketDir(dir string) error {
	if dir == "" {
		return nil
	}
	if !strings.HasPrefix(filepath.Base(dir), "tabwright") && filepath.Base(filepath.Dir(dir)) != "tabwright" {
		r.leave(dir, "its name does not say that it is ours")
		return nil
	}
	return r.tree(dir)
}

// Text returns the removal as the CLI prints it.
func (r Removal) Text() string {
	var b strings.Builder
	if len(r.Removed) == 0 {
		b.WriteString("Nothing of Tabwright was installed.\n")
	}
	for _, p := range r.Removed {
		fmt.Fprintf(&b, "Removed %s\n", p)
	}
	for _, l := range r.Left {
		fmt.Fprintf(&b, "Left %s: %s\n", l.Path, l.Why)
	}
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "\n%s\n", s)
	}
	return b.String()
}
