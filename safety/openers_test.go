package safety

import "testing"

// Records of one site share the key of an opener; another place, name, frame or kind of press has its own or none.
func TestOpenerKey(t *testing.T) {
	at := func(url string, change func(*Target)) Act {
		b := button("Delete post 7")
		b.Context, b.FrameURL = "Post 7 · Save Delete post 7", url
		if change != nil {
			change(b)
		}
		return click(b, url)
	}
	const post = "https://a.test/admin/#/posts/7"
	key := OpenerKey(at(post, nil))
	if key == "" {
		t.Fatal("a button has no key")
	}
	if other := OpenerKey(at("https://a.test/admin/#/posts/555555555555555555555501", func(b *Target) {
		b.Name, b.Text, b.Context = "Delete post 12", "Delete post 12", "Post 12 · Save Delete post 12"
	})); other != key {
		t.Errorf("another record has another key: %q, %q", key, other)
	}
	byPath := func(n string) Act {
		return at("https://a.test/posts/"+n, func(b *Target) { b.Name, b.Text = "Delete", "Delete" })
	}
	if OpenerKey(byPath("7")) != OpenerKey(byPath("12")) {
		t.Error("a record by its path has another key")
	}
	seen := map[string]string{key: "the first"}
	for name, a := range map[string]Act{
		"another route":     at("https://a.test/admin/#/pages/7", nil),
		"another site":      at("https://b.test/admin/#/posts/7", nil),
		"a frame":           at(post, func(b *Target) { b.FrameURL = "https://ads.test/x" }),
		"another name":      at(post, func(b *Target) { b.Name, b.Text = "Publish post 7", "Publish post 7" }),
		"another heading":   at(post, func(b *Target) { b.Context = "Comments · Delete post 7" }),
		"in a row":          at(post, func(b *Target) { b.Row = "Post 7" }),
		"a link":            click(link("Delete post 7", "https://a.test/posts/7/delete"), post),
		"another query":     click(link("Delete post 7", "https://a.test/admin.php?page=posts&id=7"), post),
		"another query too": click(link("Delete post 7", "https://a.test/admin.php?page=users&id=7"), post),
		"a page by query":   at("https://a.test/admin.php?page=users", nil),
		"a page by query 2": at("https://a.test/admin.php?page=backups", nil),
		"another step":      at("https://a.test/admin/step1", nil),
		"a link to its log": click(link("Delete post 7", "https://a.test/posts/7/log"), post),
	} {
		got := OpenerKey(a)
		if seen[got] != "" || got == "" {
			t.Errorf("%s: key %q, that of %s", name, got, seen[got])
		}
		seen[got] = name
	}
	form := at(post, func(b *Target) { b.SubmitsForm, b.Form = true, &Form{Method: "post"} })
	for name, a := range map[string]Act{
		"sends a form":      form,
		"in a dialog":       at(post, func(b *Target) { b.Dialog = "Really?" }),
		"sends DELETE":      at(post, func(b *Target) { b.Method = "DELETE" }),
		"with a sum":        at(post, func(b *Target) { b.Name, b.Text = "Pay $20", "Pay $20" }),
		"a key":             {Action: "pressKey", Base: Write, Key: "Enter", Target: button("Delete"), Page: Page{URL: post}},
		"a token":           click(link("Delete", "https://a.test/posts/7/delete?_wpnonce=3fa9"), post),
		"a token by value":  click(link("Confirm", "https://a.test/unsub?u=1&hash=deadbeef01234567"), post),
		"a token by key":    click(link("Confirm", "https://a.test/unsub?token=abc-123"), post),
		"a token in a path": click(link("Confirm", "https://a.test/verify/deadbeefdeadbeefdeadbeefdeadbeef"), post),
		"a view":            click(link("Delete", post+"/delete"), post),
		"a sign":            at(post, func(b *Target) { b.Name, b.Text, b.Icon = "", "", "fa fa-trash" }),
		"another's link":    click(link("Delete", "https://b.test/posts/7/delete"), post),
		"a box":             click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "Delete"}, post),
	} {
		if got := OpenerKey(a); got != "" {
			t.Errorf("%s: key %q, want none", name, got)
		}
	}
}
