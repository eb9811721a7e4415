package control

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/rpc"
	"tabwright/host/native/wire"
)

// told puts a task that has ended into a journal.
func told(t *testing.T, m *Manager, id, conv, text, answer string) {
	t.Helper()
	info := wire.TaskInfo{Task: id, Text: text, Conversation: conv, Started: time.Now().UnixMilli(), Model: "m/x"}
	must(t, m.Journal.Create(journal.Task{TaskInfo: info, Home: "https://shop.test/"}))
	for _, ev := range []wire.Event{
		{Type: wire.EvStarted, Text: text},
		{Type: wire.EvToolResult, Step: &wire.StepInfo{N: 1, Line: `Clicked "[Buy](x)"`, Outcome: "ok"}},
		{Type: wire.EvComplete, Text: answer},
	} {
		ev.Task = id
		_, err := m.Journal.Append(ev)
		must(t, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A user finds, names, exports and deletes what was said, in the panel; a
// program only reads it.
func TestConversations(t *testing.T) {
	dir := t.TempDir()
	dial, b, _ := startBroker(t, func(b *Broker) { b.Manager.FilesDir = dir })
	m := b.Manager
	told(t, m, "t1", "t1", "What does a Café  crème cost?", "At Zoë's it costs 4 €.")
	told(t, m, "t2", "t1", "and a croissant?", "2 €")
	told(t, m, "t3", "t3", "蓝色马克杯多少钱", "十二元")
	must(t, os.MkdirAll(filepath.Join(dir, "t2", "uploads"), 0o700))
	relay := joined(t, dial)
	panel := relay.Chan("p1")
	list := func(query string) wire.ConvList {
		t.Helper()
		l, err := rpc.Ask[wire.ConvList](t.Context(), panel, wire.MethodConvList, wire.ConvListParams{Query: query})
		must(t, err)
		return l
	}
	if l := list(""); l.Total != 2 || l.Conversations[0].Conversation != "t3" || l.Conversations[1].Count != 2 || l.Conversations[1].Sites[0] != "shop.test" {
		t.Errorf("%+v", l)
	}
	for query, want := range map[string]string{"CAFE CREME": "t1", "zoe croissant": "t1", "马克杯": "t3", "cafe 马克杯": "", "nothing": ""} {
		l := list(query)
		if got := len(l.Conversations); want == "" && got != 0 || want != "" && (got != 1 || l.Conversations[0].Conversation != want) {
			t.Errorf("%q found %+v", query, l)
		}
	}
	if l := list("zoe"); !strings.Contains(l.Conversations[0].Excerpt, "Zoë's it costs") {
		t.Errorf("excerpt %q", l.Conversations[0].Excerpt)
	}
	rename := wire.ConvRenameParams{Conversation: "t1", Title: " Breakfast \n in Paris "}
	wantCode(t, relay.Call(t.Context(), wire.MethodConvRename, rename, nil), wire.CodePanelOnly)
	wantCode(t, relay.Call(t.Context(), wire.MethodConvDelete, wire.ConvRef{Conversation: "t1"}, nil), wire.CodePanelOnly)
	info, err := rpc.Ask[wire.ConvInfo](t.Context(), panel, wire.MethodConvRename, rename)
	if err != nil || info.Title != "Breakfast in Paris" || len(info.Tasks) != 2 || info.Tasks[0].Task != "t1" {
		t.Errorf("%+v %v", info, err)
	}
	if l := list("breakfast"); l.Total != 1 {
		t.Errorf("a title is not searched: %+v", l)
	}
	md, err := rpc.Ask[wire.Exported](t.Context(), panel, wire.MethodConvExport, wire.ConvExportParams{Conversation: "t1", Format: "md"})
	must(t, err)
	for _, want := range []string{"# Breakfast in Paris\n", "> and a croissant?", `1. Clicked "\[Buy\](x)"`, "At Zoë's it costs 4 €."} {
		if !strings.Contains(md.Text, want) {
			t.Errorf("%q is not in %s:\n%s", want, md.Name, md.Text)
		}
	}
	raw, err := rpc.Ask[wire.Exported](t.Context(), panel, wire.MethodConvExport, wire.ConvExportParams{Conversation: "t1", Format: "json"})
	must(t, err)
	var file struct {
		Title string
		Tasks []struct {
			Task   string
			Events []wire.Event
		}
	}
	if err := json.Unmarshal([]byte(raw.Text), &file); err != nil || len(file.Tasks) != 2 || len(file.Tasks[1].Events) != 3 || file.Title != info.Title {
		t.Errorf("%v\n%s", err, raw.Text)
	}
	must(t, panel.Call(t.Context(), wire.MethodConvDelete, wire.ConvRef{Conversation: "t1"}, nil))
	wantCode(t, panel.Call(t.Context(), wire.MethodConvShow, wire.ConvRef{Conversation: "t1"}, nil), wire.CodeNoConversation)
	if _, err := m.Journal.Events("t2", 0); err == nil {
		t.Error("its events are still there")
	}
	if titles, _ := m.Journal.Titles(); len(titles) != 0 {
		t.Errorf("its title is still there: %v", titles)
	}
	if _, err := os.Stat(filepath.Join(dir, "t2")); err == nil {
		t.Error("its folder is still there")
	}
	if l := list(""); l.Total != 1 {
		t.Errorf("what was not deleted is gone: %+v", l)
	}
}

func TestPicturesOfSteps(t *testing.T) {
	m := manager(t)
	m.FilesDir = t.TempDir()
	told(t, m, "t1", "t1", "x", "y")
	dir := m.taskDir("t1")
	for step := 1; step <= thumbsKept+3; step++ {
		must(t, keepThumb(dir, step, []byte{byte(step)}))
	}
	if _, err := m.Thumb(t.Context(), wire.StepRef{Task: "t1", Step: 3}); err == nil {
		t.Error("the oldest are kept for ever")
	}
	p, err := m.Thumb(t.Context(), wire.StepRef{Task: "t1", Step: 4})
	if raw, _ := base64.StdEncoding.DecodeString(p.Data); err != nil || p.MIME != "image/jpeg" || len(raw) != 1 || raw[0] != 4 {
		t.Errorf("%+v %v", p, err)
	}
	_, err = m.Thumb(t.Context(), wire.StepRef{Task: "t9", Step: 1})
	wantCode(t, err, wire.CodeNoTask)
	must(t, m.Journal.Remove("t1"))
	must(t, os.WriteFile(filepath.Join(dir, "report.pdf"), []byte("x"), 0o600))
	m.sweep()
	if _, err := os.Stat(filepath.Join(dir, "thumbs")); err != nil {
		t.Error("a folder that may be another process's was swept")
	}
	old := time.Now().Add(-2 * sweepAge)
	must(t, os.Chtimes(dir, old, old))
	m.sweep()
	if _, err := os.Stat(filepath.Join(dir, "thumbs")); err == nil {
		t.Error("pictures of a task that is gone are still there")
	}
	if _, err := os.Stat(filepath.Join(dir, "report.pdf")); err != nil {
		t.Error("the user's file went with them")
	}
}

func TestAttachments(t *testing.T) {
	m := manager(t)
	m.FilesDir = t.TempDir()
	data := base64.StdEncoding.EncodeToString([]byte("content"))
	kept, out, err := m.attach("t1", []wire.Attachment{
		{Kind: agent.AttachFile, Name: `../../C:\evil/a b.pdf`, Data: data},
		{Kind: agent.AttachFile, Name: "a b.pdf", Data: data},
		{Kind: agent.AttachPicture, MIME: "image/png", Data: data},
		{Kind: agent.AttachSelection, Text: "words", URL: "https://shop.test/"},
		{Kind: agent.AttachFile, Name: "n.md", MIME: "text/markdown", Data: data, Text: "# Notes"},
		{Kind: agent.AttachFile, Name: "p.png", MIME: "image/png", Data: data, Picture: base64.StdEncoding.EncodeToString([]byte("a JPEG"))},
	})
	must(t, err)
	uploads := filepath.Join(m.FilesDir, "t1", uploadsName)
	if kept[0].Path != filepath.Join(uploads, "a b.pdf") || kept[1].Path != filepath.Join(uploads, "2-a b.pdf") || string(out[2].Data) != "content" || out[3].Text != "words" {
		t.Errorf("%+v", kept)
	}
	second, err := toAgentAttached(kept) // once the task is taken up
	must(t, err)
	for _, out := range [][]agent.Attached{out, second} {
		if text, picture := out[4], out[5]; text.Text != "# Notes" || text.Data != nil || text.Path != filepath.Join(uploads, "n.md") ||
			string(picture.Data) != "a JPEG" || picture.MIME != "image/jpeg" || picture.Text != "" || picture.Path != filepath.Join(uploads, "p.png") {
			t.Errorf("what the model is given: %+v, %+v", text, picture)
		}
		if out[0].Text != "" || out[0].Data != nil {
			t.Errorf("it is given a file for uploads: %+v", out[0])
		}
	}
	if there, err := os.ReadDir(uploads); err != nil || len(there) != 4 {
		t.Errorf("files that may be uploaded: %v, %v", there, err)
	}
	for name, bad := range map[string]wire.Attachment{
		"an unknown kind":   {Kind: "folder"},
		"no content":        {Kind: agent.AttachFile, Name: "x"},
		"no picture":        {Kind: agent.AttachPicture, MIME: "text/html", Data: data},
		"a long selection":  {Kind: agent.AttachSelection, Text: strings.Repeat("x", selectionBytes+1)},
		"a long text":       {Kind: agent.AttachFile, Name: "x", Data: data, Text: strings.Repeat("x", textBytes+1)},
		"content unencoded": {Kind: agent.AttachFile, Name: "x", Data: "%%%"},
	} {
		_, _, err := m.attach("t1", []wire.Attachment{bad})
		if err == nil {
			t.Errorf("%s is taken", name)
			continue
		}
		wantCode(t, err, wire.CodeInvalidParams)
	}
	if got := m.uploadsOf("t1", nil); got != nil {
		t.Errorf("where no folder bounds uploads, one does now: %v", got)
	}
	if got := m.uploadsOf("t1", []string{"/home/a"}); len(got) != 2 || got[1] != uploads {
		t.Errorf("%v", got)
	}
}

// at is a browser with tabs that can't be attached.
type at struct {
	nowhere
	tabs []browser.TabInfo
	open chan string
}

func (a at) Tabs(context.Context) ([]browser.TabInfo, error) { return a.tabs, nil }

func (a at) Open(_ context.Context, url string, _ bool, _ browser.TabID) (browser.TabInfo, error) {
	a.open <- url
	return browser.TabInfo{ID: "99", URL: url}, nil
}

// An interrupted task is taken up once, in its own tab where that shows its
// site, else in one at its address, else in a new one.
func TestTakingUp(t *testing.T) {
	for name, c := range map[string]struct {
		tabs []browser.TabInfo
		want browser.TabID
	}{
		"its own tab":              {[]browser.TabInfo{{ID: "7", URL: "https://shop.test/cart?x"}}, "7"},
		"another site in that tab": {[]browser.TabInfo{{ID: "7", URL: "https://mail.test/"}}, "99"},
		"one at its address":       {[]browser.TabInfo{{ID: "7", URL: "https://mail.test/"}, {ID: "8", URL: "https://shop.test/cart#top"}}, "8"},
		"none":                     {nil, "99"},
	} {
		t.Run(name, func(t *testing.T) {
			m := manager(t)
			d := at{nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}, c.tabs, make(chan string, 1)}
			must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "buy", Model: "openai/m"}, Lang: "en"}))
			_, err := m.Journal.AppendAt(wire.Event{Task: "t1", Type: wire.EvStarted}, journal.Where{Tab: "7", URL: "https://shop.test/cart"})
			must(t, err)
			place := Place{Driver: d, Profile: "p1"}
			wantCode(t, m.Resume(t.Context(), "t1", place), wire.CodeNoTask) // it runs, as far as anybody knows
			_, err = m.Journal.Append(wire.Event{Task: "t1", Type: wire.EvInterrupted})
			must(t, err)
			if info, _ := m.Journal.Task("t1"); !info.Resumable {
				t.Fatalf("%+v", info)
			}
			errs := make(chan error, 2)
			for range 2 {
				go func() { errs <- m.Resume(t.Context(), "t1", place) }()
			}
			first, second := <-errs, <-errs
			if first != nil && second != nil {
				t.Fatal(first, second)
			}
			<-d.opened
			if by, ok := m.holder("p1", c.want); !ok || by != "t1" || m.CountRunning() != 1 {
				t.Errorf("it does not work in tab %s, or twice (%d)", c.want, m.CountRunning())
			}
			if info, _ := m.Journal.Task("t1"); info.State != wire.TaskRunning || info.Resumable {
				t.Errorf("%+v", info)
			}
			m.Close(agent.ErrEnded) // the program ends: it can be taken up again
			if info, _ := m.Journal.Task("t1"); info.State != wire.TaskInterrupted || !info.Resumable {
				t.Errorf("%+v", info)
			}
		})
	}
}

