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

// HostName is the name of the native messaging host: what the extension asks
// Chrome for, and the name of the manifest file.
const HostName = "com.tabwright.host"

// Options says what to install and where. The zero value of a place means the
// usual one of this computer.
type Options struct {
	Binary      string   // the program Chrome is to start; absolute or made so
	ExtensionID string   // the id Chrome derives from the key in the extension's manifest
	OtherIDs    []string // ids of the same extension from elsewhere, as the Web Store's
	StoreID     string   // the one of the Web Store; empty where it is not there
	Extension   fs.FS    // the built extension

	Browsers    []string // ids of Browsers(); empty means every one that is there
	UserDataDir string   // a Chromium started with --user-data-dir; alone it excludes the others

	Home       string // the user's home folder
	ConfigHome string // folders.Set's Config
	DataHome   string // its Data; the extension goes to DataHome/tabwright/extension
	StateHome  string // its State: logs; only removed, by a purge
	OS         string // a GOOS; linux, darwin and windows are supported
	Root       string // put before /etc and /Library when policies and system manifests are read; for tests

	SocketDir  string                          // the broker's socket folder, removed by Uninstall
	StopBroker func(ctx context.Context) error // called by Uninstall before the socket goes; may be nil
	Purge      bool                            // Uninstall also removes configuration, journal and logs

	TryWrite func(dir string) error // instead of writing a small file into dir; for tests

	Broker BrokerProbe // asked by Doctor; may be nil
	Model  ModelProbe  // asked by Doctor; may be nil

	registry registry // of Windows; a test has one of its own
}

// ExtensionDir is where Install puts the extension, and the folder a user
// loads.
func (o Options) ExtensionDir() string {
	return filepath.Join(o.withDefaults().DataHome, "tabwright", "extension")
}

// withDefaults completes the places from the environment of this moment.
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

// ids are all ids that the extension may have.
func (o Options) ids() []string { return append([]string{o.ExtensionID}, o.OtherIDs...) }

// onRoot puts a system path under Root.
func (o Options) onRoot(path string) string {
	if path == "" || o.Root == "" {
		return path
	}
	return filepath.Join(o.Root, path)
}
