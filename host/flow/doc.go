// Package flow is what goes beyond a single run of a task: the trail that a
// task leaves (what the model saw and said, what was acted on), the trace page
// and the recordings that are made of it, the replay of a recording without a
// model, structured results with their sources, and workflows: graphs of
// subtasks. It may import host/agent, host/action, host/journal, host/native,
// llm, prompts and safety. Start reading at Trail for what is kept, Recording
// for what is replayed, Graph for workflows.
package flow
