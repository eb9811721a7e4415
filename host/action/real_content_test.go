package action

import (
	"strings"
	"testing"

	"tabwright/host/browser"
)

// A long page is read piece by piece, and searched as a whole; both from what a
// user sees of it, another site's frame included.
func TestRealContentInPieces(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		l.eval(`document.querySelector("main").insertAdjacentHTML("beforeend",
			Array.from({ length: 120 }, (_, i) => "<h2>Part " + i + "</h2><p>Words of part " + i + " about the " + (i === 77 ? "zeppelin, café and 飞艇" : "mug") + ".</p>").join("") +
			"<p style='display:none'>The hidden zeppelin</p>"), 0`)
		var whole strings.Builder
		var cursor string
		var pieces int
		for pieces = 1; pieces < 60; pieces++ {
			params := p{"maxChars": 500}
			if cursor != "" {
				params["cursor"] = cursor
			}
			c := as[ContentData](t, l.ok("extractContent", params))
			if c.Content == "" || len([]rune(c.Content)) > 500 || c.More != (c.NextCursor != "") {
				t.Fatalf("piece %d: %+v", pieces, c)
			}
			whole.WriteString(c.Content + "\n")
			if cursor = c.NextCursor; cursor == "" {
				break
			}
		}
		for i, part := range []string{"# All about mugs", "## Part 0", "Words of part 119 about the mug."} {
			if strings.Count(whole.String(), part) != 1 {
				t.Errorf("%d: %q is there %d times in %d pieces", i, part, strings.Count(whole.String(), part), pieces)
			}
		}
		for _, query := range []string{"zeppelin", "CAFE", "飞艇"} {
			res := l.ok("extractContent", p{"query": query})
			if c := as[ContentData](t, res); c.Found != 1 || c.More || c.Content != "## All about mugs › Part 77\n\nWords of part 77 about the zeppelin, café and 飞艇." {
				t.Errorf("%s: %+v", query, c)
			}
		}
		res := l.ok("extractContent", p{"query": "mug", "maxChars": 300})
		if c := as[ContentData](t, res); c.Found < 100 || !c.More || len([]rune(c.Content)) > 300 {
			t.Errorf("mugs: %+v", c)
		}
		has(t, res.Text, "passages fit")
		has(t, l.ok("extractContent", p{"query": "submarine"}).Text, `nothing in "Reading"`, "All about mugs")
		l.fails(InvalidParams, "extractContent", p{"cursor": "nonsense"})
		l.fails(InvalidParams, "extractContent", p{"cursor": "10-10-abc", "query": "mug"})

		c := as[ContentData](t, l.ok("extractContent", p{"maxChars": 500}))
		l.eval(`document.body.innerHTML = "<main><p>" + "Another page. ".repeat(100) + "</p></main>", 0`)
		has(t, l.ok("extractContent", p{"maxChars": 500, "cursor": c.NextCursor}).Text, "has changed since")
	})
}
