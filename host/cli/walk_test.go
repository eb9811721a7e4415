package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tabwright/host/action"
	"tabwright/host/config"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
	"tabwright/install"
	"tabwright/llm"
)

// outcome is what came of a command line.
type outcome struct {
	code     int
	out, err string
}

// atHome has commands work in folders of the test's own, with no broker.
func atHome(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	for _, v := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"} {
		t.Setenv(v, dir)
	}
	t.Setenv("TABWRIGHT_SOCKET", filepath.Join(dir, "none.sock"))
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(dir, "none"))
	t.Chdir(dir)
}

// command runs a command line in this process.
func command(t *testing.T, words ...string) outcome {
	t.Helper()
	serve.Overrides = config.Overrides{}
	t.Cleanup(func() { serve.Overrides = config.Overrides{} })
	root := rootCommand()
	var out, errs bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&errs)
	root.SetIn(strings.NewReader(""))
	root.SetArgs(words)
	cmd, err := root.ExecuteContextC(t.Context())
	return outcome{exitCode(cmd, err), out.String(), errs.String()}
}

// walk visits every command that help shows.
func walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && !c.Hidden {
			visit(c)
			walk(c, visit)
		}
	}
}

// examplesOf are the command lines of Tabwright in a command's examples.
func examplesOf(t *testing.T, c *cobra.Command) (all [][]string) {
	t.Helper()
	for line := range strings.Lines(c.Example) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " && ")
		line, _, _ = strings.Cut(line, " < ")
		if words := shellSplit(t, line); len(words) > 0 && words[0] == "tabwright" {
			all = append(all, words[1:])
		}
	}
	return all
}

// shellSplit splits a line as a shell does, for what examples have.
func shellSplit(t *testing.T, line string) (words []string) {
	t.Helper()
	var word strings.Builder
	quote, some := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, some = r, true
		case r == ' ':
			if some {
				words = append(words, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteRune(r)
			some = true
		}
	}
	if quote != 0 {
		t.Errorf("a quote of %s does not end", line)
	}
	if some {
		words = append(words, word.String())
	}
	return words
}

// TestExamples: every command has an example, and each says what the command takes.
func TestExamples(t *testing.T) {
	atHome(t)
	n, root := 0, rootCommand()
	walk(root, func(c *cobra.Command) {
		lines := examplesOf(t, c)
		if len(lines) == 0 {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, words := range lines {
			n++
			cmd, rest, err := root.Find(words)
			if err == nil {
				err = cmd.ParseFlags(rest)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: the example %q: %v", c.CommandPath(), words, err)
			}
			if !strings.HasPrefix(cmd.CommandPath(), strings.TrimSuffix(c.CommandPath(), " "+c.Name())) {
				t.Errorf("%s has an example of %s", c.CommandPath(), cmd.CommandPath())
			}
		}
	})
	if n < 100 {
		t.Errorf("only %d examples", n)
	}
}

// without are the commands that need neither a browser nor the broker, with the exit code
// of their examples in a new home.
var without = map[string]int{
	"config get": 0, "config set": 0, "config list": 0, "config remove": 0, "key list": 0, "key remove": 0, "secret list": 0,
	"policy show": 0, "policy allow": 0, "policy deny": 0, "policy revoke": 0, "audit show": 0, "audit verify": 0,
	"status": 0, "sessions": 0, "sessions list": 0, "profiles list": 0, "close": 0, "environment": 0,
}

// TestExamplesRun runs the examples of the commands that need no browser, also for
// programs: what comes then is JSON.
func TestExamplesRun(t *testing.T) {
	atHome(t)
	root := rootCommand()
	for _, path := range []string{
		"config set", "config get", "config list", "config remove", "key list", "key remove", "secret list", "policy allow", "policy deny", "policy show",
		"policy revoke", "audit show", "audit verify", "status", "sessions", "sessions list", "profiles list", "close", "environment",
	} {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil {
			t.Fatal(err)
		}
		for _, words := range examplesOf(t, cmd) {
			if r := command(t, words...); r.code != without[path] {
				t.Errorf("%q: exit code %d, %s%s", words, r.code, r.out, r.err)
			}
			if path == "policy revoke" { // there is none any more
				command(t, "policy", "allow", "mail.example", "communicate")
			}
			r := command(t, append(slices.Clone(words), "--json")...)
			if r.code != without[path] {
				t.Errorf("%q --json: exit code %d, %s%s", words, r.code, r.out, r.err)
			}
			if path == "audit show" && r.out == "" {
				t.Errorf("%q --json says nothing", words)
			}
			for d := json.NewDecoder(strings.NewReader(r.out)); ; {
				var v any
				err := d.Decode(&v)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Errorf("%q --json is no JSON: %v: %.200s", words, err, r.out)
					break
				}
			}
		}
	}
}

