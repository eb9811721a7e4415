package action

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tabwright/host/action/effect"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/pagecontext"
)

var dialogDelete = browser.Dialog{Kind: "confirm", Message: "Delete your account?"}

// TestPrecedence: ref, index, selector, point, in that order.
func TestPrecedence(t *testing.T) {
	one, two, three, four := node(1, "button", "One"), node(2, "button", "Two"), node(3, "button", "Three"), node(4, "button", "Four")
	tests := []struct {
		name, params, want string
		code               Code
	}{
		{"ref first", `{"ref":"e1","index":2,"selector":"#n3","x":40,"y":5}`, "One", ""},
		{"then index", `{"index":2,"selector":"#n3","x":40,"y":5}`, "Two", ""},
		{"then selector", `{"selector":"#n3","x":40,"y":5}`, "Three", ""},
		{"then point", `{"x":40,"y":5}`, "Four", ""},
		{"none", `{}`, "", InvalidParams},
		{"half a point", `{"x":40}`, "", InvalidParams},
		{"unknown index", `{"index":99}`, "", NotFound},
		{"unknown selector", `{"selector":"#no"}`, "", NotFound},
		{"no ref at all", `{"ref":"button"}`, "", InvalidParams},
		{"nothing there", `{"x":1,"y":1}`, "", NotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, one, two, three, four)
			wantCode(t, r.do("getElements", `{}`), "")
			res := r.do("click", tt.params)
			wantCode(t, res, tt.code)
			if tt.want != "" && res.Target != `button "`+tt.want+`"` {
				t.Errorf("clicked %s", res.Target)
			}
		})
	}
}

func TestStaleRef(t *testing.T) {
	add := node(1, "button", "Add to cart")
	again := node(2, "button", "Add to cart")
	again.gone = true
	r := newRig(t, add, again)
	wantCode(t, r.do("getElements", `{}`), "")
	add.gone, again.gone = true, false
	res := r.do("click", `{"index":1}`)
	wantCode(t, res, StaleRef)
	s, ok := res.Err.Data.(*pagecontext.StaleError)
	if !ok {
		t.Fatalf("data %T", res.Err.Data)
	}
	if s.Ref != "e1" || s.SnapshotPageRev != 1 || s.CurrentPageRev != 1 || s.URL != "https://shop.test/cart" || s.Was != `button "Add to cart"` {
		t.Errorf("data %+v", s)
	}
	if len(s.Candidates) != 1 || s.Candidates[0].Index != 2 {
		t.Errorf("candidates %+v", s.Candidates)
	}
	if !strings.Contains(res.Text, `button "Add to cart" [2]`) {
		t.Errorf("text %q", res.Text)
	}
	if r.tab.log() != "" {
		t.Errorf("sent %q", r.tab.log())
	}
	wantCode(t, r.do("click", `{"index":2}`), "")
}

// TestNameRule: digits may change, words may not.
func TestNameRule(t *testing.T) {
	n := node(1, "button", "Resend (29)")
	r := newRig(t, n)
	wantCode(t, r.do("getElements", `{}`), "")
	n.el.Name = "Resend (3)"
	res := r.do("click", `{"index":1}`)
	wantCode(t, res, "")
	if res.Target != `button "Resend (3)"` {
		t.Errorf("target %s", res.Target)
	}
	n.el.Name = "Send money"
	wantCode(t, r.do("click", `{"index":1}`), StaleRef)
}

