package main

import (
	"strings"
	"testing"
)

// How to go on with a list or a text that was cut is told as a command.
func TestNextStepsAreCommands(t *testing.T) {
	for name, command := range listCommands {
		if got := commandWords(name); got != "`"+command+"`" {
			t.Errorf("%s is %s", name, got)
		}
	}
	const hint = "Wait with `tabwright text --confirmation q1 @e3 selectOption`, or see getText."
	if got := commandWords(hint); got != strings.Replace(hint, "getText", "`tabwright get text`", 1) {
		t.Errorf("a hint became %s", got)
	}
	for text, want := range map[string]string{
		"… 15 more (getElements cursor=snap_ab:7 or query=…)":  "… 15 more (tabwright elements --cursor=snap_ab:7 or query=…)",
		"[3–9] 7 more link (getElements range=3-9 lists them)": "[3–9] 7 more link (tabwright elements --range=3-9 lists them)",
		"… there is more: extractContent cursor=abc goes on":   "… there is more: tabwright content --cursor=abc goes on",
		`[2] link "getElements explained"`:                     `[2] link "getElements explained"`,
	} {
		if got := withCommands(text); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// The command that waits for an answer can be pasted into a shell as it stands.
func TestCommandThatWaits(t *testing.T) {
	for _, tt := range []struct {
		session string
		form    form
		words   []string
		want    string
	}{
		{"default", form{name: "click"}, nil, "tabwright click --confirmation q1 @e3"},
		{"work", form{name: "fill"}, []string{"it's $HOME"}, `tabwright fill --session work --confirmation q1 @e3 'it'\''s $HOME'`},
		{"my work", form{name: "text", parent: "get"}, []string{"-5", ""}, "tabwright get text --session 'my work' --confirmation q1 @e3 -- -5 ''"},
	} {
		o := actOptions{session: tt.session}
		if got := o.command(tt.form, "q1", "@e3", tt.words); got != tt.want {
			t.Errorf("%s\nis not\n%s", got, tt.want)
		}
	}
}
