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
	// formRules are those of a model that is asked for one small decision at a time.
	formRules   string
	wants       string       // by the user: one of wantsKnow and so on; empty: not asked yet
	judgedSteps int          // how many steps there were when it was last asked whether the task is done
	opened      map[int]bool // what is next: the choices of a menu that the last press opened, or what is for a row that it selected
	midway      bool         // the last step only opened, or selected, what a task goes on with
	unsaved     int          // times that a task was held to be not done since a button that it names was not pressed
	answerless  bool         // the page was just found not to tell what the user wants to know
	readTexts   []uint32     // marks of the texts that were read for that
	judgedDone  bool         // it was found to be done: an answer that was sent back may be given anew
	hist        history
	dog         loopDetector
	notices     []string            // for the next observation
	left        *action.Observation // the page that the last step left
	last        string              // result of the last act, when it has no tool message to go into
	usage       wire.UsageInfo
	began       time.Time
	silent      int  // replies of words in a row without an action
	unread      int  // replies that could not be read, with no action between them
	brief       bool // the last reply was cut off: the next one is to think less
	// answering: an answer was shown as it was written, and is not accepted yet.
	answering bool

	stepUsage   llm.Usage // of the requests since the last step
	scale       float64   // what the server counts for each token estimated; 0: not known yet
	refused     int       // times in a row that the server found a request too long
	way         llm.Way   // of the last reply
	wantPicture bool      // the next look takes a screenshot
	picked      llm.Part  // a picture that an action took, for the next request
	given       int       // tokens of each request that what was attached takes

	// unsettled began, and what came of it is to be found out; told says that it
	// is recorded as unknown already.
	unsettled     *journal.Act
	unsettledTold bool
	away          bool // the browser was lost since the last look
	thumb         thumbs

	paid     float64   // by what the provider says its requests cost
	reported bool      // … and that it says so
	unpriced llm.Usage // of requests of which it did not

	plan     plan
	proof    evidence // of what an answer may claim
	scripted bool     // its steps are known: nobody is told that it goes in circles
	sentBack int      // times that a claim to be done was not accepted

	point *pointerState // of a model that points; nil for others
}

// toTools are functions as a model is given them.
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

// interruption is the end of a task that can be taken up again.
func interruption(e *wire.Error) wire.Event {
	return wire.Event{Type: wire.EvInterrupted, Text: e.Message, Error: e}
}

// asError gives any failure the shape that travels.
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
// (llm/pointer). What it asks for becomes actions as any model's: the point is
// resolved, judged and guarded by the Executor. Nil for other models, whose methods
// here do what the loop does without it.
type pointerState struct {
	family *pointer.Family
	screen pointer.Screen
	facts  []string // that it asked to keep
	raw    string   // its last reply, word for word
	rules  string   // that stand before the task
	idle   int      // replies in a row that asked for nothing to be done in the page
	list   *action.ListData
}
