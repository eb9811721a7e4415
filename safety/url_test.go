package safety

import (
	"strings"
	"testing"
)

func TestCheckURL(t *testing.T) {
	c := Context{LocalHosts: []string{"127.0.0.1:8080", "dev.internal", "192.168.7.0/24", "[::1]:9000"}, UploadDirs: []string{"/home/ada/task"}}
	for _, x := range []struct {
		raw  string
		want Level
		norm string // when not empty
	}{
		{"https://example.com/a?b=c#d", Auto, "https://example.com/a?b=c#d"},
		{"  https://example.com/\n", Auto, "https://example.com/"},
		{"example.com", Auto, "https://example.com/"},
		{"example.com:8443/x", Auto, "https://example.com:8443/x"},
		{"HTTPS://EXAMPLE.COM/", Auto, "https://example.com/"},
		{"https://example.com:443/", Auto, "https://example.com/"},
		{"https://example.com./", Auto, "https://example.com/"},
		{`https:\\example.com\a`, Auto, "https://example.com/a"},
		{"https:///example.com/", Auto, "https://example.com/"},
		{"https:example.com", Auto, "https://example.com/"},
		{"ht\ntps://exa\tmple.com/", Auto, "https://example.com/"},
		{"https://bücher.example/", Auto, "https://xn--bcher-kva.example/"},
		{"https://ｅｘａｍｐｌｅ.com/", Auto, "https://example.com/"},
		{"https://example.com/a%2Fb", Auto, "https://example.com/a%2Fb"},
		{"about:blank", Auto, "about:blank"},
		{"https://8.8.8.8/", Auto, "https://8.8.8.8/"},
		{"https://[2606:4700::1111]/", Auto, ""},
		{"https://1.1.1.1.nip.io/", Auto, ""},
		{"https://localhost.example.com/", Auto, ""},
		{"https://internal-tools.example.com/", Auto, ""},
		{"http://172.32.0.1/", Auto, ""},
		{"https://169.253.1.1/", Auto, ""},
		// the user named these
		{"http://127.0.0.1:8080/x", Auto, "http://127.0.0.1:8080/x"},
		{"127.0.0.1:8080", Auto, "http://127.0.0.1:8080/"},
		{"http://dev.internal/", Auto, ""},
		{"http://dev.internal:3000/", Auto, ""},
		{"http://192.168.7.9/", Auto, ""},
		{"http://[::1]:9000/", Auto, ""},
		{"http://0x7f000001:8080/", Auto, "http://127.0.0.1:8080/"},
		{"file:///home/ada/task/a.html", Auto, ""},
		// schemes
		{"chrome://settings", Block, ""},
		{"edge://settings", Block, ""},
		{"brave://settings", Block, ""},
		{"devtools://devtools/bundled/inspector.html", Block, ""},
		{"view-source:https://example.com", Block, ""},
		{"javascript:alert(1)", Block, ""},
		{"JaVaScRiPt:alert(1)", Block, ""},
		{" java\nscript:alert(1)", Block, ""},
		{"\x01javascript:alert(1)", Block, ""},
		{"data:text/html,<b>x", Block, ""},
		{"chrome-extension://abcdefghijklmnopabcdefghijklmnop/x.html", Block, ""},
		{"about:config", Block, ""},
		{"about:srcdoc", Block, ""},
		{"blob:https://example.com/1", Block, ""},
		{"filesystem:https://example.com/t/x", Block, ""},
		{"ftp://example.com/", Block, ""},
		{"ws://example.com/", Block, ""},
		{"intent://scan/#Intent;end", Block, ""},
		{"mailto:a@example.com", Block, ""},
		{"file:///etc/passwd", Block, ""},
		{"file://localhost/etc/passwd", Block, ""},
		{"file:///home/ada/task/../../.ssh/id_rsa", Block, ""},
		{"file:///home/ada/task/%2e%2e/%2e%2e/x", Block, ""},
		{"file:///home/ada/tasks/x", Block, ""},
		{"file://server/share/x", Block, ""},
		{"FILE:/etc/passwd", Block, ""},
		{"", Block, ""},
		{"   ", Block, ""},
		{"http://", Block, ""},
		{"https://exa mple.com/", Block, ""},
		{"https://example.com:99999/", Block, ""},
		{"https://%00/", Block, ""},
		// this computer and its networks
		{"http://127.0.0.1/", Block, ""},
		{"http://127.0.0.1:9222/json", Block, ""},
		{"http://127.1/", Block, ""},
		{"http://127.0.1/", Block, ""},
		{"http://2130706433/", Block, ""},
		{"http://017700000001/", Block, ""},
		{"http://0x7f000001/", Block, ""},
		{"http://0x7F.1/", Block, ""},
		{"http://0177.0.0.1/", Block, ""},
		{"http://127.0.0.1./", Block, ""},
		{"http://127.0.0.1%2f/", Block, ""},
		{"http://%31%32%37.0.0.1/", Block, ""},
		{"http://１２７.0.0.1/", Block, ""},
		{"http://127。0。0。1/", Block, ""},
		{"http://①②⑦.0.0.1/", Block, ""},
		{"http://0/", Block, ""},
		{"http://0.0.0.0/", Block, ""},
		{"http://[::1]/", Block, ""},
		{"http://[::]/", Block, ""},
		{"http://[0:0:0:0:0:0:0:1]/", Block, ""},
		{"http://[::ffff:127.0.0.1]/", Block, ""},
		{"http://[::ffff:7f00:1]/", Block, ""},
		{"http://[::127.0.0.1]/", Block, ""},
		{"http://[64:ff9b::7f00:1]/", Block, ""},
		{"http://[2002:7f00:1::]/", Block, ""},
		{"http://[2002:c0a8:101::]/", Block, ""},
		{"http://[fe80::1]/", Block, ""},
		{"http://[fe80::1%25eth0]/", Block, ""},
		{"http://[fc00::1]/", Block, ""},
		{"http://[fd12:3456::1]/", Block, ""},
		{"http://[ff02::1]/", Block, ""},
		{"http://10.0.0.1/", Block, ""},
		{"http://172.16.0.1/", Block, ""},
		{"http://172.31.255.255/", Block, ""},
		{"http://192.168.1.1/", Block, ""},
		{"http://100.64.0.1/", Block, ""},
		{"http://169.254.169.254/latest/meta-data/", Block, ""},
		{"http://2852039166/", Block, ""},
		{"http://[::ffff:a9fe:a9fe]/", Block, ""},
		{"http://[fd00:ec2::254]/", Block, ""},
		{"http://metadata.google.internal/", Block, ""},
		{"http://168.63.129.16/", Block, ""},
		{"http://100.100.100.200/", Block, ""},
		{"http://224.0.0.1/", Block, ""},
		{"http://255.255.255.255/", Block, ""},
		{"http://localhost/", Block, ""},
		{"localhost:3000", Block, ""},
		{"http://LOCALHOST./", Block, ""},
		{"http://a.localhost/", Block, ""},
		{"http://ｌｏｃａｌｈｏｓｔ/", Block, ""},
		{"http://localhost.localdomain/", Block, ""},
		{"http://printer.local/", Block, ""},
		{"http://router/", Block, ""},
		{"http://nas.lan/", Block, ""},
		{"http://fritz.home.arpa/", Block, ""},
		{"http://127.0.0.1.nip.io/", Block, ""},
		{"http://app.10-0-0-1.sslip.io/", Block, ""},
		{"http://7f000001.nip.io/", Block, ""},
		{"http://foo.lvh.me/", Block, ""},
		{"http://localtest.me/", Block, ""},
		{"http://example.com@127.0.0.1/", Block, ""},
		{"http://example.com:80@127.0.0.1:80/", Block, ""},
		{`http://example.com\@127.0.0.1/`, Auto, ""}, // a browser goes to example.com
		{`http://127.0.0.1\@example.com/`, Block, ""},
		{"http://127.0.0.1#@example.com/", Block, ""},
		{"http://127.0.0.1?@example.com/", Block, ""},
		{"http://1.2.3.4.5/", Block, ""},
		{"http://256.256.256.256/", Block, ""},
		{"http://192.168.8.1/", Block, ""}, // beside the network that was named
		{"http://127.0.0.1:8081/", Block, ""},
		// asked about
		{"https://user:secret@example.com/", Confirm, ""},
		{"https://paypal.com@evil.example/", Confirm, ""},
		{"https://example.com/unsubscribe?token=1", Confirm, ""},
		{"https://example.com/items/5/delete", Confirm, ""},
		{"https://example.com/?action=delete&id=5", Confirm, ""},
		{"https://example.com/logout", Confirm, ""},
		{"https://example.com/checkout", Notify, ""},
		{"https://example.com/login", Notify, ""},
	} {
		norm, d := CheckURL(x.raw, c)
		if d.Level != x.want {
			t.Errorf("%q: %v, want %v: %v", x.raw, d.Level, x.want, d.Reasons)
		}
		if x.norm != "" && norm != x.norm {
			t.Errorf("%q: %q, want %q", x.raw, norm, x.norm)
		}
		if d.Level > Auto && len(d.Reasons) == 0 {
			t.Errorf("%q: %v without a reason", x.raw, d.Level)
		}
		if norm != "" && d.Level < Block {
			again, d2 := CheckURL(norm, c)
			if again != norm || d2.Level != d.Level {
				t.Errorf("%q: judged again it is %q, %v", norm, again, d2.Level)
			}
		}
	}
}

