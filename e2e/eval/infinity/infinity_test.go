package infinity

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tabwright/e2e/eval/suite"
)

// An app as those of the repository are: a server on all addresses and the port it is
// told, which keeps the state that its page pushes, and a verifier that reads it.
const (
	serverPy = `
import http.server, socketserver, sys
state = None
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == '/api/state':
            self.send_response(404 if state is None else 200)
            self.end_headers()
            self.wfile.write(state or b'{}')
        else:
            super().do_GET()
    def do_PUT(self):
        global state
        state = self.rfile.read(int(self.headers['Content-Length']))
        self.send_response(200)
        self.end_headers()
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
if __name__ == '__main__':
    Server(('', int(sys.argv[sys.argv.index('--port') + 1])), Handler).serve_forever()
`
	verifyPy = `
import json, urllib.request, urllib.error
def verify(server_url):
    try:
        state = json.load(urllib.request.urlopen(server_url + '/api/state'))
    except urllib.error.HTTPError as e:
        return False, 'no state: %d' % e.code
    return state.get('starred') is True, 'the mail is not starred'
`
	tasksJSON = `[
{"id": "task_e1", "difficulty": "easy", "instruction": "Star the mail.", "verify": "real-tasks/task_e1.py"},
{"id": "task_h1", "difficulty": "hard", "instruction": "Star all mails.", "verify": "real-tasks/broken.py"}]`
)

// repository is a copy of such a repository.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	dir := t.TempDir()
	for _, app := range apps {
		for name, text := range map[string]string{
			"server.py": serverPy, "index.html": "<h1>Mail</h1>", "real-tasks.json": tasksJSON,
			"real-tasks/task_e1.py": verifyPy, "real-tasks/broken.py": "import no_such_module",
		} {
			path := filepath.Join(dir, "apps", app, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

func push(t *testing.T, w suite.World, state string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, w.URL()+"/api/state", strings.NewReader(state))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

func TestInfinity(t *testing.T) {
	s, err := open(repository(t))
	if err != nil {
		t.Fatal(err)
	}
	tasks := s.Tasks()
	if len(tasks) != 2*len(apps) {
		t.Fatalf("%d tasks", len(tasks))
	}
	if got := tasks[1]; got.ID != "gmail/task_h1" || got.Level != 3 || got.Text != "Star all mails." {
		t.Errorf("the second task: %+v", got)
	}
	first, second := openTask(t, s, tasks[0]), openTask(t, s, tasks[0])
	check(t, "nothing was done", first, "no state: 404")
	push(t, first, `{"starred": false}`)
	check(t, "in vain", first, "the mail is not starred")
	push(t, first, `{"starred": true}`)
	check(t, "done", first, "")
	check(t, "the other world", second, "no state: 404")
	if err := openTask(t, s, tasks[1]).Check(""); !errors.Is(err, suite.ErrJudge) || !strings.Contains(err.Error(), "no_such_module") {
		t.Errorf("a broken verifier: %v", err)
	}

	resp, err := http.Get(first.URL() + "/") //nolint:noctx // the server is ours
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil || string(page) != "<h1>Mail</h1>" || !strings.HasPrefix(resp.Header.Get("Content-Security-Policy"), "default-src 'self'") {
		t.Errorf("the page: %q, %v, %v", page, resp.Header, err)
	}
	first.Close()
	if resp, err := http.Get(first.URL() + "/"); err == nil { //nolint:noctx // as above
		resp.Body.Close()
		t.Error("the server goes on after Close")
	}
}

func openTask(t *testing.T, s suite.Suite, task suite.Task) suite.World {
	t.Helper()
	w, err := s.Open(task, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

func check(t *testing.T, when string, w suite.World, want string) {
	t.Helper()
	got := ""
	if err := w.Check(""); err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s: %q, want %q", when, got, want)
	}
}

func TestInfinityWithoutFolder(t *testing.T) {
	t.Setenv(Folder, "")
	if _, err := Open(); err == nil || !strings.Contains(err.Error(), Folder) {
		t.Errorf("without the variable: %v", err)
	}
	if _, err := open(t.TempDir()); err == nil {
		t.Error("an empty folder is no repository")
	}
}