func TestIframes(t *testing.T) {
	box := node(7, "iframe", "Payment")
	box.x, box.y, box.iframe = 120, 60, true
	r := newRig(t, node(1, "button", "Top"), box)
	inner := node(1, "button", "Inner")
	inner.x, inner.y = 20, 10
	child := &fakeFrame{t: r.tab, id: "F2", parent: "F1", doc: "D2", url: "https://pay.test/", x: 100, y: 50, owner: 7, nodes: []*fakeNode{inner}}
	child.nodes[0].selector = "#inner"
	r.tab.frames = append(r.tab.frames, child)
	for name, params := range map[string]string{"selector": `{"selector":"#inner"}`, "point": `{"x":120,"y":60}`} {
		r.tab.sent = nil
		res := r.do("click", params)
		wantCode(t, res, "")
		if res.Target != `button "Inner"` || res.Site != "pay.test" {
			t.Errorf("%s: %s on %s", name, res.Target, res.Site)
		}
		if r.tab.log() != "move(120,60) down(120,60) up(120,60)" {
			t.Errorf("%s: sent %s", name, r.tab.log())
		}
	}
	if child.called("arm") != 2 || r.main.called("arm") != 2 || r.main.called("disarm") != 2 {
		t.Errorf("armed %d in the frame, %d above it", child.called("arm"), r.main.called("arm"))
	}
	r.main.focus, child.focus = 7, 1
	res := r.do("pressKey", `{"key":"Tab"}`)
	wantCode(t, res, "")
	if res.Site != "pay.test" {
		t.Errorf("pressed on %s", res.Site)
	}
}

func TestTyping(t *testing.T) {
	field := node(1, "textbox", "Name")
	area := node(2, "textbox", "Message")
	area.target.Tag = "textarea"
	tests := []struct{ name, params, want string }{
		{"keys", `{"selector":"#n1","text":"aB"}`, "key(a) key(B)"},
		{"no key for it", `{"selector":"#n1","text":"é茶"}`, "insert(é) insert(茶)"},
		{"clear without text", `{"selector":"#n1","text":"","clear":true}`, "key(Backspace)"},
		{"Enter at the end", `{"selector":"#n1","text":"a\n"}`, "key(a) key(Enter)"},
		{"lines in a text area", `{"selector":"#n2","text":"a\nb\n"}`, "key(a) insert(\n) key(b) insert(\n)"},
		{"long text", `{"selector":"#n1","text":"` + strings.Repeat("x", 205) + `"}`, strings.Repeat("key(x) ", 200) + "insert(xxxxx)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, field, area)
			wantCode(t, r.do("type", tt.params), "")
			got := r.tab.log()
			if i := strings.Index(got, "up("); i >= 0 {
				_, got, _ = strings.Cut(got[i:], " ")
			}
			if got != tt.want {
				t.Errorf("sent %q, want %q", got, tt.want)
			}
		})
	}
	r := newRig(t, node(1, "button", "Go"), field)
	wantCode(t, r.do("type", `{"selector":"#n1","text":"x"}`), NotEditable)
	field.id, field.selector = 3, "#n3"
	wantCode(t, r.do("type", `{"selector":"#n3","text":"a\nb"}`), InvalidParams)
}

// TestSecretTyped: what goes into a password field stands in no text.
func TestSecretTyped(t *testing.T) {
	n := node(1, "textbox", "Password")
	n.target.Secret = "password"
	r := newRig(t, n)
	res := r.do("type", `{"selector":"#n1","text":"hunter2"}`)
	wantCode(t, res, "")
	if len(r.person.cards) != 1 || strings.Contains(string(r.person.cards[0].Params), "hunter2") {
		t.Errorf("cards %+v", r.person.cards)
	}
	if strings.Contains(res.Text+res.Line+res.Effect, "hunter2") {
		t.Errorf("the password is told: %q", res.Text)
	}
}

