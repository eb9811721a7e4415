package rig

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Slack is by how much a time limit is stretched while the machine does more than
// it can: by the length of the queue for its processors in the last minute, six at
// most, and 1 on a machine that is not busy.
func Slack() float64 {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 2
	}
	load, _ := strconv.ParseFloat(strings.Fields(string(raw))[0], 64) // the kernel's format
	return max(1, min(6, load/float64(runtime.NumCPU())))
}
