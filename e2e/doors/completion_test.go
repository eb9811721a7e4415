package doors

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// completed sources the script in bash, as a user's ~/.bashrc does, and gives
// what a Tab at the end of the line offers.
func (b *bench) completed(line ...string) []string {
	b.t.Helper()
	dir := b.t.TempDir()
	script := filepath.Join(dir, "tabwright.bash")
	b.must(os.WriteFile(script, []byte(b.ok("completion", "bash")+"\n"), 0o600))
	b.must(os.Symlink(b.binary, filepath.Join(dir, "tabwright")))
	cmd := exec.CommandContext(b.ctx, "bash", append([]string{"--norc", "-c", `
		set -e
		source "$1"; shift
		COMP_WORDS=(tabwright "$@") COMP_CWORD=$#
		COMP_LINE="tabwright $*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
		complete -p tabwright >/dev/null
		set +e
		compopt() { :; } # bash gives it only while it completes
		__start_tabwright
		printf '%s\n' "${COMPREPLY[@]}"`, "bash", script}, line...)...)
	cmd.Env = append(slices.Clone(b.env), "PATH="+dir+":"+os.Getenv("PATH"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	b.must(err)
	var words []string
	for _, w := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words = append(words, strings.TrimSpace(strings.SplitN(w, "  ", 2)[0])) // the word, without what it means
	}
	return words
}

func TestCompletion(t *testing.T) {
	b := newBench(t)
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("needs bash")
	}
	for _, c := range []struct {
		line []string
		want []string
	}{
		{[]string{"snap"}, []string{"snapshot"}},
		{[]string{"get", "t"}, []string{"text", "title"}},
		{[]string{"scroll", "d"}, []string{"down"}},
		{[]string{"find", "ro"}, []string{"role"}},
		{[]string{"find", "role", "button", "cl"}, []string{"click"}},
		{[]string{"open", "https://a.test", "--profile", "o"}, []string{"own"}},
		{[]string{"open", "https://a.test", "--confirm", ""}, []string{"ask", "deny", "allow"}},
		{[]string{"click", "@e2", "--button", "ri"}, []string{"right"}},
		{[]string{"snapshot", "--session", ""}, []string{"default"}},
		{[]string{"mcp", "--tools", ""}, []string{"all", "core"}},
	} {
		got := b.completed(c.line...)
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("tabwright %q and Tab gives %q, want %q", c.line, got, c.want)
			}
		}
	}
	if b.broker() != 0 {
		t.Error("a Tab starts the broker")
	}
	for _, shell := range []string{"zsh", "fish", "powershell"} {
		if s := b.ok("completion", shell); !strings.Contains(s, "tabwright") {
			t.Errorf("the script for %s is %q", shell, s)
		}
	}
}

// TestCompletionInOtherShells has zsh and fish load their scripts, where they
// are there: fish completes a word, zsh knows the function for the command.
func TestCompletionInOtherShells(t *testing.T) {
	for _, c := range []struct {
		shell string
		args  []string // the script's path follows
		want  []string
	}{
		{"zsh", []string{"-f", "-c", `autoload -U compinit && compinit -D && source "$1" && print -r -- "function $+functions[_tabwright]" && print -r -- "for $_comps[tabwright]"`, "zsh"}, []string{"function 1", "for _tabwright"}},
		{"fish", []string{"--no-config", "-c", `source $argv[1]; complete -C "tabwright snap"; complete -C "tabwright get t"`}, []string{"snapshot", "text", "title"}},
	} {
		t.Run(c.shell, func(t *testing.T) {
			path, err := exec.LookPath(c.shell)
			if err != nil {
				t.Skip("needs " + c.shell)
			}
			b := newBench(t)
			dir := t.TempDir()
			script := filepath.Join(dir, "_tabwright")
			b.must(os.WriteFile(script, []byte(b.ok("completion", c.shell)+"\n"), 0o600))
			b.must(os.Symlink(b.binary, filepath.Join(dir, "tabwright")))
			cmd := exec.CommandContext(b.ctx, path, append(c.args, script)...)
			cmd.Env = append(slices.Clone(b.env), "PATH="+dir+":"+os.Getenv("PATH"), "HOME="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, w := range c.want {
				if !strings.Contains(string(out), w) {
					t.Errorf("it says %s, which lacks %q", out, w)
				}
			}
			if b.broker() != 0 {
				t.Error("a Tab starts the broker")
			}
		})
	}
}
