package control

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
	"tabwright/host/native/wire"
)

// defaultOwn is the folder of the profile named own.
const defaultOwn = "default"

var ownName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// IsOwn reports whether a profile's name is one of Tabwright's own: the host
// launches a Chromium for it, and the profile stays between runs.
func IsOwn(profile string) bool {
	return profile == wire.ProfileOwn || strings.HasPrefix(profile, wire.ProfileOwn+":")
}

// ownFolder returns the folder name of an own profile.
func ownFolder(profile string) (string, error) {
	_, name, named := strings.Cut(profile, ":")
	if !named {
		return defaultOwn, nil
	}
	if !ownName.MatchString(name) {
		return "", &wire.Error{
			Code: wire.CodeInvalidParams, Message: fmt.Sprintf("%q is no name for a profile.", name),
			Hint: "Letters, digits, - and _, at most 40.",
		}
	}
	return name, nil
}

// ownProfile returns the name of the profile in a folder.
func ownProfile(folder string) string {
	if folder == defaultOwn {
		return wire.ProfileOwn
	}
	return wire.ProfileOwn + ":" + folder
}

// share returns a session's part of the browser of an own profile, and starts the
// browser if it does not run. The caller holds sessions.opening.
func (b *Broker) share(ctx context.Context, profile string, o LaunchOptions, isolated bool) (*part, error) {
	folder, err := ownFolder(profile)
	if err != nil {
		return nil, err
	}
	if b.ProfilesDir == "" {
		return nil, &wire.Error{Code: wire.CodeNoBrowser, Message: "There is no folder for profiles.", Hint: "Use --launch."}
	}
	profile = ownProfile(folder)
	w, err := b.owns.take(profile, func() (*ownBrowser, error) {
		o.Profile = filepath.Join(b.ProfilesDir, folder)
		l, err := Launch(ctx, o)
		return &ownBrowser{launched: l, headless: o.Headless}, err
	})
	if err != nil {
		return nil, err
	}
	p := &part{Driver: w.launched, ended: w.launched.Done(), shared: !isolated, end: func() error { return b.owns.leave(profile, w) }}
	if !isolated {
		return p, nil
	}
	return p.isolate(ctx, w.launched)
}

// removeProfile removes the folder of an own profile whose browser does not run.
func (b *Broker) removeProfile(profile string) error {
	if !IsOwn(profile) {
		return &wire.Error{
			Code: wire.CodeInvalidParams, Message: fmt.Sprintf("%q is not one of Tabwright's own profiles.", profile),
			Hint: "Name one as `tabwright profiles` lists it, such as own:work. Your own browser's profiles are yours to remove.",
		}
	}
	folder, err := ownFolder(profile)
	if err != nil {
		return err
	}
	// No session begins in it meanwhile: share starts browsers under this lock.
	b.sessions.opening.Lock()
	defer b.sessions.opening.Unlock()
	if _, _, runs := b.owns.runningBrowser(ownProfile(folder)); runs {
		return &wire.Error{
			Code: wire.CodeBusy, Message: fmt.Sprintf("The browser of profile %s runs.", ownProfile(folder)),
			Hint: "Close its sessions first: `tabwright sessions` lists them.",
		}
	}
	return removeOwnProfile(b.ProfilesDir, folder)
}

// removeOwnProfile removes the folder of an own profile: its cookies, storage
// and history. The caller makes sure that no browser uses it.
func removeOwnProfile(dir, folder string) error {
	path := filepath.Join(dir, folder)
	if st, err := os.Lstat(path); dir == "" || err != nil || !st.IsDir() {
		return &wire.Error{
			Code: wire.CodeInvalidParams, Message: fmt.Sprintf("There is no profile %s.", ownProfile(folder)), Hint: "`tabwright profiles` lists them.",
		}
	}
	if err := os.RemoveAll(path); err != nil {
		return fmt.Errorf("remove profile %s: %w", ownProfile(folder), err)
	}
	return nil
}

// part is a session's part of a browser: the whole browser, one shared with other
// sessions, or an isolated context.
type part struct {
	browser.Driver
	ended  <-chan struct{}
	shared bool // with other sessions, cookies and all
	end    func() error
	once   sync.Once
	err    error
}

// isolator is a driver that can make isolated contexts.
type isolator interface {
	isolate(ctx context.Context) (browser.Driver, error)
}

func (l *Launched) isolate(ctx context.Context) (browser.Driver, error) { return l.Isolate(ctx) }

// isolate returns a context of in with its own cookies and storage. Closing that
// closes p, too.
func (p *part) isolate(ctx context.Context, in isolator) (*part, error) {
	c, err := in.isolate(ctx)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return &part{Driver: c, ended: p.ended, end: func() error { return errors.Join(c.Close(), p.Close()) }}, nil
}

// Done is closed when the browser has ended.
func (p *part) Done() <-chan struct{} { return p.ended }

// Close ends the part, and with the last part of a browser that browser.
func (p *part) Close() error {
	p.once.Do(func() { p.err = p.end() })
	return p.err
}

// OwnProfiles lists the own profiles in a folder. The one named own is always
// listed.
func OwnProfiles(dir string) []wire.ProfileInfo {
	folders := []string{defaultOwn}
	entries, _ := os.ReadDir(dir) // no folder: there is none yet
	for _, e := range entries {
		if e.IsDir() && e.Name() != defaultOwn && ownName.MatchString(e.Name()) {
			folders = append(folders, e.Name())
		}
	}
	out := make([]wire.ProfileInfo, 0, len(folders))
	for _, f := range folders {
		out = append(out, wire.ProfileInfo{Profile: ownProfile(f), Kind: wire.ProfileOwn, Path: filepath.Join(dir, f)})
	}
	return out
}

// profiles lists the browser profiles that sessions can work in.
func (b *Broker) profiles(ctx context.Context) wire.ProfileList {
	var out wire.ProfileList
	b.mu.Lock()
	last := b.last
	b.mu.Unlock()
	used := map[string]int{}
	for _, s := range b.sessions.list(nil) {
		used[s.Profile]++
	}
	for _, r := range b.status(ctx).Relays {
		out.Profiles = append(out.Profiles, wire.ProfileInfo{
			Profile: r.Profile, Kind: wire.ProfileChrome, Browser: &r.Browser, Running: true, Last: r.Profile == last, Sessions: used[r.Profile],
		})
	}
	sort.SliceStable(out.Profiles, func(i, j int) bool { return out.Profiles[i].Last && !out.Profiles[j].Last })
	for _, p := range OwnProfiles(b.ProfilesDir) {
		p.Headless, p.Sessions, p.Running = b.owns.runningBrowser(p.Profile)
		out.Profiles = append(out.Profiles, p)
	}
	return out
}

// directDriver makes isolated contexts in a browser joined by its address.
type directDriver struct{ *direct.Driver }

func (d directDriver) isolate(ctx context.Context) (browser.Driver, error) { return d.Isolate(ctx) }
