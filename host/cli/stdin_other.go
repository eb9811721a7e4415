//go:build !unix

package cli

import "time"

// ready is not known here of what is not waited for; a read waits by itself.
func ready(_ int, wait time.Duration) bool { return wait > 0 }
