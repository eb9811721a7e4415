package prompts

import "strings"

// PointerData fills the rules of a model that acts by screenshots and coordinates.
// Width and Height are the range of its coordinates. Such models were trained
// on English, so the rules are in English; Lang is the language to write in.
type PointerData struct {
	Lang          string
	Width, Height int
	Date          string
}

// Pointer returns the rules of a model that points; name is the format's template.
func Pointer(name string, d PointerData) (string, error) {
	d.Lang = lang(d.Lang)
	text, err := render(English, name, d)
	// The template writes the function's JSON over several lines; join them by \n.
	if head, rest, ok := strings.Cut(text, "<tools>\n"); ok {
		tool, tail, _ := strings.Cut(rest, "\n</tools>")
		text = head + "<tools>\n" + strings.ReplaceAll(tool, "\n", `\n`) + "\n</tools>" + tail
	}
	return text, err
}
