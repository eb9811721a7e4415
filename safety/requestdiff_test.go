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
