// Package config answers how Tabwright is set up: settings from a file, the
// environment and flags; keys of model providers; the user's policy and its
// grants; the log; and where each of these lies on this computer.
//
// Settings are declared once, in the table in settings.go. From it come the
// names in the file (model, budgets.steps), the environment variables
// (TABWRIGHT_MODEL, TABWRIGHT_BUDGETS_STEPS), what flags set, and the checks.
// The order of precedence is flags, environment, file, defaults.
//
// It imports llm, for the names of the providers and llm.Config, safety for the
// policy, and nothing else of Tabwright. Start reading at Load.
package config
