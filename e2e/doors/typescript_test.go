package doors

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const typescriptSDK = "@modelcontextprotocol/sdk@1.32.2"

// TestTypeScriptClient drives a session with the official TypeScript SDK, over standard
// input and output and over HTTP.
func TestTypeScriptClient(t *testing.T) {
	if os.Getenv("TABWRIGHT_ALL") == "" {
		t.Skip("gets a package from npm; TABWRIGHT_ALL=1 has it run")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("needs npm")
	}
	b := newBench(t)
	ctx, cancel := context.WithTimeout(b.ctx, 4*time.Minute)
	defer cancel()
	dir := t.TempDir()
	if out, err := exec.CommandContext(ctx, npm, "install", "--prefix", dir, "--no-audit", "--no-fund", typescriptSDK).CombinedOutput(); err != nil {
		t.Skipf("the SDK can't be had here: %v: %.300s", err, out)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "client.mjs"))
	b.must(err)
	b.must(os.WriteFile(filepath.Join(dir, "client.mjs"), script, 0o600))
	drive := func(how map[string]any) {
		t.Helper()
		how["page"] = b.url + "/form"
		raw, err := json.Marshal(how)
		b.must(err)
		cmd := exec.CommandContext(ctx, "node", filepath.Join(dir, "client.mjs"), string(raw))
		cmd.Env = b.env
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		var got struct {
			Tools      int
			Title, URL string
			Progress   int
		}
		if err != nil || json.Unmarshal(out, &got) != nil {
			t.Fatalf("%v: %s\n%s", err, out, errs.String())
		}
		if got.Tools < 40 || got.Title != "Click" || got.URL != b.url+"/form" || got.Progress < 1 {
			t.Errorf("%v: %s", how, out)
		}
	}
	server := b.command(b.launched()...)
	drive(map[string]any{"command": server.Path, "args": server.Args[1:]})

	address, token := b.listen()
	drive(map[string]any{"url": address, "token": token})
	b.noBrowser() // the session ended with its client
}

// listen starts a server that speaks HTTP.
func (b *bench) listen() (address, token string) {
	b.t.Helper()
	cmd := b.command(append(b.launched(), "--listen", "127.0.0.1:0", "--json")...)
	out, err := cmd.StdoutPipe()
	b.must(err)
	b.must(cmd.Start())
	b.t.Cleanup(func() { _ = cmd.Wait() })
	b.t.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt) })
	line, err := bufio.NewReader(out).ReadString('\n')
	b.must(err)
	var where struct{ Address, TokenFile string }
	b.must(json.Unmarshal([]byte(line), &where))
	raw, err := os.ReadFile(where.TokenFile)
	b.must(err)
	return where.Address, strings.TrimSpace(string(raw))
}
