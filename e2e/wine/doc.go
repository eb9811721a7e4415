// Package wine runs the Windows build under Wine. `make test-windows` runs it. Where Wine
// lacks what Windows has, the tests make up for it (gaps_test.go) and say so.
package wine
