package main

import "testing"

// How to go on with a list or a text that was cut is told as a command.
func TestNextStepsAreCommands(t *testing.T) {
	for name, command := range listCommands {
		if got := commandWords(name); got != "`"+command+"`" {
			t.Errorf("%s is %s", name, got)
		}
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
