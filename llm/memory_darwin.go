package llm

import "golang.org/x/sys/unix"

// machineMemory is the memory of this machine in bytes, or 0 where it can't be
// told: hw.memsize of sysctl(3).
func machineMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n) //nolint:gosec // no machine has 8 EiB
}
