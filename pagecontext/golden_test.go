package pagecontext_test

import (
	"encoding/base64"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"tabwright/pagecontext"
	"tabwright/pagecontext/corpus"
)

// goldenPages are the pages whose first look is kept as it was read and found
// good, one of each kind of site that people send an agent to.
var goldenPages = strings.Fields("news-en shoplist-en product-en checkout-en mail-en calendar-en antd-en docs-en " +
	"results-en social-en maps-en wizard-en settings-de forum-en encyclopedia-en video-en radix-en frames-en product-ar shoplist-zh")

var (
	snapshotIDs = regexp.MustCompile(`snap_[0-9a-z]{6}`)
	heights     = regexp.MustCompile(`(?m)^(.*1280x720, \D*\d+ \D*)\d+$`)
)

// steady takes away what another run or another machine's fonts would change.
func steady(text string) string {
	return heights.ReplaceAllString(snapshotIDs.ReplaceAllString(text, "snap_aaaaaa"), "${1}…")
}

// oneFont gives a page the font that comes with the tests, so that what is in
// view is the same on every machine.
var oneFont = `(async () => {
	const f = await new FontFace("One", "url(data:font/ttf;base64,` + base64.StdEncoding.EncodeToString(goregular.TTF) + `)").load();
	document.fonts.add(f);
	const s = document.createElement("style");
	s.textContent = "*{font-family:One!important;line-height:20px!important}";
	document.head.append(s);
})()`

// TestGoldenLooks holds what a model reads first of a page, at the budget it
// has unless told otherwise. What differs is to be read as a model would before
// it is accepted: is each important control there, can it be told from its
// neighbours, is anything said twice?
func TestGoldenLooks(t *testing.T) {
	server := httptest.NewServer(corpus.Handler())
	defer server.Close()
	tb := newTab(t)
	for _, name := range goldenPages {
		tb.show(server.URL + "/" + name)
		readTruth(tb) // takes the marks of the truth away
		tb.js(oneFont)
		p := pagecontext.New(tb, 0)
		sum, l, err := p.Look(t.Context(), firstBudget)
		tb.must(err)
		text := p.Render(sum, l, pagecontext.RenderOptions{Budget: firstBudget, Lang: name[len(name)-2:]})
		if n := pagecontext.Tokens(text); n > firstBudget {
			t.Errorf("%s: %d tokens", name, n)
		}
		if err := os.MkdirAll(filepath.Join("testdata", "golden"), 0o755); err != nil {
			t.Fatal(err)
		}
		golden(t, filepath.Join("golden", name+".txt"), steady(strings.ReplaceAll(text, server.Listener.Addr().String(), "corpus.test"))+"\n")
	}
}
