package pagecontext_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// In the extension's own world chrome.dom opens closed shadow roots; a world
// made by CDP has no chrome.dom, so this needs an extension.
func TestClosedShadowRootInAnExtension(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	dir := t.TempDir()
	newTab(t) // builds the script
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"t","version":"1","content_scripts":[{"matches":["http://127.0.0.1/*"],"js":["extractor.js","probe.js"],"run_at":"document_idle"}]}`,
		"extractor.js":  script,
		"probe.js":      `(async () => console.log("probe " + JSON.stringify((await __tabwright.list({})).elements.map(e => e.name))))()`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b, stop, err := launch("--disable-features=DisableLoadExtensionCommandLineSwitch,IsolateOrigins,site-per-process", "--load-extension="+dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	tb := tabOf(t, b)
	said := b.expect(tb.session, "Runtime.consoleAPICalled", func(m json.RawMessage) bool { return strings.Contains(string(m), "probe ") })
	tb.goTo(`<body><x-c></x-c><div id=plain></div><script>for(const h of [document.querySelector('x-c'),plain])h.attachShadow({mode:'closed'}).innerHTML='<button>In '+h.localName+'</button>'</script></body>`)
	if m := string(tb.wait(said, "the probe")); !strings.Contains(m, `[\"In x-c\",\"In div\"]`) {
		t.Errorf("%s", m)
	}
}