// TestJSONEverywhere: each command takes --json.
func TestJSONEverywhere(t *testing.T) {
	walk(rootCommand(), func(c *cobra.Command) {
		if c.Flag("json") == nil {
			t.Errorf("%s has no --json", c.CommandPath())
		}
	})
}

// TestUsageErrorsEverywhere: a word that is no command, and more arguments than a command
// takes, are usage errors before anything is done.
func TestUsageErrorsEverywhere(t *testing.T) {
	atHome(t)
	var paths [][]string
	walk(rootCommand(), func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		if c.HasSubCommands() || !strings.Contains(c.Use, "...") {
			paths = append(paths, path)
		}
	})
	many := strings.Fields(strings.Repeat("nonsense ", 12))
	for i, path := range paths {
		args := many
		if i%2 == 0 {
			args = append([]string{"--json"}, many...)
		}
		if r := command(t, append(slices.Clone(path), args...)...); r.code != exitUsage || r.err == "" {
			t.Errorf("%q with %q: exit code %d, %s%s", path, args[:2], r.code, r.out, r.err)
		}
	}
	for words, want := range map[string]string{
		"audit verfy":                         `there is no "audit verfy"; did you mean verify?`,
		"run what is new":                     `run "what is new"`,
		"run":                                 "in quotes",
		"flow run do all":                     `run "do all"`,
		"config set modle x":                  "did you mean model or mode?",
		"config get modle":                    "did you mean model or mode?",
		"config set num_ctx x":                "not a whole number",
		"--set modle=x status":                "did you mean model or mode?",
		"run x --isolated":                    "--isolated goes with",
		"run x --launch --profile own":        "--launch uses a temporary profile",
		"run x --cdp http://a --launch":       "--cdp uses a browser that already runs",
		"run x --cdp a --confirm ask":         "nobody can be asked there",
		"run x --profile own --confirm allow": "works only with --launch",
		"logs brokr":                          "did you mean broker?",
		"logs nope":                           "there are: broker,",
		"rum x":                               `no command "rum"; did you mean run?`,
		"help rum":                            `no command "rum"; did you mean run?`,
		"status --jsn":                        "did you mean --json?",
		"logs -n x":                           `--lines takes a whole number, not "x"`,
		"status --set model":                  `--set takes NAME=VALUE, not "model"`,
		"run x --url":                         "--url lacks its value",
		"fill @e3 -5":                         "after --",
		"flow pause":                          "FLOW is missing",
		"flow pause a b":                      `"b" is too much: flow pause takes 1`,
		"config set":                          "NAME and VALUE are missing",
		"config set model":                    "VALUE is missing",
		"find role":                           "VALUE is missing",
		"policy allow a.example":              "CLASS is missing",
		"policy allow a.example nope":         "there are: read,",
		"policy allow a.example purchase":     "can't be allowed for good",
		"secret set":                          "NAME is missing",
		"secret set bank":                     "--site HOST is missing",
		"doctor x":                            `doctor takes no "x"`,
		"bench":                               "bench pages",
		"click":                               "TARGET is missing",
		"get count":                           "TARGET is missing",
		"download":                            "TARGET is missing",
		"press":                               "KEY is missing",
		"resize 5":                            "HEIGHT is missing",
		"get attr @e1":                        "NAME is missing",
		"drag-drop @e1":                       "TO is missing",
		"scroll sideways":                     "'up', 'down'",
		"resize 5 6 7":                        "too many words",
		"open":                                "URL is missing",
		"mcp --listen 8931":                   `such as 127.0.0.1:8931, not "8931"`,
		"http --listen 0.0.0.0:99":            "is not a loopback address",
		"install --browser nope":              "one of: chrome,",
		"install --wait 5":                    "no duration",
		"key remove opena":                    "did you mean openai?",

		"policy allow a.example communicate --for soon": "no duration",
	} {
		if r := command(t, strings.Fields(words)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit code %d, %q, want %q", words, r.code, r.err, want)
		}
	}
	t.Setenv("TABWRIGHT_"+"MODLE", "x")
	if r := command(t, "status"); r.code != exitUsage || !strings.Contains(r.err, "did you mean TABWRIGHT_MODEL or TABWRIGHT_MODE?") {
		t.Errorf("an unknown variable: exit code %d, %s", r.code, r.err)
	}
}

