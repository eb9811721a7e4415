// Package config reads how Tabwright is set up: its settings, the keys of model providers, the
// user's policy and grants, and the folders of its files. It also sets up the log.
//
// Each setting is declared once, in the table in settings.go. From this table come the names
// in the file (model, budgets.steps), the environment variables (TABWRIGHT_MODEL,
// TABWRIGHT_BUDGETS_STEPS), the flags, and the checks. If several places set a setting, the
// first of these counts: flags, environment, file, defaults.
//
// The package may import llm (for the names of the providers and llm.Config) and safety (for
// the policy), and nothing else of Tabwright. Start reading at Load.
package config
