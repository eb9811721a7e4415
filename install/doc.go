// Package install registers Tabwright with the browsers of a user, removes it again, and has
// the checks of the doctor.
//
// An installation has two parts: the extension in a folder that stays, which
// the user loads by hand (Chrome loads unpacked extensions only so), and one
// native messaging manifest for each browser, which tells Chrome which program
// the extension may start.
//
// It imports nothing from host: the binary, the extension's files and id, and
// the probes that ask a running broker or a model server are options. Start
// reading at Install, then Doctor; Browsers is the table of places.
package install
