package launch

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNoBrowser is the error of Find if there is no Chromium.
var ErrNoBrowser = errors.New("no Chromium or Chrome was found; install one, or name it in TABWRIGHT_BROWSER")

// names are looked up on PATH, the free ones first.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"microsoft-edge", "microsoft-edge-stable", "brave-browser", "vivaldi", "vivaldi-stable", "opera",
	"thorium-browser", "helium-browser", "google-chrome-beta", "google-chrome-unstable", "google-chrome-canary",
}

// Find returns the binary that Start uses if none is named: TABWRIGHT_BROWSER,
// else the first known name on PATH, else the first in the usual places of macOS
// and Windows.
func Find() (string, error) {
	if b := os.Getenv("TABWRIGHT_BROWSER"); b != "" {
		path, err := exec.LookPath(b)
		if err != nil {
			return "", errors.Join(errors.New("TABWRIGHT_BROWSER can't be run"), err)
		}
		return path, nil
	}
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil {
			return path, nil
		}
	}
	home, _ := os.UserHomeDir()
	for _, path := range usualPlaces(runtime.GOOS, home, os.Getenv) {
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

// usualPlaces returns where installers put browsers, the free ones first: the
// application folders of macOS; on Windows %ProgramFiles% (for all users) and
// %LocalAppData% (for one).
func usualPlaces(goos, home string, getenv func(string) string) []string {
	var out []string
	switch goos {
	case "darwin":
		for _, n := range []string{
			"Chromium", "Google Chrome", "Microsoft Edge", "Brave Browser", "Vivaldi", "Opera", "Thorium", "Helium",
			"Google Chrome Beta", "Google Chrome Dev", "Google Chrome Canary",
		} {
			for _, apps := range []string{"/Applications", filepath.Join(home, "Applications")} {
				out = append(out, filepath.Join(apps, n+".app", "Contents", "MacOS", n))
			}
		}
	case "windows":
		for _, program := range []string{
			"Chromium/Application/chrome.exe", "Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe",
			"BraveSoftware/Brave-Browser/Application/brave.exe", "Vivaldi/Application/vivaldi.exe", "Opera/opera.exe", "Programs/Opera/opera.exe",
			"Thorium/Application/thorium.exe", "imput/Helium/Application/chrome.exe",
			"Google/Chrome Beta/Application/chrome.exe", "Google/Chrome Dev/Application/chrome.exe", "Google/Chrome SxS/Application/chrome.exe",
		} {
			for _, v := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
				if root := getenv(v); root != "" {
					out = append(out, filepath.Join(root, filepath.FromSlash(program)))
				}
			}
		}
	}
	return out
}
