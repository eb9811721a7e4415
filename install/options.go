package install

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"tabwright/install/folders"
)

// HostName is the name of the native messaging host, by which the extension
// asks Chrome for it, and of the manifest file.
const HostName = "com.tabwright.host"

// Options says what to install and where. An empty folder means the usual one
// of this computer.
type Options struct {
	Binary      string   // the program that Chrome starts; a relative path is made absolute
	ExtensionID string   // the id that Chrome derives from the key in the extension's manifest
	OtherIDs    []string // ids of the same extension from elsewhere, such as the Web Store's
	StoreID     string   // its id in the Web Store; empty if it is not there
	Extension   fs.FS    // the built extension

	Browsers    []string // ids of Browsers(); empty means every browser that is there
	UserDataDir string   // of a Chromium started with --user-data-dir; without Browsers it is the only one

	Home       string // the user's home folder
	ConfigHome string // folders.Set.Config
	DataHome   string // folders.Set.Data; the extension goes to DataHome/tabwright/extension
	StateHome  string // folders.Set.State, for logs; Uninstall removes its folder with Purge
	OS         string // a GOOS; linux, darwin and windows are supported
	Root       string // prepended to /etc and /Library for policies and system manifests; for tests

	SocketDir  string                          // the broker's socket folder, removed by Uninstall
	StopBroker func(ctx context.Context) error // called by Uninstall before it removes the socket; may be nil
	Purge      bool                            // Uninstall also removes configuration, journal and logs

	TryWrite func(dir string) error // replaces writing a small file into dir; for tests

	Broker BrokerProbe // asked by Doctor; may be nil
	Model  ModelProbe  // asked by Doctor; may be nil

	registry registry // the Windows registry; tests replace it
}

// ExtensionDir returns the folder to which Install writes the extension and
// from which the user loads it.
func (o Options) ExtensionDir() string {
	return filepath.Join(o.withDefaults().DataHome, "tabwright", "extension")
}

// withDefaults completes the folders from the current environment.
func (o Options) withDefaults() Options {
	if o.OS == "" {
		o.OS = runtime.GOOS
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	at := folders.Of(o.OS, o.Home, os.Getenv)
	o.ConfigHome = cmp.Or(o.ConfigHome, at.Config)
	o.DataHome = cmp.Or(o.DataHome, at.Data)
	o.StateHome = cmp.Or(o.StateHome, at.State)
	if o.registry == nil {
		o.registry = systemRegistry()
	}
	return o
}

func (o Options) supported() error {
	switch {
	case o.OS == "linux", o.OS == "darwin", o.OS == "windows" && o.registry != nil:
		return nil
	}
	return &Error{Code: CodeUnsupported, Message: "installing on " + o.OS + " is not supported", Hint: "Linux, macOS and Windows are"}
}

// ids returns all ids that the extension may have, that of the unpacked one
// first.
func (o Options) ids() []string { return append([]string{o.ExtensionID}, o.OtherIDs...) }

// onRoot returns a system path under Root.
func (o Options) onRoot(path string) string {
	if path == "" || o.Root == "" {
		return path
	}
	return filepath.Join(o.Root, path)
}
