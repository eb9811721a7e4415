// Package config reads how Tabwright is set up: its settings, the keys of model providers, the
// user's policy and grants, and the folders of its files. It also sets up the log.
//
// Settings are declared once, in the table in settings.go. From it come the
// names in the file (model, budgets.steps), the environment variables
// (TABWRIGHT_MODEL, TABWRIGHT_BUDGETS_STEPS), what flags set, and the checks.
// The order of precedence is flags, environment, file, defaults.
//
// It imports llm, for the names of the providers and llm.Config, safety for the
// policy, and nothing else of Tabwright. Start reading at Load.
package config
