package doors

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// policy writes the user's policy file.
func (b *bench) policy(yaml string) {
	b.t.Helper()
	for _, e := range b.env {
		if dir, ok := strings.CutPrefix(e, "XDG_CONFIG_HOME="); ok && strings.Contains(dir, "tw-") {
			b.must(os.MkdirAll(filepath.Join(dir, "tabwright"), 0o700))
			b.must(os.WriteFile(filepath.Join(dir, "tabwright", "policy.yaml"), []byte(yaml), 0o600))
		}
	}
}

// audited are the entries of the audit log.
func (b *bench) audited() (out []struct{ Kind, Door, Action, Class, Level, Answer, By, Outcome string }) {
	b.t.Helper()
	for line := range strings.SplitSeq(b.ok("audit", "show", "--json", "-n", "1000"), "\n") {
		if line == "" {
			continue
		}
		out = append(out, struct{ Kind, Door, Action, Class, Level, Answer, By, Outcome string }{})
		b.must(json.Unmarshal([]byte(line), &out[len(out)-1]))
	}
	return out
}

// TestPolicyOfLaunchedBrowsers has what both doors of a launched browser let
// pass by --confirm allow stopped by the user's policy, and put down in one
// audit log.
func TestPolicyOfLaunchedBrowsers(t *testing.T) {
	b := newBench(t)
	b.policy("sites:\n  127.0.0.1:\n    destroy: block\n")
	b.opened("/danger", "--confirm", "allow")
	// Explained first: nothing happens, and nothing is put down.
	var e struct {
		Level, Class, Target string
		Reasons              []struct{ Rule string }
	}
	b.must(json.Unmarshal([]byte(b.ok("explain", "click", "button", "--json")), &e))
	if e.Level != "block" || e.Class != "destroy" || !strings.Contains(e.Target, "Delete account") || len(e.Reasons) < 2 {
		t.Errorf("the explanation is %+v", e)
	}
	b.fails(3, "The policy says of destroy", "click", "button")
	c := b.connect(nil, b.launched("--confirm", "allow")...)
	c.do("browser_navigate", args{"url": b.url + "/danger"})
	c.refuses("blocked", "browser_click", args{"ref": c.ref("Delete account")})
	if n := b.deleted(); n != "0" {
		t.Fatalf("deleted %s times against the policy", n)
	}

	// The file is read anew: a session that runs goes by the new one.
	b.policy("preset: trusting\n")
	b.ok("click", "button")
	if n := b.deleted(); n != "1" {
		t.Errorf("deleted %s times", n)
	}
	b.policy("preset: trust me\n")
	s := b.run("summary")
	if !strings.Contains(s.err, "is not used") || !strings.Contains(s.err, "policy.yaml:1: ") {
		t.Errorf("a broken policy is not told: %q", s.err)
	}
	b.fails(1, "policy.yaml:1: ", "policy", "check")
	if s := b.run("doctor"); !strings.Contains(s.out, "careful preset") {
		t.Errorf("doctor says nothing of the policy: %q", s.out)
	}

	blocked := map[string]bool{}
	done := 0
	for _, x := range b.audited() {
		if x.Kind == "blocked" && x.Class == "destroy" {
			blocked[x.Door] = true
		}
		if x.Kind == "result" && x.Class == "destroy" && x.Outcome == "ok" {
			done++
		}
	}
	if !blocked["Command line"] || !blocked["MCP: doors-test"] || len(blocked) != 2 || done != 1 {
		t.Errorf("the audit log has %v blocked and %d done", blocked, done)
	}
	if got := b.ok("audit", "verify"); !strings.Contains(got, "last hash") {
		t.Errorf("audit verify says %q", got)
	}
	b.ok("close", "--all")
}

// TestPolicyOfUsersBrowser is the same in the user's own browser, through
// the extension, and what a click in the side panel grants and takes back.
func TestPolicyOfUsersBrowser(t *testing.T) {
	w := newChrome(t)
	w.ok("policy", "deny", "shop.test", "purchase", "destroy")
	w.ok("open", w.site, "--allow-host", ".test")
	w.ok("open", w.site+"p/"+w.shop.Cheapest().ID)
	w.ok("policy", "deny", "shop.test")
	w.fails(3, "The policy says", "find", "role", "button", "--name", "Add to cart", "click")
	c := w.connect(nil, "mcp", "--confirm", "ask", "--allow-host", ".test")
	c.refuses("blocked", "browser_navigate", args{"url": w.site})
	w.ok("policy", "revoke", "shop.test")
	if got := w.ok("policy", "show"); strings.Contains(got, "grant ") {
		t.Errorf("after they were taken back:\n%s", got)
	}
	c.do("browser_navigate", args{"url": w.site})
	w.fails(2, "asked about each time", "policy", "allow", "shop.test", "purchase")

	w.ok("policy", "deny", "casino.example")
	panel, err := w.rig.OpenPanel(w.ctx)
	w.must(err)
	w.must(panel.Click(w.ctx, "open-settings"))
	w.must(panel.Click(w.ctx, "tab-sites"))
	w.must(panel.Await(w.ctx, `document.querySelector('[data-testid=grants]')`))
	if got, err := panel.Text(w.ctx, "grant"); err != nil || !strings.Contains(strings.Join(got, "\n"), "casino.example") {
		t.Errorf("the panel shows %q, %v", got, err)
	}
	w.must(panel.Click(w.ctx, "grant-revoke"))
	w.must(panel.Await(w.ctx, `!document.querySelector('[data-testid=grants]')`))
	if got := w.ok("policy", "show"); strings.Contains(got, "casino.example") {
		t.Errorf("taken back in the panel, and still there:\n%s", got)
	}
	w.ok("audit", "verify")
	w.must(c.Close())
}