// TestJSONErrors: for programs an error of any part has its code and its hint.
func TestJSONErrors(t *testing.T) {
	for _, err := range []error{
		&install.Error{Code: install.CodeBinary, Message: "gone", Hint: "do"},
		&action.Error{Code: action.NotFound, Message: "gone", Hint: "do"},
		&llm.Error{Code: llm.CodeUnreachable, Message: "gone", Hint: "do"},
		&wire.Error{Code: wire.CodeNoTask, Message: "gone", Hint: "do"},
	} {
		cmd, out := &cobra.Command{}, bytes.Buffer{}
		cmd.Flags().Bool("json", true, "")
		cmd.SetOut(&out)
		var got struct{ Error wire.Error }
		code := exitCode(cmd, &exitError{code: exitFailed, err: fmt.Errorf("trying: %w", err)})
		if bad := json.Unmarshal(out.Bytes(), &got); bad != nil || code != exitFailed || got.Error.Code == wire.CodeInternal || got.Error.Hint != "do" {
			t.Errorf("%T: %d, %s", err, code, out.String())
		}
	}
}

// TestOneWordForOneThing: things are removed, listed and shown; other words for that are
// read and stand in no help. Lengths of time are of one form.
func TestOneWordForOneThing(t *testing.T) {
	root := rootCommand()
	walk(root, func(c *cobra.Command) {
		if slices.Contains([]string{"delete", "rm", "ls", "print", "clear"}, c.Name()) {
			t.Errorf("%s: the word is remove, list or show", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" && !f.Hidden {
				t.Errorf("--%s of %s says nothing", f.Name, c.CommandPath())
			}
			if slices.Contains([]string{"timeout", "stall", "for", "wait"}, f.Name) && f.Value.Type() != "duration" {
				t.Errorf("--%s of %s is of type %s", f.Name, c.CommandPath(), f.Value.Type())
			}
			if !f.Hidden && strings.HasSuffix(f.Name, "-ms") {
				t.Errorf("--%s of %s counts milliseconds", f.Name, c.CommandPath())
			}
		})
	})
	for _, old := range []string{"key delete openai", "secret delete bank"} {
		if cmd, _, err := root.Find(strings.Fields(old)); err != nil || cmd.Name() != "remove" {
			t.Errorf("%s is %v, %v", old, cmd.CommandPath(), err)
		}
	}
	atHome(t)
	if help := command(t, "--help").out; strings.Contains(help, "scrollintoview") || strings.Index(help, "install") > strings.Index(help, "click ") {
		t.Errorf("the help is\n%s", help)
	}
	if help := command(t, "key", "remove", "--help").out; strings.Contains(help, "delete") {
		t.Errorf("the help of key remove is\n%s", help)
	}
	for _, of := range []string{"click", "scroll", "mouse-move"} {
		if help := command(t, of, "--help").out; !strings.Contains(help, "with --y: CSS pixels from the left of the viewport") || !strings.Contains(help, "with --x: CSS pixels from the top of the viewport") {
			t.Errorf("the help of %s does not say what --x and --y are:\n%s", of, help)
		}
	}
}

