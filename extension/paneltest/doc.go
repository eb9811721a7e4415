// Package paneltest runs the built extension in a headless Chromium against a
// native host that the caller plays itself: Chrome starts this very program
// through native messaging (see Host), which hands the frames to the test.
// It serves the extension's own tests and the program that takes the panel's
// pictures; nothing in the product imports it. Start reading at Launch.
package paneltest
