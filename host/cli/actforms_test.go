package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// parsed gives the call that a command line makes, without a session.
func parsed(t *testing.T, words ...string) (call string, file string, err error) {
	t.Helper()
	r := action.Default()
	for _, f := range allForms(r) {
		if strings.TrimSpace(f.parent+" "+f.name) != words[0] {
			continue
		}
		s, _ := r.Spec(f.action)
		cmd := &cobra.Command{Use: f.name, SilenceUsage: true, SilenceErrors: true, RunE: func(cmd *cobra.Command, rest []string) error {
			p, to, err := f.params(s, cmd.Flags(), rest)
			if err != nil {
				return err
			}
			raw, err := json.Marshal(p)
			call, file = f.action+" "+string(raw), to
			return err
		}}
		f.flags(cmd.Flags(), s)
		cmd.SetArgs(words[1:])
		err = cmd.Execute()
		return call, file, err
	}
	t.Fatalf("no command %q", words[0])
	return "", "", nil
}

func TestCommandLinesBecomeCalls(t *testing.T) {
	for _, tc := range []struct {
		words []string
		want  string
	}{
		{[]string{"click", "@e2"}, `click {"ref":"e2"}`},
		{[]string{"click", "@12"}, `click {"index":12}`},
		{[]string{"click", "[12]"}, `click {"index":12}`},
		{[]string{"click", "snap_ab12cd:e2"}, `click {"ref":"snap_ab12cd:e2"}`},
		{[]string{"click", "12"}, `click {"index":12}`},
		{[]string{"click", "30,40.5"}, `click {"x":30,"y":40.5}`},
		{[]string{"click", "--x", "3", "--y", "4"}, `click {"x":3,"y":4}`},
		{[]string{"click", "#buy", "--button", "right", "--modifiers", "ctrl,shift"}, `click {"button":"right","modifiers":["ctrl","shift"],"selector":"#buy"}`},
		{[]string{"dblclick", "a, b"}, `click {"clicks":2,"selector":"a, b"}`},
		{[]string{"fill", "@e3", "two", "words"}, `type {"clear":true,"ref":"e3","text":"two words"}`},
		{[]string{"type", "@e3", "7"}, `type {"ref":"e3","text":"7"}`},
		{[]string{"type", "two words"}, `type {"text":"two words"}`},
		{[]string{"type", "7"}, `type {"text":"7"}`},
		{[]string{"type", "#a", "7"}, `type {"selector":"#a","text":"7"}`},
		{[]string{"type", "@12", "7"}, `type {"index":12,"text":"7"}`},
		{[]string{"press", "Enter"}, `pressKey {"key":"Enter"}`},
		{[]string{"select", "@e4", "red"}, `select {"ref":"e4","value":"red"}`},
		{[]string{"upload", "@e4", "/tmp/a.txt"}, `uploadFile {"paths":["/tmp/a.txt"],"ref":"e4"}`},
		{[]string{"upload", "#drop", "/tmp/a b.txt", "/tmp/c,d.txt"}, `uploadFile {"paths":["/tmp/a b.txt","/tmp/c,d.txt"],"selector":"#drop"}`},
		{[]string{"select", "@e4", "--values", "New York,Paris"}, `select {"ref":"e4","values":["New York","Paris"]}`},
		{[]string{"scroll", "down", "300"}, `scroll {"amount":300,"direction":"down"}`},
		{[]string{"scroll", "down", "--ref", "e5"}, `scroll {"direction":"down","ref":"e5"}`},
		{[]string{"scroll", "@e5", "down", "300"}, `scroll {"amount":300,"direction":"down","ref":"e5"}`},
		{[]string{"scroll", "#list", "down"}, `scroll {"direction":"down","selector":"#list"}`},
		{[]string{"scroll", "#list", "down", "300"}, `scroll {"amount":300,"direction":"down","selector":"#list"}`},
		{[]string{"screenshot", "#part", "out.png"}, `screenshot {"selector":"#part"}`},
		{[]string{"scroll-until", "#end"}, `scrollUntil {"selector":"#end"}`},
		{[]string{"scroll-until", "--text", "The end"}, `scrollUntil {"text":"The end"}`},
		{[]string{"screenshot", "out.png"}, `screenshot {}`},
		{[]string{"screenshot", "@e3", "out.png"}, `screenshot {"ref":"e3"}`},
		{[]string{"screenshot", "-f", "out.png"}, `screenshot {"fullPage":true}`},
		{[]string{"content"}, `extractContent {}`},
		{[]string{"content", "main"}, `extractContent {"selector":"main"}`},
		{[]string{"download", "@e4", "list.csv"}, `download {"ref":"e4"}`},
		{[]string{"download", "--url", "https://a.test/x", "list.csv"}, `download {"url":"https://a.test/x"}`},
		{[]string{"snapshot", "-i", "-c", "-d", "3"}, `snapshot {"compact":true,"interactive":true,"maxDepth":3}`},
		{[]string{"details", "1", "2"}, `getElementDetails {"indices":[1,2]}`},
		{[]string{"details", "@e12", "snap_ab12cd:e3", "4"}, `getElementDetails {"indices":[12,3,4]}`},
		{[]string{"elements", "--query", "blue mug", "--visible"}, `getElements {"query":"blue mug","visible":true}`},
		{[]string{"get text"}, `getText {}`},
		{[]string{"get text", "@e1"}, `getText {"ref":"e1"}`},
		{[]string{"get attr", "@e1", "href"}, `getAttribute {"name":"href","ref":"e1"}`},
		{[]string{"get count", ".todo li"}, `find {"selector":".todo li"}`},
		{[]string{"is visible", "#a"}, `isVisible {"selector":"#a"}`},
		{[]string{"dialog accept", "my", "name"}, `handleDialog {"accept":true,"text":"my name"}`},
		{[]string{"dialog dismiss"}, `handleDialog {"accept":false}`},
		{[]string{"tabs switch", "2"}, `switchTab {"index":2}`},
		{[]string{"eval", "1", "+", "1"}, `executeJS {"code":"1 + 1"}`},
		{[]string{"drag-drop", "@e3", "#bin"}, `dragDrop {"from":{"ref":"e3"},"to":{"selector":"#bin"}}`},
		{[]string{"drag-drop", "li:first-child", "7"}, `dragDrop {"from":{"selector":"li:first-child"},"to":{"index":7}}`},
		{[]string{"drag-drop", "1,2", `{"x":3,"y":4}`}, `dragDrop {"from":{"x":1,"y":2},"to":{"x":3,"y":4}}`},
	} {
		got, _, err := parsed(t, tc.words...)
		if err != nil || got != tc.want {
			t.Errorf("%q is %s (%v), want %s", tc.words, got, err, tc.want)
		}
	}
	if _, file, err := parsed(t, "screenshot", "out.png"); err != nil || file != "out.png" {
		t.Errorf("screenshot goes to %q: %v", file, err)
	}
	for _, words := range [][]string{{"back", "x"}, {"details", "two"}, {"tabs switch", "two"}, {"drag-drop", "{here", "there"}, {"snapshot", "-d", "deep"}, {"get count", ".todo li", "x"}} {
		if got, _, err := parsed(t, words...); err == nil {
			t.Errorf("%q is taken as %s", words, got)
		}
	}
}

