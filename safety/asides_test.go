package safety

import (
	"strings"
	"testing"
)

// TestAsides: some buttons of a form do not do what the form is for. Beside each stands a neighbour that
// looks much like it and is asked about.
func TestAsides(t *testing.T) {
	hidden := func(pairs ...string) (out []Field) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, Field{Name: pairs[i], Type: "hidden", Value: pairs[i+1]})
		}
		return out
	}
	opens := func(name string, pairs ...string) *Target {
		return submit(name, form("https://a.test/milestone/autumn", "get", hidden(pairs...)...))
	}
	among := func(name, context string, buttons []string, fields ...Field) *Target {
		f := form("https://a.test/ticket/1", "post", fields...)
		f.Buttons = buttons
		return with(submit(name, f), func(t *Target) { t.Context = context })
	}
	leave := Field{Name: "action", Type: "radio", Label: "leave", Value: "leave"}
	text := Field{Name: "comment", Type: "textarea", Value: "Close it."}
	runs := func(name, key, statement string) *Target {
		return submit(name, form("https://a.test/db?sql=", "post", Field{Name: key, Type: "textarea", Value: statement}))
	}
	for _, c := range []struct {
		what string
		t    *Target
		asks bool
	}{
		{"a form that opens another", with(opens("Edit milestone", "action", "edit"), func(t *Target) { t.Context = "there is no due date and nobody has closed it" }), false},
		{"one that begins an answer", opens("↳ Reply", "replyto", "3"), false},
		{"one that opens a form, by POST", with(submit("Frobnicate", form("https://a.test/milestone/autumn", "post", hidden("action", "edit")...)), func(t *Target) {
			t.Context = "there is no due date and nobody has closed it"
		}), true},
		{"an address that deletes", opens("Frobnicate", "action", "delete"), true},
		{"a deletion by GET", opens("Delete milestone", "id", "4"), true},
		{"an order by GET", opens("Buy now", "product", "4"), true},
		{"a form with something written in it", submit("↳ Reply", form("https://a.test/ticket/1", "get", Field{Name: "comment", Type: "text", Value: "Yes"})), true},
		{"a form to another site", submit("Frobnicate", form("https://b.test/milestone", "get", hidden("a", "b")...)), true},

		{"what calls a deletion off", among("Cancel", "This is an irreversible operation. Cancel Delete page", []string{"Cancel", "Delete page"}), false},
		{"what cancels an order", among("Cancel", "Cancel your order? Keep it", []string{"Cancel", "Delete page"}), true},
		{"what cancels beside a button for it", among("Cancel", "This is an irreversible operation.", []string{"Cancel", "Cancel and delete"}), true},
		{"a cancellation that is the only button", among("Cancel", "This is an irreversible operation.", []string{"Cancel"}), true},
		{"what answers a question about cancelling", among("Cancel", "Do you want to cancel? Cancel Delete page", []string{"Cancel", "Delete page"}), true},
		{"a cancellation of something", among("Cancel order", "This is an irreversible operation.", []string{"Cancel order", "Delete page"}), true},

		{"a draft that is shown", among("Preview", "", []string{"Preview", "Submit changes"}, leave, text), false},
		{"a draft that is shown and sent", among("Preview & send", "", []string{"Preview & send", "Submit changes"}, leave, text), true},
		{"a draft that is shown and published", among("Preview publish", "", []string{"Preview publish", "Submit changes"}, leave, text), true},
		{"in what a draft differs", among("Review Changes", "", []string{"Preview", "Review Changes", "Submit changes"}, leave, text), false},
		{"a review that is published", among("Review product", "", []string{"Preview", "Review product", "Submit changes"}, leave, text), true},
		{"a form with a password", among("Preview", "", []string{"Preview", "Submit changes"}, Field{Name: "p", Type: "password", Secret: "password"}), true},
		{"what sends that draft", among("Submit changes", "", []string{"Preview", "Submit changes"}, leave, text), true},

		{"a language by its address", submit("Deutsch", form("https://a.test/set-language/de", "post", hidden("csrf_token", "x")...)), false},
		{"one by a hidden field", submit("Deutsch", form("https://a.test/i18n/", "post", hidden("language", "de", "next", "/")...)), false},
		{"one by the button's value", with(submit("Deutsch", form("https://a.test/i18n/setlang/", "post")), func(t *Target) { t.Value = "de" }), false},
		{"a language with another command", submit("Deutsch", form("https://a.test/set-language/de", "post", hidden("op", "publish")...)), true},
		{"an address that does something else", submit("Deutsch", form("https://a.test/unlock/de", "post")), true},
		{"one that deletes, with a language", submit("Deutsch", form("https://a.test/account/delete", "post", hidden("language", "de")...)), true},
		{"a deed with such an address", submit("Delete German", form("https://a.test/set-language/de", "post")), true},

		{"a page that others link to gets another name", with(submit("Rename page", form("https://a.test/wiki/Handbook", "post", Field{Name: "new_name", Type: "text", Value: "Rules"})), func(t *Target) { t.Context = "Rename Handbook · New name: Rename page" }), true},
		{"what opens the form for it", opens("Rename page", "action", "rename"), false},
		{"a folder of one's own", submit("Rename folder", form("https://a.test/folders/4", "post", Field{Name: "name", Type: "text", Value: "Rules"})), false},

		{"a statement that reads", runs("Execute", "query", "SELECT * FROM orders WHERE total > 3"), false},
		{"a plan of one", runs("Execute", "query", "EXPLAIN QUERY PLAN SELECT * FROM customers;"), false},
		{"one that deletes", runs("Execute", "query", "DELETE FROM orders"), true},
		{"two", runs("Execute", "query", "SELECT 1; DELETE FROM orders"), true},
		{"one that nobody knows", runs("Execute", "query", "VACUUM"), true},
		{"one in a field of another name", runs("Execute", "plan", "SELECT 1"), true},
		{"one with a second text", submit("Execute", form("https://a.test/db", "post", Field{Name: "query", Type: "textarea", Value: "SELECT 1"}, Field{Name: "script", Type: "textarea", Value: "x"})), true},
		{"a deed with such a field", runs("Delete all", "query", "SELECT 1"), true},
	} {
		d := Judge(click(c.t, page), Context{})
		if (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %v, want asked %v", c.what, d.Level, d.Reasons, c.asks)
		}
	}
}

