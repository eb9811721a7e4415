package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// markVar marks the processes of a column by their environment, which every
// process gets from the one that starts it.
const markVar = "BENCH_COLUMN"

// parts are whose processor time is told: that of the page's main thread, all else
// of the browser, and ours.
var parts = []string{"page", "browser", "host"}

// meter reads the processor time of the processes that have a mark. It goes on
// where other programs take the computer, which the wall's clock does not.
type meter struct {
	mark  string
	known map[int]string // the part of each process; "" for those of others
}

func newMeter(mark string) *meter { return &meter{mark: mark, known: map[int]string{}} }

// env is what the processes are marked by.
func (m *meter) env() string { return markVar + "=" + m.mark }

// read returns the processor time so far by part, or nothing if the system does not
// report it.
func (m *meter) read() map[string]time.Duration {
	out := map[string]time.Duration{}
	if m == nil {
		return out
	}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		part, ok := m.known[pid]
		if !ok {
			part = m.partOf(pid)
			m.known[pid] = part
		}
		if part == "" {
			continue
		}
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
		for _, t := range tasks {
			of := part
			if part == "page" && filepath.Base(filepath.Dir(t)) != e.Name() {
				of = "browser"
			}
			out[of] += onProcessor(t)
		}
	}
	return out
}

func (m *meter) partOf(pid int) string {
	if !m.has(pid) {
		return ""
	}
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	switch cmd := strings.ReplaceAll(string(line), "\x00", " "); {
	case strings.Contains(cmd, "--extension-process"):
		return "browser"
	case strings.Contains(cmd, "--type=renderer"):
		return "page"
	case strings.Contains(cmd, "--type=") || strings.Contains(cmd, "--user-data-dir"):
		return "browser"
	}
	return "host"
}

// has tells whether a process has the mark, or comes from one that has it:
// Chromium writes the names of its processes over their environments.
func (m *meter) has(pid int) bool {
	for pid > 1 {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if bytes.Contains(append([]byte{0}, env...), []byte("\x00"+m.env()+"\x00")) {
			return true
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) < 2 {
			return false
		}
		pid, _ = strconv.Atoi(fields[1])
	}
	return false
}

func onProcessor(schedstat string) time.Duration {
	b, err := os.ReadFile(schedstat)
	if err != nil {
		return 0
	}
	ns, _, _ := strings.Cut(string(b), " ")
	n, _ := strconv.ParseInt(ns, 10, 64)
	return time.Duration(n)
}

// since returns the processor time since an earlier reading.
func (m *meter) since(was map[string]time.Duration) map[string]time.Duration {
	now := m.read()
	maps.DeleteFunc(now, func(p string, d time.Duration) bool { return d < was[p] })
	for p := range now {
		now[p] -= was[p]
	}
	return now
}
