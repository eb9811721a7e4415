//go:build linux

package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
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

func TestUsualPlaces(t *testing.T) {
	env := map[string]string{"ProgramFiles": "/Program Files", "LocalAppData": "/Users/Zoë 张/AppData/Local"}
	for goos, want := range map[string][]string{
		"darwin": {
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Users/zoë/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
		},
		"windows": {
			"/Program Files/Google/Chrome/Application/chrome.exe", "/Users/Zoë 张/AppData/Local/Google/Chrome SxS/Application/chrome.exe",
			"/Program Files/Microsoft/Edge/Application/msedge.exe", "/Users/Zoë 张/AppData/Local/Programs/Opera/opera.exe",
		},
	} {
		got := usualPlaces(goos, "/Users/zoë", func(k string) string { return env[k] })
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %s is not among %q", goos, w, got)
			}
		}
	}
	if got := usualPlaces("linux", "/home/z", os.Getenv); len(got) != 0 {
		t.Errorf("on Linux PATH says where: %q", got)
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
	used := filepath.Join(dir, profilePrefix+strconv.Itoa(dead.Process.Pid)+"-2")
	for _, d := range []string{gone, ours, odd, used} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("some-host-"+strconv.Itoa(os.Getpid()), filepath.Join(used, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	sweep(dir)
	if _, err := os.Stat(gone); !os.IsNotExist(err) {
		t.Errorf("the dead one's profile is still there: %v", err)
	}
	for _, d := range []string{ours, odd, used} {
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
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
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
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	<-b.Done()
	nothingLeft(t, tmp)
}

// A browser that is killed leaves nothing behind once it is closed.
func TestBrowserKilled(t *testing.T) {
	needChromium(t)
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	b, err := Start(context.Background(), Options{Headless: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(b.PID(), syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	select {
	case <-b.Done():
	case <-time.After(10 * time.Second):
		t.Error("its end is not noticed")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	nothingLeft(t, tmp)
}

func nothingLeft(t *testing.T, tmp string) {
	t.Helper()
	// The crash handlers, in groups of their own, follow by themselves.
	end := time.After(10 * time.Second)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for len(marked("TMPDIR="+tmp)) != 0 {
		select {
		case <-look.C:
		case <-end:
			t.Fatalf("left: %q", marked("TMPDIR="+tmp))
		}
	}
	if left := entries(t, tmp); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// The program that launched the browser is killed at any instant of the start,
// or after it: nothing may stay, neither processes nor files.
func TestParentKilled(t *testing.T) {
	if os.Getenv("TABWRIGHT_TEST_LAUNCH") != "" {
		_, _ = os.Stdout.WriteString("begin\n")
		if _, err := Start(context.Background(), Options{Headless: true}); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("open\n")
		select {} // until killed
	}
	needChromium(t)
	// The last is long after the start, the others are spread over it.
	whole := time.Duration(0)
	for _, part := range []float64{1, 0.002, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			dir := t.TempDir()
			mark := "TMPDIR=" + dir
			self := exec.Command(os.Args[0], "-test.run=^TestParentKilled$")
			self.Env = append(os.Environ(), "TABWRIGHT_TEST_LAUNCH=1", mark)
			out, err := self.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := self.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			says := func(want string) {
				for lines.Scan() {
					if lines.Text() == want {
						return
					}
				}
				t.Errorf("it did not say %q", want)
			}
			says("begin")
			began := time.Now()
			if whole == 0 {
				says("open")
				whole = time.Since(began)
				if len(marked(mark)) < 4 || len(entries(t, dir)) == 0 {
					t.Errorf("the browser has %d processes and the files %v", len(marked(mark)), entries(t, dir))
				}
			} else {
				<-time.After(time.Duration(part * float64(whole)))
			}
			if err := self.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = self.Wait()
			end := time.After(10 * time.Second)
			look := time.NewTicker(20 * time.Millisecond) // not our children: their end is no event for us
			defer look.Stop()
			for len(marked(mark))+len(entries(t, dir)) != 0 {
				select {
				case <-look.C:
				case <-end:
					t.Fatalf("left: %q and %v", marked(mark), entries(t, dir))
				}
			}
		})
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// marked are the command lines of living processes with this in their
// environment, whatever group and parent they have.
func marked(mark string) (lines []string) {
	envs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range envs {
		env, err := os.ReadFile(path) // a zombie's is empty
		if err != nil || !strings.Contains(string(env), mark) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		lines = append(lines, strings.ReplaceAll(string(line), "\x00", " "))
	}
	return lines
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

// TestNoDisplay: a browser that ends for want of a display is told apart from
// one that can't be started.
func TestNoDisplay(t *testing.T) {
	for log, want := range map[string]bool{
		"[1:1:1122/100000.1:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:256] Missing X server or $DISPLAY": true,
		"Trace/breakpoint trap": false,
	} {
		bin := filepath.Join(t.TempDir(), "chromium")
		if err := os.WriteFile(bin, []byte("#!/bin/sh\necho '"+log+"' >&2\nexit 1\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		b, err := Start(t.Context(), Options{Binary: bin, NoEnvArgs: true})
		if err == nil {
			t.Fatal(errors.Join(errors.New("it started"), b.Close()))
		}
		if got := errors.Is(err, ErrNoDisplay); got != want {
			t.Errorf("%s: %v", log, err)
		}
	}
}

// A page that is shown is told to nobody but its own server: Chromium asks Google
// about the fields of its forms unless it is kept from it.
func TestFormsAreToldToNobody(t *testing.T) {
	needChromium(t)
	kept := leftOut
	defer func() { leftOut = kept }()
	leftOut = slices.DeleteFunc(slices.Clone(kept), func(f string) bool { return f == "AutofillServerCommunication" })
	if !strings.Contains(asksAboutForms(t), "autofill") {
		t.Error("a browser that is not kept from it asks nobody: this test shows nothing")
	}
	leftOut = kept
	if host := asksAboutForms(t); host != "" {
		t.Errorf("the browser asked %s", host)
	}
}

// A launched browser asks for a page anew that it goes back to.
func TestPagesAreNotKept(t *testing.T) {
	needChromium(t)
	for _, keep := range []bool{true, false} {
		shown := make(chan string, 1)
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			switch r.URL.Path {
			case "/":
				_, _ = fmt.Fprint(w, `<script>
onpageshow = (e) => {
	if (sessionStorage.left) fetch("/shown?" + e.persisted);
	else setTimeout(() => { sessionStorage.left = 1; location = "/next"; }, 100);
};
</script>`)
			case "/next":
				_, _ = fmt.Fprint(w, `<script>onload = () => setTimeout(() => history.back(), 100)</script>`)
			case "/shown":
				shown <- r.URL.RawQuery
			}
		}))
		defer site.Close()
		b, err := Start(t.Context(), Options{Headless: true, NoEnvArgs: true, KeepPages: keep})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = b.Close() }()
		open(t, b, site.URL)
		select {
		case kept := <-shown:
			if kept != strconv.FormatBool(keep) {
				t.Errorf("kept: %s, want %v", kept, keep)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("keep %v: it did not go back", keep)
		}
	}
}

// open shows a page in a tab of its own.
func open(t *testing.T, b *Browser, page string) {
	t.Helper()
	u, err := url.Parse(b.URL())
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPut, "http://"+u.Host+"/json/new?"+page, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
}

// asksAboutForms shows a form in a browser of its own, and gives whom that asks
// about it, empty if nobody within two seconds.
func asksAboutForms(t *testing.T) string {
	t.Helper()
	asked := make(chan string, 1000)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Host
		http.Error(w, "no", http.StatusBadGateway)
	}))
	defer proxy.Close()
	loaded := make(chan struct{}, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/loaded" {
			loaded <- struct{}{}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<form action=/send><label>First name <input name=firstname></label><label>Last name <input name=lastname></label>
<label>Street <input name=street></label><label>City <input name=city></label><label>E-mail <input name=email></label><button>Send</button></form>
<script>onload = () => setTimeout(() => fetch("/loaded"), 2000)</script>`)
	}))
	defer site.Close()
	b, err := Start(t.Context(), Options{
		Headless: true, NoEnvArgs: true, Args: []string{"--proxy-server=" + proxy.URL},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	open(t, b, site.URL)
	end := time.After(20 * time.Second)
	for {
		select {
		case host := <-asked:
			if strings.Contains(host, "autofill") || strings.HasPrefix(host, "clients2.") {
				return host
			}
		case <-loaded:
			return ""
		case <-end:
			t.Fatal("the page was not loaded")
		}
	}
}