func TestSelect(t *testing.T) {
	r := newRig(t, node(1, "combobox", "Colour"), node(2, "button", "Colour"))
	res := r.do("select", `{"selector":"#n1","value":"Blue"}`)
	wantCode(t, res, "")
	if !strings.Contains(res.Text, `selected "Blue" in combobox "Colour"`) {
		t.Errorf("text %q", res.Text)
	}
	wantCode(t, r.do("select", `{"selector":"#n2","value":"Blue"}`), Unsupported)
	r.main.selectErr = &page.Error{Code: "not_found", Message: "no option Pink"}
	r.main.nodes[0].el.Options = []string{"Red", "Blue"}
	res = r.do("select", `{"selector":"#n1","value":"Pink"}`)
	wantCode(t, res, NotFound)
	if !strings.Contains(res.Err.Hint, "Red, Blue") || res.Sent {
		t.Errorf("hint %q, sent %t", res.Err.Hint, res.Sent)
	}
}

func TestUpload(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "a.txt")
	out := filepath.Join(other, "b.txt")
	for _, f := range []string{file, out} {
		if err := os.WriteFile(f, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link.txt")
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		code       Code
	}{
		{"in the folder", file, ""},
		{"outside", out, Blocked},
		{"a link to the outside", link, Blocked},
		{"up and out", filepath.Join(dir, "..", filepath.Base(other), "b.txt"), Blocked},
		{"not there", filepath.Join(dir, "no.txt"), NotFound},
		{"a folder", dir, InvalidParams},
		{"relative", "a.txt", InvalidParams},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := node(1, "button", "Choose file")
			n.target.Tag, n.target.Type = "input", "file"
			r := newRig(t, n)
			r.policy.UploadDirs = []string{dir}
			wantCode(t, r.do("uploadFile", `{"selector":"#n1","filePath":"`+tt.path+`"}`), tt.code)
			if sent := r.tab.log() != ""; sent != (tt.code == "") {
				t.Errorf("sent %q", r.tab.log())
			}
			if tt.code == "" && len(r.person.cards) != 1 {
				t.Errorf("%d cards", len(r.person.cards))
			}
		})
	}
}

