package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tabwright/e2e/eval/suite"
	"tabwright/e2e/rig"
	"tabwright/e2e/standin"
)

// note is a suite of one page with a note to save or to discard.
type note struct {
	mu     sync.Mutex
	opened []string // addresses
	closed int
}

func (n *note) Name() string { return "note" }

func (n *note) Tasks() []suite.Task {
	return []suite.Task{
		{ID: "save", Lang: "en", Text: "Save the note.", Start: "/note", Level: 1, Acts: 1},
		{ID: "keep", Lang: "en", Text: "Save the note, and nothing else.", Start: "/note", Level: 2, Acts: 3},
		{ID: "read", Lang: "zh", Text: "这条笔记是谁写的？", Start: "/note", Level: 1, Acts: 1},
	}
}

func (n *note) Open(t suite.Task, _ int64) (suite.World, error) {
	w := &noteWorld{suite: n, task: t}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /note", func(rw http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(rw, `<title>Note</title><h1>A note by Ada</h1><form method="post">
<button name="do" value="save">Save the note</button><button name="do" value="discard">Put it aside</button></form>`)
	})
	mux.HandleFunc("POST /note", func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if r.FormValue("do") == "save" {
			w.saved++
		} else {
			w.wrong++
		}
		fmt.Fprint(rw, `<title>Note</title><p role="status">Thank you.</p>`)
	})
	w.server = httptest.NewServer(mux)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.opened = append(n.opened, w.server.URL)
	return w, nil
}

type noteWorld struct {
	suite        *note
	task         suite.Task
	server       *httptest.Server
	mu           sync.Mutex
	saved, wrong int
}

func (w *noteWorld) URL() string { return w.server.URL }

func (w *noteWorld) Check(answer string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.task.ID == "read" && !strings.Contains(answer, "Ada"):
		return errors.New("the answer does not name Ada")
	case w.task.ID != "read" && w.saved != 1:
		return fmt.Errorf("the note was saved %d times", w.saved)
	}
	return nil
}

func (w *noteWorld) Wrong() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.wrong
}

func (w *noteWorld) Close() {
	w.server.Close()
	w.suite.mu.Lock()
	defer w.suite.mu.Unlock()
	w.suite.closed++
}

// The harness drives the real binary with a scripted model: a task that is solved,
// with a reply that can't be read and one of words on the way, and one that is only
// claimed.
func TestTabwright(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	binary, err := rig.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	done := standin.Do("done", map[string]any{"success": true, "answer": "The note is saved."})
	script := standin.NewScript(
		standin.Say(`{"action": "click", "params": {"index"`), standin.Say("I will save it."), standin.Click("button", "Save"), done,
		standin.Click("button", "aside"), done,
	)
	server := standin.New(standin.Options{Format: standin.OllamaTools, Brain: script})
	if err := server.Err(); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	m := model{provider: "ollama", baseURL: server.URL(), name: server.Model(), set: settings{"validator=off"}}
	a, err := newTabwright(t.Context(), binary, m)
	if err != nil {
		t.Fatal(err)
	}
	r := testRunner(t, &note{}, a)
	r.model, r.transcripts = m, filepath.Join(t.TempDir(), "transcripts")
	got, err := r.run(t.Context(), r.suite.Tasks()[:2])
	if err != nil {
		t.Fatal(err)
	}
	if one := got[0]; !one.Solved || one.End != endDone || one.Steps != 2 || one.Unread != 2 || one.Wrong != 0 || one.Why != "" ||
		one.TokensIn < 500 || one.TokensOut < 10 || one.Seconds <= 0 || one.Answer != "The note is saved." {
		t.Errorf("the first task: %+v", one)
	}
	if one := got[1]; one.Solved || one.End != endDone || one.Steps != 2 || one.Unread != 0 || one.Wrong != 1 ||
		one.Why != "said done but not: the note was saved 0 times" {
		t.Errorf("the second task: %+v", one)
	}
	files, err := filepath.Glob(filepath.Join(r.transcripts, "note-keep-*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("transcripts: %v, %v", files, err)
	}
	raw, err := os.ReadFile(files[0])
	for _, want := range []string{`"action": "click"`, `Clicked "Put it aside"`, "Thank you."} {
		if err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("the transcript lacks %q (%v):\n%s", want, err, raw)
		}
	}
}

func testRunner(t *testing.T, s suite.Suite, a agent) *runner {
	t.Helper()
	res, err := openResults(filepath.Join(t.TempDir(), "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Close() })
	return &runner{options: options{maxTime: usualTime, seed: 1}, suite: s, agent: a, results: res, out: t.Output()}
}

// faked is an agent that does what it is told.
type faked struct {
	do  func(ctx context.Context, j job) (outcome, error)
	did []job
}

func (f *faked) Name() string    { return "faked" }
func (f *faked) Version() string { return "1" }
func (f *faked) Set() string     { return "" }

func (f *faked) Do(ctx context.Context, j job) (outcome, error) {
	f.did = append(f.did, j)
	return f.do(ctx, j)
}

// A run that was stopped goes on with the task that it was stopped in, on a site of
// its own, and a line that was cut off is a task that has no result.
func TestStopAndResume(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &note{}
	a := &faked{}
	a.do = func(ctx context.Context, j job) (outcome, error) {
		if len(a.did) == 2 {
			cancel()
			return outcome{}, errors.New("killed")
		}
		resp, err := http.PostForm(j.url, map[string][]string{"do": {"save"}}) //nolint:noctx // a test's own server
		if err != nil {
			return outcome{}, err
		}
		resp.Body.Close()
		return outcome{end: endDone, answer: "Ada"}, nil
	}
	r := testRunner(t, s, a)
	path := r.results.file.Name()
	got, err := r.run(ctx, s.Tasks())
	if !errors.Is(err, context.Canceled) || len(got) != 1 || len(a.did) != 2 {
		t.Fatalf("stopped: %d results of %d tasks, %v", len(got), len(a.did), err)
	}
	if _, err := r.results.file.WriteString(`{"key":"cut o`); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, nothing is left to do
		if r.results, err = openResults(path); err != nil {
			t.Fatal(err)
		}
		got, err = r.run(t.Context(), s.Tasks())
		r.results.Close()
		if err != nil || len(got) != 3 || len(a.did) != 4 {
			t.Fatalf("resumed: %d results, %d tasks done, %v", len(got), len(a.did), err)
		}
	}
	for _, one := range got {
		if !one.Solved {
			t.Errorf("%s: %s", one.Task, one.Why)
		}
	}
	if a.did[0].maxSteps != 7 || a.did[2].maxSteps != 13 {
		t.Errorf("bounds: %+v", a.did)
	}
	// Each task had a site of its own.
	if slices.Sort(s.opened); len(slices.Compact(s.opened)) != 4 || s.closed != 4 {
		t.Errorf("sites %v, %d closed", s.opened, s.closed)
	}
	// Another seed, or another limit, is another run.
	if r.results, err = openResults(path); err != nil {
		t.Fatal(err)
	}
	defer r.results.Close()
	r.seed = 2
	for _, steps := range []int{0, 4, 0, 4} {
		r.maxSteps = steps
		if _, err = r.run(t.Context(), s.Tasks()[:1]); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.did) != 6 || a.did[5].maxSteps != 4 {
		t.Errorf("another seed, and another limit: %+v", a.did)
	}
}

// A run with another seed, label, setting or limit leaves transcripts of its own.
func TestTranscriptNames(t *testing.T) {
	a := &faked{do: func(context.Context, job) (outcome, error) {
		return outcome{end: endGaveUp, transcript: map[string][]byte{".txt": []byte("It gave up.")}}, nil
	}}
	r := testRunner(t, &note{}, a)
	r.transcripts = t.TempDir()
	for _, change := range []func(){func() {}, func() { r.seed = 2 }, func() { r.label = "flat" }, func() { r.label = "deep" }, func() { r.maxSteps = 9 }} {
		change()
		if _, err := r.run(t.Context(), r.suite.Tasks()[:1]); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(r.transcripts, "*-seed-2-deep-*.txt"))
	if err != nil || len(files) != 2 {
		t.Errorf("of the last label: %v, %v", files, err)
	}
	if files, err = filepath.Glob(filepath.Join(r.transcripts, "*.txt")); err != nil || len(files) != 5 {
		t.Errorf("%v, %v", files, err)
	}
}

// A setting of Tabwright is refused where another agent is run, which has none of it.
func TestSettingsOfAnotherAgent(t *testing.T) {
	args := []string{"-model", "m", "-set", "think=false"}
	if _, err := parse(args); err != nil {
		t.Error(err)
	}
	if _, err := parse(append(args, "-agent", "browser-use")); err == nil || !strings.Contains(err.Error(), "-set") {
		t.Errorf("browser-use: %v", err)
	}
}

// What tells nothing about the model ends the run, and is no result.
func TestNoResult(t *testing.T) {
	a := &faked{do: func(context.Context, job) (outcome, error) { return outcome{}, errors.New("the model can't be asked") }}
	r := testRunner(t, &note{}, a)
	if got, err := r.run(t.Context(), r.suite.Tasks()); err == nil || len(got) != 0 || len(a.did) != 1 || len(r.results.known) != 0 {
		t.Errorf("%d results, %d tasks, %v", len(got), len(a.did), err)
	}
}

func TestWhy(t *testing.T) {
	check := errors.New("no order\nwas placed")
	for want, c := range map[string]struct {
		end, said string
		wrong     int
	}{
		"said done but not: no order was placed":                       {endDone, "ignored", 1},
		"not done: no order was placed [I can't.]":                     {endGaveUp, "I can't.", 0},
		"wrong state: no order was placed":                             {endGaveUp, "", 2},
		"budget (steps): no order was placed":                          {endSteps, "", 2},
		"budget (time): no order was placed [the model gave no reply]": {endTime, "", 0},
		"model error: no order was placed [nothing could be read]":     {endModel, "nothing could be read", 0},
	} {
		r := result{End: c.end, Wrong: c.wrong}
		if got := r.why(check, c.said); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestReadTrace(t *testing.T) {
	const (
		words  = `{"kind":"look","look":{"saw":"<<<page x","said":"Hm."}}`
		bad    = `{"kind":"look","look":{"saw":"<<<page x","said":"{","failed":"bad_reply: cut off"}}`
		broken = `{"kind":"look","look":{"saw":"<<<page x","failed":"stream_cut: it ended"}}`
		beside = `{"kind":"look","look":{"saw":"Sum it up.","said":"It clicked."}}`
		pWords = `{"kind":"look","look":{"saw":"Current URL: https://a.test/","said":"Hm."}}`
		pBad   = `{"kind":"look","look":{"saw":"It was clicked.\n\nCurrent URL: https://a.test/","said":"<tool_call>","failed":"bad_reply: cut off"}}`
		pClick = `{"kind":"look","look":{"saw":"Current URL: https://a.test/","said":"<tool_call>…","calls":[{"name":"click","args":{"x":3,"y":4}}]}}`
		click  = `{"kind":"look","look":{"saw":"<<<page x","calls":[{"name":"click","args":{"index":3}}]}}`
		ok     = `{"kind":"tool_result","step":{"line":"Clicked","outcome":"ok"}}`
		denied = `{"kind":"tool_result","step":{"line":"Clicked","outcome":"denied","error":{"code":"denied"}}}`
		over   = `{"kind":"tool_result","step":{"line":"Clicked","outcome":"error","error":{"code":"covered"}}}`
		none   = `{"kind":"tool_result","step":{"line":"Clicked","outcome":"error","error":{"code":"not_found"}}}`
	)
	failed := func(code string) string {
		return `{"kind":"failed","text":"It failed.","error":{"code":"` + code + `"}}`
	}
	for name, c := range map[string]struct {
		items string
		want  string // end, answer, said, steps, unread, gate, guard, invalid
	}{
		"done":         {strings.Join([]string{words, bad, broken, beside, click, ok, `{"kind":"complete","text":"42"}`}, ","), "done 42  1 2 0 0 0"},
		"pointing":     {strings.Join([]string{pWords, pBad, pClick, ok, `{"kind":"complete","text":"42"}`}, ","), "done 42  1 2 0 0 0"},
		"refused":      {strings.Join([]string{denied, over, none, none, failed("not_done")}, ","), "failed  It failed. 4 0 1 1 2"},
		"out of steps": {failed("budget"), "steps  It failed. 0 0 0 0 0"},
		"unread":       {strings.Join([]string{bad, failed("no_action")}, ","), "model  It failed. 0 1 0 0 0"},
		"stopped":      {`{"kind":"cancelled","text":"Stopped."}`, "failed  Stopped. 0 0 0 0 0"},
		"no server":    {failed("unreachable"), "error"},
		"cut off":      {ok, "error"},
	} {
		o, err := readTrace([]byte(`{"items":[` + c.items + `],"usage":{"inputTokens":7,"outputTokens":5}}`))
		got := fmt.Sprintf("%s %s %s %d %d %d %d %d", o.end, o.answer, o.said, o.Steps, o.Unread, o.Gate, o.Guard, o.Invalid)
		if err != nil {
			got = "error"
		} else if o.TokensIn != 7 || o.TokensOut != 5 {
			t.Errorf("%s: tokens %+v", name, o.spending)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, got, c.want, err)
		}
	}
}

// A peer is a program that prints how its task ended.
func TestPeer(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"done": {
			`echo "$@"; echo '{"answer":"42","done":true,"steps":3,"tokens_in":9,"tokens_out":2,"seconds":1.5,"unread":1}'`,
			"done 42  3 9 2 1.5 1",
		},
		"gave up":      {`echo '{"answer":"I cannot","done":false,"steps":2,"tokens_in":9}'`, "failed  I cannot 2 9 0 0.0 0"},
		"out of steps": {`echo '{"done":false,"steps":5,"tokens_in":9}'`, "steps   5 9 0 0.0 0"},
		"model error":  {`echo '{"steps":1,"tokens_in":9,"error":"no JSON"}'`, "model  no JSON 1 9 0 0.0 0"},
		"time":         {`echo '{"steps":1,"tokens_in":9,"seconds":60.2,"error":"timeout"}'`, "time  timeout 1 9 0 60.2 0"},
		"not there":    {`echo "No module named browser_use" >&2; exit 1`, "error"},
		"no server":    {`echo '{"steps":3,"error":"connection refused"}'`, "error"},
		"no start":     {`echo '{"error":"no browser"}'`, "error"},
	} {
		path := filepath.Join(t.TempDir(), "run.sh")
		if err := os.WriteFile(path, []byte(c.script), 0o644); err != nil {
			t.Fatal(err)
		}
		p := &peer{command: []string{"sh", path}, model: model{baseURL: "http://127.0.0.1:1", name: "m"}}
		o, err := p.Do(t.Context(), job{text: "a task", url: "http://127.0.0.1:2/x", maxSteps: 5, maxTime: time.Minute})
		got := fmt.Sprintf("%s %s %s %d %d %d %.1f %d", o.end, o.answer, o.said, o.Steps, o.TokensIn, o.TokensOut, o.Seconds, o.Unread)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, got, c.want, err)
		}
		const args = "--task a task --url http://127.0.0.1:2/x --base-url http://127.0.0.1:1 --model m --max-steps 5 --timeout 60"
		if name == "done" && !strings.HasPrefix(string(o.transcript[".json"]), args+"\n") {
			t.Errorf("it was called with %s", o.transcript[".json"])
		}
	}
}

