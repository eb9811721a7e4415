package browser_test

import (
	"testing"

	"tabwright/host/browser/direct"
)

// TestAnotherExtractorIsNotOurs: two drivers on one browser whose extractors
// differ, as after an update, have each its own in an open page.
func TestAnotherExtractorIsNotOurs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	s := newSite(t, map[string]string{"/": `<p>page`})
	ctx := ctxFor(t)
	connect := func(who string) *direct.Driver {
		d, err := direct.Connect(ctx, startChromium(t).URL(), direct.Options{Extractor: extractor + `;globalThis.__tabwright.who ??= () => "` + who + `"`})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		return d
	}
	older, newer := connect("older"), connect("newer")
	page := openTab(t, older, s.url("a.test", "/"))
	said := func(d *direct.Driver) (who string) {
		tab, err := d.Attach(ctx, page.ID())
		if err != nil {
			t.Fatal(err)
		}
		f, err := tab.MainFrame(ctx)
		if err == nil {
			err = f.Call(ctx, "who", nil, &who)
		}
		if err != nil {
			t.Fatal(err)
		}
		return who
	}
	for range 2 {
		if a, b := said(older), said(newer); a != "older" || b != "newer" {
			t.Errorf("the older driver has the %s extractor, the newer the %s one", a, b)
		}
		if err := page.Reload(ctx); err != nil { // then both come with the document
			t.Fatal(err)
		}
	}
}