func TestEffectWords(t *testing.T) {
	r := newRig(t, node(1, "button", "Add to cart"))
	res := r.do("click", `{"selector":"#n1"}`)
	if res.Text != `OK: clicked button "Add to cart" [1]. Effect: no visible effect.` || res.Effect != NoEffect {
		t.Errorf("text %q", res.Text)
	}
	r.main.changes = []page.Change{
		{Kind: "text", Name: "cart count", From: "0", To: "1"},
		{Kind: "added", ID: 9, Role: "link", Name: "View cart"},
		{Kind: "text", From: "Cart is empty"},
		{Kind: "text", To: "One mug is in your cart"},
		{Kind: "text", From: "Add one"},
		{Kind: "checked", ID: 10, Role: "checkbox", Name: "Gift", From: "false", To: "true"},
	}
	res = r.do("click", `{"selector":"#n1"}`)
	want := `OK: clicked button "Add to cart" [1]. Effect: text "cart count" "0" → "1"; checkbox "Gift" [2] checked "false" → "true"; new: link "View cart" [3], "One mug is in your cart"; gone: "Cart is empty", "Add one".`
	if res.Text != want {
		t.Errorf("text %q\nwant %q", res.Text, want)
	}
	// What matters first is told first, and an element with its row; what is cut takes no index.
	r.main.changes = nil
	for i := range 20 {
		r.main.changes = append(r.main.changes, page.Change{Kind: "added", ID: 100 + i, Role: "button", Name: "Other"})
	}
	count := page.Change{Kind: "count", Role: "table", From: "57", To: "1", Rank: 3}
	count.Items.Role, count.Items.Names = "row", []string{"INV-0057 Stellar"}
	r.main.changes = append(
		r.main.changes, count,
		page.Change{Kind: "removed", Role: "row", Name: "INV-0001 Umbra", Rank: 2},
		page.Change{Kind: "attr", ID: 1, Role: "button", Name: "Add to cart", Row: "Blue mug", From: "pressed", To: "current pressed", Rank: 2},
		page.Change{Kind: "text", Role: "status", To: "One mug was added", Rank: 1}, page.Change{Kind: "said", Role: "alert", To: "Gone soon", Rank: 1},
		page.Change{Kind: "added", Role: "listitem", Name: "Blue mug", Rank: 3}, page.Change{Kind: "added", ID: 50, Role: "button", Name: "Remove", Within: true, Rank: 3},
		page.Change{Kind: "title", From: "Shop", To: "(1) Shop", Rank: 3},
	)
	want = `alert "Gone soon" for a moment; new: status "One mug was added"; button "Add to cart" [1] current "false" → "true"; gone: row "INV-0001 Umbra"; ` +
		`table went from 57 to 1 row: "INV-0057 Stellar"; new: listitem "Blue mug": button "Remove" [4]; ` +
		`new: button "Other" [5], button "Other" [6], button "Other" [7], button "Other" [8], button "Other" [9]; page title "Shop" → "(1) Shop"; and 15 more changes: new 15 buttons (getElements type=new lists what is new)`
	for i := range r.main.changes[:20] {
		r.main.changes[i].Rank = effect.ControlRank + 1
	}
	if res = r.do("click", `{"selector":"#n1"}`); res.Effect != want {
		t.Errorf("effect %q\nwant %q", res.Effect, want)
	}
	r.main.changes = nil
	// Of controls that came more are told than of texts, with what they hold, and texts are one list with them; what went has the index that it had, if any.
	tick := true
	for i := range 20 {
		r.main.changes = append(r.main.changes, page.Change{Kind: "added", ID: 200 + i, Role: "button", Name: "Key", Rank: effect.ControlRank})
	}
	r.main.changes[0].Now = &pagecontext.RawElement{ID: 200, Role: "button", Name: "Key", Enabled: true, Pressed: &tick}
	r.main.changes[1].Near, r.main.changes[1].Name = "Apply label", ""
	r.main.changes = append(r.main.changes, page.Change{Kind: "text", To: "Keys", Rank: effect.ControlRank + 2}, page.Change{Kind: "removed", ID: 1, Role: "button", Name: "Add to cart", Rank: effect.LastRank}, page.Change{Kind: "open", Role: "dialog", Name: "Void", Rank: 2})
	if res = r.do("click", `{"selector":"#n1"}`); !strings.HasPrefix(res.Effect, `the dialog "Void" is still open; new: button "Key" pressed [10], button near="Apply label" [11], button "Key" [12]`) || strings.Count(res.Effect, `"Key"`) != 19 || !strings.HasSuffix(res.Effect, `; and 2 more changes: new 1 text, gone 1 button`) {
		t.Errorf("effect %q", res.Effect)
	}
	r.main.changes = []page.Change{{Kind: "text", To: "Keys", Rank: effect.ControlRank + 2}, {Kind: "removed", ID: 1, Role: "button", Name: "Add to cart", Rank: effect.LastRank}, {Kind: "removed", ID: 999, Role: "button", Name: "Old", Rank: effect.LastRank}}
	if res = r.do("click", `{"selector":"#n1"}`); res.Effect != `new: "Keys"; gone: button "Add to cart" [1], button "Old"` {
		t.Errorf("effect %q", res.Effect)
	}
	// A dialog that closed comes first, and the row of several new controls is said once.
	r.main.changes = []page.Change{
		{Kind: "removed", Role: "dialog", Name: "Void", Rank: 1},
		{Kind: "text", Role: "status", To: "Voided", Rank: 1},
		{Kind: "added", ID: 301, Role: "link", Name: "View", Row: "Old news", Rank: effect.ControlRank},
		{Kind: "added", ID: 302, Role: "link", Name: "Delete", Row: "Old news", Rank: effect.ControlRank},
		{Kind: "added", ID: 303, Role: "link", Name: "Undo", Rank: effect.ControlRank},
		{Kind: "added", ID: 304, Role: "link", Name: "Help", Row: "Foot", Rank: effect.ControlRank},
	}
	if res, want = r.do("click", `{"selector":"#n1"}`), `dialog "Void" closed; new: status "Voided"; new in "Old news": link "View" [30], link "Delete" [31]; new: link "Undo" [32], link "Help" in "Foot" [33]`; res.Effect != want {
		t.Errorf("effect %q\nwant %q", res.Effect, want)
	}
	r.main.changes = nil
	r.tab.onSend = func(what string) {
		if strings.HasPrefix(what, "up") {
			r.tab.mu.Lock()
			r.tab.state.Navigations = []browser.Navigation{{URL: "https://shop.test/checkout"}}
			r.tab.state.NewTabs = []browser.TabInfo{{ID: "T2", URL: "https://shop.test/help"}}
			r.tab.mu.Unlock()
		}
	}
	res = r.do("click", `{"selector":"#n1"}`)
	if res.Effect != "navigated to https://shop.test/checkout (Fake); opened a new tab at https://shop.test/help (switchTab goes there)" {
		t.Errorf("effect %q", res.Effect)
	}
	if len(r.Tabs()) != 2 {
		t.Errorf("tabs %+v", r.Tabs())
	}
}