// TestOtherWords: the commands of agent-browser that are called otherwise here are found
// with their arguments.
func TestOtherWords(t *testing.T) {
	root := rootCommand()
	for _, w := range theirWords {
		cmd, rest, err := root.Find(strings.Fields(w.own))
		if err != nil || !cmd.Runnable() {
			t.Errorf("%s is %s, which is no command: %v", w.words, w.own, err)
			continue
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%s is %s: %v", w.words, w.own, err)
		}
		if cmd, _, err := root.Find(strings.Fields(w.words)); err != nil || !cmd.Hidden && !cmd.Parent().Hidden {
			t.Errorf("%s is not found, or shown in the help: %v", w.words, err)
		}
	}
	atHome(t)
	for words, want := range map[string]string{
		"mouse wheel":          "one number",
		"mouse move 3":         "x and y",
		"set viewport 5 6 7 8": "too many words",
		"drag @e1 @e2 @e3":     "too many words",
		"tabs nowhere":         "there is no",
	} {
		if r := command(t, strings.Fields(words)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: exit code %d, %s", words, r.code, r.err)
		}
	}
}

// TestConfigCommand: a setting is written, read with its source, and taken out.
func TestConfigCommand(t *testing.T) {
	atHome(t)
	if r := command(t, "config", "set", "timeout", "1d"); r.code != 0 || !strings.Contains(r.out, "timeout = 24h0m0s (file)") {
		t.Errorf("%+v", r)
	}
	if r := command(t, "config", "get", "timeout"); r.out != "24h0m0s\n" {
		t.Errorf("%+v", r)
	}
	t.Setenv("TABWRIGHT_TIMEOUT", "9s")
	var got settingView
	if r := command(t, "config", "set", "timeout", "5m", "--json"); json.Unmarshal([]byte(r.out), &got) != nil || got.Value != "9s" || got.Source != "env" {
		t.Errorf("%+v", r)
	}
	if r := command(t, "config", "set", "timeout", "6m"); !strings.Contains(r.err, "env takes precedence") {
		t.Errorf("%+v", r)
	}
	if r := command(t, "config", "remove", "timeout"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	t.Setenv("TABWRIGHT_TIMEOUT", "9s")
	var list struct{ Keys []keyView }
	if r := command(t, "key", "list", "--json"); json.Unmarshal([]byte(r.out), &list) != nil || len(list.Keys) < 5 {
		t.Errorf("%+v", r)
	}
}

// TestLogs: the last lines are printed in words, those of the file before included, and as
// they are for programs.
func TestLogs(t *testing.T) {
	atHome(t)
	dir := config.Dirs().State
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	line := func(n int) string {
		return fmt.Sprintf(`{"level":"info","process":7,"task":"t%d","time":"2026-01-02T03:04:05Z","message":"line %d"}`+"\n", n, n)
	}
	for name, text := range map[string]string{"broker.log.1": line(1) + line(2), "broker.log": line(3) + "no JSON\n" + `{"level":"info","mess`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := command(t, "logs", "-n", "3")
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); r.code != 0 || len(lines) != 3 || !strings.HasSuffix(lines[0], "info  line 2 task=t2") || lines[2] != "no JSON" {
		t.Errorf("%+v", r)
	}
	if r := command(t, "logs", "broker", "-n", "2", "--json"); r.out != line(3)+"no JSON\n" {
		t.Errorf("%+v", r)
	}
	if r := command(t, "logs", "shim"); r.code != 0 || r.out != "" {
		t.Errorf("%+v", r)
	}
	if r := command(t, "logs", "-n", "0"); r.code != exitUsage {
		t.Errorf("%+v", r)
	}
}
