package cli

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"tabwright/host/serve"
	"tabwright/install/selfupdate"
)

func TestVersionJSON(t *testing.T) {
	got := command(t, "version", "--json")
	var v versionInfo
	if err := json.Unmarshal([]byte(got.out), &v); err != nil || got.code != exitOK {
		t.Fatalf("%+v, %v", got, err)
	}
	if v.Version != serve.Version || v.Platform != runtime.GOOS+"/"+runtime.GOARCH || v.Binary == "" || v.Go == "" {
		t.Errorf("%s", got.out)
	}
}

// Without a feed the command says so; with one it says what is newer, and changes
// nothing, not even the file of this program, unless it is asked to.
func TestUpdate(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	feed, err := selfupdate.Sign(selfupdate.Release{Version: "9999.0.0", Notes: "https://a.example/notes"}, private)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(feed) }))
	defer s.Close()
	from := selfupdate.Source{URL: s.URL, Key: base64.StdEncoding.EncodeToString(public)}
	run := func(from selfupdate.Source, args ...string) (string, error) {
		t.Helper()
		cmd := updateCommand(from)
		cmd.Flags().Bool("json", false, "") // the root has it
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.SetArgs(args)
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		err := cmd.Execute()
		return out.String(), err
	}
	if out, err := run(selfupdate.Source{}); err != nil || !strings.Contains(out, "no feed") {
		t.Errorf("without a feed: %q, %v", out, err)
	}
	if out, err := run(selfupdate.Source{}, "--apply"); err == nil {
		t.Errorf("without a feed --apply says %q", out)
	}
	if out, err := run(from); err != nil || !strings.Contains(out, "newer version: 9999.0.0") || !strings.Contains(out, "https://a.example/notes") {
		t.Errorf("with a feed: %q, %v", out, err)
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	out, err := run(from, "--json")
	var is updateInfo
	if e := json.Unmarshal([]byte(out), &is); err != nil || e != nil || !is.Newer || !is.Feed || is.Newest != "9999.0.0" || is.Applied {
		t.Errorf("as JSON: %q, %v, %v", out, err, e)
	}
	if now, err := os.Stat(binary); err != nil || !now.ModTime().Equal(was.ModTime()) {
		t.Errorf("the program was changed (%v)", err)
	}
	if _, err := run(from, "--apply"); err == nil || !strings.Contains(err.Error(), "no file for this platform") {
		t.Errorf("a release without files is applied: %v", err)
	}
}