// TestDialogFromClick: Chrome does not answer a click that opened confirm().
func TestDialogFromClick(t *testing.T) {
	r := newRig(t, node(1, "button", "More"))
	r.tab.onSend = func(what string) {
		if strings.HasPrefix(what, "up") {
			r.tab.open(&browser.Dialog{Kind: "confirm", Message: "Really?"})
		}
	}
	res := r.do("click", `{"selector":"#n1"}`)
	wantCode(t, res, "")
	if !strings.Contains(res.Effect, `a confirm dialog opened: "Really?"`) {
		t.Errorf("effect %q", res.Effect)
	}
	res = r.do("getElements", `{}`)
	wantCode(t, res, DialogOpen)
	if !strings.Contains(res.Text, "Really?") {
		t.Errorf("text %q", res.Text)
	}
	o, err := r.Observe(context.Background(), ObserveOptions{Full: true})
	if err != nil || o.Dialog == nil || !strings.Contains(o.Text, "Really?") {
		t.Errorf("observation %+v, %v", o, err)
	}
	wantCode(t, r.do("handleDialog", `{"accept":true,"text":"yes"}`), "")
	if !strings.HasSuffix(r.tab.log(), "dialog(true,yes)") {
		t.Errorf("sent %q", r.tab.log())
	}
}

