package safety

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// ssrf are ways to write an address of this computer, its network or a cloud's
// metadata service, and schemes that lead past the web, one a line; allowedWeb
// are addresses of the web that look like those. The task has named
// 10.1.2.3:8080 and printer.lan, and nothing else.
const ssrf = `
http://127.0.0.1/
http://127.0.0.1:8080/admin
http://127.1/
http://127.0.1/
http://127.255.255.254/
http://2130706433/
http://0x7f000001/
http://0X7F.0.0.1/
http://0x7f.1/
http://0177.0.0.1/
http://017700000001/
http://0177.0x0.0.1/
http://127.0.0.1./
http://0/
http://0.0.0.0/
http://0x0/
http://00000000/
http://①②⑦.0.0.1/
http://１２７．０．０．１/
http://127。0。0。1/
http://127%2e0%2e0%2e1/
http://%31%32%37.0.0.1/
http://localhost/
http://LOCALHOST/
http://localhost./
http://ｌｏｃａｌｈｏｓｔ/
http://loc%61lhost/
http://app.localhost/
localhost:3000
127.0.0.1:3000
0x7f.1:80/x
http://[::1]/
http://[0:0:0:0:0:0:0:1]/
http://[::]/
http://[0000::0001]/
http://[::ffff:127.0.0.1]/
http://[::ffff:7f00:1]/
http://[::127.0.0.1]/
http://[::ffff:0:127.0.0.1]/
http://[64:ff9b::7f00:1]/
http://[64:ff9b::10.0.0.1]/
http://[2002:7f00:1::]/
http://[2002:c0a8:101::1]/
http://[fc00::1]/
http://[fd12:3456::1]/
http://[fe80::1]/
http://[fe80::1%25eth0]/
http://[fec0::1]/
http://[ff02::1]/
http://[fd00:ec2::254]/latest/meta-data/
http://10.0.0.1/
http://10.255.255.255/
http://10.1/
http://0xa.1.2.3/
http://012.0.0.1/
http://167772161/
http://172.16.0.1/
http://172.31.255.255/
http://2886729729/
http://192.168.0.1/
http://192.168.1.254/cgi-bin/reboot
http://0xc0a80001/
http://3232235521/
http://0300.0250.0.1/
http://192.168.257/
http://100.64.0.1/
http://100.100.100.200/latest/meta-data/
http://169.254.169.254/latest/meta-data/
http://169.254.169.254/latest/api/token
http://0xa9fea9fe/
http://2852039166/
http://0251.0376.0251.0376/
http://[::ffff:169.254.169.254]/
http://[::ffff:a9fe:a9fe]/
http://169.254.1/
http://168.63.129.16/
http://198.18.0.1/
http://224.0.0.1/
http://255.255.255.255/
http://192.0.0.192/
http://metadata/
http://metadata.google.internal/computeMetadata/v1/
http://router/
http://nas.local/
http://wiki.lan/
http://git.corp/
http://x.internal/
http://host.docker.internal/
http://intranet/
http://box.home.arpa/
http://127.0.0.1.nip.io/
http://app.10.0.0.1.nip.io/
http://192-168-1-1.sslip.io/
http://7f000001.nip.io/
http://www.10.0.0.1.xip.io/
http://localtest.me/
http://x.lvh.me/
http://example.com@127.0.0.1/
http://example.com:80@127.0.0.1:8080/
http://example.com%40x@10.0.0.1/
http:\\127.0.0.1\x
http:/\127.0.0.1/
http:////127.0.0.1/
http:127.0.0.1
//127.0.0.1/
\\127.0.0.1\share
http://127.0.0.1#@example.com/
http://127.0.0.1?@example.com/
http://127.0.0.1\@example.com/
ht	tp://127.0.0.1/
http://127.0.0.1%00.example.com/
http://127.0.0.1%09/
http://1.1.1.1@127.0.0.1/
https://user:pass@192.168.1.1/
ws://127.0.0.1:9222/devtools/browser
ftp://10.0.0.1/
gopher://127.0.0.1:6379/_FLUSHALL
dict://127.0.0.1:11211/stat
file:///etc/passwd
file://localhost/etc/passwd
file://127.0.0.1/etc/passwd
FILE:/etc/shadow
javascript:fetch('http://127.0.0.1')
data:text/html,<script>location='http://10.0.0.1'</script>
blob:http://127.0.0.1/uuid
view-source:http://127.0.0.1/
chrome://settings
devtools://devtools/bundled/inspector.html
about:settings
chrome-extension://abcdefghijklmnopabcdefghijklmnop/options.html
filesystem:http://127.0.0.1/temporary/x
http://10.1.2.3:8081/
http://10.1.2.4:8080/
http://printer.lan.evil.local/
`

const allowedWeb = `
https://example.com/
http://1.1.1.1/
http://8.8.8.8:8080/
http://16843009/
http://0x08.8.8.8/
http://172.15.0.1/
http://172.32.0.1/
http://100.128.0.1/
http://11.0.0.1/
http://192.169.0.1/
http://169.253.0.1/
http://[2606:4700:4700::1111]/
http://[::ffff:8.8.8.8]/
http://[64:ff9b::8.8.8.8]/
https://localhost.example.com/
https://local.example.com/
https://internal.example.com/
https://127.0.0.1.example.com/
https://10.example.com/
https://10-0-0-1.example.com/
http://8.8.8.8.nip.io/
https://metadata.example.com/169.254.169.254
https://example.com/?url=http://127.0.0.1/
https://example.com/http://10.0.0.1/
https://example.com/#@127.0.0.1
https://example.com/?@localhost
https://bücher.example/
http://example.com\@127.0.0.1/../..
http://10.1.2.3:8080/
http://printer.lan/status
`

// TestSSRF holds every form of an address against its verdict.
func TestSSRF(t *testing.T) {
	c := Context{LocalHosts: []string{"10.1.2.3:8080", "printer.lan"}}
	count := 0
	for raw := range strings.SplitSeq(strings.Trim(ssrf, "\n"), "\n") {
		count++
		to, d := CheckURL(raw, c)
		if d.Level != Block {
			t.Errorf("%s passes as %s", raw, to)
		}
		if len(d.Reasons) == 0 {
			t.Errorf("%s is refused without a reason", raw)
		}
	}
	if count < 120 {
		t.Errorf("%d addresses", count)
	}
	for raw := range strings.SplitSeq(strings.Trim(allowedWeb, "\n"), "\n") {
		if to, d := CheckURL(raw, c); d.Level == Block {
			t.Errorf("%s (%s) is refused: %v", raw, to, d.Reasons)
		}
	}
}

// TestSSRFIsWhatIsAsked: where an address passes, a server that redirects there
// and a client that follows see the host that was judged.
func TestSSRFIsWhatIsAsked(t *testing.T) {
	var to string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to, http.StatusFound)
	}))
	defer srv.Close()
	client := srv.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for raw := range strings.SplitSeq(strings.Trim(allowedWeb, "\n"), "\n") {
		judged, d := CheckURL(raw, Context{LocalHosts: []string{"10.1.2.3:8080", "printer.lan"}})
		if d.Level == Block {
			continue
		}
		to = judged
		res, err := client.Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		loc, err := url.Parse(res.Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		if again, d := CheckURL(loc.String(), Context{LocalHosts: []string{"10.1.2.3:8080", "printer.lan"}}); again != judged || d.Level == Block {
			t.Errorf("%s is %s, then %s (%v)", raw, judged, again, d.Level)
		}
	}
}
