package config

import "fmt"

// ValueError says what is wrong with a setting's value. Say and Args are the
// same for who has words of their own: the kind of fault, and what its sentence
// names.
type ValueError struct {
	Say  string
	Args []string
	text string
}

// Error gives the sentence in English.
func (e *ValueError) Error() string { return e.text }

// wrong makes a ValueError; the sentence names the args in their order.
func wrong(say, format string, args ...string) *ValueError {
	named := make([]any, len(args))
	for i, a := range args {
		named[i] = a
	}
	return &ValueError{Say: say, Args: args, text: fmt.Sprintf(format, named...)}
}
