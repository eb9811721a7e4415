// Command browser stands in for a browser on Windows: it is in a job that dies with
// it and lets go of who asks, starts the host that its arguments name, and when its
// own stdin ends, ends the job with all that is in it.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
