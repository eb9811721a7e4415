package safety

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestChangedOnly: of a page's whole state only what an act changed is judged; a command is
// judged as it is, however often it is sent.
func TestChangedOnly(t *testing.T) {
	state := func(change func(rows []map[string]any) []map[string]any) string {
		var rows []map[string]any
		for i := range 20 {
			rows = append(rows, map[string]any{"id": i, "title": "Row", "status": []string{"open", "cancelled"}[i%2], "starred": false, "by": "ann"})
		}
		if change != nil {
			rows = change(rows)
		}
		b, err := json.Marshal(map[string]any{"rows": rows, "theme": "light"})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := state(nil)
	for name, c := range map[string]struct {
		body string
		want string
	}{
		"a star":   {state(func(r []map[string]any) []map[string]any { r[4]["starred"] = true; return r }), `{"rows":[{"starred":true}]}`},
		"a status": {state(func(r []map[string]any) []map[string]any { r[4]["status"] = "cancelled"; return r }), `{"rows":[{"status":"cancelled"}]}`},
		"removed":  {state(func(r []map[string]any) []map[string]any { return append(r[:4], r[5:]...) }), `{"rows":[{"deleted":true}]}`},
		"added": {state(func(r []map[string]any) []map[string]any {
			return append(r, map[string]any{"id": 99, "to": "ida@b.test", "body": "Hello"})
		}), `{"rows":[{"body":"Hello","id":99,"to":"ida@b.test"}]}`},
		"drawn up anew": {state(func(r []map[string]any) []map[string]any {
			return append(r[:19], map[string]any{"id": 99, "title": "Row", "status": "open", "starred": false, "by": "ann"})
		}), `{"rows":[{"by":"ann","id":99,"starred":false,"status":"open","title":"Row"}]}`},
		"a command": {`{"status":"cancelled","id":4}`, `{"status":"cancelled","id":4}`},
	} {
		if got := ChangedOnly(c.body, before); got != c.want {
			t.Errorf("%s: %s, want %s", name, clip(got, 200), c.want)
		}
	}
	for name, same := range map[string]string{"the same state": before, "the same command": `{"status":"cancelled","id":4}`} {
		if got := ChangedOnly(same, same); got != same {
			t.Errorf("%s: %s", name, clip(got, 200))
		}
	}
	whole := strings.Replace(before, `{"rows"`, `{"action":"pay","rows"`, 1)
	if got := ChangedOnly(whole, before); got != whole {
		t.Errorf("a command with a state: %s", clip(got, 200))
	}
	press := click(button("Zapzap"), "https://a.test/x")
	press.Target.Name, press.Target.Text = "Mark", "Mark"
	for name, c := range map[string]struct {
		change func(r []map[string]any) []map[string]any
		class  Class
	}{
		"a star":   {func(r []map[string]any) []map[string]any { r[4]["starred"] = true; return r }, ""},
		"a status": {func(r []map[string]any) []map[string]any { r[4]["status"] = "cancelled"; return r }, Destroy},
		"removed":  {func(r []map[string]any) []map[string]any { return append(r[:4], r[5:]...) }, Destroy},
	} {
		d := JudgeRequest(Request{Method: "PUT", URL: "https://a.test/api/state", Type: "fetch", Mime: "application/json", Body: ChangedOnly(state(c.change), before)}, press, Context{})
		if (d.Level >= Confirm) != (c.class != "") || c.class != "" && d.Class != c.class {
			t.Errorf("%s: %s %s %v", name, d.Level, d.Class, d.Reasons)
		}
	}
}

// TestAChangedRecordBinds: what changes of an invoice that was sent is asked about, of a draft not.
func TestAChangedRecordBinds(t *testing.T) {
	state := func(status, title string) string {
		var rows []map[string]any
		for i := range 20 {
			rows = append(rows, map[string]any{"id": i, "title": "Row", "status": "draft", "total": 12.5, "by": "ann"})
		}
		rows[4]["status"], rows[4]["title"] = status, title
		b, err := json.Marshal(map[string]any{"invoices": rows})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for status, asks := range map[string]bool{"sent": true, "awaiting_payment": true, "draft": false} {
		body := ChangedOnly(state(status, "Other"), state(status, "Row"))
		r := Request{Method: "PUT", URL: "https://a.test/api/state", Type: "fetch", Mime: "application/json", Body: body, Changes: true}
		if d := JudgeRequest(r, click(button("Save"), page), Context{}); (d.Level >= Confirm) != asks {
			t.Errorf("%s: %s: %s %v", status, body, d.Level, d.Reasons)
		}
	}
}

// TestAStatusThatTurns: of a whole state a record of others' that was ended or opened again is asked
// about; a part of the page, a filter and what is one's own to do is not.
func TestAStatusThatTurns(t *testing.T) {
	type rows = map[string]any
	state := func(list string, change func(r rows)) string {
		var out []rows
		for i := range 20 {
			out = append(out, rows{"id": "r" + string(rune('a'+i)), "title": "Row", "status": "open", "resolved": false, "by": "ann"})
		}
		change(out[4])
		b, err := json.Marshal(map[string]any{list: out, "filters": rows{"status": out[4]["filter"], "sort": "new"}, "byId": rows{"17": rows{"status": out[4]["other"], "a": 1, "b": 2, "c": 3}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	set := func(key string, v any) func(rows) { return func(r rows) { r[key] = v } }
	for name, c := range map[string]struct {
		list      string
		was, then func(rows)
		class     Class
	}{
		"closed":              {"epics", set("status", "open"), set("status", "closed"), Destroy},
		"a milestone":         {"milestones", set("status", "active"), set("status", "closed"), Destroy},
		"another language":    {"casos", set("status", "abierto"), set("status", "Cerrado"), Destroy},
		"resolved":            {"comments", set("resolved", false), set("resolved", true), Destroy},
		"locked":              {"topics", set("state", "open"), set("state", "locked"), Settings},
		"opened again":        {"issues", set("status", "closed"), set("status", "open"), Settings},
		"unresolved":          {"comments", set("resolved", true), set("resolved", false), Settings},
		"by its id":           {"issues", set("other", "open"), set("other", "closed"), Destroy},
		"closed all along":    {"issues", set("status", "closed"), func(r rows) { r["status"], r["title"] = "closed", "Other" }, ""},
		"under way":           {"issues", set("status", "open"), set("status", "doing"), ""},
		"a filter":            {"issues", set("filter", "open"), set("filter", "closed"), ""},
		"a dialog":            {"dialogs", set("state", "open"), set("state", "closed"), ""},
		"a tab":               {"openTabs", set("state", "open"), set("state", "closed"), ""},
		"a task of one's own": {"todos", set("status", "closed"), set("status", "pending"), ""},
	} {
		body := ChangedOnly(state(c.list, c.then), state(c.list, c.was))
		r := Request{Method: "PUT", URL: "https://a.test/api/state", Type: "fetch", Mime: "application/json", Body: body, Changes: true}
		d := JudgeRequest(r, click(button("Close"), page), Context{})
		if (d.Level >= Confirm) != (c.class != "") || c.class != "" && d.Class != c.class {
			t.Errorf("%s: %s: %s %s %v", name, clip(body, 300), d.Level, d.Class, d.Reasons)
		}
	}
}

// TestADraftIsKept: of a whole state the draft of a message is not sent; once it is no draft it is.
func TestADraftIsKept(t *testing.T) {
	state := func(mail map[string]any) string {
		var mails []map[string]any
		for i := range 20 {
			mails = append(mails, map[string]any{"id": i, "subject": "Row", "from": "ann", "isDraft": false, "read": true})
		}
		if mail != nil {
			mails = append(mails, mail)
		}
		b, err := json.Marshal(map[string]any{"mails": mails})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	mail := func(draft bool, key string, v any) map[string]any {
		return map[string]any{"id": 99, "to": []any{map[string]any{"email": "ida@b.test"}}, "recipient": "ida@b.test", "body": "Hello", "isDraft": draft, key: v}
	}
	for name, c := range map[string]struct {
		was, now map[string]any
		asks     bool
	}{
		"kept":                    {nil, mail(true, "read", true), false},
		"written on":              {mail(true, "read", true), mail(true, "body", "Hello you"), false},
		"sent at once":            {nil, mail(false, "read", true), true},
		"sent":                    {mail(true, "read", true), mail(false, "read", true), true},
		"a draft of a payment":    {nil, mail(true, "amount", 900), true},
		"the mark as a text":      {nil, mail(false, "isDraft", "true"), true},
		"a draft in another sent": {nil, map[string]any{"id": 98, "to": "ida@b.test", "body": "Hello", "quoted": mail(true, "read", true)}, true},
	} {
		body := ChangedOnly(state(c.now), state(c.was))
		r := Request{Method: "PUT", URL: "https://a.test/api/state", Type: "fetch", Mime: "application/json", Body: body, Changes: true}
		if d := JudgeRequest(r, click(button("Close"), page), Context{}); (d.Level >= Confirm) != c.asks {
			t.Errorf("%s: %s: %s %v", name, clip(body, 300), d.Level, d.Reasons)
		}
	}
}