// TestReadsOnly: of statements and commands only those count as reading that change nothing in any database.
func TestReadsOnly(t *testing.T) {
	for _, s := range []string{
		"select 1", "SELECT name, count(*) FROM customers GROUP BY name ORDER BY 2 LIMIT 5", "SHOW TABLES", "DESCRIBE orders", "explain select * from t",
	} {
		if !readsOnly(s) {
			t.Errorf("%q does not count as reading", s)
		}
	}
	for _, s := range []string{
		"", "delete from t", "select * into copy from t", "select 1; drop table t", "select pg_terminate_backend(4)", "select setval('s', 1)", "select load_extension('x')",
		"explain analyze delete from t", "explain delete from t", "with x as (delete from t returning *) select * from x", "select * from t for update", "pragma writable_schema=1",
		"select 1 -- x", "select /* x */ 1", "select * from t into outfile 'x'", "call f()", "select (f)()", `select "setval"('s', 1)`, "select nextval ('s')", "select dbo.f (1)", "select @x := 1", "selection",
	} {
		if readsOnly(s) {
			t.Errorf("%q counts as reading", s)
		}
	}
	for s, want := range map[string]bool{
		"get banner": true, "GET a:b:1": true, "keys *": true, "hgetall prices": true, "set a 1": false, "getdel a": false, "getset a 1": false, "flushall": false, "config get dir": false,
		"get a; rm b": false, "get a\nset a 1": false, "get $(rm b)": false, "eval x": false, "": false, "time rm a": false, "debug sleep 9": false, "sort a store b": false,
	} {
		if readsKeys(s) != want {
			t.Errorf("%q: reads %v", s, !want)
		}
	}
}

