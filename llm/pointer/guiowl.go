package pointer

import "regexp"

// GUI-Owl of Mobile-Agent-v3 (7B, 32B): computer_use with points in pixels of the
// picture, drags between two points, and clear and enter as arguments of typing.
var guiOwl = Family{
	Name: "gui-owl", Shots: 3, Prompt: "pointer_guiowl", Example: exampleOf(640, 420),
	model: regexp.MustCompile(`(?i)gui[-_ ]?owl`), scale: pixels, factor: 28,
}

// GUI-Owl 1.5 of Mobile-Agent-v3.5: Qwen3-VL's actions, points from 0 to 1000.
var guiOwl15 = Family{
	Name: "gui-owl-1.5", Shots: 5, Prompt: "pointer_qwen", Example: exampleOf(500, 430),
	model: regexp.MustCompile(`(?i)gui[-_ ]?owl[-_ ]?1[._]5`), scale: thousand, factor: 32,
}

func init() {
	guiOwl.parse = computerUse{family: &guiOwl}.parse
	guiOwl15.parse = computerUse{family: &guiOwl15}.parse
}
