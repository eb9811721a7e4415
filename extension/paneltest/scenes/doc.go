// Package scenes holds every screen of the side panel, with the events of the host that make
// the panel show it. The pictures, the tests of all screens and the benchmarks use it. Start
// reading at Open.
package scenes