func TestTabs(t *testing.T) {
	r := newRig(t)
	r.b.tabs["T2"] = &fakeTab{id: "T2", opened: make(chan struct{}), done: make(chan struct{}), frames: []*fakeFrame{{id: "F9", doc: "D9", url: "https://shop.test/help"}}}
	r.b.list = []browser.TabInfo{
		{ID: "T1", URL: "https://shop.test/cart", Title: "Cart"},
		{ID: "T2", URL: "https://shop.test/help", Title: "Help", Opener: "T1"},
		{ID: "T3", URL: "https://bank.test/", Title: "My bank"},
	}
	wantCode(t, r.do("switchTab", `{"url":"bank.test"}`), NotFound)
	res := r.do("switchTab", `{"index":9}`)
	wantCode(t, res, NotFound)
	if strings.Contains(res.Text, "bank") || !strings.Contains(res.Text, "Help") {
		t.Errorf("text %q", res.Text)
	}
	wantCode(t, r.do("switchTab", `{"url":"/help"}`), "")
	if r.Tab() != "T2" {
		t.Errorf("tab %s", r.Tab())
	}
	wantCode(t, r.do("switchTab", `{"index":1}`), "")
	if r.Tab() != "T1" {
		t.Errorf("tab %s", r.Tab())
	}
	r.onTab(browser.TabEvent{Kind: browser.TabCreated, Tab: browser.TabInfo{ID: "A0", Opener: "T2"}})
	r.onTab(browser.TabEvent{Kind: browser.TabCreated, Tab: browser.TabInfo{ID: "A1", Opener: "T3"}})
	var ids []browser.TabID
	for _, t := range r.Tabs() {
		ids = append(ids, t.ID)
	}
	if want := []browser.TabID{"T1", "T2", "A0"}; !slices.Equal(ids, want) {
		t.Errorf("tabs %v, want %v", ids, want)
	}
	// The user opens tabs beside the task's: an extension's page, and a new tab
	// in which they then go somewhere.
	for _, e := range []browser.TabInfo{
		{ID: "E1", Opener: "T1", URL: "chrome-extension://abc/panel.html"}, {ID: "N1", Opener: "T1", URL: "chrome://newtab/"},
	} {
		r.onTab(browser.TabEvent{Kind: browser.TabCreated, Tab: e})
	}
	r.onTab(browser.TabEvent{Kind: browser.TabUpdated, Tab: browser.TabInfo{ID: "N1", Opener: "T1", URL: "https://mail.test/", Title: "My mail"}})
	// One that came without an address turns out to be such a page.
	r.onTab(browser.TabEvent{Kind: browser.TabCreated, Tab: browser.TabInfo{ID: "E2", Opener: "T1"}})
	r.onTab(browser.TabEvent{Kind: browser.TabUpdated, Tab: browser.TabInfo{ID: "E2", Opener: "T1", URL: "chrome-extension://abc/options.html"}})
	if n := len(r.Tabs()); n != 3 {
		t.Errorf("it sees tabs of the user's: %v", r.Tabs())
	}
	r.onTab(browser.TabEvent{Kind: browser.TabUpdated, Tab: browser.TabInfo{ID: "T2", URL: "chrome-extension://abc/panel.html"}})
	if n := len(r.Tabs()); n != 3 {
		t.Errorf("a tab it worked in is taken away: %v", r.Tabs())
	}
	// Chrome puts another tab into the place of the current one (it was discarded,
	// or rendered beforehand): the task goes on there, with all it knows of it.
	r.b.tabs["T9"] = r.b.tabs[r.current]
	was, page := r.current, r.tabs[r.current].page
	r.onTab(browser.TabEvent{Kind: browser.TabReplaced, Tab: browser.TabInfo{ID: "T9"}, Was: was})
	r.onTab(browser.TabEvent{Kind: browser.TabDetached, Tab: browser.TabInfo{ID: was}, Reason: "replaced"})
	wantCode(t, r.do("screenshot", `{}`), "")
	if h := r.tabs["T9"]; r.Tab() != "T9" || h == nil || h.page != page || len(r.Tabs()) != 3 {
		t.Errorf("it did not follow to the tab in its place: %v, now %s", r.Tabs(), r.Tab())
	}
	r.onTab(browser.TabEvent{Kind: browser.TabReplaced, Tab: browser.TabInfo{ID: was}, Was: "T9"})
	r.onTab(browser.TabEvent{Kind: browser.TabRemoved, Tab: browser.TabInfo{ID: "T1"}})
	wantCode(t, r.do("screenshot", `{}`), TabClosed)
	wantCode(t, r.do("switchTab", `{}`), InvalidParams)
}

func TestWaitIsCapped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		begin := time.Now()
		wantCode(t, r.do("wait", `{"ms":9999999}`), "")
		if d := time.Since(begin); d != maxWait {
			t.Errorf("waited %s", d)
		}
		begin = time.Now()
		wantCode(t, r.do("wait", `{"ms":-5}`), "")
		if d := time.Since(begin); d != 0 {
			t.Errorf("waited %s", d)
		}
	})
}

