// Command tabwright is a browser agent that lives in the user's own Chrome. One
// binary serves every role: started by Chrome (its first argument is
// chrome-extension://…) it is the shim between the browser and the broker;
// `tabwright broker` is the broker; started by a user it is the command line.
// docs/architecture.md tells the way of a task.
package main

import (
	"os"
	"runtime/debug"
	"strings"

	"tabwright/host/action/pdf"
	"tabwright/host/cli"
	"tabwright/host/serve"
)

func main() { os.Exit(run()) }

func run() int {
	if pdf.Child() {
		return 0
	}
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "chrome-extension://") {
		return serve.RunShim(os.Args[1])
	}
	collectLess()
	return cli.Run()
}

// garbage is how far the heap may grow beyond what is in use, in per cent. In use
// are some 13 MB; at Go's own 100 a fifth of what a call cost was collecting.
const garbage = 300

// collectLess collects garbage less often, unless whoever starts it has said how often.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}
