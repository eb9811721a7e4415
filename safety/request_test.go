package safety

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// requestCase is a line of testdata/requests.txt.
type requestCase struct {
	line  int
	want  []Class // none for what goes unasked
	group string
	r     Request
}

var bodyMimes = map[string]string{
	"form:": "application/x-www-form-urlencoded", "xml:": "text/xml", "gwt:": "text/x-gwt-rpc; charset=utf-8", "gql:": "application/graphql", "multi:": "multipart/form-data; boundary=b",
}

func requestCases(t testing.TB) []requestCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []requestCase
	group := ""
	for n, line := range strings.Split(string(raw), "\n") {
		if strings.HasPrefix(line, "# ") {
			group = line[2:]
		}
		if line == "" || line[0] == '#' {
			continue
		}
		want, rest, _ := strings.Cut(line, " ")
		c := requestCase{line: n + 1, group: group, r: parseRequest(rest)}
		if want != "-" {
			for w := range strings.SplitSeq(want, "/") {
				if !slices.Contains(Classes, Class(w)) {
					t.Fatalf("line %d: class %q", n+1, w)
				}
				c.want = append(c.want, Class(w))
			}
		}
		out = append(out, c)
	}
	return out
}

// parseRequest reads "METHOD URL BODY"; OPEN is a page that is opened.
func parseRequest(text string) Request {
	method, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	to, body, _ := strings.Cut(rest, " ")
	r := Request{Method: method, URL: to, Type: "fetch", Mime: "application/json", Body: body}
	if method == "OPEN" {
		r.Method, r.Type = "GET", "document"
	}
	if i := strings.IndexByte(body, ':') + 1; bodyMimes[body[:i]] != "" {
		r.Body = strings.ReplaceAll(body[i:], `\r\n`, "\r\n")
		if !strings.HasPrefix(r.Body, `{"`) {
			r.Mime = bodyMimes[body[:i]]
		}
	}
	if strings.HasPrefix(body, "[{\"op\"") {
		r.Mime = "application/json-patch+json"
	}
	return r
}

// press on a control whose words say nothing, on a page without a sum
func blindPress(page string) Act { return click(button("Zapzap"), page) }

func judgeRequest(r Request, p *Policy, consents ...Consent) Decision {
	return JudgeRequest(r, blindPress("https://app.test/x"), Context{Sites: []string{"app.test"}, Policy: p, Consents: consents})
}

// TestKeyTakenForAPress: any key on a control of a deed may be what does it, if a request
// follows that says nothing; a key elsewhere is none.
func TestKeyTakenForAPress(t *testing.T) {
	r := Request{Method: "POST", URL: "https://app.test/ajax/bz", Type: "fetch", Mime: "application/json", Body: `{"a":1}`}
	for _, c := range []struct {
		key, name string
		asked     bool
	}{{"a", "Pay now", true}, {"ArrowDown", "Pay now", true}, {"Tab", "Delete account", true}, {"a", "Inbox", false}, {"ArrowDown", "Show more", false}} {
		a := click(button(c.name), "https://app.test/x")
		a.Action, a.Key = "pressKey", c.key
		d := Judge(a, Context{Sites: []string{"app.test"}})
		if d.Level >= Confirm || !HoldsRequests(a, d) {
			t.Errorf("%s on %s: %v, its requests are judged: %t", c.key, c.name, d.Level, HoldsRequests(a, d))
		}
		if got := JudgeRequest(r, a, Context{Sites: []string{"app.test"}}); got.Level >= Confirm != c.asked {
			t.Errorf("%s on %s: the request is %v %v", c.key, c.name, got.Level, got.Reasons)
		}
	}
}

func TestRequests(t *testing.T) {
	asked, harmless := 0, 0
	for _, c := range requestCases(t) {
		d := JudgeRequest(c.r, blindPress("https://page.test/x"), Context{})
		switch {
		case len(c.want) == 0:
			harmless++
			if d.Level != Auto {
				t.Errorf("line %d: %s %s %s: asked: %v", c.line, c.r.Method, c.r.URL, clip(c.r.Body, 80), d.Reasons)
			}
		case d.Level != Confirm:
			t.Errorf("line %d: %s %s %s: not asked", c.line, c.r.Method, c.r.URL, clip(c.r.Body, 80))
		case !slices.Contains(c.want, d.Class):
			t.Errorf("line %d: %s %s: %s, not %s: %v", c.line, c.r.Method, c.r.URL, d.Class, c.want, d.Reasons)
		}
		if len(c.want) > 0 {
			asked++
			if d.Level == Confirm && (len(d.Reasons) == 0 || d.Reasons[0].Rule != ruleRequest || len(d.Details) == 0 || !strings.Contains(d.Details[0], c.r.Method)) {
				t.Errorf("line %d: no reason or detail: %v %v", c.line, d.Reasons, d.Details)
			}
		}
	}
	if asked < 125 || harmless < 125 {
		t.Errorf("%d requests that are asked about and %d harmless ones are too few", asked, harmless)
	}
	t.Logf("%d asked about, %d harmless", asked, harmless)
}

