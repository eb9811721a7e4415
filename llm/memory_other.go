//go:build !linux && !darwin && !windows

package llm

// machineMemory returns 0: on this system the memory is not known.
func machineMemory() int64 { return 0 }
