//go:build linux

package launch

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSplitArgs(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"  --a   --b=c\n", []string{"--a", "--b=c"}},
		{`--rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1" --x`, []string{"--rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--x"}},
		{`'a "b" c' ""`, []string{`a "b" c`, ""}},
		{`a\ b "c\"d" '\'`, []string{"a b", `c"d`, `\`}},
	} {
		got, err := splitArgs(c.in)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("splitArgs(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
	for _, bad := range []string{`"a`, `'a`, `a\`} {
		if got, err := splitArgs(bad); err == nil {
			t.Errorf("splitArgs(%q) = %q", bad, got)
		}
	}
}

func TestArguments(t *testing.T) {
	args := arguments(Options{
		Headless: true, Extensions: []string{"/x", "/y"},
		Args: []string{"--disable-features=Mine", "--window-size=1,2"},
	}, "/profile", []string{"--disable-features=Theirs"})
	var features []string
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "--disable-features="); ok {
			features = append(features, v)
		}
	}
	if len(features) != 1 {
		t.Fatalf("--disable-features is given %d times: Chromium heeds the last only", len(features))
	}
	for _, want := range []string{"Mine", "Theirs", "DisableLoadExtensionCommandLineSwitch", "Translate"} {
		if !strings.Contains(","+features[0]+",", ","+want+",") {
			t.Errorf("%s is not in %s", want, features[0])
		}
	}
	all := strings.Join(args, " ")
	for _, want := range []string{"--headless=new", "--load-extension=/x,/y", "--user-data-dir=/profile", "--remote-debugging-port=0", "--window-size=1,2"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in %s", want, all)
		}
	}
	if args[len(args)-1] != "about:blank" {
		t.Errorf("the page comes last: %s", all)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "chromium")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("TABWRIGHT_BROWSER", "")
	if got, err := Find(); err != nil || got != bin {
		t.Errorf("on PATH: %q, %v", got, err)
	}
	t.Setenv("TABWRIGHT_BROWSER", filepath.Join(dir, "none"))
	if got, err := Find(); err == nil {
		t.Errorf("named but not there: %q", got)
	}
	t.Setenv("TABWRIGHT_BROWSER", bin)
	if got, err := Find(); err != nil || got != bin {
		t.Errorf("named: %q, %v", got, err)
	}
	t.Setenv("TABWRIGHT_BROWSER", "")
	t.Setenv("PATH", t.TempDir())
	if got, err := Find(); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("nowhere: %q, %v", got, err)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Skip(err)
	}
	gone := filepath.Join(dir, profilePrefix+strconv.Itoa(dead.Process.Pid)+"-1")
	ours := filepath.Join(dir, profilePrefix+strconv.Itoa(os.Getpid())+"-1")
	odd := filepath.Join(dir, profilePrefix+"x")
	for _, d := range []string{gone, ours, odd} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir)
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("the dead one's profile is still there: %v", err)
	}
	for _, d := range []string{ours, odd} {
		if _, err := os.Stat(d); err != nil {
			t.Error(err)
		}
	}
}

func TestStartFails(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, c := range []struct{ name, script, says string }{
		{"ends at once", "#!/bin/sh\necho no display >&2\nexit 3\n", "no display"},
		{"opens no port", "#!/bin/sh\necho waiting >&2\nexec sleep 60\n", "did not open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bin := filepath.Join(t.TempDir(), "browser")
			if err := os.WriteFile(bin, []byte(c.script), 0o700); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			b, err := Start(ctx, Options{Binary: bin})
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, %v", b, err)
			}
		})
	}
	if _, err := Start(context.Background(), Options{Binary: "/no/such/browser"}); err == nil {
		t.Error("started what is not there")
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), profilePrefix+"*"))
	if err != nil || len(left) != 0 {
		t.Errorf("profiles left: %v %v", left, err)
	}
}

func TestStartAndClose(t *testing.T) {
	needChromium(t)
	b, err := Start(context.Background(), Options{Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(b.URL())
	if err != nil || u.Scheme != "ws" {
		t.Fatalf("%q %v", b.URL(), err)
	}
	res, err := http.Get("http://" + u.Host + "/json/version")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	pid, dir := b.PID(), b.UserDataDir()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	<-b.Done()
	if n := running(pid); n != 0 {
		t.Errorf("%d processes of the group are still there", n)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the profile is still there: %v", err)
	}
}

// The program that launched the browser is killed: the browser must not stay.
func TestParentKilled(t *testing.T) {
	if os.Getenv("TABWRIGHT_TEST_LAUNCH") != "" {
		b, err := Start(context.Background(), Options{Headless: true})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("pid " + strconv.Itoa(b.PID()) + " " + b.UserDataDir() + "\n")
		select {} // until killed
	}
	needChromium(t)
	self := exec.Command(os.Args[0], "-test.run=^TestParentKilled$")
	self.Env = append(os.Environ(), "TABWRIGHT_TEST_LAUNCH=1")
	out, err := self.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	var dir string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) == 3 && f[0] == "pid" {
			pid, _ = strconv.Atoi(f[1])
			dir = f[2]
			break
		}
	}
	if err := self.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = self.Wait()
	if pid == 0 {
		t.Fatal("the browser did not start")
	}
	defer killGroup(pid)
	end := time.After(10 * time.Second)
	look := time.NewTicker(20 * time.Millisecond) // not our children: their end is no event for us
	defer look.Stop()
	for running(pid) != 0 {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("%d processes are left", running(pid))
		}
	}
	sweep(filepath.Dir(dir))
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("its profile is not swept: %v", err)
	}
}

// running counts the living processes of a group; a killed orphan may be a
// zombie for as long as nobody reaps it.
func running(group int) int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	n := 0
	for _, s := range stats {
		data, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		f := strings.Fields(rest)
		if len(f) > 2 && f[2] == strconv.Itoa(group) && f[0] != "Z" {
			n++
		}
	}
	return n
}

func needChromium(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	if _, err := Find(); err != nil {
		t.Skip(err)
	}
}
