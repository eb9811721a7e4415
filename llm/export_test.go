package llm

// ForgetAll drops what this process learnt of all models, as its end would.
func ForgetAll() {
	memoriesMu.Lock()
	defer memoriesMu.Unlock()
	memories = map[string]*memory{}
}
