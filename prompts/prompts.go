// Package prompts holds the texts that a model reads from Tabwright, except the descriptions
// of actions. These are the system prompt, the note for models without native tool calls, the
// frame around an observation, and notices. They are template files in templates/<lang>,
// pinned by golden files.
//
// It imports nothing from host. Start reading at System.
//
// Two things shape the texts. A local model with a window of 8k tokens must
// have room to think, so its system prompt stays under 520 tokens. And servers
// cache by prefix, so what never changes comes first and what changes last.
package prompts

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"tabwright/prompts/template"
)

//go:embed templates
var files embed.FS

// The languages there are templates for.
const (
	English = "en"
	Chinese = "zh"
)

// The modes: the element list alone, or with a marked screenshot.
const (
	DOM    = "dom"
	Hybrid = "hybrid"
)

// The sizes of model: one small decision at a time (DecisionRules), short rules and a
// worked example, the rules, the rules and batches.
const (
	Tiny   = "tiny"
	Small  = "small"
	Medium = "medium"
	Large  = "large"
)

// Data fills the system prompt. Actions, the registry's text, is only used by
// the ways "schema" and "markdown"; leave it empty when Way's note is sent
// apart. Task, Date, MaxSteps and Nonce come last in the text and may be zero.
type Data struct {
	Mode     string // dom, hybrid
	Lang     string // en, zh
	Way      string // native, schema, markdown
	Actions  string
	Size     string // small, medium, large; empty is medium
	Nonce    string
	Task     string
	Date     string
	MaxSteps int
}

// System returns the system prompt.
func System(d Data) (string, error) {
	switch d.Mode {
	case DOM, Hybrid:
	default:
		return "", fmt.Errorf("system prompt: unknown mode %q", d.Mode)
	}
	name := "system"
	switch d.Size {
	case Tiny, Small:
		name = "system_small"
	case Medium, Large, "":
	default:
		return "", fmt.Errorf("system prompt: unknown size %q", d.Size)
	}
	text, err := render(d.Lang, name, d)
	if err != nil {
		return "", err
	}
	var note string
	switch d.Way {
	case "native", "":
	case "schema", "markdown":
		if d.Actions != "" {
			if note, err = Way(d.Way, d.Lang, d.Actions); err != nil {
				return "", err
			}
		}
	default:
		return "", fmt.Errorf("system prompt: unknown way %q", d.Way)
	}
	tail, err := render(d.Lang, "tail", d)
	if err != nil {
		return "", err
	}
	return join(text, note, tail), nil
}

// Way returns the note with the actions and the form of the answer, for the
// ways "schema" and "markdown", in which the server sends no tools.
func Way(way, lang, actions string) (string, error) {
	switch way {
	case "schema", "markdown":
		return render(lang, "way", struct{ Way, Actions string }{way, strings.TrimSpace(actions)})
	case "native":
		return "", nil
	}
	return "", fmt.Errorf("way note: unknown way %q", way)
}

func join(parts ...string) string {
	out := parts[:0]
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, "\n\n")
}

// lang maps a locale such as "zh-CN" or "zh_TW.UTF-8" to English or Chinese.
func lang(l string) string {
	if strings.HasPrefix(strings.ToLower(l), Chinese) {
		return Chinese
	}
	return English
}

// sets are the parsed templates by language.
var sets = sync.OnceValue(func() map[string]*template.Set {
	out := map[string]*template.Set{}
	for _, l := range []string{English, Chinese} {
		out[l] = template.Must(template.Text(files, template.Funcs{"arg": arg}, "templates/"+l+"/*.tmpl"))
	}
	return out
})

// arg returns argument i of a notice, or "" if it is missing: a notice with a
// gap is better than none.
func arg(args []any, i int) any {
	if i < len(args) {
		return args[i]
	}
	return ""
}

func render(l, name string, data any) (string, error) {
	var b strings.Builder
	if err := sets()[lang(l)].Execute(&b, name, data); err != nil {
		return "", fmt.Errorf("prompt %s: %w", name, err)
	}
	return strings.TrimSpace(b.String()), nil
}
