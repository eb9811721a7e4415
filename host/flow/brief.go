package flow

import (
	"crypto/rand"
	"fmt"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/prompts"
)

// briefText gives the prompt about a result's schema, or the bare schema if the
// template fails.
func briefText(lang, schema string, urls []string) string {
	text, err := prompts.ResultBrief(lang, schema, urls)
	if err != nil {
		return schema
	}
	return text
}

// nonce returns a random mark for a fence, which no page can know.
func nonce() string { return strings.ToLower(rand.Text()[:8]) }

func isPlaceholder(s string) bool { return action.IsSecretRef(s) }

// invalid returns an invalid_params error.
func invalid(hint, format string, args ...any) *wire.Error {
	return &wire.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf(format, args...), Hint: hint}
}