// What the user took over goes on by their word in the panel, and by no
// program's: until then nothing on the page is read.
func TestOnlyThePanelEndsATakeOver(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	desk := agent.NewUserChannel(nil)
	desk.TakeOver()
	m := b.Manager
	m.mu.Lock()
	m.live = map[string]*live{"t1": {id: "t1", desk: desk, cancel: func(error) {}, session: &action.Session{}}}
	m.mu.Unlock()
	p := dial()
	p.Start()
	must(t, p.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil))
	wantCode(t, p.Call(t.Context(), wire.MethodTaskResume, wire.TaskParams{Task: "t1"}, nil), wire.CodePanelOnly)
	must(t, flowTasks{m: m}.Resume("t1"))
	if !desk.IsPaused() {
		t.Error("a program had the task go on")
	}
	relay := dial()
	relay.Start()
	must(t, relay.Call(t.Context(), wire.MethodHello, hello(wire.RoleRelay), nil))
	must(t, relay.Chan("p1").Call(t.Context(), wire.MethodTaskResume, wire.TaskParams{Task: "t1"}, nil))
	if desk.IsPaused() {
		t.Error("the panel can't have it go on")
	}
}

// TestResumeSaysWhyNot: a task that has ended is told apart from one that there never was.
func TestResumeSaysWhyNot(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	must(t, b.Manager.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", State: wire.TaskDone}}))
	p := dial()
	p.Start()
	must(t, p.Call(t.Context(), wire.MethodHello, hello(wire.RoleCLI), nil))
	for task, want := range map[string]string{"t1": "has ended", "t2": "no such task"} {
		err := p.Call(t.Context(), wire.MethodTaskResume, wire.TaskParams{Task: task}, nil)
		wantCode(t, err, wire.CodeNoTask)
		if !strings.Contains(wire.AsError(err).Message, want) {
			t.Errorf("%s: %v", task, err)
		}
	}
}

// The tab of a task that is taken up is not opened anew where opening it acts.
func TestTakingUpOpensNothingThatActs(t *testing.T) {
	m := manager(t)
	for address, want := range map[string]string{
		"https://shop.test/checkout/address":           "https://shop.test/checkout/address",
		"https://shop.test/cart?action=delete&item=31": "about:blank",
		"https://list.test/unsubscribe?who=me":         "about:blank",
	} {
		d := at{open: make(chan string, 1)}
		task := journal.Task{TaskInfo: wire.TaskInfo{Task: "t1"}, Where: journal.Where{Tab: "7", URL: address}}
		must(t, m.Journal.Create(task))
		_, opened, err := m.tabBack(t.Context(), Place{Driver: d, Profile: "p1"}, task, true)
		must(t, err)
		if got := <-d.open; !opened || got != want {
			t.Errorf("%s: %s was opened", address, got)
		}
	}
}

// numbered is a browser that may have been started anew.
type numbered struct {
	at
	run   string
	taken *[]browser.TabID
}

func (n numbered) Run() string             { return n.run }
func (n numbered) Void(browser.TabID) bool { return false }
func (n numbered) Take(id browser.TabID)   { *n.taken = append(*n.taken, id) }

// After a crash of the browser another tab may have the number of a task's: it is
// not taken for its number's sake.
func TestTakingUpInAnotherRun(t *testing.T) {
	const cart, other = "https://shop.test/cart", "https://shop.test/mine"
	m := manager(t)
	where := func(run string) journal.Task {
		return journal.Task{Where: journal.Where{Tab: "7", Run: run, URL: cart}}
	}
	given := func(run string) journal.Task {
		return journal.Task{TaskInfo: wire.TaskInfo{TabID: 7}, Run: run, URL: cart}
	}
	opens := func(run string) journal.Task {
		return journal.Task{Opening: &journal.Opening{Run: run, Above: 5}, Run: run, URL: cart}
	}
	again := func(run string) journal.Task { // it had a tab in a run before
		return journal.Task{Opening: &journal.Opening{Run: run, Above: 5}, Where: journal.Where{Tab: "3", Run: "before", URL: cart}}
	}
	for name, c := range map[string]struct {
		task  journal.Task
		at    string // what tab 7 shows
		want  browser.TabID
		taken bool
	}{
		"its tab":                             {where("now"), other, "7", false},
		"another tab with its number":         {where("before"), other, "99", false},
		"one at its address":                  {where("before"), cart, "7", true},
		"the tab it was given":                {given("now"), other, "7", false},
		"another one with that number":        {given("before"), other, "99", false},
		"the tab that was opened":             {opens("now"), cart, "7", true},
		"another one, and its own never came": {opens("before"), cart, "99", false},
		"the tab that was opened once more":   {again("now"), cart, "7", true},
	} {
		var taken []browser.TabID
		tabs := []browser.TabInfo{{ID: "4", URL: "https://news.test/"}, {ID: "7", URL: c.at}}
		d := numbered{at{tabs: tabs, open: make(chan string, 1)}, "now", &taken}
		c.task.Task = "t1"
		must(t, m.Journal.Create(c.task))
		tab, opened, err := m.tabBack(t.Context(), Place{Driver: d, Profile: "p1"}, c.task, true)
		must(t, err)
		if now, err := m.Journal.Task("t1"); err != nil || opened && (now.Opening == nil || *now.Opening != journal.Opening{Run: "now", Above: 7}) {
			t.Errorf("%s: it is noted as opened among %+v, %v", name, now.Opening, err)
		}
		if tab.ID != c.want || opened != (c.want == "99") || (len(taken) > 0) != c.taken {
			t.Errorf("%s: tab %s, opened %t, taken %v", name, tab.ID, opened, taken)
		}
	}
}

// A task whose tab is another's may wait for it, in order, and be stopped.
func TestWaitingForATab(t *testing.T) {
	m := manager(t)
	d := nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}
	place := Place{Driver: d, Profile: "p1"}
	start := func(text string) wire.TaskInfo {
		t.Helper()
		info, err := m.Start(t.Context(), wire.TaskStartParams{Text: text, TabID: 7, Queue: true}, place)
		must(t, err)
		return info
	}
	state := func(id string) wire.TaskState {
		t.Helper()
		info, err := m.Journal.Task(id)
		must(t, err)
		return info.State
	}
	first := start("first")
	<-d.opened
	second, third := start("second"), start("third")
	if state(second.Task) != wire.TaskQueued || state(third.Task) != wire.TaskQueued {
		t.Fatalf("%s, %s", state(second.Task), state(third.Task))
	}
	must(t, m.Stop(t.Context(), first.Task))
	<-d.opened
	if state(second.Task) != wire.TaskRunning || state(third.Task) != wire.TaskQueued {
		t.Errorf("%s, %s", state(second.Task), state(third.Task))
	}
	must(t, m.Stop(t.Context(), third.Task))
	if got := state(third.Task); got != wire.TaskCancelled {
		t.Errorf("stopped while it waited: %s", got)
	}
	for range queueMost {
		start("more")
	}
	_, err := m.Start(t.Context(), wire.TaskStartParams{Text: "too many", TabID: 7, Queue: true}, place)
	wantCode(t, err, wire.CodeTabBusy)
	m.Close(agent.ErrEnded)
	if got := state(second.Task); got != wire.TaskInterrupted {
		t.Errorf("%s", got)
	}
}

