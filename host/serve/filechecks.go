package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"tabwright/host/config"
	"tabwright/host/control"
	"tabwright/host/journal"
	"tabwright/host/native"
	"tabwright/host/native/wire"
	"tabwright/install"
)

// folders are those that Tabwright writes to.
func folders() []string {
	d := config.Dirs()
	dirs := []string{d.Config, d.Data, filepath.Join(d.Data, "audit"), filepath.Join(d.Data, "files"), ProfilesDir(), d.State}
	if socket, err := native.SocketPath(); err == nil {
		dirs = append(dirs, filepath.Dir(socket))
	}
	return dirs
}

// foldersChecks is doctor's look at the folders that Tabwright writes to.
func foldersChecks(o install.Options) []install.Check {
	var faults []install.Fault
	seen := map[string]bool{}
	for _, dir := range folders() {
		if f := folderFault(o, dir); f != nil && !seen[f.Detail] {
			seen[f.Detail] = true
			faults = append(faults, *f)
		}
	}
	checks := install.Checks(install.Check{ID: "folders", Name: "Folders", OK: true, Detail: "can be written to", Say: "ok"}, faults)
	for i := range checks {
		if len(faults) > 1 {
			checks[i].ID += "." + strconv.Itoa(i+1)
		}
	}
	return checks
}

func folderFault(o install.Options, dir string) *install.Fault {
	if uid := foreignOwner(dir); uid >= 0 {
		return &install.Fault{
			Say: "other_owner", Args: []string{dir}, Detail: fmt.Sprintf("%s belongs to user %d, as a command with sudo leaves it", dir, uid),
			Fix: "make it yours", Command: "sudo chown -R \"$(id -un)\" '" + dir + "'",
		}
	}
	var e *install.WriteError
	if !errors.As(o.Writable(dir), &e) {
		return nil
	}
	f := &install.Fault{Say: "closed", Args: []string{e.Error()}, Detail: e.Error(), Fix: "make it a folder that is yours and that you may write to"}
	switch {
	case errors.Is(e.Err, syscall.ENOSPC) || errors.Is(e.Err, errQuota):
		f.Say, f.Fix = "full", "make room on its disk"
	case errors.Is(e.Err, syscall.ENOTDIR):
		f.Say, f.Fix = "no_folder", "give the file in its place another name"
		if e.At == dir || within(e.At) {
			f.Mend = wire.FixFolders
		}
	case errors.Is(e.Err, syscall.EROFS):
		f.Say, f.Fix = "read_only_disk", "mount its disk writable, or move the folder (XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME)"
	case errors.Is(e.Err, fs.ErrPermission):
		f.Say, f.Fix, f.Command = "read_only", "give yourself the right to write to it", "chmod u+rwx '"+e.At+"'"
		if within(e.At) {
			f.Mend = wire.FixFolders
		}
	}
	return f
}

