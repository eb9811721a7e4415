package cli

import (
	"os"
	"runtime/debug"
	"strings"

	"tabwright/host/action/pdf"
	"tabwright/host/serve"
)

// Main is the program in every role, and gives its exit code. Started by Chrome (its
// first argument is chrome-extension://…) it is the shim between the browser and the
// broker; else it is the command line, of which the broker is a command.
func Main() int {
	if pdf.Child() {
		return 0
	}
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "chrome-extension://") {
		return serve.RunShim(os.Args[1])
	}
	collectLess()
	return Run()
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
