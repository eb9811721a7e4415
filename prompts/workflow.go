package prompts

// The system prompts of workflows.
const (
	Mend        = "mend"         // one step of a recording that no longer fits
	Graph       = "graph"        // a sentence becomes a graph of subtasks
	GraphChange = "graph_change" // a sentence changes it
)

// Workflow gives one of those system prompts.
func Workflow(kind, lang string) (string, error) { return render(lang, kind, nil) }

// ResultBrief tells a model of the JSON that is asked for.
func ResultBrief(lang, schema string, urls []string) (string, error) {
	return render(lang, "result_brief", struct {
		Schema string
		URLs   []string
	}{schema, urls})
}

// NodeBrief tells a model that its task is one part of a workflow, with the
// results of the parts before, fenced.
func NodeBrief(lang, data string) (string, error) {
	return render(lang, "node_data", struct{ Data string }{data})
}

// MendData is a step that no longer fits, and the page as it is.
type MendData struct {
	Lang, Goal, Step, Next, Why, Page string
	Number, Total                     int
}

// MendQuestion gives what is asked of a step that no longer fits.
func MendQuestion(d MendData) (string, error) { return render(d.Lang, "mend_question", d) }

// GraphQuestion gives what is asked of a graph that is to change.
func GraphQuestion(lang, graph, text string) (string, error) {
	return render(lang, "graph_now", struct{ Graph, Text string }{graph, text})
}
