// What actions say of how to go on, in the words of a user at a prompt.

package cli

import (
	"regexp"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// dialogWords writes the two answers to a dialog as the two commands for them.
var dialogWords = strings.NewReplacer(
	" with handleDialog: accept true", ": `tabwright dialog accept`",
	"handleDialog, accept true", "`tabwright dialog accept`",
	"accept false", "`tabwright dialog dismiss`",
	"handleDialog", dialogCommands,
)

const dialogCommands = "`tabwright dialog accept` or `tabwright dialog dismiss`"

var actionWord = regexp.MustCompile(`\b[a-z]+(?:[A-Z][A-Za-z]*)+\b`)

// How an element is named in a call, and in a command.
const (
	indexWords = action.ByIndex
	refWords   = "by its ref, as in @e12"
)

// commandWords writes a hint for someone who knows commands, not actions; what
// stands between backquotes is left as it is.
func commandWords(hint string) string {
	parts := strings.Split(hint, "`")
	for i := 0; i < len(parts); i += 2 { // the others are commands already
		parts[i] = strings.Replace(parts[i], indexWords, refWords, 1)
		ours := strings.Split(dialogWords.Replace(parts[i]), "`")
		for j := 0; j < len(ours); j += 2 {
			ours[j] = actionWord.ReplaceAllStringFunc(ours[j], actionCommand)
		}
		parts[i] = strings.Join(ours, "`")
	}
	return strings.Join(parts, "`")
}

// actionCommand is the command of an action, in backquotes; another word is left
// as it is.
func actionCommand(word string) string {
	for _, f := range allForms(action.Default()) {
		if f.action == word {
			return "`tabwright " + strings.TrimSpace(f.parent+" "+f.name) + "`"
		}
	}
	return word
}

// nextStep finds how to go on where a result was cut, and stepWords where an act
// opened a dialog or a tab or asked for a file: in words that only we write, and
// the second in no more than an act's effect, so that what a page says stays as it
// is.
var (
	nextStep  = regexp.MustCompile(`\b(getElements|extractContent) (cursor|query|visible|range|type|scope)=`)
	stepWords = regexp.MustCompile(`\((?:answer it with handleDialog|switchTab goes there|extractContent reads the page)\)|, and no window was opened: use uploadFile with `)
)

// nothingRead is all that a result says where there was nothing to read.
const nothingRead = "OK: there is nothing to read here; getElements or a screenshot may show more."

// stepCommands writes the actions in stepWords as commandWords would, which the
// forms themselves can't use.
var stepCommands = strings.NewReplacer(
	"handleDialog", dialogCommands, "switchTab", "`tabwright tabs switch`", "uploadFile", "`tabwright upload`", "getElements", "`tabwright elements`", "extractContent", "`tabwright content`",
)

// listCommands are the commands of the actions whose results can be cut.
var listCommands = map[string]string{"getElements": "tabwright elements", "extractContent": "tabwright content"}

// stepsNamed names the commands that go on after a result, in what we say of it.
func stepsNamed(r wire.SessionResult) wire.SessionResult {
	effect := stepWords.ReplaceAllStringFunc(withCommands(r.Effect), stepCommands.Replace)
	switch {
	case r.Effect != "":
		r.Text = strings.Replace(r.Text, r.Effect, effect, 1)
	case r.Text == nothingRead:
		r.Text = stepCommands.Replace(r.Text)
	case r.Action == "observe":
		r.Text = action.NameDialogAnswer(r.Text, dialogCommands)
	}
	r.Effect = effect
	return r
}

// withCommands writes how to go on where a result was cut as a command.
func withCommands(text string) string {
	return nextStep.ReplaceAllStringFunc(text, func(s string) string {
		name, param, _ := strings.Cut(s, " ")
		return listCommands[name] + " --" + param
	})
}