// The peer is installed in the versions that it was measured with, and so is all that
// it depends on: nothing is left to the day.
func TestPeerRequirements(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("peer", "requirements.txt"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	pin := regexp.MustCompile(`^([A-Za-z0-9._-]+)==[0-9][A-Za-z0-9.]*$`)
	for line := range strings.Lines(string(raw)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := pin.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("%q is no exact version", line)
			continue
		}
		names[m[1]] = true
	}
	if !names["browser-use"] || !names["pydantic"] {
		t.Errorf("%d packages", len(names))
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	out, err := exec.CommandContext(t.Context(), "python3", filepath.Join("peer", "run.py"), "--version").Output()
	sum := sha256.Sum256(raw)
	if version := strings.TrimSpace(string(out)); err != nil || !strings.HasSuffix(version, fmt.Sprintf("-%x", sum[:4])) {
		t.Errorf("version %q does not tell the requirements (%v)", version, err)
	}
}

// A program that does not end in time is ended.
func TestProgramTimeLimit(t *testing.T) {
	for _, script := range []string{"exec sleep 60", "sleep 60 & trap 'echo asked; exit' TERM; wait"} {
		dir := t.TempDir()
		path := filepath.Join(dir, "run.sh")
		if err := os.WriteFile(path, []byte(script), 0o644); err != nil {
			t.Fatal(err)
		}
		p := &peer{command: []string{"sh", path}}
		cmd := command(p.command[0], p.command[1:]...)
		e, err := runProgram(t.Context(), cmd, dir, 200*time.Millisecond)
		if err != nil || !e.late || e.took > grace/2 {
			t.Errorf("%s: %+v, %v", script, e, err)
		}
		if strings.Contains(script, "trap") && string(e.out) != "asked\n" {
			t.Errorf("it was not asked to end: %q", e.out)
		}
	}
}

func TestChoose(t *testing.T) {
	var all []suite.Task
	for level := 1; level <= 3; level++ {
		for i := range 10 {
			all = append(all, suite.Task{ID: fmt.Sprint(level, "-", i), Level: level, Lang: []string{"en", "zh"}[i%2]})
		}
	}
	ids := func(n int) []string {
		got, err := choose(all, "", n)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, t := range got {
			out = append(out, t.ID)
		}
		return out
	}
	six, twelve := ids(6), ids(12)
	if !slices.Equal(six, twelve[:6]) {
		t.Errorf("%v is not the beginning of %v", six, twelve)
	}
	kinds := map[string]int{}
	for _, id := range twelve {
		i := slices.IndexFunc(all, func(t suite.Task) bool { return t.ID == id })
		kinds[fmt.Sprint(all[i].Level, all[i].Lang)]++
	}
	if len(kinds) != 6 || slices.Max(ids(30)) != "3-9" || len(ids(0)) != 30 {
		t.Errorf("%v", kinds)
	}
	for kind, n := range kinds {
		if n != 2 {
			t.Errorf("%d of %s", n, kind)
		}
	}
	if got, err := choose(all, "2-1,1-0", 0); err != nil || len(got) != 2 || got[0].ID != "2-1" {
		t.Errorf("by id: %v, %v", got, err)
	}
	if _, err := choose(all, "4-1", 0); err == nil {
		t.Error("there is no task 4-1")
	}
}

// The bundled suite is well formed, and each of its tasks gets a site of its own on
// which nothing is done yet.
func TestBundled(t *testing.T) {
	s, err := openSuite("bundled")
	if err != nil || s.Name() != "bundled" {
		t.Fatal(s, err)
	}
	seen := map[string]bool{}
	acts := map[int][2]int{1: {1, 2}, 2: {3, 6}, 3: {7, 15}}
	for _, task := range s.Tasks() {
		within := acts[task.Level]
		if seen[task.ID] || fileName(task.ID) != strings.ReplaceAll(task.ID, "/", "_") || task.Text == "" || !strings.HasPrefix(task.Start, "/") ||
			(task.Lang != "en" && task.Lang != "zh") || task.Acts < within[0] || task.Acts > within[1] {
			t.Errorf("task %+v", task)
		}
		seen[task.ID] = true
		for range 2 {
			w, err := s.Open(task, 1)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if seen[w.URL()] || w.Check("") == nil || w.Wrong() != 0 {
				t.Errorf("%s: its site is not fresh: %s, %v, %d", task.ID, w.URL(), w.Check(""), w.Wrong())
			}
			seen[w.URL()] = true
		}
	}
	if len(seen) == 0 {
		t.Error("it has no tasks")
	}
}

func TestModelName(t *testing.T) {
	t.Setenv("TABWRIGHT_PROVIDER", "")
	for in, want := range map[[2]string]string{
		{"ollama/qwen3:8b", ""}: "ollama qwen3:8b", {"qwen3:8b", ""}: "ollama qwen3:8b", {"gpt-5", "openai"}: "openai gpt-5",
		{"qwen/qwen3-4b", "openrouter"}: "openrouter qwen/qwen3-4b", {"someone/model:q4", ""}: "ollama someone/model:q4",
	} {
		m := model{name: in[0], provider: in[1]}
		if m.split(); m.provider+" "+m.name != want {
			t.Errorf("%v: %s %s, want %s", in, m.provider, m.name, want)
		}
	}
}

func TestSummary(t *testing.T) {
	blank := result{Suite: "note", Agent: "tabwright", Version: "1+0a1b", Model: "ollama/m", Level: 1, Lang: "en"}
	a, b, c := blank, blank, blank
	a.Solved, a.spending, a.Wrong = true, spending{Steps: 3, TokensIn: 4000, TokensOut: 90, Seconds: 10}, 1
	b.Level, b.Lang, b.Why, b.Wrong, b.spending = 2, "zh", "budget (steps): x", -1, spending{Steps: 8, TokensIn: 5000, TokensOut: 110, Seconds: 20, Unread: 2}
	c.Level, c.Why, c.Wrong = 2, "budget (steps): y", 2
	s := summarize([]result{a, b, c})
	const row = "| ollama/m | tabwright 1 | note | 1 of 3 | 1 of 1 | 0 of 2 | – | 3.7 | 3.0k / 66 | 10 |"
	if got := s.row(); got != row {
		t.Errorf("the row:\n%s, want\n%s", got, row)
	}
	var out strings.Builder
	s.print(&out)
	for _, want := range []string{"level 2       0 of 2       8       5.0k        110        20       2     0      0        0      2", "2 × budget (steps)", row} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, out.String())
		}
	}
	docs, err := os.ReadFile(filepath.Join(rig.Root(), "docs", "models.md"))
	if err != nil || !strings.Contains(string(docs), rowHead) {
		t.Errorf("docs/models.md has another table (%v)", err)
	}
	if *s.All.Wrong != 3 || s.Langs["zh"].Wrong != nil || s.Langs["en"].Solved != 1 {
		t.Errorf("%+v", s)
	}
}
