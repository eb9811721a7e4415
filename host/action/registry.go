package action

import (
	"embed"
	"io/fs"
	"slices"

	"tabwright/host/action/spec"
)

//go:embed docs/*.md
var docFS embed.FS

// std is the registry of this program. With a wrong declaration the program doesn't
// start, so the first test that runs finds it.
var std = func() *Registry {
	texts, err := fs.Sub(docFS, "docs")
	if err != nil {
		panic("action docs: " + err.Error())
	}
	var specs []Spec
	for _, d := range builtin() {
		specs = append(specs, d.Spec)
	}
	r, err := spec.NewRegistry(texts, specs...)
	if err != nil {
		panic("action registry: " + err.Error())
	}
	return r
}()

// runners are the functions that run the actions, by name.
var runners = func() map[string]runner {
	m := map[string]runner{}
	for _, d := range builtin() {
		m[d.Name] = d.run
	}
	return m
}()

// Default returns the registry of this program.
func Default() *Registry { return std }

// builtin lists the actions, family by family.
func builtin() []declared {
	all := slices.Concat(pointerActions(), mouseActions(), keyboardActions(), rawKeyActions(), formActions(), scrollActions(), untilActions(),
		navigationActions(), tabActions(), waitingActions(), waitForActions(), readingActions(), lookupActions(), elementActions(), dialogActions(),
		fileActions(), developerActions(), powerActions(), peopleActions())
	other := aliases()
	for i, d := range all {
		all[i].Aliases = other[d.Name]
	}
	return all
}

// Tools returns the functions for a model, in English: one per action for a strong
// model, else the one function browser_action.
func Tools(strong bool) []Tool { return std.Tools(strong, English) }

// FallbackText lists all actions compactly, for the prompt of a model that answers in
// JSON, or that is told browser_action's params as text.
func FallbackText(lang string) string { return std.FallbackText(lang) }
