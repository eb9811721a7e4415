// Command tabwright is the program of host, at the path from which `go install`
// names it: a browser agent that lives in the user's own Chrome.
package main

import (
	"os"

	"tabwright/host/cli"
)

func main() { os.Exit(cli.Main()) }