// A task that waited for its tab can be taken up where the browser was started
// anew meanwhile: the tab is gone, and nobody closed it.
func TestATabThatWasWaitedForIsGone(t *testing.T) {
	m := manager(t)
	m.FilesDir = t.TempDir()
	d := &leftTabs{nowhere: nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}}
	place := Place{Driver: d, Profile: "p1"}
	first, err := m.Start(t.Context(), wire.TaskStartParams{Text: "first", TabID: 7}, place)
	must(t, err)
	<-d.opened
	second, err := m.Start(t.Context(), wire.TaskStartParams{Text: "second", TabID: 7, Queue: true, URLs: []string{"http://shop.test/"}, Schema: json.RawMessage(`{"type":"object"}`)}, place)
	must(t, err)
	third, err := m.Start(t.Context(), wire.TaskStartParams{Text: "third", TabID: 7, Queue: true}, place)
	must(t, err)
	d.none.Store(true)
	must(t, m.Stop(t.Context(), first.Task))
	// The one behind it is not left waiting for a tab that nobody has.
	for _, task := range []string{second.Task, third.Task} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		old, events, err := m.Journal.Follow(ctx, task, 0)
		must(t, err)
		end := wire.Event{Type: wire.EvStarted}
		for _, ev := range old {
			end = ev
		}
		for !wire.Ends(end.Type) {
			ev, ok := <-events
			if !ok {
				t.Fatalf("%s still waits", task)
			}
			end = ev
		}
		cancel()
		if end.Type != wire.EvInterrupted {
			t.Fatalf("%+v", end)
		}
	}
	rec, err := m.Journal.Task(second.Task)
	if err != nil || !rec.Resumable {
		t.Errorf("%+v %v", rec, err)
	}
	// What it has beside its words comes back with it.
	if j, err := m.pastJob(t.Context(), rec, place); err != nil || len(j.p.Schema) == 0 || len(j.p.URLs) != 1 {
		t.Errorf("%+v %v", j.p, err)
	}
	if busy := m.lease("p1", "7", "another"); busy != nil {
		t.Errorf("its tab is not free: %v", busy)
	}
}