// within says that a path is of one of Tabwright's own folders.
func within(path string) bool {
	d := config.Dirs()
	for _, own := range []string{d.Config, d.Data, d.State} {
		if rel, err := filepath.Rel(own, path); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// mendFolders lets the user write to what is Tabwright's own, and sets files aside
// that stand where a folder belongs.
func mendFolders(o install.Options) error {
	for _, dir := range folders() {
		var e *install.WriteError
		if !errors.As(o.Writable(dir), &e) || e.At != dir && !within(e.At) {
			continue
		}
		var err error
		switch {
		case errors.Is(e.Err, syscall.ENOTDIR):
			_, err = install.SetAside(e.At)
		case errors.Is(e.Err, fs.ErrPermission):
			err = os.Chmod(e.At, 0o700)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func journalFile() string { return filepath.Join(config.Dirs().Data, "journal.db") }

// journalCheck is doctor's look at the record of the tasks.
func journalCheck() install.Check {
	c := install.Check{ID: "journal", Name: "Journal", OK: true, Detail: journalFile(), Say: "ok", Args: []string{journalFile()}}
	err := journal.Check(journalFile())
	if err == nil {
		return c
	}
	c.OK, c.Detail, c.Args = false, err.Error(), []string{err.Error()}
	c.Say, c.Fix = "closed", "make it a file that you may read and write"
	if errors.Is(err, journal.ErrDamaged) {
		c.Say, c.Fix = "damaged", "nothing: the next broker sets it aside and begins a new one"
		c.Mend = wire.FixJournal
	} else if st, e := os.Stat(journalFile()); e == nil && !st.Mode().IsRegular() {
		c.Say, c.Fix, c.Mend = "no_file", "give what is in its place another name", wire.FixJournal
	}
	return c
}

func mendJournal() error {
	if st, err := os.Stat(journalFile()); err == nil && !st.Mode().IsRegular() {
		_, err := install.SetAside(journalFile())
		return err
	}
	j, err := journal.Open(journalFile()) // which sets a damaged one aside
	if err != nil {
		return err
	}
	return j.Close()
}

// keysCheck is doctor's look at where the keys are.
func keysCheck() install.Check {
	h := config.CheckKeys()
	c := install.Check{ID: "keys", Name: "Keys", OK: true, Detail: string(config.InKeyring), Say: "ok"}
	switch {
	case h.Err != nil:
		c.OK, c.Detail, c.Say, c.Args = false, h.Err.Error(), "damaged", []string{h.Err.Error()}
		c.Fix, c.Mend = "give the file another name and store the keys again: tabwright key set PROVIDER", wire.FixKeys
	case h.Open:
		c.OK, c.Detail, c.Say, c.Args = false, "others may read "+h.File, "open_to_all", []string{h.File}
		c.Fix, c.Command, c.Mend = "keep them from it", "chmod 600 '"+h.File+"'", wire.FixKeys
	case !h.Ring:
		c.Warning, c.Say, c.Args = true, "no_keyring", []string{h.File}
		c.Detail = "no keyring answers; keys are kept in " + h.File + ", which only you may read"
		c.Fix = "start a keyring (GNOME Keyring, KWallet) and store the keys again, if you want them there"
	}
	return c
}

// slack is by how much a clock may be behind what was written by it.
const slack = 24 * time.Hour

// clockCheck finds a clock that was set back: certificates and grants do not hold
// then. The program's file can't be of the future.
func clockCheck(o install.Options) install.Check {
	c := install.Check{ID: "clock", Name: "Clock", OK: true, Detail: "not behind the files that Tabwright wrote", Say: "ok"}
	for _, path := range []string{o.Binary, journalFile(), AuditLog().Path()} {
		st, err := os.Stat(path)
		if err != nil || !st.ModTime().After(time.Now().Add(slack)) {
			continue
		}
		c.OK, c.Say, c.Args = false, "behind", []string{path, st.ModTime().Format(time.DateTime)}
		c.Detail = fmt.Sprintf("%s was written on %s, which this computer's clock has not reached yet", path, st.ModTime().Format(time.DateTime))
		c.Fix = "set the clock, or, if the file's time is wrong, touch the file"
		c.Command = "touch '" + path + "'"
		return c
	}
	return c
}

// profilesChecks is doctor's look at the profiles of Tabwright's own browsers.
func profilesChecks() []install.Check {
	var faults []install.Fault
	for _, lock := range deadLocks() {
		faults = append(faults, install.Fault{
			Say: "left_locked", Args: []string{filepath.Dir(lock)},
			Detail: filepath.Dir(lock) + " is locked by a browser that does not run here",
			Fix:    "remove the lock", Command: "rm '" + lock + "'", Mend: wire.FixProfiles,
		})
	}
	if len(faults) > 1 {
		faults = faults[:1] // mended together
	}
	return install.Checks(install.Check{ID: "profiles", Name: "Own profiles", OK: true, Detail: "none is locked by an ended browser", Say: "ok"}, faults)
}

// deadLocks are the locks of own profiles whose browser does not run: a link named
// SingletonLock to HOST-PROCESS.
func deadLocks() (out []string) {
	host, _ := os.Hostname()
	for _, p := range control.OwnProfiles(ProfilesDir()) {
		lock := filepath.Join(p.Path, "SingletonLock")
		to, err := os.Readlink(lock)
		if err != nil {
			continue
		}
		i := strings.LastIndex(to, "-")
		pid, err := strconv.Atoi(to[i+1:])
		if i < 0 || err != nil || to[:i] != host || !running(pid) {
			out = append(out, lock)
		}
	}
	return out
}

func mendProfiles() error {
	var errs []error
	for _, lock := range deadLocks() {
		errs = append(errs, os.Remove(lock))
	}
	return errors.Join(errs...)
}
