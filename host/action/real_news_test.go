package action

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestRealNews: of a page that a form leads back to, or that is loaded again, it is told
// what is new on it, with the words that say what that belongs to.
func TestRealNews(t *testing.T) {
	startChromium(t)
	var basket []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		flash, rows := "", ""
		switch {
		case r.FormValue("drop") != "":
			basket = basket[1:]
		case r.FormValue("add") != "":
			basket = append(basket, r.FormValue("add"))
			flash = `<div class=notice>Your basket was changed.</div>`
		}
		for _, b := range basket {
			rows += "<tr><td>" + b + "<td>1<td>$4.00<td><form method=post><input type=hidden name=drop value=1><button>Remove</button></form></tr>"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/other":
			_, _ = fmt.Fprint(w, "<title>Other</title><h1>Another page</h1><p>With words of its own.</p>")
			return
		case "/made":
			_, _ = fmt.Fprint(w, "<title>Tea</title><nav><a href=/>Home</a> <a href=/other>Other</a></nav><h1>Tea</h1>"+
				"<div class=notice>Tea <a href=/tea>#40</a> was made by <b>\"</b>Ida<b>\"</b>.</div><p>Its own words.</p><ul><li><a href=/x>All teas</a></ul>")
			return
		case "/find":
			_, _ = fmt.Fprint(w, "<title>Find</title><h1>Two results for tea</h1>")
			return
		}
		add := func(what string) string {
			return "<li>" + what + " <form method=post><input type=hidden name=add value='" + what + "'><button>Add</button></form></li>"
		}
		_, _ = fmt.Fprint(w, "<title>Shop</title><nav>"+strings.Repeat("<a href=/other>Part</a> ", 20)+"</nav>"+flash+
			"<p>Basket: <b>", len(basket), "</b></p><ul>"+add("Assam")+add("Earl Grey")+"</ul><table>"+rows+"</table>"+
			"<form action=/made><button>Make</button></form><form action=/find><input name=q aria-label=Search></form><a id=page href='/?page=2'>Page "+r.FormValue("page")+"</a>")
	}))
	t.Cleanup(srv.Close)
	u, err := url.Parse(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	l := openLive(t, chromium.d, "")
	home := "http://a.test:" + u.Port() + "/"
	l.ok("navigate", p{"url": home})
	for _, c := range []struct {
		name  string
		act   string
		param p
		want  string
	}{
		{"a form that leads back", "click", p{"selector": "li:nth-child(1) button"}, `clicked button "Add" in "Assam" [1]. Effect: new: "Your basket was changed.", "Basket: 1", "Assam 1 $4.00"; navigated to ` + home + ` (Shop), loaded anew.`},
		{"again", "click", p{"selector": "li:nth-child(2) button"}, `Effect: new: "Basket: 2", "Earl Grey 1 $4.00"; navigated`},
		{"a row that goes", "click", p{"selector": "tr:first-child button"}, `clicked button "Remove" in "Assam 1 $4.00" [3]. Effect: new: "Basket: 1"; gone: "Your basket was changed.", "Assam 1 $4.00"; navigated`},
		{"to the same address", "navigate", p{"url": home}, `Effect: the page shows what it showed before; navigated`},
		{"loaded again", "refresh", p{}, `Effect: the page shows what it showed before; navigated`},
		{"another state of it", "click", p{"selector": "#page"}, `Effect: new: "Page 2"; navigated to ` + home + `?page=2`},
		{"a form that leads elsewhere", "type", p{"selector": "[name=q]", "text": "tea", "submit": true}, `Effect: new: "Two results for tea"; navigated to ` + home + `find?q=tea (Find).`},
		{"back from it", "goBack", p{}, `Effect: navigated to`},
		{"a form that leads to what it made", "click", p{"selector": "text=Make"}, `Effect: new: "Tea #40 was made by \"Ida\"."; navigated to ` + home + `made? (Tea).`},
		{"back", "goBack", p{}, `Effect: navigated to`},
		{"another page", "click", p{"selector": "nav a:first-child"}, `Effect: navigated to ` + home + `other (Other).`},
	} {
		if res := l.ok(c.act, c.param); !strings.Contains(res.Text, c.want) {
			t.Errorf("%s: %s, want %s", c.name, res.Text, c.want)
		}
	}
}
