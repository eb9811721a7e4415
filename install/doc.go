// Package install puts Tabwright into the browsers a user already has, takes
// it out again, and says what is wrong when the two do not find each other.
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
