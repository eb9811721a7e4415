package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"tabwright/e2e/shop"
	"tabwright/e2e/standin"
	"tabwright/extension"
)

// The first run as a user goes through it: no program, the one command, the
// model that is found, a test of it, the tour to its end; and it does not come
// again. Then the two sides are of different ages, each way.
func TestFirstRunAndVersions(t *testing.T) {
	brain := &pupil{}
	w := newWorldTold(t, nil, standin.Options{Format: standin.OllamaTools, Brain: brain}, byItself)
	d := &desk{world: w, brain: brain}
	profile := filepath.Join(d.rig.Dir, "profile")
	p, err := d.rig.OpenSidePanel(d.ctx, d.page) // connected
	d.must(err)
	d.p = p
	out, err := d.rig.Command(d.ctx, "uninstall", "--user-data-dir", profile).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	d.part("program", func() {
		_, err := cdp.Call(d.ctx, d.p.Tab.Session(), page.Reload, page.ReloadParams{})
		d.must(err)
		d.until(el("first-run") + `?.dataset.step === '0' && ` + el("host-missing"))
		d.shows("host-missing", "tabwright install", "native messaging host not found")
		if step := d.evaluated(`document.querySelector('[aria-current=step]').innerText`); !strings.Contains(step, "App") {
			d.t.Errorf("the step is %s", step)
		}
		out, err := d.rig.Command(d.ctx, "install", "--user-data-dir", profile).CombinedOutput()
		if err != nil {
			d.t.Fatalf("%v\n%s", err, out)
		}
		d.press("retry")
	})
	d.part("model", func() {
		d.until(el("first-model") + ` && ` + el("first-run") + `.dataset.step === '1'`)
		d.until(el("found-model") + `?.checked`)
		d.tested("Works best with: tool calls", "Calls tools ok")
		d.press("first-next")
	})
	d.part("try", d.tryTheTour)
	d.part("versions", d.versions)
	d.part("protocols", d.protocols)
}

// reopened opens the panel until it is as it is to be: an extension that reloads
// itself takes its pages with it.
func (d *desk) reopened(until string) {
	d.t.Helper()
	for {
		d.must(d.ctx.Err())
		open, cancel := context.WithTimeout(d.ctx, 4*time.Second)
		p, err := d.rig.OpenPanelPage(open)
		cancel()
		if err != nil {
			continue // Chrome took the page away
		}
		d.p = p
		for late := time.Now().Add(3 * time.Second); time.Now().Before(late); {
			ok := false
			err := d.p.Eval(d.ctx, `new Promise(done => setTimeout(() => done(!!(`+until+`)), 50))`, &ok)
			if ok {
				return
			}
			if err != nil {
				break // it is gone
			}
		}
		_ = d.p.Close(d.ctx) // it may be gone
	}
}

func (d *desk) tryTheTour() {
	d.until(el("first-try") + ` && ` + el("first-run") + `.dataset.step === '2'`)
	d.press("tour")
	shopTab := d.tourShop()
	d.until(el("composer") + `.value && !` + el("send") + `.disabled`)
	d.press("send")
	d.until(cardOpen)
	d.must(d.p.Allow(d.ctx))
	d.ended(d.p)
	if orders := d.tourOrders(shopTab); len(orders) != 1 || orders[0].Status != shop.StatusPaid {
		d.t.Errorf("orders %+v", orders)
	}
	d.fresh()
	d.until(`!` + el("first-run") + ` && document.querySelector('.examples')`)
	d.reload()
	d.until(`!` + el("first-run") + ` && ` + el("composer") + `.disabled === false`)
}

// versions: an extension of another version is brought to the program's by
// itself; one that comes back is told of, with what to do, and mended by a click.
func (d *desk) versions() {
	mine := extension.Version()
	current := `chrome.runtime.getManifest().version_name === '` + mine + `' && ` + el("status") + `?.dataset.phase === 'ready' && !` + el("versions-differ")
	for _, c := range []struct{ version, older string }{{"0.0.1", "extension"}, {"99.0.0", "host"}} {
		d.altered("manifest.json", `"version_name": "`+mine+`"`, `"version_name": "`+c.version+`"`)
		d.reopened(current)
		d.altered("manifest.json", `"version_name": "`+mine+`"`, `"version_name": "`+c.version+`"`)
		d.reopened(el("versions-differ") + `?.dataset.older === '` + c.older + `'`)
		if c.older == "host" {
			d.shows("versions-differ", "app is older", "tabwright install")
		} else {
			d.shows("versions-differ", "extension is older")
		}
		d.settings("about")
		d.shows("versions", "Extension "+c.version)
		if c.older == "host" {
			// The command line does so, too.
			raw, err := d.rig.Command(d.ctx, "doctor", "--fix", "--user-data-dir", filepath.Join(d.rig.Dir, "profile")).CombinedOutput()
			for _, want := range []string{"fixed          Extension on disk", "fixed          Connected: "} {
				if !strings.Contains(string(raw), want) {
					d.t.Errorf("%v, no %q in:\n%s", err, want, raw)
				}
			}
		} else {
			d.press("fix-extension")
		}
		d.reopened(current)
	}
}

// protocols: sides that have no language in common say which of the two is too old.
func (d *desk) protocols() {
	was := "protocolMin:1,protocolMax:1"
	for _, c := range []struct{ speaks, older, says string }{
		{"protocolMin:0,protocolMax:0", "extension", "reload the extension"}, {"protocolMin:9,protocolMax:9", "host", "newest Tabwright app"},
	} {
		d.altered("relay.js", was, c.speaks)
		was = c.speaks
		d.reopened(el("host-missing") + `?.dataset.older === '` + c.older + `'`)
		d.shows("host-missing", "too old", c.says, "tabwright install")
	}
}

// altered changes a file of the extension and loads that anew.
func (d *desk) altered(name, from, to string) {
	d.t.Helper()
	file := filepath.Join(d.rig.ExtensionDir(), name)
	b, err := os.ReadFile(file)
	d.must(err)
	if !strings.Contains(string(b), from) {
		d.t.Fatalf("%s has no %s", name, from)
	}
	d.must(os.WriteFile(file, []byte(strings.ReplaceAll(string(b), from, to)), 0o600))
	_ = d.p.Eval(d.ctx, `chrome.runtime.reload()`, nil) // its page goes with it
}
