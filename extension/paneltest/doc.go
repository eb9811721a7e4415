// Package paneltest runs the built extension in a headless Chromium against a native host that
// the test plays. Chrome starts the test program itself through native messaging (see Host),
// and the frames are handed to the test. It serves the extension's own tests and the program
// that takes the panel's pictures; nothing in the product imports it. Start reading at Launch.
package paneltest
