// Package flow has what goes beyond one run of a task: traces, recordings and their replay,
// results as JSON with their sources, and workflows. Traces and recordings are made from the
// trail of a task. The trail holds what the model saw and wrote, and the elements that it
// acted on.
//
// The package may import host/agent, host/action, host/journal, host/native, llm, prompts and
// safety. Start reading at Trail for the data, at Recording for the replay, and at Graph for
// workflows.
package flow
