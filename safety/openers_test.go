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
	for name, a := range map[string]Act{
		"another route":     at("https://a.test/admin/#/pages/7", nil),
		"another site":      at("https://b.test/admin/#/posts/7", nil),
		"a frame":           at(post, func(b *Target) { b.FrameURL = "https://ads.test/x" }),
		"another name":      at(post, func(b *Target) { b.Name, b.Text = "Publish post 7", "Publish post 7" }),
		"another heading":   at(post, func(b *Target) { b.Context = "Comments · Delete post 7" }),
		"in a row":          at(post, func(b *Target) { b.Row = "Post 7" }),
		"a link":            click(link("Delete post 7", "https://a.test/posts/7/delete"), post),
		"a link to its log": click(link("Delete post 7", "https://a.test/posts/7/log"), post),
	} {
		if got := OpenerKey(a); got == key || got == "" {
			t.Errorf("%s: key %q", name, got)
		}
	}
	form := at(post, func(b *Target) { b.SubmitsForm, b.Form = true, &Form{Method: "post"} })
	for name, a := range map[string]Act{
		"sends a form":   form,
		"in a dialog":    at(post, func(b *Target) { b.Dialog = "Really?" }),
		"sends DELETE":   at(post, func(b *Target) { b.Method = "DELETE" }),
		"with a sum":     at(post, func(b *Target) { b.Name, b.Text = "Pay $20", "Pay $20" }),
		"a key":          {Action: "pressKey", Base: Write, Key: "Enter", Target: button("Delete"), Page: Page{URL: post}},
		"a token":        click(link("Delete", "https://a.test/posts/7/delete?_wpnonce=3fa9"), post),
		"another's link": click(link("Delete", "https://b.test/posts/7/delete"), post),
		"a box":          click(&Target{Tag: "input", Type: "checkbox", Role: "checkbox", Name: "Delete"}, post),
	} {
		if got := OpenerKey(a); got != "" {
			t.Errorf("%s: key %q, want none", name, got)
		}
	}
}
