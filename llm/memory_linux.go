package llm

import (
	"os"
	"strconv"
	"strings"
)

// machineMemory returns the memory of this machine in bytes, or 0 if that is
// not known. MemTotal of /proc/meminfo is in KiB (proc_meminfo(5)).
func machineMemory() int64 {
	raw, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(raw), "\n") {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "MemTotal:" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
