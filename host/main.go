// Command tabwright is a browser agent that lives in the user's own Chrome. One
// binary serves every role: started by Chrome (its first argument is
// chrome-extension://…) it is the shim between the browser and the broker;
// `tabwright broker` is the broker; started by a user it is the command line.
// docs/architecture.md tells the way of a task.
package main

import (
	"os"

	"tabwright/host/cli"
)

func main() { os.Exit(cli.Main()) }
