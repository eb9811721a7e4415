// Package infinity is a suite of five apps of WebArena-Infinity (MIT), which needs a copy of
// github.com/web-arena-x/webarena-infinity. Its tasks, servers and verifiers run as they come,
// with python3, on loopback only.
package infinity

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tabwright/e2e/eval/suite"
	"tabwright/host/tether"
)

// Name is the suite's.
const Name = "webarena-infinity"

// Folder is the variable that names the copy of the repository.
const Folder = "WEBARENA_INFINITY"

// apps are those of the suite.
var apps = []string{"gmail", "gitlab-plan-and-track", "paypal-my-wallet", "xero-invoicing", "linear-account-settings"}

const (
	startTime = time.Minute // until a server listens
	judgeTime = time.Minute // of a verifier
)

//go:embed serve.py
var serveScript string

//go:embed judge.py
var judgeScript string

type infinity struct {
	dir   string
	tasks []suite.Task
	judge map[string]string // the verifier's file, by the task's id
}

// Open reads the tasks from the folder that the environment names.
func Open() (suite.Suite, error) {
	dir := os.Getenv(Folder)
	if dir == "" {
		return nil, fmt.Errorf("%s names no folder; clone https://github.com/web-arena-x/webarena-infinity and name it", Folder)
	}
	return open(dir)
}

// bounds are the most acts of each level; the tasks don't say how many they need.
var bounds = map[string]struct{ level, acts int }{"easy": {1, 2}, "medium": {2, 6}, "hard": {3, 15}}

func open(dir string) (suite.Suite, error) {
	s := &infinity{dir: dir, judge: map[string]string{}}
	for _, app := range apps {
		raw, err := os.ReadFile(filepath.Join(dir, "apps", app, "real-tasks.json"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Name, err)
		}
		var tasks []struct{ ID, Difficulty, Instruction, Verify string }
		if err := json.Unmarshal(raw, &tasks); err != nil {
			return nil, fmt.Errorf("%s: the tasks of %s: %w", Name, app, err)
		}
		for _, t := range tasks {
			b, ok := bounds[t.Difficulty]
			if !ok {
				return nil, fmt.Errorf("%s: %s/%s is %q", Name, app, t.ID, t.Difficulty)
			}
			id := app + "/" + t.ID
			s.tasks = append(s.tasks, suite.Task{ID: id, Lang: "en", Text: t.Instruction, Start: "/", Level: b.level, Acts: b.acts})
			s.judge[id] = filepath.Join(dir, "apps", app, filepath.FromSlash(t.Verify))
		}
	}
	return s, nil
}

func (s *infinity) Name() string        { return Name }
func (s *infinity) Tasks() []suite.Task { return slices.Clone(s.tasks) }

// Open starts the app's server. Its data are always the same.
func (s *infinity) Open(t suite.Task, _ int64) (suite.World, error) {
	app, _, _ := strings.Cut(t.ID, "/")
	if s.judge[t.ID] == "" {
		return nil, fmt.Errorf("%s has no task %s", Name, t.ID)
	}
	tie, err := tether.New("")
	if err != nil {
		return nil, err
	}
	w := &world{tie: tie, judge: s.judge[t.ID]}
	if w.url, err = serve(tie, filepath.Join(s.dir, "apps", app)); err != nil {
		return nil, errors.Join(fmt.Errorf("the server of %s: %w", app, err), tie.Close())
	}
	return w, nil
}

// serve starts a server on a free port of loopback, and gives its address.
func serve(tie *tether.Tether, dir string) (string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer read.Close()
	cmd := exec.Command("python3", "-c", serveScript) //nolint:noctx // the tether ends it
	cmd.Dir, cmd.ExtraFiles, cmd.Env = dir, []*os.File{write}, pythonEnv()
	err = tie.Start(cmd)
	write.Close() // the server has its own
	if err != nil {
		return "", err
	}
	if err := read.SetReadDeadline(time.Now().Add(startTime)); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("it does not listen: %w", err)
	}
	return "http://127.0.0.1:" + strings.TrimSpace(line), nil
}

// pythonEnv has Python talk to loopback without a proxy, and write nothing beside the
// sources.
func pythonEnv() []string {
	return append(os.Environ(), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "PYTHONDONTWRITEBYTECODE=1")
}

type world struct {
	tie   *tether.Tether
	url   string
	judge string
}

func (w *world) URL() string { return w.url }

// Wrong is not known: the apps keep their state, and not the acts.
func (w *world) Wrong() int { return -1 }

func (w *world) Close() { _ = w.tie.Close() }

// Check runs the task's verifier on the app's state. None of the tasks is a question.
func (w *world) Check(string) error {
	ctx, cancel := context.WithTimeout(context.Background(), judgeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "python3", "-c", judgeScript, w.judge, w.url)
	cmd.Env, cmd.WaitDelay = pythonEnv(), time.Second
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		text := strings.Fields(log.String())
		return fmt.Errorf("%w: %s: %w: %s", suite.ErrJudge, w.judge, err, strings.Join(text[max(0, len(text)-30):], " "))
	}
	var verdict struct {
		Solved bool
		Why    string
	}
	if err := json.Unmarshal(out, &verdict); err != nil {
		return fmt.Errorf("%w: %s: %w", suite.ErrJudge, w.judge, err)
	}
	if !verdict.Solved {
		return errors.New(verdict.Why)
	}
	return nil
}