// TestNeverHangs: an action that gets no answer ends after its time, and the
// time of a question does not count.
func TestNeverHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, pay())
		r.person.onAsk = func(int, Card) { <-time.After(10 * time.Minute) }
		begin := time.Now()
		wantCode(t, r.do("click", `{"selector":"#n1"}`), "")
		if d := time.Since(begin); d < 10*time.Minute || d > 11*time.Minute {
			t.Errorf("took %s", d)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		res := r.Do(ctx, Call{Name: "wait", Params: []byte(`{"ms":20000}`)})
		wantCode(t, res, Timeout)
	})
}

func TestPanicIsAnError(t *testing.T) {
	r := newRig(t, node(1, "button", "More"))
	r.main.onCall = func(fn string) {
		if fn == "resolve" {
			panic("boom")
		}
	}
	wantCode(t, r.do("click", `{"selector":"#n1"}`), Unsupported)
}

func TestUnknownAction(t *testing.T) {
	r := newRig(t)
	res := r.do("get_elements", `{}`)
	wantCode(t, res, InvalidParams)
	if !strings.Contains(res.Err.Hint, "getElements") {
		t.Errorf("hint %q", res.Err.Hint)
	}
	wantCode(t, r.do("fly", `{}`), InvalidParams)
}

func TestReleases(t *testing.T) {
	r := newRig(t)
	wantCode(t, r.do("screenshot", `{}`), "")
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(r.b.released) != 1 || r.b.released[0] != "T1" {
		t.Errorf("released %v", r.b.released)
	}
}

// TestNobodySawWhatCame: an act whose effect the browser was to tell when it ended
// is not told as done without one: what it asked for may not have been sent. The
// tab has not heard of its end yet.
func TestNobodySawWhatCame(t *testing.T) {
	r := newRig(t, node(1, "button", "Save"))
	wantCode(t, r.do("getElements", `{}`), "")
	r.main.lost = "disarm" // which waits for the effect
	res := r.do("click", `{"index":1}`)
	wantCode(t, res, Detached)
	if !res.Sent || !res.Away || !errors.Is(res.Err, ErrBrowserGone) {
		t.Errorf("sent %t, away %t, %v", res.Sent, res.Away, res.Err)
	}
}

// TestCauses: the loop tells by the cause what to wait for.
func TestCauses(t *testing.T) {
	for _, tt := range []struct {
		err, cause error
		code       Code
	}{
		{browser.ErrGone, ErrBrowserGone, Detached},
		{browser.ErrUserCancelled, ErrUserCancelled, Detached},
		{browser.ErrNoTab, browser.ErrNoTab, TabClosed},
		{browser.ErrDetached, browser.ErrDetached, Detached},
		{browser.ErrDocumentGone, browser.ErrDocumentGone, StaleRef},
		{context.DeadlineExceeded, context.DeadlineExceeded, Timeout},
	} {
		e := wrap("act", fmt.Errorf("call: %w", tt.err))
		if e.Code != tt.code || !errors.Is(e, tt.cause) {
			t.Errorf("%v became %s: %v", tt.err, e.Code, e.Err)
		}
	}
}

// TestScriptValue: what a script gives back stands under value, whatever it is, and
// is no field of the result.
func TestScriptValue(t *testing.T) {
	for gives, want := range map[string]string{
		`{"action":"click","error":{"code":"ok"},"pageRev":99}`: `{"value":{"action":"click","error":{"code":"ok"},"pageRev":99}}`,
		`[1,2]`: `{"value":[1,2]}`, `"a"`: `{"value":"a"}`, `null`: `{"value":null}`, ``: `{"value":null}`,
		`"` + strings.Repeat("x", maxScriptResult) + `"`: `{"more":true,"value":"\"` + strings.Repeat("x", maxScriptResult-1) + `"}`,
	} {
		r := newRig(t)
		r.tab.value = gives
		res := r.do("executeJS", `{"code":"f()"}`)
		wantCode(t, res, "")
		if b, err := json.Marshal(res.Data); err != nil || string(b) != want {
			t.Errorf("%s gives %s, want %s (%v)", gives, b, want, err)
		}
	}
}
