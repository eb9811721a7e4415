// Command tabwright is the same program as host, at the path that `go install` names. It is a
// browser agent that lives in the user's own Chrome.
package main

import (
	"os"

	"tabwright/host/cli"
)

func main() { os.Exit(cli.Main()) }
