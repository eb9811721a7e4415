package pointer

import "regexp"

// Fara-7B: computer_use with points in pixels of the picture, three screenshots.
// terminate says only success or failure: the answer is the words before it. Typing
// presses Enter unless the call says otherwise, and a scroll goes by a screen.
var fara = Family{
	Name: "fara", Shots: 3, Prompt: "pointer_fara", Example: exampleOf(640, 420),
	model: regexp.MustCompile(`(?i)(^|[^a-z])fara`), scale: pixels, factor: 28,
}

// Fara 1.5 (4B, 9B, 27B): more actions, points from 0 to 1000, an answer in terminate.
var fara15 = Family{
	Name: "fara-1.5", Shots: 3, Prompt: "pointer_fara15", Example: exampleOf(500, 430),
	model: regexp.MustCompile(`(?i)(^|[^a-z])fara[-_ ]?1[._]5`), scale: thousand, factor: 32,
}

func init() {
	fara.parse = computerUse{family: &fara, enters: true, pages: true}.parse
	fara15.parse = computerUse{family: &fara15}.parse
}
