package install

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// HostName is the name of the native messaging host: what the extension asks
// Chrome for, and the name of the manifest file.
const HostName = "com.tabwright.host"

// Options says what to install and where. The zero value of a place means the
// usual one of this computer.
type Options struct {
	Binary      string // the program Chrome is to start; absolute or made so
	ExtensionID string // the id Chrome derives from the key in the extension's manifest
	Extension   fs.FS  // the built extension

	Browsers    []string // ids of Browsers(); empty means every one that is there
	UserDataDir string   // a Chromium started with --user-data-dir; alone it excludes the others

	Home       string // the user's home folder
	ConfigHome string // where browsers keep their data: $XDG_CONFIG_HOME, or ~/Library/Application Support
	DataHome   string // the extension goes to DataHome/tabwright/extension
	StateHome  string // logs; only removed, by a purge
	OS         string // a GOOS; linux and darwin are supported
	Root       string // put before /etc when policies and system manifests are read; for tests

	SocketDir  string                          // the broker's socket folder, removed by Uninstall
	StopBroker func(ctx context.Context) error // called by Uninstall before the socket goes; may be nil
	Purge      bool                            // Uninstall also removes configuration, journal and logs

	Broker BrokerProbe // asked by Doctor; may be nil
	Model  ModelProbe  // asked by Doctor; may be nil
}

// ExtensionDir is where Install puts the extension, and the folder a user
// loads.
func (o Options) ExtensionDir() string {
	return filepath.Join(o.withDefaults().DataHome, "tabwright", "extension")
}

// withDefaults completes the places from the environment. It reads the
// environment on each call rather than through a package that caches it at
// start, so that tests and long-lived callers see what is so now.
func (o Options) withDefaults() Options {
	if o.OS == "" {
		o.OS = runtime.GOOS
	}
	if o.Home == "" {
		o.Home, _ = os.UserHomeDir()
	}
	library := filepath.Join(o.Home, "Library", "Application Support")
	pick := func(field *string, env, linux, mac string) {
		switch {
		case *field != "":
		case o.OS == "darwin":
			*field = mac
		case filepath.IsAbs(os.Getenv(env)): // the specification says to disregard relative ones
			*field = os.Getenv(env)
		default:
			*field = filepath.Join(o.Home, linux)
		}
	}
	// Browsers on macOS never look at XDG variables, and on Linux Chromium does.
	pick(&o.ConfigHome, "XDG_CONFIG_HOME", ".config", library)
	pick(&o.DataHome, "XDG_DATA_HOME", ".local/share", library)
	pick(&o.StateHome, "XDG_STATE_HOME", ".local/state", library)
	return o
}

func (o Options) supported() error {
	switch o.OS {
	case "linux", "darwin":
		return nil
	case "windows":
		return &Error{
			Code:    CodeUnsupported,
			Message: "installing on Windows is not supported yet: there Chrome finds native messaging hosts through the registry",
			Hint:    `by hand: let the default value of HKCU\Software\Google\Chrome\NativeMessagingHosts\` + HostName + " be the path of the manifest",
		}
	}
	return &Error{Code: CodeUnsupported, Message: "installing on " + o.OS + " is not supported", Hint: "Linux and macOS are"}
}

// onRoot puts a system path under Root.
func (o Options) onRoot(path string) string {
	if path == "" || o.Root == "" {
		return path
	}
	return filepath.Join(o.Root, path)
}
