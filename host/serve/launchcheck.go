package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"tabwright/host/browser/launch"
	"tabwright/host/config"
	"tabwright/install"
)

// versionWait bounds the wait for a browser that is asked for its version.
const versionWait = 5 * time.Second

// launchChecks is doctor's look at what --launch and own profiles need: a browser,
// a display for its window, a sandbox.
func launchChecks(ctx context.Context) []install.Check {
	checks := []install.Check{launchedBrowser(ctx), displayCheck()}
	if f := sandboxFault(); f != nil {
		return append(checks, f.Check("sandbox", "Sandbox"))
	}
	return checks
}

func launchedBrowser(ctx context.Context) install.Check {
	const id, name = "chromium", "Browser to launch"
	settings, _ := config.Load(Overrides)
	path, err := launch.Find()
	if settings.Browser != "" {
		if path, err = exec.LookPath(settings.Browser); err != nil {
			f := install.Fault{
				Say: "wrong_setting", Args: []string{settings.Browser}, Detail: "the setting browser names " + settings.Browser + ", which can't be run",
				Fix: "correct it, or remove it from " + SettingsFile(),
			}
			return f.Check(id, name)
		}
	}
	if err != nil {
		f := install.Fault{Say: "none", Detail: "none is on PATH; --launch and own profiles need one", Fix: "install Chromium or Chrome, or set browser to one", Note: true}
		if !errors.Is(err, launch.ErrNoBrowser) {
			f.Say, f.Args, f.Detail = "wrong_setting", []string{os.Getenv("TABWRIGHT_BROWSER")}, err.Error()
			f.Fix, f.Note = "correct TABWRIGHT_BROWSER", false
		}
		return f.Check(id, name)
	}
	if v := browserVersion(ctx, path); v > 0 && v < oldestChromium {
		f := install.Fault{
			Say: "too_old", Args: []string{path, strconv.Itoa(v), strconv.Itoa(oldestChromium)},
			Detail: fmt.Sprintf("%s is version %d; Tabwright wants %d or newer", path, v, oldestChromium), Fix: "update it",
		}
		return f.Check(id, name)
	}
	return install.Check{ID: id, Name: name, OK: true, Detail: path, Say: "ok", Args: []string{path}}
}

// oldestChromium is that of the extension's manifest: the panel and the browser
// that is launched need the same.
const oldestChromium = 125

var firstNumber = regexp.MustCompile(`\b(\d+)\.\d`)

// browserVersion asks a browser for its first number; 0 where it does not say.
func browserVersion(ctx context.Context, path string) int {
	if runtime.GOOS == "windows" {
		return 0 // it would open a window
	}
	ctx, cancel := context.WithTimeout(ctx, versionWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version") //nolint:gosec // the browser that the user has
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	m := firstNumber.FindSubmatch(out)
	if err != nil || m == nil {
		return 0
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		return 0
	}
	return n
}

// HasDisplay says that a window could be shown.
func HasDisplay() bool {
	return runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}

func displayCheck() install.Check {
	if HasDisplay() {
		return install.Check{ID: "display", Name: "Display", OK: true, Detail: "there is one", Say: "ok"}
	}
	f := install.Fault{
		Say: "none", Detail: "neither DISPLAY nor WAYLAND_DISPLAY is set here: a browser can show no window",
		Fix: "run it in your desktop session, or use --headless where a browser is launched", Note: true,
	}
	return f.Check("display", "Display")
}

// KernelSettings is where the kernel's settings are read; tests have their own.
var KernelSettings = "/proc/sys/"

// UserID is the user of this process; tests say another.
var UserID = os.Getuid

// sandboxFault says why a launched Chromium could not have its sandbox; nil where
// nothing speaks against it.
func sandboxFault() *install.Fault {
	if runtime.GOOS != "linux" {
		return nil
	}
	args, _ := launch.EnvArgs()
	if strings.Contains(strings.Join(args, " "), "--no-sandbox") {
		return nil
	}
	if UserID() == 0 {
		return &install.Fault{
			Say: "root", Detail: "Chromium has no sandbox for root, so --launch can't start a browser",
			Fix: "run it as another user, or, in a disposable container, set TABWRIGHT_CHROMIUM_ARGS=--no-sandbox", Note: true,
		}
	}
	for file, bad := range map[string]string{
		"kernel/unprivileged_userns_clone": "0", "user/max_user_namespaces": "0", "kernel/apparmor_restrict_unprivileged_userns": "1",
	} {
		b, err := os.ReadFile(KernelSettings + file)
		if err != nil || strings.TrimSpace(string(b)) != bad {
			continue
		}
		name := strings.ReplaceAll(file, "/", ".")
		return &install.Fault{
			Say: "namespaces", Args: []string{name}, Detail: "the kernel doesn't let programs make namespaces (" + name + " is " + bad + "): a Chromium without a setuid helper of its own has no sandbox",
			Fix: "install Chromium from a package of the distribution, which brings what it needs", Note: true,
		}
	}
	return nil
}