func TestCheckAddress(t *testing.T) {
	c := Context{LocalHosts: []string{"shop.test", "127.0.0.1:8080"}}
	for _, x := range []struct {
		url, ip string
		want    Level
	}{
		{"https://example.com/", "93.184.216.34", Auto},
		{"https://example.com/", "127.0.0.1", Block},
		{"https://example.com/", "[::1]", Block},
		{"https://example.com/", "::ffff:10.0.0.1", Block},
		{"http://shop.test:9/", "127.0.0.1", Auto},
		{"http://127.0.0.1:8080/", "127.0.0.1", Auto},
		{"http://127.0.0.1:8081/", "127.0.0.1", Block},
		{"https://example.com/", "", Auto}, // from the cache: nothing was asked
	} {
		if d := CheckAddress(x.url, x.ip, c); d.Level != x.want {
			t.Errorf("%s at %q: %v", x.url, x.ip, d)
		}
	}
}

func TestSite(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.b.example.co.uk/x": "example.co.uk", "http://127.0.0.1:80/": "127.0.0.1", "http://shop.test:8/": "shop.test",
		"https://ada.github.io/": "ada.github.io", "about:blank": "", "nonsense:": "",
	} {
		if got := Site(raw); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
}

func TestNavigationIsJudged(t *testing.T) {
	for action, url := range map[string]string{"navigate": "chrome://settings", "openTab": "http://10.0.0.1/"} {
		if d := Judge(Act{Action: action, Base: Navigate, URL: url}, Context{}); d.Level != Block {
			t.Errorf("%s %s: %v", action, url, d)
		}
	}
	d := Judge(Act{Action: "navigate", Base: Navigate, Params: []byte(`{"url":"file:///etc/passwd"}`)}, Context{})
	if d.Level != Block {
		t.Errorf("url from the params: %v", d)
	}
	if d := Judge(click(link("Router", "http://192.168.0.1/reboot"), "https://a.test/"), Context{}); d.Level != Block {
		t.Errorf("link into the local network: %v", d)
	}
	form := &Target{Tag: "button", Name: "Go", SubmitsForm: true, Form: &Form{Action: "http://localhost:631/jobs", Method: "post"}}
	if d := Judge(click(form, "https://a.test/"), Context{}); d.Level != Block {
		t.Errorf("form into the local network: %v", d)
	}
}

func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"https://a.test/", "javascript:1", "http://0x7f.1", "http://[::1]:80/", `\\a\b`, "http://a@b@c", "file:///x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		norm, d := CheckURL(raw, Context{})
		s := strings.ToLower(strings.TrimFunc(raw, func(r rune) bool { return r <= ' ' }))
		for _, scheme := range []string{"chrome:", "javascript:", "data:", "view-source:", "devtools:", "file:", "edge:", "chrome-extension:"} {
			if strings.HasPrefix(s, scheme) && !startsWithPort(s[len(scheme):]) && d.Level != Block {
				t.Errorf("%q passes: %v", raw, d)
			}
		}
		if d.Level == Block || norm == "" {
			return
		}
		again, d2 := CheckURL(norm, Context{})
		if again != norm || d2.Level != d.Level {
			t.Errorf("%q → %q → %q, %v → %v", raw, norm, again, d.Level, d2.Level)
		}
	})
}

func startsWithPort(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
