package zoo

// writes are what is typed into each editor.
func writes(field string, more ...Deed) []Deed {
	return append([]Deed{
		{Kind: write, What: "all anew", Want: p{"text": "One two\nthree, 茶"}, Steps: []Step{fill(field, "One two\nthree, 茶")}},
		{Kind: write, What: "at the end", Want: p{"text": "Hello world!"}, Steps: []Step{add(field, "!")}},
		{Kind: write, What: "nothing", Want: p{"text": ""}, Steps: []Step{fill(field, "")}},
	}, more...)
}

// code is the same for editors of code.
func code(field, had string) []Deed {
	return []Deed{
		{Kind: write, What: "all anew", Want: p{"text": "if (a) {\n  b();\n}"}, Steps: []Step{fill(field, "if (a) {\n  b();\n}")}},
		{Kind: write, What: "at the end", Want: p{"text": had + "!"}, Steps: []Step{add(field, "!")}},
		{Kind: write, What: "nothing", Want: p{"text": ""}, Steps: []Step{fill(field, "")}},
	}
}

// bold makes all that an editor holds bold by its button.
func bold(button string) []Step {
	return []Step{click(`textbox "Post"`), press("Control+a"), click(button)}
}

var editors = []Widget{
	{"Editors", "TipTap", "tiptap.js", true, writes(`textbox "Post"`,
		Deed{Kind: format, What: "bold", Want: p{"html": "<p><strong>Hello world</strong></p>"}, Steps: bold(`button "Bold"`)},
		Deed{Kind: format, What: "a list", Want: p{"html": "<ul><li><p>Hello world</p></li></ul>"}, Steps: []Step{click(`textbox "Post"`), click(`button "Bullet list"`)}},
	)},
	{"Editors", "Quill", "quill.js", true, writes(`textbox "Post"`,
		Deed{Kind: format, What: "bold", Want: p{"format": []any{[]any{"Hello world", p{"bold": true}}, []any{"\n", p{}}}}, Steps: bold(`button "bold"`)},
		Deed{Kind: format, What: "a heading", Want: p{"format": []any{[]any{"Hello world", p{}}, []any{"\n", p{"header": 1}}}}, Steps: []Step{click(`textbox "Post"`), click(`button "Normal"`), click(`"Heading 1"`)}},
	)},
	{"Editors", "Lexical", "lexical.js", false, writes(`textbox "Post"`,
		Deed{Kind: format, What: "bold", Want: p{"bold": "Hello world"}, Steps: bold(`button "Bold"`)},
		Deed{Kind: format, What: "a heading", Want: p{"blocks": []string{"h2"}}, Steps: []Step{click(`textbox "Post"`), click(`button "Heading"`)}},
	)},
	{"Editors", "Slate", "slate.jsx", false, writes(`textbox "Post"`,
		Deed{Kind: format, What: "bold", Want: p{"bold": "Hello world"}, Steps: bold(`button "Bold"`)},
	)},
	{"Editors", "Draft.js", "draft.jsx", false, writes(`textbox "Post"`,
		Deed{Kind: format, What: "bold", Want: p{"bold": "Hello world"}, Steps: bold(`button "Bold"`)},
		Deed{Kind: format, What: "a heading", Want: p{"blocks": []string{"header-two"}}, Steps: []Step{click(`textbox "Post"`), click(`button "Heading"`)}},
	)},
	{"Editors", "TinyMCE 6", "tinymce.js", false, writes(`textbox "Post"`,
		Deed{Kind: format, What: "bold", Want: p{"html": "<p><strong>Hello world</strong></p>"}, Steps: bold(`button "Bold"`)},
		Deed{Kind: format, What: "a heading", Want: p{"html": "<h2>Hello world</h2>"}, Steps: []Step{click(`textbox "Post"`), click(`button "Block Paragraph"`), click(`"Heading 2"`)}},
	)},
	{"Editors", "CodeMirror 6", "codemirror6.js", true, code(`textbox "Script"`, "let a = 1;\nlet b = 2;")},
	{"Editors", "CodeMirror 5", "codemirror5.js", true, code(`textbox "Query"`, "select 1\nfrom dual")},
	{"Editors", "Monaco", "monaco.js", false, code(`textbox "Code"`, "let a = 1;\nlet b = 2;")},
}
