package launch

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// ErrNoBrowser says that no Chromium was found.
var ErrNoBrowser = errors.New("no Chromium or Chrome was found; install one, or name it in TABWRIGHT_BROWSER")

// names are looked up on PATH, the free ones first.
var names = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	"microsoft-edge", "brave-browser", "vivaldi",
}

// Find gives the binary that Start takes when none is named: TABWRIGHT_BROWSER,
// else the first known name on PATH, else the usual places of macOS and Windows.
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
	for _, path := range usualPlaces() {
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			return path, nil
		}
	}
	return "", ErrNoBrowser
}

func usualPlaces() []string {
	switch runtime.GOOS {
	case "darwin":
		home, _ := os.UserHomeDir()
		var out []string
		for _, apps := range []string{"/Applications", filepath.Join(home, "Applications")} {
			for _, n := range []string{"Chromium", "Google Chrome", "Microsoft Edge", "Brave Browser", "Vivaldi"} {
				out = append(out, filepath.Join(apps, n+".app", "Contents", "MacOS", n))
			}
		}
		return out
	case "windows":
		var out []string
		for _, v := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if root := os.Getenv(v); root != "" {
				out = append(out,
					filepath.Join(root, "Chromium", "Application", "chrome.exe"),
					filepath.Join(root, "Google", "Chrome", "Application", "chrome.exe"),
					filepath.Join(root, "Microsoft", "Edge", "Application", "msedge.exe"))
			}
		}
		return out
	}
	return nil
}
