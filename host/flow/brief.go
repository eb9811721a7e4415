package flow

import (
	"crypto/rand"
	"fmt"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// briefText is the schema as a model is told of it. The templates are part of
// the program; without them the schema still is what matters.
func briefText(lang, schema string, urls []string) string {
	text, err := prompts.ResultBrief(lang, schema, urls)
	if err != nil {
		return schema
	}
	return text
}

// nonce makes a fence that no page can know.
func nonce() string { return strings.ToLower(rand.Text()[:8]) }

func isPlaceholder(s string) bool { return action.IsSecretRef(s) }

// invalid is an error of what a user or a program gave.
func invalid(hint, format string, args ...any) *wire.Error {
	return &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf(format, args...), Hint: hint}
}
