package wire

import "cmp"

// Question returns what allowing would do, as a question in English: "Pay $17.10?"
func (c ConfirmInfo) Question() string { return cmp.Or(c.Yes["en"], "Allow this") + "?" }

// Facts returns the lines that a card shows below its question, in English.
func (c ConfirmInfo) Facts() []string {
	var out []string
	if c.To != "" {
		out = append(out, "To: "+c.To)
	}
	if c.About != "" {
		out = append(out, "About: "+c.About)
	}
	return append(out, c.Details...)
}
