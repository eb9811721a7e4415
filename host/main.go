// Command tabwright is a browser agent that lives in the user's own Chrome. One binary has
// three roles:
//
//   - If Chrome started it (the first argument is chrome-extension://…), it is the shim, which
//     connects the browser with the broker.
//   - `tabwright broker` is the broker.
//   - With all other arguments it is the command line.
//
// docs/architecture.md describes how a task runs.
package main

import (
	"os"

	"tabwright/host/cli"
)

func main() { os.Exit(cli.Main()) }
