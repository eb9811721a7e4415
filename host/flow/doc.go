// Package flow has what goes beyond one run of a task: traces, recordings and their replay,
// results as JSON with their sources, and workflows. Traces and recordings are made from the
// trail of a task, which holds what the model saw and said and what was acted on. The package
// may import host/agent, host/action, host/journal, host/native, llm, prompts and safety.
// Start reading at Trail for what is kept, Recording for what is replayed, Graph for
// workflows.
package flow