// leftTabs is a browser whose tabs can go.
type leftTabs struct {
	nowhere
	none atomic.Bool
}

func (d *leftTabs) Tabs(ctx context.Context) ([]browser.TabInfo, error) {
	if d.none.Load() {
		return nil, nil
	}
	return d.nowhere.Tabs(ctx)
}

// Where no history is kept, what has ended goes when nobody looks any more.
func TestNoHistory(t *testing.T) {
	m := manager(t)
	m.Now = func() TaskSettings { return TaskSettings{Forget: true} }
	told(t, m, "t1", "t1", "x", "y")
	told(t, m, "t2", "t1", "x", "y")
	must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t3", Text: "z", Started: time.Now().UnixMilli()}}))
	_, err := m.Journal.Append(wire.Event{Task: "t3", Type: wire.EvInterrupted})
	must(t, err)
	end := m.History().View("t2")
	m.History().Forget()
	if _, err := m.Journal.Task("t1"); err != nil {
		t.Error("the conversation went while one of its tasks is looked at")
	}
	end()
	if _, err := m.Journal.Task("t1"); err == nil {
		t.Error("it is still there")
	}
	if _, err := m.Journal.Task("t3"); err != nil {
		t.Error("a task that can be taken up was forgotten")
	}
}

// What a workflow says of a task goes with the task, unless it goes on.
func TestRemovedTasksGoFromWorkflows(t *testing.T) {
	m := manager(t)
	told(t, m, "t1", "t1", "x", "y")
	for id, s := range map[string]flow.State{
		"w1": {State: wire.FlowDone, Graph: &flow.Graph{Nodes: []flow.Node{{ID: "a", Ran: "t0"}, {ID: "b", Ran: "t1", Result: "secret"}}}},
		"w2": {State: wire.FlowPaused, Graph: &flow.Graph{Nodes: []flow.Node{{ID: "a", Ran: "t1"}, {ID: "b"}}}},
		"w3": {State: wire.FlowDone, Graph: &flow.Graph{Nodes: []flow.Node{{ID: "a", Ran: "t9"}}}},
	} {
		s.ID = id
		must(t, m.keepFlow(s))
	}
	must(t, m.History().Delete("t1"))
	all, err := m.flowList()
	must(t, err)
	var left []string
	for _, f := range all.Flows {
		left = append(left, f.Flow)
	}
	if slices.Sort(left); !slices.Equal(left, []string{"w2", "w3"}) {
		t.Errorf("%v are left", left)
	}
}

// Every panel is told of each task that changes its state.
func TestPanelsAreToldOfChanges(t *testing.T) {
	dial, b, _ := startBroker(t, nil)
	p := dial()
	got := make(chan wire.TaskInfo, 10)
	rpc.On(p, wire.EventTaskChanged, func(_ context.Context, from *rpc.Channel, info wire.TaskInfo) (wire.Empty, error) {
		if from.Name() == "p7" {
			got <- info
		}
		return wire.Empty{}, nil
	})
	p.Start()
	must(t, p.Call(t.Context(), wire.MethodHello, hello(wire.RoleRelay), nil))
	must(t, p.Notify(wire.MethodChannelOpen, wire.ChannelParams{Chan: "p7"}))
	must(t, p.Chan("p7").Call(t.Context(), wire.MethodTaskList, wire.Empty{}, nil)) // the port is known by then
	told(t, b.Manager, "t1", "t1", "x", "y")
	for _, want := range []wire.TaskState{wire.TaskRunning, wire.TaskDone} {
		select {
		case info := <-got:
			if info.Task != "t1" || info.State != want {
				t.Errorf("%+v, want %s", info, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("nobody is told of %s", want)
		}
	}
}
