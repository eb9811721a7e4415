package llm

import "golang.org/x/sys/unix"

// machineMemory returns the memory of this machine in bytes (hw.memsize of
// sysctl(3)), or 0 if that is not known.
func machineMemory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n) //nolint:gosec // no machine has 8 EiB
}
