// Package paneltest runs the built extension in a headless Chromium against a native host that
// the test simulates. Chrome starts the test program itself through native messaging (see
// Host), and the test gets the frames. The package is for the extension's own tests and for
// the program that takes the panel's pictures. Nothing in the product imports it. Start
// reading at Launch.
package paneltest
