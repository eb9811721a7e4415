package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A task goes by the user's policy, whoever answers its questions: what the
// file forbids is not bought even where --confirm allow would say yes.
func TestTaskGoesByThePolicy(t *testing.T) {
	s, url, env := local(t)
	c := newCLI(t, env...)
	dir := filepath.Join(c.dir, "config", "tabwright")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "policy.yaml"), []byte("classes:\n  purchase: block\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out := c.run("", "run", task, "--url", url, "--launch", "--headless", "--confirm", "allow")
	if n := len(s.Orders()); n != 0 || code == 0 {
		t.Errorf("exit code %d, %d orders against the policy\n%s", code, n, out)
	}
	code, out = c.run("", "audit", "show", "--json", "-n", "1000")
	if code != 0 || !strings.Contains(out, `"kind":"blocked","task":"t`) || !strings.Contains(out, `"door":"task"`) || !strings.Contains(out, `"policy_file"`) {
		t.Errorf("exit code %d, the audit log:\n%s", code, out)
	}
	if code, out := c.run("", "audit", "verify"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	log := filepath.Join(c.dir, "data", "tabwright", "audit", "audit.log")
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(log, []byte(strings.Replace(string(b), `"kind":"blocked"`, `"kind":"result"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := c.run("", "audit", "verify"); code != 1 || !strings.Contains(out, "was changed") {
		t.Errorf("a changed line: exit code %d: %s", code, out)
	}
	nothingRuns(t, c.mark)
}
