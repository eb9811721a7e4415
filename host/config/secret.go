package config

import (
	"fmt"
	"io"
)

const hidden = "…"

// Secret is a text that does not show itself: printing, logging and encoding
// it give "…". Reveal is the way to its words. (Not as the key of a map:
// encoding/json writes those without asking.)
type Secret string

// Reveal gives the words, for the request that needs them.
func (s Secret) Reveal() string { return string(s) }

// String hides the words.
func (s Secret) String() string { return hidden }

// GoString hides the words from %#v.
func (s Secret) GoString() string { return hidden }

// Format hides the words from every verb; with a wrong one, such as %d, fmt
// would print the value itself beside its complaint.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalText hides the words from JSON keys, YAML and flags.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// MarshalJSON hides the words from JSON, and so from zerolog's Interface.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }

// MarshalYAML hides the words from YAML.
func (s Secret) MarshalYAML() (any, error) { return hidden, nil }
