package install

import (
	"bytes"
	"embed"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"tabwright/prompts/template"
)

//go:embed guide.html
var guideFiles embed.FS

var guide = template.Must(template.HTML(guideFiles, nil, "guide.html"))

// Page is the page that is opened in a browser so that the user can load the
// extension: the extension's page in the store if it has one, else one of our own
// with the steps. No command line opens chrome://extensions (Chromium 156 shows a
// new tab instead, whether it runs already or not).
type Page struct {
	Browser string   `json:"browser"`
	URL     string   `json:"url"`
	Command []string `json:"-"` // opens it
}

// storePage is the address of an extension in the Chrome Web Store.
const storePage = "https://chromewebstore.google.com/detail/"

// PageFor returns the page to open, in the last used of the browsers that do not
// have the extension. It returns nil if all have it or none can be started.
// chromium is the program for UserDataDir; args are passed to it, and on Linux to
// any other browser.
func PageFor(o Options, lang, chromium string, args []string) (*Page, error) {
	o = o.withDefaults()
	ps, err := o.targets()
	if err != nil {
		return nil, err
	}
	var best place
	var start []string
	var last time.Time
	for _, p := range ps {
		cmd := o.starter(p, chromium, args)
		if len(cmd) == 0 || len(loaded(p.dir, o.ids())) > 0 {
			continue
		}
		var used time.Time
		if st, err := os.Stat(filepath.Join(p.dir, "Local State")); err == nil {
			used = st.ModTime()
		}
		if start == nil || used.After(last) {
			best, start, last = p, cmd, used
		}
	}
	if start == nil {
		return nil, nil
	}
	address := storePage + o.StoreID
	if o.StoreID == "" {
		if address, err = o.writeGuide(lang); err != nil {
			return nil, err
		}
	}
	return &Page{Browser: best.Name, URL: address, Command: append(start, address)}, nil
}

func (o Options) guidePath() string { return filepath.Join(o.DataHome, "tabwright", "install.html") }

// writeGuide writes the page with the steps, and returns its address.
func (o Options) writeGuide(lang string) (string, error) {
	type copied struct{ Text, Word string }
	if lang != "zh" {
		lang = "en"
	}
	word := map[string]string{"en": "Copy", "zh": "复制"}[lang]
	var b bytes.Buffer
	err := guide.Execute(&b, "guide.html", map[string]any{
		"Lang": lang, "Address": copied{"chrome://extensions", word}, "Folder": copied{o.ExtensionDir(), word},
	})
	if err != nil {
		return "", err
	}
	path := o.guidePath()
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String(), writeFile(path, b.Bytes(), 0o600)
}

// starters are the programs of the browsers: on Linux names on PATH, on Windows
// the name under which the registry has the path.
var starters = map[string]struct {
	linux   []string
	windows string
}{
	"chrome":        {[]string{"google-chrome", "google-chrome-stable"}, "chrome.exe"},
	"chrome-beta":   {[]string{"google-chrome-beta"}, ""},
	"chrome-dev":    {[]string{"google-chrome-unstable"}, ""},
	"chrome-canary": {[]string{"google-chrome-canary"}, ""},
	"chromium":      {[]string{"chromium", "chromium-browser"}, ""},
	"edge":          {[]string{"microsoft-edge", "microsoft-edge-stable"}, "msedge.exe"},
	"edge-beta":     {[]string{"microsoft-edge-beta"}, ""},
	"edge-dev":      {[]string{"microsoft-edge-dev"}, ""},
	"brave":         {[]string{"brave-browser", "brave"}, "brave.exe"},
	"vivaldi":       {[]string{"vivaldi", "vivaldi-stable"}, "vivaldi.exe"},
	"opera":         {[]string{"opera"}, "opera.exe"},
	"helium":        {[]string{"helium", "helium-browser"}, ""},
	"thorium":       {[]string{"thorium-browser", "thorium"}, ""},
}

// starter returns the command that starts a browser, to which an address can be
// appended, or nil if it is not known.
func (o Options) starter(p place, chromium string, args []string) []string {
	if p.ID == customID {
		if chromium == "" {
			return nil
		}
		return append([]string{chromium, "--user-data-dir=" + p.dir}, args...)
	}
	switch o.OS {
	case "darwin":
		return []string{"open", "-a", p.Name}
	case "windows":
		const paths = `\Software\Microsoft\Windows\CurrentVersion\App Paths\`
		for _, root := range []string{"HKCU", "HKLM"} {
			values, err := o.registry.Values(root + paths + starters[p.ID].windows)
			if path, _ := values[""].(string); err == nil && path != "" && starters[p.ID].windows != "" {
				return []string{strings.Trim(path, `"`)}
			}
		}
		return nil
	}
	for _, name := range starters[p.ID].linux {
		if path, err := exec.LookPath(name); err == nil {
			return append([]string{path}, args...)
		}
	}
	return nil
}
