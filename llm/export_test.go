package llm

// Forget drops what this process learnt of all models, as its end would.
func Forget() {
	memoriesMu.Lock()
	defer memoriesMu.Unlock()
	memories = map[string]*memory{}
}
