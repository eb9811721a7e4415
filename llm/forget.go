package llm

import (
	"fmt"
	"slices"
	"strings"
)

// modelKey returns the key of a model on a server, in memories and in a WayStore.
func modelKey(provider, baseURL, model string) string { return provider + " " + baseURL + " " + model }

// idOf returns provider/model for a key.
func idOf(key string) string {
	provider, rest, _ := strings.Cut(key, " ")
	_, model, _ := strings.Cut(rest, " ")
	return provider + "/" + model
}

// isModel reports whether name, as a user gives it, means the model of a key.
func isModel(key, name string) bool {
	id := idOf(key)
	_, model, _ := strings.Cut(id, "/")
	return slices.Contains([]string{name, name + ":latest"}, id) || slices.Contains([]string{name, name + ":latest"}, model)
}

// Forget drops what was learnt of a model, in this process and in a store: the
// next task finds out again what works with it. name is MODEL or
// PROVIDER/MODEL. If nothing was learnt of such a model, the error names those
// of which something was.
func Forget(store WayStore, name string) error {
	known := map[string]bool{}
	if store != nil {
		for _, key := range store.Keys() {
			known[key] = true
		}
	}
	memoriesMu.Lock()
	for key, mem := range memories {
		known[key] = known[key] || mem.learnt()
		if isModel(key, name) {
			mem.forget()
		}
	}
	memoriesMu.Unlock()
	var ids []string
	found := false
	for key, learnt := range known {
		if !learnt {
			continue
		}
		if isModel(key, name) {
			found = true
			if store != nil {
				store.ForgetWay(key)
			}
		}
		ids = append(ids, idOf(key))
	}
	if found {
		return nil
	}
	slices.Sort(ids)
	e := &Error{Code: CodeModelNotFound, Message: fmt.Sprintf("nothing was learned of %q", name), Hint: "nothing was learned of any model"}
	if len(ids) > 0 {
		e.Hint = "something was learned of: " + strings.Join(slices.Compact(ids), ", ")
	}
	return e
}

// Learnt returns what did not work with the model: the ways to an action that
// are not used any more, and "vision".
func (m *Model) Learnt() []string {
	m.mem.mu.Lock()
	defer m.mem.mu.Unlock()
	var out []string
	for _, w := range allWays {
		if m.mem.server != nil && w == WayNative && m.mem.server.tools != nil && !*m.mem.server.tools {
			continue // the server says so itself
		}
		if rank(w) < rank(m.mem.best) && (w != WaySchema || m.prov.schema) {
			out = append(out, string(w))
		}
	}
	if m.mem.noVision {
		out = append(out, "vision")
	}
	return out
}

// noWay reports whether the last way has failed, too.
func (m *memory) noWay() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failures[allWays[len(allWays)-1]] >= maxFailures
}

func (m *memory) learnt() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return rank(m.best) > 0 || m.noVision || m.noTemperature || m.jsonObject || m.failures[allWays[len(allWays)-1]] >= maxFailures
}

func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
}

// clear empties the memory; the server is asked again, too. m.mu is held.
func (m *memory) clear() {
	m.server, m.best, m.failures = nil, "", map[Way]int{}
	m.noVision, m.noTemperature, m.jsonObject = false, false, false
	m.window = 0
}