// TestEveryActionHasACommand leaves none out, and none twice.
func TestEveryActionHasACommand(t *testing.T) {
	all := allForms(action.Default())
	for _, s := range action.Default().Specs() {
		has := slices.ContainsFunc(all, func(f form) bool { return f.action == s.Name })
		if has == slices.Contains(ownCommands, s.Name) {
			t.Errorf("%s has a command: %v", s.Name, has)
		}
	}
	seen := map[string]bool{}
	for _, c := range rootCommand().Commands() {
		if seen[c.Name()] {
			t.Errorf("two commands are called %s", c.Name())
		}
		seen[c.Name()] = true
	}
}

func TestExitCodes(t *testing.T) {
	for code, want := range map[action.Code]int{
		action.NotFound: 1, action.StaleRef: 1, action.InvalidParams: 2, action.Denied: 3, action.NeedsConfirmation: 3, action.Blocked: 3,
	} {
		if got := codeFor(&wire.Error{Code: wire.Code(code)}); got != want {
			t.Errorf("%s is %d, want %d", code, got, want)
		}
	}
	o := &actOptions{}
	cmd := &cobra.Command{}
	var out strings.Builder
	cmd.SetOut(&out)
	var ee *exitError
	err := o.show(cmd, wire.SessionResult{Action: "isVisible", Data: []byte(`{"visible":false,"inViewport":false}`)}, printer.truth, "")
	if !errors.As(err, &ee) || ee.code != 1 || out.String() != "false\n" {
		t.Errorf("a no is %v, %q", err, out.String())
	}
	out.Reset()
	if err := o.show(cmd, wire.SessionResult{Action: "isChecked", Data: []byte(`{"checked":"true"}`)}, printer.truth, ""); err != nil || out.String() != "true\n" {
		t.Errorf("a yes is %v, %q", err, out.String())
	}
}
