// Package scenes holds every screen of the side panel with what a host must
// say for it to be seen: for the pictures of its screens, for the tests that look
// at all screens, and for the benchmarks. Start reading at Open.
package scenes
