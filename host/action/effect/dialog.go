package effect

import (
	"fmt"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// LeaveKind is the kind of dialog that asks whether a page is to be left. It
// has no text: Chrome shows its own to a user.
const (
	LeaveKind  = "beforeunload"
	LeaveWords = `"Leave the page? What was not saved there is lost."`
)

// DialogName returns a dialog's kind in words.
func DialogName(d *browser.Dialog) string {
	switch d.Kind {
	case "alert":
		return "an alert dialog"
	case browser.DialogUnknown:
		return "a dialog whose text can't be read, since it opened before the tab was attached,"
	}
	return "a " + d.Kind + " dialog"
}

// DialogText returns a dialog's text, after a colon.
func DialogText(d *browser.Dialog) string {
	switch d.Kind {
	case LeaveKind:
		return ": " + LeaveWords
	case browser.DialogUnknown:
		return ""
	}
	text := fmt.Sprintf(": %q", pagecontext.Cut(pagecontext.Flatten(d.Message), 200))
	if d.Default != "" {
		text += fmt.Sprintf(" (it suggests %q)", pagecontext.Cut(pagecontext.Flatten(d.Default), 80))
	}
	return text
}