// more are fields that a page may add to any body.
var moreJSON = []string{
	`"action":"search"`, `"status":"draft"`, `"note":"please do not delete"`, `"x":null`, `"a":[{"b":[1,2]}]`, `"preview":true`, `"dryRun":true`, `"type":"list"`, `"method":"get"`,
	`"delete":false`, `"cancel":0`, `"operation":"view"`, `"op":"list_orders"`, `"_method":"GET"`, `"draft":true`, `"state":"open"`, `"operationName":"GetCart"`, `"variables":{"status":"OPEN"}`,
}

// What a body holds besides lowers nothing.
func TestAddingFieldsNeverLowers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, c := range requestCases(t) {
		before := JudgeRequest(c.r, blindPress("https://page.test/x"), Context{})
		for range 8 {
			q := c.r
			switch {
			case q.Body == "":
				q.Body = "{" + pick(r, moreJSON) + "}"
			case q.Body[0] == '{' && len(q.Body) > 2:
				q.Body = "{" + pick(r, moreJSON) + "," + pick(r, moreJSON) + "," + q.Body[1:]
			case strings.Contains(q.Mime, "urlencoded"):
				q.Body = pick(r, []string{"action=search", "op=list", "status=open", "_method=get", "intent=preview", "draft=1", "note=do+not+delete"}) + "&" + q.Body
			default:
				continue
			}
			n++
			after := JudgeRequest(q, blindPress("https://page.test/x"), Context{})
			if after.Level < before.Level || before.Level == Confirm && gravity[after.Class] < gravity[before.Class] {
				t.Fatalf("line %d: %s %s %s: %s %s becomes %s %s", c.line, q.Method, q.URL, q.Body, before.Level, before.Class, after.Level, after.Class)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d tried", n)
	}
}

// Prose in a body is a user's or a page's, and says nothing of what is done.
func TestProseIsNotJudged(t *testing.T) {
	for _, text := range []string{
		"please delete my account and cancel the order", "Confirm payment now", "I want to send money to Ann", "DELETE FROM orders", "how do I unsubscribe?", "取消订单，删除账户",
	} {
		for _, key := range []string{"text", "title", "body", "comment", "q", "note", "name", "value", "description", "label"} {
			r := Request{Method: "PATCH", URL: "https://app.test/api/documents/4", Mime: "application/json", Body: `{"` + key + `":"` + text + `"}`}
			if d := JudgeRequest(r, blindPress("https://page.test/x"), Context{}); d.Level != Auto {
				t.Errorf("%s: %s: %v", key, text, d.Reasons)
			}
		}
	}
}

func TestRequestCards(t *testing.T) {
	r := Request{
		Method: "POST", URL: "https://shop.test/api/orders/pay?token=abcd", Mime: "application/json",
		Body: `{"csrf_token":"s3cr3t-1","password":"hunter2","cvc":"123","note":"card 4111 1111 1111 1111","amount":12,"to":"Ann","one":"1","two":"2","three":"3","four":"4","session":"0123456789abcdef0123456789abcdef"}`,
	}
	a := blindPress("https://shop.test/x")
	a.Page.Amounts = []string{"$12.00"}
	d := JudgeRequest(r, a, Context{})
	all := strings.Join(append(d.Details, d.Reasons[0].Text), "\n")
	for _, secret := range []string{"s3cr3t", "hunter2", "123\n", "4111 1111", "abcd", "0123456789abcdef"} {
		if strings.Contains(all, secret) {
			t.Errorf("the card shows %q:\n%s", secret, all)
		}
	}
	if d.Class != Purchase || d.Amount != "$12.00" || d.Details[0] != "POST shop.test/api/orders/pay" || len(d.Details) > 1+maxShown || !strings.Contains(all, "to: Ann") {
		t.Errorf("%s %q\n%s", d.Class, d.Amount, all)
	}
	if want := "The page is about to send POST shop.test/api/orders/pay, which says: pay"; d.Reasons[0].Text != want {
		t.Errorf("%q, not %q", d.Reasons[0].Text, want)
	}
	zh := JudgeRequest(r, a, Context{Lang: "zh"})
	if !strings.Contains(zh.Reasons[0].Text, "页面即将发送 POST shop.test/api/orders/pay") {
		t.Errorf("%q", zh.Reasons[0].Text)
	}
}

// The user's policy counts for requests as for acts.
func TestPolicyOfRequests(t *testing.T) {
	del := Request{Method: "DELETE", URL: "https://app.test/api/orders/4"}
	say := Request{Method: "POST", URL: "https://api.app.test/messages/send"}
	none := Request{Method: "POST", URL: "https://other.test/ajax/bz"}
	for _, c := range []struct {
		name, policy string
		r            Request
		want         Level
		once         int
	}{
		{"standard", "preset: standard\n", del, Confirm, 0},
		{"nothing lowers a deletion", "preset: trusting\nsites:\n  app.test: {communicate: auto}\n", del, Confirm, 0},
		{"trusting asks once to send", "preset: trusting\n", say, Confirm, 1},
		{"allowed", "sites:\n  app.test: {communicate: auto}\n", say, Auto, 0},
		{"forbidden by class", "sites:\n  app.test: {communicate: block}\n", say, Block, 0},
		{"forbidden where it goes", "sites:\n  api.app.test: block\n", say, Block, 0},
		{"what says nothing to others is no deed", "sites:\n  app.test: {all: confirm}\n", none, Auto, 0},
	} {
		d := judgeRequest(c.r, mustPolicy(t, c.policy))
		if d.Level != c.want || len(d.Once) != c.once {
			t.Errorf("%s: %s, once %v: %v", c.name, d.Level, d.Once, d.Reasons)
		}
		for _, once := range d.Once {
			if again := judgeRequest(c.r, mustPolicy(t, c.policy), once); again.Level != Notify {
				t.Errorf("%s: after a yes %s", c.name, again.Level)
			}
		}
	}
	for _, class := range guardedClasses {
		p := &Policy{Sites: map[string]map[Class]Setting{"app.test": {class: SetAuto}}}
		if d := judgeRequest(del, p); d.Level < Confirm {
			t.Errorf("a file that lowers %s lets a deletion pass", class)
		}
	}
}

// What the gate can't make out is asked about where it sends what nobody can
// make out either, to the page's own site or what is hosted for it.
func TestUnknownRequests(t *testing.T) {
	at := func(label, context string) Act {
		b := button(label)
		b.Context = context
		return click(b, "https://app.test/plan")
	}
	fares, plain := at("Zapzap", "Cabin · Standard $0 Front $52.00 Zapzap"), at("Zapzap", "Foo · Photos Files Zapzap")
	to := func(method, url, body string) Request {
		return Request{Method: method, URL: url, Type: "fetch", Mime: "application/json", Body: body}
	}
	own := to("POST", "https://app.test/ajax/bz", `{"a":1}`)
	gql := "https://app.test/graphql"
	enter := func(t Target) Act {
		t.Tag, t.Role, t.Editable, t.HasHandler = "input", "textbox", true, true
		return Act{Action: "pressKey", Base: Write, Key: "Enter", Target: &t, Page: Page{URL: "https://app.test/plan"}}
	}
	letter := enter(Target{})
	letter.Key = "a"
	for name, c := range map[string]struct {
		r    Request
		act  Act
		want Level
	}{
		"at stake":              {own, fares, Confirm},
		"nothing at stake":      {own, plain, Confirm},
		"a change":              {to("PATCH", "https://api.app.test/v1/things/4", `{"x":false}`), plain, Confirm},
		"a known control":       {own, at("Show more", "Cabin · Standard $0 Front $52.00 Show more"), Auto},
		"another site":          {to("POST", "https://other.test/ajax/bz", ""), fares, Auto},
		"a hosted store":        {to("PATCH", "https://abcdefgh.supabase.co/rest/v1/things?id=eq.4", `{"x":1}`), plain, Confirm},
		"a hosted function":     {to("POST", "https://us-central1-zap.cloudfunctions.net/zap", ""), plain, Confirm},
		"a name that ends so":   {to("POST", "https://notsupabase.co/zap", ""), plain, Auto},
		"a host that counts":    {to("POST", "https://events.app.test/zap", ""), plain, Auto},
		"a look":                {to("POST", "https://app.test/seats/search", ""), fares, Auto},
		"a look at a thing":     {to("POST", "https://app.test/search/seats/4/next", ""), fares, Auto},
		"an act on a thing":     {to("POST", "https://app.test/stores/export/files/4/sync", ""), plain, Confirm},
		"a read":                {to("GET", "https://app.test/ajax/bz", ""), fares, Auto},
		"a heartbeat":           {to("POST", "https://app.test/heartbeat", ""), fares, Auto},
		"a basket":              {to("POST", "https://app.test/me/cesta", `{"sku":"4"}`), fares, Auto},
		"a query":               {to("POST", gql, `{"operationName":"Zap","query":"query Zap { zap { id } }"}`), fares, Auto},
		"a query by its name":   {to("POST", gql, `{"operationName":"FareEstimateQuery","extensions":{}}`), fares, Auto},
		"a mutation of baskets": {to("POST", gql, `{"query":"mutation BagAdd { bagAddItem(sku: 4) { id } }"}`), fares, Auto},
		"a mutation":            {to("POST", gql, `{"query":"mutation Zap { zap(id: 4) { id } }"}`), plain, Confirm},
		"a number":              {to("POST", gql, `{"doc_id":"7711"}`), plain, Confirm},
		"mail that is read":     {to("POST", "https://app.test/jmap/", `{"methodCalls":[["Email/query",{},"0"],["Email/get",{},"1"]]}`), plain, Auto},
		"mail that is moved":    {to("POST", "https://app.test/jmap/", `{"methodCalls":[["Email/get",{},"0"],["Email/set",{},"1"]]}`), plain, Confirm},
		"a look by a method":    {to("POST", "https://app.test/transmission/rpc", `{"method":"torrent-reannounce","arguments":{"ids":[3]}}`), plain, Auto},
		"a method that gets":    {to("POST", "https://app.test/transmission/rpc", `{"method":"torrent-get","arguments":{"fields":["id"]}}`), plain, Auto},
		"another method":        {to("POST", "https://app.test/transmission/rpc", `{"method":"torrent-zap","arguments":{"ids":[3]}}`), plain, Confirm},
		"a method elsewhere":    {to("POST", "https://app.test/zap", `{"method":"check"}`), plain, Confirm},
		"a word in a body":      {to("POST", "https://app.test/zap", `{"action":"search"}`), plain, Confirm},
		"only Set":              {own, at("Set", ""), Confirm},
		"only Set, in Russian":  {own, at("Задать", ""), Confirm},
		"Set, of a view":        {own, at("Set language", ""), Auto},
		"Set, and a look":       {to("POST", "https://app.test/seats/search", ""), at("Set", ""), Auto},
		"Enter, no name":        {own, enter(Target{}), Confirm},
		"Enter, a name":         {own, enter(Target{Name: "Title"}), Auto},
		"Enter, a search":       {own, enter(Target{Type: "search"}), Auto},
		"Enter, and a look":     {to("POST", "https://app.test/seats/search", ""), enter(Target{}), Auto},
		"a letter, no name":     {own, letter, Auto},
	} {
		if d := JudgeRequest(c.r, c.act, Context{Sites: []string{"app.test"}}); d.Level != c.want {
			t.Errorf("%s: %s %v", name, d.Level, d.Reasons)
		}
	}
}

func TestHoldsRequests(t *testing.T) {
	search := submit("Go", &Form{Action: "https://app.test/find", Method: "get", Search: true, Fields: []Field{{Name: "q", Type: "search"}}})
	filter := func(handled bool) *Target {
		b := submit("Zapzap", &Form{Action: "https://app.test/list", Method: "get", Fields: []Field{{Name: "url", Type: "text"}, {Name: "all", Type: "checkbox"}}})
		b.HasHandler = handled
		return b
	}
	chosen := &Target{Tag: "select", Role: "combobox", Name: "Country", FrameURL: "https://app.test/x"}
	sorted := &Target{Tag: "select", Role: "combobox", Name: "Sort by", FrameURL: "https://app.test/x"}
	for name, c := range map[string]struct {
		act  Act
		want bool
	}{
		"an unknown button":       {click(button("Zapzap"), "https://app.test/x"), true},
		"no target":               {Act{Action: "click", Base: Write, Page: Page{URL: "https://app.test/x"}}, true},
		"a bare picture":          {click(&Target{Tag: "button", Role: "button", HasHandler: true}, "https://app.test/x"), true},
		"export, or expel":        {click(button("내보내기"), "https://app.test/x"), true},
		"a link":                  {click(link("Reviews", "https://app.test/r"), "https://app.test/x"), false},
		"a link that is a button": {click(link("Zapzap", "https://app.test/x#"), "https://app.test/x"), true},
		"a part of the page":      {click(link("Reviews", "https://app.test/x#reviews"), "https://app.test/x"), false},
		"a button as a link":      {click(&Target{Tag: "a", Role: "link", Name: "Apply", Href: "https://app.test/x#move", HasHandler: true}, "https://app.test/x"), true},
		"a view of the page":      {click(&Target{Tag: "a", Role: "link", Name: "Sent", Href: "https://app.test/x#/sent", HasHandler: true}, "https://app.test/x"), false},
		"Add to basket":           {click(button("Add to basket"), "https://app.test/x"), false},
		"save, of anything":       {click(button("Save topic"), "https://app.test/x"), true},
		"Add":                     {click(button("Add webhook"), "https://app.test/x"), true},
		"Add, in German":          {click(button("Webhook hinzufügen"), "https://app.test/x"), true},
		"Speichern":               {click(button("Thema speichern"), "https://app.test/x"), true},
		"Set":                     {click(button("Set"), "https://app.test/x"), true},
		"Set language":            {click(button("Set language"), "https://app.test/x"), false},
		"Print":                   {click(button("Print"), "https://app.test/x"), true},
		"Retry":                   {click(button("Retry (if failed or withheld) (1)"), "https://app.test/x"), true},
		"Resume":                  {click(button("Resume"), "https://app.test/x"), true},
		"Print, in German":        {click(button("Drucken"), "https://app.test/x"), true},
		"Resume, in Chinese":      {click(button("恢复"), "https://app.test/x"), true},
		"Save draft":              {click(button("Save draft"), "https://app.test/x"), false},
		"Next page":               {click(button("Next page"), "https://app.test/x"), false},
		"Show more":               {click(button("Show more"), "https://app.test/x"), false},
		"Apply, of anything":      {click(button("Apply"), "https://app.test/x"), true},
		"Apply filters":           {click(button("Apply filters"), "https://app.test/x"), false},
		"a filter":                {click(filter(false), "https://app.test/x"), false},
		"a form of a script":      {click(filter(true), "https://app.test/x"), true},
		"a search":                {click(search, "https://app.test/x"), false},
		"a second name":           {click(&Target{Tag: "button", Role: "button", Name: "Next page", Text: "Zapzap", HasHandler: true}, "https://app.test/x"), true},
		"what is asked about":     {click(button("Delete account"), "https://app.test/x"), false},
		"scrolling":               {Act{Action: "scroll", Base: Read, Page: Page{URL: "https://app.test/x"}}, false},
		"hovering":                {Act{Action: "hover", Base: Read, Target: button("Zapzap"), Page: Page{URL: "https://app.test/x"}}, false},
		"typing":                  {Act{Action: "type", Base: Write, Text: "x", Target: &Target{Tag: "input", Role: "textbox", Editable: true}, Page: Page{URL: "https://app.test/x"}}, true},
		"typing and Enter":        {Act{Action: "type", Base: Write, Text: "x", Submit: true, Target: &Target{Tag: "input", Role: "textbox", Editable: true}, Page: Page{URL: "https://app.test/x"}}, true},
		"typing a search, Enter":  {Act{Action: "type", Base: Write, Text: "x", Submit: true, Target: &Target{Tag: "input", Role: "searchbox", Editable: true}, Page: Page{URL: "https://app.test/x"}}, false},
		"a choice":                {Act{Action: "select", Base: Write, Text: "Peru", Target: chosen, Page: Page{URL: "https://app.test/x"}}, true},
		"a sorting":               {Act{Action: "select", Base: Write, Text: "Price", Target: sorted, Page: Page{URL: "https://app.test/x"}}, false},
		"Space":                   {Act{Action: "pressKey", Base: Write, Key: "Space", Target: button("Zapzap"), Page: Page{URL: "https://app.test/x"}}, true},
		"Escape":                  {Act{Action: "pressKey", Base: Write, Key: "Escape", Target: button("Zapzap"), Page: Page{URL: "https://app.test/x"}}, false},
		"a drop":                  {Act{Action: "dragDrop", Base: Write, Target: button("Plan"), Drop: button("Zapzap"), Page: Page{URL: "https://app.test/x"}}, true},
		"loading more":            {Act{Action: "loadMoreUntil", Base: Read, Target: button("Load more"), Page: Page{URL: "https://app.test/x"}}, false},
	} {
		if got := HoldsRequests(c.act, Judge(c.act, Context{})); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// FuzzJudgeRequest: whatever a page sends, the judgement is the same twice and
// ends.
func FuzzJudgeRequest(f *testing.F) {
	for _, c := range requestCases(f) {
		f.Add(c.r.Method, c.r.URL, c.r.Mime, c.r.Body)
	}
	f.Add("POST", "https://app.test/graphql", "", `{"query":"mutation { a(x: \"`)
	f.Add("POST", "%zz", "multipart/form-data", "--\r\ncontent-disposition: x; name=\"\"")
	f.Fuzz(func(t *testing.T, method, to, mime, body string) {
		r := Request{Method: method, URL: to, Mime: mime, Body: body}
		a := blindPress("https://app.test/x")
		first := JudgeRequest(r, a, Context{})
		again := JudgeRequest(r, a, Context{})
		if first.Level != again.Level || first.Class != again.Class || !slices.Equal(first.Details, again.Details) || !slices.Equal(first.Reasons, again.Reasons) {
			t.Fatalf("%v, then %v", first, again)
		}
		if first.Level > Confirm || len(first.Details) > 20 {
			t.Fatalf("%v", first)
		}
	})
}

// TestMethodsAfterAPress: a remote method that only reads is no deed, whatever was pressed; one that is called as the
// button is what the button does.
func TestMethodsAfterAPress(t *testing.T) {
	for _, c := range []struct {
		press, method string
		level         Level
	}{
		{"New", "model.res.user.default_get", Auto},
		{"Frobnicate", "model.sale.sale.on_change_with_total", Auto},
		{"Frobnicate", "model.sale.sale.read_and_lock", Confirm},
		{"Frobnicate", "model.sale.sale.pack", Confirm},
		{"Frobnicate", "model.sale.sale.fetch_then_lock", Confirm},
		{"Frobnicate", "model.sale.sale.get_or_create", Confirm},
		{"Frobnicate", "getOrCreate", Confirm},
		{"Frobnicate", "model.sale.sale.searchByNameOrId", Auto},
		{"Frobnicate", "model.sale.sale.get_new_rows", Auto},
		{"Confirm", "model.sale.sale.confirm", Confirm},
		{"Confirm", "model.sale.sale.quote", Auto},
		{"Frobnicate", "model.sale.sale.confirm", Confirm},
	} {
		q := Request{Method: "POST", URL: "https://erp.test/rpc/", Type: "xhr", Mime: "application/json", Body: `{"id":12,"method":"` + c.method + `","params":[[2],{"company":1}]}`}
		d := JudgeRequest(q, click(with(button(c.press), func(t *Target) { t.HasHandler = true }), "https://erp.test/"), Context{})
		if d.Level != c.level {
			t.Errorf("%s after %q: %s %v, want %s", c.method, c.press, d.Level, d.Reasons, c.level)
		}
	}
}

// TestBatchesAfterAPress: in a batch, one method that acts is enough, wherever it stands.
func TestBatchesAfterAPress(t *testing.T) {
	for _, c := range []struct {
		press, methods string
		level          Level
	}{
		{"Confirm", "sale.confirm sale.quote", Confirm},
		{"Confirm", "sale.quote sale.confirm", Confirm},
		{"Frobnicate", "sale.read sale.pack", Confirm},
		{"Frobnicate", "sale.pack sale.read", Confirm},
		{"Frobnicate", "sale.read sale.default_get", Auto},
	} {
		var calls []string
		for m := range strings.FieldsSeq(c.methods) {
			calls = append(calls, `{"id":1,"method":"`+m+`","params":[[2]]}`)
		}
		q := Request{Method: "POST", URL: "https://erp.test/rpc/", Type: "xhr", Mime: "application/json", Body: "[" + strings.Join(calls, ",") + "]"}
		d := JudgeRequest(q, click(with(button(c.press), func(t *Target) { t.HasHandler = true }), "https://erp.test/"), Context{})
		if d.Level != c.level {
			t.Errorf("%s after %q: %s %v, want %s", c.methods, c.press, d.Level, d.Reasons, c.level)
		}
	}
}
