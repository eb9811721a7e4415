//go:build !linux && !darwin && !windows

package llm

// machineMemory is unknown here: the usual window is asked for.
func machineMemory() int64 { return 0 }
