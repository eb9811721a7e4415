package agent

import (
	"errors"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/llm/pointer"
)

// run is one task under way.
type run struct {
	Options
	caps   llm.Capabilities
	tools  []llm.Tool
	system string
	notes  map[llm.Way]string
	// formRules is the system prompt of a model that makes one small decision at a time.
	formRules   string
	wants       string       // what the user wants: one of wantsKnow and so on; empty: not asked yet
	judgedSteps int          // how many steps there were when judge last asked
	opened      map[int]bool // indices to choose from next: the menu that the last click opened, or the controls for the row that it selected
	bar         map[int]bool // indices of the buttons for selected rows, while rows are selected
	midway      bool         // the last step only opened or selected something to continue with
	unsaved     int          // how often the task was held not done because a button that it names was not clicked
	answerless  bool         // the page was just found not to tell what the user wants to know
	readTexts   []uint32     // marks of the texts that were read for the answer
	judgedDone  bool         // judge found the task done: an answer that was sent back may be given again
	hist        history
	dog         loopDetector
	notices     []string            // for the next observation
	left        *action.Observation // the page that the last step left
	last        string              // result of the last act, when it has no tool message to go into
	usage       wire.UsageInfo
	began       time.Time
	silent      int  // replies of words in a row without an action
	unread      int  // replies that could not be read, with no action between them
	brief       bool // the last reply was cut off: ask for less thinking in the next one
	// answering: an answer was shown as it was written, and is not accepted yet.
	answering bool

	stepUsage   llm.Usage // of the requests since the last step
	scale       float64   // tokens that the server counts per estimated token; 0: not known yet
	refused     int       // times in a row that the server found a request too long
	way         llm.Way   // of the last reply
	wantPicture bool      // the next look takes a screenshot
	picked      llm.Part  // a picture that an action took, for the next request
	given       int       // tokens of each request that the attachments take

	// unsettled is an act that began and whose outcome must be found out;
	// unsettledTold says that it is already recorded as unknown.
	unsettled     *journal.Act
	unsettledTold bool
	away          bool // the browser was lost since the last look
	thumb         thumbs

	paid     float64   // sum of the costs that the provider reported
	reported bool      // the provider reports costs
	unpriced llm.Usage // of requests without a reported cost

	plan     plan
	proof    evidence // of what an answer may claim
	scripted bool     // its steps are given: no check whether it goes in circles
	sentBack int      // times that a claim to be done was not accepted

	point *pointerState // of a model that points; nil for others
}

// toTools converts actions' functions to tools of a request.
func toTools(list []action.Tool) []llm.Tool {
	var out []llm.Tool
	for _, t := range list {
		tool := llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema}
		for _, a := range t.Aliases {
			tool.Aliases = append(tool.Aliases, llm.Alias(a))
		}
		out = append(out, tool)
	}
	return out
}

func failure(e *wire.Error) wire.Event {
	return wire.Event{Type: wire.EvFailed, Text: e.Message, Error: e}
}

// interruption returns the last event of a task that can be taken up again.
func interruption(e *wire.Error) wire.Event {
	return wire.Event{Type: wire.EvInterrupted, Text: e.Message, Error: e}
}

// asError converts any error to a wire.Error.
func asError(err error) *wire.Error {
	var ne *wire.Error
	var le *llm.Error
	var ae *action.Error
	switch {
	case errors.As(err, &ne):
		return ne
	case errors.As(err, &le):
		return &wire.Error{Code: wire.Code(le.Code), Message: le.Message, Hint: le.Hint}
	case errors.As(err, &ae):
		return &wire.Error{Code: wire.Code(ae.Code), Message: ae.Message} // its hint is for models
	default:
		return &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
	}
}

// pointerState is what a run keeps for a model that acts by screenshots and coordinates
// (llm/pointer). Its requests become actions like any model's: the Executor resolves,
// judges and guards the point. It is nil for other models.
type pointerState struct {
	family *pointer.Family
	screen pointer.Screen
	facts  []string // that it asked to keep
	raw    string   // its last reply, word for word
	rules  string   // that stand before the task
	idle   int      // replies in a row that asked for nothing to be done in the page
	list   *action.ListData
}
