package prompts

import "strings"

// PointerData fills the rules of a model that acts by screenshots and coordinates.
// Width and Height are how far its coordinates go. Such models were trained on
// English, so the rules are; Lang is what they are to write in.
type PointerData struct {
	Lang          string
	Width, Height int
	Date          string
}

// Pointer gives those rules, by the name of the format's template.
func Pointer(name string, d PointerData) (string, error) {
	d.Lang = lang(d.Lang)
	text, err := render(English, name, d)
	// The function is JSON, which stands in the template in lines.
	if head, rest, ok := strings.Cut(text, "<tools>\n"); ok {
		tool, tail, _ := strings.Cut(rest, "\n</tools>")
		text = head + "<tools>\n" + strings.ReplaceAll(tool, "\n", `\n`) + "\n</tools>" + tail
	}
	return text, err
}
