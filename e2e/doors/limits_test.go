package doors

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// What a client asks for at once is bounded, and says how to go on; a launched
// browser keeps to the user's settings as the broker's sessions do.
func TestLimits(t *testing.T) {
	b := newBench(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /buttons/{n}", func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.PathValue("n")) // the test's own
		fmt.Fprint(w, `<!doctype html><title>Buttons</title><main>`)
		for i := range n {
			fmt.Fprintf(w, `<p>%d <button>Choose the model %x of this year</button>`, i, i*7919)
		}
	})
	mux.HandleFunc("GET /file", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>File</title><label>Photo <input type=file></label>`)
	})
	mux.HandleFunc("GET /found", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<!doctype html><title>Found</title><p>Found %s`, r.FormValue("q"))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	b.env = append(b.env, "TABWRIGHT_SEARCH="+site.URL+"/found?q={query}")
	c := b.connect(nil, b.launched("--confirm", "allow")...)

	if r := c.do("browser_web_search", args{"query": "blue mugs"}); r.URL != site.URL+"/found?q=blue+mugs" && r.URL != site.URL+"/found?q=blue%20mugs" {
		t.Errorf("the search went to %s", r.URL)
	}

	c.do("browser_navigate", args{"url": site.URL + "/buttons/700"})
	for name, x := range map[string]struct {
		a    args
		most int
	}{
		"nothing said": {nil, 2000},
		"a budget":     {args{"budget": 400}, 400},
		"a number":     {args{"limit": 100}, 6000},
	} {
		r := c.do("browser_get_elements", x.a)
		if n := pagecontext.Tokens(r.Text); n > x.most || len(r.Elements) == 0 || len(r.Elements) > 500 || r.NextCursor == "" {
			t.Errorf("%s: %d tokens for %d elements, cursor %q", name, n, len(r.Elements), r.NextCursor)
			continue
		}
		next := c.do("browser_get_elements", args{"cursor": r.NextCursor})
		if last := r.Elements[len(r.Elements)-1]; next.Elements[0].Index != last.Index+1 {
			t.Errorf("%s: behind [%d] comes [%d]", name, last.Index, next.Elements[0].Index)
		}
	}
	c.refuses("invalid_params", "browser_get_elements", args{"budget": 3})
	r := c.do("browser_snapshot", nil)
	if n := pagecontext.Tokens(r.Text); n > 6100 || !strings.Contains(r.Text[len(r.Text)-200:], "narrow it by scope=") || !strings.Contains(r.Text, "browser_get_elements query=") {
		t.Errorf("%d tokens of a snapshot that end with %q", n, r.Text[len(r.Text)-200:])
	}

	// Where nobody is asked, a file may come from a folder that the user named only.
	dir := t.TempDir()
	file := filepath.Join(dir, "photo.txt")
	b.must(os.WriteFile(file, []byte("a photo"), 0o600))
	upload := args{"selector": "input", "filePath": file}
	c.do("browser_navigate", args{"url": site.URL + "/file"})
	c.refuses("blocked", "browser_upload_file", upload)
	b.env = append(b.env, "TABWRIGHT_UPLOAD_DIRS="+dir)
	named := b.connect(nil, b.launched("--confirm", "allow")...)
	named.do("browser_navigate", args{"url": site.URL + "/file"})
	if r := named.do("browser_upload_file", upload); !strings.Contains(r.Text, "photo.txt") {
		t.Errorf("from a folder that was named: %s", r.Text)
	}
}
