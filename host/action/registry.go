package action

import (
	"embed"
	"io/fs"
	"slices"

	"tabwright/host/action/spec"
)

//go:embed docs/*.md
var docFS embed.FS

// std is the registry of this program. A wrong declaration is a mistake in the
// program itself, found by the first test that runs: it doesn't start.
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

// Default gives the registry of this program.
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

// Tools gives the functions for a model, in English: one per action for a
// strong model, else the one function browser_action.
func Tools(strong bool) []Tool { return std.Tools(strong, English) }

// FallbackText lists all actions compactly, for the prompt of a model that is
// to answer in JSON, or that is told of browser_action's params by text.
func FallbackText(lang string) string { return std.FallbackText(lang) }
