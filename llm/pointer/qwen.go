package pointer

// Qwen2.5-VL and Qwen3-VL can act by functions as well, so they point only if the
// user chooses that. The points of the older are in pixels of the picture, those of
// the newer from 0 to 1000.
var (
	qwen25 = Family{Name: "qwen2.5-vl", Shots: 3, Prompt: "pointer_qwen", Example: exampleOf(640, 420), scale: pixels, factor: 28}
	qwen3  = Family{Name: "qwen3-vl", Shots: 3, Prompt: "pointer_qwen", Example: exampleOf(500, 430), scale: thousand, factor: 32}
)

func init() {
	qwen25.parse = computerUse{family: &qwen25}.parse
	qwen3.parse = computerUse{family: &qwen3}.parse
}
