// Package install puts Tabwright into the browsers a user already has, takes
// it out again, and says what is wrong when the two do not find each other.
//
// Putting it in means two things: the extension in a folder that stays, which
// the user loads by hand (Chrome takes unpacked extensions from nobody
// else), and one native messaging manifest per browser, which tells Chrome
// which program the extension may start.
//
// It imports nothing from host: the binary, the extension's files and id, and
// the probes that ask a running broker or a model server come in as options.
// Start reading at Install, then Doctor; Browsers is the table of places.
package install