// TestAsidesAreSentAsTheyStood: what such a button sends is judged where it is not what its form held.
func TestAsidesAreSentAsTheyStood(t *testing.T) {
	f := form("https://a.test/page", "post", Field{Name: "action", Type: "hidden", Value: "delete"}, Field{Name: "text", Type: "textarea", Value: "x"})
	f.Buttons = []string{"Cancel", "Delete page"}
	off := click(submit("Cancel", f), "https://a.test/page")
	deletes := click(submit("Delete page", f), "https://a.test/page")
	statement := click(submit("Execute", form("https://a.test/db", "post", Field{Name: "query", Type: "textarea", Value: "SELECT 1"})), "https://a.test/db")
	language := Act{Action: "select", Base: Write, Page: Page{URL: "https://a.test/"}, Text: "Deutsch", Target: &Target{
		Tag: "select", Role: "combobox", Name: "Language", OnChange: true, FrameURL: "https://a.test/",
		Form: form("https://a.test/", "post", Field{Name: "lang", Type: "select-one", Value: "English"}, Field{Name: "token", Type: "hidden", Value: "1:2"}),
	}}
	if d := Judge(language, Context{}); d.Level >= Confirm {
		t.Errorf("the language of a page: %s %v", d.Level, d.Reasons)
	}
	command := Act{Action: "pressKey", Key: "Enter", Base: Submit, Page: Page{URL: "https://a.test/"}, Target: &Target{Tag: "span", Role: "textbox", Name: "redis>", HasHandler: true, FrameURL: "https://a.test/"}}
	for _, c := range []struct {
		what            string
		act             Act
		kind, url, body string
		asks            bool
	}{
		{"what calls off", off, "document", "https://a.test/page", "action=delete&text=x&cancel=Cancel", false},
		{"another operation", off, "document", "https://a.test/page", "action=purge&text=x", true},
		{"another address", off, "document", "https://a.test/page/delete", "action=delete&text=x", true},
		{"a script that sends it", off, "fetch", "https://a.test/page", "action=delete&text=x&cancel=Cancel", true},
		{"what does it", deletes, "document", "https://a.test/page", "action=delete&text=x&delete=Delete", true},
		{"a statement that reads", statement, "document", "https://a.test/db", "query=SELECT+1&limit=", false},
		{"another one than the form showed", statement, "document", "https://a.test/db", "query=VACUUM&limit=", true},
		{"one that deletes", statement, "document", "https://a.test/db", "query=DELETE+FROM+t", true},
		{"a language", language, "document", "https://a.test/", "lang=de&token=1:2", false},
		{"a language and more", language, "document", "https://a.test/", "lang=de&publish=1", true},
		{"a command in place of one", language, "document", "https://a.test/", "lang=delete+everything&token=1:2", true},
		{"a command that reads", command, "xhr", "https://a.test/api/exec/db0", "cmd=get+banner", false},
		{"a command that deletes", command, "xhr", "https://a.test/api/exec/db0", "cmd=del+banner", true},
		{"a command that reads and more", command, "xhr", "https://a.test/api/exec/db0", "cmd=get+banner&then=del+banner", true},
	} {
		d := JudgeRequest(Request{Method: "POST", URL: c.url, Type: c.kind, Mime: "application/x-www-form-urlencoded", Body: c.body}, c.act, Context{})
		if (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s %v, want asked %v", c.what, d.Level, d.Reasons, c.asks)
		}
	}
}

// TestALanguageMenuIsNoOtherMenu: a menu that is not of the language alone is asked about as before.
func TestALanguageMenuIsNoOtherMenu(t *testing.T) {
	for name, fields := range map[string][]Field{
		"another field":   {{Name: "lang", Type: "select-one", Value: "en"}, {Name: "title", Type: "text", Value: "x"}},
		"another menu":    {{Name: "role", Type: "select-one", Value: "admin"}},
		"a hidden verb":   {{Name: "lang", Type: "select-one", Value: "en"}, {Name: "action", Type: "hidden", Value: "publish"}},
		"a hidden secret": {{Name: "lang", Type: "select-one", Value: "en"}, {Name: "p", Type: "hidden", Secret: "password"}},
	} {
		j := &judgement{}
		if j.choosesLanguage(&Target{Tag: "select", Form: form("https://a.test/", "post", fields...)}) {
			t.Errorf("%s: counts as a menu of languages", name)
		}
	}
}

// TestADialogIsOfWhatWasPressed: "Are you sure?" has the class of the button before it, and that lowers nothing.
func TestADialogIsOfWhatWasPressed(t *testing.T) {
	for pressed, want := range map[string]Class{"Drop": Destroy, "Pay now": Purchase, "": Communicate, "Next page": Communicate} {
		act := Act{Action: "handleDialog", Base: Submit, Params: []byte(`{"accept":true}`), Page: Page{URL: page, Dialog: "Are you sure?"}, Target: &Target{
			Tag: "dialog", Role: "dialog", Name: "Are you sure?", Type: "confirm", Context: pressed, FrameURL: page,
		}}
		if d := Judge(act, Context{}); d.Level != Confirm || d.Class != want {
			t.Errorf("after %q: %s %s %v, want %s", pressed, d.Level, d.Class, d.Reasons, want)
		}
	}
}

// TestNamesBesideAreNoStatement: "Alter table" among links is no statement.
func TestNamesBesideAreNoStatement(t *testing.T) {
	for text, want := range map[string]bool{
		"Select data · Show structure · Alter table · New item": false, "ALTER TABLE notes ADD x int": true, "alter table notes rename to papers": true,
		"Users Roles Delete Create User Username Roles Admin": false, "Create table Import": false, "CREATE DATABASE shop": true, "select 1; create user tom": true,
		"create table if not exists t (x int)": true, "Statement CREATE USER tom IDENTIFIED BY 'x'": true,
	} {
		if writes.MatchString(text) != want {
			t.Errorf("%q: a statement %v", text, !want)
		}
	}
	if strings.TrimSpace(writes.FindString("Alter table")) != "" {
		t.Error("a bare name is a statement")
	}
}
