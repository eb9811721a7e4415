package action

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// TestAddressesTellNoSecrets: what an address carries of secrets is in nothing that is
// said of it, by whatever action; and what nobody can see, or turns text around, is in
// no name, title, dialog or echo.
func TestAddressesTellNoSecrets(t *testing.T) {
	startChromium(t)
	w := newWorld(t)
	const pass, token = "hunter2-canary", "tok-canary-0123456789"
	unseen := "\u202e\u2066\U000E0041\U000E0042"
	w.pages["/next"] = `<title>Next ` + unseen + `https://ida:` + pass + `@a.test/</title><h1>Next</h1><p>Your link: http://a.test/reset?token=` + token + `</p><button id=d onclick="alert('Open ` + unseen + `http://a.test/x?access_token=` + token + `')">Show</button>`
	body := `<title>Home` + unseen + `</title><nav><a id=u href="http://ida:` + pass + `@b.test:{port}/x">Files` + unseen + `</a> <a id=t href="/next?token=` + token + `&page=2">Next</a>
<a id=s href="/down?a=1&X-Amz-Signature=` + token + `">Download</a></nav><form action="/evil/x?token=` + token + `" method=post><input name=n aria-label="Name` + unseen + `"><button id=b>Delete account</button></form><iframe srcdoc="<p>x" title="In"></iframe>`
	l := w.live(t, chromium.d, body)
	var seen strings.Builder
	note := func(what string, v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		seen.WriteString("\n" + what + ": " + string(raw))
	}
	look := func() {
		o := l.observe()
		note("observe", o)
		note("text", o.Text)
		all := []int{}
		for _, e := range o.Elements.Elements {
			all = append(all, e.Index)
		}
		note("details", step{"getElementDetails", p{"indices": all}}.run(l))
		for _, read := range []string{"getElements", "getHTML", "getText", "snapshot", "extractContent", "listTabs"} {
			note(read, step{read, p{}}.run(l))
		}
	}
	look()
	note("attribute", step{"getAttribute", p{"selector": "#t", "name": "href"}}.run(l))
	note("attribute", step{"getAttribute", p{"selector": "#u", "name": "href"}}.run(l))
	note("find", step{"find", p{"role": "link"}}.run(l))
	note("no such thing", step{"click", p{"selector": "#x" + unseen}}.run(l))
	note("waiting", step{"waitFor", p{"url": "/never", "timeoutMs": 200}}.run(l))
	note("card", on("b").run(l))
	note("click", on("t").run(l))
	look()
	note("dialog", on("d").run(l))
	note("beside the dialog", step{"getText", p{}}.run(l))
	note("answered", step{"handleDialog", p{"accept": true}}.run(l))
	note("back", step{"goBack", p{}}.run(l))
	note("link with a password", on("u").run(l))
	note("cards", l.person.cards)
	note("diary", l.diary)
	note("notes", l.diary.notes)
	if len(l.person.cards) == 0 || !strings.Contains(seen.String(), "Download") || !strings.Contains(seen.String(), "page=2") {
		t.Fatalf("little was seen; %d cards", len(l.person.cards))
	}
	for line := range strings.SplitSeq(seen.String(), "\n") {
		what, _, _ := strings.Cut(line, ":")
		for _, c := range []string{pass, token} {
			if i := strings.Index(line, c); i >= 0 {
				t.Errorf("%s in %s: …%s…", c, what, line[max(0, i-90):min(len(line), i+40)])
			}
		}
		for i, r := range line {
			if unicode.Is(unicode.Cf, r) || r >= 0xe0000 && r <= 0xe007f {
				t.Errorf("%U in %s: …%q…", r, what, line[max(0, i-60):min(len(line), i+30)])
				break
			}
		}
	}
}
