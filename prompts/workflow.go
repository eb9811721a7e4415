package prompts

// The kinds of system prompt for Workflow.
const (
	Mend        = "mend"         // mend a step of a recording that no longer fits
	Graph       = "graph"        // turn a sentence into a graph of subtasks
	GraphChange = "graph_change" // change the graph as a sentence asks
)

// Workflow returns the system prompt of a kind.
func Workflow(kind, lang string) (string, error) { return render(lang, kind, nil) }

// ResultBrief returns the text that tells a model the schema of the JSON to answer with.
func ResultBrief(lang, schema string, urls []string) (string, error) {
	return render(lang, "result_brief", struct {
		Schema string
		URLs   []string
	}{schema, urls})
}

// NodeBrief returns the text that tells a model that its task is one part of a
// workflow. data holds the results of the parts before, fenced.
func NodeBrief(lang, data string) (string, error) {
	return render(lang, "node_data", struct{ Data string }{data})
}

// MendData is a step that no longer fits, and the current page.
type MendData struct {
	Lang, Goal, Step, Next, Why, Page string
	Number, Total                     int
}

// MendQuestion returns the question about a step that no longer fits.
func MendQuestion(d MendData) (string, error) { return render(d.Lang, "mend_question", d) }

// GraphQuestion returns the question of GraphChange: the graph, and the change as text.
func GraphQuestion(lang, graph, text string) (string, error) {
	return render(lang, "graph_now", struct{ Graph, Text string }{graph, text})
}
