package control

import (
	"strings"
	"testing"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/safety"
)

// TestATaskBeginsWhereTheGateLetsIt: what the gate blocks is opened for no task, at
// its start or when it is taken up, however it was asked for.
func TestATaskBeginsWhereTheGateLetsIt(t *testing.T) {
	policy, err := safety.ParsePolicy([]byte("sites:\n  shut.test: {navigate: block}\n"), "policy.yaml")
	must(t, err)
	for address, want := range map[string]string{ // "": blocked
		"file:///etc/passwd": "", "FILE:/etc/passwd": "", "chrome://settings": "", "chrome-extension://abc/panel.html": "", "devtools://devtools/bundled/inspector.html": "",
		"view-source:https://shop.test": "", "javascript:alert(1)": "", "data:text/html,x": "", "about:version": "", "https://shut.test/": "",
		"https://shop.test/mugs": "https://shop.test/mugs", "shop.test": "http://shop.test", "": "about:blank", "about:blank": "about:blank",
		// Whoever names a host has allowed it.
		"http://localhost:3000/x": "http://localhost:3000/x", "http://192.168.1.5/": "http://192.168.1.5/",
		// What acts by being opened is asked about, by the task itself.
		"https://list.test/unsubscribe?who=me": "about:blank", "https://shop.test/cart?action=delete&item=31": "about:blank",
	} {
		for _, part := range []*wire.FlowPart{nil, {Brief: "a part"}} {
			m := manager(t)
			m.Policies = fixed{policy}
			d := at{nowhere: nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}, open: make(chan string, 2)}
			_, err := m.Start(t.Context(), wire.TaskStartParams{Text: "read it", URL: address, Part: part}, Place{Driver: d, Profile: "p1"})
			opened := ""
			if len(d.open) > 0 {
				opened = <-d.open
			}
			if want == "" {
				wantCode(t, err, "blocked")
				if tasks, _ := m.Journal.Tasks(9); part == nil && len(tasks) > 0 || part != nil && tasks[0].State != wire.TaskFailed {
					t.Errorf("%s: tasks %+v", address, tasks)
				}
			} else {
				must(t, err)
			}
			if strings.TrimSuffix(opened, "/") != strings.TrimSuffix(want, "/") {
				t.Errorf("%q: %q was opened, want %q", address, opened, want)
			}
			m.Close(nil)
		}
	}
	m := manager(t)
	for where, want := range map[string]string{"file:///etc/passwd": "about:blank", "http://10.0.0.1/": "about:blank", "http://localhost:3000/x": "http://localhost:3000/x"} {
		d := at{open: make(chan string, 1)}
		task := journal.Task{TaskInfo: wire.TaskInfo{Task: "t1"}, URL: "http://localhost:3000", Where: journal.Where{Tab: "7", URL: where}}
		must(t, m.Journal.Create(task))
		_, _, err := m.tabBack(t.Context(), Place{Driver: d, Profile: "p1"}, task, true)
		must(t, err)
		if got := <-d.open; got != want {
			t.Errorf("taken up at %s: %s was opened", where, got)
		}
	}
}

// fixed are policies that stay as they are.
type fixed struct{ p *safety.Policy }

func (f fixed) Now() *safety.Policy                      { return f.p }
func (fixed) Grant(g safety.Grant) (safety.Grant, error) { return g, nil }
func (fixed) Revoke(string) error                        { return nil }
